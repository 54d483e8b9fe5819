//! The search for the best moves on any board: principal variation search with iterative
//! deepening. It sees a win or a loss two moves ahead without a search, forced replies cost no
//! depth, and proven draws are not searched.
//!
//! Here is the root of the search. [`tree`] is all below it, [`threats`] finds wins by continuous
//! threats, [`root_threats`] and [`root_draws`] use threats and blocking proofs at the root, and
//! [`transposition`] keeps results.

mod root_draws;
mod root_threats;
mod threats;
pub(crate) mod transposition;
mod tree;
pub(crate) mod window;

use noughts_protocol::{Cell, Game};
use transposition::TranspositionTable;
use tree::FULL_WIDTH;
use window::score_root;

use crate::board::{Geometry, Position};
use crate::deadline::{Budget, Deadline};

/// How a game ends with best play, for the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The opponent wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// The player to move wins.
    Win,
}

/// The score of a win at the root. Each move before it takes 1 off, so that quicker wins are
/// better.
const WIN: i32 = 1_000_000;
/// The least score of a win. Static evaluations stay below.
const WON: i32 = WIN - 1_000;
/// The most positions where there is no time limit: about a second.
const MAX_NODES_WITHOUT_LIMIT: u64 = 1_000_000;
/// The moves that a win by fours may cost at the root.
const FOURS_AT_ROOT: u32 = 12_000;
/// The deepest search that uses a small table.
const SHALLOW: u32 = 2;
/// The size of a small table, first and largest: two to the power of so many positions.
const SMALL_TABLE: (u32, u32) = (8, 8);
/// The size of the table of a deep search: 2^17 positions in 3 MiB at first, some 12 MiB after a
/// second, and in minutes up to 2^24 in 400 MiB.
const LARGE_TABLE: (u32, u32) = (17, 24);

/// How far and wide a search goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The most moves that it looks ahead, forced replies not counted.
    pub(super) depth: u32,
    /// How many moves it tries in a position with too many to try all.
    pub(super) width: usize,
    /// Moves are candidates that score at most this much less than the best.
    pub(super) slack: i32,
    /// How many moves it tries for a win by fours at its depth limit. With 0 it looks for wins by
    /// continuous threats nowhere.
    pub(super) threats: u32,
    /// Whether in a drawn position all moves that keep the draw are candidates. If not, only those
    /// are that build and block most, so that the opponent can still go wrong.
    pub(super) all_draws: bool,
}

impl Limits {
    /// As far as the time allows.
    pub(super) const DEEPEST: Self =
        Self { depth: 200, width: 16, slack: 0, threats: 10, all_draws: false };

    /// Whether the search goes as far as the time allows.
    pub(super) const fn is_deepest(self) -> bool {
        self.depth == Self::DEEPEST.depth
    }
}

#[derive(Debug, Clone)]
pub(super) struct SearchResult {
    /// The best moves: at least one.
    pub(super) moves: Vec<Cell>,
    /// Their outcome, where it is proven.
    pub(super) outcome: Option<Outcome>,
    /// The positions that were searched.
    pub(super) nodes: u64,
    /// The deepest search that was finished, where it went deeper and deeper.
    pub(super) depth: u32,
    /// The score of the moves for the side to move: 100 is a small advantage.
    pub(super) evaluation: Option<i32>,
}

impl SearchResult {
    /// Moves that needed no search, of unknown outcome.
    pub(super) const fn of_moves(moves: Vec<Cell>) -> Self {
        Self { moves, outcome: None, nodes: 0, depth: 0, evaluation: None }
    }
}

/// A search of one position. The tree has a file, and so has each proof at its root.
struct Search<'a> {
    game: &'a Game,
    position: Position<'a>,
    deadline: &'a Deadline,
    limits: Limits,
    nodes: u64,
    max_nodes: u64,
    /// The moves of every position on the path from the root, position after position.
    moves: Vec<(i32, u16)>,
    table: TranspositionTable,
    /// How many scores so far were static evaluations or left out moves. A score that needed none
    /// of these is proven.
    estimates: u64,
    /// Whether the search has ever left out moves.
    left_out_moves: bool,
}

/// The positions that a search may look at.
pub(super) fn max_nodes(deadline: &Deadline) -> u64 {
    let own = if deadline.is_limited() { u64::MAX } else { MAX_NODES_WITHOUT_LIMIT };
    deadline.positions().unwrap_or(own)
}

/// The best moves of an unfinished game, within the limits and the deadline. They are legal even
/// if the deadline is over before the call.
pub(super) fn best_moves(game: &Game, limits: Limits, deadline: &Deadline) -> SearchResult {
    let geometry = Geometry::of(*game.rules());
    let (bits, max_bits) = if limits.depth <= SHALLOW { SMALL_TABLE } else { LARGE_TABLE };
    let mut search = Search {
        game,
        position: Position::new(&geometry, game),
        deadline,
        limits,
        nodes: 0,
        max_nodes: max_nodes(deadline),
        moves: Vec::new(),
        table: TranspositionTable::within(deadline.memory(), bits, max_bits),
        estimates: 0,
        left_out_moves: false,
    };
    search.deepen()
}

