//! The variant `vanish`: a position that forgets the oldest marks, and the table of all positions
//! of 3 × 3.

use std::sync::LazyLock;

use noughts_protocol::{BoardSpec, Cell, Mark, Placement};

use super::Play;
use super::search::Found;
use crate::Outcome;
use crate::board::{Geometry, SYMMETRIES, key_of_mark};

/// A game is drawn at so many marks.
const MOST_MARKS: usize = 361;
/// Cells of a board of 3 × 3.
const SMALL: usize = 9;

/// A position: the last marks of each side, in the order in which they were placed.
#[derive(Debug)]
pub(super) struct Vanish<'a> {
    geometry: &'a Geometry,
    /// The cells of every line.
    lines: Vec<u32>,
    first: Mark,
    /// The cell of each mark that was ever placed.
    played: Vec<u8>,
    /// The marks of the side that moved last, then those of the side to move.
    bits: [u32; 2],
}

impl<'a> Vanish<'a> {
    /// The empty board; `first` moves first.
    pub(super) fn new(geometry: &'a Geometry, first: Mark) -> Self {
        let line = |number| {
            let cells = geometry.cells_of(number as u16).iter();
            cells.fold(0, |bits, cell| bits | 1 << cell)
        };
        Self {
            geometry,
            lines: (0..geometry.lines()).map(line).collect(),
            first,
            played: Vec::new(),
            bits: [0; 2],
        }
    }

    fn to_move(&self) -> Mark {
        self.first.after(self.played.len())
    }

    /// The mark of the side to move that goes with its next one, as a bit.
    fn leaving(&self) -> u32 {
        let marks = 2 * self.geometry.line;
        let oldest = self.played.len().checked_sub(marks).map(|place| self.played[place]);
        oldest.map_or(0, |cell| 1 << cell)
    }

    fn empty(&self) -> u32 {
        ((1 << self.geometry.cells) - 1) & !(self.bits[0] | self.bits[1])
    }

    /// Whether the marks have stood like this twice before.
    fn is_third_time(&self) -> bool {
        let marks = 2 * self.geometry.line;
        let made = self.played.len();
        if made < marks {
            return false;
        }
        let now = &self.played[made - marks..];
        let before = (marks..made - 1).rev().step_by(2);
        before.filter(|end| &self.played[end - marks..*end] == now).take(2).count() == 2
    }

    /// The marks that stand on the board, the newest first, with their ages.
    fn standing(&self) -> impl Iterator<Item = (u16, u8)> {
        let marks = 2 * self.geometry.line;
        let newest = self.played.iter().rev().take(marks).enumerate();
        newest.map(|(age, cell)| (age as u16, *cell))
    }

    /// The value of the lines without a mark of the other side.
    fn value(&self, own: u32, other: u32) -> i32 {
        let open = self.lines.iter().filter(|line| *line & other == 0);
        open.map(|line| (1 << (2 * (line & own).count_ones())) - 1).sum()
    }

    /// Per legal move on 3 × 3: in how many marks it wins, or loses if that is negative; 0: nobody can
    /// win. `None` on other boards.
    pub(super) fn known(&mut self) -> Option<Vec<(Cell, i8)>> {
        if self.geometry.cells != SMALL {
            return None;
        }
        let cells = (0..SMALL as u16).filter(|cell| self.empty() >> cell & 1 == 1);
        let cells: Vec<Cell> = cells.map(Cell).collect();
        let mark = self.to_move();
        let value = |cell: Cell| {
            let ending = self.make(Placement { mark, cell });
            let after = TABLE[code(&self.played)];
            self.unmake();
            match ending {
                Some(Outcome::Win) => 1,
                Some(_) => 0,
                None => -(after + after.signum()),
            }
        };
        Some(cells.iter().copied().zip(cells.iter().copied().map(value)).collect())
    }
}

