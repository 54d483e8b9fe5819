//! Zobrist hashing: the key of a position is the exclusive or of the numbers of its marks.

use super::Side;

/// The step of the `SplitMix64` generator.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A random-looking number for a mark on a cell.
pub(crate) const fn key_of_mark(cell: u16, side: Side) -> u64 {
    mix((cell as u64 * 2 + side as u64).wrapping_mul(STEP))
}

/// The mixing of the `SplitMix64` generator.
pub(crate) const fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
