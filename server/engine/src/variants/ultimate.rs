//! Ultimate by Monte-Carlo tree search: random games, in which both take what is to be won, tell
//! how good a move is. A proof at the end of a branch is carried to the root.

use std::cmp::Ordering;

use noughts_protocol::{Cell, Computer, Game, Mark, Placement, Strategy, Strength};

use super::{Play, general};
use crate::bits::bits;
use crate::board::mix;
use crate::deadline::{Budget, Deadline};
use crate::{Candidates, Outcome};

/// All cells of a board, or all boards.
const ALL: u16 = 0o777;
/// The lines of a board, or of the nine boards.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
/// By a side's marks: the cells that complete a line. They may be taken.
const WINS: [u16; 512] = {
    let mut wins = [0; 512];
    let mut marks = 0;
    while marks < wins.len() {
        let mut line = 0;
        while line < LINES.len() {
            let missing = LINES[line] & !(marks as u16);
            if missing.count_ones() == 1 {
                wins[marks] |= missing;
            }
            line += 1;
        }
        marks += 1;
    }
    wins
};
/// The largest tree, in nodes of 28 bytes.
const NODES: usize = 1 << 20;
/// The most moves of a position.
const MOVES: usize = 81;
/// The random games where there is no time limit.
const GAMES: u32 = 20_000;
/// How much a move is tried that is not known well.
const CURIOSITY: f32 = 0.5;

/// The candidates of an unfinished game.
pub(super) fn candidates(game: &Game, computer: Computer, deadline: &Deadline) -> Candidates {
    let mut play = Nine::new(game);
    let games = match (computer.strategy, computer.strength.named()) {
        (Strategy::Minimax, Strength::Weak) => Some(30),
        (Strategy::Minimax, Strength::Average) => Some(250),
        (Strategy::Minimax, Strength::Strong) => Some(1_500),
        (Strategy::Minimax, Strength::VeryStrong) | (Strategy::Perfect, _) => None,
        (Strategy::Minimax | Strategy::Heuristic | Strategy::Rules, _) => {
            return general::candidates(&mut play, game, computer, deadline);
        }
    };
    let budget = games
        .map_or_else(|| Budget::part(1.0, GAMES, deadline), |games| Budget::moves(games, deadline));
    let mut tree = Tree::new(play.position(), deadline.memory());
    let (moves, outcome) = tree.best_moves(budget);
    let mark = game.to_move();
    let moves = moves.into_iter().map(|step| Placement { mark, cell: step.cell() });
    general::found(moves.collect(), outcome, tree.games, game)
}

/// A place for a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    /// The board, from 0, row by row.
    board: u8,
    /// The cell of the board, from 0, row by row.
    cell: u8,
}

impl Step {
    /// The cell of the rectangle of 9 × 9.
    fn cell(self) -> Cell {
        let row = self.board / 3 * 3 + self.cell / 3;
        let column = self.board % 3 * 3 + self.cell % 3;
        Cell(u16::from(row) * 9 + u16::from(column))
    }

    const fn of(cell: Cell) -> Self {
        let row = (cell.0 / 9) as u8;
        let column = (cell.0 % 9) as u8;
        Self { board: row / 3 * 3 + column / 3, cell: row % 3 * 3 + column % 3 }
    }
}

/// A position. Sides are numbers: 0 moved first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Boards {
    /// Per board and side.
    marks: [[u16; 2]; 9],
    /// Per side: the boards that it has won.
    won: [u16; 2],
    /// The boards that are won or full.
    closed: u16,
    /// The boards to play in.
    open: u16,
    side: usize,
    /// Whether more boards win where there are no three in a row.
    majority: bool,
}

impl Boards {
    const fn new(majority: bool) -> Self {
        Self { marks: [[0; 2]; 9], won: [0; 2], closed: 0, open: ALL, side: 0, majority }
    }

    const fn empty(&self, board: usize) -> u16 {
        ALL & !(self.marks[board][0] | self.marks[board][1])
    }

    /// The cells on which a side wins a board that is not closed.
    const fn wins(&self, board: usize, side: usize) -> u16 {
        WINS[self.marks[board][side] as usize] & self.empty(board)
    }

