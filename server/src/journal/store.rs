//! Writes the journal's file. The folder and its locks are in [`super::files`], group commit is in
//! [`super::writer`], reading in [`super::reader`].

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::hooks::Wal;
use rusqlite::{Connection, ffi};

use super::checkpoint::{LogMover, checkpoint};
pub use super::disk::{Disk, Durability};
use super::error::{DiskError, OpenError};
use super::files::{FILE, JournalFiles, has_lost_log};
use super::recent::transaction::FactsOfCommit;
use super::recent::{self, RecentFacts};
use super::startup::{Startup, begin_run, live_rooms};
pub use super::write::Write;
use super::{apply, party, schema, wal};

/// How long to wait for another program that reads or copies the file.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// A log larger than this, in bytes, is truncated once all of it is in the file: 5,000 pages with their
/// headers, more than come while a checkpoint runs.
const MAX_LOG_BYTES: u64 = 20 << 20;
/// A reader that keeps more pages than this in the log counts as a failure.
const MAX_HELD_PAGES: i64 = 16_000;

/// The values of `PRAGMA synchronous`: whether a commit waits until the disk has it.
const NORMAL: i64 = 1;
const FULL: i64 = 2;

/// The journal's file, open for writing.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    recent: RecentFacts,
    /// The number of the last row of `batch`.
    row: i64,
    /// Whether commits wait for the disk, and whether they do not just now.
    synced: bool,
    relaxed: bool,
    /// Whether the last commit succeeded. After one that failed, only the next commit or
    /// [`Disk::resolve`] may write.
    may_sort: bool,
    path: PathBuf,
    mover: Option<LogMover>,
    /// Pages in the log after the last commit.
    log_pages: Arc<AtomicU64>,
    /// The last field, so that the locks are released after the connection is closed.
    files: JournalFiles,
}

impl Store {
    /// Opens the journal in a folder, or makes one, and begins a run `now`, in milliseconds since
    /// 1970.
    ///
    /// # Errors
    /// If that is impossible, or if another server uses the folder.
    pub fn open(
        folder: &Path,
        durability: Durability,
        now: i64,
    ) -> Result<(Self, Startup), OpenError> {
        let (files, mut connection) = prepare(folder, durability)?;
        recent::startup::sort_all(&mut connection)?;
        let uptime = begin_run(&mut connection, now)?;
        let run = uptime.current();
        let rooms = live_rooms(&connection)?;
        let parties = party::store::live_parties(&connection)?;
        let startup = Startup::read(&connection, uptime, rooms, parties)?;
        Ok((Self::of(folder, files, connection, durability, run)?, startup))
    }

