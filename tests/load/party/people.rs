//! One scripted person of a party: what a connection knows, and what it makes of a message.

use anyhow::{Context, bail};
use noughts_protocol::{
    Event, Mark, PartyCode, PartyEvent, PartyPhase, PartyRole, PlayerId, RoomCode, RoomState,
    ServerMessage,
};

/// A connection.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) role: PartyRole,
    pub(super) player: Option<PlayerId>,
    entrant: Option<u16>,
    follows: bool,
    /// The room in which the person is.
    pub(super) room: Option<RoomState>,
    /// Whether the person waits for the pairing of the next round.
    pub(super) awaits_round: bool,
    /// The pairing for which the person is not ready yet.
    pub(super) pairing: Option<u32>,
    /// The connection to bring into the person's own room.
    pub(super) opponent: Option<usize>,
    /// The byes of the round, which are decided without a game.
    byes: Vec<u32>,
    /// Bytes of the texts that came.
    pub(super) bytes: usize,
    intents: u64,
}

/// The meaning of a message for the run.
#[derive(Debug)]
pub(super) enum Heard {
    /// A message that changes nothing for the run.
    Nothing,
    /// The party as it is.
    Party(PartyCode, PartyPhase),
    /// Facts of the party.
    Facts(Vec<PartyEvent>),
    /// The person's own room was made.
    MyRoom(RoomCode),
    /// Something happened in the person's room.
    Room,
    /// The game in the person's own room is over.
    GameOver,
}

/// Starts of messages that nobody here needs: reading them would cost this program more than the
/// server.
const UNREAD: [&str; 4] = [
    r#"{"type":"party_presence","#,
    r#"{"type":"presence","#,
    r#"{"type":"boards","#,
    r#"{"type":"chat","#,
];

impl Person {
    pub(super) fn new(role: PartyRole) -> Self {
        Self {
            role,
            player: None,
            entrant: None,
            follows: false,
            room: None,
            awaits_round: false,
            pairing: None,
            opponent: None,
            byes: Vec::new(),
            bytes: 0,
            intents: 0,
        }
    }

    /// Whether the person was told the party.
    pub(super) const fn follows(&self) -> bool {
        self.follows
    }

    /// The number of the next intent.
    pub(super) const fn next_id(&mut self) -> u64 {
        self.intents += 1;
        self.intents
    }

    /// Whether a pairing of this round is played, and no bye.
    pub(super) fn is_game(&self, pairing: u32) -> bool {
        !self.byes.contains(&pairing)
    }

    /// The room, game and ply in which the person plays, and the person's mark there.
    pub(super) fn my_part(&self) -> Option<(RoomCode, u32, u16, Mark)> {
        let (room, player) = (self.room.as_ref()?, self.player?);
        let running = room.running()?;
        let mark = room.marks_of(player).next()?;
        Some((room.code, running.number, running.game.ply(), mark))
    }

    /// Takes in the pairings of a round.
    fn paired(&mut self, event: &PartyEvent) {
        let PartyEvent::Paired { pairings, .. } = event else { return };
        let byes = pairings.iter().filter(|pairing| pairing.second.is_none());
        self.byes = byes.map(|pairing| pairing.number).collect();
        let mine = pairings.iter().find(|pairing| {
            pairing.second.is_some() && pairing.entrants().any(|one| Some(one) == self.entrant)
        });
        self.pairing = mine.map(|pairing| pairing.number);
    }

    /// Takes in a message.
    ///
    /// # Errors
    /// If it is a refusal, or does not fit what the person knows.
    pub(super) fn hear(&mut self, text: &str) -> anyhow::Result<Heard> {
        let skips_facts = self.role == PartyRole::Player || !text.contains(r#""kind":"decided""#);
        let is_fact = text.starts_with(r#"{"type":"party_events","#);
        let wanted = [r#""kind":"paired""#, r#""kind":"ended""#];
        if UNREAD.iter().any(|start| text.starts_with(start))
            || is_fact && skips_facts && !wanted.iter().any(|kind| text.contains(kind))
        {
            return Ok(Heard::Nothing);
        }
        match serde_json::from_str(text).context("failed to read it")? {
            ServerMessage::Welcome { player, .. } => self.player = Some(player),
            ServerMessage::Party(snapshot) => {
                self.follows = true;
                let mine = |one: &&noughts_protocol::Entrant| one.player == self.player;
                self.entrant = snapshot.entrants.iter().find(mine).map(|one| one.number);
                return Ok(Heard::Party(snapshot.party, snapshot.phase));
            }
            ServerMessage::PartyEvents { events, .. } => {
                events.iter().for_each(|event| self.paired(event));
                return Ok(Heard::Facts(events));
            }
            ServerMessage::Snapshot(snapshot) => {
                let state = RoomState::from_snapshot(&snapshot).context("a bad snapshot")?;
                let is_lonely = state.game.is_none() && state.settings.party.is_none();
                let code = state.code;
                self.room = Some(state);
                return Ok(if is_lonely { Heard::MyRoom(code) } else { Heard::Room });
            }
            ServerMessage::Event { room, v, event } => return self.event(room, v, &event),
            ServerMessage::Refused { code, message, .. } => bail!("refused ({code:?}): {message}"),
            _ => {}
        }
        Ok(Heard::Nothing)
    }

    fn event(&mut self, code: RoomCode, v: u64, event: &Event) -> anyhow::Result<Heard> {
        let Some(room) = self.room.as_mut().filter(|room| room.code == code) else {
            return Ok(Heard::Nothing);
        };
        room.apply(v, event).context("it does not follow")?;
        let is_over = matches!(event, Event::GameOver { .. });
        // One of the two tells the end of a game that has no party.
        let player = self.player.filter(|_| room.settings.party.is_none() && is_over);
        let tells = player.is_some_and(|player| room.marks_of(player).any(|mark| mark == Mark::X));
        Ok(if tells { Heard::GameOver } else { Heard::Room })
    }
}
