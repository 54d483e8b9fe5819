//! The search for five in a row on a large board: principal variation search with iterative deepening. Fives, open
//! fours and forced replies are seen without a search, and at the depth limit wins by continuous fours.

use super::fours::{Effort, Fours};
use super::grid::{Grid, NOWHERE, Place, answers, places};
use super::memory::{Memory, Remembered};
use super::shape::Threat;
use crate::board::Side;
use crate::deadline::{Deadline, Interrupted};
use crate::search::transposition::{Bound, from_here_to_root, from_root_to_here};

/// The score of a win at the root. Each move before it takes 1 off.
const WIN: i32 = 30_000;
/// The least score of a win. Static evaluations stay below.
const WON: i32 = WIN - 1_000;
/// The longest path from the root, forced replies included: bounds the stack.
const MAX_PLY: i32 = 96;
/// The deepest iteration.
const MAX_DEPTH: i32 = 60;
/// The fours that are tried at the depth limit.
const FOURS: Effort = Effort { longest: 12, fours: 64, plain: false };
/// The moves of a position that are tried with a full window.
const WIDTH: usize = 48;
/// With a null window: so many, and so many more for each move of depth.
const NARROW: (usize, usize) = (6, 3);
/// The window around the last score, and from which depth on there is one.
const WINDOW: i32 = 60;
const WINDOW_FROM: i32 = 5;
/// At so little depth a position so much below the window, for each move of depth, is not searched but for fours.
const HOPELESS: (i32, i32) = (2, 150);
/// The same above the window.
const SAFE: (i32, i32) = (3, 120);
/// The same below, for quiet moves.
const FUTILE: (i32, i32) = (3, 100);
/// From this depth on a side that stands well may pass, to see whether it still does.
const PASS_FROM: i32 = 4;
/// From this depth on late moves are searched less deep.
const REDUCE_FROM: i32 = 3;
/// Added to the order of a killer: a move that was too good beside this position.
const KILLER: i32 = 60;
/// The history counts up to about this, and a part of it adds to the order.
const MOST_HISTORY: i32 = 8_192;
const HISTORY_PART: i32 = 64;
/// The remembered best move comes first.
const FIRST: i32 = 1_000_000;

#[derive(Debug, Clone, Copy)]
pub(super) struct Deepened {
    pub(super) best: Place,
    /// For the side to move.
    pub(super) score: i32,
    /// The deepest finished iteration.
    pub(super) depth: i32,
}

/// How a position is searched: how deep, between which bounds, and how far from the root.
#[derive(Debug, Clone, Copy)]
struct Task {
    depth: i32,
    alpha: i32,
    beta: i32,
    ply: i32,
    /// Whether the move before was one, and no pass.
    may_pass: bool,
}

/// A search of one position.
pub(super) struct FiveSearch<'a> {
    pub(super) grid: Grid,
    pub(super) fours: Fours,
    pub(super) nodes: u64,
    max_nodes: u64,
    deadline: &'a Deadline,
    memory: Memory,
    /// Per ply: the last moves that were too good.
    killers: Vec<[Place; 2]>,
    /// Per side and place: how often a move was too good.
    history: [Vec<i32>; 2],
    /// The moves of every position on the path from the root, with their order.
    moves: Vec<(i32, Place)>,
}

impl<'a> FiveSearch<'a> {
    /// A search of at most so many positions, which remembers in so many bytes.
    pub(super) fn new(grid: Grid, max_nodes: u64, bytes: usize, deadline: &'a Deadline) -> Self {
        let history = vec![0; Grid::PLACES];
        Self {
            grid,
            fours: Fours::new(),
            nodes: 0,
            max_nodes,
            deadline,
            memory: Memory::of_bytes(bytes),
            killers: vec![[NOWHERE; 2]; MAX_PLY as usize + 1],
            history: [history.clone(), history],
            moves: Vec::new(),
        }
    }

    /// Searches these moves deeper and deeper, until the time is over, a win or loss is as near as it can be, or one
    /// move is left. At least one move.
    pub(super) fn deepen(&mut self, root: &mut [(i32, Place)]) -> Deepened {
        root.sort_by_key(|(order, _)| -order);
        let mut found = Deepened { best: root[0].1, score: self.grid.evaluate(), depth: 0 };
        let last = MAX_DEPTH.min(self.grid.left as i32);
        for depth in 1..=last {
            if self.iterate(root, depth, &mut found).is_err() {
                break;
            }
            found.depth = depth;
            let is_decided = found.score.abs() >= WON && WIN - found.score.abs() <= depth;
            if root.len() == 1 || is_decided {
                break;
            }
        }
        found
    }

