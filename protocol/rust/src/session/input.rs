//! The inputs of a session.

use std::fmt;

use noughts_protocol::{
    DisplayText, Features, Limits, LobbyIntent, PartyIntent, PlayerId, PlayerName, PlayerToken,
    RoomIntent, ServerInfo, ServerMessage,
};

/// Something that a session takes in.
#[derive(Debug)]
pub enum Input {
    /// The connection reports something.
    Connection(ConnectionEvent),
    /// The player asks for something.
    Asked(Intent),
    /// The session's deadline has come.
    Time,
}

/// An event of the connection.
#[derive(Debug)]
pub enum ConnectionEvent {
    /// The server has answered `hello`, for the first time or after a break.
    Welcome(Box<Welcome>),
    /// Any other message of the server.
    Message(Box<ServerMessage>),
    /// The connection broke. It connects again.
    Lost(DisplayText),
    /// The server wants a password, or another one. This is the last event: open a new connection
    /// with the password.
    PasswordWanted(DisplayText),
    /// The connection has ended and does not connect again. This is the last event.
    Ended(End),
}

impl ConnectionEvent {
    /// Whether no event follows this one.
    #[must_use]
    pub const fn is_last(&self) -> bool {
        matches!(self, Self::PasswordWanted(_) | Self::Ended(_))
    }
}

/// Why a connection has ended for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Says to people why it ended.
    pub reason: DisplayText,
    /// A remedy, if there is one. A program with options of its own names them.
    pub remedy: Option<Remedy>,
}

/// A way to mend the end of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// To trust the certificate that the reason speaks of.
    Trust,
    /// To connect again.
    Reconnect,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.reason, f)?;
        match self.remedy {
            Some(Remedy::Trust) => f.write_str(", and give it to `Trust::with_file`"),
            Some(Remedy::Reconnect) => f.write_str(": connect again"),
            None => Ok(()),
        }
    }
}

impl<T: Into<DisplayText>> From<T> for End {
    fn from(reason: T) -> Self {
        Self { reason: reason.into(), remedy: None }
    }
}

/// The answer to `hello`.
#[derive(Debug, Clone)]
pub struct Welcome {
    /// The player's public id.
    pub player: PlayerId,
    /// The player's name.
    pub name: PlayerName,
    /// Whether the host has given the player this name in place of the one that they want.
    pub is_given: bool,
    /// The token to keep.
    pub token: PlayerToken,
    /// The server's name, version and address.
    pub server: ServerInfo,
    /// The server's limits.
    pub limits: Limits,
    /// The features that are on.
    pub features: Features,
}

impl Welcome {
    /// The welcome of a message; `None` if it is another one. Its name counts as the wanted one.
    #[must_use]
    pub fn of(message: ServerMessage) -> Option<Self> {
        match message {
            ServerMessage::Welcome { player, name, token, server, limits, features, .. } => {
                let is_given = false;
                Some(Self { player, name, is_given, token, server, limits, features })
            }
            _ => None,
        }
    }
}

/// An intent of the player. The session gives it its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    /// An intent for the lobby.
    Lobby(LobbyIntent),
    /// An intent for the room that the player is in.
    Room(RoomIntent),
    /// An intent for the party that the player follows.
    Party(PartyIntent),
}

impl From<LobbyIntent> for Intent {
    fn from(intent: LobbyIntent) -> Self {
        Self::Lobby(intent)
    }
}

impl From<RoomIntent> for Intent {
    fn from(intent: RoomIntent) -> Self {
        Self::Room(intent)
    }
}

impl From<PartyIntent> for Intent {
    fn from(intent: PartyIntent) -> Self {
        Self::Party(intent)
    }
}
