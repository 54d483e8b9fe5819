//! What the server teaches: a hint for a move, the review of a game, the running evaluation.
//! How it comes to know is the server's; when it says so is in `protocol/README.md`.

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Mark};
use crate::id::RoomCode;
use crate::line::WinningLine;
use crate::text::DisplayText;

/// The best moves in a position, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hint {
    /// Which room.
    pub room: RoomCode,
    /// Which game of the room.
    pub game: u32,
    /// The number of marks on the board it is meant for.
    pub ply: u16,
    /// The cells to choose from, each as good as the other: at least one.
    pub cells: Vec<Cell>,
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
    /// It is the best that was found.
    Best,
    /// A reason that this version does not know; never sent.
    #[serde(other)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Unknown,
}

/// What a position is worth to one of the players, with best play of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Worth {
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
    /// None was better.
    Best,
    /// Others were quicker or promised more, but it gave nothing away.
    Fine,
    /// It worsened what the position was worth.
    Mistake,
    /// It was placed in a swap2 opening, which seeks a balance and not the best move: not judged.
    Opening,
}

/// A move of a reviewed game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewedMove {
    /// The number of marks before it.
    pub ply: u16,
    /// Where.
    pub cell: Cell,
    /// How good it was.
    pub verdict: Verdict,
    /// What the position was worth to whoever made the move, before it.
    pub before: Worth,
    /// And after it.
    pub after: Worth,
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
    /// Whether every worth after the opening is proven, and so every verdict exact.
    pub proven: bool,
    /// Every move in order.
    pub moves: Vec<ReviewedMove>,
}

/// How a game stands, for those who watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evaluation {
    /// Which room.
    pub room: RoomCode,
    /// Which game of the room.
    pub game: u32,
    /// The number of marks on the board that was judged.
    pub ply: u16,
    /// Who wins with best play of both.
    pub worth: Standing,
}

/// Who wins with best play of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// X does.
    XWins,
    /// Nobody does.
    Drawn,
    /// O does.
    OWins,
    /// Nothing is proven.
    Unclear,
}
