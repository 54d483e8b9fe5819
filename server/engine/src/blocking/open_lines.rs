//! A position of the maker-breaker game, as bit sets: the lines without a mark of the breaker.
//! Lines that make no difference to the result are dropped, so that there are fewer moves to try
//! and more positions are the same.

use crate::bits::bits;
use crate::board::{Geometry, SYMMETRIES, key_of_mark};

/// A bit for each cell of a board.
pub(super) type CellSet = u64;
/// A bit for each line of a board.
type LineSet = u128;

/// The longest line that the sets are made for.
const LONGEST: usize = 8;

/// The lines of a board as bit sets, which no move changes.
#[derive(Debug)]
pub(super) struct BoardLines {
    /// The number of marks in a row that win.
    line: usize,
    /// Per line: its cells.
    cells_of: Vec<CellSet>,
    /// Per cell: the lines through it.
    lines_of: Vec<LineSet>,
    /// Per line: the lines with which it shares more than one cell, all in the same row.
    beside: Vec<LineSet>,
    /// Per line: a random-looking number for each of its images.
    line_keys: Vec<[u64; SYMMETRIES]>,
    /// Per cell: a random-looking number for each image of a mark of the maker.
    mark_keys: Vec<[u64; SYMMETRIES]>,
    /// Per cell: its images.
    images: Vec<[u16; SYMMETRIES]>,
}

/// A position in which no line is full.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenLines {
    maker: CellSet,
    free: CellSet,
    /// The lines that the maker may still complete.
    open: LineSet,
    /// The open lines by the number of marks that they lack. A line is full only while a mark is
    /// tried.
    lacking: [LineSet; LONGEST + 1],
    /// The cells of lines that were dropped since pairs were last looked for.
    loosened: CellSet,
}

/// The winner, and the cells that the win needs: it stands even if the other side has all other
/// cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Winner {
    /// The maker completes a line.
    Maker(CellSet),
    /// The breaker blocks all lines.
    Breaker(CellSet),
}

impl BoardLines {
    /// `None` where the sets are too small: more than 64 cells or 128 lines, or lines of more
    /// than eight.
    pub(super) fn new(geometry: &Geometry) -> Option<Self> {
        let count = geometry.lines();
        if geometry.cells > 64 || count > 128 || geometry.line > LONGEST {
            return None;
        }
        let set = |cells: &[u16]| cells.iter().fold(0, |set, cell| set | 1 << cell);
        let cells_of: Vec<CellSet> = (0..count).map(|l| set(geometry.cells_of(l as u16))).collect();
        let through = |cell| geometry.lines_of(cell).iter().fold(0, |set, line| set | 1 << line);
        let beside = |line: &CellSet| {
            let shares = |other: &CellSet| other != line && (other & line).count_ones() > 1;
            (0..count).filter(|l| shares(&cells_of[*l])).fold(0, |set, l| set | 1 << l)
        };
        let images: Vec<_> = (0..geometry.cells as u16).map(|c| *geometry.images(c)).collect();
        let key = |of: &[u16; SYMMETRIES], side| of.map(|cell| key_of_mark(cell, side));
        let line_key = |line: &CellSet| {
            // Sums, because the keys of marks use the exclusive or.
            let keys = bits(*line).map(|cell| key(&images[cell], 1));
            let sum = |all: [u64; SYMMETRIES], of: [u64; SYMMETRIES]| {
                std::array::from_fn(|symmetry| all[symmetry].wrapping_add(of[symmetry]))
            };
            keys.fold([0; SYMMETRIES], sum)
        };
        Some(Self {
            line: geometry.line,
            lines_of: (0..geometry.cells as u16).map(through).collect(),
            beside: cells_of.iter().map(beside).collect(),
            line_keys: cells_of.iter().map(line_key).collect(),
            mark_keys: images.iter().map(|images| key(images, 0)).collect(),
            images,
            cells_of,
        })
    }

