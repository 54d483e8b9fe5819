//! What `welcome` says about the server: its identity, its limits and its features.

use serde::{Deserialize, Serialize};

use crate::reading::{or_default, or_true};
use crate::text::DisplayText;

/// Which server this is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerInfo {
    /// The name that the host gave the server.
    pub name: DisplayText,
    /// The version of the program.
    pub version: DisplayText,
    /// The page's address for others on the same network, if the server knows one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<DisplayText>,
    /// Whether `url` is the public address that the host has set. Links use it, whatever address this
    /// client uses.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    pub public: bool,
}

/// The limits of a server, so that clients can stay below them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Limits {
    /// The longest frame it reads, in bytes.
    pub frame_bytes: u32,
    /// Intents that a connection may send at once.
    pub intent_burst: u32,
    /// Intents a second that it may send after that.
    pub intents_per_second: u32,
    /// Rooms with an open seat that one player may have at once.
    pub waiting_rooms: u32,
    /// Rooms at once that one player may have made; 0 if the server does not tell.
    #[serde(default, deserialize_with = "or_default")]
    pub rooms: u32,
    /// Rooms that one player may make in a minute; 0 if the server does not tell.
    #[serde(default, deserialize_with = "or_default")]
    pub rooms_per_minute: u32,
    /// Milliseconds of absence after which the opponent may claim the game.
    pub absence_ms: u32,
}

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
}

impl Default for Features {
    fn default() -> Self {
        Self { spectators: true, listing: true, quick_match: true }
    }
}

impl Features {
    /// Whether nothing is switched off.
    #[must_use]
    pub fn are_all_on(&self) -> bool {
        *self == Self::default()
    }
}
