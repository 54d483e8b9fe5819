//! A position of the variants that are about lines on one board: `misere`, `wild`, `wild_misere`
//! and `order`. The meaning of a full line is [`Goal`]'s.

use noughts_protocol::{Cell, Mark, Placement};

use super::Play;
use crate::Outcome;
use crate::board::{Geometry, SYMMETRIES, inverse, key_of_mark};

/// The meaning of lines and marks in a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// Each side places its own mark. The side that completes a line loses.
    Misere,
    /// Each side places either mark. The side that completes a line wins.
    Wild,
    /// Each side places either mark. The side that completes a line loses.
    WildMisere,
    /// Each side places either mark. A line wins for X's side; O's side wins when none is possible.
    Order,
}

/// A position, with the moves to take back.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    geometry: &'a Geometry,
    goal: Goal,
    to_move: Mark,
    /// Per cell: whether it has a mark.
    taken: Vec<bool>,
    empty: usize,
    /// Per line: the marks X and O in it.
    counts: Vec<[u8; 2]>,
    /// The lines without two different marks.
    open: usize,
    /// Per mark: the value of the lines that hold only such marks.
    totals: [i32; 2],
    /// The keys of the board's images: as it is, and with X and O exchanged.
    keys: [[u64; SYMMETRIES]; 2],
    made: Vec<Placement>,
}

impl<'a> Lines<'a> {
    /// The empty board; `first` moves first.
    pub(super) fn new(geometry: &'a Geometry, goal: Goal, first: Mark) -> Self {
        Self {
            geometry,
            goal,
            to_move: first,
            taken: vec![false; geometry.cells],
            empty: geometry.cells,
            counts: vec![[0; 2]; geometry.lines()],
            open: geometry.lines(),
            totals: [0; 2],
            keys: [[0; SYMMETRIES]; 2],
            made: Vec::new(),
        }
    }

    /// Whether a mark on the cell completes a line.
    fn completes(&self, Placement { mark, cell }: Placement) -> bool {
        let full = self.geometry.line;
        let lines = self.geometry.lines_of(cell.0).iter();
        lines
            .map(|line| self.counts[usize::from(*line)])
            .any(|counts| usize::from(counts[mark as usize]) == full)
    }

    /// Puts the mark on its cell (`sign` 1) or takes it away (-1).
    fn change(&mut self, Placement { mark, cell }: Placement, sign: i8) {
        let own = mark as usize;
        let geometry = self.geometry;
        for (symmetry, image) in geometry.images(cell.0).iter().enumerate() {
            self.keys[0][symmetry] ^= key_of_mark(*image, own);
            self.keys[1][symmetry] ^= key_of_mark(*image, 1 - own);
        }
        self.taken[cell.index()] = sign > 0;
        self.empty = self.empty.wrapping_add_signed(-isize::from(sign));
        for &line in geometry.lines_of(cell.0) {
            let counts = &mut self.counts[usize::from(line)];
            let before = *counts;
            counts[own] = counts[own].wrapping_add_signed(sign);
            let after = *counts;
            self.count(before, -1);
            self.count(after, 1);
        }
    }

    /// Counts a line in (`sign` 1) or out (-1).
    fn count(&mut self, counts: [u8; 2], sign: i32) {
        match counts {
            [0, 0] => self.open = self.open.wrapping_add_signed(sign as isize),
            [x, 0] => {
                self.open = self.open.wrapping_add_signed(sign as isize);
                self.totals[0] += sign * value(x);
            }
            [0, o] => {
                self.open = self.open.wrapping_add_signed(sign as isize);
                self.totals[1] += sign * value(o);
            }
            _ => {}
        }
    }

    /// How the move that was just made ends the game, for the side that made it.
    fn ending(&self, placed: Placement, mover: Mark) -> Option<Outcome> {
        if self.completes(placed) {
            return Some(match self.goal {
                Goal::Wild => Outcome::Win,
                Goal::Misere | Goal::WildMisere => Outcome::Loss,
                Goal::Order => outcome_of(mover == Mark::X),
            });
        }
        match self.goal {
            Goal::Order => (self.open == 0).then(|| outcome_of(mover == Mark::O)),
            _ => (self.empty == 0).then_some(Outcome::Draw),
        }
    }