    /// Searches the root to a depth, with wider windows until the score is inside.
    fn iterate(
        &mut self,
        root: &mut [(i32, Place)],
        depth: i32,
        found: &mut Deepened,
    ) -> Result<(), Interrupted> {
        let mut window = if depth < WINDOW_FROM { WIN } else { WINDOW };
        loop {
            let alpha = (found.score - window).max(-WIN);
            let beta = (found.score + window).min(WIN);
            let task = Task { depth, alpha, beta, ply: 0, may_pass: false };
            found.score = self.search_root(root, task, found)?;
            let is_inside = found.score > alpha && found.score < beta;
            if is_inside || window == WIN {
                return Ok(());
            }
            window = if window > 500 { WIN } else { window * 4 };
        }
    }

    /// The best score of the moves. The best one comes first afterwards.
    fn search_root(
        &mut self,
        root: &mut [(i32, Place)],
        mut task: Task,
        found: &mut Deepened,
    ) -> Result<i32, Interrupted> {
        let mut best = -WIN;
        for number in 0..root.len() {
            let place = root[number].1;
            let score = self.search_move(place, task, number, 0)?;
            if score > best {
                best = score;
                if score > task.alpha {
                    task.alpha = score;
                    root[..=number].rotate_right(1);
                    found.best = place;
                    found.score = score;
                }
            }
            if score >= task.beta {
                break;
            }
        }
        Ok(best)
    }

    /// The score of a move of a position. The first one is searched with the full window, the others with a null window
    /// and perhaps less deep, and again if they are better.
    fn search_move(
        &mut self,
        place: Place,
        task: Task,
        number: usize,
        reduction: i32,
    ) -> Result<i32, Interrupted> {
        self.grid.put(place);
        let score = self.search_put(task, number, reduction);
        self.grid.take_back();
        score
    }

    fn search_put(
        &mut self,
        task: Task,
        number: usize,
        reduction: i32,
    ) -> Result<i32, Interrupted> {
        let Task { depth, alpha, beta, ply, .. } = task;
        let next =
            Task { depth: depth - 1, alpha: -beta, beta: -alpha, ply: ply + 1, may_pass: true };
        if number > 0 {
            let null = Task { alpha: -alpha - 1, ..next };
            let mut score = -self.search(Task { depth: null.depth - reduction, ..null })?;
            if score > alpha && reduction > 0 {
                score = -self.search(null)?;
            }
            if score <= alpha || beta - alpha == 1 {
                return Ok(score);
            }
        }
        Ok(-self.search(next)?)
    }

    /// The score of the position for the side to move.
    fn search(&mut self, mut task: Task) -> Result<i32, Interrupted> {
        self.nodes += 1;
        if self.nodes > self.max_nodes || self.deadline.is_over() {
            return Err(Interrupted);
        }
        let ply = task.ply;
        let side = self.grid.to_move;
        if self.grid.count(side, Threat::Five) > 0 {
            return Ok(WIN - ply - 1);
        }
        if self.grid.left == 0 {
            return Ok(0);
        }
        if self.grid.count(1 - side, Threat::Five) > 1 {
            return Ok(ply + 2 - WIN);
        }
        if ply >= MAX_PLY {
            return Ok(self.grid.evaluate());
        }
        if let Some(must) = self.grid.five(1 - side) {
            return self.search_move(must, Task { depth: task.depth + 1, ..task }, 0, 0);
        }
        if self.grid.count(side, Threat::TwoFours) > 0 {
            return Ok(WIN - ply - 3);
        }
        task.alpha = task.alpha.max(ply - WIN);
        task.beta = task.beta.min(WIN - ply - 1);
        if task.alpha >= task.beta {
            return Ok(task.alpha);
        }
        let is_threatened = self.grid.count(1 - side, Threat::TwoFours) > 0;
        if task.depth <= 0 {
            if let Some(score) = self.win_by_fours(ply) {
                return Ok(score);
            }
            // A threat is answered one move beyond the limit.
            if !is_threatened || task.depth < 0 {
                return Ok(self.grid.evaluate());
            }
        }
        self.search_or_remember(task, is_threatened)
    }

    fn win_by_fours(&mut self, ply: i32) -> Option<i32> {
        let found = self.fours.search(&mut self.grid, FOURS);
        found.map(|(_, length)| WIN - ply - length)
    }

    fn search_or_remember(&mut self, task: Task, is_threatened: bool) -> Result<i32, Interrupted> {
        let Task { depth, alpha, beta, ply, .. } = task;
        let is_null = beta - alpha == 1;
        let key = self.grid.key_to_move();
        let known = self.memory.get(key);
        if let Some(entry) = known.filter(|entry| is_null && i32::from(entry.depth) >= depth) {
            let score = from_here_to_root(entry.score.into(), ply, WON);
            if entry.bound.is_enough(score, (alpha, beta)) {
                return Ok(score);
            }
        }
        if is_null
            && !is_threatened
            && beta.abs() < WON
            && let Some(score) = self.without_moves(task)?
        {
            return Ok(score);
        }
        let start = self.moves.len();
        self.push_moves(is_threatened, known, ply);
        let best = self.best_move(task, start, is_threatened);
        self.moves.truncate(start);
        let (score, best, bound) = best?;
        self.memory.put(key, from_root_to_here(score, ply, WON), best, depth, bound);
        Ok(score)
    }

