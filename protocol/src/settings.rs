//! The settings of a room: its board, who moves first, its clock, who sits where, and the computers.
//! The state of a room is in [`crate::room`].

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::BoardSpec;
use crate::opening::Opening;
use crate::reading::{object, or_default, or_true};
use crate::room::ByMark;
use crate::rules::Variant;
use crate::{MAX_MOVE_TIME_MS, MIN_MOVE_TIME_MS};

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
    /// All strategies.
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

impl Strength {
    /// All strengths, the weakest first.
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
    /// X in the first game, then X and O in turn.
    #[default]
    Alternate,
    /// Always X.
    X,
    /// Always O.
    O,
    /// Drawn for each game.
    Random,
    /// X in the first game, then the loser of the last game. After a draw, the player who moved second.
    Loser,
}

/// The settings of a room. They never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RoomSettings"))]
#[serde(remote = "Self", default)]
pub struct RoomSettings {
    /// The board.
    #[serde(deserialize_with = "or_default")]
    pub board: BoardSpec,
    /// How a game is won. Left out while it is `line`, the only one so far.
    #[serde(deserialize_with = "or_default", skip_serializing_if = "Variant::is_line")]
    #[cfg_attr(feature = "schema", schemars(extend("default" = Variant::default())))]
    pub variant: Variant,
    /// Who moves first.
    #[serde(deserialize_with = "or_default")]
    pub first: FirstMove,
    /// How each game opens; swap2 needs a board of 13 × 13 or more.
    #[serde(deserialize_with = "or_default")]
    pub opening: Opening,
    /// Milliseconds for each move, after which the game is lost; no limit by default.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_MOVE_TIME_MS, max = MAX_MOVE_TIME_MS)))]
    pub move_time_ms: Option<u32>,
    /// Whether the lobby shows the room.
    #[serde(deserialize_with = "or_default")]
    pub listed: bool,
    /// Whether spectators are admitted.
    #[serde(deserialize_with = "or_true")]
    pub spectators: bool,
    /// Whether a game is drawn as soon as nobody can win. By default on every board except 3 × 3,
    /// where the board is filled.
    pub early_draw: Option<bool>,
    /// Whether a player may ask for a hint; never in a quick match.
    #[serde(deserialize_with = "or_true")]
    pub hints: bool,
    /// Whether spectators see an evaluation of the running game.
    #[serde(deserialize_with = "or_default")]
    pub evaluation: bool,
}

object!(RoomSettings);

impl Default for RoomSettings {
    fn default() -> Self {
        Self {
            board: BoardSpec::default(),
            variant: Variant::default(),
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
    /// Whether a game is drawn as soon as nobody can win.
    #[must_use]
    pub fn draws_early(&self) -> bool {
        self.early_draw.unwrap_or_else(|| self.board.cells() > BoardSpec::TIC_TAC_TOE.cells())
    }

    /// Whether the move time limit is in range, if there is one.
    #[must_use]
    pub fn move_time_is_legal(&self) -> bool {
        self.move_time_ms.is_none_or(|ms| (MIN_MOVE_TIME_MS..=MAX_MOVE_TIME_MS).contains(&ms))
    }
}

/// Who sits on a seat of a new room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeatRequest {
    /// The maker of the room. On both seats: to play both sides on one screen.
    You,
    /// The next player who joins.
    Open,
    /// A computer. On both seats: an exhibition.
    Computer(Computer),
}

impl Default for ByMark<SeatRequest> {
    fn default() -> Self {
        Self { x: SeatRequest::You, o: SeatRequest::Open }
    }
}

/// The computer opponent of a quick match that finds nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComputerFallback {
    /// Milliseconds after which the computer takes the seat.
    pub after_ms: u32,
    /// Which computer.
    #[serde(flatten)]
    pub computer: Computer,
}
