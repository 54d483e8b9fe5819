//! Moves the write-ahead log into the file, beside the writer.
//!
//! After a commit that leaves [`CHECKPOINT_PAGES`] in the log, a thread moves them over a connection of
//! its own, while the writer goes on. Then the writer moves the few pages that came meanwhile: only when
//! the whole log is in the file does the next commit begin it again, and a checkpoint beside a busy
//! writer never gets so far. In a simulation the writer does it all. A checkpoint that fails loses
//! nothing: the log keeps the pages.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

use rusqlite::{Connection, OpenFlags};

use crate::error::DiskError;

/// Pages of 2 KiB in the write-ahead log that start a checkpoint, and as many more start the next one
/// if that did not empty it. A larger number means fewer pauses, and a longer start after a crash.
const CHECKPOINT_PAGES: u64 = 4000;
/// The writer waits for the thread when so many pages came while it ran: about 25 MB, which bounds the
/// log on a disk that is slower than the players.
const MAX_AHEAD: u64 = 12_000;
/// The thread looks again for pages that came while it moved others, so that few are left for the
/// writer. A writer that is faster than the thread must not keep it for ever.
const PASSES: u32 = 3;
/// So few pages are left for the writer.
const FEW_PAGES: i64 = 32;

/// Moves the log in the way that `SQLite` calls so. Returns the number of pages in the log, and how
/// many of them are in the file.
pub(crate) fn checkpoint(connection: &Connection, how: &str) -> rusqlite::Result<(i64, i64)> {
    let sql = format!("PRAGMA wal_checkpoint({how})");
    connection.query_row(&sql, [], |row| Ok((row.get(1)?, row.get(2)?)))
}

/// When the log of one writer is moved.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    /// `None` in a simulation.
    thread: Option<Thread>,
    is_running: bool,
    /// The pages in the log when the last checkpoint began.
    attempted_at: u64,
}

#[derive(Debug)]
struct Thread {
    ask: SyncSender<()>,
    done: Receiver<Result<(), DiskError>>,
    handle: JoinHandle<()>,
}

impl Checkpoints {
    /// The writer moves the log.
    pub(crate) const fn inline() -> Self {
        Self { thread: None, is_running: false, attempted_at: 0 }
    }

    /// A thread moves the log of the database at `path`. `database` is the same file, to sync it: `SQLite`
    /// leaves that to the last checkpoint, and then the writer waits.
    ///
    /// # Errors
    /// If the system has no more threads.
    pub(crate) fn threaded(path: PathBuf, database: Arc<File>) -> io::Result<Self> {
        let (ask, asked) = mpsc::sync_channel(1);
        // One outcome for each time that it is asked.
        let (tell, done) = mpsc::sync_channel(1);
        let work = move || {
            // Opened when it is needed first: most starts of a server need none.
            let mut connection = None;
            for () in asked {
                if tell.send(move_log(&mut connection, &path, &database)).is_err() {
                    break;
                }
            }
        };
        let handle = thread::Builder::new().name("checkpoint".to_owned()).spawn(work)?;
        Ok(Self { thread: Some(Thread { ask, done, handle }), ..Self::inline() })
    }

    /// Begins to move a log of so many pages, if they are many or if that is `asked` for. Returns the
    /// outcome of the thread if the writer is to move the rest now.
    pub(crate) fn next(&mut self, pages: u64, asked: bool) -> Option<Result<(), DiskError>> {
        // A shorter log has begun again.
        let new_pages = pages.checked_sub(self.attempted_at).unwrap_or(pages);
        let Some(thread) = &self.thread else {
            let is_due = asked || new_pages >= CHECKPOINT_PAGES;
            self.attempted_at = if is_due { pages } else { self.attempted_at };
            return is_due.then_some(Ok(()));
        };
        if self.is_running {
            let done = if new_pages > MAX_AHEAD {
                thread.done.recv().map_err(|_| mpsc::TryRecvError::Disconnected)
            } else {
                thread.done.try_recv()
            };
            let outcome = match done {
                Ok(outcome) => outcome,
                Err(mpsc::TryRecvError::Empty) => return None,
                Err(mpsc::TryRecvError::Disconnected) => {
                    Err(DiskError::Failing("the thread that moves the log has ended".to_owned()))
                }
            };
            self.is_running = false;
            return Some(outcome);
        }
        if asked || new_pages >= CHECKPOINT_PAGES {
            self.is_running = true;
            self.attempted_at = pages;
            // If the thread has ended, the next call tells it.
            let _ = thread.ask.try_send(());
        }
        None
    }

    /// Waits for the thread, and closes its connection.
    pub(crate) fn close(&mut self) {
        if let Some(Thread { ask, done, handle }) = self.thread.take() {
            drop(ask);
            drop(handle.join());
            drop(done);
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.close();
    }
}

/// Moves what is in the log, as far as no reader needs it.
fn move_log(
    connection: &mut Option<Connection>,
    path: &PathBuf,
    database: &File,
) -> Result<(), DiskError> {
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(open(path)?),
    };
    let mut before = 0;
    for _ in 0..PASSES {
        let (_, moved) = checkpoint(connection, "PASSIVE")?;
        if moved - before < FEW_PAGES {
            break;
        }
        before = moved;
    }
    database.sync_data().map_err(|error| DiskError::Failing(error.to_string()))
}

fn open(path: &PathBuf) -> rusqlite::Result<Connection> {
    // A file that has vanished is not made again.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    Ok(connection)
}