    /// The position with these marks.
    pub(super) fn position(&self, maker: CellSet, breaker: CellSet) -> OpenLines {
        let all = u64::MAX >> (64 - self.images.len());
        let free = all & !maker & !breaker;
        let mut lines =
            OpenLines { maker, free, open: 0, lacking: [0; LONGEST + 1], loosened: all };
        for (number, cells) in self.cells_of.iter().enumerate() {
            if cells & breaker == 0 {
                lines.open |= 1 << number;
                lines.lacking[(cells & !maker).count_ones() as usize] |= 1 << number;
            }
        }
        lines.drop_longer(self, lines.open);
        lines
    }

    /// The number of marks in a row that win.
    pub(super) const fn line(&self) -> usize {
        self.line
    }

    /// The image of a set of cells under a symmetry.
    pub(super) fn image(&self, set: CellSet, symmetry: usize) -> CellSet {
        bits(set).fold(0, |image, cell| image | 1 << self.images[cell][symmetry])
    }
}

impl OpenLines {
    /// The cells without a mark, on open lines or not.
    pub(super) const fn free(&self) -> CellSet {
        self.free
    }

    /// The maker's mark on a free cell.
    pub(super) fn make(&mut self, board: &BoardLines, cell: usize) {
        self.maker |= 1 << cell;
        self.free &= !(1 << cell);
        let through = board.lines_of[cell];
        for missing in 1..=board.line {
            let nearer = self.lacking[missing] & through;
            self.lacking[missing] ^= nearer;
            self.lacking[missing - 1] |= nearer;
        }
        self.drop_longer(board, self.open & through);
    }

    /// The breaker's mark on a free cell.
    pub(super) fn block(&mut self, board: &BoardLines, cell: usize) {
        self.free &= !(1 << cell);
        self.drop(board, board.lines_of[cell]);
    }

    /// The cells where the maker completes a line.
    pub(super) fn wins(&self, board: &BoardLines) -> CellSet {
        bits(self.lacking[1]).fold(0, |all, line| all | self.missing(board, line))
    }

    /// Drops lines in which two cells are on the same open lines: the breaker answers a mark on one
    /// cell with the other. Returns the cells of these pairs.
    pub(super) fn drop_paired(&mut self, board: &BoardLines) -> CellSet {
        let mut paired = 0;
        while self.loosened != 0 {
            let loosened = std::mem::take(&mut self.loosened);
            for cell in bits(self.free & loosened) {
                let own = board.lines_of[cell] & self.open;
                let same = |other: &usize| board.lines_of[*other] & self.open == own;
                if let Some(other) = self.beside(board, cell).find(same) {
                    paired |= 1 << cell | 1 << other;
                    self.drop(board, own);
                }
            }
        }
        paired
    }

    /// The cells that a side may have a reason to mark. Where one cell is on all open lines of
    /// another one, it is as good or better: the other one is left out, and returned with it.
    pub(super) fn candidates(&self, board: &BoardLines) -> (CellSet, Vec<(usize, usize)>) {
        let mut candidates = 0;
        let mut left_out = Vec::new();
        for cell in bits(self.free) {
            let own = board.lines_of[cell] & self.open;
            let better = |other: &usize| own & !board.lines_of[*other] == 0;
            match self.beside(board, cell).find(better) {
                Some(better) => left_out.push((cell, better)),
                None if own != 0 => candidates |= 1 << cell,
                None => {}
            }
        }
        (candidates, left_out)
    }

    /// The winner, where it shows without a search: the maker is to move and has a line or two
    /// threats, no line is open, or the criterion of Erdős and Selfridge holds ("On a combinatorial
    /// game", 1973).
    pub(super) fn winner(&self, board: &BoardLines, makers_turn: bool) -> Option<Winner> {
        if self.open == 0 {
            return Some(Winner::Breaker(0));
        }
        if makers_turn && let Some(needed) = self.two_threats(board) {
            return Some(Winner::Maker(needed));
        }
        let mut order: Vec<usize> = bits(self.free).collect();
        let at = self.blocked(board, makers_turn)?;
        order.retain(|cell| at[*cell] > 0);
        order.sort_unstable_by_key(|cell| at[*cell]);
        // The breaker does not need the cells that the maker could have as well.
        let mut least = *self;
        for cell in order {
            let mut less = least;
            less.make(board, cell);
            if less.lacking[0] == 0 && less.blocked(board, makers_turn).is_some() {
                least = less;
            }
        }
        let needed = bits(least.open).fold(0, |all, l| all | least.missing(board, l));
        Some(Winner::Breaker(needed))
    }

