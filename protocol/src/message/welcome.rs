//! The server's identity and its limits, as `welcome` tells them.

use serde::{Deserialize, Serialize};

use crate::reading::{is_default, or_default};
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
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = false)))]
    pub public: bool,
    /// Addresses of the other servers of this cluster, where the same rooms are: a client goes on at the
    /// next of them when its server does not answer. Left out where there are none.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = [])))]
    pub nodes: Vec<DisplayText>,
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
