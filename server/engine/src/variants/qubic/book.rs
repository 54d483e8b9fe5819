//! The first three moves of the player who begins and wins on 4 × 4 × 4. [`super::proof`] has found them, and a test
//! proves them again.

use crate::bits::Bits;
use crate::variants::duel::{Field, Marks};

/// Each line answers one second move: what it is, the answer, and then pairs of a fourth move and the answer to it.
/// The first move was A, all others are images of these. The cells are A to Z, a to z, 0 to 9, + and /.
const BOOK: [&str; 12] = [
    "BMDwPEV8WwZIaElEmUpVqwwEzE8E/wCwEPFZGEHEIDJmKILINEOEQERISETEUEXwYIbEcEdEeEfEg/hIiEjEkEnEoI\
     rwsEtEuEvExRyE0E1E2E3E4I5E6E7I98+w",
    "DVMwPZWMZlaMpMq88a/PBZCZEaFZGMHPIaJMKZLPNaOZU/X/YlbMcad/e/fZoZrEsZt/uavZ9/+Z",
    "FDMBPBVwWRZBaBlBmBpRqSwBzB8B/BBJCMEWGVHBIBJBKwLBNBOWQBRBSpTBUwXBYBbzcBdBeBfBgBhBi8jBkBnzow\
     rBsBtBuBvBxByW0B1B2B3B4B5B6B7B9B+B",
    "GPDVVwWwZVw/zVBaCKFwJwQKRaSVTVUaYVcVxVyV1a2V5w",
    "HMDqVEWVZwaEwEzEBECEEzFEIwJVLwQERESETwUEXEYVbEcEdEeEf8xEyE0E1E3w4z5E7w",
    "PVDZWMaDlDmpqQwWz//wBZCZFWGZHDKWLDQWRWSZTmXZbzf/gWhWiWjWnzrZvWx/yW1/2/3W6W7W",
    "VDMwPwWUZRaPpBqM8M/MBpCWEzFwGSHBIwJBKSLSNBOwUGXBYBbBcBdBeBfwoBrBsBtBuwvM9B+G",
    "WMD8PVVUZDaDlDpDzPBwCqEPFEGEHVIPJIKILINEOERESVTIXwbEdEfEhEjPnErwvE3E7I",
    "XMDIP8VEWwZIaElEmEpwqwwEz88E/DBwCwEPFEGEHEIPJIKILINEOEQERESPTmUEYIbmcEdDeEfZgEhPiEjEkEnEoI\
     rDsEtEuDvExEyE0E1E2E3P4I5E6z7I9w+w",
    "bDMBPzVBWCZVlB8B/BBMEBFzGCHBIBJBKzLCNBOCUBXBYBcBdBeMfCk8nPsBtMuBvB9B",
    "fDMBP/VwWCZBaBlMmBpBqMwMzB8B/PBMCMEBFBGCHBIBJBKCLBNzOzQPRBSCTXUBXBYBbCcpdWeBgMhBiCjBkBnBoB\
     rBsBtBuBvPxByC0B1M2B3B4B5B6M789w+w",
    "/DMzPwVMWMZw8MB8EwFBGCHBNBUBXBYBbBcBdMewfP9M",
];
/// The cells on most lines: the corners and the middle of the cube. All are images of one another.
const BEST_LINES: u8 = 7;
/// The orders of the axes.
const AXES: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
/// The orders of the layers of an axis that keep all lines, but for their reverses.
const ORDERS: [[u32; 4]; 4] = [[0, 1, 2, 3], [0, 2, 1, 3], [1, 0, 3, 2], [1, 3, 0, 2]];
/// The ways to turn, mirror and reorder the cube so that lines stay lines.
const SYMMETRIES: usize = AXES.len() * ORDERS.len() * 8;

/// The moves of the proof in a position; empty where it has none.
pub(super) fn replies(field: &Field<u64>, marks: &Marks<u64>) -> Vec<u32> {
    if field.lines.line != 4 || marks.own.count() > 2 {
        return Vec::new();
    }
    if marks.taken().is_empty() {
        let is_best = |cell: &u32| field.through[*cell as usize] == BEST_LINES;
        return field.cells.each().filter(is_best).collect();
    }
    let book: Vec<[u32; 4]> = entries().collect();
    let found = (0..SYMMETRIES).find_map(|symmetry| {
        let image_of = |set: u64| u64::of(set.each().map(|cell| image(cell, symmetry)));
        let reply = known(&book, image_of(marks.own), image_of(marks.other))?;
        field.cells.each().find(|cell| image(*cell, symmetry) == reply)
    });
    found.into_iter().collect()
}

/// The book's answer to this very position.
fn known(book: &[[u32; 4]], own: u64, other: u64) -> Option<u32> {
    book.iter().find_map(|&[second, third, fourth, fifth]| {
        let is_third = (own, other) == (1, u64::one(second));
        let is_fifth = (own, other) == (u64::of([0, third]), u64::of([second, fourth]));
        is_third.then_some(third).or_else(|| is_fifth.then_some(fifth))
    })
}

/// The second to the fifth move of each line of play.
pub(super) fn entries() -> impl Iterator<Item = [u32; 4]> {
    BOOK.iter().flat_map(|row| {
        let cells: Vec<u32> = row.bytes().map(cell).collect();
        let (start, pairs) = cells.split_at(2);
        let of = |pair: &[u32]| [start[0], start[1], pair[0], pair[1]];
        pairs.chunks_exact(2).map(of).collect::<Vec<_>>()
    })
}

const fn cell(letter: u8) -> u32 {
    (match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    }) as u32
}

fn image(cell: u32, symmetry: usize) -> u32 {
    let order = ORDERS[symmetry / 8 % ORDERS.len()];
    let place = [cell % 4, cell / 4 % 4, cell / 16].map(|layer| order[layer as usize]);
    let axes = AXES[symmetry / (8 * ORDERS.len())];
    let layer = |axis: usize| {
        let layer = place[axes[axis]];
        if symmetry >> axis & 1 == 0 { layer } else { 3 - layer }
    };
    16 * layer(2) + 4 * layer(1) + layer(0)
}