    fn steps(&self) -> impl Iterator<Item = Step> {
        let cells = |board| bits(self.empty(board)).map(move |cell| (board as u8, cell as u8));
        bits(self.open).flat_map(cells).map(|(board, cell)| Step { board, cell })
    }

    /// A step that decides the game.
    fn winning_step(&self) -> Option<Step> {
        let deciding = WINS[usize::from(self.won[self.side])] & self.open;
        bits(deciding).find_map(|board| {
            let cell = bits(self.wins(board, self.side)).next()?;
            Some(Step { board: board as u8, cell: cell as u8 })
        })
    }

    /// Makes a step; how it ends the game, for the side that made it.
    fn make(&mut self, Step { board, cell }: Step) -> Option<Outcome> {
        let board = usize::from(board);
        let side = self.side;
        let is_won = self.wins(board, side) & 1 << cell != 0;
        self.marks[board][side] |= 1 << cell;
        self.side = 1 - side;
        let mut is_over = false;
        if is_won {
            is_over = WINS[usize::from(self.won[side])] & 1 << board != 0;
            self.won[side] |= 1 << board;
        }
        if is_won || self.empty(board) == 0 {
            self.closed |= 1 << board;
        }
        let open = ALL & !self.closed;
        self.open = if open & 1 << cell != 0 { 1 << cell } else { open };
        if is_over {
            return Some(Outcome::Win);
        }
        (open == 0).then(|| {
            let count = |side: usize| self.won[side].count_ones();
            match count(side).cmp(&count(1 - side)) {
                Ordering::Greater if self.majority => Outcome::Win,
                Ordering::Less if self.majority => Outcome::Loss,
                _ => Outcome::Draw,
            }
        })
    }

    fn key(&self) -> u64 {
        let marks = self.marks.iter().fold(u64::from(self.open), |key, [own, other]| {
            mix(key ^ (u64::from(*own) << 16 | u64::from(*other)))
        });
        mix(marks ^ self.side as u64)
    }

    /// The worth of a side's boards: won ones in lines still open to it, and marks in open ones.
    fn value(&self, side: usize) -> i32 {
        let lines = |own: u16, lost: u16, worth: [i32; 3]| {
            let open = LINES.iter().filter(|line| **line & lost == 0);
            open.map(|line| worth[(own & line).count_ones().min(2) as usize]).sum::<i32>()
        };
        let lost = self.closed & !self.won[side];
        let boards = bits(ALL & !self.closed);
        let small = boards
            .map(|board| lines(self.marks[board][side], self.marks[board][1 - side], [0, 2, 12]));
        lines(self.won[side], lost, [0, 100, 400]) + small.sum::<i32>()
    }
}

/// A game of ultimate, for the searches that all variants share.
#[derive(Debug)]
pub(super) struct Nine {
    path: Vec<Boards>,
    /// The mark of side 0.
    first: Mark,
}

impl Nine {
    pub(super) fn new(game: &Game) -> Self {
        let mut position = Boards::new(game.rules().majority);
        for cell in game.moves() {
            // The game is not over, or this is its last move.
            let _ = position.make(Step::of(*cell));
        }
        Self { path: vec![position], first: game.first() }
    }

    fn position(&self) -> Boards {
        self.path.last().copied().unwrap_or(Boards::new(false))
    }
}

impl Play for Nine {
    fn push_moves(&self, moves: &mut Vec<(i32, Placement)>) {
        let position = self.position();
        let mark = if position.side == 0 { self.first } else { self.first.other() };
        moves.extend(position.steps().map(|step| {
            let priority = (bias(&position, step) * 100.0) as i32;
            (priority, Placement { mark, cell: step.cell() })
        }));
    }

    fn make(&mut self, placed: Placement) -> Option<Outcome> {
        let mut position = self.position();
        let outcome = position.make(Step::of(placed.cell));
        self.path.push(position);
        outcome
    }

    fn unmake(&mut self) {
        self.path.pop();
    }

    fn evaluate(&self) -> i32 {
        let position = self.position();
        position.value(position.side) - position.value(1 - position.side)
    }

