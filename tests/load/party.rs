//! `--party N`: people play one party from joining to podium, with a big screen that looks on. Everybody
//! moves as soon as they may, and resigns after some moves.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use futures::{StreamExt, TryStreamExt, stream};
use noughts_protocol::{
    LobbyIntent, Mark, PartyCode, PartyEvent, PartyIntent, PartyRole, PartySettings, PlayerId,
    RoomIntent, RoomState, ServerMessage,
};
use tokio::task::JoinSet;

use crate::connection::{Connection, read};
use crate::room::Script;
use crate::stats::Figure;
use crate::target::{Kind, Target};
use crate::{AT_ONCE, Args};

/// Moves of a game, after which one of the two resigns.
const PLIES: u16 = 24;

/// The longest party.
const LONGEST: Duration = Duration::from_secs(600);

/// Starts of messages that nobody here needs: reading them would cost this program more than the server.
const UNREAD: [&str; 4] = [
    r#"{"type":"party_presence","#,
    r#"{"type":"presence","#,
    r#"{"type":"boards","#,
    r#"{"type":"chat","#,
];

/// What happened, as the big screen is told it.
#[derive(Debug, Default)]
struct Evening {
    rounds: u64,
    games: u64,
    moves: u64,
    /// When the last result was told, until the next round is there.
    decided_at: Option<Instant>,
    /// From the last result of a round to the last player's pairing of the next one.
    waits: Vec<Duration>,
    screen_bytes: usize,
    player_bytes: usize,
}

impl Evening {
    fn hear(&mut self, role: PartyRole, bytes: usize) {
        if role == PartyRole::Screen {
            self.screen_bytes += bytes;
        } else {
            self.player_bytes += bytes;
        }
    }
}

/// A connection that follows the party.
struct Person {
    connection: Connection,
    role: PartyRole,
    player: PlayerId,
    party: PartyCode,
    entrant: Option<u16>,
    room: Option<RoomState>,
    asked: Option<RoomIntent>,
    evening: Rc<RefCell<Evening>>,
    script: Rc<Script>,
}

/// Plays the party.
///
/// # Errors
/// If a connection is lost, something is refused, or it does not end.
pub(crate) async fn measure(args: &Args, people: u16) -> anyhow::Result<Vec<Figure>> {
    let target = Target::new(args, Kind::Noughts)?;
    let evening = Rc::new(RefCell::new(Evening::default()));
    let script = Rc::new(Script::new(PartySettings::BOARD));
    let settings = PartySettings { format: args.format, rounds: 8, ..PartySettings::default() };
    let name = "The load".parse().context("failed to make a name")?;
    let create = LobbyIntent::CreateParty { name, settings, plays: true };
    let come = async |role, intent| Person::come(&target, role, intent, &evening, &script).await;
    let mut host = come(PartyRole::Player, create).await?;
    let party = host.party;
    let roles = (1..people).map(|_| PartyRole::Player).chain([PartyRole::Screen]);
    let join = |role| come(role, LobbyIntent::JoinParty { party, role });
    let others: Vec<Person> =
        stream::iter(roles).map(join).buffer_unordered(AT_ONCE).try_collect().await?;
    let before = target.cpu();
    let begin = Instant::now();
    evening.borrow_mut().decided_at = Some(begin);
    host.connection.ask_party(party, PartyIntent::StartParty).await?;
    let mut tasks = JoinSet::new();
    for person in others.into_iter().chain([host]) {
        tasks.spawn_local(person.take_part());
    }
    let all = async {
        while let Some(ended) = tasks.join_next().await {
            ended??;
        }
        anyhow::Ok(())
    };
    tokio::time::timeout(LONGEST, all).await.context("the party does not end")??;
    let spent = target.cpu().zip(before).map(|(now, before)| (now - before).as_secs_f64());
    let seconds = begin.elapsed().as_secs_f64();
    let evening = evening.take();
    ensure!(evening.games > 0, "no games were played");
    let moves = evening.moves as f64;
    let longest = evening.waits.iter().max().map(|wait| wait.as_secs_f64() * 1e3);
    let kib = |bytes: usize| Some(bytes as f64 / 1024.0);
    Ok(vec![
        ("rounds", "rounds", "", Some(evening.rounds as f64)),
        ("games", "games", "", Some(evening.games as f64)),
        ("seconds", "the whole party", "s", Some(seconds)),
        ("longest_wait", "the longest wait for a pairing, 5000 the pause", "ms", longest),
        (
            "us_per_move",
            "processor time of the party, by moves",
            "us",
            spent.map(|s| 1e6 * s / moves),
        ),
        ("server_ms", "processor time of the party", "ms", spent.map(|s| 1e3 * s)),
        ("screen_kib", "a big screen was told", "KiB", kib(evening.screen_bytes)),
        ("player_kib", "a player was told", "KiB", kib(evening.player_bytes / usize::from(people))),
    ])
}

