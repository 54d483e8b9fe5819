//! The search that all variants share: principal variation search with iterative deepening over
//! [`Play`]. The search of lines, which knows threats, is [`crate::search`].

use noughts_protocol::{Cell, Mark, Placement};

use super::Play;
use crate::Outcome;
use crate::deadline::{Deadline, Interrupted};
use crate::search::transposition::{
    Bound, Entry, TranspositionTable, from_here_to_root, from_root_to_here,
};
use crate::search::window::{Window, null_window_first, score_root};

/// The score of a win at the root. Each move before it takes 1 off.
const WIN: i32 = 1_000_000;
/// The least score of a win.
const WON: i32 = WIN - 1_000;
/// Static evaluations stay within this on both sides of 0.
const MAX_ESTIMATE: i32 = 200_000;
/// A slack that makes every estimate as good as the best one, and no win.
pub(super) const ANY_ESTIMATE: i32 = 2 * MAX_ESTIMATE;
/// The deepest search: bounds the stack.
const MAX_DEPTH: u32 = 80;
/// The stored depth of a score that no deeper search changes.
const PROVEN: i16 = i16::MAX;
/// The deepest search that uses a small table.
const SHALLOW: u32 = 2;

/// How far and wide a search goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// The most moves that it looks ahead.
    pub(super) depth: u32,
    /// How many moves it tries in a position; those of the highest priority.
    pub(super) width: usize,
    /// Moves are candidates that score at most this much less than the best.
    pub(super) slack: i32,
    /// The most positions; where the deadline has a time limit, it alone ends the deepest search.
    pub(super) nodes: u64,
}

#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The best moves: at least one.
    pub(super) moves: Vec<Placement>,
    /// Their outcome, where it is proven.
    pub(super) outcome: Option<Outcome>,
    /// The positions that were searched.
    pub(super) nodes: u64,
}

struct VariantSearch<'a, P> {
    play: &'a mut P,
    deadline: &'a Deadline,
    reach: Reach,
    nodes: u64,
    /// The moves of every position on the path from the root, position after position.
    moves: Vec<(i32, Placement)>,
    table: TranspositionTable,
    /// How many scores so far were static evaluations or left out moves. A score that needed none
    /// of these is proven.
    estimates: u64,
    /// Whether the search has ever left out moves.
    left_out_moves: bool,
}

/// The best moves of a game that is not over, within the reach and the deadline. They are legal
/// even if the deadline is over before the call.
pub(super) fn best_moves<P: Play>(play: &mut P, reach: Reach, deadline: &Deadline) -> Found {
    let bits = if reach.depth <= SHALLOW { (8, 8) } else { (14, 23) };
    let table = TranspositionTable::within(deadline.memory(), bits.0, bits.1);
    let mut search = VariantSearch {
        play,
        deadline,
        reach,
        nodes: 0,
        moves: Vec::new(),
        table,
        estimates: 0,
        left_out_moves: false,
    };
    search.deepen()
}