    fn key(&self) -> (u64, usize) {
        (self.position().key(), 0)
    }
}

/// How promising a step looks, about -1 to 1.
fn bias(position: &Boards, step: Step) -> f32 {
    let side = position.side;
    let board = usize::from(step.board);
    let mut next = *position;
    let is_over = next.make(step).is_some();
    let wins = if next.won[side] != position.won[side] { 0.4 } else { 0.0 };
    let blocks = if position.wins(board, 1 - side) & 1 << step.cell != 0 { 0.2 } else { 0.0 };
    let allows = match next.open.count_ones() {
        _ if is_over => 0.0,
        1 if next.wins(next.open.trailing_zeros() as usize, 1 - side) != 0 => 0.25,
        1 => 0.0,
        _ => 0.3,
    };
    wins + blocks - allows
}

/// Chance that the position decides, so that the same search finds the same moves.
#[derive(Debug)]
struct Dice(u64);

impl Dice {
    /// Any of the bits of a set that is not empty.
    fn pick(&mut self, mut set: u16) -> usize {
        self.0 = self.0.wrapping_add(1);
        let random = mix(self.0) >> 32;
        for _ in 0..(random * u64::from(set.count_ones())) >> 32 {
            set &= set - 1;
        }
        set.trailing_zeros() as usize
    }

    /// A step of a random game: it takes a board that can be won, and does not give one away that decides the
    /// game.
    fn step(&mut self, position: &Boards) -> Step {
        let side = position.side;
        let winnable = bits(position.open).filter(|board| position.wins(*board, side) != 0);
        let winnable = winnable.fold(0, |set, board| set | 1 << board);
        let board = self.pick(if winnable == 0 { position.open } else { winnable });
        let wins = position.wins(board, side);
        let cells = if wins == 0 { position.empty(board) } else { wins };
        let deciding = WINS[usize::from(position.won[1 - side])];
        let mut good = cells & !position.closed;
        for board in bits(good & deciding) {
            if position.wins(board, 1 - side) != 0 {
                good &= !(1 << board);
            }
        }
        let cell = self.pick(if good == 0 { cells } else { good });
        Step { board: board as u8, cell: cell as u8 }
    }

    /// The points of the side to move after a random game: 1 for a win, a half for a draw.
    fn play(&mut self, mut position: Boards) -> f32 {
        let root = position.side;
        loop {
            let side = position.side;
            let step = position.winning_step().unwrap_or_else(|| self.step(&position));
            if let Some(outcome) = position.make(step) {
                let points = points(outcome);
                return if side == root { points } else { 1.0 - points };
            }
        }
    }
}

const fn points(outcome: Outcome) -> f32 {
    match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.5,
        Outcome::Loss => 0.0,
    }
}

/// The same outcome for the other side.
const fn opposite(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Win => Outcome::Loss,
        Outcome::Draw => Outcome::Draw,
        Outcome::Loss => Outcome::Win,
    }
}

/// A step in the tree, with what is known of it. All is for the side that makes it.
#[derive(Debug, Clone, Copy)]
struct Branch {
    step: Step,
    proven: Option<Outcome>,
    bias: f32,
    visits: u32,
    points: f32,
    /// The steps after it, which are together.
    first: u32,
    children: u32,
}

impl Branch {
    const fn new(step: Step, bias: f32, proven: Option<Outcome>) -> Self {
        Self { step, proven, bias, visits: 0, points: 0.0, first: 0, children: 0 }
    }

    /// For a choice: a draw that is proven is better than a step that has won less than half.
    fn rank(&self) -> (u8, u32) {
        match self.proven {
            Some(Outcome::Win) => (4, 0),
            None if 2.0 * self.points >= self.visits as f32 => (3, self.visits),
            Some(Outcome::Draw) => (2, 0),
            None => (1, self.visits),
            Some(Outcome::Loss) => (0, self.visits),
        }
    }
}

#[derive(Debug)]
struct Tree {
    root: Boards,
    nodes: Vec<Branch>,
    max_nodes: usize,
    dice: Dice,
    games: u64,
}

