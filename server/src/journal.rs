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
//! disk anew, so that a disk that works again is noticed by itself. The host is told once when it
//! begins to fail and once when it works again.

pub mod fault;
pub mod look;
pub mod machine;
pub mod reader;
pub mod record;
pub mod replay;
pub mod runs;
mod schema;
pub mod store;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use noughts_protocol::Event;
use tokio::sync::{mpsc, oneshot};

use crate::metrics::histogram::Histogram;
use fault::{DiskError, OpenError};
use machine::{Machine, Workers};
use reader::{Ask, Reader, StoredRoom};
use record::{NewRoom, Row};
use runs::Runs;
use store::{Disk, Durability, Found, Store, Write};
use writer::{GATHER, Health, Job};

/// Writes that may wait for the writer.
const QUEUE: usize = 1024;
/// Rooms that may wait for the reader.
const LOADS: usize = 1024;
/// Rooms that one slice of pruning forgets at most.
const PRUNED: u32 = 64;

/// The way to the journal; cheap to clone.
#[derive(Debug, Clone)]
pub struct Journal {
    jobs: mpsc::Sender<Job>,
    loads: mpsc::Sender<Ask>,
    health: Arc<Health>,
    runs: Arc<Runs>,
    next_room: Arc<AtomicI64>,
    machine: Machine,
}

/// A room's way to its own facts.
#[derive(Debug, Clone)]
pub(crate) struct RoomJournal {
    journal: Journal,
    room: i64,
}

impl Journal {
    /// Opens the journal in a folder, and gives what it knows at the start.
    ///
    /// # Errors
    /// Where it cannot be used.
    pub fn open(folder: &Path, durability: Durability) -> Result<(Self, Found), OpenError> {
        Self::open_on(folder, durability, Machine::REAL, |store| Box::new(store))
    }

    /// The same, with something before the file: a test lets writes fail there.
    ///
    /// # Errors
    /// Where it cannot be used.
    pub fn open_on(
        folder: &Path,
        durability: Durability,
        machine: Machine,
        disk: impl FnOnce(Store) -> Box<dyn Disk>,
    ) -> Result<(Self, Found), OpenError> {
        let (store, found) = Store::open(folder, durability, (machine.wall_clock)())?;
        let reader = Reader::open(folder)?;
        let (jobs, queue) = mpsc::channel(QUEUE);
        let (loads, asked) = mpsc::channel(LOADS);
        let health = Arc::new(Health::new());
        let gather = match (machine.workers, durability) {
            (Workers::Threads, Durability::Process) => GATHER,
            (Workers::Tasks, _) | (_, Durability::Power) => Duration::ZERO,
        };
        let begun = machine
            .start("journal", writer::run(disk(store), queue, Arc::clone(&health), gather))
            .and_then(|()| machine.start("journal-read", reader.run(asked)));
        begun.map_err(|error| OpenError::Folder(folder.to_owned(), error))?;
        let next_room = Arc::new(AtomicI64::new(found.next_room));
        let runs = Arc::new(found.runs.clone());
        Ok((Self { jobs, loads, health, runs, next_room, machine }, found))
    }

    /// Whether the last write failed.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.health.is_failing()
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
    pub fn runs(&self) -> &Runs {
        &self.runs
    }

    /// Stores something, and returns when it is committed.
    ///
    /// # Errors
    /// Where it could not be stored; nothing of it is then.
    pub async fn write(&self, write: Write) -> Result<(), DiskError> {
        let (told, outcome) = oneshot::channel();
        let closed = || DiskError::Failing("the journal is closed".to_owned());
        self.jobs.send(Job::Store(write, Some(told))).await.map_err(|_| closed())?;
        outcome.await.map_err(|_| closed())?
    }

    /// Says that the server runs, and forgets a few of the rooms that ended `keep` ago. Nobody
    /// waits for it: where the queue is full, the next time will do.
    pub(crate) fn keep_house(&self, keep: Duration) {
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        let at = (self.machine.wall_clock)();
        let before = at.saturating_sub(keep);
        for write in [Write::Alive { at }, Write::Prune { before, most: PRUNED }] {
            drop(self.jobs.try_send(Job::Store(write, None)));
        }
    }

    /// The number of a new room.
    pub(crate) fn new_room(&self) -> RoomJournal {
        self.room(self.next_room.fetch_add(1, Ordering::Relaxed))
    }

    /// A room that was stored before.
    pub(crate) fn room(&self, room: i64) -> RoomJournal {
        RoomJournal { journal: self.clone(), room }
    }

    /// Stores what was handed over before, and closes the file; what comes later is refused.
    pub async fn close(&self) {
        drop(self.loads.send(Ask::Close).await);
        self.loads.closed().await;
        drop(self.jobs.send(Job::Close).await);
        self.jobs.closed().await;
    }
}

impl RoomJournal {
    /// The room's number.
    pub(crate) const fn id(&self) -> i64 {
        self.room
    }

    /// When the server ran.
    pub(crate) fn runs(&self) -> &Runs {
        &self.journal.runs
    }

    /// Now, in milliseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        (self.journal.machine.wall_clock)()
    }

    /// Makes the room, with its first events.
    ///
    /// # Errors
    /// Where that could not be stored.
    pub(crate) async fn make(&self, new: NewRoom, events: &[Event]) -> Result<(), DiskError> {
        let rows = self.rows(0, events, new.made);
        self.journal.write(Write::Make { room: self.room, new, rows }).await
    }

    /// Stores those of the events after version `v` that are facts; at once where none is.
    ///
    /// # Errors
    /// Where they could not be stored; none of them is then.
    pub(crate) async fn append(&self, v: u64, events: &[Event]) -> Result<(), DiskError> {
        let now = self.now();
        let rows = self.rows(v, events, now);
        if rows.is_empty() {
            return Ok(());
        }
        let ended = matches!(events.last(), Some(Event::Closed { .. })).then_some(now);
        self.journal.write(Write::Facts { room: self.room, rows, ended }).await
    }

    /// Everything stored of the room.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(crate) async fn load(&self) -> Result<StoredRoom, DiskError> {
        let (answer, loaded) = oneshot::channel();
        let closed = || DiskError::Failing("the journal is closed".to_owned());
        self.journal.loads.send(Ask::Room(self.room, answer)).await.map_err(|_| closed())?;
        loaded.await.map_err(|_| closed())?
    }

    /// Notes that nobody has been in the room for some time, or that somebody is now. Nobody waits
    /// for it: where the queue is full, the room is kept for longer after a restart.
    pub(crate) fn note_vacant(&self, for_time: Option<Duration>) {
        let since = for_time.map(|time| {
            self.now().saturating_sub(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
        });
        let write = Write::Vacant { room: self.room, since };
        drop(self.journal.jobs.try_send(Job::Store(write, None)));
    }

    fn rows(&self, v: u64, events: &[Event], now: i64) -> Vec<Row> {
        let run = self.journal.runs.current();
        let versions = v + 1..;
        events.iter().zip(versions).filter_map(|(event, v)| Row::of(event, v, run, now)).collect()
    }
}

#[cfg(test)]
mod tests;
