//! Notakto (Bob Koca, 2010): both players place X on 3 × 3 boards side by side. A board with a line
//! is dead, and the player who completes the last board's line loses.

use super::{DecidedBoard, Placement, VariantRules, WinningLine, squares};
use crate::board::{Board, Cell, Mark};
use crate::game::{Game, GameResult, IllegalMove};

/// The player who completes the last board's line loses. One board: the first player wins in the
/// centre (Plambeck and Whitehead, "The secrets of notakto", 2013).
pub(super) struct Notakto;

impl VariantRules for Notakto {
    fn boards(&self) -> &'static [&'static str] {
        &["3x3x3", "6x3x3", "9x3x3", "12x3x3", "15x3x3"]
    }

    fn marks(&self, _: Mark) -> &'static [Mark] {
        &[Mark::X]
    }

    fn check(&self, game: &Game, cell: Cell) -> Result<(), IllegalMove> {
        squares::check_open(game, cell)
    }

    fn lines(&self, board: &Board, placed: Placement) -> Vec<WinningLine> {
        squares::lines(board, placed)
    }

    fn decided(&self, game: &Game, placed: Placement) -> Option<DecidedBoard> {
        let line = self.lines(game.board(), placed).into_iter().next()?;
        let board = squares::of(game.spec(), placed.cell);
        Some(DecidedBoard { board, winner: None, cells: line.cells })
    }

    fn outcome(&self, game: &Game, placed: Placement) -> Option<GameResult> {
        let lines = self.lines(game.board(), placed);
        if lines.is_empty() || squares::open(game) > 1 {
            return None;
        }
        Some(GameResult::Line { winner: game.to_move().other(), lines })
    }
}
