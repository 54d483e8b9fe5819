//! The writes of the journal.

use noughts_protocol::PlayerId;

use super::archive::ended_game::EndedGame;
use super::entry::{EndTime, Entry, NewRoom};
use super::party::store::PartyWrite;

/// A write of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// A new room and its first facts.
    Create {
        /// The room's number.
        room: i64,
        /// The part of the room that is no fact.
        new: NewRoom,
        /// When it was made, in milliseconds since 1970.
        made: i64,
        /// The first facts.
        entries: Vec<Entry>,
    },
    /// Further facts of a room.
    Append {
        /// The room's number.
        room: i64,
        /// The facts.
        entries: Vec<Entry>,
        /// The game that ends with these facts, for the archive, and how long the server has run by
        /// now, over all its runs, in milliseconds.
        kept: Option<Box<(EndedGame, i64)>>,
        /// When the room ended, if it has.
        ended: Option<EndTime>,
    },
    /// Something of a party.
    Party {
        /// The party's number.
        party: i64,
        /// The change.
        write: PartyWrite,
    },
    /// Whether a room is empty.
    Vacant {
        /// The room's number.
        room: i64,
        /// The run of the server in which that is so.
        run: i64,
        /// Since when, in milliseconds since 1970; `None` if somebody is in the room.
        since: Option<i64>,
    },
    /// A run goes on.
    Alive {
        /// The time of day, in milliseconds since 1970.
        at: i64,
        /// How long the server has run, over all its runs, in milliseconds.
        age: i64,
    },
    /// Delete a few of the rooms and of the kept games that ended before the server had reached some
    /// age.
    Prune {
        /// The age, in milliseconds.
        before: i64,
        /// How many rooms at most, and eight times as many games.
        most: u32,
    },
    /// Forget a person.
    Forget {
        /// The person.
        player: PlayerId,
        /// The time of day, in milliseconds since 1970.
        at: i64,
    },
    /// Remove the names of forgotten people from a few kept games and ended rooms.
    Scrub {
        /// How many rooms at most, and eight times as many games.
        most: u32,
    },
}

/// The room or the party that a write is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    Room(i64),
    Party(i64),
}

impl Write {
    /// The room or the party that it writes to, if there is one.
    pub(super) const fn subject(&self) -> Option<Subject> {
        match self {
            Self::Create { room, .. } | Self::Append { room, .. } | Self::Vacant { room, .. } => {
                Some(Subject::Room(*room))
            }
            Self::Party { party, .. } => Some(Subject::Party(*party)),
            Self::Alive { .. } | Self::Prune { .. } | Self::Forget { .. } | Self::Scrub { .. } => {
                None
            }
        }
    }

    /// Whether it makes a room or a party.
    pub(super) const fn makes_one(&self) -> bool {
        matches!(self, Self::Create { .. } | Self::Party { write: PartyWrite::Create { .. }, .. })
    }

    /// Whether it may take as long as hundreds of moves.
    pub(super) const fn is_long(&self) -> bool {
        matches!(self, Self::Prune { .. } | Self::Forget { .. } | Self::Scrub { .. })
    }
}
