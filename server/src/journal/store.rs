//! The journal's file, as it is written: the one type that does. Opening, locking and the folder
//! are here; how writes are gathered is [`super::writer`]'s, what is read back [`super::reader`]'s.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ffi, params};

use super::fault::{DiskError, OpenError};
pub use super::found::{Found, FoundRoom};
use super::found::{begin_run, live_rooms};
use super::record::{Ended, NewRoom, Row, What};
use super::{schema, wal};

/// The journal in its folder.
pub(super) const FILE: &str = "journal.db";
/// Locked by the server that uses the folder.
pub(super) const LOCK: &str = "lock";
/// How long to wait for another program that reads or copies the file.
pub(super) const BUSY: Duration = Duration::from_secs(5);
/// Pages that gather in the write-ahead log before they are moved to the file, 4 KiB each. More
/// make for fewer pauses, and for a longer start after a crash.
const CHECKPOINT_PAGES: i64 = 4000;

/// What a commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Durability {
    /// A power cut: each commit waits until the disk has it.
    #[default]
    Power,
    /// The end of the server, but not of the machine.
    Process,
}

/// Something to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// A new room and its first facts.
    Make {
        /// Its number.
        room: i64,
        /// What is kept of it.
        new: NewRoom,
        /// Its first facts.
        rows: Vec<Row>,
    },
    /// Facts of a room.
    Facts {
        /// Its number.
        room: i64,
        /// What happened.
        rows: Vec<Row>,
        /// When the room ended, if it has.
        ended: Option<Ended>,
    },
    /// Since when nobody is in a room; `None` when somebody has come.
    Vacant {
        /// Its number.
        room: i64,
        /// Since when.
        since: Option<i64>,
    },
    /// The server is running.
    Alive {
        /// When.
        at: i64,
        /// How long it has run, over all its runs, in milliseconds.
        age: i64,
    },
    /// Forget a few of the rooms that ended before the server had reached some age.
    Prune {
        /// The age, in milliseconds.
        before: i64,
        /// How many at most.
        most: u32,
    },
}

impl Write {
    /// The room it is about, if it is about one.
    pub(super) const fn room(&self) -> Option<i64> {
        match self {
            Self::Make { room, .. } | Self::Facts { room, .. } | Self::Vacant { room, .. } => {
                Some(*room)
            }
            Self::Alive { .. } | Self::Prune { .. } => None,
        }
    }

    /// Whether it makes a room.
    pub(super) const fn makes(&self) -> bool {
        matches!(self, Self::Make { .. })
    }
}

/// Where writes go. The server has one, [`Store`]; a test may put one that fails before it.
pub trait Disk: Debug + Send {
    /// Stores all of the writes or, with an error, none of them; with [`DiskError::Unknown`],
    /// either.
    ///
    /// # Errors
    /// Where they could not be stored, or that is not known.
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError>;

    /// After a commit of unknown outcome: sees to it that nothing of it is stored. A disk whose
    /// commits never end like that has nothing to do.
    ///
    /// # Errors
    /// Where the outcome is still not known.
    fn settle(&mut self) -> Result<(), DiskError> {
        Ok(())
    }

    /// Moves what is in the log to the file, as far as that is possible without waiting for those
    /// who read: the less is in the log, the less its damage can do.
    ///
    /// # Errors
    /// Where it could not be moved; nothing is lost then.
    fn checkpoint(&mut self) -> Result<(), DiskError> {
        Ok(())
    }
}

/// The file.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    run: i64,
    path: PathBuf,
    /// Held as long as the store is.
    _lock: File,
}

impl Store {
    /// Opens the journal in a folder, or makes one, and begins a run now, in milliseconds since
    /// 1970.
    ///
    /// # Errors
    /// Where that is impossible, or another server has it.
    pub fn open(
        folder: &Path,
        durability: Durability,
        now: i64,
    ) -> Result<(Self, Found), OpenError> {
        let failed = |error| OpenError::Folder(folder.to_owned(), error);
        private_folder(folder).map_err(failed)?;
        let lock = private_file(&folder.join(LOCK)).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OpenError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let path = folder.join(FILE);
        let damage = wal::damage(folder).map_err(failed)?;
        if let Some(damage) = damage {
            damage.report(folder);
        }
        drop(private_file(&path).map_err(failed)?);
        let mut connection = Connection::open(&path)?;
        connection.busy_timeout(BUSY)?;
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        let synchronous = match durability {
            Durability::Power => "full",
            Durability::Process => "normal",
        };
        connection.pragma_update(None, "synchronous", synchronous)?;
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        schema::migrate(&mut connection)?;
        if damage.is_some() {
            // It is told once: what could be read of the log goes to the file, the rest away.
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        }
        let runs = begin_run(&mut connection, now)?;
        let found = Found {
            secret: connection.query_row("SELECT token FROM secret", [], |row| row.get(0))?,
            next_room: connection.query_row(
                "SELECT coalesce(max(id), 0) + 1 FROM room",
                [],
                |row| row.get(0),
            )?,
            rooms: live_rooms(&connection)?,
            age: connection.query_row("SELECT max(age) FROM run", [], |row| row.get(0))?,
            runs,
        };
        let run = found.runs.current();
        Ok((Self { connection, run, path, _lock: lock }, found))
    }

    /// The file's path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn store(&mut self, writes: &[Write]) -> Result<(), DiskError> {
        // Dropped without a commit, a transaction is rolled back.
        let transaction = self.connection.transaction()?;
        for write in writes {
            apply(&transaction, self.run, write)?;
        }
        transaction.commit().map_err(failed_commit)
    }
}

