//! Principal variation search with iterative deepening, for any board. It sees a win or a loss
//! that is two moves away without searching, a forced reply costs no depth, and a draw that can
//! be proven is not searched.

use noughts_protocol::{Cell, Game};

use super::geometry::Geometry;
use super::position::{Position, Side};
use super::transposition::{Bound, Table};
use super::{Deadline, Outcome, pairing, threats};

/// A win at the root; each move on the way takes 1 off, so that a quicker win is better.
const WIN: i32 = 1_000_000;
/// No judgement of lines reaches this; what does is a win.
const WON: i32 = WIN - 1_000;
/// What a win by continuous threats is taken to last, in moves.
const THREATS_LAST: i32 = 24;
/// How far forced replies may lead, in moves from the root: bounds the stack.
const MAX_PLY: i32 = 60;
/// Positions looked at when there is no time limit: about a second.
const NODES_WITHOUT_LIMIT: u64 = 1_000_000;
/// On a board with more empty cells than this only the most promising are tried.
const FULL_WIDTH: usize = 36;
/// Searches no deeper than this remember little: two to the power of so many positions.
const SHALLOW: (u32, u32) = (2, 8);
/// What a deep search remembers: 2^17 positions in 4 MiB.
const DEEP_BITS: u32 = 17;
/// The stored depth of a score that no deeper search can change.
const PROVEN: i16 = i16::MAX;

/// What a search may do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// How many moves it looks ahead at most, forced replies not counted.
    pub(super) depth: u32,
    /// How many moves it tries in a position of a board too large for all.
    pub(super) width: usize,
    /// The moves that score this much less than the best are candidates as well.
    pub(super) slack: i32,
    /// How many moves it tries to find a win by continuous threats at its depth limit.
    pub(super) threats: u32,
}

impl Limits {
    /// As far as the time allows.
    pub(super) const DEEPEST: Self = Self { depth: 200, width: 16, slack: 0, threats: 60 };
}

/// What a search found.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The best moves: at least one.
    pub(super) moves: Vec<Cell>,
    /// What they lead to, where the search has proven it.
    pub(super) outcome: Option<Outcome>,
    /// The positions looked at.
    pub(super) nodes: u64,
}

/// The search was stopped: its time or its bound on positions is over.
struct Stopped;

struct Search<'a> {
    position: Position<'a>,
    deadline: &'a Deadline,
    limits: Limits,
    nodes: u64,
    max_nodes: u64,
    /// The moves of every position between the root and here, one position after the other.
    moves: Vec<(i32, u16)>,
    table: Table,
    /// How many scores so far were judgements, or left moves out: a score that needed none of
    /// them is proven.
    estimates: u64,
    /// Whether moves were ever left out.
    narrowed: bool,
}

/// The best moves of an unfinished game as far as the limits and the deadline let it see: at
/// least one, a legal one even if the deadline is over.
pub(super) fn best_moves(game: &Game, limits: Limits, deadline: &Deadline) -> Found {
    let geometry = Geometry::new(game.spec());
    let (shallow, shallow_bits) = SHALLOW;
    let mut search = Search {
        position: Position::new(&geometry, game),
        deadline,
        limits,
        nodes: 0,
        max_nodes: if deadline.is_limited() { u64::MAX } else { NODES_WITHOUT_LIMIT },
        moves: Vec::new(),
        table: Table::new(if limits.depth <= shallow { shallow_bits } else { DEEP_BITS }),
        estimates: 0,
        narrowed: false,
    };
    search.deepen()
}

impl Search<'_> {
    /// Searches deeper and deeper until all is known or the time is over.
    fn deepen(&mut self) -> Found {
        if let Some(found) = self.obvious() {
            return found;
        }
        self.promising(0);
        let mut root = std::mem::take(&mut self.moves);
        let mut found = Found { moves: vec![Cell(root[0].1)], outcome: None, nodes: 0 };
        for depth in 1..=self.limits.depth.min(self.position.empty as u32) {
            let before = self.estimates;
            let scored = self.search_root(&mut root, depth as i32);
            let Some(&(top, _)) = root[..scored].first() else { break };
            let worst = top - self.limits.slack;
            found.moves =
                root[..scored].iter().take_while(|m| m.0 >= worst).map(|m| Cell(m.1)).collect();
            if scored < root.len() {
                break;
            }
            let (known, decided) = (self.estimates == before, top.abs() >= WON);
            if known || decided {
                found.outcome = (known || !self.narrowed).then_some(match top {
                    WON.. => Outcome::Win,
                    _ if decided => Outcome::Loss,
                    _ => Outcome::Draw,
                });
                break;
            }
        }
        Found { nodes: self.nodes, ..found }
    }

    /// What needs no search: a win at once, the block of one, the start of a win by continuous
    /// threats.
    fn obvious(&mut self) -> Option<Found> {
        let cells = |side| self.position.winning_cells(side).map(Cell).collect::<Vec<_>>();
        let (wins, blocks) = (cells(0), cells(1));
        let (moves, outcome) = if !wins.is_empty() {
            (wins, Some(Outcome::Win))
        } else if !blocks.is_empty() {
            let outcome = (blocks.len() > 1).then_some(Outcome::Loss);
            (blocks, outcome)
        } else {
            let cell = threats::win(&mut self.position, 200 * self.limits.threats)?;
            (vec![Cell(cell)], Some(Outcome::Win))
        };
        Some(Found { moves, outcome, nodes: self.nodes })
    }

    /// Scores the root moves to a depth and sorts those that were scored, best first; says how
    /// many were. Moves within the slack of the best have their exact score, the others a bound
    /// that is lower.
    fn search_root(&mut self, root: &mut [(i32, u16)], depth: i32) -> usize {
        let mut best = -WIN;
        let mut scored = 0;
        for (score, cell) in root.iter_mut() {
            // The window opens one below, so that an equal score is known to be equal.
            let alpha = (best - self.limits.slack - 1).max(-WIN);
            let Ok(found) = self.probe(*cell, depth, (alpha, WIN), 0, scored == 0) else { break };
            *score = found;
            best = best.max(found);
            scored += 1;
        }
        root[..scored].sort_by_key(|(score, _)| -score);
        scored
    }

    /// The score of a move for whoever makes it. All but the `first`, most promising one are
    /// first asked only whether they are better.
    fn probe(
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

    fn cannot_win(&self, side: Side) -> bool {
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

    /// Appends the moves to try, the most promising first: those that build or stop most.
    fn promising(&mut self, start: usize) {
        let (position, moves) = (&self.position, &mut self.moves);
        let (own, other) = (position.to_move, 1 - position.to_move);
        let promise = |cell| 2 * position.worth(own, cell) + position.worth(other, cell);
        moves.extend(position.empty_cells().map(|cell| (promise(cell), cell)));
        if moves.len() - start > FULL_WIDTH.max(self.limits.width) {
            moves[start..].select_nth_unstable_by_key(self.limits.width, |(promise, _)| -promise);
            moves.truncate(start + self.limits.width);
            self.narrowed = true;
            self.estimates += 1;
        }
        moves[start..].sort_unstable_by_key(|(promise, cell)| (-promise, *cell));
    }

    /// The score where the search may go no deeper: a win by continuous threats, or a judgement.
    fn at_the_limit(&mut self, ply: i32) -> i32 {
        match threats::win(&mut self.position, self.limits.threats) {
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
