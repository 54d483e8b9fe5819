//! The durable record from which every room can be rebuilt: an `SQLite` file with an entry for each
//! fact of a room. [`Journal::write`] returns when its entries are committed. Nobody is shown an
//! event before that. The facts of one commit are stored together, and are sorted into their rooms
//! later ([`recent`]).
//!
//! A room knows only its own [log](room_log), which is the seam for another store. The version of a
//! fact is its number in the room: 1, 2, 3 and so on, over all restarts. A journal of an older
//! version is brought up to date when it is opened ([`schema`]).
//!
//! One task writes ([`writer`]). It puts all waiting writes into one transaction (group commit), so
//! that a thousand rooms share one wait for the disk. What waits for the disk runs on a thread: that
//! commit, a worker that reads rooms back ([`reader`]), and one that moves the write-ahead log into
//! the file ([`checkpoint`]). In simulations there are only tasks ([`environment`]).
//!
//! The journal awaits nobody. Its queue holds [`WRITE_QUEUE`] writes. If the queue is full, a room
//! waits; its bounded inbox fills, and then the connections that send to it wait.
//!
//! A write that fails changes nothing: the room refuses the intent, and the next write tries the
//! disk again, so that the journal notices by itself when the disk works again. The log says when
//! writes begin to fail and when they work again, at most once a minute ([`health`]). Before each
//! commit the journal checks that its files are still in their folder ([`files`]), because what is
//! written into a deleted file is lost when the server ends.
//!
//! The server says "refused" only if it is certain that nothing is stored:
//!
//! - `COMMIT` did not run, or one of its writes failed (no space, a limit, an I/O error). The frame
//!   that makes a transaction valid is written last, so it is incomplete. Nothing is stored.
//! - `COMMIT` failed in another way, for example in its sync. All frames may be in the write-ahead
//!   log: this server does not see them, but the next one would after a kill. The writer at once
//!   commits a small change ([`store::Disk::resolve`]), which overwrites the first of these frames.
//!   Each frame's checksum covers all frames before it, so the others become invalid too. If this
//!   succeeds, nothing is stored, and "refused" is true.
//! - If it fails too, the outcome is unknown ([`DiskError::Unknown`]), and the commit is
//!   [in doubt](in_doubt). Nobody gets an answer: the connection that asked is closed (1011), the
//!   room stays as everybody sees it, and the actions of timers and computers are tried again. The
//!   client reconnects and sends the intent again with the same id. If the server still runs, its
//!   next successful commit has made the frames invalid, and the intent is decided again. If the
//!   server was killed, the stored facts tell whether the intent was applied, and they answer its
//!   repeat. Until then every write of that room has an unknown outcome, since it may be a repeat,
//!   and so has every new room, if the commit made a room. Writes of other rooms are refused.
//!
//! A checkpoint that fails loses nothing: the log keeps the pages that were not moved.
//!
//! A disk that stalls holds the rooms that store something; nobody else waits for it, except once
//! with durability `process`: the commit that met the stall ran on the runtime's own thread.

mod apply;
pub mod archive;
mod background;
pub mod backup;
pub mod checkpoint;
pub mod checksum;
pub mod committed;
mod disk;
pub mod entry;
pub mod environment;
pub mod error;
mod files;
mod health;
mod in_doubt;
mod open;
pub mod party;
pub mod probe;
pub mod reader;
mod recent;
pub mod replay;
mod room_journal;
pub mod room_log;
mod schema;
pub mod startup;
pub mod store;
pub mod stored_room;
pub mod uptime;
pub mod wal;
mod write;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use noughts_protocol::PlayerId;
use prometheus_client::metrics::histogram::Histogram;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use archive::forgotten::Forgotten;
use archive::reader::Archive;
use environment::Environment;
use error::DiskError;
use health::Health;
pub(crate) use party::log::PartyJournal;
use reader::ReaderCommand;
pub(crate) use room_journal::RoomJournal;
use store::Write;
use uptime::Uptime;
use writer::WriterCommand;

/// Writes that may wait for the writer.
const WRITE_QUEUE: usize = 1024;
/// Rooms that may wait for the reader.
const READ_QUEUE: usize = 1024;
/// Rooms that one [`Write::Prune`] deletes at most, and that one [`Write::Scrub`] looks through.
const BATCH: u32 = 64;

/// A handle of the journal; cheap to clone.
#[derive(Debug, Clone)]
pub struct Journal {
    writer: mpsc::Sender<WriterCommand>,
    reader: mpsc::Sender<ReaderCommand>,
    archive: Archive,
    health: Arc<Health>,
    uptime: Arc<Uptime>,
    /// How long the server ran before, over all its runs, in milliseconds.
    earlier: i64,
    next_room: Arc<AtomicI64>,
    next_party: Arc<AtomicI64>,
    /// When the journal was opened.
    began: Instant,
    /// Whether there is a commit with an unknown outcome.
    in_doubt: Arc<AtomicBool>,
    /// The people who asked to be forgotten.
    forgotten: Arc<Forgotten>,
    environment: Environment,
}

