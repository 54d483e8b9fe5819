//! Answers questions about kept games and the people who played them. One worker answers them all, on a
//! connection of its own, so that neither a move nor a room that is activated waits for somebody who
//! looks back.
//!
//! A question that finds [`ARCHIVE_QUEUE`] others waiting is refused: the one who asks may ask again.

use std::cell::RefCell;
use std::path::Path;

use noughts_protocol::{
    BoardClass, GameId, Leaderboard, PartyCode, PartySnapshot, Period, PlayerId, PlayerName,
    Profile,
};
use rusqlite::{Connection, OpenFlags};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use crate::error::{DiskError, OpenError, ReadError};
use crate::folder::{FILE, refuse_remains};
use crate::game::{self, StoredGame};
use crate::kept_party;
use crate::player::{self, People};
use crate::rating;
use crate::schema;
use crate::writer::BUSY_TIMEOUT;
use leaderboard::Leaderboards;

pub use export::ExportPiece;
pub use history::{HistoryFilter, HistoryPage, PublicGames};

mod export;
mod history;
pub(crate) mod leaderboard;
mod profile;
mod sgf;

/// Questions that may wait for the archive. Each takes a few milliseconds at most, so that the last
/// one waits about a second.
pub(crate) const ARCHIVE_QUEUE: usize = 256;
/// Statements that stay prepared.
const PREPARED: usize = 64;

/// Why a question was not answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// No kept game has this id.
    #[error("no kept game has this id")]
    NoSuchGame,
    /// No known player has this id.
    #[error("no known player has this id")]
    NoSuchPlayer,
    /// Too many other questions wait.
    #[error("too many questions wait for the archive")]
    Busy,
    /// The archive cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl From<rusqlite::Error> for ArchiveError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Disk(error.into())
    }
}

/// A question, and what is done with its answer. `None` ends the worker.
pub(crate) type Job = Option<Box<dyn FnOnce(&ArchiveReader) + Send>>;

/// Asks a reader; cheap to clone.
#[derive(Debug, Clone)]
pub struct Archive {
    jobs: mpsc::Sender<Job>,
}

impl Archive {
    /// The archive, and the questions for its worker.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Job>) {
        let (jobs, waiting) = mpsc::channel(ARCHIVE_QUEUE);
        (Self { jobs }, waiting)
    }

    /// Asks a question and waits for its answer. If the caller stops waiting before it is its
    /// turn, the question is dropped.
    ///
    /// # Errors
    /// If too many others wait, or if the question has no answer.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&ArchiveReader) -> Result<T, ArchiveError> + Send + 'static,
    ) -> Result<T, ArchiveError> {
        let (job, answer) = job(question);
        self.jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => ArchiveError::Busy,
            TrySendError::Closed(_) => ArchiveError::Disk(DiskError::closed()),
        })?;
        answer.await.map_err(|_| DiskError::closed())?
    }

    /// The same for one who waits, however many others do.
    pub(crate) async fn ask_in_turn<T: Send + 'static>(
        &self,
        question: impl FnOnce(&ArchiveReader) -> Result<T, ReadError> + Send + 'static,
    ) -> Result<T, ReadError> {
        let (job, answer) = job(question);
        self.jobs.send(job).await.map_err(|_| DiskError::closed())?;
        answer.await.map_err(|_| DiskError::closed())?
    }

    /// Ends the worker, after the questions that wait.
    pub(crate) async fn close(&self) {
        drop(self.jobs.send(None).await);
        self.jobs.closed().await;
    }
}

/// A question for the worker, and where its answer comes.
fn job<T: Send + 'static, E: From<rusqlite::Error> + Send + 'static>(
    question: impl FnOnce(&ArchiveReader) -> Result<T, E> + Send + 'static,
) -> (Job, oneshot::Receiver<Result<T, E>>) {
    let (reply, answer) = oneshot::channel();
    let job = move |reader: &ArchiveReader| {
        if !reply.is_closed() {
            // The caller may have stopped waiting.
            drop(reply.send(reader.at_one_moment(question)));
        }
    };
    (Some(Box::new(job)), answer)
}

