//! Moves the write-ahead log into the file, beside the writer.
//!
//! After a commit that leaves [`CHECKPOINT_PAGES`] in the log, a [`LogMover`] moves them on a thread
//! and a connection of its own, while the writer goes on. Then the writer moves the few pages that
//! came meanwhile: only when the whole log is in the file does the next commit begin it again, and a
//! mover that runs beside a busy writer never gets so far. While a checkpoint ran inside a commit, all
//! rooms waited for it.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};
use tokio::sync::oneshot;

use super::background::Background;
use super::error::DiskError;

/// Pages of 4 KiB in the write-ahead log that start a checkpoint, and as many more start the next one
/// if that did not empty it. A larger number means fewer pauses, and a longer start after a crash.
pub(super) const CHECKPOINT_PAGES: u64 = 2000;
/// The writer waits for the mover when so many pages came while it ran: about 25 MB, which bounds the
/// log on a disk that is slower than the players.
const MAX_AHEAD: u64 = 6000;
/// The mover looks again for pages that came while it moved others, so that few are left for the
/// writer. A writer that is faster than the mover must not keep it for ever.
const PASSES: u32 = 3;
/// So few pages are left for the writer.
const FEW_PAGES: i64 = 32;

/// Moves the log into the file, over a connection of its own.
#[derive(Debug)]
pub struct LogMover {
    path: PathBuf,
    /// Opened when it is needed first: most starts of a server, and many of its days, need none.
    connection: Option<Connection>,
    /// To sync the file: `SQLite` leaves that to the last checkpoint, and then the writer waits.
    database: Arc<File>,
}

impl LogMover {
    pub(super) const fn new(path: PathBuf, database: Arc<File>) -> Self {
        Self { path, connection: None, database }
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        // A file that has vanished is not made again.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.pragma_update(None, "synchronous", "normal")?;
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        Ok(connection)
    }

    /// Moves what is in the log, as far as no reader needs it.
    fn run(&mut self) -> Result<(), DiskError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.open()?,
        };
        let connection = self.connection.insert(connection);
        let mut before = 0;
        for _ in 0..PASSES {
            let (_, moved) = checkpoint(connection, "PASSIVE")?;
            if moved - before < FEW_PAGES {
                break;
            }
            before = moved;
        }
        let synced = self.database.sync_data();
        synced.map_err(|error: io::Error| DiskError::Failing(error.to_string()))
    }
}

/// Moves the log in the way that `SQLite` calls so. Returns the number of pages in the log, and how
/// many of them are in the file.
pub(super) fn checkpoint(connection: &Connection, how: &str) -> rusqlite::Result<(i64, i64)> {
    let sql = format!("PRAGMA wal_checkpoint({how})");
    connection.query_row(&sql, [], |row| Ok((row.get(1)?, row.get(2)?)))
}

/// The mover of one writer, and when it runs.
#[derive(Debug)]
pub(super) struct Checkpoints {
    thread: Background,
    /// `None` while it runs, or if the disk has no log.
    mover: Option<LogMover>,
    running: Option<oneshot::Receiver<(LogMover, Result<(), DiskError>)>>,
    /// The pages in the log when it ran last.
    attempted_at: u64,
    /// The pages in the log now.
    pages: u64,
}

impl Checkpoints {
    pub(super) const fn new(thread: Background, mover: Option<LogMover>) -> Self {
        Self { thread, mover, running: None, attempted_at: 0, pages: 0 }
    }

    /// Starts to move the log after a commit that left so many pages in it, if they are many or if
    /// that is `asked` for. Returns whether the writer is to move the log itself, at once.
    pub(super) fn after_commit(&mut self, pages: u64, asked: bool) -> bool {
        self.pages = pages;
        if !asked && self.new_pages() < CHECKPOINT_PAGES {
            return false;
        }
        let Some(mut mover) = self.mover.take() else { return asked && self.running.is_none() };
        self.attempted_at = pages;
        self.running = Some(self.thread.run(move || {
            let outcome = mover.run();
            (mover, outcome)
        }));
        false
    }

    /// The pages that came since the mover began. A shorter log has begun again.
    const fn new_pages(&self) -> u64 {
        match self.pages.checked_sub(self.attempted_at) {
            Some(pages) => pages,
            None => self.pages,
        }
    }

    /// Whether the writer is to wait for the mover.
    pub(super) const fn is_behind(&self) -> bool {
        self.running.is_some() && self.new_pages() > MAX_AHEAD
    }

    /// Returns when the mover has run. Then the writer is to move what is left. Cancel-safe.
    pub(super) async fn moved(&mut self) -> Result<(), DiskError> {
        let Some(running) = &mut self.running else { return std::future::pending().await };
        let outcome = running.await;
        self.running = None;
        let (mover, outcome) = outcome.map_err(|_| panicked())?;
        self.mover = Some(mover);
        outcome
    }

    /// Waits for the mover and closes its connection.
    pub(super) async fn close(mut self) {
        if self.running.is_some() {
            drop(self.moved().await);
        }
    }
}

fn panicked() -> DiskError {
    DiskError::Failing("the thread that moves the log has ended".to_owned())
}
