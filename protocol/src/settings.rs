//! What a room is set to when it is made: its board, who begins, its clock, who shall sit where,
//! and which computers there are. What happens in the room is in [`crate::room`].

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::BoardSpec;
use crate::opening::Opening;
use crate::reading::{object, or_default, or_true};
use crate::room::ByMark;
use crate::{MAX_MOVE_TIME_MS, MIN_MOVE_TIME_MS};

/// The algorithm of a computer player. A strength means something for the first two only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Looks ahead to a depth, then judges the lines.
    #[default]
    Minimax,
    /// Scores each empty cell by the lines through it, without looking ahead.
    Heuristic,
    /// Plays the game out: never beaten where it can see to the end, as on 3 × 3.
    Perfect,
    /// What a person would do first: a corner, the centre, a win, a block; then minimax.
    Rules,
}

impl Strategy {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Minimax, Self::Heuristic, Self::Perfect, Self::Rules];

    /// Whether it plays differently at different strengths.
    #[must_use]
    pub const fn has_strengths(self) -> bool {
        matches!(self, Self::Minimax | Self::Heuristic)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Minimax => "minimax",
            Self::Heuristic => "heuristic",
            Self::Perfect => "perfect",
            Self::Rules => "rules",
        })
    }
}

/// How well a computer plays.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Any empty cell.
    VeryWeak,
    /// Sees a win on the next move.
    Weak,
    /// Sees a few moves ahead.
    #[default]
    Average,
    /// Sees further, and judges well.
    Strong,
    /// The best there is: never beaten on 3 × 3.
    VeryStrong,
}

impl Strength {
    /// All five, the weakest first.
    pub const ALL: [Self; 5] =
        [Self::VeryWeak, Self::Weak, Self::Average, Self::Strong, Self::VeryStrong];
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::VeryWeak => "very weak",
            Self::Weak => "weak",
            Self::Average => "average",
            Self::Strong => "strong",
            Self::VeryStrong => "very strong",
        })
    }
}

/// A computer player: which algorithm, how well.
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

impl fmt::Display for Computer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.strategy.has_strengths() {
            write!(f, "{}, {}", self.strategy, self.strength)
        } else {
            self.strategy.fmt(f)
        }
    }
}

/// Who moves first in each game of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FirstMove {
    /// X in the first game, then by turns.
    #[default]
    Alternate,
    /// Always X.
    X,
    /// Always O.
    O,
    /// Drawn for each game.
    Random,
    /// X in the first game, then whoever lost; after a draw, whoever did not begin.
    Loser,
}

/// What a room is set to when it is made; it never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RoomSettings"))]
#[serde(remote = "Self", default)]
pub struct RoomSettings {
    /// The board.
    #[serde(deserialize_with = "or_default")]
    pub board: BoardSpec,
    /// Who moves first.
    #[serde(deserialize_with = "or_default")]
    pub first: FirstMove,
    /// How each game opens; anything but free needs a board of 13 × 13 or more.
    #[serde(deserialize_with = "or_default")]
    pub opening: Opening,
    /// Milliseconds for each move, after which the game is lost; none by default.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_MOVE_TIME_MS, max = MAX_MOVE_TIME_MS)))]
    pub move_time_ms: Option<u32>,
    /// Whether the lobby shows the room.
    #[serde(deserialize_with = "or_default")]
    pub listed: bool,
    /// Whether spectators are admitted.
    #[serde(deserialize_with = "or_true")]
    pub spectators: bool,
    /// Whether a game is drawn as soon as no line can be won; by default on every board but
    /// 3 × 3, which is played full.
    pub early_draw: Option<bool>,
    /// Whether a player may ask for a hint; never in a quick match.
    #[serde(deserialize_with = "or_true")]
    pub hints: bool,
    /// Whether those who watch are told how the running game stands.
    #[serde(deserialize_with = "or_default")]
    pub evaluation: bool,
}

object!(RoomSettings);

impl Default for RoomSettings {
    fn default() -> Self {
        Self {
            board: BoardSpec::default(),
            first: FirstMove::default(),
            opening: Opening::default(),
            move_time_ms: None,
            listed: false,
            spectators: true,
            early_draw: None,
            hints: true,
            evaluation: false,
        }
    }
}

impl RoomSettings {
    /// Whether a game is drawn as soon as no line can be won.
    #[must_use]
    pub fn draws_early(&self) -> bool {
        self.early_draw.unwrap_or_else(|| self.board.cells() > BoardSpec::TIC_TAC_TOE.cells())
    }

    /// Whether the move time limit, if any, is in range.
    #[must_use]
    pub fn move_time_is_legal(&self) -> bool {
        self.move_time_ms.is_none_or(|ms| (MIN_MOVE_TIME_MS..=MAX_MOVE_TIME_MS).contains(&ms))
    }
}

/// Who shall sit on a seat of a new room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeatRequest {
    /// The maker of the room; on both seats, to play both sides on one screen.
    You,
    /// Whoever joins.
    Open,
    /// A computer; on both seats, an exhibition.
    Computer(Computer),
}

impl Default for ByMark<SeatRequest> {
    fn default() -> Self {
        Self { x: SeatRequest::You, o: SeatRequest::Open }
    }
}

/// The computer to play when a quick match finds nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComputerFallback {
    /// After how many milliseconds.
    pub after_ms: u32,
    /// Which computer.
    #[serde(flatten)]
    pub computer: Computer,
}
