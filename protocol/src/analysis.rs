//! The server's analysis of games: hints, reviews, evaluations.
//! The engine works them out; `protocol/README.md` says when the server sends them.

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Mark};
use crate::id::RoomCode;
use crate::rules::WinningLine;
use crate::text::DisplayText;

/// The best moves in a position, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hint {
    /// Which room.
    pub room: RoomCode,
    /// Which game of the room.
    pub game: u32,
    /// The number of marks on the board that the hint is for.
    pub ply: u16,
    /// The cells to choose from, at least one. All keep the value; the first one is the one to show.
    pub cells: Vec<Cell>,
    /// The mark to place, where it is not the own one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placed: Option<Mark>,
    /// Why, for programs.
    pub reason: HintReason,
    /// Why, for people: "stops row 2".
    pub message: DisplayText,
}

/// Why a move is the best.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum HintReason {
    /// It completes a line.
    Wins,
    /// It takes the cell on which the opponent would complete these lines.
    Blocks {
        /// The lines, as they would stand on the board.
        lines: Vec<WinningLine>,
    },
    /// It leaves two cells on which a line can be completed, and the opponent has one move.
    DoubleThreat,
    /// Every other move loses.
    OnlyMove,
    /// It leaves the opponent no cell for a double threat.
    Prevents,
    /// The next mark would complete a line or make a double threat.
    Threatens,
    /// It is the best that was found.
    Best,
    /// A reason that this version does not know; never sent.
    #[serde(other)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Unknown,
}

/// How a game ends for one of the players, with best play of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
// The schema keeps the name that generated clients know.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Worth"))]
#[serde(rename_all = "snake_case")]
pub enum GameValue {
    /// The player wins.
    Won,
    /// Nobody wins.
    Drawn,
    /// The opponent wins.
    Lost,
    /// Nothing is proven.
    Unclear,
}

/// What a review says of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No move was better.
    Best,
    /// Other moves win sooner, lose later or promise more, but this one kept the value.
    Fine,
    /// It changed the value for the worse.
    Mistake,
    /// It was placed in a swap2 opening, which aims at a balanced position: not judged.
    Opening,
}

/// A move of a reviewed game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewedMove {
    /// The number of marks before it.
    pub ply: u16,
    /// Where it was played.
    pub cell: Cell,
    /// How good it was.
    pub verdict: Verdict,
    /// The value before the move, for the player who made it.
    pub before: GameValue,
    /// The value after the move, for the same player.
    pub after: GameValue,
    /// A cell that was better; only where the verdict is `mistake`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Cell>,
    /// The mark that was better there, where it is not the own one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_placed: Option<Mark>,
}

/// A game that is over, move by move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Review {
    /// Which room.
    pub room: RoomCode,
    /// Which game of the room.
    pub game: u32,
    /// Who moved first.
    pub first: Mark,
    /// Whether every value after the opening is proven, and so every verdict exact.
    pub proven: bool,
    /// Every move in order.
    pub moves: Vec<ReviewedMove>,
}

/// How a game stands, for spectators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evaluation {
    /// Which room.
    pub room: RoomCode,
    /// Which game of the room.
    pub game: u32,
    /// The number of marks on the board that was evaluated.
    pub ply: u16,
    /// Who wins with best play of both.
    pub worth: Standing,
}

/// Who wins with best play of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// X wins.
    XWins,
    /// Nobody wins.
    Drawn,
    /// O wins.
    OWins,
    /// Nothing is proven.
    Unclear,
}
