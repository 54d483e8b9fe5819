//! A board that a search plays on: marks come and go, and what lines are worth is kept up to
//! date by looking only at the lines through the cell.

use noughts_protocol::Game;

use super::geometry::{Geometry, SYMMETRIES};
use super::transposition::key_of_mark;

/// A side in a search: 0 is the player to move at the root, 1 the opponent.
pub(super) type Side = usize;

/// A game's board in a form that is quick to play on. No side ever has a line here: a search
/// stops one move before.
#[derive(Debug)]
pub(super) struct Position<'a> {
    pub(super) geometry: &'a Geometry,
    /// Whose mark is on each cell.
    marks: Vec<Option<Side>>,
    /// Whose turn it is.
    pub(super) to_move: Side,
    /// Cells without a mark.
    pub(super) empty: usize,
    /// Per line: the marks of each side.
    counts: Vec<[u8; 2]>,
    /// Per line: its empty cells, folded together by exclusive or. When only one is left, this is it.
    empty_in: Vec<u16>,
    /// By the number of own marks in a line without an opponent's: what the line is worth.
    weights: Vec<i32>,
    /// Per side and cell: the worth of the lines through it that the side can still win.
    worth: [Vec<i32>; 2],
    /// Per side: the worth of all lines it can still win.
    pub(super) total: [i32; 2],
    /// Per side: how many lines it can still win.
    pub(super) open: [u16; 2],
    /// Per side: how many of its lines lack only one mark.
    almost: [u16; 2],
    /// Per side and cell: how many of those lines lack the mark here.
    wins_at: [Vec<u8>; 2],
    /// Per side: how many of its lines lack two marks.
    lack_two: [u16; 2],
    /// The key of the board as it lies, and of its seven other images.
    keys: [u64; SYMMETRIES],
}

impl<'a> Position<'a> {
    /// The position of an unfinished game.
    pub(super) fn new(geometry: &'a Geometry, game: &Game) -> Self {
        let weights: Vec<i32> = (0..=geometry.line).map(|own| weight(own, geometry.line)).collect();
        let cells = geometry.cells;
        let worth: Vec<i32> = (0..cells)
            .map(|cell| geometry.lines_of(cell as u16).len() as i32 * weights[0])
            .collect();
        let lines = geometry.lines();
        let fold =
            |line| geometry.cells_of(line as u16).iter().fold(0, |folded, cell| folded ^ cell);
        let mut position = Self {
            geometry,
            marks: vec![None; cells],
            to_move: 0,
            empty: cells,
            counts: vec![[0; 2]; lines],
            empty_in: (0..lines).map(fold).collect(),
            total: [lines as i32 * weights[0]; 2],
            weights,
            worth: [worth.clone(), worth],
            open: [lines as u16; 2],
            almost: [0; 2],
            wins_at: [vec![0; cells], vec![0; cells]],
            lack_two: [0; 2],
            keys: [0; SYMMETRIES],
        };
        // Whoever moves next at the root is side 0.
        position.to_move = usize::from(game.ply() % 2 == 1);
        for cell in game.moves() {
            position.place(cell.0);
        }
        position
    }

    /// Whether a cell has no mark.
    pub(super) fn is_empty(&self, cell: u16) -> bool {
        self.marks[usize::from(cell)].is_none()
    }

    /// The cells without a mark, ascending.
    pub(super) fn empty_cells(&self) -> impl Iterator<Item = u16> {
        (0..self.geometry.cells as u16).filter(|cell| self.is_empty(*cell))
    }

    /// The worth for a side of the lines through a cell.
    pub(super) fn worth(&self, side: Side, cell: u16) -> i32 {
        self.worth[side][usize::from(cell)]
    }

    /// Cells on which a side completes a line.
    pub(super) fn winning_cells(&self, side: Side) -> impl Iterator<Item = u16> {
        let cells = if self.almost[side] == 0 { 0 } else { self.geometry.cells };
        (0..cells).filter(move |cell| self.wins_at[side][*cell] > 0).map(|cell| cell as u16)
    }

    /// The lines that a side can still win.
    pub(super) fn open_lines(&self, side: Side) -> impl Iterator<Item = u16> {
        (0..self.counts.len() as u16).filter(move |l| self.counts[usize::from(*l)][1 - side] == 0)
    }

