//! The lines of a board as shifts of a bit board, so that all lines of a direction are looked at in one step. Which
//! cell has which bit is the variant's; the search is [`super::duel`]'s.

use crate::bits::Bits;

/// The lines of one direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bundle<B> {
    /// From a cell of a line to the next one.
    pub(super) step: u32,
    /// The first cells of the lines.
    pub(super) starts: B,
}

/// The lines of a board.
#[derive(Debug)]
pub(super) struct LineBundles<B> {
    /// By direction.
    pub(super) bundles: Vec<Bundle<B>>,
    /// The cells of a line: 3 to 5.
    pub(super) line: u8,
}

/// The worth of a line open to one side only, by the length of a line and the marks in it.
const WORTH: [[i32; 5]; 3] = [[0, 16, 96, 0, 0], [0, 8, 40, 128, 0], [0, 8, 24, 72, 192]];

impl<B: Bits> LineBundles<B> {
    /// The cells that complete a line of these marks; the cells may be taken.
    pub(super) fn wins(&self, own: B) -> B {
        match self.line {
            3 => self.wins_of::<3>(own),
            4 => self.wins_of::<4>(own),
            _ => self.wins_of::<5>(own),
        }
    }

    #[inline(always)]
    fn wins_of<const N: usize>(&self, own: B) -> B {
        let mut wins = B::default();
        for bundle in &self.bundles {
            let has = spread::<B, N>(own, bundle);
            let mut after = [bundle.starts; N];
            for k in (1..N).rev() {
                after[k - 1] = after[k] & has[k];
            }
            let mut before = bundle.starts;
            for k in 0..N {
                wins = wins | (before & after[k]) << (k as u32 * bundle.step);
                before = before & has[k];
            }
        }
        wins
    }

    /// The value of the lines that `own` has begun and can complete.
    pub(super) fn value(&self, own: B, other: B) -> i32 {
        let of = |bundle| {
            let open = self.open(own, other, bundle);
            (1..usize::from(self.line)).map(|n| self.worth(n) * open[n].count() as i32).sum::<i32>()
        };
        self.bundles.iter().map(of).sum()
    }

    const fn worth(&self, marks: usize) -> i32 {
        WORTH[self.line as usize - 3][marks]
    }

    /// The cells of the lines that have so many marks of `own` and none of `other`.
    pub(super) fn cells_with(&self, marks: usize, own: B, other: B) -> B {
        let mut cells = B::default();
        for bundle in &self.bundles {
            let lines = self.open(own, other, bundle)[marks];
            for k in 0..u32::from(self.line) {
                cells = cells | lines << (k * bundle.step);
            }
        }
        cells
    }

    /// Per cell: the number of lines through it.
    pub(super) fn through(&self, bits: u32) -> Vec<u8> {
        let mut through = vec![0; bits as usize];
        for bundle in &self.bundles {
            for start in bundle.starts.each() {
                for k in 0..u32::from(self.line) {
                    through[(start + k * bundle.step) as usize] += 1;
                }
            }
        }
        through
    }

    fn open(&self, own: B, other: B, bundle: &Bundle<B>) -> [B; 6] {
        match self.line {
            3 => open_of::<B, 3>(own, other, bundle),
            4 => open_of::<B, 4>(own, other, bundle),
            _ => open_of::<B, 5>(own, other, bundle),
        }
    }
}

/// For each cell of a line: the lines that have a mark there. A line stands at its first cell.
#[inline(always)]
fn spread<B: Bits, const N: usize>(marks: B, bundle: &Bundle<B>) -> [B; N] {
    std::array::from_fn(|k| marks >> (k as u32 * bundle.step) & bundle.starts)
}

/// By the number of own marks: the lines without a mark of the other side.
#[inline(always)]
fn open_of<B: Bits, const N: usize>(own: B, other: B, bundle: &Bundle<B>) -> [B; 6] {
    let mut open = [B::default(); 6];
    open[0] =
        spread::<B, N>(other, bundle).into_iter().fold(bundle.starts, |open, has| open & !has);
    for has in spread::<B, N>(own, bundle) {
        for n in (0..N).rev() {
            let more = open[n] & has;
            open[n] = open[n] & !has;
            open[n + 1] = open[n + 1] | more;
        }
    }
    open
}