/// Opens the file in a folder for reading, also while a server runs on it; or a backup, which is a file.
pub(crate) fn connect(folder: &Path) -> Result<Connection, OpenError> {
    refuse_remains(folder)?;
    let path = if folder.is_file() { folder.to_owned() } else { folder.join(FILE) };
    if !path.exists() {
        return Err(OpenError::Missing(folder.to_owned()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    schema::check(&connection, folder)?;
    Ok(connection)
}

/// A read-only connection to the file.
#[derive(Debug)]
pub struct ArchiveReader {
    connection: Connection,
    /// The time of day, in milliseconds since 1970.
    wall_clock: fn() -> i64,
    leaderboards: RefCell<Leaderboards>,
}

impl ArchiveReader {
    /// Opens the archive in a folder for reading, also while a server runs on it.
    ///
    /// # Errors
    /// If there is none, or if it cannot be read.
    pub fn open(folder: &Path, wall_clock: fn() -> i64) -> Result<Self, OpenError> {
        Ok(Self::of(connect(folder)?, wall_clock))
    }

    pub(crate) fn of(connection: Connection, wall_clock: fn() -> i64) -> Self {
        connection.set_prepared_statement_cache_capacity(PREPARED);
        Self { connection, wall_clock, leaderboards: RefCell::default() }
    }

    pub(crate) const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Answers until every sender is dropped or one closes the archive.
    pub(crate) async fn run(self, mut jobs: mpsc::Receiver<Job>) {
        while let Some(Some(job)) = jobs.recv().await {
            job(&self);
        }
        // The connection is closed before the queue: the writer, which closes after that, is then the
        // last one.
        drop(self);
    }

    /// Answers from one state of the archive: what is written meanwhile is not seen.
    pub(crate) fn at_one_moment<T, E: From<rusqlite::Error>>(
        &self,
        question: impl FnOnce(&Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let _transaction = self.connection.unchecked_transaction()?;
        question(self)
    }

    /// A kept game.
    ///
    /// # Errors
    /// If there is none with this id, or the archive cannot be read.
    pub fn game(&self, game: GameId) -> Result<StoredGame, ArchiveError> {
        game::by_id(&self.connection, game)?.ok_or(ArchiveError::NoSuchGame)
    }

    /// A party that has ended; `None` if none is kept under this code.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn party(&self, party: PartyCode) -> Result<Option<PartySnapshot>, ArchiveError> {
        Ok(kept_party::load(&self.connection, party)?)
    }

    /// At most `most` of the kept games of a party, in the order of their ends; those after a game, or the first.
    ///
    /// # Errors
    /// If there is no game `after`, or the archive cannot be read.
    pub fn games_of_party(
        &self,
        party: PartyCode,
        after: Option<GameId>,
        most: usize,
    ) -> Result<Vec<StoredGame>, ArchiveError> {
        let after = after.map_or(Ok(0), |after| history::end(&self.connection, Some(after)))?;
        Ok(game::of_party(&self.connection, party, after, most)?)
    }

    /// Whether a player has a profile that others can open.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn knows(&self, player: PlayerId) -> Result<bool, ArchiveError> {
        let number = player::number(&self.connection, player).map_err(ReadError::from)?;
        Ok(number.is_some())
    }

    /// The profile of a player as `asker` may see it, with ratings if the host has them switched on.
    ///
    /// # Errors
    /// If the player is not known, or the archive cannot be read.
    pub fn profile(
        &self,
        player: PlayerId,
        asker: PlayerId,
        rated: bool,
    ) -> Result<Profile, ArchiveError> {
        let found = profile::profile(&self.connection, player, asker)?;
        let (number, mut profile) = found.ok_or(ArchiveError::NoSuchPlayer)?;
        if rated {
            profile.ratings = rating::of_player(&self.connection, number, (self.wall_clock)())?;
        }
        Ok(profile)
    }

    /// The player's own profile, which is empty before the first game.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn own_profile(
        &self,
        player: PlayerId,
        name: PlayerName,
        rated: bool,
    ) -> Result<Profile, ArchiveError> {
        match self.profile(player, player, rated) {
            Err(ArchiveError::NoSuchPlayer) => Ok(profile::empty(player, name)),
            found => found,
        }
    }

    /// The people whom a player has played and who do not hide.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn people(&self, player: PlayerId) -> Result<People, ArchiveError> {
        Ok(player::people(&self.connection, player)?)
    }

    /// The strongest players.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn leaderboard(
        &self,
        class: BoardClass,
        period: Period,
    ) -> Result<Leaderboard, ArchiveError> {
        let now = (self.wall_clock)();
        let mut leaderboards = self.leaderboards.borrow_mut();
        Ok(leaderboards.get(&self.connection, class, period, now)?)
    }
}
