//! Draws at the root of a search in which each side need only block: quicker to prove than by
//! looking for the wins of both.

use noughts_protocol::{Cell, Mark};

use super::{Found, Search};
use crate::Outcome;
use crate::breaker::Breaker;
use crate::threats::Budget;

/// They may take this part of the time that is left, where there is something else to search.
const PART: f64 = 0.5;
/// Without a time limit they may take so many positions.
const POSITIONS: u32 = 10_000;

impl Search<'_> {
    /// The moves after which neither side can win if the other only blocks, and the draw that is
    /// then proven; no moves where it is not. `only`: nothing else will be searched.
    pub(super) fn draws_by_blocking(&self, only: bool) -> Found {
        let end = self.deadline.end_of_part(PART).filter(|_| !only);
        let moves = if self.deadline.is_limited() { u32::MAX } else { POSITIONS };
        let mut budget = Budget { moves, deadline: self.deadline, end };
        let cells = self.blocking_cells(&mut budget);
        let outcome = cells.as_ref().map(|_| Outcome::Draw);
        Found { moves: cells.unwrap_or_default(), outcome, nodes: (moves - budget.moves).into() }
    }

    fn blocking_cells(&self, budget: &mut Budget<'_>) -> Option<Vec<Cell>> {
        let mut breaker = Breaker::new(self.position.geometry)?;
        let (game, mark) = (self.game, self.game.to_move());
        let of = |mark: Mark| {
            let cells =
                game.spec().all_cells().filter(|cell| game.board().get(*cell) == Some(mark));
            cells.fold(0, |set, cell| set | 1 << cell.0)
        };
        let (own, other): (u64, u64) = (of(mark), of(mark.other()));
        breaker.holds(own, other, true, budget)?.then_some(())?;
        let mut cells: Vec<Cell> = game.board().empty_cells().collect();
        // Whoever is second on an empty board is no better off than the first, so it cannot win
        // either, whatever mark there is more.
        if own | other != 0 {
            let mut holds = |cell: &Cell| breaker.holds(other, own | 1 << cell.0, true, budget);
            cells.retain(|cell| holds(cell) == Some(true));
        }
        (!cells.is_empty()).then_some(cells)
    }
}
