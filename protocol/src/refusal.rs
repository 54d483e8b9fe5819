//! Why an intent was refused: a code for programs and a message for people. The reasons for closing
//! a whole connection are in [`crate::close`].

use serde::{Deserialize, Serialize};

use crate::game::IllegalMove;
use crate::text::DisplayText;

/// Declares [`RefusalCode`] and the list of all codes from one table.
macro_rules! refusal_codes {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The kinds of refusal. New ones may be added: show the message of an unknown one.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum RefusalCode {
            $($(#[$doc])* $name,)*
            /// A code that this version does not know; never sent.
            #[serde(other)]
            #[cfg_attr(feature = "schema", schemars(skip))]
            Unknown,
        }

        impl RefusalCode {
            /// Every code that a server may send.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];
        }
    };
}

refusal_codes! {
    /// The frame was not a message of this protocol.
    BadMessage,
    /// The first message must be `hello`.
    HelloFirst,
    /// `hello` was sent already.
    AlreadyGreeted,
    /// The name cannot be used.
    BadName,
    /// The pass was used, has expired, or never existed.
    BadPass,
    /// The server asks for a password: send `hello` again with it.
    PasswordRequired,
    /// The password is wrong.
    WrongPassword,
    /// The host keeps the player, or their address, out.
    Banned,
    /// The host has switched this off.
    SwitchedOff,
    /// Too many intents in a short time: the intent was not read, send it again later.
    RateLimited,
    /// No room has this code (any more).
    NoSuchRoom,
    /// The connection is not in that room: `join` it first.
    NotInRoom,
    /// Both seats are taken: join as a spectator.
    SeatsTaken,
    /// This room does not admit spectators.
    NoSpectators,
    /// The player needs a seat in the room for this.
    NotSeated,
    /// The board has no such cell.
    NoSuchCell,
    /// The cell has a mark already.
    CellTaken,
    /// The cell is empty, and the variant forbids it for now.
    NotPlayable,
    /// The player may not place this mark.
    WrongMark,
    /// The opponent is to move.
    NotYourTurn,
    /// The intent was meant for another ply or game: look at the board again.
    Stale,
    /// The game has ended.
    GameOver,
    /// No game has begun, or the game must have ended first, or its opening does not allow this now.
    NotNow,
    /// It is too soon: the opponent is not away for long enough, the puzzle has not come, or the person was just asked.
    TooEarly,
    /// This room gives no hints.
    HintsOff,
    /// Nothing, or no text, may be said in this room.
    ChatOff,
    /// No kept game has this id.
    NoSuchGame,
    /// No profile has this id: nobody with it has finished a game, or they are forgotten.
    NoSuchPlayer,
    /// No party has this code (any more).
    NoSuchParty,
    /// This is the code of a party: `join_party`.
    PartyCode,
    /// The connection does not follow that party: `join_party` first.
    NotInParty,
    /// Only the host of the party may do this.
    NotHost,
    /// The settings contradict each other or are out of range.
    BadSettings,
    /// The player or their address has as many rooms as allowed, or has just made as many.
    TooManyRooms,
    /// The server has as many rooms, or the room as many people, as it can hold.
    Full,
    /// The server could not store it, for example because its disk is full: nothing has changed, try
    /// again.
    NotStored,
    /// The server is stopping.
    Stopping,
}

impl RefusalCode {
    /// Whether a client whose `hello` was refused so connects again by itself: it may be welcomed in a moment.
    #[must_use]
    pub const fn reconnect(self) -> bool {
        matches!(self, Self::RateLimited | Self::Full | Self::NotStored | Self::Stopping)
    }
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The reason, for programs.
    pub code: RefusalCode,
    /// The problem and the remedy, for people.
    pub message: DisplayText,
}

impl Refusal {
    /// A refusal with its message.
    #[must_use]
    pub fn new(code: RefusalCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into().into() }
    }
}

impl From<IllegalMove> for Refusal {
    fn from(illegal: IllegalMove) -> Self {
        let code = match illegal {
            IllegalMove::NoSuchCell(_) => RefusalCode::NoSuchCell,
            IllegalMove::CellTaken { .. } => RefusalCode::CellTaken,
            IllegalMove::NotPlayable { .. } => RefusalCode::NotPlayable,
            IllegalMove::WrongMark { .. } => RefusalCode::WrongMark,
            IllegalMove::NotYourTurn { .. } => RefusalCode::NotYourTurn,
            IllegalMove::WrongPly { .. } => RefusalCode::Stale,
            IllegalMove::ChoiceFirst | IllegalMove::LineInOpening => RefusalCode::NotNow,
            IllegalMove::GameOver => RefusalCode::GameOver,
        };
        Self::new(code, illegal.to_string())
    }
}
