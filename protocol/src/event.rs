//! What happens in a room, and the snapshot that stands for all that has happened.
//! Taking them in is [`crate::room::RoomState`]'s.

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Mark};
use crate::game::GameResult;
use crate::id::RoomCode;
use crate::opening::OpeningPhase;
use crate::room::{ByMark, Presence, Score, Seat};
use crate::settings::RoomSettings;

/// Everything about a room, as one of its viewers sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Snapshot {
    /// The room's code.
    pub room: RoomCode,
    /// The version this describes.
    pub v: u64,
    /// The room's settings.
    pub settings: RoomSettings,
    /// Who sits where.
    pub seats: ByMark<Seat>,
    /// The score.
    pub score: Score,
    /// The game that is running or was played last.
    pub game: Option<GameRecord>,
    /// Who wants a rematch.
    pub offers: ByMark<bool>,
    /// The marks the viewer plays; empty for a spectator.
    pub you: Vec<Mark>,
    /// Connections without a seat.
    pub spectators: u32,
    /// Milliseconds left for the move, where there is a limit.
    pub move_ms_left: Option<u32>,
}

/// A game and all its moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// 1 for the room's first game.
    pub number: u32,
    /// Who moved first.
    pub first: Mark,
    /// The cells played, in order.
    pub moves: Vec<Cell>,
    /// How it ended, if it has.
    pub result: Option<GameResult>,
    /// Where its swap2 opening stands, while that lasts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningPhase>,
}

/// Something that happened in a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A seat was taken or given up, or its player has another name now.
    Seated {
        /// Which seat.
        mark: Mark,
        /// Who sits there now.
        seat: Seat,
    },
    /// A seated player went away, came back, or has been away too long.
    Presence {
        /// Whose seat.
        mark: Mark,
        /// How it is now.
        presence: Presence,
    },
    /// A game began on an empty board; rematch offers are settled; the move clock starts.
    GameStarted {
        /// The game's number.
        game: u32,
        /// Who moves first.
        first: Mark,
        /// The score so far (zero when an opponent is new).
        score: Score,
    },
    /// A mark was placed; the move clock starts anew.
    Moved {
        /// The game's number.
        game: u32,
        /// The number of marks before it.
        ply: u16,
        /// Whose mark.
        mark: Mark,
        /// Where.
        cell: Cell,
    },
    /// A swap2 opening came to another phase; the move clock starts anew.
    Opening {
        /// The game's number.
        game: u32,
        /// The phase.
        phase: OpeningPhase,
        /// Whether the choice exchanged the two seats' occupants, and with them the score.
        swapped: bool,
    },
    /// The game ended.
    GameOver {
        /// The game's number.
        game: u32,
        /// How.
        result: GameResult,
        /// The score with it.
        score: Score,
    },
    /// A rematch was offered or the offer taken back.
    Rematch {
        /// By whom.
        mark: Mark,
        /// Whether it stands.
        offered: bool,
    },
    /// The room has ended; nothing comes after this.
    Closed {
        /// Why.
        reason: CloseReason,
    },
}

/// Why a room ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// Everybody who played has left.
    Left,
    /// Nothing happened for too long.
    Idle,
}
