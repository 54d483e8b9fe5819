//! The search below the root: the score of a move, to a depth and between bounds.

use super::transposition::{Bound, from_here_to_root, from_root_to_here};
use super::window::{Window, null_window_first};
use super::{Search, WIN, WON, threats};
use crate::blocking::pairing;
use crate::deadline::{Budget, Interrupted};

/// The assumed length of a win by continuous threats, in moves.
const THREATS_LENGTH: i32 = 24;
/// The longest path from the root, forced replies included: bounds the stack.
const MAX_PLY: i32 = 60;
/// In positions with more empty cells than this the search tries only some moves.
pub(super) const FULL_WIDTH: usize = 36;
/// The stored depth of a score that no deeper search changes.
const PROVEN: i16 = i16::MAX;

impl Search<'_> {
    /// The score of a move for the side that makes it.
    pub(super) fn search_move(
        &mut self,
        cell: u16,
        depth: i32,
        window: Window,
        ply: i32,
        first: bool,
    ) -> Result<i32, Interrupted> {
        null_window_first(first, window, |window| self.score_after(cell, depth, window, ply))
    }

    fn score_after(
        &mut self,
        cell: u16,
        depth: i32,
        (alpha, beta): Window,
        ply: i32,
    ) -> Result<i32, Interrupted> {
        self.position.place(cell);
        let score = self.score(depth - 1, (-beta, -alpha), ply + 1);
        self.position.take_back(cell);
        score.map(|score| -score)
    }

    /// The score of the position for the side to move: exact between `alpha` and `beta`, else the
    /// nearer of the two.
    fn score(
        &mut self,
        depth: i32,
        (mut alpha, mut beta): Window,
        ply: i32,
    ) -> Result<i32, Interrupted> {
        self.nodes += 1;
        if self.nodes > self.max_nodes || self.deadline.is_over() {
            return Err(Interrupted);
        }
        let side = self.position.to_move;
        if self.position.winning_cells(side).next().is_some() {
            return Ok((WIN - ply - 1).clamp(alpha, beta));
        }
        let mut threats = self.position.winning_cells(1 - side);
        let forced = threats.next();
        let second = threats.next();
        drop(threats);
        if second.is_some() {
            return Ok((ply + 2 - WIN).clamp(alpha, beta));
        }
        if self.cannot_win(side) {
            beta = beta.min(0);
        }
        if self.cannot_win(1 - side) {
            alpha = alpha.max(0);
        }
        if alpha >= beta || self.position.empty == 0 {
            return Ok(0);
        }
        match forced {
            _ if ply >= MAX_PLY => Ok(self.evaluate().clamp(alpha, beta)),
            Some(cell) => self.score_after(cell, depth + 1, (alpha, beta), ply),
            None if depth <= 0 => Ok(self.score_at_depth_limit(ply).clamp(alpha, beta)),
            None => self.stored_or_searched(depth, (alpha, beta), ply),
        }
    }

    pub(super) fn cannot_win(&self, side: usize) -> bool {
        self.position.open[side] == 0 || pairing::exists(&self.position, side)
    }

    fn stored_or_searched(
        &mut self,
        depth: i32,
        (alpha, beta): Window,
        ply: i32,
    ) -> Result<i32, Interrupted> {
        let known = self.table.look_up(&self.position);
        if let Some((entry, _)) = known.filter(|(entry, _)| i32::from(entry.depth) >= depth) {
            let score = from_here_to_root(entry.score, ply, WON);
            if entry.bound.is_enough(score, (alpha, beta)) {
                self.estimates += u64::from(entry.depth != PROVEN);
                return Ok(score.clamp(alpha, beta));
            }
        }
        let before = self.estimates;
        let (score, best) =
            self.best_reply(depth, (alpha, beta), ply, known.map(|(_, best)| best))?;
        let bound = Bound::of(score, (alpha, beta));
        let certain = !self.left_out_moves && bound.is_decisive(score, WON);
        let depth = if self.estimates == before || certain { PROVEN } else { depth as i16 };
        self.table.store(&self.position, best, depth, from_root_to_here(score, ply, WON), bound);
        Ok(score)
    }

    /// The best score between the bounds, and the move that has it.
    fn best_reply(
        &mut self,
        depth: i32,
        (mut alpha, beta): Window,
        ply: i32,
        known: Option<u16>,
    ) -> Result<(i32, u16), Interrupted> {
        let start = self.moves.len();
        self.push_moves(start);
        // A cell on no open line is useless. There are other cells, or the game would be drawn.
        while self.moves.last().is_some_and(|(priority, _)| *priority == 0) {
            self.moves.pop();
        }
        if let Some(i) = (start..self.moves.len()).find(|i| Some(self.moves[*i].1) == known) {
            self.moves[start..=i].rotate_right(1);
        }
        let mut best = self.moves[start].1;
        for i in start..self.moves.len() {
            let cell = self.moves[i].1;
            let score = self.search_move(cell, depth, (alpha, beta), ply, i == start)?;
            if score > alpha {
                (alpha, best) = (score, cell);
            }
            if alpha >= beta {
                break;
            }
        }
        self.moves.truncate(start);
        Ok((alpha, best))
    }

    /// The priority in move ordering: the lines that the move builds for the side to move, and
    /// blocks for the other.
    pub(super) fn priority(&self, cell: u16) -> i32 {
        let side = self.position.to_move;
        2 * self.position.cell_value(side, cell) + self.position.cell_value(1 - side, cell)
    }

    /// Appends the moves to try, those of high priority first, then those near the centre.
    pub(super) fn push_moves(&mut self, start: usize) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.extend(self.position.empty_cells().map(|cell| (self.priority(cell), cell)));
        let geometry = self.position.geometry;
        let order =
            |(priority, cell): &(i32, u16)| (-priority, geometry.distance_from_centre(*cell));
        if moves.len() - start > FULL_WIDTH.max(self.limits.width) {
            moves[start..].select_nth_unstable_by_key(self.limits.width, order);
            moves.truncate(start + self.limits.width);
            self.left_out_moves = true;
            self.estimates += 1;
        }
        moves[start..].sort_unstable_by_key(order);
        self.moves = moves;
    }

    /// The score at the depth limit: of a win by continuous threats, or a static evaluation.
    fn score_at_depth_limit(&mut self, ply: i32) -> i32 {
        let mut budget = Budget::moves(self.limits.threats, self.deadline);
        match threats::win_by_fours(&mut self.position, &mut budget) {
            Some(_) => WIN - ply - THREATS_LENGTH,
            None => self.evaluate(),
        }
    }

    /// The static evaluation: the value of the lines for the side to move, and of its next move.
    fn evaluate(&mut self) -> i32 {
        self.estimates += 1;
        let own = self.position.to_move;
        let other = 1 - self.position.to_move;
        let total = self.position.total;
        (total[own] + total[own] / 4 - total[other]).clamp(1 - WON, WON - 1)
    }
}
