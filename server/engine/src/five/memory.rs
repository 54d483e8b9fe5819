//! The memory of a search for five in a row: four entries a place, of which the least useful is
//! replaced.

use super::grid::{NOWHERE, Place};
use crate::search::transposition::Bound;

/// The entry of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Remembered {
    key: u64,
    /// For the side to move. A win counts its moves from this position.
    pub(super) score: i16,
    pub(super) best: Place,
    pub(super) depth: i8,
    pub(super) bound: Bound,
}

const NOTHING: Remembered =
    Remembered { key: 0, score: 0, best: NOWHERE, depth: i8::MIN, bound: Bound::AtMost };

/// Entries that share a place.
const WAYS: usize = 4;

/// The table.
#[derive(Debug)]
pub(super) struct Memory {
    places: Vec<[Remembered; WAYS]>,
}

impl Memory {
    /// A table of at most so many bytes, and at least one place.
    pub(super) fn of_bytes(bytes: usize) -> Self {
        let places = (bytes / size_of::<[Remembered; WAYS]>()).max(1);
        Self { places: vec![[NOTHING; WAYS]; 1 << places.ilog2()] }
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.places.len() - 1)
    }

    /// The entry of the position with this key. Two positions may share a key.
    pub(super) fn get(&self, key: u64) -> Option<Remembered> {
        let place = &self.places[self.index(key)];
        place.iter().find(|entry| entry.key == key).copied()
    }

    /// Remembers a position, perhaps in place of another one.
    pub(super) fn put(&mut self, key: u64, score: i32, best: Place, depth: i32, bound: Bound) {
        let index = self.index(key);
        let place = &mut self.places[index];
        let found = place.iter().position(|entry| entry.key == key);
        let least = || (0..WAYS).min_by_key(|way| place[*way].depth).unwrap_or_default();
        // The last way takes what is shallower than all, so that the newest is always there.
        let way = found.unwrap_or_else(|| {
            let least = least();
            if i32::from(place[least].depth) <= depth { least } else { WAYS - 1 }
        });
        let new = Remembered { key, score: score as i16, best, depth: depth as i8, bound };
        place[way] = new;
    }
}
