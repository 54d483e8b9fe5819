//! Questions of a player about kept games, people and puzzles. The answers are found while the connection goes
//! on with other messages, and are sent when they are there. Dropping the session drops them.

use std::sync::Arc;

use noughts_protocol::{
    ArchivedGame, Found, Game, GameId, IntentId, LobbyIntent, PlayerId, PlayerName, Refusal,
    RefusalCode, Rules,
};
use noughts_store::archive::{HistoryFilter, HistoryPage};
use noughts_store::{Archive, ArchiveError, StoredGame};
use tokio::task::JoinSet;

use crate::lobby::switched_off;
use crate::puzzle::puzzle_of;
use crate::state::Shared;

/// Questions of one connection that may wait for their answers; one of each kind, and some more.
const MAX_QUESTIONS: usize = 8;

/// A question's answer.
pub(crate) type Answered = (IntentId, Result<Found, Refusal>);

/// The questions of a connection that wait for their answers, each a task. Dropping this ends them.
#[derive(Debug, Default)]
pub(crate) struct Questions(JoinSet<Answered>);

impl Questions {
    /// Adds a question.
    ///
    /// # Errors
    /// If too many wait already.
    pub(crate) fn add(
        &mut self,
        id: IntentId,
        question: impl Future<Output = Result<Found, Refusal>> + Send + 'static,
    ) -> Result<(), Refusal> {
        if self.0.len() == MAX_QUESTIONS {
            let message = "you ask faster than the server answers: wait a second and ask again";
            return Err(Refusal::new(RefusalCode::RateLimited, message));
        }
        self.0.spawn(async move { (id, question.await) });
        Ok(())
    }

    /// Whether nothing is asked.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next answer; waits for ever while nothing is asked. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Answered {
        loop {
            match self.0.join_next().await {
                Some(Ok(answered)) => return answered,
                // The question panicked, which is logged. Its client connects again and asks again.
                Some(Err(_)) => {}
                None => std::future::pending().await,
            }
        }
    }
}

/// Answers a question of a player.
pub(crate) async fn answer(
    shared: Arc<Shared>,
    player: PlayerId,
    name: PlayerName,
    question: LobbyIntent,
) -> Result<Found, Refusal> {
    if let LobbyIntent::Puzzle { date } = question {
        let today = shared.today();
        let puzzle = puzzle_of(date.unwrap_or(today), today)?;
        return Ok(Found::Puzzle { puzzle });
    }
    let Some(storage) = &shared.storage else {
        return Err(keeps_nothing());
    };
    let archive = storage.sqlite.archive();
    let rated = shared.lobby.features().ratings;
    let found = match question {
        LobbyIntent::History { opponent, board, variant, outcome, before } => {
            let filter = HistoryFilter { opponent, board, variant, outcome };
            let page = archive.ask(move |archive| archive.history(player, &filter, before));
            page.await.map(|HistoryPage { games, more }| Found::History { games, more })
        }
        LobbyIntent::Game { game } => {
            kept_game(archive, game).await.map(|StoredGame { game, .. }| Found::Game { game })
        }
        LobbyIntent::ReviewGame { game } => return review(&shared, archive, game).await,
        LobbyIntent::Profile { player: asked } => {
            let profile =
                archive.ask(move |archive| match asked.filter(|asked| *asked != player) {
                    Some(asked) => archive.profile(asked, player, rated),
                    None => archive.own_profile(player, name, rated),
                });
            profile.await.map(|profile| Found::Profile { profile })
        }
        LobbyIntent::Leaderboard { class, period } => {
            if !rated {
                return Err(switched_off("has a rating", "play for the fun of it"));
            }
            let leaderboard = archive.ask(move |archive| archive.leaderboard(class, period));
            leaderboard.await.map(|leaderboard| Found::Leaderboard { leaderboard })
        }
        LobbyIntent::Export { format, before } => {
            let piece = archive.ask(move |archive| archive.export(player, format, before));
            piece.await.map(|piece| Found::Export { text: piece.text, next: piece.next })
        }
        _ => return Err(Refusal::new(RefusalCode::BadMessage, "that is no question")),
    };
    found.map_err(refusal)
}

async fn kept_game(archive: &Archive, game: GameId) -> Result<StoredGame, ArchiveError> {
    archive.ask(move |archive| archive.game(game)).await
}

async fn review(shared: &Shared, archive: &Archive, id: GameId) -> Result<Found, Refusal> {
    let StoredGame { game, opening, .. } = kept_game(archive, id).await.map_err(refusal)?;
    let ArchivedGame { settings, first, moves, placed, summary, .. } = game;
    let replayed = Game::replay(Rules::of(&settings), first, &moves, &placed);
    let Ok(mut game) = replayed else {
        tracing::error!(%id, "a kept game breaks the rules");
        return Err(unreadable());
    };
    game.conclude(summary.result);
    let reviewed = shared.reviews.review(id, game, opening).await.map_err(|_| {
        let message = "the server reviews other games at the moment: try again in a few seconds";
        Refusal::new(RefusalCode::RateLimited, message)
    })?;
    let proven = reviewed.proven;
    let moves = reviewed.moves.clone();
    Ok(Found::Review { game: id, first, proven, moves })
}

/// The refusal of a server whose rooms are in memory alone.
pub(crate) fn keeps_nothing() -> Refusal {
    switched_off("is remembered", "it keeps no games")
}

pub(crate) fn refusal(error: ArchiveError) -> Refusal {
    match error {
        ArchiveError::NoSuchGame => {
            let message = "no kept game has this id: check the link; the host may have deleted it";
            Refusal::new(RefusalCode::NoSuchGame, message)
        }
        ArchiveError::NoSuchPlayer => {
            let message = "nobody with this id has finished a game here";
            Refusal::new(RefusalCode::NoSuchPlayer, message)
        }
        ArchiveError::Busy => {
            let message = "too many people look back at the moment: try again in a second";
            Refusal::new(RefusalCode::RateLimited, message)
        }
        ArchiveError::Disk(error) => {
            tracing::error!(%error, "the archive cannot be read");
            unreadable()
        }
    }
}

fn unreadable() -> Refusal {
    let message = "the server cannot read that at present: try again later, or tell the host";
    Refusal::new(RefusalCode::NotStored, message)
}
