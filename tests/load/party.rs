//! `noughts-load --party N`: scripted people play one party from joining to podium, with big screens and
//! onlookers; then the same people play as many games of the same length without a party.
//!
//! Everybody says `ready` when the last of them has the pairing, so that what a pairing costs can be
//! told from what the games cost.

mod people;
mod report;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use noughts_protocol::{
    ByMark, ClientMessage, IntentId, LobbyIntent, Mark, PartyCode, PartyEvent, PartyIntent,
    PartyPhase, PartyRole, PartySettings, RoomCode, RoomSettings, SeatRequest,
};

use crate::args::{Args, PartyLoad};
use crate::messages;
use crate::process::Process;
use crate::progress::Progress;
use crate::script::Script;
use crate::socket::{Id, SocketEvent, Sockets};
use crate::target::Target;
use people::{Heard, Person};
pub(crate) use report::PartyReport;
use report::{Cost, Pairings};

/// Connections that are opened at the same time.
const AT_ONCE: usize = 64;

/// The longest wait for sockets before the loop reads the clock.
const POLL_TIME: Duration = Duration::from_millis(5);

/// The server's time is read so long after the end of a round, while nothing is to be done.
const REST: Duration = Duration::from_secs(2);

/// A run.
struct Party<'a> {
    load: &'a PartyLoad,
    patience: Duration,
    sockets: Sockets,
    script: Script,
    process: Option<Process>,
    progress: Progress,
    /// By socket.
    people: Vec<Person>,
    code: Option<PartyCode>,
    is_over: bool,
    /// People who have not yet the pairing of the round.
    unpaired: usize,
    /// When the last game of a round ended, as the first screen was told.
    round_ended: Option<Instant>,
    /// The server's processor time, read while it rested before a round.
    rested: Option<Duration>,
    pairings: Pairings,
    /// Games of the round that have not ended.
    running: usize,
    played: Cost,
    round_began: Instant,
}

/// Plays the party and the games without one.
///
/// # Errors
/// If a connection is lost, something is refused, or nothing goes on for longer than the patience.
pub(crate) fn run(args: &Args) -> anyhow::Result<PartyReport> {
    let target = Target::new(args)?;
    let load = &args.party;
    let people = load.party.context("--party says how many")?;
    let settings =
        PartySettings { format: load.format, rounds: load.rounds, ..PartySettings::default() };
    let mut party = Party::new(args, &target)?;
    party.gather(people, settings)?;
    let (before, own) = (party.cpu(), Process(std::process::id()).cpu());
    let begin = Instant::now();
    party.play()?;
    let whole = (begin.elapsed(), spent(party.cpu(), before));
    let own = spent(Process(std::process::id()).cpu(), own);
    let rounds = party.pairings.rounds.max(1);
    let games = party.pairings.games.div_ceil(rounds);
    let alone = party.play_alone(usize::try_from(games)?, rounds)?;
    Ok(PartyReport::new(
        load.clone(),
        &party.people,
        party.pairings,
        party.played,
        whole,
        own,
        alone,
    ))
}

fn spent(after: Option<Duration>, before: Option<Duration>) -> Option<Duration> {
    Some(after?.saturating_sub(before?))
}

impl<'a> Party<'a> {
    fn new(args: &'a Args, target: &Target) -> anyhow::Result<Self> {
        Ok(Self {
            load: &args.party,
            patience: args.patience,
            sockets: Sockets::new(target.address, args.other_server.clone())?,
            script: Script::new(PartySettings::BOARD),
            process: target.processes.first().copied(),
            progress: Progress::new(),
            people: Vec::new(),
            code: None,
            is_over: false,
            unpaired: 0,
            round_ended: None,
            rested: None,
            pairings: Pairings::default(),
            running: 0,
            played: Cost::default(),
            round_began: Instant::now(),
        })
    }

    /// The server's processor time so far.
    fn cpu(&self) -> Option<Duration> {
        self.process.and_then(exact_cpu)
    }

    /// Opens all connections: the host first, who makes the party, then everybody else.
    fn gather(&mut self, people: u16, settings: PartySettings) -> anyhow::Result<()> {
        let name = "The load".parse().context("failed to make a name")?;
        self.open(PartyRole::Player)?;
        self.until("greeting", |party| party.people.iter().all(|one| one.player.is_some()))?;
        self.ask_lobby(0, LobbyIntent::CreateParty { name, settings, plays: true });
        self.until("making the party", |party| party.code.is_some())?;
        let player = (1..people).map(|_| PartyRole::Player);
        let screen = (0..self.load.screens.max(1)).map(|_| PartyRole::Screen);
        let onlooker = (0..self.load.onlookers).map(|_| PartyRole::Spectator);
        let mut coming: VecDeque<PartyRole> = player.chain(screen).chain(onlooker).collect();
        while !coming.is_empty() {
            let more = coming.len().min(AT_ONCE);
            for role in coming.drain(..more) {
                self.open(role)?;
            }
            self.until("gathering", |party| party.people.iter().all(Person::follows))?;
        }
        Ok(())
    }

