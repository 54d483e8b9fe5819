//! The questions that nodes ask each other besides the requests of stand-ins, and their answers.

use noughts_protocol::RoomCode;
use serde::{Deserialize, Serialize};

/// A question of one node to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Question {
    /// Whether a code is that of a room or a party.
    HasCode(RoomCode),
}

/// An answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    /// Yes or no.
    Yes(bool),
}

impl Question {
    /// Its size in bytes, about.
    pub(super) const fn size(&self) -> usize {
        64
    }
}

impl Answer {
    /// Its size in bytes, about.
    pub(super) const fn size(&self) -> usize {
        64
    }
}
