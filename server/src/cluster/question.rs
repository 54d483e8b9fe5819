//! The questions that nodes ask each other besides the requests of stand-ins, and their answers. What is
//! done for them is the house's.

use std::net::IpAddr;

use noughts_protocol::{
    BoardSpec, PartyCode, PassCode, PlayerId, PlayerName, RefusalCode, RoomCode, RoomSummary,
};
use serde::{Deserialize, Serialize};

use crate::journal::entry::Origin;

/// A question of one node to another. Those that only tell something have no answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Question {
    /// Whether a room or a party has a code.
    Known(RoomCode),
    /// Whether a player is an entrant of a party.
    HasEntrant(PartyCode, PlayerId),
    /// The room or the party that an intent made; no, if there is none.
    Made(Origin),
    /// The player of a pass, which is used up.
    Redeem(PassCode),
    /// To take a forgotten player out of all rooms and parties of the node, and whether that is stored.
    /// The number is that of the connection that asked, which stays open.
    Forget(PlayerId, u64),
    /// Tells that an address has guessed wrong.
    Guessed(Guess, IpAddr),
    /// Tells the listed rooms of a node, and how many more it has.
    Listed(Vec<RoomSummary>, u32),
    /// A player looks for an opponent.
    Seek(Box<Seek>),
    /// Tells that a player looks for an opponent no more.
    GiveUp(Ticket),
    /// Leads a player to the room of a quick match, and whether they still waited.
    Found(Ticket, RoomCode),
}

/// An answer to a question.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    /// Yes or no.
    Yes(bool),
    /// Whether a room or a party has a code.
    Known(Known),
    /// A room.
    Room(RoomCode),
    /// A party.
    Party(PartyCode),
    /// A player.
    Player(PlayerId, PlayerName),
    /// The player waits.
    Waits,
    /// It is refused.
    Refused(RefusalCode, String),
}

/// Whether a room or a party has a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Known {
    Nothing,
    Room,
    Party,
}

/// The kind of a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Guess {
    Token,
    Code,
    Password,
}

/// The number of a wait for an opponent, drawn by the node where the player waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Ticket(pub(crate) u64);

/// A player who looks for an opponent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Seek {
    pub(crate) ticket: Ticket,
    pub(crate) player: PlayerId,
    pub(crate) name: PlayerName,
    pub(crate) address: IpAddr,
    /// The intent.
    pub(crate) origin: Origin,
    pub(crate) board: BoardSpec,
    pub(crate) move_time_ms: Option<u32>,
}

impl Question {
    /// Its size in bytes, about.
    pub(super) const fn size(&self) -> usize {
        match self {
            // Settings, seats and score of a room in JSON.
            Self::Listed(rooms, _) => 64 + 768 * rooms.len(),
            _ => 512,
        }
    }
}

impl Answer {
    /// Its size in bytes, about.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Refused(_, message) => 64 + message.len(),
            _ => 256,
        }
    }
}
