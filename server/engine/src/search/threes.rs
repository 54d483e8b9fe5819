//! Wins by threes at the root of a search: its own, and the opponent's that a move would allow.

use noughts_protocol::Cell;

use super::{Found, Search};
use crate::Outcome;
use crate::threats::{self, Budget, MAX_THREES};

/// They are looked for when the search has gone this deep: not before there is something to play,
/// and early, for what they rule out need not be searched.
pub(super) const AFTER: u32 = 2;
/// They may take this part of the time that is left.
const PART: f64 = 0.2;
/// Without a time limit they may take so many moves.
const MOVES: u32 = 30_000;

impl Search<'_> {
    /// A win by fours and threes, the shortest that is found. Moves of the root after which the
    /// opponent has one are ruled out, as long as others are left.
    pub(super) fn win_by_threes(&mut self, root: &mut Vec<(i32, u16)>) -> Option<Found> {
        let end = self.deadline.end_of_part(PART);
        let moves = if end.is_some() { u32::MAX } else { MOVES };
        let mut budget = Budget { moves, deadline: self.deadline, end };
        for moves in 1..=MAX_THREES {
            if let Some(cell) = threats::win_by_threes(&mut self.position, &mut budget, moves) {
                let outcome = Some(Outcome::Win);
                return Some(Found { moves: vec![Cell(cell)], outcome, nodes: self.nodes });
            }
            let mut holds = root.clone();
            holds.retain(|(_, cell)| {
                self.position.place(*cell);
                let reply = threats::win_by_threes(&mut self.position, &mut budget, moves);
                self.position.take_back(*cell);
                reply.is_none()
            });
            if holds.is_empty() || budget.moves == 0 {
                break;
            }
            *root = holds;
        }
        None
    }
}
