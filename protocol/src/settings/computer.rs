//! The computers: their strategies and their strengths, and how fast two of them play.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::named::named;
use crate::board::BoardSpec;
use crate::reading::{object, or_default};
use crate::rules::Variant;

/// The algorithm of a computer player. Only the first two have strengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Searches to a depth, then evaluates the lines.
    #[default]
    Minimax,
    /// Scores each empty cell by the lines through it, without a search.
    Heuristic,
    /// Searches to the end of the game: unbeatable where it reaches the end, as on 3 × 3.
    Perfect,
    /// Plays as a person would: a corner, the centre, a win, a block; then minimax.
    Rules,
}

impl Strategy {
    /// Whether it plays differently at different strengths.
    #[must_use]
    pub const fn has_strengths(self) -> bool {
        matches!(self, Self::Minimax | Self::Heuristic)
    }
}

named!(Strategy {
    Minimax: "minimax", "minimax";
    Heuristic: "heuristic", "heuristic";
    Perfect: "perfect", "perfect";
    Rules: "rules", "rules";
});

/// How well a computer plays. Five of the nine have a name of their own, and only these differ on
/// boards that [`Strength::offered`] gives no others.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Plays any empty cell; where there are nine strengths it overlooks most rows.
    VeryWeak,
    /// Between very weak and weak.
    #[serde(rename = "level_2")]
    Level2,
    /// Sees a win on the next move.
    Weak,
    /// Between weak and average.
    #[serde(rename = "level_4")]
    Level4,
    /// Sees a few moves ahead.
    #[default]
    Average,
    /// Between average and strong.
    #[serde(rename = "level_6")]
    Level6,
    /// Sees further, and evaluates well.
    Strong,
    /// Between strong and very strong.
    #[serde(rename = "level_8")]
    Level8,
    /// The best: unbeatable on 3 × 3.
    VeryStrong,
}

named!(Strength {
    VeryWeak: "very_weak", "very weak", "1";
    Level2: "level_2", "level 2", "2";
    Weak: "weak", "weak", "3";
    Level4: "level_4", "level 4", "4";
    Average: "average", "average", "5";
    Level6: "level_6", "level 6", "6";
    Strong: "strong", "strong", "7";
    Level8: "level_8", "level 8", "8";
    VeryStrong: "very_strong", "very strong", "9";
});

impl Strength {
    /// The strengths that have a name of their own.
    pub const NAMED: [Self; 5] =
        [Self::VeryWeak, Self::Weak, Self::Average, Self::Strong, Self::VeryStrong];

    /// 1 to 9.
    #[must_use]
    pub const fn level(self) -> u8 {
        self as u8 + 1
    }

    /// The next one at or below that has a name of its own.
    #[must_use]
    pub const fn named(self) -> Self {
        // Every second one has a name, from the first on.
        Self::NAMED[self as usize / 2]
    }

    /// The strengths that differ: all nine where minimax looks for five in a row on a large board, and
    /// else those with a name. Another one plays as [`Strength::named`].
    #[must_use]
    pub fn offered(variant: Variant, board: BoardSpec, strategy: Strategy) -> &'static [Self] {
        let is_gomoku = variant.is_gomoku_like() && board.line() == 5 && board.cells() > 64;
        if is_gomoku && strategy == Strategy::Minimax { &Self::ALL } else { &Self::NAMED }
    }

    /// The strength one step above or below among the offered ones; the same at the end of them.
    #[must_use]
    pub fn next(self, offered: &[Self], is_stronger: bool) -> Self {
        let mut others = offered.iter().copied();
        let next = if is_stronger {
            others.find(|one| *one > self)
        } else {
            others.rfind(|one| *one < self)
        };
        next.unwrap_or(self)
    }

    /// The level about as strong as a person with this rating: average at the 1500 of the first game,
    /// and one step for each 175 points.
    #[must_use]
    pub fn near(rating: i32) -> Self {
        let of_level = |one: &Self| 1_500 + 175 * (i32::from(one.level()) - 5);
        let nearest = Self::ALL.into_iter().min_by_key(|one| of_level(one).abs_diff(rating));
        nearest.unwrap_or_default()
    }
}

/// A computer player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Computer"))]
#[serde(remote = "Self", default)]
pub struct Computer {
    /// The algorithm.
    #[serde(deserialize_with = "or_default")]
    pub strategy: Strategy,
    /// How well it plays.
    #[serde(deserialize_with = "or_default")]
    pub strength: Strength,
}

object!(Computer);

impl Computer {
    /// The opponent of a person who chose none. It sees a win and a block and no more: on 3 × 3 a
    /// child wins one game of six, and an attentive adult one of two. The default on the wire is
    /// stronger and stays so: other clients rely on it.
    pub const OPPONENT: Self = Self::opponent(Strategy::Minimax);

    /// Whether it may say why it makes a move: on 3 × 3, and on larger boards where it is at most
    /// average.
    #[must_use]
    pub fn may_comment(self, variant: Variant, board: BoardSpec) -> bool {
        let is_weak = self.strategy.has_strengths() && self.strength <= Strength::Average;
        variant.is_gomoku_like() && (board == BoardSpec::TIC_TAC_TOE || is_weak)
    }

    /// The opponent of a person who chose only the strategy.
    #[must_use]
    pub const fn opponent(strategy: Strategy) -> Self {
        let strength = match strategy {
            Strategy::Minimax => Strength::Weak,
            // As strong as a weak minimax, or without strengths.
            Strategy::Heuristic | Strategy::Perfect | Strategy::Rules => Strength::Average,
        };
        Self { strategy, strength }
    }
}

impl fmt::Display for Computer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.strategy.has_strengths() {
            write!(f, "{}, {}", self.strategy, self.strength)
        } else {
            self.strategy.fmt(f)
        }
    }
}

/// The computer opponent of a quick match that finds nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComputerFallback {
    /// Milliseconds after which the computer takes the seat.
    pub after_ms: u32,
    /// The computer's algorithm and strength.
    #[serde(flatten)]
    pub computer: Computer,
}

/// How fast two computers play each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// They wait for a `step` before each move.
    Paused,
    /// More slowly, to follow every move.
    Slow,
    /// As against a person.
    #[default]
    Normal,
    /// Faster, to see how games end.
    Fast,
}

named!(Pace {
    Paused: "paused", "paused";
    Slow: "slow", "slow";
    Normal: "normal", "normal";
    Fast: "fast", "fast";
});
