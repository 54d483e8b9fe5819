//! The search below the root: what a move is worth, to a depth and between bounds.

use super::{Search, Stopped, WIN, WON};
use crate::pairing;
use crate::threats::{self, Budget};
use crate::transposition::Bound;

/// What a win by continuous threats is taken to last, in moves.
const THREATS_LAST: i32 = 24;
/// How far forced replies may lead, in moves from the root: bounds the stack.
const MAX_PLY: i32 = 60;
/// On a board with more empty cells than this only the most promising are tried.
pub(super) const FULL_WIDTH: usize = 36;
/// The stored depth of a score that no deeper search can change.
const PROVEN: i16 = i16::MAX;

impl Search<'_> {
    /// The score of a move for whoever makes it. All but the `first`, most promising one are
    /// first asked only whether they are better.
    pub(super) fn probe(
        &mut self,
        cell: u16,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: i32,
        first: bool,
    ) -> Result<i32, Stopped> {
        if !first && beta - alpha > 1 {
            let score = self.after(cell, depth, (alpha, alpha + 1), ply)?;
            if score <= alpha {
                return Ok(score);
            }
        }
        self.after(cell, depth, (alpha, beta), ply)
    }

    fn after(
        &mut self,
        cell: u16,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: i32,
    ) -> Result<i32, Stopped> {
        self.position.place(cell);
        let score = self.score(depth - 1, (-beta, -alpha), ply + 1);
        self.position.take_back(cell);
        score.map(|score| -score)
    }

    /// The score of the position for the side to move, exact between `alpha` and `beta`, else
    /// the one of them that bounds it.
    fn score(
        &mut self,
        depth: i32,
        (mut alpha, mut beta): (i32, i32),
        ply: i32,
    ) -> Result<i32, Stopped> {
        self.nodes += 1;
        if self.nodes > self.max_nodes || self.deadline.is_over() {
            return Err(Stopped);
        }
        let side = self.position.to_move;
        if self.position.winning_cells(side).next().is_some() {
            return Ok((WIN - ply - 1).clamp(alpha, beta));
        }
        let mut threats = self.position.winning_cells(1 - side);
        let (forced, second) = (threats.next(), threats.next());
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
            _ if ply >= MAX_PLY => Ok(self.judge().clamp(alpha, beta)),
            Some(cell) => self.after(cell, depth + 1, (alpha, beta), ply),
            None if depth <= 0 => Ok(self.at_the_limit(ply).clamp(alpha, beta)),
            None => self.remembered_or_searched(depth, (alpha, beta), ply),
        }
    }

    pub(super) fn cannot_win(&self, side: usize) -> bool {
        self.position.open[side] == 0 || pairing::holds(&self.position, side)
    }

    fn remembered_or_searched(
        &mut self,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: i32,
    ) -> Result<i32, Stopped> {
        let known = self.table.look_up(&self.position);
        if let Some((entry, _)) = known.filter(|(entry, _)| i32::from(entry.depth) >= depth) {
            let score = from_here_to_root(entry.score, ply);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => score >= beta,
                Bound::AtMost => score <= alpha,
            };
            if enough {
                self.estimates += u64::from(entry.depth != PROVEN);
                return Ok(score.clamp(alpha, beta));
            }
        }
        let before = self.estimates;
        let (score, best) =
            self.best_reply(depth, (alpha, beta), ply, known.map(|(_, best)| best))?;
        let bound = match score {
            _ if score >= beta => Bound::AtLeast,
            _ if score <= alpha => Bound::AtMost,
            _ => Bound::Exact,
        };
        let certain = !self.narrowed
            && ((score >= WON && bound != Bound::AtMost)
                || (score <= -WON && bound != Bound::AtLeast));
        let depth = if self.estimates == before || certain { PROVEN } else { depth as i16 };
        self.table.store(&self.position, best, depth, from_root_to_here(score, ply), bound);
        Ok(score)
    }

    /// The best score between the bounds, and the move that has it.
    fn best_reply(
        &mut self,
        depth: i32,
        (mut alpha, beta): (i32, i32),
        ply: i32,
        known: Option<u16>,
    ) -> Result<(i32, u16), Stopped> {
        let start = self.moves.len();
        self.promising(start);
        // A cell on no open line is of use to nobody. There are others, or it would be a draw.
        while self.moves.last().is_some_and(|(promise, _)| *promise == 0) {
            self.moves.pop();
        }
        if let Some(i) = (start..self.moves.len()).find(|i| Some(self.moves[*i].1) == known) {
            self.moves[start..=i].rotate_right(1);
        }
        let mut best = self.moves[start].1;
        for i in start..self.moves.len() {
            let cell = self.moves[i].1;
            let score = self.probe(cell, depth, (alpha, beta), ply, i == start)?;
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

    /// What a move builds for the side to move, and stops of the other's.
    pub(super) fn promise(&self, cell: u16) -> i32 {
        let side = self.position.to_move;
        2 * self.position.worth(side, cell) + self.position.worth(1 - side, cell)
    }

    /// Appends the moves to try, the most promising first, among equals those in the middle.
    pub(super) fn promising(&mut self, start: usize) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.extend(self.position.empty_cells().map(|cell| (self.promise(cell), cell)));
        let geometry = self.position.geometry;
        let order = |(promise, cell): &(i32, u16)| (-promise, geometry.off_middle(*cell));
        if moves.len() - start > FULL_WIDTH.max(self.limits.width) {
            moves[start..].select_nth_unstable_by_key(self.limits.width, order);
            moves.truncate(start + self.limits.width);
            self.narrowed = true;
            self.estimates += 1;
        }
        moves[start..].sort_unstable_by_key(order);
        self.moves = moves;
    }

    /// The score where the search may go no deeper: a win by continuous threats, or a judgement.
    fn at_the_limit(&mut self, ply: i32) -> i32 {
        let mut budget = Budget::new(self.limits.threats, self.deadline);
        match threats::win_by_fours(&mut self.position, &mut budget) {
            Some(_) => WIN - ply - THREATS_LAST,
            None => self.judge(),
        }
    }

    /// What the lines are worth to the side to move, which has the next move as well.
    fn judge(&mut self) -> i32 {
        self.estimates += 1;
        let (own, other) = (self.position.to_move, 1 - self.position.to_move);
        let total = self.position.total;
        (total[own] + total[own] / 4 - total[other]).clamp(1 - WON, WON - 1)
    }
}

/// A win is counted from the root in a search, and from its position where it is stored.
fn from_root_to_here(score: i32, ply: i32) -> i32 {
    if score.abs() >= WON { score + score.signum() * ply } else { score }
}

fn from_here_to_root(score: i32, ply: i32) -> i32 {
    if score.abs() >= WON { score - score.signum() * ply } else { score }
}