impl Play for Vanish<'_> {
    const DRAWS_ARE_PROVEN: bool = false;

    fn push_moves(&self, moves: &mut Vec<(i32, Placement)>) {
        let [other, own] = self.bits;
        let own = own & !self.leaving();
        let mark = self.to_move();
        let empty = self.empty();
        for cell in (0..self.geometry.cells as u16).filter(|cell| empty >> cell & 1 == 1) {
            let bit = 1 << cell;
            let priority = self.value(own | bit, other) - self.value(other, own | bit);
            moves.push((priority, Placement { mark, cell: Cell(cell) }));
        }
    }

    fn make(&mut self, placed: Placement) -> Option<Outcome> {
        let [other, own] = self.bits;
        let own = own & !self.leaving() | 1 << placed.cell.0;
        self.played.push(placed.cell.0 as u8);
        self.bits = [own, other];
        if self.lines.iter().any(|line| own & line == *line) {
            return Some(Outcome::Win);
        }
        let drawn = self.played.len() >= MOST_MARKS || self.is_third_time();
        drawn.then_some(Outcome::Draw)
    }

    /// On 3 × 3: the quickest win, what nobody can win, or the longest defence. A repetition counts where
    /// the move itself is the third.
    fn solved(&mut self) -> Option<Found> {
        let known = self.known()?;
        // From a loss at once over a late one, a draw and a late win to a win at once.
        let rank = |value: i8| {
            if value == 0 { 0 } else { i32::from(value.signum()) * 200 - i32::from(value) }
        };
        let best = known.iter().map(|(_, value)| rank(*value)).max()?;
        let outcome = match best {
            1.. => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        };
        let mark = self.to_move();
        let moves = known.into_iter().filter(|(_, value)| rank(*value) == best);
        let moves = moves.map(|(cell, _)| Placement { mark, cell }).collect();
        Some(Found { moves, outcome: Some(outcome), nodes: 0 })
    }

    fn unmake(&mut self) {
        if let Some(cell) = self.played.pop() {
            let [own, other] = self.bits;
            let own = own & !(1 << cell);
            self.bits = [other, own];
            self.bits[1] |= self.leaving();
        }
    }

    fn evaluate(&self) -> i32 {
        let [other, own] = self.bits;
        let own = own & !self.leaving();
        2 * self.value(own, other) - self.value(other, own)
    }

    fn key(&self) -> (u64, usize) {
        let mut keys = [0; SYMMETRIES];
        for (age, cell) in self.standing() {
            for (key, image) in keys.iter_mut().zip(self.geometry.images(cell.into())) {
                *key ^= key_of_mark(image + 64 * age, 0);
            }
        }
        let keys = keys.into_iter().enumerate();
        keys.min_by_key(|(_, key)| *key).map_or((0, 0), |(symmetry, key)| (key, symmetry))
    }

    fn image(&self, placed: Placement, symmetry: usize) -> Placement {
        Placement { cell: Cell(self.geometry.images(placed.cell.0)[symmetry]), ..placed }
    }

    fn original(&self, placed: Placement, symmetry: usize) -> Placement {
        self.image(placed, crate::board::inverse(symmetry))
    }
}

/// Per [`code`] of a position of 3 × 3, in a megabyte: in how many marks the side to move wins, or
/// loses if it is negative. 0: it can hold out for ever, or the position does not occur.
static TABLE: LazyLock<Vec<i8>> = LazyLock::new(table);

/// The last six cells as digits from 1, the newest in the lowest place.
fn code(played: &[u8]) -> usize {
    let newest = played.iter().rev().take(6).rev();
    newest.fold(0, |code, cell| 10 * code + usize::from(*cell) + 1)
}

/// All positions that occur, and of each the positions that its moves lead to: [`WON`] where a move
/// completes a line.
fn positions() -> Vec<(usize, Vec<usize>)> {
    let geometry = Geometry::new(BoardSpec::TIC_TAC_TOE);
    let mut reached = vec![false; 1_000_000];
    let mut waiting = vec![Vec::new()];
    let mut all = Vec::new();
    while let Some(played) = waiting.pop() {
        let mut position = Vanish::new(&geometry, Mark::X);
        for cell in &played {
            position.make(Placement { mark: position.to_move(), cell: Cell(u16::from(*cell)) });
        }
        let mut moves = Vec::new();
        position.push_moves(&mut moves);
        let mut next = Vec::new();
        for (_, placed) in moves {
            let won = position.make(placed) == Some(Outcome::Win);
            let after = code(&position.played);
            next.push(if won { WON } else { after });
            if !won && !std::mem::replace(&mut reached[after], true) {
                let oldest = position.played.len().saturating_sub(6);
                waiting.push(position.played[oldest..].to_vec());
            }
            position.unmake();
        }
        all.push((code(&played), next));
    }
    all
}

/// Where a move leads that completes a line.
const WON: usize = usize::MAX;

/// Works backwards: in each round the wins in one mark more, or the losses.
fn table() -> Vec<i8> {
    let mut left = positions();
    let mut table = vec![0_i8; 1_000_000];
    let mut idle = 0;
    for marks in 1_i8.. {
        if idle == 2 {
            break;
        }
        let decided = |(_, next): &(usize, Vec<usize>)| {
            if marks % 2 == 1 {
                next.iter().any(|after| match marks {
                    1 => *after == WON,
                    _ => *after != WON && table[*after] == 1 - marks,
                })
            } else {
                next.iter().all(|after| *after != WON && table[*after] > 0)
            }
        };
        let (found, others): (Vec<_>, Vec<_>) = left.into_iter().partition(decided);
        left = others;
        idle = if found.is_empty() { idle + 1 } else { 0 };
        for (code, _) in found {
            table[code] = if marks % 2 == 1 { marks } else { -marks };
        }
    }
    table
}
