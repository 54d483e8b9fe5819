//! The transposition table: what a search has found out about positions. It keeps a position from
//! being searched again when another order of moves, a turn or a mirror image leads to it.

use crate::board::{Position, inverse};

/// The smallest table where memory is short: two to the power of so many entries.
const MIN_BITS: u32 = 8;

/// How the true score relates to a stored one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It is the same.
    Exact,
    /// It is at least as high.
    AtLeast,
    /// It is at most as high.
    AtMost,
}

impl Bound {
    /// The kind of a score that a search between `alpha` and `beta` has found.
    pub(crate) const fn of(score: i32, (alpha, beta): (i32, i32)) -> Self {
        match score {
            _ if score >= beta => Self::AtLeast,
            _ if score <= alpha => Self::AtMost,
            _ => Self::Exact,
        }
    }

    /// Whether a stored score answers a search between two bounds.
    pub(crate) const fn is_enough(self, score: i32, (alpha, beta): (i32, i32)) -> bool {
        match self {
            Self::Exact => true,
            Self::AtLeast => score >= beta,
            Self::AtMost => score <= alpha,
        }
    }

    /// Whether the score says for certain that a side wins. Scores from `won` on are wins.
    pub(crate) fn is_decisive(self, score: i32, won: i32) -> bool {
        (score >= won && self != Self::AtMost) || (score <= -won && self != Self::AtLeast)
    }
}

/// A score of a search at `ply` as the table has it: the moves to a win count from the root in a
/// search, and from the position in the table. Scores from `won` on are wins.
pub(crate) const fn from_root_to_here(score: i32, ply: i32, won: i32) -> i32 {
    if score.abs() >= won { score + score.signum() * ply } else { score }
}

/// A score of the table, as a search at `ply` has it.
pub(crate) const fn from_here_to_root(score: i32, ply: i32, won: i32) -> i32 {
    if score.abs() >= won { score - score.signum() * ply } else { score }
}

/// The result of the search of a position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    /// For the side to move. The moves to a win count from this position.
    pub(crate) score: i32,
    /// The best move, on the image of the board whose key this is.
    pub(crate) best: u16,
    /// The depth of the search.
    pub(crate) depth: i16,
    pub(crate) bound: Bound,
}

/// A table in which a newer entry replaces an older one. It doubles its size when as many entries
/// were stored as it holds.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    /// Their number is a power of two.
    entries: Vec<Option<Entry>>,
    /// The largest number of entries.
    max_entries: usize,
    /// How many entries were stored since the table has this size.
    stored: usize,
}

impl TranspositionTable {
    /// A table of two to the power of `bits` entries of 24 bytes, which grows to two to the power
    /// of `max_bits`.
    pub(super) fn new(bits: u32, max_bits: u32) -> Self {
        Self { entries: vec![None; 1 << bits], max_entries: 1 << max_bits, stored: 0 }
    }

    /// The same table, which never takes more than so many bytes, but for a small one.
    pub(crate) fn within(memory: Option<usize>, bits: u32, max_bits: u32) -> Self {
        // While it grows, it holds the smaller table too.
        let entry = 2 * size_of::<Option<Entry>>();
        let fits = memory.map_or(max_bits, |bytes| (bytes / entry).max(1).ilog2());
        let max_bits = fits.clamp(MIN_BITS, max_bits);
        Self::new(bits.min(max_bits), max_bits)
    }

    const fn place(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    /// The entry of the position with this key. Two positions may share a key.
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        self.entries[self.place(key)].filter(|entry| entry.key == key)
    }

    /// Keeps an entry, in place of another one if it must.
    pub(crate) fn put(&mut self, entry: Entry) {
        self.stored += 1;
        if self.stored > self.entries.len() && self.entries.len() < self.max_entries {
            self.grow();
        }
        let place = self.place(entry.key);
        self.entries[place] = Some(entry);
    }

    /// The entry of a position, and its best move.
    pub(super) fn look_up(&self, position: &Position<'_>) -> Option<(Entry, u16)> {
        let (key, symmetry) = position.key();
        let entry = self.get(key)?;
        let best = position.geometry.images(entry.best)[inverse(symmetry)];
        // Two positions may share a key. An illegal move reveals it.
        position.is_empty(best).then_some((entry, best))
    }

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
        self.put(Entry { key, score, best, depth, bound });
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

#[cfg(test)]
mod tests {
    use noughts_protocol::{BoardSpec, Game, Mark};

    use super::{Bound, TranspositionTable};
    use crate::board::{Geometry, Position};
    use crate::tests::rules;

    #[test]
    fn a_limit_on_memory_is_kept() {
        let sizes = |memory| {
            let table = TranspositionTable::within(memory, 17, 24);
            (table.entries.len(), table.max_entries)
        };
        assert_eq!(sizes(None), (1 << 17, 1 << 24));
        assert_eq!(sizes(Some(40 << 20)), (1 << 17, 1 << 19));
        assert_eq!(sizes(Some(1 << 20)), (1 << 14, 1 << 14));
        assert_eq!(sizes(Some(0)), (1 << 8, 1 << 8));
        let small = TranspositionTable::within(Some(usize::MAX), 8, 8);
        assert_eq!((small.entries.len(), small.max_entries), (1 << 8, 1 << 8));
    }

    #[test]
    fn it_grows_up_to_its_bound_and_keeps_its_entries() {
        let spec = BoardSpec::new(9, 7, 5).unwrap();
        let geometry = Geometry::new(spec);
        let game = Game::new(rules(spec, false), Mark::X);
        let mut position = Position::new(&geometry, &game);
        let mut table = TranspositionTable::new(0, 4);
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
