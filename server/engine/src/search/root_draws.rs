//! Draws that are proven at the root of a search because each side can block the other: that is
//! quicker than to search for the wins of both.

use noughts_protocol::{Cell, Mark};

use super::{Outcome, Search, SearchResult};
use crate::blocking::BlockingSearch;
use crate::deadline::Budget;

/// The part of the time that is left for these proofs, where there is something else to search.
const PART: f64 = 0.5;
/// The most positions where there is no time limit.
const MAX_POSITIONS: u32 = 10_000;

impl Search<'_> {
    /// The moves after which neither side can win if the other only blocks, and the draw that this
    /// proves; no moves where there is no proof. `only`: nothing else will be searched.
    pub(super) fn draws_by_blocking(&self, only: bool) -> SearchResult {
        let part = if only { 1.0 } else { PART };
        let mut budget = Budget::part(part, MAX_POSITIONS, self.deadline);
        let cells = self.blocking_cells(&mut budget);
        let outcome = cells.as_ref().map(|_| Outcome::Draw);
        let nodes = budget.spent();
        SearchResult { outcome, nodes, ..SearchResult::of_moves(cells.unwrap_or_default()) }
    }

    fn blocking_cells(&self, budget: &mut Budget<'_>) -> Option<Vec<Cell>> {
        let mut blocking = BlockingSearch::new(self.position.geometry)?;
        let game = self.game;
        let mark = self.game.to_move();
        let of = |mark: Mark| {
            let cells =
                game.spec().all_cells().filter(|cell| game.board().get(*cell) == Some(mark));
            cells.fold(0, |set, cell| set | 1 << cell.0)
        };
        let (own, other): (u64, u64) = (of(mark), of(mark.other()));
        blocking.breaker_wins(own, other, true, budget)?.then_some(())?;
        let mut cells: Vec<Cell> = game.board().empty_cells().collect();
        // On an empty board the second player is no better off than the first, and cannot win
        // either, wherever the first mark is.
        if own | other != 0 {
            cells.retain(|cell| {
                let own = own | 1 << cell.0;
                blocking.breaker_wins(other, own, true, budget) == Some(true)
            });
        }
        (!cells.is_empty()).then_some(cells)
    }
}
