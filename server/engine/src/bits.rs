//! Sets of cells and of lines as the bits of a number. What each bit stands for is the caller's.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

/// A set of cells: as many bits as hold the board.
pub(crate) trait Bits:
    Copy
    + Debug
    + Default
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The set of one cell.
    fn one(bit: u32) -> Self;
    /// The number of cells.
    fn count(self) -> u32;
    /// The smallest cell of a set that is not empty.
    fn lowest(self) -> u32;
    /// The set without its smallest cell.
    fn without_lowest(self) -> Self;
    /// The low and the high half.
    fn halves(self) -> [u64; 2];

    /// Whether it has no cell.
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether it has this cell.
    fn has(self, bit: u32) -> bool {
        !(self & Self::one(bit)).is_empty()
    }

    /// Whether it has two cells or more.
    fn has_two(self) -> bool {
        !self.is_empty() && !self.without_lowest().is_empty()
    }

    /// Its cells, ascending.
    fn each(self) -> impl Iterator<Item = u32> {
        let mut left = self;
        std::iter::from_fn(move || {
            let next = (!left.is_empty()).then(|| left.lowest())?;
            left = left.without_lowest();
            Some(next)
        })
    }

    /// The set of some cells.
    fn of(cells: impl IntoIterator<Item = u32>) -> Self {
        cells.into_iter().fold(Self::default(), |set, cell| set | Self::one(cell))
    }
}

macro_rules! bits {
    ($($integer:ty)+) => {$(
        impl Bits for $integer {
            fn one(bit: u32) -> Self {
                1 << bit
            }

            fn count(self) -> u32 {
                self.count_ones()
            }

            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            fn halves(self) -> [u64; 2] {
                let wide = u128::from(self);
                [wide as u64, (wide >> 64) as u64]
            }
        }
    )+};
}

bits!(u16 u64 u128);

/// The numbers of the bits that are set, ascending.
pub(crate) fn bits(set: impl Bits) -> impl Iterator<Item = usize> {
    set.each().map(|bit| bit as usize)
}
