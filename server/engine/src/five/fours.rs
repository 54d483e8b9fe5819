//! Wins by continuous fours. The opponent has one reply to each, so that they are cheap to search far ahead, and a
//! win that is found is proven.

use super::grid::{Grid, Place, places};
use super::shape::Threat;

/// The fours to try, those that threaten more first.
const FOURS: [Threat; 3] = [Threat::FourAndThree, Threat::BetterFour, Threat::Four];
/// Positions that failed are remembered in so many places.
const FAILED: usize = 1 << 14;

/// How far such a win is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// The fours in a row.
    pub(super) longest: u16,
    /// The fours in all.
    pub(super) fours: u32,
    /// Whether fours that help no other shape are tried too.
    pub(super) plain: bool,
}

/// The search for such wins.
#[derive(Debug)]
pub(super) struct Fours {
    /// Keys of positions without such a win, and how many fours were tried in a row.
    failed: Vec<(u64, u16)>,
    /// The fours that may still be tried.
    left: u32,
    /// Whether fours that help no other shape are tried.
    plain: bool,
}

impl Fours {
    pub(super) fn new() -> Self {
        Self { failed: vec![(0, 0); FAILED], left: 0, plain: false }
    }

    /// The first move of a win by fours in a row, and its length in moves of both sides.
    pub(super) fn search(&mut self, grid: &mut Grid, effort: Effort) -> Option<(Place, i32)> {
        self.left = effort.fours;
        self.plain = effort.plain;
        self.win(grid, effort.longest)
    }

    fn win(&mut self, grid: &mut Grid, longest: u16) -> Option<(Place, i32)> {
        let side = grid.to_move;
        if let Some(five) = grid.five(side) {
            return Some((five, 1));
        }
        let must = grid.five(1 - side);
        if grid.count(1 - side, Threat::Five) > 1 {
            return None;
        }
        if let Some(must) = must {
            return match grid.threat(side, must) {
                threat if threat < Threat::Four as u8 => None,
                threat if threat == Threat::TwoFours as u8 => Some((must, 3)),
                _ => self.after(grid, must, longest).map(|length| (must, length)),
            };
        }
        if grid.count(side, Threat::TwoFours) > 0 {
            let first = places(grid.with(side, Threat::TwoFours)).next();
            return first.map(|place| (place, 3));
        }
        let fours = if self.plain { &FOURS[..] } else { &FOURS[..2] };
        if fours.iter().all(|threat| grid.count(side, *threat) == 0) {
            return None;
        }
        let key = grid.key_to_move();
        let index = key as usize >> 1 & (FAILED - 1);
        if self.failed[index].0 == key && self.failed[index].1 >= longest {
            return None;
        }
        for &threat in fours {
            for place in places(grid.with(side, threat)) {
                if let Some(length) = self.after(grid, place, longest) {
                    return Some((place, length));
                }
            }
        }
        if self.left > 0 {
            self.failed[index] = (key, longest);
        }
        None
    }

    /// The length of the win that a four begins.
    fn after(&mut self, grid: &mut Grid, four: Place, longest: u16) -> Option<i32> {
        if longest == 0 || self.left == 0 {
            return None;
        }
        self.left -= 1;
        let side = grid.to_move;
        grid.put(four);
        let found = grid.five(side).and_then(|reply| {
            grid.put(reply);
            let found = self.win(grid, longest - 1);
            grid.take_back();
            found
        });
        grid.take_back();
        found.map(|(_, length)| length + 2)
    }
}
