//! Kept games, and the people who played them: kept games,
//! profiles, ratings and leaderboards. How the server keeps and counts them is its own affair.

use serde::{Deserialize, Serialize};

use crate::board::{BoardSpec, Cell, Mark};
use crate::game::GameResult;
use crate::id::{GameId, PlayerId, PlayerName};
use crate::reading::{is_default, or_default};
use crate::room::{ByMark, Seat};
use crate::rules::{PlyEffect, Variant};
use crate::settings::named::named;
use crate::settings::{Computer, RoomSettings};

/// One side of a kept game.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Participant {
    /// A person.
    Human {
        /// The player's id.
        player: PlayerId,
        /// The player's name in that game.
        #[serde(flatten, with = "crate::face")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::face::Named<PlayerName>"))]
        name: PlayerName,
    },
    /// A person who asked to be forgotten. Clients write "Somebody".
    Somebody,
    /// A computer player.
    Computer(Computer),
}

impl Participant {
    /// The player, if it is a known person.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        match self {
            Self::Human { player, .. } => Some(*player),
            Self::Somebody | Self::Computer(_) => None,
        }
    }

    /// The participant on a seat; `None` for an open seat.
    #[must_use]
    pub fn of(seat: &Seat) -> Option<Self> {
        match seat {
            Seat::Open => None,
            Seat::Human { player, name } => {
                Some(Self::Human { player: *player, name: name.clone() })
            }
            Seat::Computer(computer) => Some(Self::Computer(*computer)),
        }
    }

    /// The name for people.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Human { name, .. } => name.to_string(),
            Self::Somebody => "Somebody".to_owned(),
            Self::Computer(computer) => format!("computer ({computer})"),
        }
    }
}

/// A kept game without its moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameSummary {
    /// The game's id.
    pub id: GameId,
    /// When it ended, in milliseconds since 1970.
    pub ended_at: u64,
    /// The players, with the names of that time. A swap2 opening may have exchanged them: these are
    /// the sides at the end.
    pub players: ByMark<Participant>,
    /// The board.
    pub board: BoardSpec,
    /// How it was won. Left out while it is `line`.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub variant: Variant,
    /// The result.
    pub result: GameResult,
    /// The number of moves.
    pub plies: u16,
    /// Whether it counted for the players' ratings.
    pub rated: bool,
    /// Whether everybody could watch it: a quick match, or a room of the public list. A profile shows
    /// other people only such games.
    pub public: bool,
}

/// A kept game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArchivedGame {
    /// The game without its moves.
    pub summary: GameSummary,
    /// The settings of its room.
    pub settings: RoomSettings,
    /// The mark that moved first.
    pub first: Mark,
    /// When it began, in milliseconds since 1970.
    pub started_at: u64,
    /// The cells played, in order.
    pub moves: Vec<Cell>,
    /// The mark of each move; left out in a variant in which each side places its own.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<Mark>,
    /// What moves did besides placing their marks, in order; left out if no move did.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<PlyEffect>,
    /// For each move the milliseconds since the game began.
    pub times_ms: Vec<u32>,
}

/// Won, lost and drawn games of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tally {
    /// Won games.
    pub wins: u32,
    /// Lost games.
    pub losses: u32,
    /// Drawn games.
    pub draws: u32,
}

impl Tally {
    /// The number of games.
    #[must_use]
    pub const fn games(self) -> u32 {
        self.wins.saturating_add(self.losses).saturating_add(self.draws)
    }
}

/// The results of a player in one variant on one board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardTally {
    /// The board.
    pub board: BoardSpec,
    /// How games are won. Left out while it is `line`.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub variant: Variant,
    /// The results.
    pub tally: Tally,
}

/// The results of a player against one opponent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpponentTally {
    /// The opponent, with their last name.
    pub opponent: Participant,
    /// The results.
    pub tally: Tally,
}

/// The games that share a rating. Where a line wins, by the marks in a row that win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BoardClass {
    /// Three marks or fewer.
    #[default]
    Three,
    /// Four marks.
    Four,
    /// Five marks or more.
    Five,
    /// The variant `ultimate`.
    Ultimate,
    /// The variant `gravity`.
    Gravity,
    /// All other variants.
    Other,
}

named!(BoardClass {
    Three: "three", "three in a row";
    Four: "four", "four in a row";
    Five: "five", "five in a row";
    Ultimate: "ultimate", "ultimate";
    Gravity: "gravity", "gravity";
    Other: "other", "other variants";
});

