//! The changes that can be saved.

use std::time::Duration;

use noughts_protocol::{
    ByMark, Cell, DisplayText, GameId, GameResult, IntentId, Mark, Participant, PartyCode,
    PartySnapshot, PlayerId, RoomCode, RoomSettings,
};
use serde::{Deserialize, Serialize};

use crate::deed::Deed;

/// The intent that made a room or a party. Its repeat is answered by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Origin {
    /// The player who sent the intent.
    pub player: PlayerId,
    /// The intent's id.
    pub id: IntentId,
}

/// A room or a party that has not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveRow {
    /// The version.
    pub v: u64,
    /// The state as the rules write it, in JSON.
    pub state: String,
    /// The running time of the server, over all its runs, at which a room is due if nobody is there; `None`
    /// for a party, which has a task all the time.
    pub until: Option<Duration>,
    /// The intents that made it: one, or two for a quick match.
    pub origins: Vec<Origin>,
    /// The party of which a room is a table.
    pub party: Option<PartyCode>,
    /// The time of a room's save by the clock of its server. A store of one server reads back `None`, because
    /// that clock goes on.
    pub saved_at: Option<Duration>,
}

impl LiveRow {
    /// Whether it is a party.
    #[must_use]
    pub const fn is_party(&self) -> bool {
        self.until.is_none()
    }
}

/// A change of what is stored. The changes of one save are stored together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// A new room or party, its next state, or its end. Stale if another version is stored, or if the code
    /// of a new one is taken: for a party also by a kept one.
    Live {
        /// The code.
        code: RoomCode,
        /// The version that is stored; `None` for a new one.
        expected: Option<u64>,
        /// The row from now on; `None` ends the room or party and frees its code.
        row: Option<LiveRow>,
    },
    /// A party that ends is kept to be looked at. It stands before the end.
    KeptParty(Box<PartySnapshot>),
    /// A game with at least one mark has ended.
    Game(Box<FinishedGame>),
    /// A person asks to be forgotten. Their live rooms and parties are the caller's to change.
    Forget {
        /// The person.
        player: PlayerId,
        /// The time, in milliseconds since 1970.
        at: i64,
    },
    /// A person is not to be shown as connected, or is again. Nothing of one who has ended no game.
    Hide {
        /// The person.
        player: PlayerId,
        /// Whether they hide.
        hidden: bool,
        /// The time, in milliseconds since 1970.
        at: i64,
    },
    /// A host has done something.
    Act(NewAct),
}

/// Something that a host does. The store gives it a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewAct {
    /// The time, in milliseconds since 1970.
    pub at: i64,
    /// The door through which it comes.
    pub by: DisplayText,
    /// The deed itself.
    pub deed: Deed,
}

/// A game that is over. Times are in milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedGame {
    /// The id under which it is kept.
    pub id: GameId,
    /// Its room.
    pub room: RoomCode,
    /// Its number in the room.
    pub number: u32,
    /// The settings of the room.
    pub settings: RoomSettings,
    /// The players, by the sides at the end.
    pub players: ByMark<Participant>,
    /// The mark that moved first.
    pub first: Mark,
    /// The number of marks that the opening placed; 0 without an opening.
    pub opening: u16,
    /// The cells in order.
    pub moves: Vec<Cell>,
    /// The mark of each move; empty in a variant in which each side places its own.
    pub placed: Vec<Mark>,
    /// For each move the milliseconds since the start.
    pub times_ms: Vec<u32>,
    /// When it began.
    pub started: i64,
    /// When it ended.
    pub ended: i64,
    /// The result.
    pub result: GameResult,
    /// Whether it counts for ratings: a quick match between the two who made it, on a server that rates.
    /// A game of somebody who was forgotten is not rated in any case.
    pub rated: bool,
    /// Whether everybody could watch it.
    pub public: bool,
}
