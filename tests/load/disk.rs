//! Bytes that the server writes for a move, read from the outside: the kernel's counts of its process,
//! the database's size, and the header of the index of `SQLite`'s write-ahead log.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use anyhow::Context;
use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

use crate::process::Process;
use crate::usage::written;

/// The time between two looks at the index of the log. The log starts again at most a few times a second,
/// and what it got between a look and that is not counted.
const EVERY: Duration = Duration::from_millis(5);

/// The bytes of a page in the log: the page and its header.
const FRAME: u64 = 4096 + 24;

/// The cost of a move for the disk; bytes for each move that both players received.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Disk {
    /// The bytes that went to the disk, or will: `write_bytes` of proc(5). A page that is written again before the
    /// kernel has written it counts once.
    pub(crate) disk_bytes_per_move: f64,
    /// The bytes that the server wrote, `wchar` of proc(5): the log, checkpoints, and wake-ups of threads.
    pub(crate) written_bytes_per_move: f64,
    /// Of that, the log's pages.
    pub(crate) log_bytes_per_move: f64,
    /// The rest: checkpoints, mainly.
    pub(crate) checkpoint_bytes_per_move: f64,
    /// By how much the database grew: what the facts take.
    pub(crate) fact_bytes_per_move: f64,
    /// Bytes that went to the disk for each byte of facts.
    pub(crate) amplification: Option<f64>,
    /// Checkpoints that moved pages of the log into the file.
    pub(crate) checkpoints: u64,
    /// How often the log started again from its beginning.
    pub(crate) log_restarts: u64,
}

impl fmt::Display for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [
            ("to the disk for a move", self.disk_bytes_per_move),
            ("written for a move", self.written_bytes_per_move),
            ("  to the log", self.log_bytes_per_move),
            ("  by checkpoints and the rest", self.checkpoint_bytes_per_move),
            ("a move in the database", self.fact_bytes_per_move),
        ];
        for (name, bytes) in bytes {
            writeln!(f, "  {name:<36}{bytes:>12.0} bytes")?;
        }
        let (checkpoints, restarts) = (self.checkpoints, self.log_restarts);
        writeln!(f, "  {:<36}{checkpoints:>12} {restarts:>9} restarts of the log", "checkpoints")
    }
}

/// Counts while it lives.
pub(crate) struct DiskMeter {
    process: Process,
    database: PathBuf,
    begin: Counts,
    log: LogWatch,
}

/// Counts that only grow.
#[derive(Debug, Clone, Copy)]
struct Counts {
    written: u64,
    disk: u64,
    used: u64,
}

impl Counts {
    fn read(process: Process, database: &Path) -> anyhow::Result<Self> {
        let (written, disk) = written(process).context("no /proc/PID/io")?;
        let file = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let pragma = |name| file.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let used = (pragma("page_count")? - pragma("freelist_count")?) * pragma("page_size")?;
        Ok(Self { written, disk, used: used.unsigned_abs() })
    }
}

impl DiskMeter {
    /// Starts to count what a server writes to its journal in this folder.
    ///
    /// # Errors
    /// If the counts or the journal cannot be read.
    pub(crate) fn start(process: Process, folder: &Path) -> anyhow::Result<Self> {
        let database = folder.join("journal.db");
        let log = LogWatch::start(&folder.join("journal.db-shm"))?;
        Ok(Self { process, begin: Counts::read(process, &database)?, database, log })
    }

