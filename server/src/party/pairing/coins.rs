//! Lots: numbers that follow from a seed, so that the same seed draws the same lots.

/// A row of lots (the generator `SplitMix64`).
#[derive(Debug, Clone)]
pub(crate) struct Coins(u64);

impl Coins {
    /// The lots of this seed.
    #[must_use]
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next lot.
    pub(crate) const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut lot = self.0;
        lot = (lot ^ (lot >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        lot = (lot ^ (lot >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        lot ^ (lot >> 31)
    }

    /// One of two sides.
    pub(super) const fn flip(&mut self) -> bool {
        self.draw() & 1 == 1
    }

    /// Puts the list into an order by lot.
    pub(super) fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            let count = u64::try_from(end + 1).unwrap_or(u64::MAX);
            let place = usize::try_from(self.draw() % count).unwrap_or(0);
            list.swap(end, place);
        }
    }
}
