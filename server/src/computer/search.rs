//! Alpha–beta search with iterative deepening, for any board. It sees a win or a loss that is
//! two moves away without searching, and a forced reply costs no depth.

use noughts_protocol::{Cell, Game};

use super::Deadline;
use super::geometry::Geometry;
use super::position::Position;

/// A win at the root; each move on the way takes 1 off, so that a quicker win is better.
const WIN: i32 = 1_000_000;
/// No judgement of lines reaches this; what does is a win.
const WON: i32 = WIN - 1_000;
/// How far forced replies may lead, in moves from the root: bounds the stack.
const MAX_PLY: i32 = 60;
/// Positions looked at when there is no time limit: about a second.
const NODES_WITHOUT_LIMIT: u64 = 1_000_000;
/// On a board with more empty cells than this only the most promising are tried.
const FULL_WIDTH: usize = 25;

/// What a search may do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// How many moves it looks ahead at most, forced replies not counted.
    pub(super) depth: u32,
    /// How many moves it tries in a position of a board too large for all.
    pub(super) width: usize,
    /// The moves that score this much less than the best are candidates as well.
    pub(super) slack: i32,
}

impl Limits {
    /// Every move, to the end of the game if the time allows.
    pub(super) const ALL: Self = Self { depth: u32::MAX, width: usize::MAX, slack: 0 };
}

/// The search was stopped: its time or its bound on positions is over.
struct Stopped;

struct Search<'a> {
    position: Position<'a>,
    deadline: &'a Deadline,
    width: usize,
    nodes: u64,
    max_nodes: u64,
    /// The moves of every position between the root and here, one position after the other.
    moves: Vec<(i32, u16)>,
}

/// The best moves of an unfinished game as far as the limits and the deadline let it see: at
/// least one, a legal one even if the deadline is over.
pub(super) fn best_moves(game: &Game, limits: Limits, deadline: &Deadline) -> Vec<Cell> {
    let geometry = Geometry::new(game.spec());
    let mut search = Search {
        position: Position::new(&geometry, game),
        deadline,
        width: limits.width,
        nodes: 0,
        max_nodes: if deadline.is_limited() { u64::MAX } else { NODES_WITHOUT_LIMIT },
        moves: Vec::new(),
    };
    let mut root = search.root_moves();
    let mut best = vec![root[0].1];
    for depth in 1..=limits.depth.min(search.position.empty as u32) {
        if root.len() == 1 || search.search_root(&mut root, depth as i32, limits.slack).is_err() {
            break;
        }
        let top = root[0].0;
        best = root.iter().take_while(|m| m.0 >= top - limits.slack).map(|m| m.1).collect();
        if top.abs() >= WON {
            break;
        }
    }
    best.into_iter().map(Cell).collect()
}

impl Search<'_> {
    /// The moves to try at the root, the most promising first: a win alone, else the blocks of a
    /// win alone.
    fn root_moves(&self) -> Vec<(i32, u16)> {
        let position = &self.position;
        for side in 0..2 {
            let cells: Vec<_> = position.winning_cells(side).map(|cell| (0, cell)).collect();
            if !cells.is_empty() {
                return cells;
            }
        }
        let mut moves = Vec::new();
        self.promising(&mut moves);
        moves
    }

    /// Scores the root moves to a depth and sorts them, best first. Moves within `slack` of the
    /// best have their exact score; the others a bound that is lower than that.
    fn search_root(
        &mut self,
        root: &mut [(i32, u16)],
        depth: i32,
        slack: i32,
    ) -> Result<(), Stopped> {
        let mut best = -WIN;
        for (score, cell) in root.iter_mut() {
            // The window opens one below, so that an equal score is known to be equal.
            let alpha = (best - slack - 1).max(-WIN);
            *score = self.after(*cell, depth, alpha, WIN, 0)?;
            best = best.max(*score);
        }
        root.sort_by_key(|(score, _)| -score);
        Ok(())
    }

    /// The score of a move for whoever makes it.
    fn after(
        &mut self,
        cell: u16,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: i32,
    ) -> Result<i32, Stopped> {
        self.position.place(cell);
        let score = self.score(depth - 1, -beta, -alpha, ply + 1);
        self.position.take_back(cell);
        score.map(|score| -score)
    }

    /// The score of the position for the side to move, exact between `alpha` and `beta`, else a
    /// bound.
    fn score(&mut self, depth: i32, alpha: i32, beta: i32, ply: i32) -> Result<i32, Stopped> {
        self.nodes += 1;
        if self.nodes > self.max_nodes || self.deadline.is_over() {
            return Err(Stopped);
        }
        let side = self.position.to_move;
        if self.position.winning_cells(side).next().is_some() {
            return Ok(WIN - ply - 1);
        }
        let mut threats = self.position.winning_cells(1 - side);
        let (forced, second) = (threats.next(), threats.next());
        drop(threats);
        if second.is_some() {
            return Ok(-(WIN - ply - 2));
        }
        let (mut alpha, mut beta) = (alpha, beta);
        // A side without a line left cannot win, which bounds the score; neither can: a draw.
        if self.position.open[side] == 0 {
            beta = beta.min(0);
        }
        if self.position.open[1 - side] == 0 {
            alpha = alpha.max(0);
        }
        if alpha >= beta || self.position.empty == 0 {
            return Ok(0);
        }
        match forced {
            _ if ply >= MAX_PLY => Ok(self.judge().clamp(alpha, beta)),
            Some(cell) => self.after(cell, depth + 1, alpha, beta, ply),
            None if depth <= 0 => Ok(self.judge().clamp(alpha, beta)),
            None => self.best_reply(depth, alpha, beta, ply),
        }
    }

    fn best_reply(&mut self, depth: i32, alpha: i32, beta: i32, ply: i32) -> Result<i32, Stopped> {
        let start = self.moves.len();
        let mut moves = std::mem::take(&mut self.moves);
        self.promising(&mut moves);
        self.moves = moves;
        let end = self.moves.len();
        let mut alpha = alpha;
        for i in start..end {
            alpha = self.after(self.moves[i].1, depth, alpha, beta, ply)?.max(alpha);
            if alpha >= beta {
                break;
            }
        }
        self.moves.truncate(start);
        Ok(alpha)
    }

    /// Appends the moves to try, the most promising first: those that build or stop most.
    fn promising(&self, moves: &mut Vec<(i32, u16)>) {
        let (position, start) = (&self.position, moves.len());
        let (own, other) = (position.to_move, 1 - position.to_move);
        let promise = |cell| 2 * position.worth(own, cell) + position.worth(other, cell);
        moves.extend(position.empty_cells().map(|cell| (promise(cell), cell)));
        let found = &mut moves[start..];
        if found.len() > self.width.max(FULL_WIDTH) {
            found.select_nth_unstable_by_key(self.width, |(promise, _)| -promise);
            moves.truncate(start + self.width);
        }
        moves[start..].sort_unstable_by_key(|(promise, cell)| (-promise, *cell));
    }

    /// What the lines are worth to the side to move, which has the next move as well.
    fn judge(&self) -> i32 {
        let (own, other) = (self.position.to_move, 1 - self.position.to_move);
        let total = self.position.total;
        (total[own] + total[own] / 4 - total[other]).clamp(-WON + 1, WON - 1)
    }
}