    /// Stops, and divides what was counted by the number of moves.
    ///
    /// # Errors
    /// If the counts or the journal cannot be read.
    pub(crate) fn stop(self, moves: u64) -> anyhow::Result<Disk> {
        let end = Counts::read(self.process, &self.database)?;
        let log = self.log.stop();
        let per_move = |bytes: u64| bytes as f64 / moves.max(1) as f64;
        let written = end.written.saturating_sub(self.begin.written);
        let disk = end.disk.saturating_sub(self.begin.disk);
        let facts = end.used.saturating_sub(self.begin.used);
        let logged = (log.frames * FRAME).min(written);
        Ok(Disk {
            disk_bytes_per_move: per_move(disk),
            written_bytes_per_move: per_move(written),
            log_bytes_per_move: per_move(logged),
            checkpoint_bytes_per_move: per_move(written - logged),
            fact_bytes_per_move: per_move(facts),
            amplification: (facts > 0).then(|| disk as f64 / facts as f64),
            checkpoints: log.checkpoints,
            log_restarts: log.restarts,
        })
    }
}

/// A thread that follows the log.
struct LogWatch {
    stop: Sender<()>,
    thread: JoinHandle<LogCounts>,
}

impl LogWatch {
    fn start(index: &Path) -> anyhow::Result<Self> {
        let mut last = LogHeader::read(index).context("no index of the write-ahead log")?;
        let (stop, stopped) = channel();
        let index = index.to_owned();
        let thread = spawn(move || {
            let mut counts = LogCounts::default();
            loop {
                let ended = stopped.recv_timeout(EVERY) != Err(RecvTimeoutError::Timeout);
                // The server may just be writing the header.
                if let Some(header) = LogHeader::read(&index) {
                    counts.add(last, header);
                    last = header;
                }
                if ended {
                    return counts;
                }
            }
        });
        Ok(Self { stop, thread })
    }

    fn stop(self) -> LogCounts {
        drop(self.stop);
        self.thread.join().unwrap_or_default()
    }
}

/// The changes of the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct LogCounts {
    frames: u64,
    checkpoints: u64,
    restarts: u64,
}

impl LogCounts {
    fn add(&mut self, before: LogHeader, now: LogHeader) {
        let (frames, moved) = if before.salt == now.salt {
            (now.frames.saturating_sub(before.frames), now.moved > before.moved)
        } else {
            self.restarts += 1;
            // A log starts again only after a checkpoint of all of it.
            self.checkpoints += u64::from(before.moved < before.frames);
            (now.frames, now.moved > 0)
        };
        self.frames += u64::from(frames);
        self.checkpoints += u64::from(moved);
    }
}

/// The header of the index: <https://sqlite.org/walformat.html#the_wal_index_header>.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LogHeader {
    /// Differs each time the log starts again.
    salt: u64,
    /// Pages in the log, and how many of these are in the file.
    frames: u32,
    moved: u32,
}

impl LogHeader {
    /// `None` while the header is being written.
    fn read(index: &Path) -> Option<Self> {
        let mut bytes = [0; 100];
        File::open(index).ok()?.read_exact(&mut bytes).ok()?;
        let whole = bytes[..48] == bytes[48..96];
        let word = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_ne_bytes);
        let salt = u64::from(word(32)?) << 32 | u64::from(word(36)?);
        Some(Self { salt, frames: word(16)?, moved: word(96)? }).filter(|_| whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A log that a connection fills and moves into its file, looked at after each step.
    #[test]
    fn frames_checkpoints_and_restarts_of_a_log_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let file = Connection::open(folder.path().join("journal.db")).unwrap();
        file.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
        file.execute("CREATE TABLE fact (text TEXT)", []).unwrap();
        let header = || LogHeader::read(&folder.path().join("journal.db-shm")).unwrap();
        let mut counts = LogCounts::default();
        let mut last = header();
        let steps = [
            ("INSERT INTO fact VALUES ('a')", LogCounts { frames: 1, checkpoints: 0, restarts: 0 }),
            ("PRAGMA wal_checkpoint", LogCounts { frames: 1, checkpoints: 1, restarts: 0 }),
            ("INSERT INTO fact VALUES ('b')", LogCounts { frames: 2, checkpoints: 1, restarts: 1 }),
        ];
        for (sql, expected) in steps {
            file.execute_batch(sql).unwrap();
            counts.add(last, header());
            last = header();
            assert_eq!(counts, expected, "{sql}");
        }
    }
}
