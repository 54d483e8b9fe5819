//! The durable record from which every room can be rebuilt: an `SQLite` file with a row for each
//! fact of a room. [`Journal::write`] returns when its rows are committed, and nobody is shown an
//! event before that.
//!
//! One worker writes ([`writer`]): everything that waits goes into one transaction (group commit),
//! so that a thousand rooms share the wait for the disk. Another reads rooms back ([`reader`]).
//! Each is a thread of its own, but for simulations ([`machine`]).
//!
//! The journal awaits nobody. Its queue holds [`QUEUE`] writes: a room that finds it full waits,
//! with its own bounded inbox behind it, and so in turn do the connections that fill that.
//!
//! A write that fails changes nothing: the room refuses what was asked, and the next one tries the
//! disk anew, so that a disk that works again is noticed by itself. The host is told when it begins
//! to fail and when it works again ([`health`]), once a minute at most. Before each commit the
//! journal looks whether its files are still in their folder ([`files`]): what is written into a
//! deleted file would be gone with the server.
//!
//! "Refused" is said of what is proven not to be stored, and of nothing else:
//!
//! - An error before `COMMIT`, or of a write during it (no space, a limit, a fault): the frame that
//!   makes a transaction valid is written last, so that it is not whole. Nothing is stored.
//! - Any other error of `COMMIT`, such as that of the sync, comes when all frames may be in the
//!   write-ahead log. The server does not see them, but after a kill the next one would find them.
//!   The writer then commits something small at once ([`store::Disk::resolve`]): it takes the place
//!   of the first of these frames, and as each frame's checksum covers all before it, the rest is
//!   cut off. Where that succeeds, nothing is stored, and "refused" is true.
//! - Where it fails too, the outcome is unknown ([`DiskError::Unknown`]). Nobody is answered: the
//!   connection that asked is closed (1011), the room stays as everybody sees it, and what a timer
//!   or a computer did is tried again. The client comes back and asks again with the same id. If
//!   the server still runs, its next commit that succeeds has cut the frames off, and the intent is
//!   decided anew; if it was killed, the facts tell whether the intent was applied, and its repeat
//!   is answered by them. Until then every write of that room (and every new room, where a room was
//!   being made) is of unknown outcome, since it may be a repeat; those of other rooms are refused.
//!
//! A checkpoint that fails loses nothing: the log keeps what it did not move.

pub mod checksum;
pub mod entry;
pub mod environment;
pub mod error;
mod files;
mod health;
mod in_doubt;
pub mod probe;
pub mod reader;
pub mod replay;
mod schema;
pub mod startup;
pub mod store;
pub mod uptime;
pub mod wal;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::time::Duration;

use noughts_protocol::Event;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::metrics::histogram::Histogram;
use entry::{Ended, Entry, NewRoom};
use environment::{Environment, Workers};
use error::{DiskError, OpenError};
use health::Health;
use in_doubt::InDoubt;
use reader::{Reader, ReaderCommand, StoredRoom};
use startup::Startup;
use store::{Disk, Durability, Store, Write};
use uptime::Uptime;
use writer::{GATHER, WriterCommand};

/// Writes that may wait for the writer.
const QUEUE: usize = 1024;
/// Rooms that may wait for the reader.
const LOADS: usize = 1024;
/// Rooms that one slice of pruning forgets at most.
const PRUNED: u32 = 64;

/// The way to the journal; cheap to clone.
#[derive(Debug, Clone)]
pub struct Journal {
    jobs: mpsc::Sender<WriterCommand>,
    loads: mpsc::Sender<ReaderCommand>,
    health: Arc<Health>,
    uptime: Arc<Uptime>,
    /// When this run began, and how long the server had run before, in milliseconds.
    began: (Instant, i64),
    next_room: Arc<AtomicI64>,
    /// The outcome of some commit is not known.
    in_doubt: Arc<AtomicBool>,
    environment: Environment,
}

/// A room's way to its own facts.
#[derive(Debug)]
pub(crate) struct RoomJournal {
    journal: Journal,
    room: i64,
    /// The checksum of its last fact: known once the room is made or loaded.
    crc: AtomicU32,
}

