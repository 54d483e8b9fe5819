//! Kept games by HTTP: what the link to one shows in a messenger, and its picture.
//!
//! A messenger that fetches previews has no identity. Everybody with the link may see the game,
//! except on a server with a password: there all links show the same.
//!
//! At most [`MAX_LOOKUPS`] requests look for their game at once, so that they do not fill the queue of
//! the archive, where players wait too; a further link shows no game. Pictures are drawn one at a time,
//! at most [`MAX_WAITING`] requests wait for one, and the last pictures are kept in memory.

use axum::body::Bytes;
use noughts_protocol::{ArchivedGame, GameId, PlayerId};
use noughts_store::ArchiveError;
use tokio::sync::Semaphore;

use crate::http::picture;
use crate::room::Recent;
use crate::state::Shared;

/// Requests that draw a picture or wait for it.
const MAX_WAITING: usize = 16;
/// Requests that wait for the archive: a quarter of its queue.
const MAX_LOOKUPS: usize = 64;

/// The latest pictures, and the rights to look for a game and to draw one.
#[derive(Debug)]
pub(crate) struct KeptGames {
    latest: Recent<Bytes>,
    lookups: Semaphore,
    waiting: Semaphore,
    drawing: Semaphore,
}

impl Default for KeptGames {
    fn default() -> Self {
        Self {
            latest: Recent::default(),
            lookups: Semaphore::new(MAX_LOOKUPS),
            waiting: Semaphore::new(MAX_WAITING),
            drawing: Semaphore::new(1),
        }
    }
}

/// Why a game, or its picture, is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoGame {
    /// No kept game has this id.
    Unknown,
    /// This server has a password, and shows none to strangers.
    Hidden,
    /// Too many wait.
    Busy,
}

/// Whether no player has this id, as far as everybody may know.
pub(crate) async fn is_nobody(shared: &Shared, games: &KeptGames, player: PlayerId) -> bool {
    if shared.config.password.get().is_some() {
        return false;
    }
    let Some(storage) = &shared.storage else { return true };
    let Ok(_lookup) = games.lookups.try_acquire() else { return false };
    let archive = storage.sqlite.archive();
    matches!(archive.ask(move |archive| archive.knows(player)).await, Ok(false))
}

/// The picture of a game.
pub(crate) async fn picture(
    shared: &Shared,
    games: &KeptGames,
    id: GameId,
) -> Result<Bytes, NoGame> {
    let _waiting = games.waiting.try_acquire().map_err(|_| NoGame::Busy)?;
    // Also for a picture that is known: the game may have been deleted.
    let game = shown(shared, games, id).await?;
    let draw = async || {
        let _drawing = games.drawing.acquire().await.map_err(|_| NoGame::Busy)?;
        let drawn = tokio::task::spawn_blocking(move || picture::draw(&game)).await;
        drawn.ok().flatten().map(Bytes::from).ok_or(NoGame::Unknown)
    };
    games.latest.of(id).get_or_try_init(draw).await.cloned()
}

/// The game that a link to it shows to everybody.
pub(crate) async fn shown(
    shared: &Shared,
    games: &KeptGames,
    id: GameId,
) -> Result<ArchivedGame, NoGame> {
    if shared.config.password.get().is_some() {
        return Err(NoGame::Hidden);
    }
    let archive = shared.storage.as_ref().ok_or(NoGame::Unknown)?.sqlite.archive();
    let _lookup = games.lookups.try_acquire().map_err(|_| NoGame::Busy)?;
    match archive.ask(move |archive| archive.game(id)).await {
        Ok(kept) => Ok(kept.game),
        Err(ArchiveError::Busy) => Err(NoGame::Busy),
        Err(ArchiveError::NoSuchGame | ArchiveError::NoSuchPlayer | ArchiveError::Disk(_)) => {
            Err(NoGame::Unknown)
        }
    }
}
