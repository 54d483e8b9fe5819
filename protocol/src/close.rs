//! Why a connection was closed, and whether to reconnect. Clients decide by the number alone.

/// The close codes of Noughts: codes of RFC 6455 where they fit, and own codes from 4000 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum CloseCode {
    /// Either side is done.
    Done = 1000,
    /// A frame that breaks RFC 6455: not masked, with reserved bits, a close of one byte, a long ping.
    ProtocolError = 1002,
    /// A binary frame; Noughts uses text frames only.
    Unsupported = 1003,
    /// A text that is not UTF-8.
    NotUtf8 = 1007,
    /// A frame over the limit of [`crate::MAX_CLIENT_FRAME`] bytes.
    TooBig = 1009,
    /// An error in the server; the rooms go on.
    Internal = 1011,
    /// The server is stopping or restarting, or the client has to say `hello` again.
    Restart = 1012,
    /// The server does not reach the others of its cluster, and can store nothing.
    TryAgainLater = 1013,
    /// No `hello` within [`crate::HELLO_SECONDS`].
    HelloTimeout = 4000,
    /// Another protocol version.
    ProtocolVersion = 4001,
    /// The outbox was full: the client reads too slowly. Resume with a new connection.
    Slow = 4002,
    /// Nothing came from the peer for [`crate::DEAD_SECONDS`].
    Silent = 4003,
    /// Intents kept coming far over the rate limit.
    Flood = 4004,
    /// Too many frames that were no message of this protocol, or had a wrong password or pass.
    Garbage = 4005,
    /// The host has ended the connection.
    Removed = 4006,
    /// The host keeps the player, or their address, out. A `refused` before it says for how long, and why.
    Banned = 4007,
}

impl CloseCode {
    /// Every code a server may send.
    pub const ALL: [Self; 16] = [
        Self::Done,
        Self::ProtocolError,
        Self::Unsupported,
        Self::NotUtf8,
        Self::TooBig,
        Self::Internal,
        Self::Restart,
        Self::TryAgainLater,
        Self::HelloTimeout,
        Self::ProtocolVersion,
        Self::Slow,
        Self::Silent,
        Self::Flood,
        Self::Garbage,
        Self::Removed,
        Self::Banned,
    ];

    /// The number on the wire.
    #[must_use]
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The code with this number, if Noughts uses it.
    #[must_use]
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.number() == number)
    }

    /// Whether a client should reconnect, with back-off. It should also reconnect after any other
    /// number, and after a connection that broke without a code.
    #[must_use]
    pub const fn reconnect(self) -> bool {
        match self {
            Self::Done
            | Self::Unsupported
            | Self::TooBig
            | Self::ProtocolVersion
            | Self::Flood
            | Self::Garbage
            | Self::Removed
            | Self::Banned => false,
            // A line that damages bytes leads to the first two.
            Self::ProtocolError
            | Self::NotUtf8
            | Self::Internal
            | Self::Restart
            | Self::TryAgainLater
            | Self::HelloTimeout
            | Self::Slow
            | Self::Silent => true,
        }
    }

    /// The reason for people, also in the close frame: at most 123 bytes (RFC 6455 §5.5).
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Done => "goodbye",
            Self::Unsupported => "binary frames are not understood: send JSON as text",
            Self::ProtocolError => "that frame breaks the WebSocket protocol",
            Self::NotUtf8 => "that text was not UTF-8",
            Self::TooBig => "that frame was too long",
            Self::Internal => "the server made a mistake: please try again",
            Self::Restart => "the server restarts, or asks you to connect again",
            Self::TryAgainLater => "this server cannot store anything just now",
            Self::HelloTimeout => "no hello came in time",
            Self::ProtocolVersion => {
                "this server speaks another protocol version: update the client, or the server"
            }
            Self::Slow => "the connection was too slow to follow the game",
            Self::Silent => "nothing was heard from the other side",
            Self::Flood => "too many messages in a short time",
            Self::Garbage => {
                "ten messages were none of this protocol, or had a wrong password or pass"
            }
            Self::Removed => "the host of this server has ended it",
            Self::Banned => "the host of this server keeps you out",
        }
    }
}
