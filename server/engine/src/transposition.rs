//! What a search has found out about positions, so that one reached by another order of moves,
//! or turned or mirrored, is not searched again.

use super::geometry::inverse;
use super::position::{Position, Side};

/// What a stored score says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// The score is exact.
    Exact,
    /// The score is at least this.
    AtLeast,
    /// The score is at most this.
    AtMost,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    /// For the side to move; a win counts its moves from here.
    pub(super) score: i32,
    /// The best move, as the board lies in the image that the key is of.
    best: u16,
    /// How deep the search was that found it.
    pub(super) depth: i16,
    /// What the score says.
    pub(super) bound: Bound,
}

/// A table in which a newer entry replaces an older one, and that grows to twice its size when as
/// many were stored as it holds.
#[derive(Debug)]
pub(super) struct Table {
    /// A power of two of them.
    entries: Vec<Option<Entry>>,
    /// The most entries it grows to.
    most: usize,
    /// How many were stored since it has this size.
    stored: usize,
}

impl Table {
    /// A table of two to the power of `bits` entries of 24 bytes, and of so many at most.
    pub(super) fn new(bits: u32, most_bits: u32) -> Self {
        Self { entries: vec![None; 1 << bits], most: 1 << most_bits, stored: 0 }
    }

    const fn place(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    /// What is known of the position, and the best move found in it.
    pub(super) fn look_up(&self, position: &Position<'_>) -> Option<(Entry, u16)> {
        let (key, symmetry) = position.key();
        let entry = self.entries[self.place(key)].filter(|entry| entry.key == key)?;
        let best = position.geometry.images(entry.best)[inverse(symmetry)];
        // Two positions may share a key; a move that cannot be made shows it.
        position.is_empty(best).then_some((entry, best))
    }

    /// Keeps what was found out about the position.
    pub(super) fn store(
        &mut self,
        position: &Position<'_>,
        best: u16,
        depth: i16,
        score: i32,
        bound: Bound,
    ) {
        let (key, symmetry) = position.key();
        let best = position.geometry.images(best)[symmetry];
        self.stored += 1;
        if self.stored > self.entries.len() && self.entries.len() < self.most {
            self.grow();
        }
        let place = self.place(key);
        self.entries[place] = Some(Entry { key, score, best, depth, bound });
    }

    fn grow(&mut self) {
        let twice = vec![None; 2 * self.entries.len()];
        let entries = std::mem::replace(&mut self.entries, twice);
        self.stored = 0;
        for entry in entries.into_iter().flatten() {
            let place = self.place(entry.key);
            self.entries[place] = Some(entry);
        }
    }
}

/// A random-looking number for a mark on a cell; a position's key is the exclusive or of those of
/// its marks (Zobrist hashing). The mixing is that of the `SplitMix64` generator.
pub(super) const fn key_of_mark(cell: u16, side: Side) -> u64 {
    let mut z = (cell as u64 * 2 + side as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use noughts_protocol::{BoardSpec, Game, Mark};

    use super::{Bound, Table};
    use crate::geometry::Geometry;
    use crate::position::Position;

    #[test]
    fn it_grows_as_far_as_it_may_and_takes_along_what_it_knows() {
        let spec = BoardSpec::new(9, 7, 5).unwrap();
        let (geometry, game) = (Geometry::new(spec), Game::new(spec, Mark::X, false));
        let mut position = Position::new(&geometry, &game);
        let mut table = Table::new(0, 4);
        let mut sizes = Vec::new();
        for cell in 0..40 {
            position.place(cell);
            table.store(&position, 60, 1, i32::from(cell), Bound::Exact);
            sizes.push(table.entries.len());
        }
        assert_eq!((sizes[0], sizes[1], sizes[4], sizes[39]), (1, 2, 4, 16));
        let mut known = 0;
        for cell in (0..40).rev() {
            if let Some((entry, best)) = table.look_up(&position) {
                assert_eq!((entry.score, best), (i32::from(cell), 60));
                known += 1;
            }
            position.take_back(cell);
        }
        assert!((8..=16).contains(&known), "{known}");
    }
}