impl Person {
    /// Makes the party or joins it, and waits for what it is.
    async fn come(
        target: &Target,
        role: PartyRole,
        intent: LobbyIntent,
        evening: &Rc<RefCell<Evening>>,
        script: &Rc<Script>,
    ) -> anyhow::Result<Self> {
        let mut connection = Connection::greeted(target).await?;
        connection.ask_lobby(intent).await?;
        let mut me = None;
        loop {
            match connection.message().await? {
                ServerMessage::Welcome { player, .. } => me = Some(player),
                ServerMessage::Party(snapshot) => {
                    let player = me.context("no welcome")?;
                    let mut entrants = snapshot.entrants.iter();
                    let entrant = entrants.find(|one| one.player == me).map(|one| one.number);
                    return Ok(Self {
                        connection,
                        role,
                        player,
                        party: snapshot.party,
                        entrant,
                        room: None,
                        asked: None,
                        evening: Rc::clone(evening),
                        script: Rc::clone(script),
                    });
                }
                _ => {}
            }
        }
    }

    /// Plays, or looks on, until the party is over.
    async fn take_part(mut self) -> anyhow::Result<()> {
        loop {
            let text = self.connection.text().await?;
            self.evening.borrow_mut().hear(self.role, text.len());
            if UNREAD.iter().any(|start| text.starts_with(start)) {
                continue;
            }
            match read(&text)? {
                ServerMessage::PartyEvents { events, .. } => {
                    for event in events {
                        if let PartyEvent::Ended { .. } = event {
                            return Ok(());
                        }
                        self.hear(&event).await?;
                    }
                }
                ServerMessage::Snapshot(snapshot) => {
                    self.room = Some(RoomState::from_snapshot(&snapshot)?);
                }
                ServerMessage::Event { room: code, v, event } => {
                    if let Some(room) = self.room.as_mut().filter(|room| room.code == code) {
                        room.apply(v, &event).with_context(|| text.to_string())?;
                    }
                }
                _ => continue,
            }
            self.act().await?;
        }
    }

    async fn hear(&mut self, event: &PartyEvent) -> anyhow::Result<()> {
        match event {
            PartyEvent::Paired { pairings, .. } => {
                let games = pairings.iter().filter(|pairing| pairing.second.is_some());
                if self.role == PartyRole::Screen {
                    let mut evening = self.evening.borrow_mut();
                    evening.rounds += 1;
                    evening.games += games.count() as u64;
                    return Ok(());
                }
                let waited = self.evening.borrow().decided_at.map(|at| at.elapsed());
                self.evening.borrow_mut().waits.extend(waited);
                let mut mine = games.filter(|pairing| {
                    pairing.entrants().any(|entrant| Some(entrant) == self.entrant)
                });
                if let Some(pairing) = mine.next() {
                    let ready = PartyIntent::Ready { pairing: pairing.number };
                    self.connection.ask_party(self.party, ready).await?;
                }
            }
            PartyEvent::Decided { .. } if self.role == PartyRole::Screen => {
                self.evening.borrow_mut().decided_at = Some(Instant::now());
            }
            _ => {}
        }
        Ok(())
    }

    /// Moves or resigns, if it is this person's turn to.
    async fn act(&mut self) -> anyhow::Result<()> {
        let Some(room) = &self.room else { return Ok(()) };
        let Some(running) = room.running() else { return Ok(()) };
        let code = room.code;
        let game = running.number;
        let ply = running.game.ply();
        let mark = room.marks_of(self.player).next();
        let intent = match self.script.cell(ply).filter(|_| ply < PLIES) {
            Some(cell) if mark.is_some() && room.turn() == mark => {
                RoomIntent::Play { game, ply, cell }
            }
            None if mark == Some(Mark::X) => RoomIntent::Resign { game },
            _ => return Ok(()),
        };
        if self.asked.as_ref() == Some(&intent) {
            return Ok(());
        }
        if let RoomIntent::Play { .. } = intent {
            self.evening.borrow_mut().moves += 1;
        }
        self.asked = Some(intent.clone());
        self.connection.ask_room(code, intent).await
    }
}