impl Tree {
    /// A tree that takes at most so many bytes, but for the moves of its root.
    fn new(root: Boards, memory: Option<usize>) -> Self {
        let max_nodes = memory.map_or(NODES, |bytes| bytes / (2 * size_of::<Branch>())).min(NODES);
        let node = Branch::new(Step { board: 0, cell: 0 }, 0.0, None);
        Self { root, nodes: vec![node], max_nodes, dice: Dice(root.key()), games: 0 }
    }

    /// The best steps, and their outcome where it is proven.
    fn best_moves(&mut self, mut budget: Budget<'_>) -> (Vec<Step>, Option<Outcome>) {
        let root = self.root;
        self.expand(0, &root);
        while self.nodes[0].proven.is_none() && budget.spend().is_some() {
            self.games += 1;
            self.play();
        }
        // Where all is lost, the step that was searched most holds out longest.
        let best = self.children(0).map(Branch::rank).max();
        let steps = self.children(0).filter(|node| Some(node.rank()) == best);
        let steps = steps.map(|node| node.step).collect();
        (steps, self.nodes[0].proven.map(opposite))
    }

    fn range(&self, at: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        node.first as usize..(node.first + node.children) as usize
    }

    fn children(&self, at: usize) -> impl Iterator<Item = &Branch> {
        self.nodes[self.range(at)].iter()
    }

    /// One random game from a leaf, which then gets its steps at the second visit.
    fn play(&mut self) {
        let mut position = self.root;
        let mut path = vec![0];
        let mut at = 0;
        while self.nodes[at].children > 0 && self.nodes[at].proven.is_none() {
            at = self.most_urgent(at);
            // A step that ends the game is proven.
            let _ = position.make(self.nodes[at].step);
            path.push(at);
        }
        let leaf = self.nodes[at];
        let has_room = self.nodes.len() + MOVES <= self.max_nodes;
        if leaf.proven.is_none() && leaf.visits > 0 && has_room {
            self.expand(at, &position);
        }
        let mut won = match self.nodes[at].proven {
            Some(outcome) => points(outcome),
            None => 1.0 - self.dice.play(position),
        };
        while let Some(at) = path.pop() {
            self.nodes[at].visits += 1;
            self.nodes[at].points += won;
            won = 1.0 - won;
            if let Some(parent) = path.last().filter(|_| self.nodes[at].proven.is_some()) {
                self.prove(*parent);
            }
        }
    }

    fn expand(&mut self, at: usize, position: &Boards) {
        let first = self.nodes.len();
        for step in position.steps() {
            let mut next = *position;
            let outcome = next.make(step);
            let proven = outcome.or_else(|| next.winning_step().map(|_| Outcome::Loss));
            self.nodes.push(Branch::new(step, bias(position, step), proven));
        }
        self.nodes[at].first = first as u32;
        self.nodes[at].children = (self.nodes.len() - first) as u32;
        self.prove(at);
    }

    /// Proves a step by the steps after it, if their outcomes are enough.
    fn prove(&mut self, at: usize) {
        let best = self.children(at).filter_map(|node| node.proven).max();
        let is_known = |node: &Branch| node.proven.is_some();
        if best == Some(Outcome::Win) || self.children(at).all(is_known) {
            self.nodes[at].proven = best.map(opposite);
        }
    }

    /// The step to try next, of those that are not proven: one that has won often, looks good, or was tried little.
    fn most_urgent(&self, at: usize) -> usize {
        let log = (self.nodes[at].visits.max(1) as f32).ln();
        let urgency = |node: &Branch| {
            let visits = node.visits as f32 + 1.0;
            let mean = (node.points + 0.5 + node.bias) / visits;
            CURIOSITY.mul_add((log / visits).sqrt(), mean)
        };
        let open = self.range(at).filter(|at| self.nodes[*at].proven.is_none());
        let urgent = open.map(|at| (urgency(&self.nodes[at]), at));
        urgent.max_by(|(a, _), (b, _)| a.total_cmp(b)).map_or(at, |(_, at)| at)
    }
}

#[cfg(test)]
mod tests;