impl Journal {
    /// Opens the journal in a folder, and gives what it knows at the start.
    ///
    /// # Errors
    /// Where it cannot be used.
    pub fn open(folder: &Path, durability: Durability) -> Result<(Self, Startup), OpenError> {
        Self::open_on(folder, durability, Environment::REAL, |store| Box::new(store))
    }

    /// The same, with something before the file: a test lets writes fail there.
    ///
    /// # Errors
    /// Where it cannot be used.
    pub fn open_on(
        folder: &Path,
        durability: Durability,
        environment: Environment,
        disk: impl FnOnce(Store) -> Box<dyn Disk>,
    ) -> Result<(Self, Startup), OpenError> {
        let (store, startup) = Store::open(folder, durability, (environment.wall_clock)())?;
        let reader = Reader::open(folder)?;
        let (jobs, queue) = mpsc::channel(QUEUE);
        let (loads, asked) = mpsc::channel(LOADS);
        let health = Arc::new(Health::new());
        let gather = match (environment.workers, durability) {
            (Workers::Threads, Durability::Process) => GATHER,
            (Workers::Tasks, _) | (_, Durability::Power) => Duration::ZERO,
        };
        let in_doubt = InDoubt::default();
        let flag = in_doubt.flag();
        let writing = writer::run(disk(store), queue, Arc::clone(&health), in_doubt, gather);
        let begun = environment
            .start("journal", writing)
            .and_then(|()| environment.start("journal-read", reader.run(asked)));
        begun.map_err(|error| OpenError::Folder(folder.to_owned(), error))?;
        let next_room = Arc::new(AtomicI64::new(startup.next_room));
        let uptime = Arc::new(startup.uptime.clone());
        let began = (Instant::now(), startup.age);
        let journal =
            Self { jobs, loads, health, uptime, began, next_room, in_doubt: flag, environment };
        Ok((journal, startup))
    }

    /// Whether the last write failed.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.health.is_failing()
    }

    /// Whether there is a commit of which nobody can say yet whether it is stored.
    pub(crate) fn is_in_doubt(&self) -> bool {
        self.in_doubt.load(Ordering::Acquire)
    }

    /// Whether the last checkpoint failed: moves are stored, but the log grows.
    #[must_use]
    pub fn checkpoints_fail(&self) -> bool {
        self.health.checkpoints_fail()
    }

    /// The size of the write-ahead log in bytes, as the last checkpoint left it.
    pub(crate) fn log_bytes(&self) -> u64 {
        self.health.log_bytes()
    }

    /// Commits so far, and the writes in them.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        self.health.counts()
    }

    /// How many writes were in each commit.
    pub(crate) fn batch_sizes(&self) -> &Histogram {
        self.health.batch_sizes()
    }

    /// How long each commit took.
    pub(crate) fn batch_times(&self) -> &Histogram {
        self.health.batch_times()
    }

    /// When the server ran.
    #[must_use]
    pub fn uptime(&self) -> &Uptime {
        &self.uptime
    }

    /// Stores something, and returns when it is committed.
    ///
    /// # Errors
    /// Where it could not be stored; nothing of it is then, except after [`DiskError::Unknown`].
    pub async fn write(&self, write: Write) -> Result<(), DiskError> {
        let (told, outcome) = oneshot::channel();
        let closed = || DiskError::Failing("the journal is closed".to_owned());
        self.jobs.send(WriterCommand::Store(write, Some(told))).await.map_err(|_| closed())?;
        outcome.await.map_err(|_| closed())?
    }

    /// Says that the server runs, which also finds out whether the journal can be written, forgets
    /// a few of the rooms that ended when it had run for `keep` less than now, and moves the log to
    /// the file. Nobody waits for it: where the queue is full, the next time will do.
    pub(crate) fn keep_house(&self, keep: Duration) {
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        let (at, age) = ((self.environment.wall_clock)(), self.age());
        let before = age.saturating_sub(keep);
        for write in [Write::Heartbeat { at, age }, Write::Prune { before, most: PRUNED }] {
            drop(self.jobs.try_send(WriterCommand::Store(write, None)));
        }
        drop(self.jobs.try_send(WriterCommand::Checkpoint));
    }

    /// How long the server has run, over all its runs, in milliseconds. Not by the time of day,
    /// which may leap: a clock that is set forward makes nothing old.
    fn age(&self) -> i64 {
        let (since, before) = self.began;
        let run = i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX);
        before.saturating_add(run)
    }

    /// The number of a new room.
    pub(crate) fn new_room(&self) -> RoomJournal {
        self.room(self.next_room.fetch_add(1, Ordering::Relaxed))
    }

    /// A room that was stored before.
    pub(crate) fn room(&self, room: i64) -> RoomJournal {
        RoomJournal { journal: self.clone(), room, crc: AtomicU32::new(0) }
    }

    /// Stores what was handed over before, and closes the file; what comes later is refused.
    pub async fn close(&self) {
        drop(self.loads.send(ReaderCommand::Close).await);
        self.loads.closed().await;
        drop(self.jobs.send(WriterCommand::Close).await);
        self.jobs.closed().await;
    }
}