    /// A score that needs no search of the moves: of a position far outside of a null window, or of
    /// one that is too good even if its side passes.
    fn without_moves(&mut self, task: Task) -> Result<Option<i32>, Interrupted> {
        let Task { depth, alpha, beta, ply, may_pass } = task;
        let evaluation = self.grid.evaluate();
        if depth <= HOPELESS.0 && evaluation + HOPELESS.1 * depth < alpha {
            return Ok(Some(self.win_by_fours(ply).unwrap_or(evaluation)));
        }
        if !may_pass || evaluation < beta {
            return Ok(None);
        }
        if depth <= SAFE.0 && evaluation - SAFE.1 * depth >= beta {
            return Ok(Some(evaluation));
        }
        if depth < PASS_FROM {
            return Ok(None);
        }
        self.grid.pass();
        let depth = depth - 3 - depth / 4;
        let passed = self.search(Task {
            depth,
            alpha: -beta,
            beta: 1 - beta,
            ply: ply + 1,
            may_pass: false,
        });
        self.grid.pass();
        let score = -passed?;
        Ok((score >= beta && score < WON).then_some(score))
    }

    /// The score of the best of the moves from `start` on, and what it is to the true one.
    fn best_move(
        &mut self,
        mut task: Task,
        start: usize,
        is_threatened: bool,
    ) -> Result<(i32, Place, Bound), Interrupted> {
        let Task { depth, beta, ply, .. } = task;
        let side = self.grid.to_move;
        let is_null = beta - task.alpha == 1;
        let narrow = NARROW.0 + NARROW.1 * depth.max(0) as usize;
        let width = if is_null && !is_threatened { narrow.min(WIDTH) } else { WIDTH };
        let last = self.moves.len().min(start + width);
        let hope = self.grid.evaluate() + FUTILE.1 * depth.max(1);
        let is_futile = is_null && !is_threatened && depth <= FUTILE.0 && hope < task.alpha;
        let mut best = (ply + 4 - WIN, NOWHERE, Bound::AtMost);
        let mut number = 0;
        for index in start..last {
            let place = self.next_move(index);
            let threatens = |side| self.grid.threat(side, place) >= Threat::Three as u8;
            let is_quiet = !threatens(side) && !threatens(1 - side);
            if is_futile && is_quiet && number > 0 {
                continue;
            }
            let reduction =
                if depth >= REDUCE_FROM { reduction(depth, number, is_quiet, is_null) } else { 0 };
            let score = self.search_move(place, task, number, reduction)?;
            number += 1;
            if score > best.0 {
                best.0 = score;
                best.1 = place;
            }
            if score >= beta {
                best.2 = Bound::AtLeast;
                self.reward(side, place, depth, ply);
                break;
            }
            if score > task.alpha {
                task.alpha = score;
                best.2 = Bound::Exact;
            }
        }
        Ok(best)
    }

    /// The move of the highest order from `index` on, which takes that place.
    fn next_move(&mut self, index: usize) -> Place {
        let mut best = index;
        for other in index + 1..self.moves.len() {
            if self.moves[other].0 > self.moves[best].0 {
                best = other;
            }
        }
        self.moves.swap(index, best);
        self.moves[index].1
    }

    fn reward(&mut self, side: Side, place: Place, depth: i32, ply: i32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != place {
            *killers = [place, killers[0]];
        }
        let history = &mut self.history[side][usize::from(place)];
        *history += depth * depth - *history * depth * depth / MOST_HISTORY;
    }

    /// Appends the moves to try, with their order.
    fn push_moves(&mut self, is_threatened: bool, known: Option<Remembered>, ply: i32) {
        let side = self.grid.to_move;
        let set = if is_threatened { answers(&self.grid) } else { self.grid.near() };
        let killers = self.killers[ply as usize];
        for place in places(&set) {
            let mut order = self.grid.promise(place);
            order += self.history[side][usize::from(place)] / HISTORY_PART;
            if killers.contains(&place) {
                order += KILLER;
            }
            if known.is_some_and(|entry| entry.best == place) {
                order += FIRST;
            }
            self.moves.push((order, place));
        }
    }
}

/// How much less deep a late move is searched.
fn reduction(depth: i32, number: usize, is_quiet: bool, is_null: bool) -> i32 {
    if number < 2 {
        return 0;
    }
    let full = f64::from(depth).ln() * ((number + 1) as f64).ln() / 1.5;
    let reduction = if is_quiet { full as i32 } else { full as i32 / 2 };
    (reduction - i32::from(!is_null)).clamp(0, depth - 2)
}
