//! The search on bit boards for variants in which the player who completes a line wins: principal variation
//! search with a transposition table. Wins and losses two moves ahead are seen without a search, and forced
//! replies cost no depth. To the end of the game it is a solver.

use std::cmp::Reverse;

use noughts_protocol::{Cell, Computer, Game, Mark, Placement, Strategy, Strength};

use super::bundles::LineBundles;
use super::{Play, general};
use crate::bits::Bits;
use crate::board::mix;
use crate::deadline::{Budget, Deadline, Interrupted};
use crate::search::transposition::{
    Bound, Entry, TranspositionTable, from_here_to_root, from_root_to_here,
};
use crate::search::window::{Window, null_window_first, score_root};
use crate::{Candidates, Outcome};

/// The score of a win at the root. Each move before it takes 1 off.
const WIN: i32 = 10_000;
/// The least score of a win. Static evaluations stay below.
const WON: i32 = WIN - 500;
/// The size of the table, first and largest: two to the power of so many positions.
const TABLE: (u32, u32) = (16, 24);
/// With more marks than this a mirror image is not worth its price.
const MIRRORED: u32 = 16;
/// The part of the time for a search that evaluates, where the rest is for one to the end.
const EVALUATED: f64 = 0.3;
/// So many positions are enough for that.
const ENOUGH: u64 = 1_000_000;
/// The worth of a threat that decides when the columns fill up. It won 20 games of 20 where a third
/// of it won 15.
const LATE_THREAT: i32 = 300;
/// The depth of a search that goes as far as the time allows.
pub(super) const DEEPEST: i32 = i32::MAX;
/// The positions that each part may search where there is no time limit.
const POSITIONS: u32 = 1_000_000;

/// A board that no move changes.
#[derive(Debug)]
pub(super) struct Field<B> {
    pub(super) lines: LineBundles<B>,
    pub(super) cells: B,
    /// The lowest cells, where marks fall: the cell above has the next bit.
    pub(super) floor: Option<B>,
    /// Per bit: the number of lines through the cell.
    pub(super) through: Vec<u8>,
    /// The rows 1, 3 and so on from below, where their number is even.
    pub(super) odd_rows: Option<B>,
    /// Per bit: its mirror image.
    pub(super) mirror: Option<Vec<u8>>,
    /// Per bit: the cell, in the numbers of [`Cell`].
    pub(super) cell_of: Vec<u16>,
}

/// The marks of both sides, and the cells that complete their lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marks<B> {
    /// Of the side to move.
    pub(super) own: B,
    pub(super) other: B,
    /// Taken cells may be among them.
    pub(super) own_wins: B,
    pub(super) other_wins: B,
}

impl<B: Bits> Marks<B> {
    pub(super) fn none() -> Self {
        let none = B::default();
        Self { own: none, other: none, own_wins: none, other_wins: none }
    }

    pub(super) fn taken(&self) -> B {
        self.own | self.other
    }

    /// After a move; `own` is then the other side.
    pub(super) fn after(&self, field: &Field<B>, cell: u32) -> Self {
        let own = self.own | B::one(cell);
        let wins = field.lines.wins(own);
        Self { own: self.other, other: own, own_wins: self.other_wins, other_wins: wins }
    }

    /// The same marks where the other side is to move.
    pub(super) fn passed(&self) -> Self {
        Self {
            own: self.other,
            other: self.own,
            own_wins: self.other_wins,
            other_wins: self.own_wins,
        }
    }

    fn key(&self) -> u64 {
        let [low, high] = self.own.halves();
        let own = mix(low ^ high.rotate_left(17).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let [low, high] = self.other.halves();
        mix(own.wrapping_add(low) ^ high.rotate_left(29).wrapping_mul(0xd6e8_feb8_6659_fd93))
    }
}

impl<B: Bits> Field<B> {
    /// The cells that may be played.
    pub(super) fn legal(&self, taken: B) -> B {
        let open = self.floor.map_or(self.cells, |floor| taken << 1 | floor);
        open & self.cells & !taken
    }

    /// The marks of a game.
    pub(super) fn marks(&self, game: &Game) -> Marks<B> {
        let cells = game.moves().iter().map(|cell| self.bit(*cell));
        cells.fold(Marks::none(), |marks, cell| marks.after(self, cell))
    }

    /// The cell of a bit.
    pub(super) fn cell(&self, bit: u32) -> Cell {
        Cell(self.cell_of[bit as usize])
    }

    fn bit(&self, cell: Cell) -> u32 {
        // Every cell of the board has a bit.
        self.cell_of.iter().position(|of| *of == cell.0).unwrap_or(0) as u32
    }