    /// The marks that the side to move may place.
    fn marks(&self) -> &'static [Mark] {
        match (self.goal, self.to_move) {
            (Goal::Misere, Mark::X) => &[Mark::X],
            (Goal::Misere, Mark::O) => &[Mark::O],
            _ => &Mark::BOTH,
        }
    }

    /// How early the search tries a move: lines that it builds count for it or against it.
    fn priority(&self, Placement { mark, cell }: Placement) -> i32 {
        let own = mark as usize;
        let full = self.geometry.line as u8;
        let lines = self.geometry.lines_of(cell.0).iter();
        let of = |line: &u16| {
            let counts = self.counts[usize::from(*line)];
            let built = if counts[1 - own] == 0 { value(counts[own] + 1) } else { 0 };
            let broken = if counts[own] == 0 { value(counts[1 - own]) } else { 0 };
            match self.goal {
                Goal::Misere => -2 * built - broken,
                Goal::WildMisere => -built,
                Goal::Wild if counts[1 - own] > 0 => 0,
                Goal::Wild if counts[own] + 1 == full => 1 << 20,
                Goal::Wild if counts[own] + 2 == full => -(1 << 10),
                Goal::Wild => 0,
                Goal::Order if self.to_move == Mark::X => 2 * built - broken,
                Goal::Order => 2 * broken - built,
            }
        };
        lines.map(of).sum::<i32>() * 64 - i32::from(self.geometry.distance_from_centre(cell.0))
    }

    /// Whether some line of equal marks lacks one.
    fn lacks_one(&self) -> bool {
        let almost = self.geometry.line as u8 - 1;
        self.counts.iter().any(|counts| *counts == [almost, 0] || *counts == [0, almost])
    }

    /// The empty cells with a mark that neither loses nor lets the opponent win at once: who fills
    /// the last of them leaves the opponent none.
    fn safe_cells(&self) -> i32 {
        let full = self.geometry.line as u8;
        // A line of so many equal marks must not be made.
        let fatal = if self.goal == Goal::Wild { full - 1 } else { full };
        let builds = |cell: u16, own: usize| {
            self.geometry.lines_of(cell).iter().any(|line| {
                let counts = self.counts[usize::from(*line)];
                counts[1 - own] == 0 && counts[own] + 1 >= fatal
            })
        };
        let safe =
            |cell: &u16| !(self.taken[usize::from(*cell)] || builds(*cell, 0) && builds(*cell, 1));
        (0..self.geometry.cells as u16).filter(safe).count() as i32
    }
}

/// The estimate where the side to move completes a line.
const ALMOST_WON: i32 = 100_000;

impl Play for Lines<'_> {
    fn push_moves(&self, moves: &mut Vec<(i32, Placement)>) {
        for cell in (0..self.geometry.cells as u16).filter(|cell| !self.taken[usize::from(*cell)]) {
            for &mark in self.marks() {
                let placed = Placement { mark, cell: Cell(cell) };
                moves.push((self.priority(placed), placed));
            }
        }
    }

    fn make(&mut self, placed: Placement) -> Option<Outcome> {
        let mover = self.to_move;
        self.change(placed, 1);
        self.made.push(placed);
        self.to_move = mover.other();
        self.ending(placed, mover)
    }

    fn unmake(&mut self) {
        if let Some(placed) = self.made.pop() {
            self.change(placed, -1);
            self.to_move = self.to_move.other();
        }
    }

    fn evaluate(&self) -> i32 {
        let own = self.to_move as usize;
        match self.goal {
            Goal::Misere => self.totals[1 - own] - self.totals[own],
            Goal::Wild if self.lacks_one() => ALMOST_WON,
            Goal::Wild | Goal::WildMisere => {
                let safe = self.safe_cells();
                let sign = if safe % 2 == 1 { 1 } else { -1 };
                sign * 1_000 / (safe + 1)
            }
            Goal::Order => {
                let sign = if self.to_move == Mark::X { 1 } else { -1 };
                sign * (self.totals[0] + self.totals[1] + self.open as i32)
            }
        }
    }

    fn key(&self) -> (u64, usize) {
        let exchanged = usize::from(self.goal != Goal::Misere);
        let keys = self.keys[..=exchanged].iter().flatten().enumerate();
        keys.min_by_key(|(_, key)| **key).map_or((0, 0), |(symmetry, key)| (*key, symmetry))
    }

    fn image(&self, placed: Placement, symmetry: usize) -> Placement {
        self.turned(placed, symmetry, symmetry % SYMMETRIES)
    }

    fn original(&self, placed: Placement, symmetry: usize) -> Placement {
        self.turned(placed, symmetry, inverse(symmetry % SYMMETRIES))
    }
}

impl Lines<'_> {
    fn turned(&self, placed: Placement, symmetry: usize, turn: usize) -> Placement {
        let mark = if symmetry < SYMMETRIES { placed.mark } else { placed.mark.other() };
        Placement { mark, cell: Cell(self.geometry.images(placed.cell.0)[turn]) }
    }
}

pub(super) const fn outcome_of(wins: bool) -> Outcome {
    if wins { Outcome::Win } else { Outcome::Loss }
}

/// The value of a line with so many equal marks and no other: four times as much with each mark.
pub(super) fn value(marks: u8) -> i32 {
    1 << (2 * marks.min(8))
}
