//! The questions about kept games, people and puzzles. A session keeps the last one of each kind with its
//! answer.

use noughts_protocol::{Found, IntentId, LobbyIntent, Refusal};

/// The kinds of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LookupKind {
    /// The player's games.
    History,
    /// A kept game.
    Game,
    /// The review of a kept game.
    Review,
    /// A profile.
    Profile,
    /// The strongest players.
    Leaderboard,
    /// The puzzle of a day.
    Puzzle,
    /// The player's games as a file.
    Export,
    /// The people who are connected now.
    Here,
}

/// A question and its answer.
#[derive(Debug, Clone)]
pub struct Lookup {
    pub(super) id: IntentId,
    /// The question.
    pub intent: LobbyIntent,
    /// The answer, once it has come.
    pub answer: Option<Result<Found, Refusal>>,
}

impl LookupKind {
    /// The kind of an intent; `None` for what is no question.
    #[must_use]
    pub const fn of(intent: &LobbyIntent) -> Option<Self> {
        match intent {
            LobbyIntent::History { .. } => Some(Self::History),
            LobbyIntent::Game { .. } => Some(Self::Game),
            LobbyIntent::ReviewGame { .. } => Some(Self::Review),
            LobbyIntent::Profile { .. } => Some(Self::Profile),
            LobbyIntent::Leaderboard { .. } => Some(Self::Leaderboard),
            LobbyIntent::Puzzle { .. } => Some(Self::Puzzle),
            LobbyIntent::Export { .. } => Some(Self::Export),
            LobbyIntent::Here { .. } => Some(Self::Here),
            _ => None,
        }
    }
}