    fn mirrored(&self, bit: u32) -> u32 {
        self.mirror.as_ref().map_or(bit, |mirror| mirror[bit as usize].into())
    }

    fn image(&self, set: B) -> B {
        B::of(set.each().map(|bit| self.mirrored(bit)))
    }

    /// The key of a position, the same for its mirror image, and whether it is the image's.
    fn key(&self, marks: &Marks<B>) -> (u64, bool) {
        let key = marks.key();
        if self.mirror.is_none() || marks.taken().count() > MIRRORED {
            return (key, false);
        }
        let image =
            Marks { own: self.image(marks.own), other: self.image(marks.other), ..Marks::none() };
        let image = image.key();
        (key.min(image), image < key)
    }

    /// The result in the form of all variants.
    pub(super) fn candidates(&self, game: &Game, found: BestCells) -> Candidates {
        let mark = game.to_move();
        let moves = found.moves.into_iter().map(|bit| Placement { mark, cell: self.cell(bit) });
        general::found(moves.collect(), found.outcome, found.nodes, game)
    }

    /// The static evaluation for the side to move.
    fn evaluate(&self, marks: &Marks<B>) -> i32 {
        let own = self.lines.value(marks.own, marks.other);
        let other = self.lines.value(marks.other, marks.own);
        let score = own + own / 4 - other + self.late_threats(marks);
        score.clamp(1 - WON, WON - 1)
    }

    /// The value of the threats that decide when the columns fill up: then the player who began must play in the
    /// odd rows, and the other one in the even rows.
    fn late_threats(&self, marks: &Marks<B>) -> i32 {
        let Some(odd) = self.odd_rows else { return 0 };
        let taken = marks.taken();
        let empty = self.cells & !taken;
        let is_first = taken.count().is_multiple_of(2);
        let (own_rows, other_rows) = if is_first { (odd, !odd) } else { (!odd, odd) };
        let own = (marks.own_wins & empty & own_rows).count() as i32;
        let other = (marks.other_wins & empty & other_rows).count() as i32;
        LATE_THREAT * (own - other)
    }
}

/// The result of a search: at least one move.
#[derive(Debug)]
pub(super) struct BestCells {
    pub(super) moves: Vec<u32>,
    pub(super) outcome: Option<Outcome>,
    pub(super) nodes: u64,
}

/// A search of positions on one board.
#[derive(Debug)]
pub(super) struct DuelSearch<'a, B> {
    field: &'a Field<B>,
    deadline: &'a Deadline,
    budget: Budget<'a>,
    nodes: u64,
    /// The moves of every position on the path from the root, position after position.
    moves: Vec<(i32, u32, Marks<B>)>,
    table: TranspositionTable,
}

impl<'a, B: Bits> DuelSearch<'a, B> {
    pub(super) fn new(field: &'a Field<B>, deadline: &'a Deadline) -> Self {
        Self {
            field,
            deadline,
            budget: Budget::moves(0, deadline),
            nodes: 0,
            moves: Vec::new(),
            table: TranspositionTable::within(deadline.memory(), TABLE.0, TABLE.1),
        }
    }

    /// The best of the moves to these cells in an unfinished game, unless a win or a block is elsewhere. It looks so
    /// many moves ahead, forced ones not counted. `to_end`: then it searches to the end of the game.
    pub(super) fn best_moves(
        &mut self,
        marks: &Marks<B>,
        among: B,
        depth: i32,
        to_end: bool,
    ) -> BestCells {
        let taken = marks.taken();
        let legal = self.field.legal(taken);
        let wins = marks.own_wins & legal;
        if !wins.is_empty() {
            return self.found(wins.each().collect(), Some(Outcome::Win));
        }
        let blocks = marks.other_wins & legal;
        let cells = if blocks.is_empty() { legal & among } else { blocks };
        let mut root: Vec<(i32, u32)> = cells.each().map(|cell| (0, cell)).collect();
        root.sort_by_key(|(_, cell)| Reverse(self.field.through[*cell as usize]));
        let mut moves = vec![root[0].1];
        let part = if to_end { EVALUATED } else { 1.0 };
        self.budget = Budget::part(part, POSITIONS, self.deadline);
        let left = (self.field.cells & !taken).count() as i32;
        for depth in 1..=left.min(depth) {
            let scored = score_root(&mut root, WIN, 0, |cell, window, first| {
                self.score_after(&marks.after(self.field, cell), depth, window, 0, first)
            });
            let Some(&(top, _)) = root[..scored].first() else { break };
            moves = root[..scored].iter().take_while(|m| m.0 == top).map(|m| m.1).collect();
            if scored < root.len() || to_end && self.nodes > ENOUGH {
                break;
            }
            if depth == left || top.abs() >= WON {
                return self.found(moves, Some(outcome(top)));
            }
        }
        if !to_end {
            return self.found(moves, None);
        }
        self.budget = Budget::part(1.0, POSITIONS, self.deadline);
        self.solve_root(marks, &root, moves)
    }

