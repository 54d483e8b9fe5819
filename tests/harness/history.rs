//! The history of one client: what it sent, what the server acknowledged and what it was shown.
//! The checker compares it with what is stored.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use noughts_protocol::{Cell, GameResult, Mark, NumberedGame, PlayerId, RoomState, Seat};

/// Every text that a bot says begins so.
pub const TALK: &str = "It was said by a bot:";

/// A move: game, ply and cell.
pub type Played = (u32, u16, Cell);

/// A number for all facts of a room's state. It is the same in another run of the same seed: codes and
/// the ids of players and games, which the server draws, do not count.
#[must_use]
pub fn digest(state: &RoomState) -> u64 {
    let RoomState { code: _, maker: _, v, settings, seats, score, series, pace, .. } = state;
    let RoomState { clock_stopped, game, closed, .. } = state;
    let game = game.clone().map(|game| NumberedGame { id: None, ..game });
    let labels = [&seats.x, &seats.o].map(Seat::label);
    let mut hasher = DefaultHasher::new();
    format!("{v} {settings:?} {labels:?} {score:?} {series:?} {pace:?} {clock_stopped} {game:?} {closed}")
        .hash(&mut hasher);
    hasher.finish()
}

/// Violations that are kept; the first ones explain the rest.
const MAX_VIOLATIONS: usize = 20;

/// One client's moves and sightings in one room.
#[derive(Debug, Clone, Default)]
pub struct ClientHistory {
    /// Its player id, as the server says.
    pub player: Option<PlayerId>,
    /// The marks it plays.
    pub marks: Vec<Mark>,
    /// Moves it sent.
    pub sent: BTreeSet<Played>,
    /// Moves that the server answered with `ok`, in order.
    pub acknowledged: Vec<Played>,
    /// The moves of each game that it was shown.
    pub shown: BTreeMap<u32, Vec<Cell>>,
    /// The results that it was shown.
    pub results: BTreeMap<u32, GameResult>,
    /// The digest of the state that it was shown at each version.
    pub states: BTreeMap<u64, u64>,
    /// The texts that it said.
    pub said: BTreeSet<String>,
    /// The texts that it heard, and who said them.
    pub heard: BTreeMap<String, PlayerId>,
    /// Connections that broke and dials that failed, counted by reason.
    pub breaks: BTreeMap<String, u32>,
    /// The longest time from a break until the room was back.
    pub longest_outage: Duration,
    /// Intents that were refused, counted by code.
    pub refused: BTreeMap<String, u32>,
    /// Events that must not happen, but did.
    pub violations: Vec<String>,
}

impl ClientHistory {
    /// Records the room as it is shown now.
    pub fn observe(&mut self, state: &RoomState, mine: &[Mark]) {
        if !mine.is_empty() && self.marks.is_empty() {
            self.marks = mine.to_vec();
        }
        if self.marks != mine {
            self.violation(format!("the seat {:?} became {mine:?}", self.marks));
        }
        let before = self.states.insert(state.v, digest(state));
        if before.is_some_and(|before| Some(&before) != self.states.get(&state.v)) {
            self.violation(format!("version {} was another state before: now {state:?}", state.v));
        }
        let Some(numbered) = &state.game else { return };
        let moves = numbered.game.moves();
        let number = numbered.number;
        let shown = self.shown.entry(number).or_default();
        if moves.starts_with(shown) {
            shown.extend_from_slice(&moves[shown.len()..]);
        } else {
            let violation = format!("game {number} was {shown:?} and became {moves:?}");
            self.violation(violation);
        }
        if let Some(result) = numbered.game.result() {
            let before = self.results.insert(number, result.clone());
            if before.is_some_and(|before| before != *result) {
                self.violation(format!("game {number} ended twice"));
            }
        }
    }

    /// Records a violation.
    pub fn violation(&mut self, violation: String) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(violation);
        }
    }
}
