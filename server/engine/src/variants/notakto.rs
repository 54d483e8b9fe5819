//! The variant `notakto`: all boards together, and who wins by the misère quotient of Plambeck and
//! Whitehead, "The Secrets of Notakto" (2013).
//!
//! The quotient is a commutative monoid of 18 elements. Each board has an element as its value, a
//! dead board the unit, and the product of the values tells who wins.

use std::sync::LazyLock;

use noughts_protocol::{BoardSpec, Cell, Mark, Placement};

use super::Play;
use super::search::Found;
use crate::Outcome;
use crate::board::key_of_mark;

/// The eight lines of a board, as bits of its cells.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

/// An element of the quotient, by the exponents of its generators a, b, c, d.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Value([u8; 4]);

impl Value {
    /// The value of a dead board.
    const ONE: Self = Self([0, 0, 0, 0]);
    const A: Self = Self([1, 0, 0, 0]);
    const B: Self = Self([0, 1, 0, 0]);
    const AB: Self = Self([1, 1, 0, 0]);
    /// The value of an empty board.
    const C: Self = Self([0, 0, 1, 0]);
    const D: Self = Self([0, 0, 0, 1]);
    const AD: Self = Self([1, 0, 0, 1]);
    const CC: Self = Self([0, 0, 2, 0]);

    /// The products for which the side to move loses: a, bb, bc, cc.
    const LOST: [Self; 4] = [Self::A, Self([0, 2, 0, 0]), Self([0, 1, 1, 0]), Self::CC];

    /// The product, reduced by aa = 1, bbb = b, bbc = c, ccc = acc, bbd = d, cd = ad, dd = cc.
    pub(super) fn times(self, other: Self) -> Self {
        let [mut a, mut b, mut c, mut d]: [u8; 4] = std::array::from_fn(|i| self.0[i] + other.0[i]);
        while d > 1 {
            d -= 2;
            c += 2;
        }
        while c > 2 || (c > 0 && d > 0) {
            c -= 1;
            a += 1;
        }
        while b > 2 || (b > 1 && (c > 0 || d > 0)) {
            b -= 2;
        }
        a %= 2;
        Self([a, b, c, d])
    }

    /// Whether the side to move wins.
    pub(super) fn wins(self) -> bool {
        !Self::LOST.contains(&self)
    }

    /// The value of a board from the values of the boards that a move makes of it. There are no
    /// other sets of them.
    fn of(after: &[Self]) -> Self {
        let all = [Self::ONE, Self::A, Self::B, Self::AB, Self::C, Self::D, Self::AD, Self::CC];
        let bit = |value: &Self| all.iter().position(|of| of == value).map_or(0, |bit| 1 << bit);
        // From the lowest bit: 1, a, b, ab, c, d, ad, cc.
        match after.iter().fold(0_u8, |bits, value| bits | bit(value)) {
            0b0000_0011 | 0b0010_0011 | 0b0000_1011 => Self::B,
            0b0000_0111 => Self::AB,
            0b0000_1111 => Self::D,
            0b0010_1111 => Self::AD,
            0b1000_0001 => Self::C,
            0b0000_0100 => Self::CC,
            0b0100_0110 | 0b0000_1110 => Self::ONE,
            _ => Self::A,
        }
    }
}

/// A board by its marks.
#[derive(Debug, Clone, Copy)]
struct Board {
    value: Value,
    /// The smallest of its images.
    image: u16,
}

/// Per set of marked cells.
static BOARDS: LazyLock<[Board; 512]> = LazyLock::new(|| {
    let mut boards = [Board { value: Value::ONE, image: FULL }; 512];
    for marks in (0..=FULL).rev().filter(|marks| !is_dead(*marks)) {
        let after: Vec<Value> = (0..9)
            .filter(|cell| marks >> cell & 1 == 0)
            .map(|cell| boards[usize::from(marks | 1 << cell)].value)
            .collect();
        let image = images(marks).into_iter().min().unwrap_or(marks);
        boards[usize::from(marks)] = Board { value: Value::of(&after), image };
    }
    boards
});

fn is_dead(marks: u16) -> bool {
    LINES.iter().any(|line| marks & line == *line)
}

