//! Order and chaos (Stephen Sniderman, 1981): both place either mark. Order, the seat of X, wants five
//! or more of one mark in a row; Chaos, the seat of O, prevents it. The lines are [`super::line`]'s.

use super::{Placement, VariantRules, line};
use crate::board::Mark;
use crate::game::{Game, GameResult};

/// The seat that wins by a line, even by one of the other seat.
const ORDER: Mark = Mark::X;

/// Order wins by a line, Chaos when none can be made any more.
pub(super) struct Order;

impl VariantRules for Order {
    fn boards(&self) -> &'static [&'static str] {
        &["6x6x5"]
    }

    fn marks(&self, _: Mark) -> &'static [Mark] {
        &Mark::BOTH
    }

    fn outcome(&self, game: &Game, placed: Placement) -> Option<GameResult> {
        let lines = line::lines_through(game.board(), placed);
        if !lines.is_empty() {
            return Some(GameResult::Line { winner: ORDER, lines });
        }
        let mut board = game.board().clone();
        board.set(placed.cell, Some(placed.mark));
        // Both may place either mark, so each empty cell can get the one that is missing.
        let left = board.empty_count();
        let can_win = game.rules().any_line_open(&board, left, left);
        (!can_win).then_some(GameResult::Prevented { winner: ORDER.other() })
    }
}
