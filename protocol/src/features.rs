//! The features that a server's host may switch off.

use serde::{Deserialize, Serialize};

use crate::reading::or_true;

/// Features that a host may switch off, so that clients do not offer them. A missing field means on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Features {
    /// Whether rooms admit spectators.
    #[serde(deserialize_with = "or_true")]
    pub spectators: bool,
    /// Whether there is a public list of rooms.
    #[serde(deserialize_with = "or_true")]
    pub listing: bool,
    /// Whether there are quick matches of strangers.
    #[serde(deserialize_with = "or_true")]
    pub quick_match: bool,
    /// Whether people may talk in rooms.
    #[serde(deserialize_with = "or_true")]
    pub chat: bool,
    /// Whether games that are over are kept, and with them histories and profiles.
    #[serde(deserialize_with = "or_true")]
    pub history: bool,
    /// Whether quick matches are rated.
    #[serde(deserialize_with = "or_true")]
    pub ratings: bool,
    /// Whether people may make parties.
    #[serde(deserialize_with = "or_true")]
    pub parties: bool,
}

impl Default for Features {
    fn default() -> Self {
        Self::ALL_ON
    }
}

impl Features {
    /// Nothing is switched off.
    pub const ALL_ON: Self = Self {
        spectators: true,
        listing: true,
        quick_match: true,
        chat: true,
        history: true,
        ratings: true,
        parties: true,
    };
}
