//! Wins by threes at the root of a search: the player's own, and those that a move would allow the
//! opponent.

use noughts_protocol::Cell;

use super::threats::{self, MAX_THREES};
use super::{Outcome, Search, SearchResult};
use crate::deadline::Budget;

/// The depth after which the search looks for them: there is a move to play by then, and the moves
/// that they rule out are not searched deeper.
pub(super) const AFTER_DEPTH: u32 = 2;
/// The part of the time that is left for them.
const PART: f64 = 0.2;
/// The most moves where there is no time limit.
const MAX_MOVES: u32 = 30_000;

impl Search<'_> {
    /// The shortest win by fours and threes that is found. Moves of the root that allow the
    /// opponent a win are removed, as long as others are left.
    pub(super) fn win_by_threes(&mut self, root: &mut Vec<(i32, u16)>) -> Option<SearchResult> {
        let mut budget = Budget::part(PART, MAX_MOVES, self.deadline);
        for moves in 1..=MAX_THREES {
            if let Some(cell) = threats::win_by_threes(&mut self.position, &mut budget, moves) {
                let outcome = Some(Outcome::Win);
                let found = SearchResult::of_moves(vec![Cell(cell)]);
                return Some(SearchResult { outcome, nodes: self.nodes, ..found });
            }
            let mut safe = root.clone();
            safe.retain(|(_, cell)| {
                self.position.place(*cell);
                let reply = threats::win_by_threes(&mut self.position, &mut budget, moves);
                self.position.take_back(*cell);
                reply.is_none()
            });
            if safe.is_empty() || budget.is_spent() {
                break;
            }
            *root = safe;
        }
        None
    }
}