    const fn found(&self, moves: Vec<u32>, outcome: Option<Outcome>) -> BestCells {
        BestCells { moves, outcome, nodes: self.nodes }
    }

    /// Solves the moves of the root, in order, until one wins or the budget is spent. `estimated` are the best so
    /// far.
    fn solve_root(
        &mut self,
        marks: &Marks<B>,
        root: &[(i32, u32)],
        estimated: Vec<u32>,
    ) -> BestCells {
        let mut drawn = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        let mut is_spent = false;
        for &(score, cell) in root {
            let next = marks.after(self.field, cell);
            let reply = if score <= -WON { Some(Outcome::Win) } else { self.solve(&next) };
            match reply.filter(|_| !is_spent) {
                Some(Outcome::Loss) => return self.found(vec![cell], Some(Outcome::Win)),
                Some(Outcome::Draw) => drawn.push(cell),
                Some(Outcome::Win) => {}
                None => {
                    is_spent = true;
                    open.push(cell);
                }
            }
        }
        let mut moves = estimated;
        if open.is_empty() {
            let outcome = if drawn.is_empty() { Outcome::Loss } else { Outcome::Draw };
            return self.found(if drawn.is_empty() { moves } else { drawn }, Some(outcome));
        }
        moves.retain(|cell| open.contains(cell) || drawn.contains(cell));
        let others = open.first().filter(|_| moves.is_empty());
        moves.extend(others);
        self.found(moves, None)
    }

    /// The outcome of a position with best play; `None` if the budget is spent before.
    pub(super) fn solve(&mut self, marks: &Marks<B>) -> Option<Outcome> {
        let left = (self.field.cells & !marks.taken()).count() as i32;
        self.score(marks, left, (-WON, WON), 0).ok().map(outcome)
    }

    /// The score of a move to `next` for the side that makes it.
    fn score_after(
        &mut self,
        next: &Marks<B>,
        depth: i32,
        window: Window,
        ply: i32,
        first: bool,
    ) -> Result<i32, Interrupted> {
        null_window_first(first, window, |(alpha, beta)| {
            self.score(next, depth - 1, (-beta, -alpha), ply + 1).map(|score| -score)
        })
    }

    /// The score of the position for the side to move: exact between `alpha` and `beta`, else the nearer of the
    /// two.
    fn score(
        &mut self,
        marks: &Marks<B>,
        depth: i32,
        (alpha, beta): Window,
        ply: i32,
    ) -> Result<i32, Interrupted> {
        self.nodes += 1;
        self.budget.spend().ok_or(Interrupted)?;
        let legal = self.field.legal(marks.taken());
        if !(marks.own_wins & legal).is_empty() {
            return Ok((WIN - ply - 1).clamp(alpha, beta));
        }
        if legal.is_empty() {
            return Ok(0.clamp(alpha, beta));
        }
        let blocks = marks.other_wins & legal;
        let cells = self.safe(marks, if blocks.is_empty() { legal } else { blocks });
        if cells.is_empty() || blocks.has_two() {
            return Ok((ply + 2 - WIN).clamp(alpha, beta));
        }
        if !blocks.is_empty() {
            let next = marks.after(self.field, cells.lowest());
            return self.score_after(&next, depth + 1, (alpha, beta), ply, true);
        }
        if depth <= 0 {
            return Ok(self.field.evaluate(marks).clamp(alpha, beta));
        }
        self.stored_or_searched(marks, cells, depth, (alpha, beta), ply)
    }

    /// The cells after which the other side does not win on the cell above.
    fn safe(&self, marks: &Marks<B>, cells: B) -> B {
        if self.field.floor.is_some() { cells & !(marks.other_wins >> 1) } else { cells }
    }