    /// The lines that a side can still win and that lack two marks: their empty cells.
    pub(super) fn lines_lacking_two(&self, side: Side) -> impl Iterator<Item = [u16; 2]> {
        let lines = if self.lack_two[side] == 0 { 0 } else { self.counts.len() as u16 };
        let lacking = (self.geometry.line - 2) as u8;
        (0..lines)
            .filter(move |line| {
                let counts = self.counts[usize::from(*line)];
                counts[side] == lacking && counts[1 - side] == 0
            })
            .filter_map(|line| {
                let cells = self.geometry.cells_of(line);
                let cell = cells.iter().copied().find(|cell| self.is_empty(*cell))?;
                Some([cell, cell ^ self.empty_in[usize::from(line)]])
            })
    }

    /// The empty cells of the lines that a side can still win and that lack three marks; a cell
    /// comes once for each of its lines.
    pub(super) fn cells_lacking_three(&self, side: Side) -> impl Iterator<Item = u16> {
        let lacking = (self.geometry.line - 3) as u8;
        (0..self.counts.len() as u16)
            .filter(move |line| {
                let counts = self.counts[usize::from(*line)];
                counts[side] == lacking && counts[1 - side] == 0
            })
            .flat_map(|line| self.geometry.cells_of(line).iter().copied())
            .filter(|cell| self.is_empty(*cell))
    }

    /// The key of the position, the same for all its images, and the symmetry that turns the
    /// board to the image it is the key of.
    pub(super) fn key(&self) -> (u64, usize) {
        let smallest = self.keys.iter().enumerate().min_by_key(|(_, key)| **key);
        smallest.map_or((0, 0), |(symmetry, key)| (*key, symmetry))
    }

    /// Puts a mark of the side to move on an empty cell.
    pub(super) fn place(&mut self, cell: u16) {
        let side = self.to_move;
        self.marks[usize::from(cell)] = Some(side);
        self.empty -= 1;
        self.to_move = 1 - side;
        self.change_lines(cell, side, 1);
    }

    /// Takes back the last mark, which was placed on `cell`.
    pub(super) fn take_back(&mut self, cell: u16) {
        let side = 1 - self.to_move;
        self.marks[usize::from(cell)] = None;
        self.empty += 1;
        self.to_move = side;
        self.change_lines(cell, side, -1);
    }

    /// Updates everything that depends on the lines through a cell.
    fn change_lines(&mut self, cell: u16, side: Side, marks: i8) {
        let geometry = self.geometry;
        for (key, image) in self.keys.iter_mut().zip(geometry.images(cell)) {
            *key ^= key_of_mark(*image, side);
        }
        for &line in geometry.lines_of(cell) {
            self.count(line, -1);
            let counts = &mut self.counts[usize::from(line)];
            counts[side] = counts[side].wrapping_add_signed(marks);
            self.empty_in[usize::from(line)] ^= cell;
            self.count(line, 1);
        }
    }

    /// Adds (`sign` 1) or removes (-1) what a line as it stands contributes to the sums.
    fn count(&mut self, line: u16, sign: i32) {
        let counts = self.counts[usize::from(line)];
        for side in 0..2 {
            if counts[1 - side] != 0 {
                continue;
            }
            let own = usize::from(counts[side]);
            let worth = sign * self.weights[own];
            self.total[side] += worth;
            self.open[side] = self.open[side].wrapping_add_signed(sign as i16);
            for &cell in self.geometry.cells_of(line) {
                self.worth[side][usize::from(cell)] += worth;
            }
            if own + 2 == self.geometry.line {
                self.lack_two[side] = self.lack_two[side].wrapping_add_signed(sign as i16);
            }
            if own + 1 == self.geometry.line {
                let last = usize::from(self.empty_in[usize::from(line)]);
                self.almost[side] = self.almost[side].wrapping_add_signed(sign as i16);
                self.wins_at[side][last] = self.wins_at[side][last].wrapping_add_signed(sign as i8);
            }
        }
    }
}

/// What a line with `own` marks of one side and none of the other is worth to that side: each
/// mark towards its end makes it eight times as valuable, from five missing marks on.
fn weight(own: usize, line: usize) -> i32 {
    match line - own {
        0 => 0,
        missing @ 1..=4 => 8_i32.pow(5 - missing as u32),
        _ => 1 + own as i32,
    }
}
