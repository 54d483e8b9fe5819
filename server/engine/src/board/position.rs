//! A position that a search plays on. A move updates the values of lines and cells, and looks only
//! at the lines through its cell.

use noughts_protocol::{BoardSpec, Game};

use super::zobrist::key_of_mark;
use super::{Geometry, SYMMETRIES};
use crate::bits::Bits;

/// A side in a search: 0 is the player to move at the root, 1 the opponent.
pub(crate) type Side = usize;

/// The words of a bit set of the largest board's cells.
const WORDS: usize = (BoardSpec::MAX_PROGRAM_SIDE as usize).pow(2).div_ceil(64);

/// More marks than a line has. A line has two ends.
const AT_END: u8 = 32;

/// A position of a game. No side ever has a full line here: a search stops one move before.
#[derive(Debug)]
pub(crate) struct Position<'a> {
    pub(crate) geometry: &'a Geometry,
    /// Per cell: whether it has a mark.
    taken: Vec<bool>,
    pub(crate) to_move: Side,
    /// The number of cells without a mark.
    pub(crate) empty: usize,
    /// Per line: the marks of each side. A mark at an end where it would make the line too long counts
    /// as [`AT_END`] marks of the other side: its own side cannot win the line.
    counts: Vec<[u8; 2]>,
    /// Per line: the exclusive or of its empty cells, which is the cell where only one is left.
    empty_in: Vec<u16>,
    /// By the number of a side's marks in a line without a mark of the other side: its value.
    line_values: Vec<i32>,
    /// Per side and cell: the value of the lines through it that the side can still win.
    cell_values: [Vec<i32>; 2],
    /// Per side: the value of all lines that it can still win.
    pub(crate) total: [i32; 2],
    /// Per side: the number of lines that it can still win.
    pub(crate) open: [u16; 2],
    /// Per side and cell: the number of lines that lack only a mark on this cell.
    wins_at: [Vec<u8>; 2],
    /// Per side: the cells where that number is at least one, as a bit set.
    wins: [[u64; WORDS]; 2],
    /// Per side: the number of its lines that lack two marks.
    lack_two: [u16; 2],
    /// The keys of the board and of its seven other images.
    keys: [u64; SYMMETRIES],
}