    fn stored_or_searched(
        &mut self,
        marks: &Marks<B>,
        cells: B,
        depth: i32,
        (alpha, beta): Window,
        ply: i32,
    ) -> Result<i32, Interrupted> {
        let (key, is_image) = self.field.key(marks);
        let image = |cell: u32| if is_image { self.field.mirrored(cell) } else { cell };
        let known = self.table.get(key);
        if let Some(entry) = known.filter(|entry| i32::from(entry.depth) >= depth) {
            let score = from_here_to_root(entry.score, ply, WON);
            if entry.bound.is_enough(score, (alpha, beta)) {
                return Ok(score.clamp(alpha, beta));
            }
        }
        let known = known.map(|entry| image(entry.best.into()));
        let (score, best) = self.best_reply(marks, cells, depth, (alpha, beta), ply, known)?;
        let bound = Bound::of(score, (alpha, beta));
        let depth = if bound.is_decisive(score, WON) { i16::MAX } else { depth as i16 };
        let score_here = from_root_to_here(score, ply, WON);
        self.table.put(Entry { key, score: score_here, best: image(best) as u16, depth, bound });
        Ok(score)
    }

    /// The best score between the bounds, and the move that has it. Moves that make most threats come first.
    fn best_reply(
        &mut self,
        marks: &Marks<B>,
        cells: B,
        depth: i32,
        (mut alpha, beta): Window,
        ply: i32,
        known: Option<u32>,
    ) -> Result<(i32, u32), Interrupted> {
        let start = self.moves.len();
        let empty = self.field.cells & !marks.taken();
        for cell in cells.each() {
            let next = marks.after(self.field, cell);
            let threats = (next.other_wins & empty).count() as i32;
            let lines = i32::from(self.field.through[cell as usize]);
            let rank = if Some(cell) == known { i32::MAX } else { 64 * threats + lines };
            self.moves.push((rank, cell, next));
        }
        self.moves[start..].sort_unstable_by_key(|(rank, _, _)| -rank);
        let mut best = self.moves[start].1;
        for i in start..self.moves.len() {
            let (_, cell, next) = self.moves[i];
            let score = self.score_after(&next, depth, (alpha, beta), ply, i == start)?;
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
}

/// How far a computer looks ahead with [`DuelSearch`]; `None`: it plays by the search of all variants.
pub(super) const fn depth(computer: Computer, strong: i32) -> Option<i32> {
    match (computer.strategy, computer.strength.named()) {
        (Strategy::Perfect, _) | (Strategy::Minimax, Strength::VeryStrong) => Some(DEEPEST),
        (Strategy::Minimax, Strength::Strong) => Some(strong),
        _ => None,
    }
}

const fn outcome(score: i32) -> Outcome {
    match score {
        1.. => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

/// A game on a field, for the searches that all variants share.
#[derive(Debug)]
pub(super) struct Duel<'a, B> {
    field: &'a Field<B>,
    /// The positions so far, and the side to move in the last one.
    path: Vec<Marks<B>>,
    side: Mark,
}

impl<'a, B: Bits> Duel<'a, B> {
    pub(super) fn new(field: &'a Field<B>, game: &Game) -> Self {
        Self { field, path: vec![field.marks(game)], side: game.to_move() }
    }

    fn marks(&self) -> Marks<B> {
        self.path.last().copied().unwrap_or(Marks::none())
    }
}

impl<B: Bits> Play for Duel<'_, B> {
    fn push_moves(&self, moves: &mut Vec<(i32, Placement)>) {
        let marks = self.marks();
        let legal = self.field.legal(marks.taken());
        moves.extend(legal.each().map(|bit| {
            let is_urgent = (marks.own_wins | marks.other_wins).has(bit);
            let rank = i32::from(self.field.through[bit as usize]);
            let placed = Placement { mark: self.side, cell: self.field.cell(bit) };
            (if is_urgent { 1_000 } else { rank }, placed)
        }));
    }

    fn make(&mut self, placed: Placement) -> Option<Outcome> {
        let marks = self.marks();
        let bit = self.field.bit(placed.cell);
        let next = marks.after(self.field, bit);
        self.path.push(next);
        self.side = self.side.other();
        if marks.own_wins.has(bit) {
            return Some(Outcome::Win);
        }
        (self.field.cells & !next.taken()).is_empty().then_some(Outcome::Draw)
    }

    fn unmake(&mut self) {
        self.path.pop();
        self.side = self.side.other();
    }

    fn evaluate(&self) -> i32 {
        self.field.evaluate(&self.marks())
    }

    fn key(&self) -> (u64, usize) {
        let (key, is_image) = self.field.key(&self.marks());
        (key, is_image.into())
    }

    fn image(&self, placed: Placement, symmetry: usize) -> Placement {
        if symmetry == 0 {
            return placed;
        }
        let bit = self.field.mirrored(self.field.bit(placed.cell));
        Placement { cell: self.field.cell(bit), ..placed }
    }

    fn original(&self, placed: Placement, symmetry: usize) -> Placement {
        self.image(placed, symmetry)
    }
}
