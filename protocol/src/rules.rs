//! The door to the rules of a variant: which placements are legal, what they do to the board, what
//! they lead to, and whether somebody can still win. [`crate::Game`], the engine and the clients ask
//! here and know no variant. Each variant is a file of this folder. Turns are [`crate::Game`]'s, and
//! openings are [`crate::opening`]'s.

use serde::{Deserialize, Serialize};

use crate::board::{Board, BoardSpec, Cell, Mark};
use crate::game::{GameResult, IllegalMove};
use crate::settings::RoomSettings;
pub use line::{Direction, LineKind, WinningLine};

mod line;

/// How a game is won. A new variant is a variant here, a file of this folder, and an arm in each
/// function of [`Rules`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// The player who completes a line wins: tic-tac-toe and its larger relatives.
    #[default]
    Line,
}

impl Variant {
    /// Whether this is the variant that is meant where none is named.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(crate) fn is_line(&self) -> bool {
        *self == Self::Line
    }
}

/// What a game is played by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// How a game is won.
    pub variant: Variant,
    /// The board.
    pub board: BoardSpec,
    /// Whether the game is drawn as soon as nobody can win. Otherwise it is drawn when the board is
    /// full.
    pub early_draw: bool,
}

/// A mark for a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The mark.
    pub mark: Mark,
    /// The cell.
    pub cell: Cell,
}

impl Rules {
    /// The rules of a room.
    #[must_use]
    pub fn of(settings: &RoomSettings) -> Self {
        Self {
            variant: settings.variant,
            board: settings.board,
            early_draw: settings.draws_early(),
        }
    }

    /// Checks whether a mark may be placed. Turns are [`crate::Game::check`]'s.
    ///
    /// # Errors
    /// If the board has no such cell, or the cell is taken.
    pub fn check(&self, board: &Board, cell: Cell) -> Result<(), IllegalMove> {
        match self.variant {
            Variant::Line => line::check(board, cell),
        }
    }

    /// Makes a legal placement.
    pub fn apply(&self, board: &mut Board, placed: Placement) {
        match self.variant {
            Variant::Line => line::apply(board, placed),
        }
    }

    /// The result of a legal placement; `None` if the game goes on. `board` is the board before it.
    #[must_use]
    pub fn outcome(&self, board: &Board, placed: Placement) -> Option<GameResult> {
        match self.variant {
            Variant::Line => line::outcome(board, placed, self.early_draw),
        }
    }

    /// The lines that decide the game if `mark` is placed in the cell: at most one in each direction.
    #[must_use]
    pub fn deciding_lines(&self, board: &Board, placed: Placement) -> Vec<WinningLine> {
        match self.variant {
            Variant::Line => line::lines_through(board, placed),
        }
    }

    /// Whether somebody can still win if `x_left` and `o_left` marks remain to be placed.
    #[must_use]
    pub fn any_line_open(&self, board: &Board, x_left: u16, o_left: u16) -> bool {
        match self.variant {
            Variant::Line => line::any_line_open(board, x_left, o_left),
        }
    }
}
