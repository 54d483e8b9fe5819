//! A board that a search plays on: marks come and go, and what lines are worth is kept up to
//! date by looking only at the lines through the cell.

use noughts_protocol::{BoardSpec, Game};

use super::geometry::{Geometry, SYMMETRIES};
use super::transposition::key_of_mark;

/// A side in a search: 0 is the player to move at the root, 1 the opponent.
pub(super) type Side = usize;

/// A bit for each cell of the largest board takes so many words.
const WORDS: usize = (BoardSpec::MAX_SIDE as usize).pow(2).div_ceil(64);

/// A game's board in a form that is quick to play on. No side ever has a line here: a search
/// stops one move before.
#[derive(Debug)]
pub(super) struct Position<'a> {
    pub(super) geometry: &'a Geometry,
    /// Whether there is a mark on each cell.
    taken: Vec<bool>,
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
    /// Per side and cell: how many of the lines that lack only one mark lack it here.
    wins_at: [Vec<u8>; 2],
    /// Per side: the cells where that is at least one, a bit each.
    wins: [[u64; WORDS]; 2],
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
            taken: vec![false; cells],
            to_move: 0,
            empty: cells,
            counts: vec![[0; 2]; lines],
            empty_in: (0..lines).map(fold).collect(),
            total: [lines as i32 * weights[0]; 2],
            weights,
            worth: [worth.clone(), worth],
            open: [lines as u16; 2],
            wins_at: [vec![0; cells], vec![0; cells]],
            wins: [[0; WORDS]; 2],
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
        !self.taken[usize::from(cell)]
    }

    /// The cells without a mark, ascending.
    pub(super) fn empty_cells(&self) -> impl Iterator<Item = u16> {
        (0..self.geometry.cells as u16).filter(|cell| self.is_empty(*cell))
    }

    /// The worth for a side of the lines through a cell.
    pub(super) fn worth(&self, side: Side, cell: u16) -> i32 {
        self.worth[side][usize::from(cell)]
    }

    /// Cells on which a side completes a line, ascending.
    pub(super) fn winning_cells(&self, side: Side) -> impl Iterator<Item = u16> + use<> {
        bits(self.wins[side])
    }

    /// The lines that a side can still win.
    pub(super) fn open_lines(&self, side: Side) -> impl Iterator<Item = u16> {
        (0..self.counts.len() as u16).filter(move |l| self.counts[usize::from(*l)][1 - side] == 0)
    }

    /// Whether a side has a line that lacks two marks.
    pub(super) const fn can_make_four(&self, side: Side) -> bool {
        self.lack_two[side] > 0
    }

    /// The empty cells where `lines` lines that lack `missing` marks (one to four), or what is
    /// worth as much, can be brought on by a side: all such cells, and perhaps others.
    pub(super) fn cells_worth(
        &self,
        side: Side,
        lines: i32,
        missing: usize,
    ) -> impl Iterator<Item = u16> {
        let least = lines * self.weights[self.geometry.line - missing];
        let cells = self.worth[side].iter().zip(&self.taken).enumerate();
        cells
            .filter(move |(_, (worth, taken))| **worth >= least && !**taken)
            .map(|(cell, _)| cell as u16)
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
        self.taken[usize::from(cell)] = true;
        self.empty -= 1;
        self.to_move = 1 - side;
        self.change_lines(cell, side, 1);
    }

    /// Takes back the last mark, which was placed on `cell`.
    pub(super) fn take_back(&mut self, cell: u16) {
        let side = 1 - self.to_move;
        self.taken[usize::from(cell)] = false;
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
            let at = usize::from(line);
            let (before, last) = (self.counts[at], self.empty_in[at]);
            self.counts[at][side] = before[side].wrapping_add_signed(marks);
            self.empty_in[at] ^= cell;
            for of in 0..2 {
                let lacked = self.lacks(before, of);
                let lacks = self.lacks(self.counts[at], of);
                if lacked == lacks {
                    continue;
                }
                self.revalue(line, of, lacked, lacks);
                self.count(of, lacked, last, -1);
                self.count(of, lacks, self.empty_in[at], 1);
            }
        }
    }

    /// How many marks a side lacks in a line with these marks; `None` where it cannot win it.
    const fn lacks(&self, counts: [u8; 2], side: Side) -> Option<usize> {
        if counts[1 - side] == 0 { Some(self.geometry.line - counts[side] as usize) } else { None }
    }

    /// Updates what a line and its cells are worth to a side when the marks lacking have changed.
    fn revalue(&mut self, line: u16, side: Side, lacked: Option<usize>, lacks: Option<usize>) {
        let worth = |lacks: Option<usize>| {
            lacks.map_or(0, |missing| self.weights[self.geometry.line - missing])
        };
        let change = worth(lacks) - worth(lacked);
        self.total[side] += change;
        for &cell in self.geometry.cells_of(line) {
            self.worth[side][usize::from(cell)] += change;
        }
    }

    /// Adds (`sign` 1) or removes (-1) a line that lacks so many marks of a side; if only one,
    /// on the cell `last`.
    fn count(&mut self, side: Side, lacks: Option<usize>, last: u16, sign: i8) {
        let Some(missing) = lacks else { return };
        self.open[side] = self.open[side].wrapping_add_signed(sign.into());
        if missing == 2 {
            self.lack_two[side] = self.lack_two[side].wrapping_add_signed(sign.into());
        }
        if missing == 1 {
            let wins = &mut self.wins_at[side][usize::from(last)];
            *wins = wins.wrapping_add_signed(sign);
            let (word, bit) = (usize::from(last) / 64, 1 << (last % 64));
            if *wins > 0 {
                self.wins[side][word] |= bit;
            } else {
                self.wins[side][word] &= !bit;
            }
        }
    }
}

/// The numbers of the bits that are set, ascending.
fn bits(words: [u64; WORDS]) -> impl Iterator<Item = u16> {
    words.into_iter().enumerate().flat_map(|(number, mut word)| {
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros())?;
            word &= word - 1;
            Some(64 * number as u16 + bit as u16)
        })
    })
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