impl<P: Play> VariantSearch<'_, P> {
    /// Searches deeper and deeper until the outcome is known or the time is over.
    fn deepen(&mut self) -> Found {
        self.push_moves(0);
        let mut root = std::mem::take(&mut self.moves);
        let all_tried = !self.left_out_moves;
        let mut found = Found { moves: vec![root[0].1], outcome: None, nodes: 0 };
        for depth in 1..=self.reach.depth.min(MAX_DEPTH) {
            let before = self.estimates;
            let scored = score_root(&mut root, WIN, self.reach.slack, |placed, window, first| {
                self.search_move(placed, depth as i32, window, 0, first)
            });
            let Some(&(top, _)) = root[..scored].first() else { break };
            let worst = top - self.reach.slack;
            found.moves = root[..scored].iter().take_while(|m| m.0 >= worst).map(|m| m.1).collect();
            if scored < root.len() {
                break;
            }
            let known = self.estimates == before;
            if known || top.abs() >= WON {
                found.outcome = self.outcome(top, known && all_tried);
                break;
            }
        }
        found.nodes = self.nodes;
        found
    }

    /// The outcome that the best score at the root means, if it is proven.
    fn outcome(&self, top: i32, known: bool) -> Option<Outcome> {
        let complete = !self.left_out_moves;
        let (outcome, proven) = match top {
            WON.. => (Outcome::Win, known || complete),
            0 => (Outcome::Draw, known),
            _ => (Outcome::Loss, known || complete),
        };
        proven.then_some(outcome)
    }

    /// The score of a move for the side that makes it.
    fn search_move(
        &mut self,
        placed: Placement,
        depth: i32,
        window: Window,
        ply: i32,
        first: bool,
    ) -> Result<i32, Interrupted> {
        null_window_first(first, window, |window| self.score_after(placed, depth, window, ply))
    }

    fn score_after(
        &mut self,
        placed: Placement,
        depth: i32,
        (alpha, beta): Window,
        ply: i32,
    ) -> Result<i32, Interrupted> {
        let score = match self.play.make(placed) {
            Some(Outcome::Win) => Ok(WIN - ply - 1),
            Some(Outcome::Loss) => Ok(ply + 1 - WIN),
            Some(Outcome::Draw) => {
                self.estimates += u64::from(!P::DRAWS_ARE_PROVEN);
                Ok(0)
            }
            None => self.score(depth - 1, (-beta, -alpha), ply + 1).map(|score| -score),
        };
        self.play.unmake();
        score
    }

    /// The score of the position for the side to move: exact between `alpha` and `beta`, else a
    /// bound beyond the nearer of the two.
    fn score(&mut self, depth: i32, (alpha, beta): Window, ply: i32) -> Result<i32, Interrupted> {
        self.nodes += 1;
        if self.nodes > self.reach.nodes || self.deadline.is_over() {
            return Err(Interrupted);
        }
        if depth <= 0 {
            self.estimates += 1;
            return Ok(self.play.evaluate().clamp(-MAX_ESTIMATE, MAX_ESTIMATE));
        }
        let (key, symmetry) = self.play.key();
        let known = self.table.get(key);
        if let Some(entry) = known.filter(|entry| i32::from(entry.depth) >= depth) {
            let score = from_here_to_root(entry.score, ply, WON);
            if entry.bound.is_enough(score, (alpha, beta)) {
                self.estimates += u64::from(entry.depth != PROVEN);
                return Ok(score);
            }
        }
        let before = self.estimates;
        let known = known.map(|entry| self.play.original(unpacked(entry.best), symmetry));
        let (score, best) = self.best_reply(depth, (alpha, beta), ply, known)?;
        let bound = Bound::of(score, (alpha, beta));
        let certain = !self.left_out_moves && bound.is_decisive(score, WON);
        let depth = if self.estimates == before || certain { PROVEN } else { depth as i16 };
        let best = packed(self.play.image(best, symmetry));
        let score_here = from_root_to_here(score, ply, WON);
        self.table.put(Entry { key, score: score_here, best, depth, bound });
        Ok(score)
    }

    /// The best score, and the move that has it.
    fn best_reply(
        &mut self,
        depth: i32,
        (mut alpha, beta): Window,
        ply: i32,
        known: Option<Placement>,
    ) -> Result<(i32, Placement), Interrupted> {
        let start = self.moves.len();
        self.push_moves(start);
        if let Some(i) = (start..self.moves.len()).find(|i| Some(self.moves[*i].1) == known) {
            self.moves[start..=i].rotate_right(1);
        }
        let mut best = (-WIN, self.moves[start].1);
        for i in start..self.moves.len() {
            let placed = self.moves[i].1;
            let score = self.search_move(placed, depth, (alpha, beta), ply, i == start)?;
            if score > best.0 {
                best = (score, placed);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        self.moves.truncate(start);
        Ok(best)
    }

    /// Appends the moves to try, those of high priority first.
    fn push_moves(&mut self, start: usize) {
        self.play.push_moves(&mut self.moves);
        self.moves[start..].sort_by_key(|(priority, _)| -priority);
        if self.moves.len() - start > self.reach.width {
            self.moves.truncate(start + self.reach.width);
            self.left_out_moves = true;
            self.estimates += 1;
        }
    }
}

/// A move as the table keeps it.
fn packed(Placement { mark, cell }: Placement) -> u16 {
    2 * cell.0 + u16::from(mark == Mark::O)
}

fn unpacked(packed: u16) -> Placement {
    let mark = if packed.is_multiple_of(2) { Mark::X } else { Mark::O };
    Placement { mark, cell: Cell(packed / 2) }
}
