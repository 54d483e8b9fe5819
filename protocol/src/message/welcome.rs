//! What `welcome` says of the server: which one it is, what it allows, and what its host has
//! switched off.

use serde::{Deserialize, Serialize};

use crate::reading::{or_default, or_true};
use crate::text::DisplayText;

/// Which server this is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerInfo {
    /// The name its host gave it.
    pub name: DisplayText,
    /// The version of the program.
    pub version: DisplayText,
    /// The address at which others on the same network reach its page, where it knows one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<DisplayText>,
    /// Whether that address is for everybody, as the server's host says: links lead there,
    /// however this client came.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    pub public: bool,
}

/// What a server allows; numbers of its configuration, for clients that pace themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Limits {
    /// The longest frame it reads, in bytes.
    pub frame_bytes: u32,
    /// Intents at once.
    pub intent_burst: u32,
    /// Intents a second after that.
    pub intents_per_second: u32,
    /// Rooms with an open seat that one player may keep.
    pub waiting_rooms: u32,
    /// Rooms at once that one player may have made; 0 from a server that does not say.
    #[serde(default, deserialize_with = "or_default")]
    pub rooms: u32,
    /// Rooms that one player may make in a minute; 0 from a server that does not say.
    #[serde(default, deserialize_with = "or_default")]
    pub rooms_per_minute: u32,
    /// Milliseconds after which the opponent of somebody away may claim.
    pub absence_ms: u32,
}

/// What a server's host may switch off, so that clients do not offer it. What is left out is on.
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
    /// Whether strangers are paired.
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