impl<'a> Position<'a> {
    /// The position of an unfinished game.
    pub(crate) fn new(geometry: &'a Geometry, game: &Game) -> Self {
        let line_values: Vec<i32> =
            (0..=geometry.line).map(|own| line_value(own, geometry.line)).collect();
        let cells = geometry.cells;
        let cell_values: Vec<i32> = (0..cells)
            .map(|cell| geometry.lines_of(cell as u16).len() as i32 * line_values[0])
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
            total: [lines as i32 * line_values[0]; 2],
            line_values,
            cell_values: [cell_values.clone(), cell_values],
            open: [lines as u16; 2],
            wins_at: [vec![0; cells], vec![0; cells]],
            wins: [[0; WORDS]; 2],
            lack_two: [0; 2],
            keys: [0; SYMMETRIES],
        };
        // Side 0 is to move at the root. The board says whose a mark is: see `Game::standing`.
        for cell in game.moves() {
            position.to_move = usize::from(game.board().get(*cell) != Some(game.to_move()));
            position.place(cell.0);
        }
        position.to_move = 0;
        position
    }

    pub(crate) fn is_empty(&self, cell: u16) -> bool {
        !self.taken[usize::from(cell)]
    }

    /// The cells without a mark, ascending.
    pub(crate) fn empty_cells(&self) -> impl Iterator<Item = u16> {
        (0..self.geometry.cells as u16).filter(|cell| self.is_empty(*cell))
    }

    /// The value of a cell for a side: that of the lines through it that the side can still win.
    pub(crate) fn cell_value(&self, side: Side, cell: u16) -> i32 {
        self.cell_values[side][usize::from(cell)]
    }

    /// The cells on which a side completes a line, ascending.
    pub(crate) fn winning_cells(&self, side: Side) -> impl Iterator<Item = u16> + use<> {
        bits(self.wins[side])
    }

    /// The lines that a side can still win.
    pub(crate) fn open_lines(&self, side: Side) -> impl Iterator<Item = u16> {
        (0..self.counts.len() as u16).filter(move |l| self.counts[usize::from(*l)][1 - side] == 0)
    }

    /// Whether a side has a line that lacks two marks.
    pub(crate) const fn can_make_four(&self, side: Side) -> bool {
        self.lack_two[side] > 0
    }

    /// The empty cells that are as valuable for a side as `lines` lines that lack `missing` marks
    /// (one to four): every cell on so many of these lines, and perhaps others.
    pub(crate) fn cells_as_valuable_as(
        &self,
        side: Side,
        lines: i32,
        missing: usize,
    ) -> impl Iterator<Item = u16> {
        let least = lines * self.line_values[self.geometry.line - missing];
        let cells = self.cell_values[side].iter().zip(&self.taken).enumerate();
        cells
            .filter(move |(_, (value, taken))| **value >= least && !**taken)
            .map(|(cell, _)| cell as u16)
    }

    /// The key of the position, the same for all its images, and the symmetry to the image whose
    /// key it is.
    pub(crate) fn key(&self) -> (u64, usize) {
        let smallest = self.keys.iter().enumerate().min_by_key(|(_, key)| **key);
        smallest.map_or((0, 0), |(symmetry, key)| (*key, symmetry))
    }

    /// Puts a mark of the side to move on an empty cell.
    pub(crate) fn place(&mut self, cell: u16) {
        let side = self.to_move;
        self.taken[usize::from(cell)] = true;
        self.empty -= 1;
        self.to_move = 1 - side;
        self.change_lines(cell, side, 1);
    }

    /// Takes back the last mark, which was placed on `cell`.
    pub(crate) fn take_back(&mut self, cell: u16) {
        let side = 1 - self.to_move;
        self.taken[usize::from(cell)] = false;
        self.empty += 1;
        self.to_move = side;
        self.change_lines(cell, side, -1);
    }

    fn change_lines(&mut self, cell: u16, side: Side, marks: i8) {
        let geometry = self.geometry;
        for (key, image) in self.keys.iter_mut().zip(geometry.images(cell)) {
            *key ^= key_of_mark(*image, side);
        }
        if geometry.is_exact() {
            return self.change_exact_lines(cell, side, marks);
        }
        for &line in geometry.lines_of(cell) {
            let at = usize::from(line);
            let before = self.counts[at];
            self.counts[at][side] = before[side].wrapping_add_signed(marks);
            self.change_line::<false>(line, before, cell);
        }
    }

    /// The same where a longer row of marks does not win. Apart, because the search of `line` takes a
    /// sixth more instructions if they share a loop.
    #[inline(never)]
    fn change_exact_lines(&mut self, cell: u16, side: Side, marks: i8) {
        let geometry = self.geometry;
        let within = geometry.lines_of(cell).iter().map(|line| (*line, side, marks, cell));
        let beside = geometry.lines_beside(cell).iter();
        let beside = beside.map(|line| (*line, 1 - side, marks * AT_END as i8, 0));
        for (line, side, marks, cell) in within.chain(beside) {
            let at = usize::from(line);
            let before = self.counts[at];
            self.counts[at][side] = before[side].wrapping_add_signed(marks);
            self.change_line::<true>(line, before, cell);
        }
    }

    /// Counts a line anew whose marks have changed. `cell` is the one of its cells that changed, or 0.
    #[inline(always)]
    fn change_line<const EXACT: bool>(&mut self, line: u16, before: [u8; 2], cell: u16) {
        let at = usize::from(line);
        let last = self.empty_in[at];
        self.empty_in[at] ^= cell;
        for of in 0..2 {
            let lacked = self.lacks::<EXACT>(before, of);
            let lacks = self.lacks::<EXACT>(self.counts[at], of);
            if lacked == lacks {
                continue;
            }
            self.revalue(line, of, lacked, lacks);
            self.count(of, lacked, last, -1);
            self.count(of, lacks, self.empty_in[at], 1);
        }
    }

    /// The number of marks that a side lacks in a line; `None` where it cannot win the line.
    const fn lacks<const EXACT: bool>(&self, counts: [u8; 2], side: Side) -> Option<usize> {
        let own = if EXACT { counts[side] % AT_END } else { counts[side] };
        if counts[1 - side] == 0 { Some(self.geometry.line - own as usize) } else { None }
    }

    /// Updates the values for a side of a line and its cells, when the number of missing marks
    /// has changed.
    #[inline(always)]
    fn revalue(&mut self, line: u16, side: Side, lacked: Option<usize>, lacks: Option<usize>) {
        let value = |lacks: Option<usize>| {
            lacks.map_or(0, |missing| self.line_values[self.geometry.line - missing])
        };
        let change = value(lacks) - value(lacked);
        self.total[side] += change;
        for &cell in self.geometry.cells_of(line) {
            self.cell_values[side][usize::from(cell)] += change;
        }
    }

    /// Counts a line in (`sign` 1) or out (-1) that lacks so many marks of a side. If it lacks only
    /// one, that is on the cell `last`.
    #[inline(always)]
    fn count(&mut self, side: Side, lacks: Option<usize>, last: u16, sign: i8) {
        let Some(missing) = lacks else { return };
        self.open[side] = self.open[side].wrapping_add_signed(sign.into());
        if missing == 2 {
            self.lack_two[side] = self.lack_two[side].wrapping_add_signed(sign.into());
        }
        if missing == 1 {
            let wins = &mut self.wins_at[side][usize::from(last)];
            *wins = wins.wrapping_add_signed(sign);
            let word = usize::from(last) / 64;
            let bit = 1 << (last % 64);
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
    let word =
        |(number, word): (usize, u64)| word.each().map(move |bit| 64 * number as u16 + bit as u16);
    words.into_iter().enumerate().flat_map(word)
}

/// The value of a line with `own` marks of one side and none of the other. From five missing marks
/// on, each further mark makes the line eight times as valuable.
fn line_value(own: usize, line: usize) -> i32 {
    match line - own {
        0 => 0,
        missing @ 1..=4 => 8_i32.pow(5 - missing as u32),
        _ => 1 + own as i32,
    }
}
