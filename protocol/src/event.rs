//! The events of a room, and the snapshot of all events so far. [`crate::room::RoomState`] applies
//! them.

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Mark};
use crate::game::GameResult;
use crate::id::RoomCode;
use crate::opening::OpeningPhase;
use crate::room::{ByMark, Presence, Score, Seat};
use crate::settings::RoomSettings;

/// The whole state of a room for one viewer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Snapshot {
    /// The room's code.
    pub room: RoomCode,
    /// The version of this state.
    pub v: u64,
    /// The room's settings.
    pub settings: RoomSettings,
    /// Who sits where.
    pub seats: ByMark<Seat>,
    /// The score.
    pub score: Score,
    /// The running game, or else the last one.
    pub game: Option<GameRecord>,
    /// Who wants a rematch.
    pub offers: ByMark<bool>,
    /// The marks the viewer plays; empty for a spectator.
    pub you: Vec<Mark>,
    /// Connections without a seat.
    pub spectators: u32,
    /// Milliseconds left for the move, if there is a limit.
    pub move_ms_left: Option<u32>,
}

/// A game and all its moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// 1 for the room's first game.
    pub number: u32,
    /// The mark that moved first.
    pub first: Mark,
    /// The cells played, in order.
    pub moves: Vec<Cell>,
    /// The result, if the game has ended.
    pub result: Option<GameResult>,
    /// The phase of the swap2 opening, until it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningPhase>,
}

/// An event of a room.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A seat was taken or given up, or its player has another name now.
    Seated {
        /// The seat.
        mark: Mark,
        /// Who sits there now.
        seat: Seat,
    },
    /// A seated player went away, came back, or has been away too long.
    Presence {
        /// The player's seat.
        mark: Mark,
        /// The presence now.
        presence: Presence,
    },
    /// A game began on an empty board. Rematch offers end, and the move clock starts.
    GameStarted {
        /// The game's number.
        game: u32,
        /// The mark that moves first.
        first: Mark,
        /// The score so far; zero with a new opponent.
        score: Score,
    },
    /// A mark was placed. The move clock restarts.
    Moved {
        /// The game's number.
        game: u32,
        /// The number of marks before it.
        ply: u16,
        /// The mark.
        mark: Mark,
        /// The cell of the mark.
        cell: Cell,
    },
    /// A swap2 opening entered another phase. The move clock restarts.
    Opening {
        /// The game's number.
        game: u32,
        /// The phase.
        phase: OpeningPhase,
        /// Whether the choice exchanged the seats, and with them the score.
        swapped: bool,
    },
    /// The game ended.
    GameOver {
        /// The game's number.
        game: u32,
        /// The result.
        result: GameResult,
        /// The score after this game.
        score: Score,
    },
    /// A rematch was offered, or the offer was taken back.
    Rematch {
        /// The seat that offers.
        mark: Mark,
        /// Whether the offer stands.
        offered: bool,
    },
    /// The room has ended. No event comes after this one.
    Closed {
        /// The reason.
        reason: CloseReason,
    },
}

/// Why a room ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// All players have left.
    Left,
    /// Nothing happened for too long.
    Idle,
}