impl RoomJournal {
    /// The room's number.
    pub(crate) const fn id(&self) -> i64 {
        self.room
    }

    /// When the server ran.
    pub(crate) fn uptime(&self) -> &Uptime {
        &self.journal.uptime
    }

    /// Now, in milliseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        (self.journal.environment.wall_clock)()
    }

    /// Makes the room, with its first events.
    ///
    /// # Errors
    /// Where that could not be stored.
    pub(crate) async fn make(&self, new: NewRoom, events: &[Event]) -> Result<(), DiskError> {
        let (entries, crc) = self.entries(0, events, new.made, new.checksum(self.room));
        self.journal.write(Write::Create { room: self.room, new, entries }).await?;
        self.crc.store(crc, Ordering::Relaxed);
        Ok(())
    }

    /// Stores those of the events after version `v` that are facts; at once where none is.
    ///
    /// # Errors
    /// Where they could not be stored; none of them is then, except after [`DiskError::Unknown`].
    pub(crate) async fn append(&self, v: u64, events: &[Event]) -> Result<(), DiskError> {
        let now = self.now();
        let (entries, crc) = self.entries(v, events, now, self.crc.load(Ordering::Relaxed));
        if entries.is_empty() {
            return Ok(());
        }
        let ended = matches!(events.last(), Some(Event::Closed { .. }));
        let ended = ended.then(|| Ended { at: now, age: self.journal.age() });
        self.journal.write(Write::Append { room: self.room, entries, ended }).await?;
        self.crc.store(crc, Ordering::Relaxed);
        Ok(())
    }

    /// Everything stored of the room.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(crate) async fn load(&self) -> Result<StoredRoom, DiskError> {
        let (answer, loaded) = oneshot::channel();
        let closed = || DiskError::Failing("the journal is closed".to_owned());
        self.journal
            .loads
            .send(ReaderCommand::Room(self.room, answer))
            .await
            .map_err(|_| closed())?;
        let stored = loaded.await.map_err(|_| closed())??;
        self.crc.store(stored.crc, Ordering::Relaxed);
        Ok(stored)
    }

    /// Notes that nobody has been in the room for some time, or that somebody is now. Nobody waits
    /// for it: where the queue is full, the room is kept for longer after a restart.
    pub(crate) fn note_vacant(&self, for_time: Option<Duration>) {
        let since = for_time.map(|time| {
            self.now().saturating_sub(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
        });
        let write = Write::Vacant { room: self.room, since };
        drop(self.journal.jobs.try_send(WriterCommand::Store(write, None)));
    }

    /// The rows of events after version `v` and a checksum, and the checksum of the last.
    fn entries(&self, v: u64, events: &[Event], now: i64, before: u32) -> (Vec<Entry>, u32) {
        let run = self.journal.uptime.current();
        let events = events.iter().zip(v + 1..);
        let mut entries: Vec<_> =
            events.filter_map(|(event, v)| Entry::of(event, v, run, now)).collect();
        let crc = checksum::seal(before, &mut entries);
        (entries, crc)
    }
}

#[cfg(test)]
mod tests;