impl Journal {
    /// Whether the last write failed.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.health.is_failing()
    }

    /// Whether there is a commit with an unknown outcome, so that a new room may be there already.
    pub(crate) fn is_in_doubt(&self) -> bool {
        self.in_doubt.load(Ordering::Acquire)
    }

    /// Whether the last checkpoint failed: moves are stored, but the log grows.
    #[must_use]
    pub fn checkpoints_fail(&self) -> bool {
        self.health.checkpoints_fail()
    }

    /// The size of the write-ahead log in bytes after the last checkpoint.
    pub(crate) fn log_bytes(&self) -> u64 {
        self.health.log_bytes()
    }

    /// The number of commits so far, and of the writes in them.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        self.health.counts()
    }

    /// The number of writes in each commit.
    pub(crate) fn batch_sizes(&self) -> &Histogram {
        self.health.batch_sizes()
    }

    /// The duration of each commit.
    pub(crate) fn batch_times(&self) -> &Histogram {
        self.health.batch_times()
    }

    /// The games that are over, and the people who played them.
    #[must_use]
    pub const fn archive(&self) -> &Archive {
        &self.archive
    }

    /// When the server ran.
    #[must_use]
    pub fn uptime(&self) -> &Uptime {
        &self.uptime
    }

    /// Stores something, and returns when it is committed.
    ///
    /// # Errors
    /// If it could not be stored. Nothing of it is stored then, except after [`DiskError::Unknown`].
    pub async fn write(&self, write: Write) -> Result<(), DiskError> {
        let (reply, outcome) = oneshot::channel();
        let command = WriterCommand::Store(write, Some(reply));
        self.writer.send(command).await.map_err(|_| closed())?;
        // It may have been stored just before the writer ended.
        let ended = |_| DiskError::Unknown("the server ends".to_owned());
        outcome.await.map_err(ended)?
    }

    /// Stores something for which nobody waits: if the queue is full, it is not stored.
    fn write_if_possible(&self, write: Write) {
        drop(self.writer.try_send(WriterCommand::Store(write, None)));
    }

    /// Stores that the server runs, which also shows whether the journal can be written. Deletes a
    /// few of the rooms and games that ended `keep` or more of running time ago, and removes the names
    /// of forgotten people from a few others. Moves the log into the file.
    /// Nobody waits for this: if the queue is full, the next call does it.
    pub(crate) fn maintain(&self, keep: Duration) {
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        let (at, age) = ((self.environment.wall_clock)(), self.age());
        let before = age.saturating_sub(keep);
        let (prune, scrub) = (Write::Prune { before, most: BATCH }, Write::Scrub { most: BATCH });
        for write in [Write::Alive { at, age }, prune, scrub] {
            self.write_if_possible(write);
        }
        drop(self.writer.try_send(WriterCommand::Checkpoint));
    }

    /// Forgets a person: what is known of them goes, and their token proves nothing any more. Their
    /// rooms are the caller's to leave. Whoever was forgotten before stays so.
    ///
    /// # Errors
    /// If that could not be stored. After [`DiskError::Unknown`] it may be stored.
    pub async fn forget(&self, player: PlayerId) -> Result<(), DiskError> {
        let at = (self.environment.wall_clock)();
        self.write(Write::Forget { player, at }).await?;
        self.forgotten.insert(player);
        Ok(())
    }

    /// Whether a person asked to be forgotten.
    #[must_use]
    pub fn is_forgotten(&self, player: PlayerId) -> bool {
        self.forgotten.contains(player)
    }

    /// How long the server has run, over all its runs, in milliseconds. Measured without the time
    /// of day: a clock that is set forward makes nothing old.
    fn age(&self) -> i64 {
        self.earlier.saturating_add(self.elapsed())
    }

    /// How long the journal is open, in milliseconds.
    fn elapsed(&self) -> i64 {
        i64::try_from(self.began.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    /// The journal of a new room, with the next free number.
    pub(crate) fn new_room(&self) -> RoomJournal {
        self.room(self.next_room.fetch_add(1, Ordering::Relaxed))
    }

    /// The number of a new party.
    pub(crate) fn new_party(&self) -> i64 {
        self.next_party.fetch_add(1, Ordering::Relaxed)
    }

    /// Asks the reader.
    async fn read<T>(
        &self,
        command: impl FnOnce(oneshot::Sender<Result<T, DiskError>>) -> ReaderCommand,
    ) -> Result<T, DiskError> {
        let (reply, loaded) = oneshot::channel();
        self.reader.send(command(reply)).await.map_err(|_| closed())?;
        loaded.await.map_err(|_| closed())?
    }

    /// The journal of a party with this number.
    pub(crate) fn party(&self, party: i64) -> PartyJournal {
        PartyJournal::new(self.clone(), party)
    }

    /// The journal of a room that was stored before.
    pub(crate) fn room(&self, room: i64) -> RoomJournal {
        RoomJournal::new(self.clone(), room)
    }

    /// Stores all that was sent before, and closes the file. Later writes are refused.
    pub async fn close(&self) {
        drop(self.reader.send(ReaderCommand::Close).await);
        self.reader.closed().await;
        self.archive.close().await;
        drop(self.writer.send(WriterCommand::Close).await);
        self.writer.closed().await;
    }
}

fn closed() -> DiskError {
    DiskError::Failing("the journal is closed".to_owned())
}

#[cfg(test)]
mod tests;
