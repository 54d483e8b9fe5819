//! The computers: their strategies and their strengths.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::named::named;
use crate::reading::{object, or_default};

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

/// How well a computer plays.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Plays any empty cell.
    VeryWeak,
    /// Sees a win on the next move.
    Weak,
    /// Sees a few moves ahead.
    #[default]
    Average,
    /// Sees further, and evaluates well.
    Strong,
    /// The best: unbeatable on 3 × 3.
    VeryStrong,
}

named!(Strength {
    VeryWeak: "very_weak", "very weak";
    Weak: "weak", "weak";
    Average: "average", "average";
    Strong: "strong", "strong";
    VeryStrong: "very_strong", "very strong";
});

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
