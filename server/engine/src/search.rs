//! Principal variation search with iterative deepening, for any board. It sees a win or a loss
//! that is two moves away without searching, a forced reply costs no depth, and a draw that can
//! be proven is not searched.

mod blocking;
mod threes;
mod tree;

use noughts_protocol::{Cell, Game};
use tree::FULL_WIDTH;

use super::geometry::Geometry;
use super::position::Position;
use super::threats::{self, Budget};
use super::transposition::Table;
use super::{Deadline, Outcome};

/// A win at the root; each move on the way takes 1 off, so that a quicker win is better.
const WIN: i32 = 1_000_000;
/// No judgement of lines reaches this; what does is a win.
const WON: i32 = WIN - 1_000;
/// Positions looked at when there is no time limit: about a second.
const NODES_WITHOUT_LIMIT: u64 = 1_000_000;
/// Moves tried at the root for a win by fours.
const FOURS_AT_ROOT: u32 = 12_000;
/// Searches no deeper than this remember little.
const SHALLOW: u32 = 2;
/// What those remember: two to the power of so many positions, and at most so many.
const LITTLE: (u32, u32) = (8, 8);
/// What a deep search remembers: 2^17 positions in 3 MiB at first, some 12 MiB after a second, and
/// of a search of minutes up to 2^24 in 400 MiB.
const DEEP: (u32, u32) = (17, 24);

/// What a search may do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// How many moves it looks ahead at most, forced replies not counted.
    pub(super) depth: u32,
    /// How many moves it tries in a position of a board too large for all.
    pub(super) width: usize,
    /// The moves that score this much less than the best are candidates as well.
    pub(super) slack: i32,
    /// How many moves it tries to find a win by fours at its depth limit; with 0 it looks for no
    /// win by continuous threats anywhere.
    pub(super) threats: u32,
    /// Whether in a drawn position all moves that keep the draw are candidates, or only those of
    /// them that build or stop most, so that the opponent can still go wrong.
    pub(super) all_draws: bool,
}

impl Limits {
    /// As far as the time allows.
    pub(super) const DEEPEST: Self =
        Self { depth: 200, width: 16, slack: 0, threats: 10, all_draws: false };
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
    game: &'a Game,
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
    let (bits, most_bits) = if limits.depth <= SHALLOW { LITTLE } else { DEEP };
    let mut search = Search {
        game,
        position: Position::new(&geometry, game),
        deadline,
        limits,
        nodes: 0,
        max_nodes: if deadline.is_limited() { u64::MAX } else { NODES_WITHOUT_LIMIT },
        moves: Vec::new(),
        table: Table::new(bits, most_bits),
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
        let drawn = self.limits.all_draws.then(|| self.draws_by_blocking(false));
        if let Some(drawn) = &drawn {
            self.nodes += drawn.nodes;
            if drawn.moves.len() == self.position.empty {
                return drawn.clone();
            }
        }
        self.promising(0);
        let mut root = std::mem::take(&mut self.moves);
        let all_tried = !self.narrowed;
        let mut found = Found { moves: vec![Cell(root[0].1)], outcome: None, nodes: 0 };
        for depth in self.depths() {
            let before = self.estimates;
            let scored = self.search_root(&mut root, depth as i32);
            let Some(&(top, _)) = root[..scored].first() else { break };
            found.moves = self.candidates(&root[..scored]);
            if scored < root.len() {
                break;
            }
            if depth == threes::AFTER && self.limits.threats > 0 {
                if let Some(found) = self.win_by_threes(&mut root) {
                    return found;
                }
                found.moves = self.candidates(&root);
            }
            let known = self.estimates == before;
            if known || top.abs() >= WON {
                found.outcome = self.outcome(top, known, all_tried);
                if top == 0 && !self.limits.all_draws {
                    self.keep_most_promising(&mut found.moves);
                }
                break;
            }
        }
        // There may be other moves that draw.
        let drawn = drawn.filter(|drawn| found.outcome.is_none() && drawn.outcome.is_some());
        Found { nodes: self.nodes, ..drawn.unwrap_or(found) }
    }

    /// The depths to search to, one after the other. Where lines are judged and not played out,
    /// even depths are left out, but for the first and the last: that won 45 of 60 games in place
    /// of 31, at 50 ms on a busy machine. Why is not known.
    fn depths(&self) -> impl Iterator<Item = u32> + use<> {
        let last = self.limits.depth.min(self.position.empty as u32);
        let judged = self.position.empty > FULL_WIDTH;
        (1..=last).filter(move |depth| !judged || depth % 2 == 1 || *depth == 2 || *depth == last)
    }

    /// The moves that score little enough less than the best; `scored` is sorted.
    fn candidates(&self, scored: &[(i32, u16)]) -> Vec<Cell> {
        let worst = scored.first().map_or(0, |best| best.0 - self.limits.slack);
        scored.iter().take_while(|m| m.0 >= worst).map(|m| Cell(m.1)).collect()
    }

    /// The outcome behind the best score at the root, if it is proven. `known`: the search needed
    /// no estimate; `all_tried`: it looked at every move of the root.
    fn outcome(&self, top: i32, known: bool, all_tried: bool) -> Option<Outcome> {
        let complete = !self.narrowed;
        let (outcome, proven) = match top {
            WON.. => (Outcome::Win, known || complete),
            0 => (Outcome::Draw, known && (all_tried || self.cannot_win(0))),
            _ => (Outcome::Loss, known && all_tried || complete),
        };
        proven.then_some(outcome)
    }

    fn keep_most_promising(&self, moves: &mut Vec<Cell>) {
        let most = moves.iter().map(|cell| self.promise(cell.0)).max();
        moves.retain(|cell| Some(self.promise(cell.0)) == most);
    }

    /// What needs no search: a win at once, the block of one, the start of a win by continuous
    /// threats, the middle of an empty board that is too large to search.
    fn obvious(&mut self) -> Option<Found> {
        let cells = |side| self.position.winning_cells(side).map(Cell).collect::<Vec<_>>();
        let (wins, blocks) = (cells(0), cells(1));
        let (moves, outcome) = if !wins.is_empty() {
            (wins, Some(Outcome::Win))
        } else if !blocks.is_empty() {
            let outcome = (blocks.len() > 1).then_some(Outcome::Loss);
            (blocks, outcome)
        } else if self.position.empty == self.position.geometry.cells {
            return self.opening();
        } else if self.limits.threats == 0 {
            return None;
        } else {
            let mut budget = Budget::new(FOURS_AT_ROOT, self.deadline);
            let cell = threats::win_by_fours(&mut self.position, &mut budget)?;
            (vec![Cell(cell)], Some(Outcome::Win))
        };
        Some(Found { moves, outcome, nodes: self.nodes })
    }

    /// The cells in the middle of an empty board, unless it is small enough to be searched.
    fn opening(&self) -> Option<Found> {
        let geometry = self.position.geometry;
        let off = |cell: &Cell| geometry.off_middle(cell.0);
        let cells = || (0..geometry.cells as u16).map(Cell);
        let least = cells().map(|cell| off(&cell)).min().filter(|_| geometry.cells > FULL_WIDTH)?;
        let moves = cells().filter(|cell| off(cell) == least).collect();
        // Whoever moves first has a draw at least: what the second could win with, they could.
        let outcome = self.cannot_win(0).then_some(Outcome::Draw);
        if outcome.is_none() && self.limits.all_draws {
            return Some(Found { moves, ..self.draws_by_blocking(true) });
        }
        Some(Found { moves, outcome, nodes: 0 })
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
}
