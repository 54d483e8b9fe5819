//! Exact: a line of exactly five wins, and a longer one does not count (Gomocup's rule 1, the
//! "standard" gomoku). The lines are [`super::line`]'s.

use super::{Placement, VariantRules, WinningLine, line};
use crate::board::{Board, BoardSpec};

/// The length of a line.
const LINE: u8 = 5;

/// Exactly five in a row win.
pub(super) struct Exact;

impl VariantRules for Exact {
    fn boards(&self) -> &'static [&'static str] {
        &["15x15x5", "13x13x5", "19x19x5", "9x9x5"]
    }

    fn admits(&self, board: BoardSpec) -> bool {
        board.line() == LINE && board.width().min(board.height()) >= LINE
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn lines(&self, board: &Board, placed: Placement) -> Vec<WinningLine> {
        let mut lines = line::lines_through(board, placed);
        lines.retain(|line| line.cells.len() == usize::from(LINE));
        lines
    }
}