impl BoardClass {
    /// The class of a room's games.
    #[must_use]
    pub fn of(settings: &RoomSettings) -> Self {
        match (settings.variant, settings.board.line()) {
            (Variant::Line, 0..=3) => Self::Three,
            (Variant::Line, 4) => Self::Four,
            (Variant::Line, _) => Self::Five,
            (Variant::Ultimate, _) => Self::Ultimate,
            (Variant::Gravity, _) => Self::Gravity,
            _ => Self::Other,
        }
    }
}

/// A player's rating in a class of games, by Glicko-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rating {
    /// The class of games.
    pub class: BoardClass,
    /// The rating; 1500 at first.
    pub rating: i32,
    /// Its uncertainty, the rating deviation: the true strength is within two of it in 95 of 100
    /// cases.
    pub deviation: u32,
    /// Rated games so far.
    pub games: u32,
}

/// Everything that the server tells about a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// The player's id.
    pub player: PlayerId,
    /// The player's last name.
    #[serde(flatten, with = "crate::face")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::face::Named<PlayerName>"))]
    pub name: PlayerName,
    /// When the player's first game ended, in milliseconds since 1970; `null` before any game.
    pub first_at: Option<u64>,
    /// When the player's last game ended; `null` before any game.
    pub last_at: Option<u64>,
    /// All results.
    pub tally: Tally,
    /// Games won in a row now.
    pub streak: u32,
    /// The most games won in a row.
    pub best_streak: u32,
    /// The results by board, the most played first; at most [`MAX_TALLIES`](crate::MAX_TALLIES).
    pub boards: Vec<BoardTally>,
    /// The results by computer player, the most played first.
    pub computers: Vec<OpponentTally>,
    /// The results by person, the most played first; at most [`MAX_TALLIES`](crate::MAX_TALLIES).
    /// Told to the player alone; empty for others.
    pub opponents: Vec<OpponentTally>,
    /// The results of the one who asks against this player; `null` if they never met.
    pub you: Option<Tally>,
    /// The ratings; empty before any rated game, and if the host has switched ratings off.
    pub ratings: Vec<Rating>,
    /// The last games, newest first; at most [`MAX_RECENT`](crate::MAX_RECENT). Others are told only
    /// public games and those that they played themselves.
    pub recent: Vec<GameSummary>,
}

/// The time that a leaderboard covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// The last 12 hours.
    Tonight,
    /// The last seven days.
    #[default]
    Week,
    /// All time.
    Ever,
}

named!(Period {
    Tonight: "tonight", "tonight";
    Week: "week", "this week";
    Ever: "ever", "ever";
});

/// The strongest players of a class of games in a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Leaderboard {
    /// The class of games.
    pub class: BoardClass,
    /// The period.
    pub period: Period,
    /// The rated games that a player must have played in the period.
    pub least_games: u32,
    /// The players, the strongest first; at most [`MAX_LEADERS`](crate::MAX_LEADERS).
    pub rows: Vec<Leader>,
}

/// A row of a leaderboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Leader {
    /// The player.
    pub player: PlayerId,
    /// The player's last name.
    #[serde(flatten, with = "crate::face")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::face::Named<PlayerName>"))]
    pub name: PlayerName,
    /// The rating; `games` are all rated games.
    pub rating: Rating,
    /// Rated games in the period.
    pub games_in_period: u32,
}

/// The result of a game for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The player won.
    Won,
    /// The player lost.
    Lost,
    /// Nobody won.
    Drawn,
}

impl Outcome {
    /// A result, for the player of a mark.
    #[must_use]
    pub fn of(result: &GameResult, mark: Mark) -> Self {
        match result.winner() {
            None => Self::Drawn,
            Some(winner) if winner == mark => Self::Won,
            Some(_) => Self::Lost,
        }
    }
}

named!(Outcome {
    Won: "won", "won";
    Lost: "lost", "lost";
    Drawn: "drawn", "drawn";
});

/// The opponents whose games a history shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OpponentFilter {
    /// Any computer.
    Computer,
    /// Any person.
    Human,
    /// This person.
    Player(PlayerId),
}

/// The file format of exported games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// An [`ArchivedGame`] as JSON in each line.
    JsonLines,
    /// SGF FF\[4\] with GM\[4\] (gomoku and renju); games of five in a row only.
    Sgf,
}

named!(ExportFormat {
    JsonLines: "json_lines", "JSON lines";
    Sgf: "sgf", "SGF, five in a row only";
});