    /// A store that was opened so often.
    fn of(
        folder: &Path,
        mut files: JournalFiles,
        mut connection: Connection,
        durability: Durability,
        opened: i64,
    ) -> Result<Self, OpenError> {
        let path = folder.join(FILE);
        files.remember()?;
        let recent = RecentFacts::default();
        let (row, synced) = (opened << 32, durability == Durability::Power);
        let mover = Some(LogMover::new(path.clone(), files.database()));
        let log_pages = count_log_pages(&mut connection)?;
        let (relaxed, may_sort) = (false, true);
        Ok(Self {
            connection,
            recent,
            row,
            synced,
            relaxed,
            may_sort,
            path,
            mover,
            log_pages,
            files,
        })
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn store(&mut self, writes: &[Write]) -> Result<(), DiskError> {
        self.wait_for_disk()?;
        // Only a disk that fails at this comes so far.
        while self.recent.is_full() {
            self.recent.step(&mut self.connection)?;
        }
        // A transaction that is dropped without a commit is rolled back.
        let transaction = self.connection.transaction()?;
        let mut facts = FactsOfCommit::new();
        for write in writes {
            apply::apply(&transaction, &self.recent, &mut facts, write)?;
        }
        facts.store(&transaction, self.row + 1)?;
        transaction.commit().map_err(failed_commit)?;
        self.row += 1;
        facts.note(&mut self.recent);
        Ok(())
    }

    /// Has the next commits wait for the disk again, if they should.
    fn wait_for_disk(&mut self) -> rusqlite::Result<()> {
        if std::mem::take(&mut self.relaxed) {
            let set = self.connection.pragma_update(None, "synchronous", FULL);
            self.relaxed = set.is_err();
            return set;
        }
        Ok(())
    }

    /// A step of sorting. It need not wait for the disk: until a later commit does, the facts are in
    /// the log where they were stored first.
    fn sort_some(&mut self) -> rusqlite::Result<bool> {
        if self.synced && !self.relaxed {
            self.connection.pragma_update(None, "synchronous", NORMAL)?;
            self.relaxed = true;
        }
        self.recent.step(&mut self.connection)
    }

    /// Moves the log into the file.
    fn move_log(&self) -> Result<(), DiskError> {
        let (pages, moved) = checkpoint(&self.connection, "PASSIVE")?;
        if moved < pages && pages > MAX_HELD_PAGES {
            return Err(DiskError::LogHeld);
        }
        if moved == pages && self.files.log_bytes() > MAX_LOG_BYTES {
            // Does not wait for a new reader: the next checkpoint can do this.
            self.connection.busy_timeout(Duration::ZERO)?;
            let emptied = checkpoint(&self.connection, "TRUNCATE");
            self.connection.busy_timeout(BUSY_TIMEOUT)?;
            emptied?;
        }
        Ok(())
    }
}

/// Locks the files in a folder and opens the database, with the newest schema.
fn prepare(folder: &Path, durability: Durability) -> Result<(JournalFiles, Connection), OpenError> {
    let files = JournalFiles::lock(folder)?;
    let damage = wal::damage(folder).map_err(|error| OpenError::of_folder(folder, error))?;
    if let Some(damage) = damage {
        damage.report(folder);
    }
    if has_lost_log(folder) {
        tracing::error!(
            "journal.db-wal was deleted after the last server was killed: what happened in its last \
             seconds or minutes is lost"
        );
    }
    let mut connection = connect(folder, durability)?;
    schema::migrate(&mut connection)?;
    if damage.is_some() {
        // Moves the readable part of the log into the file and removes the rest, so that the
        // damage is reported once. If this fails, housekeeping does it, or the next start
        // reports the damage again.
        drop(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
    }
    Ok((files, connection))
}

/// The meaning of an error of `COMMIT`. `SQLite` writes the frames of a transaction in order, the
/// frame that makes it valid last, and then syncs the disk. If a write failed, the last frame is
/// incomplete and nothing is stored. After any other error the transaction may be stored.
fn failed_commit(error: rusqlite::Error) -> DiskError {
    match error.sqlite_error().map(|error| error.extended_code) {
        Some(ffi::SQLITE_FULL | ffi::SQLITE_IOERR_WRITE) => error.into(),
        _ => DiskError::Unknown(error.to_string()),
    }
}

/// Counts the pages in the log after each commit from now on. This takes the place of `SQLite`'s own
/// checkpoints, which run inside a commit.
fn count_log_pages(connection: &mut Connection) -> rusqlite::Result<Arc<AtomicU64>> {
    let counted = Arc::<AtomicU64>::default();
    let pages_now = Arc::clone(&counted);
    connection.wal_hook(Some(move |_: &mut Wal, pages: i32| {
        pages_now.store(u64::try_from(pages).unwrap_or(0), Ordering::Relaxed);
        Ok(())
    }))?;
    Ok(counted)
}

/// Opens the database with a write-ahead log.
fn connect(folder: &Path, durability: Durability) -> Result<Connection, OpenError> {
    let connection = Connection::open(folder.join(FILE))?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    schema::refuse_empty(&connection, folder)?;
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    let synchronous = match durability {
        Durability::Power => FULL,
        Durability::Process => NORMAL,
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    let limit = MAX_LOG_BYTES.cast_signed();
    connection.pragma_update_and_check(None, "journal_size_limit", limit, |_| Ok(()))?;
    Ok(connection)
}

impl Disk for Store {
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError> {
        self.may_sort = false;
        self.files.check()?;
        let mut stored = self.store(writes);
        if stored == Err(DiskError::Full) {
            // Emptying the write-ahead log may free enough space.
            let empty = "PRAGMA wal_checkpoint(TRUNCATE)";
            self.connection.query_row(empty, [], |_| Ok(())).map_err(DiskError::from)?;
            stored = self.store(writes);
        }
        self.may_sort = stored.is_ok();
        stored
    }

    fn sort(&mut self) -> bool {
        if !self.is_sorting() {
            return false;
        }
        self.sort_some().unwrap_or_else(|error| {
            // The facts are stored. If the disk fails, the next commit tells it.
            tracing::debug!(%error, "recent facts are not sorted yet");
            false
        })
    }

    fn is_sorting(&self) -> bool {
        self.may_sort && self.recent.is_sorting()
    }

    fn close(&mut self) {
        // One generation after the other.
        for _ in 0..2 {
            self.recent.sort_all();
            while self.sort() {}
        }
    }

    fn resolve(&mut self) -> Result<(), DiskError> {
        self.files.check()?;
        self.wait_for_disk()?;
        // A new value each time, so that the frame differs from all earlier ones.
        self.connection.execute("UPDATE settled SET times = times + 1", [])?;
        // The rest of the failed transaction is beyond the end of the log. It does no harm, but it
        // looks like damage: it is removed if that is possible without waiting.
        self.connection.busy_timeout(Duration::ZERO)?;
        let emptied = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        if let Err(error) = emptied {
            tracing::debug!(%error, "the log keeps the rest of a failed commit");
        }
        Ok(self.connection.busy_timeout(BUSY_TIMEOUT)?)
    }

    fn checkpoint(&mut self) -> (Result<(), DiskError>, u64) {
        self.recent.sort_if_quiet();
        // A missing file is the next commit's to report.
        let outcome = if self.files.check().is_ok() { self.move_log() } else { Ok(()) };
        (outcome, self.files.log_bytes())
    }

    fn log_pages(&self) -> u64 {
        self.log_pages.load(Ordering::Relaxed)
    }

    fn log_mover(&mut self) -> Option<LogMover> {
        self.mover.take()
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{Entry, Payload};
    use super::*;

    #[test]
    fn the_durability_sets_whether_a_commit_waits_for_the_disk() {
        for (durability, expected) in [(Durability::Power, FULL), (Durability::Process, NORMAL)] {
            let folder = tempfile::tempdir().unwrap();
            let (store, _) = Store::open(folder.path(), durability, 0).unwrap();
            let pragma = |name| store.connection.pragma_query_value(None, name, |row| row.get(0));
            assert_eq!(pragma("synchronous"), Ok(expected), "{durability:?}");
        }
    }

    /// A step of sorting need not wait for the disk, but what is stored after it does, always.
    #[test]
    fn commits_wait_for_the_disk_again_after_a_step_of_sorting() {
        let folder = tempfile::tempdir().unwrap();
        let (mut store, _) = Store::open(folder.path(), Durability::Power, 0).unwrap();
        let waits = |store: &Store| {
            store.connection.pragma_query_value(None, "synchronous", |row| row.get(0)) == Ok(FULL)
        };
        for v in 1..=3 {
            let entry = Entry { v, run: 1, at: 0, payload: Payload::Move(4), crc: 0 };
            let entries = vec![entry];
            let kept = None;
            let ended = None;
            store.commit(&[Write::Append { room: 1, entries, kept, ended }]).unwrap();
            assert!(waits(&store), "commit {v}");
            drop(store.checkpoint());
            store.sort();
            assert!(!waits(&store), "the test sees a step of sorting");
        }
        store.resolve().unwrap();
        assert!(waits(&store), "a commit in doubt is overwritten on the disk");
    }
}
