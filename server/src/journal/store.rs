//! The journal's file, as it is written: the one type that does. The folder and its locks are
//! [`super::files`]', how writes are gathered is [`super::writer`]'s, what is read back
//! [`super::reader`]'s.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ffi, params};

pub(super) use super::files::FILE;
use super::files::JournalFiles;
use super::startup::Startup;
use super::startup::{begin_run, live_rooms};
use super::{schema, wal};
use crate::journal::entry::{Ended, Entry, NewRoom, Payload};
use crate::journal::error::{DiskError, OpenError};

/// How long to wait for another program that reads or copies the file.
pub(super) const BUSY: Duration = Duration::from_secs(5);
/// Pages that gather in the write-ahead log before they are moved to the file, 4 KiB each. More
/// make for fewer pauses, and for a longer start after a crash.
const CHECKPOINT_PAGES: i64 = 4000;
/// A log larger than this, in bytes, is cut to nothing once all of it is in the file: somewhat more
/// than a log in use needs, with a header for each page.
const LOG_BYTES: u64 = 20 << 20;
/// Pages in the log with which a reader that does not let go of them counts as a failure.
const HELD_PAGES: i64 = 4 * CHECKPOINT_PAGES;

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
    Create {
        /// Its number.
        room: i64,
        /// What is kept of it.
        new: NewRoom,
        /// Its first facts.
        entries: Vec<Entry>,
    },
    /// Facts of a room.
    Append {
        /// Its number.
        room: i64,
        /// What happened.
        entries: Vec<Entry>,
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
    Heartbeat {
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
            Self::Create { room, .. } | Self::Append { room, .. } | Self::Vacant { room, .. } => {
                Some(*room)
            }
            Self::Heartbeat { .. } | Self::Prune { .. } => None,
        }
    }

    /// Whether it makes a room.
    pub(super) const fn makes(&self) -> bool {
        matches!(self, Self::Create { .. })
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
    fn resolve(&mut self) -> Result<(), DiskError> {
        Ok(())
    }

    /// Moves what is in the log to the file, as far as that is possible without waiting for those
    /// who read: the less is in the log, the less its damage can do. Says how many bytes the log has
    /// then. A disk without a log has nothing to do.
    fn checkpoint(&mut self) -> (Result<(), DiskError>, u64) {
        (Ok(()), 0)
    }
}

/// The file.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    run: i64,
    path: PathBuf,
    /// Held as long as the store is, and let go after the connection.
    files: JournalFiles,
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
    ) -> Result<(Self, Startup), OpenError> {
        let mut files = JournalFiles::lock(folder)?;
        let path = folder.join(FILE);
        let damage = wal::damage(folder).map_err(|error| OpenError::of_folder(folder, error))?;
        if let Some(damage) = damage {
            damage.report(folder);
        }
        let mut connection = Connection::open(&path)?;
        connection.busy_timeout(BUSY)?;
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        let synchronous = match durability {
            Durability::Power => "full",
            Durability::Process => "normal",
        };
        connection.pragma_update(None, "synchronous", synchronous)?;
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        connection.pragma_update_and_check(
            None,
            "journal_size_limit",
            LOG_BYTES.cast_signed(),
            |_| Ok(()),
        )?;
        schema::migrate(&mut connection)?;
        if damage.is_some() {
            // It is told once: what could be read of the log goes to the file, the rest away. Where
            // that fails now, housekeeping does it, or the next start tells it again.
            drop(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        }
        let uptime = begin_run(&mut connection, now)?;
        let startup = Startup {
            secret: connection.query_row("SELECT token FROM secret", [], |row| row.get(0))?,
            next_room: connection.query_row(
                "SELECT max(room, (SELECT coalesce(max(id), 0) FROM room)) + 1 FROM forgotten",
                [],
                |row| row.get(0),
            )?,
            rooms: live_rooms(&connection)?,
            age: connection.query_row("SELECT max(age) FROM run", [], |row| row.get(0))?,
            uptime,
        };
        let run = startup.uptime.current();
        files.remember()?;
        Ok((Self { connection, run, path, files }, startup))
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

    /// Moves the log into the file. `SQLite` does so by itself after a commit that makes the log
    /// long, and tells nobody where it fails.
    fn move_log(&self) -> Result<(), DiskError> {
        let (pages, moved) = self.run_checkpoint("PASSIVE")?;
        if moved < pages && pages > HELD_PAGES {
            return Err(DiskError::LogHeld);
        }
        if moved == pages && self.files.log_bytes() > LOG_BYTES {
            // Nobody waits for a reader that has come just now: the next time will do.
            self.connection.busy_timeout(Duration::ZERO)?;
            let emptied = self.run_checkpoint("TRUNCATE");
            self.connection.busy_timeout(BUSY)?;
            emptied?;
        }
        Ok(())
    }

    /// The pages that are in the log, and those of them that are in the file.
    fn run_checkpoint(&self, how: &str) -> rusqlite::Result<(i64, i64)> {
        let sql = format!("PRAGMA wal_checkpoint({how})");
        self.connection.query_row(&sql, [], |row| Ok((row.get(1)?, row.get(2)?)))
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
        self.files.check()?;
        let stored = self.store(writes);
        if stored != Err(DiskError::Full) {
            return stored;
        }
        // What the write-ahead log takes up may be enough: move it to the file and try again.
        let emptied = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        emptied.map_err(DiskError::from)?;
        self.store(writes)
    }

    fn resolve(&mut self) -> Result<(), DiskError> {
        self.files.check()?;
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

    fn checkpoint(&mut self) -> (Result<(), DiskError>, u64) {
        // What is gone or full is the next commit's to say.
        let outcome = if self.files.check().is_ok() { self.move_log() } else { Ok(()) };
        (outcome, self.files.log_bytes())
    }
}

fn apply(connection: &Connection, run: i64, write: &Write) -> rusqlite::Result<()> {
    match write {
        Write::Create { room, new, entries } => {
            make(connection, *room, new)?;
            facts(connection, *room, entries)
        }
        Write::Append { room, entries, ended } => {
            facts(connection, *room, entries)?;
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
        Write::Heartbeat { at, age } => {
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

fn facts(connection: &Connection, room: i64, entries: &[Entry]) -> rusqlite::Result<()> {
    let sql = "INSERT INTO event (room, v, run, at, cell, fact, crc) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut insert = connection.prepare_cached(sql)?;
    for Entry { v, run, at, payload, crc } in entries {
        let (cell, fact) = match payload {
            Payload::Move(cell) => (Some(*cell), None),
            Payload::Fact(json) => (None, Some(json)),
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
    connection.prepare_cached("UPDATE forgotten SET room = max(room, ?1)")?.execute([room])?;
    connection.prepare_cached("DELETE FROM event WHERE room = ?1")?.execute([room])?;
    connection.prepare_cached("DELETE FROM room WHERE id = ?1")?.execute([room])?;
    Ok(())
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