impl Search<'_> {
    /// Searches deeper and deeper until the outcome is known or the time is over.
    fn deepen(&mut self) -> SearchResult {
        if let Some(found) = self.without_search() {
            return found;
        }
        let drawn = self.limits.all_draws.then(|| self.draws_by_blocking(false));
        if let Some(drawn) = &drawn {
            self.nodes += drawn.nodes;
            if drawn.moves.len() == self.position.empty {
                return drawn.clone();
            }
        }
        self.push_moves(0);
        let mut root = std::mem::take(&mut self.moves);
        let all_tried = !self.left_out_moves;
        let mut found = SearchResult::of_moves(vec![Cell(root[0].1)]);
        for depth in self.depths() {
            let before = self.estimates;
            let scored = score_root(&mut root, WIN, self.limits.slack, |cell, window, first| {
                self.search_move(cell, depth as i32, window, 0, first)
            });
            let Some(&(top, _)) = root[..scored].first() else { break };
            found.moves = self.candidates(&root[..scored]);
            found.evaluation = Some(top);
            if scored < root.len() {
                break;
            }
            found.depth = depth;
            if depth == root_threats::AFTER_DEPTH && self.limits.threats > 0 {
                if let Some(found) = self.win_by_threes(&mut root) {
                    return found;
                }
                found.moves = self.candidates(&root);
            }
            let known = self.estimates == before;
            if known || top.abs() >= WON {
                found.outcome = self.outcome(top, known, all_tried);
                if top == 0 && !self.limits.all_draws {
                    self.keep_highest_priority(&mut found.moves);
                }
                break;
            }
        }
        // Other moves may draw too.
        let drawn = drawn.filter(|drawn| found.outcome.is_none() && drawn.outcome.is_some());
        SearchResult { nodes: self.nodes, ..drawn.unwrap_or(found) }
    }

    /// The depths to search to, one after the other. Where a search ends in static evaluations,
    /// even depths are skipped, but for 2 and the last: that won 45 of 60 games in place of 31, at
    /// 50 ms on a busy machine. The reason is not known.
    fn depths(&self) -> impl Iterator<Item = u32> + use<> {
        let last = self.limits.depth.min(self.position.empty as u32);
        let evaluated = self.position.empty > FULL_WIDTH;
        (1..=last)
            .filter(move |depth| !evaluated || depth % 2 == 1 || *depth == 2 || *depth == last)
    }

    /// The moves within the slack of the best one. `scored` is sorted.
    fn candidates(&self, scored: &[(i32, u16)]) -> Vec<Cell> {
        let worst = scored.first().map_or(0, |best| best.0 - self.limits.slack);
        scored.iter().take_while(|m| m.0 >= worst).map(|m| Cell(m.1)).collect()
    }

    /// The outcome that the best score at the root means, if it is proven. `known`: the search
    /// needed no estimate; `all_tried`: it searched every move of the root.
    fn outcome(&self, top: i32, known: bool, all_tried: bool) -> Option<Outcome> {
        let complete = !self.left_out_moves;
        let (outcome, proven) = match top {
            WON.. => (Outcome::Win, known || complete),
            0 => (Outcome::Draw, known && (all_tried || self.cannot_win(0))),
            _ => (Outcome::Loss, known && all_tried || complete),
        };
        proven.then_some(outcome)
    }

    fn keep_highest_priority(&self, moves: &mut Vec<Cell>) {
        let most = moves.iter().map(|cell| self.priority(cell.0)).max();
        moves.retain(|cell| Some(self.priority(cell.0)) == most);
    }

    /// The moves that need no search: a win, the block of a win, the start of a win by continuous
    /// threats, and the centre of an empty board that is too large to search.
    fn without_search(&mut self) -> Option<SearchResult> {
        let cells = |side| self.position.winning_cells(side).map(Cell).collect::<Vec<_>>();
        let wins = cells(0);
        let blocks = cells(1);
        let (moves, outcome) = if !wins.is_empty() {
            (wins, Some(Outcome::Win))
        } else if !blocks.is_empty() {
            let outcome = (blocks.len() > 1).then_some(Outcome::Loss);
            (blocks, outcome)
        } else if self.position.empty == self.position.geometry.cells {
            return self.first_move();
        } else if self.limits.threats == 0 {
            return None;
        } else {
            let mut budget = Budget::moves(FOURS_AT_ROOT, self.deadline);
            let cell = threats::win_by_fours(&mut self.position, &mut budget)?;
            (vec![Cell(cell)], Some(Outcome::Win))
        };
        Some(SearchResult { outcome, nodes: self.nodes, ..SearchResult::of_moves(moves) })
    }

    /// The cells in the centre of an empty board, unless the board is small enough to search.
    fn first_move(&self) -> Option<SearchResult> {
        let geometry = self.position.geometry;
        let distance = |cell: &Cell| geometry.distance_from_centre(cell.0);
        let cells = || (0..geometry.cells as u16).map(Cell);
        let least =
            cells().map(|cell| distance(&cell)).min().filter(|_| geometry.cells > FULL_WIDTH)?;
        let moves = cells().filter(|cell| distance(cell) == least).collect();
        // The first player has at least a draw: what the second could win with, the first could.
        let outcome = self.cannot_win(0).then_some(Outcome::Draw);
        if outcome.is_none() && self.limits.all_draws {
            return Some(SearchResult { moves, ..self.draws_by_blocking(true) });
        }
        Some(SearchResult { outcome, ..SearchResult::of_moves(moves) })
    }
}

#[cfg(test)]
mod tests;