    fn open(&mut self, role: PartyRole) -> anyhow::Result<()> {
        let id = self.sockets.open("/ws".to_owned(), false)?;
        if id != self.people.len() {
            bail!("a connection was lost");
        }
        self.people.push(Person::new(role));
        Ok(())
    }

    /// Plays the party to its end.
    fn play(&mut self) -> anyhow::Result<()> {
        for person in &mut self.people {
            person.bytes = 0;
        }
        self.await_round();
        self.rested = self.cpu();
        self.round_ended = Some(Instant::now());
        self.ask_party(0, PartyIntent::StartParty);
        while !self.is_over {
            let round = self.pairings.rounds;
            self.until("a pairing", |party| party.is_over || party.unpaired == 0)?;
            if self.is_over {
                break;
            }
            self.paired();
            self.until("a round", |party| party.is_over || party.pairings.rounds > round)?;
            if !self.is_over {
                self.rest()?;
            }
        }
        Ok(())
    }

    /// Everybody has the pairing: the server's time is read, and all are ready.
    fn paired(&mut self) {
        let cost = spent(self.cpu(), self.rested.take());
        self.pairings.pairing(self.round_ended.take(), cost);
        self.round_began = Instant::now();
        self.rested = self.cpu();
        for id in 0..self.people.len() {
            if let Some(pairing) = self.people[id].pairing.take() {
                self.ask_party(id, PartyIntent::Ready { pairing });
            }
        }
    }

    /// Waits until the server has nothing to do, and reads its time.
    fn rest(&mut self) -> anyhow::Result<()> {
        let end = Instant::now() + REST;
        self.until("the pause", |party| party.is_over || Instant::now() >= end)?;
        self.rested = self.cpu();
        Ok(())
    }

    /// Everybody who plays waits for the next pairing.
    fn await_round(&mut self) {
        let players = self.people.iter_mut().filter(|one| one.role == PartyRole::Player);
        self.unpaired = players.map(|one| one.awaits_round = true).count();
    }

    /// As many games without a party, in as many rounds.
    fn play_alone(&mut self, games: usize, rounds: u64) -> anyhow::Result<Cost> {
        let mut cost = Cost::default();
        let settings = RoomSettings {
            move_time_ms: Some(PartySettings::MOVE_TIME_MS),
            ..self.script.settings()
        };
        let seats = ByMark { x: SeatRequest::You, o: SeatRequest::Open };
        for _ in 0..rounds {
            let (before, begin) = (self.cpu(), Instant::now());
            self.running = games;
            for pair in 0..games {
                self.people[2 * pair].room = None;
                self.people[2 * pair + 1].room = None;
                self.people[2 * pair].opponent = Some(2 * pair + 1);
                let create = LobbyIntent::Create { settings, seats, shuffle: false };
                self.ask_lobby(2 * pair, create);
            }
            self.until("games without a party", |party| party.running == 0)?;
            cost.add(begin.elapsed(), spent(self.cpu(), before));
            cost.moves += u64::try_from(games)? * u64::from(self.load.plies);
        }
        Ok(cost)
    }

    /// Handles what comes until `done`.
    fn until(&mut self, what: &str, done: impl Fn(&Self) -> bool) -> anyhow::Result<()> {
        let end = Instant::now() + self.patience;
        while !done(self) {
            if Instant::now() > end {
                bail!("{what}: not done in {} s (--patience)", self.patience.as_secs());
            }
            self.sockets.wait(POLL_TIME)?;
            while let Some(id) = self.sockets.next_ready() {
                while let Some(event) = self.sockets.read(id)? {
                    match event {
                        SocketEvent::Open => self.opened(id)?,
                        SocketEvent::Text(text) => {
                            self.people[id].bytes += text.len();
                            let heard = self.people[id].hear(&text);
                            let heard =
                                heard.with_context(|| format!("connection {id}: {text}"))?;
                            self.answer(id, heard)?;
                        }
                    }
                }
            }
            let (rounds, running) = (self.pairings.rounds, self.running);
            self.progress.show(|| format!("{what}: after {rounds} rounds, {running} games run"));
        }
        Ok(())
    }

