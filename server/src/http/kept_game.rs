//! Kept games by HTTP: what the link to one shows in a messenger, and its picture.
//!
//! A messenger that fetches previews has no identity. Whoever has the link may see the game, except on
//! a server with a password: there a link shows what every other link shows.
//!
//! Pictures are drawn one at a time, at most [`MAX_WAITING`] requests wait for it, and the last
//! [`MAX_PICTURES`] pictures are kept in memory.

use std::collections::VecDeque;

use axum::body::Bytes;
use noughts_protocol::{ArchivedGame, GameId};
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use crate::http::picture;
use crate::journal::archive::reader::ArchiveError;
use crate::state::Shared;

/// Pictures in memory. Each has at most 150 KB, most have 30 KB.
const MAX_PICTURES: usize = 64;
/// Requests that draw a picture or wait for it. One takes about 20 ms.
const MAX_WAITING: usize = 16;

/// The latest pictures, and the right to draw one.
#[derive(Debug)]
pub(crate) struct Pictures {
    /// The latest last.
    latest: Mutex<VecDeque<(GameId, Bytes)>>,
    waiting: Semaphore,
    drawing: Semaphore,
}

impl Default for Pictures {
    fn default() -> Self {
        Self {
            latest: Mutex::default(),
            waiting: Semaphore::new(MAX_WAITING),
            drawing: Semaphore::new(1),
        }
    }
}

/// Why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoPicture {
    /// No kept game has this id, or this server shows none to strangers.
    Unknown,
    /// Too many wait.
    Busy,
}

impl Pictures {
    fn known(&self, id: GameId) -> Option<Bytes> {
        let latest = self.latest.lock();
        latest.iter().find(|(known, _)| *known == id).map(|(_, picture)| picture.clone())
    }

    fn keep(&self, id: GameId, picture: Bytes) {
        let mut latest = self.latest.lock();
        if latest.len() >= MAX_PICTURES {
            latest.pop_front();
        }
        latest.push_back((id, picture));
    }
}

/// The game that a link to it shows to everybody; `None` if there is none, or if this server shows
/// nothing to strangers.
pub(crate) async fn shown(shared: &Shared, id: GameId) -> Option<ArchivedGame> {
    find(shared, id).await.ok()
}

/// The picture of a game.
pub(crate) async fn picture(
    shared: &Shared,
    pictures: &Pictures,
    id: GameId,
) -> Result<Bytes, NoPicture> {
    let _waiting = pictures.waiting.try_acquire().map_err(|_| NoPicture::Busy)?;
    // Also for a picture that is known: the game may have been deleted.
    let game = find(shared, id).await?;
    if let Some(picture) = pictures.known(id) {
        return Ok(picture);
    }
    let _drawing = pictures.drawing.acquire().await.map_err(|_| NoPicture::Busy)?;
    // Another request may have drawn it meanwhile.
    if let Some(picture) = pictures.known(id) {
        return Ok(picture);
    }
    let drawn = tokio::task::spawn_blocking(move || picture::draw(&game)).await;
    let picture = Bytes::from(drawn.ok().flatten().ok_or(NoPicture::Unknown)?);
    pictures.keep(id, picture.clone());
    Ok(picture)
}

async fn find(shared: &Shared, id: GameId) -> Result<ArchivedGame, NoPicture> {
    let journal = shared.journal.as_ref().filter(|_| shared.config.password.is_none());
    let archive = journal.ok_or(NoPicture::Unknown)?.archive();
    match archive.ask(move |archive| archive.game(id)).await {
        Ok(kept) => Ok(kept.game),
        Err(ArchiveError::Busy) => Err(NoPicture::Busy),
        Err(ArchiveError::NoSuchGame | ArchiveError::NoSuchPlayer | ArchiveError::Disk(_)) => {
            Err(NoPicture::Unknown)
        }
    }
}
