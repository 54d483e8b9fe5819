//! What a connection reports to the program.

use noughts_protocol::{
    ClientMessage, DisplayText, Features, Limits, PlayerId, PlayerName, PlayerToken, Refusal,
    RoomCode, ServerInfo, ServerMessage,
};

/// The answer to `hello`.
#[derive(Debug, Clone)]
pub struct Welcome {
    /// The player's public id.
    pub player: PlayerId,
    /// The player's name.
    pub name: PlayerName,
    /// The token to keep.
    pub token: PlayerToken,
    /// The server's name, version and address.
    pub server: ServerInfo,
    /// The server's limits.
    pub limits: Limits,
    /// What the server's host has left on.
    pub features: Features,
}

/// An event of the connection.
#[derive(Debug)]
pub enum ConnectionEvent {
    /// The server has answered `hello`, for the first time or after a break.
    Welcome(Box<Welcome>),
    /// The server has answered an intent.
    Answered {
        /// The intent.
        intent: ClientMessage,
        /// The room it led to, or the refusal.
        answer: Result<Option<RoomCode>, Refusal>,
    },
    /// Any other message of the server.
    Message(ServerMessage),
    /// The connection broke. The task connects again.
    Lost(DisplayText),
    /// After a break, the server refused to let the player back into the room.
    RoomLost {
        /// The room.
        room: RoomCode,
        /// The refusal.
        refusal: Refusal,
    },
    /// The server wants a password, or another one. This is the last event: open a new connection
    /// with the password.
    PasswordWanted(DisplayText),
    /// The connection has ended and the task does not connect again. This is the last event.
    Ended(DisplayText),
}

impl ConnectionEvent {
    /// Whether no event follows this one.
    #[must_use]
    pub const fn is_last(&self) -> bool {
        matches!(self, Self::PasswordWanted(_) | Self::Ended(_))
    }
}
