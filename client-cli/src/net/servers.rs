//! The server of a run, and the servers to choose from. [`crate::net::lan`] finds them.

use std::fmt;

use noughts_client::address::ServerAddress;
use noughts_protocol::{DisplayText, Features, JoinPassword};

/// The server of a run, and what is known about other servers.
#[derive(Debug, Clone, Default)]
pub(crate) struct ServerChoice {
    /// The server to connect to.
    pub(crate) server: ServerAddress,
    /// Whether the player named it, so that no screen asks for it.
    pub(crate) named: bool,
    /// Its password, once it was given or typed. Kept passwords are in the profile.
    pub(crate) password: Option<JoinPassword>,
    /// The features that are on, once the server has told them.
    pub(crate) features: Features,
    /// A sentence about the one server that was found.
    pub(crate) found: Option<String>,
    /// The servers to choose from, where there are several.
    pub(crate) candidates: Vec<KnownServer>,
    /// The servers that were found by a search. Their addresses are not offered again.
    pub(crate) discovered: Vec<ServerAddress>,
}

/// A server to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownServer {
    /// Its address.
    pub(crate) server: ServerAddress,
    /// Its other addresses, the likeliest first.
    pub(crate) elsewhere: Vec<ServerAddress>,
    /// Its name, if it said or announced one.
    pub(crate) name: Option<DisplayText>,
    /// How many public rooms wait for a player, if it announced that.
    pub(crate) waiting: Option<u32>,
    /// Why it is in the list.
    pub(crate) origin: Origin,
}

/// Why a server is in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It announces itself on the network.
    Network,
    /// The player used it before.
    Used,
    /// It may run on this machine.
    Local,
}

impl KnownServer {
    /// A server with only its address.
    pub(crate) const fn new(server: ServerAddress, origin: Origin) -> Self {
        Self { server, elsewhere: Vec::new(), name: None, waiting: None, origin }
    }

    /// The waiting rooms and the origin.
    pub(crate) fn details(&self) -> String {
        let waiting = match self.waiting {
            Some(1) => ", 1 room waiting".to_owned(),
            Some(rooms @ 2..) => format!(", {rooms} rooms waiting"),
            Some(0) | None => String::new(),
        };
        let origin = match self.origin {
            Origin::Network => "",
            Origin::Used => " (used before)",
            Origin::Local => " (this machine)",
        };
        waiting + origin
    }
}

/// Writes name, address and details.
impl fmt::Display for KnownServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_ref().map_or("a server", DisplayText::as_str);
        write!(f, "{name} at {}{}", self.server, self.details())
    }
}