/// What an error of `COMMIT` says. `SQLite` writes a transaction's frames in order, the one that
/// makes it valid last, and then waits for the disk: where a write failed, that last frame is not
/// whole and nothing is stored. After any other error it may be.
fn failed_commit(error: rusqlite::Error) -> DiskError {
    match error.sqlite_error().map(|error| error.extended_code) {
        Some(ffi::SQLITE_FULL | ffi::SQLITE_IOERR_WRITE) => error.into(),
        _ => DiskError::Unknown(error.to_string()),
    }
}

impl Disk for Store {
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError> {
        let stored = self.store(writes);
        if stored != Err(DiskError::Full) {
            return stored;
        }
        // What the write-ahead log takes up may be enough: move it to the file and try again.
        let emptied = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        emptied.map_err(DiskError::from)?;
        self.store(writes)
    }

    fn settle(&mut self) -> Result<(), DiskError> {
        // Each time another value, so that it is never the same frame as one of before.
        self.connection.execute("UPDATE settled SET times = times + 1", [])?;
        // What is left of the failed transaction is beyond the end of the log. It does no harm,
        // and looks like damage: it goes where that is possible without waiting for anybody.
        self.connection.busy_timeout(Duration::ZERO)?;
        let emptied = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        if let Err(error) = emptied {
            tracing::debug!(%error, "the log keeps what a failed commit left");
        }
        Ok(self.connection.busy_timeout(BUSY)?)
    }

    fn checkpoint(&mut self) -> Result<(), DiskError> {
        let moved = self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        Ok(moved?)
    }
}

fn apply(connection: &Connection, run: i64, write: &Write) -> rusqlite::Result<()> {
    match write {
        Write::Make { room, new, rows } => {
            make(connection, *room, new)?;
            facts(connection, *room, rows)
        }
        Write::Facts { room, rows, ended } => {
            facts(connection, *room, rows)?;
            if let Some(Ended { at, age }) = ended {
                if !has_moves(connection, *room)? {
                    return forget(connection, *room);
                }
                let sql = "UPDATE room SET ended = ?2, ended_age = ?3 WHERE id = ?1";
                connection.prepare_cached(sql)?.execute(params![room, at, age])?;
            }
            Ok(())
        }
        Write::Vacant { room, since } => {
            let sql = "UPDATE room SET vacant = ?2, vacant_run = ?3 WHERE id = ?1";
            let run = since.map(|_| run);
            connection.prepare_cached(sql)?.execute(params![room, since, run]).map(|_| ())
        }
        Write::Alive { at, age } => {
            let sql = "UPDATE run SET alive = ?2, age = ?3 WHERE id = ?1";
            connection.prepare_cached(sql)?.execute(params![run, at, age]).map(|_| ())
        }
        Write::Prune { before, most } => prune(connection, *before, *most),
    }
}

fn make(connection: &Connection, room: i64, new: &NewRoom) -> rusqlite::Result<()> {
    let sql = "INSERT INTO room (id, code, settings, made, maker, maker_intent, guest, \
               guest_intent) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let (code, settings) = (new.code.as_str(), new.settings_json());
    let [maker, maker_intent, guest, guest_intent] = new.origin_columns();
    let origins = params![room, code, settings, new.made, maker, maker_intent, guest, guest_intent];
    connection.prepare_cached(sql)?.execute(origins).map(|_| ())
}

fn facts(connection: &Connection, room: i64, rows: &[Row]) -> rusqlite::Result<()> {
    let sql = "INSERT INTO event (room, v, run, at, cell, fact, crc) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut insert = connection.prepare_cached(sql)?;
    for Row { v, run, at, what, crc } in rows {
        let (cell, fact) = match what {
            What::Move(cell) => (Some(*cell), None),
            What::Fact(json) => (None, Some(json)),
        };
        insert.execute(params![room, v.cast_signed(), run, at, cell, fact, crc])?;
    }
    Ok(())
}

fn prune(connection: &Connection, before: i64, most: u32) -> rusqlite::Result<()> {
    let sql = "SELECT id FROM room WHERE ended IS NOT NULL AND ended_age < ?1 \
               ORDER BY ended_age LIMIT ?2";
    let mut old = connection.prepare_cached(sql)?;
    let old = old.query_map(params![before, most], |row| row.get(0))?;
    for room in old.collect::<rusqlite::Result<Vec<i64>>>()? {
        forget(connection, room)?;
    }
    Ok(())
}

/// Whether a mark was ever placed in a room. One that ends without any leaves nothing behind:
/// there is no game to keep, and making rooms is all that it would take to fill the disk.
fn has_moves(connection: &Connection, room: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM event WHERE room = ?1 AND cell IS NOT NULL)";
    connection.prepare_cached(sql)?.query_row([room], |row| row.get(0))
}

fn forget(connection: &Connection, room: i64) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM event WHERE room = ?1")?.execute([room])?;
    connection.prepare_cached("DELETE FROM room WHERE id = ?1")?.execute([room])?;
    Ok(())
}

/// The folder, made for its owner alone where it is not there yet.
fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A file that its owner alone may read, for it holds the secret: also what `SQLite` puts beside
/// it gets these permissions.
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `SQLite` says of `PRAGMA synchronous`.
    const NORMAL: i64 = 1;
    const FULL: i64 = 2;

    #[test]
    fn a_commit_waits_for_the_disk_as_the_durability_says() {
        for (durability, expected) in [(Durability::Power, FULL), (Durability::Process, NORMAL)] {
            let folder = tempfile::tempdir().unwrap();
            let (store, _) = Store::open(folder.path(), durability, 0).unwrap();
            let pragma = |name| store.connection.pragma_query_value(None, name, |row| row.get(0));
            assert_eq!(pragma("synchronous"), Ok(expected), "{durability:?}");
        }
    }
}
