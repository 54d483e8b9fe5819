//! The value of a code: what is stored in the bucket of a room or a party.

use std::time::Duration;

use bytes::Bytes;
use noughts_protocol::{PlayerId, RoomCode};
use noughts_store::{FinishedGame, LiveRow};
use serde::{Deserialize, Serialize};

use crate::nodes::NodeId;

/// The beginning of the keys of codes.
pub(crate) const CODES: &str = "code.";

/// A lease of a node. A node that has lost its lease gets another one, and owns nothing of the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Owner {
    pub(crate) node: NodeId,
    pub(crate) lease: u64,
}

/// The stored value of a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Value {
    pub(crate) owner: Owner,
    /// `None` if the room has ended: the value waits for its games to be appended.
    pub(crate) row: Option<LiveRow>,
    /// Games that ended with this change. They are appended to the stream after the value is stored, so
    /// that both happen or neither; the next change leaves them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) games: Vec<FinishedGame>,
}

impl Value {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|error| error.to_string())
    }

    pub(crate) fn encode(&self) -> Bytes {
        // Serialization cannot fail: no map here has keys that are not strings.
        serde_json::to_vec(self).unwrap_or_default().into()
    }

    /// The version; `None` of a room that has ended.
    pub(crate) fn v(&self) -> Option<u64> {
        self.row.as_ref().map(|row| row.v)
    }
}

/// The time that a room had left when it was saved; a party has none.
pub(crate) fn time_left(row: &LiveRow) -> Option<Duration> {
    row.until.map(|until| until.saturating_sub(row.saved_at.unwrap_or_default()))
}

/// The key of a code.
pub(crate) fn key(code: RoomCode) -> String {
    format!("{CODES}{code}")
}

/// The code of a key.
pub(crate) fn code_of(key: &str) -> Option<RoomCode> {
    key.strip_prefix(CODES)?.parse().ok()
}

/// Whether a value may name a person. Ids have 16 digits, so that a hit is hardly ever wrong, and a wrong
/// one does no harm.
pub(crate) fn names(value: &[u8], player: PlayerId) -> bool {
    let id = player.to_string();
    value.windows(id.len()).any(|window| window == id.as_bytes())
}
