//! The questions about kept games and people. A session keeps the last one of each kind with its
//! answer.

use noughts_protocol::{Found, IntentId, LobbyIntent, Refusal};

/// The kinds of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// The player's games as a file.
    Export,
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

/// The last question of each kind.
#[derive(Debug)]
pub(super) struct Lookups([Option<Lookup>; LookupKind::COUNT]);

impl LookupKind {
    const COUNT: usize = 6;

    /// The kind of an intent; `None` for what is no question.
    #[must_use]
    pub const fn of(intent: &LobbyIntent) -> Option<Self> {
        match intent {
            LobbyIntent::History { .. } => Some(Self::History),
            LobbyIntent::Game { .. } => Some(Self::Game),
            LobbyIntent::ReviewGame { .. } => Some(Self::Review),
            LobbyIntent::Profile { .. } => Some(Self::Profile),
            LobbyIntent::Leaderboard { .. } => Some(Self::Leaderboard),
            LobbyIntent::Export { .. } => Some(Self::Export),
            _ => None,
        }
    }
}

impl Lookups {
    pub(super) const fn new() -> Self {
        Self([const { None }; LookupKind::COUNT])
    }

    pub(super) const fn get(&self, kind: LookupKind) -> Option<&Lookup> {
        self.0[kind as usize].as_ref()
    }

    /// Keeps a question in place of the last one of its kind.
    pub(super) fn ask(&mut self, kind: LookupKind, intent: LobbyIntent, id: IntentId) {
        self.0[kind as usize] = Some(Lookup { id, intent, answer: None });
    }

    /// Keeps an answer. Returns the kind of its question.
    pub(super) fn answer(
        &mut self,
        id: IntentId,
        answer: Result<Found, Refusal>,
    ) -> Option<LookupKind> {
        let question = self.0.iter_mut().flatten().find(|question| question.id == id)?;
        question.answer = Some(answer);
        LookupKind::of(&question.intent)
    }
}
