//! The writes of the journal. In a cluster the records of the log hold those that change what is kept;
//! the others are a node's own, and have no text.

use noughts_protocol::PlayerId;
use serde::{Deserialize, Serialize};

use super::archive::ended_game::EndedGame;
use super::entry::{EndTime, Entry, NewRoom};
use super::party::store::PartyWrite;
use crate::shard::Shard;

/// A write of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kept: Option<Box<(EndedGame, i64)>>,
        /// When the room ended, if it has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
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
    /// A run of a shard begins: a node has claimed the shard.
    #[serde(skip)]
    Run {
        /// The shard.
        shard: Shard,
        /// The number of the claim's record.
        id: i64,
        /// The time of day, in milliseconds since 1970.
        at: i64,
        /// How long the cluster has run, in milliseconds.
        age: i64,
    },
    /// A run goes on.
    #[serde(skip)]
    Alive {
        /// The shard, whose newest run it is; `None` for the run of a single server.
        shard: Option<Shard>,
        /// The time of day, in milliseconds since 1970.
        at: i64,
        /// How long the server has run, over all its runs, in milliseconds.
        age: i64,
    },
    /// A shard has another owner.
    #[serde(skip)]
    Owner {
        /// The shard.
        shard: Shard,
        /// The name of the node; `None` if nobody owns it.
        node: Option<String>,
        /// The number of the record that says so.
        claim: u64,
    },
    /// The secret of the cluster, with which nodes sign tokens.
    #[serde(skip)]
    Secret([u8; 32]),
    /// All records of the log up to this one are done.
    #[serde(skip)]
    Applied(u64),
    /// Delete a few of the rooms and of the kept games that ended before the server had reached some
    /// age.
    #[serde(skip)]
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
    #[serde(skip)]
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
            Self::Run { .. }
            | Self::Alive { .. }
            | Self::Owner { .. }
            | Self::Secret(_)
            | Self::Applied(_)
            | Self::Prune { .. }
            | Self::Forget { .. }
            | Self::Scrub { .. } => None,
        }
    }

    /// The shard that it belongs to; `None` for what belongs to none.
    #[must_use]
    pub const fn shard(&self) -> Option<Shard> {
        match self.subject() {
            Some(Subject::Room(number) | Subject::Party(number)) => Some(Shard::of_number(number)),
            None => None,
        }
    }

    /// The number of the room or party that it makes, if it makes one.
    pub(super) const fn new_number(&self) -> Option<i64> {
        match self {
            Self::Create { room, .. } => Some(*room),
            Self::Party { party, write: PartyWrite::Create { .. } } => Some(*party),
            _ => None,
        }
    }

    /// Whether it makes a room or a party.
    pub(super) const fn makes_one(&self) -> bool {
        self.new_number().is_some()
    }

    /// Whether it may take as long as hundreds of moves.
    pub(super) const fn is_long(&self) -> bool {
        matches!(self, Self::Prune { .. } | Self::Forget { .. } | Self::Scrub { .. })
    }
}
