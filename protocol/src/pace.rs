//! How fast two computers play each other: the maker of their room chooses it, and it is a fact of
//! the room.

use serde::{Deserialize, Serialize};

use crate::settings::named::named;

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