    fn opened(&mut self, id: Id) -> anyhow::Result<()> {
        let hello = messages::hello(&format!("Person {}", id + 1))?;
        self.sockets.send(id, [hello]);
        if let Some(party) = self.code {
            let role = self.people[id].role;
            self.ask_lobby(id, LobbyIntent::JoinParty { party, role });
        }
        Ok(())
    }

    fn answer(&mut self, id: Id, heard: Heard) -> anyhow::Result<()> {
        match heard {
            Heard::Nothing => {}
            Heard::Party(code, phase) => {
                self.code = Some(code);
                self.is_over |= phase == PartyPhase::Over;
            }
            Heard::Facts(events) => events.iter().for_each(|event| self.fact(id, event)),
            Heard::MyRoom(room) => self.lead_opponent(id, room),
            Heard::Room => self.act(id),
            Heard::GameOver => self.running = self.running.saturating_sub(1),
        }
        Ok(())
    }

    /// Whether this connection is the one that is told the games of the party for all.
    fn is_observer(&self, id: Id) -> bool {
        self.people.iter().position(|one| one.role == PartyRole::Screen) == Some(id)
    }

    fn fact(&mut self, id: Id, event: &PartyEvent) {
        if let PartyEvent::Paired { .. } = event
            && std::mem::take(&mut self.people[id].awaits_round)
        {
            self.unpaired -= 1;
        }
        if !self.is_observer(id) {
            return;
        }
        match event {
            PartyEvent::Paired { pairings, .. } => {
                let games = pairings.iter().filter(|pairing| pairing.second.is_some()).count();
                self.running += games;
                self.pairings.games += games as u64;
            }
            PartyEvent::Decided { pairing, .. } if self.people[id].is_game(*pairing) => {
                self.running = self.running.saturating_sub(1);
                if self.running == 0 {
                    self.round_over();
                }
            }
            PartyEvent::Ended { .. } => self.is_over = true,
            _ => {}
        }
    }

    /// The last game of a round has ended, and the server has told it.
    fn round_over(&mut self) {
        self.pairings.rounds += 1;
        self.round_ended = Some(Instant::now());
        let cost = spent(self.cpu(), self.rested.take());
        self.played.add(self.round_began.elapsed(), cost);
        self.played.moves = self.pairings.games * u64::from(self.load.plies);
        self.await_round();
    }

    /// Brings the opponent into the room that this person has made.
    fn lead_opponent(&mut self, id: Id, room: RoomCode) {
        if let Some(opponent) = self.people[id].opponent.take() {
            let role = noughts_protocol::Role::Player;
            self.ask_lobby(opponent, LobbyIntent::Join { room, role });
        }
    }

    /// Moves or resigns, if it is this person's turn to.
    fn act(&mut self, id: Id) {
        let Some((room, game, ply, mark)) = self.people[id].my_part() else { return };
        let number = self.people[id].next_id();
        let resigns = if number_of(room).is_multiple_of(2) { Mark::X } else { Mark::O };
        let turn = if ply.is_multiple_of(2) { Mark::X } else { Mark::O };
        let text = if ply >= self.load.plies {
            if mark != resigns {
                return;
            }
            messages::resign(number, room, game)
        } else if mark == turn
            && let Some(cell) = self.script.cell(ply)
        {
            messages::play(number, room, game, ply, cell)
        } else {
            return;
        };
        self.sockets.send(id, [text]);
    }

    fn ask_lobby(&mut self, id: Id, intent: LobbyIntent) {
        let number = self.people[id].next_id();
        let message = ClientMessage::Lobby { intent, id: intent_id(number) };
        self.sockets.send(id, [messages::text(&message)]);
    }

    fn ask_party(&mut self, id: Id, intent: PartyIntent) {
        let Some(party) = self.code else { return };
        let number = self.people[id].next_id();
        let message = ClientMessage::Party { intent, id: intent_id(number), party };
        self.sockets.send(id, [messages::text(&message)]);
    }
}

fn intent_id(number: u64) -> IntentId {
    IntentId::try_from(number).unwrap_or_else(|_| unreachable!("a run has fewer intents"))
}

/// A number that differs from room to room.
fn number_of(room: RoomCode) -> u32 {
    room.to_string().bytes().map(u32::from).sum()
}

/// The processor time of the threads that a process has now, to the nanosecond.
fn exact_cpu(Process(id): Process) -> Option<Duration> {
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).ok()?;
    let time = |thread: std::fs::DirEntry| {
        let stat = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        stat.split_whitespace().next()?.parse::<u64>().ok()
    };
    // A thread may end meanwhile.
    Some(Duration::from_nanos(threads.flatten().filter_map(time).sum()))
}