fn images(marks: u16) -> [u16; 8] {
    std::array::from_fn(|symmetry| {
        let image = |cell: u16| {
            let row = cell / 3;
            let column = cell % 3;
            let row = if symmetry & 1 == 0 { row } else { 2 - row };
            let column = if symmetry & 2 == 0 { column } else { 2 - column };
            if symmetry & 4 == 0 { 3 * row + column } else { 3 * column + row }
        };
        (0..9).filter(|cell| marks >> cell & 1 == 1).fold(0, |bits, cell| bits | 1 << image(cell))
    })
}

/// A position: the marked cells of each board.
#[derive(Debug)]
pub(super) struct Notakto {
    boards: Vec<u16>,
    /// The boards and the cells of the moves, in order.
    made: Vec<(usize, u16)>,
}

impl Notakto {
    /// The empty boards of a rectangle, three cells high.
    pub(super) fn new(spec: BoardSpec) -> Self {
        Self { boards: vec![0; usize::from(spec.width() / 3)], made: Vec::new() }
    }

    /// Boards with such marks.
    #[cfg(test)]
    pub(super) fn with<const BOARDS: usize>(boards: [u16; BOARDS]) -> Self {
        Self { boards: boards.to_vec(), made: Vec::new() }
    }

    /// The marks of each board.
    #[cfg(test)]
    pub(super) fn boards(&self) -> Vec<u16> {
        self.boards.clone()
    }

    /// The board of a cell of the rectangle, and the cell in it.
    fn place(&self, cell: Cell) -> (usize, u16) {
        let width = 3 * self.boards.len() as u16;
        let column = cell.0 % width;
        (usize::from(column / 3), 3 * (cell.0 / width) + column % 3)
    }

    fn placement(&self, board: usize, cell: u16) -> Placement {
        let width = 3 * self.boards.len() as u16;
        let column = 3 * board as u16 + cell % 3;
        Placement { mark: Mark::X, cell: Cell(cell / 3 * width + column) }
    }

    /// The product of the boards' values.
    pub(super) fn value(&self) -> Value {
        let values = self.boards.iter().map(|marks| BOARDS[usize::from(*marks)].value);
        values.fold(Value::ONE, Value::times)
    }
}

impl Play for Notakto {
    fn push_moves(&self, moves: &mut Vec<(i32, Placement)>) {
        for (number, &marks) in self.boards.iter().enumerate().filter(|board| !is_dead(*board.1)) {
            let empty = (0..9).filter(|cell| marks >> cell & 1 == 0);
            moves.extend(empty.map(|cell| (0, self.placement(number, cell))));
        }
    }

    fn make(&mut self, placed: Placement) -> Option<Outcome> {
        let (board, cell) = self.place(placed.cell);
        self.boards[board] |= 1 << cell;
        self.made.push((board, cell));
        self.boards.iter().all(|marks| is_dead(*marks)).then_some(Outcome::Loss)
    }

    /// The moves after which the opponent loses; all moves where there is none.
    fn solved(&mut self) -> Option<Found> {
        let mut moves = Vec::new();
        self.push_moves(&mut moves);
        let all: Vec<Placement> = moves.into_iter().map(|(_, placed)| placed).collect();
        let wins = |placed: &Placement| {
            let lost = self.make(*placed).is_some();
            let wins = !lost && !self.value().wins();
            self.unmake();
            wins
        };
        let winning: Vec<Placement> = all.iter().copied().filter(wins).collect();
        let (moves, outcome) =
            if winning.is_empty() { (all, Outcome::Loss) } else { (winning, Outcome::Win) };
        Some(Found { moves, outcome: Some(outcome), nodes: 0 })
    }

    fn unmake(&mut self) {
        if let Some((board, cell)) = self.made.pop() {
            self.boards[board] &= !(1 << cell);
        }
    }

    fn evaluate(&self) -> i32 {
        0
    }

    fn key(&self) -> (u64, usize) {
        let images = self.boards.iter().map(|marks| BOARDS[usize::from(*marks)].image);
        // The order of the boards does not matter, and dead ones are alike.
        let key = images.fold(0_u64, |sum, image| sum.wrapping_add(key_of_mark(image, 0)));
        (key, 0)
    }
}
