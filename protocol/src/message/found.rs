//! The answers to the questions about kept games, people and puzzles.

use serde::{Deserialize, Serialize};

use crate::analysis::ReviewedMove;
use crate::archive::{ArchivedGame, GameSummary, Leaderboard, Profile};
use crate::board::Mark;
use crate::id::{GameId, PlayerId, PlayerName};
use crate::puzzle::DailyPuzzle;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Found {
    /// A page of a history.
    History {
        /// The games, the newest first; at most [`HISTORY_PAGE`](crate::HISTORY_PAGE).
        games: Vec<GameSummary>,
        /// Whether there are older ones.
        more: bool,
    },
    /// A kept game.
    Game {
        /// The game.
        game: ArchivedGame,
    },
    /// The review of a kept game.
    Review {
        /// The game's id.
        game: GameId,
        /// The mark that moved first.
        first: Mark,
        /// Whether every value after the opening is proven, and so every verdict exact.
        proven: bool,
        /// Every move in order.
        moves: Vec<ReviewedMove>,
    },
    /// A profile.
    Profile {
        /// The profile.
        profile: Profile,
    },
    /// A leaderboard.
    Leaderboard {
        /// The leaderboard.
        leaderboard: Leaderboard,
    },
    /// The puzzle of a day.
    Puzzle {
        /// The puzzle.
        puzzle: DailyPuzzle,
    },
    /// People whom the player has played and who are connected now.
    Here {
        /// Those who do not hide it, the last opponent first; at most [`MAX_HERE`](crate::MAX_HERE).
        people: Vec<Acquaintance>,
        /// Whether the player hides from others.
        hidden: bool,
    },
    /// A piece of a file of games.
    Export {
        /// The text of this piece. The pieces in order are the file.
        text: String,
        /// The `before` of the next piece; `null` after the last one.
        next: Option<GameId>,
    },
}

/// Somebody whom the player has played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Acquaintance {
    /// The player's id.
    pub player: PlayerId,
    /// The player's last name.
    #[serde(flatten, with = "crate::face")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::face::Named<PlayerName>"))]
    pub name: PlayerName,
}