    /// The potential of Erdős and Selfridge: the sum over the open lines of two to the power of
    /// minus the marks that they lack, in units in which a full line has two to the power of its
    /// length.
    pub(super) fn potential(&self, board: &BoardLines) -> u32 {
        (1..=board.line).map(|m| self.lacking[m].count_ones() << (board.line - m)).sum()
    }

    /// Per cell: the potential of the lines through it.
    pub(super) fn potentials(&self, board: &BoardLines) -> [u32; 64] {
        let mut at = [0; 64];
        for missing in 1..=board.line {
            for line in bits(self.lacking[missing]) {
                for cell in bits(self.missing(board, line)) {
                    at[cell] += 1 << (board.line - missing);
                }
            }
        }
        at
    }

    /// The key of the position, the same for all its images, and the symmetry to the image whose
    /// key it is.
    pub(super) fn key(&self, board: &BoardLines) -> (u64, usize) {
        let mut keys = [0; SYMMETRIES];
        let mut on_lines = 0;
        let mut add = |of: &[u64; SYMMETRIES]| {
            for (key, of) in keys.iter_mut().zip(of) {
                *key ^= of;
            }
        };
        for line in bits(self.open) {
            on_lines |= board.cells_of[line];
            add(&board.line_keys[line]);
        }
        for cell in bits(on_lines & self.maker) {
            add(&board.mark_keys[cell]);
        }
        let smallest = keys.iter().enumerate().min_by_key(|(_, key)| **key);
        smallest.map_or((0, 0), |(symmetry, key)| (*key, symmetry))
    }

    /// The cells that a line lacks.
    fn missing(&self, board: &BoardLines, line: usize) -> CellSet {
        board.cells_of[line] & !self.maker
    }

    /// The other cells that an open line through a cell lacks; none where no line is open.
    fn beside(&self, board: &BoardLines, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let line = bits(board.lines_of[cell] & self.open).next();
        bits(line.map_or(0, |line| self.missing(board, line) & !(1 << cell)))
    }

    fn drop(&mut self, board: &BoardLines, gone: LineSet) {
        for line in bits(self.open & gone) {
            self.loosened |= board.cells_of[line];
        }
        self.open &= !gone;
        for lines in &mut self.lacking {
            *lines &= !gone;
        }
    }

    /// Drops lines that lack all the cells that a line of `shorter` lacks: that one is full before.
    fn drop_longer(&mut self, board: &BoardLines, shorter: LineSet) {
        for line in bits(shorter) {
            if self.open >> line & 1 == 1 {
                let missing = self.missing(board, line);
                let longer = |other: &usize| missing & !self.missing(board, *other) == 0;
                let longer = bits(board.beside[line] & self.open).filter(longer);
                let gone = longer.fold(0, |set, other| set | 1 << other);
                self.drop(board, gone);
            }
        }
    }

    /// The cells of a line that lacks one mark, or of two that lack two and share one.
    fn two_threats(&self, board: &BoardLines) -> Option<CellSet> {
        if let Some(line) = bits(self.lacking[1]).next() {
            return Some(self.missing(board, line));
        }
        let mut seen: CellSet = 0;
        for line in bits(self.lacking[2]) {
            let missing = self.missing(board, line);
            if missing & seen != 0 {
                let shares = |other: &usize| self.missing(board, *other) & missing != 0;
                let other = bits(self.lacking[2]).find(shares)?;
                return Some(missing | self.missing(board, other));
            }
            seen |= missing;
        }
        None
    }

    /// The potentials of the cells, if the maker's best mark cannot raise the potential to that of
    /// a full line: the breaker then keeps it below by blocking where it is highest.
    fn blocked(&self, board: &BoardLines, makers_turn: bool) -> Option<[u32; 64]> {
        let full = 1 << board.line;
        let potential = self.potential(board);
        if potential >= full {
            return None;
        }
        let at = self.potentials(board);
        let most = at.iter().max().filter(|_| makers_turn).unwrap_or(&0);
        (potential + most < full).then_some(at)
    }
}
