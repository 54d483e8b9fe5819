//! The journal's file, as it is written: the one type that does. Opening, locking and the folder
//! are here; how writes are gathered is [`super::writer`]'s, what is read back [`super::reader`]'s.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, params};

use super::fault::{DiskError, OpenError};
use super::record::{NewRoom, Origin, Row, What};
use super::runs::{KEPT, Run, Runs};
use super::schema;

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
        ended: Option<i64>,
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
    },
    /// Forget a few of the rooms that ended before a moment.
    Prune {
        /// The moment.
        before: i64,
        /// How many at most.
        most: u32,
    },
}

/// Where writes go. The server has one, [`Store`]; a test may put one that fails before it.
pub trait Disk: Debug + Send {
    /// Stores all of the writes or, with an error, none of them.
    ///
    /// # Errors
    /// Where they could not be stored.
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError>;
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

/// What is known at the start.
#[derive(Debug)]
pub struct Found {
    /// The server's secret for tokens.
    pub secret: [u8; 32],
    /// When the server ran.
    pub runs: Runs,
    /// The number of the next room.
    pub next_room: i64,
    /// The rooms that have not ended.
    pub rooms: Vec<FoundRoom>,
}

/// A room that has not ended, as far as it must be known before somebody comes for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRoom {
    /// Its number.
    pub id: i64,
    /// Its code.
    pub code: String,
    /// Since when nobody was there, and the run; `None` if somebody was to the last.
    pub vacant: Option<(i64, i64)>,
    /// What made it.
    pub origins: Vec<Origin>,
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
        let runs = begin_run(&mut connection, now)?;
        let found = Found {
            secret: connection.query_row("SELECT token FROM secret", [], |row| row.get(0))?,
            next_room: connection.query_row(
                "SELECT coalesce(max(id), 0) + 1 FROM room",
                [],
                |row| row.get(0),
            )?,
            rooms: live_rooms(&connection)?,
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

    fn store(&mut self, writes: &[Write]) -> rusqlite::Result<()> {
        // Dropped without a commit, a transaction is rolled back.
        let transaction = self.connection.transaction()?;
        for write in writes {
            apply(&transaction, self.run, write)?;
        }
        transaction.commit()
    }
}

impl Disk for Store {
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError> {
        let stored = self.store(writes).map_err(DiskError::from);
        if stored != Err(DiskError::Full) {
            return stored;
        }
        // What the write-ahead log takes up may be enough: move it to the file and try again.
        let emptied = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        emptied.map_err(DiskError::from)?;
        self.store(writes).map_err(DiskError::from)
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
            if let Some(ended) = ended {
                if !has_moves(connection, *room)? {
                    return forget(connection, *room);
                }
                let sql = "UPDATE room SET ended = ?2 WHERE id = ?1";
                connection.prepare_cached(sql)?.execute(params![room, ended])?;
            }
            Ok(())
        }
        Write::Vacant { room, since } => {
            let sql = "UPDATE room SET vacant = ?2, vacant_run = ?3 WHERE id = ?1";
            let run = since.map(|_| run);
            connection.prepare_cached(sql)?.execute(params![room, since, run]).map(|_| ())
        }
        Write::Alive { at } => {
            let sql = "UPDATE run SET alive = ?2 WHERE id = ?1";
            connection.prepare_cached(sql)?.execute(params![run, at]).map(|_| ())
        }
        Write::Prune { before, most } => prune(connection, *before, *most),
    }
}

fn make(connection: &Connection, room: i64, new: &NewRoom) -> rusqlite::Result<()> {
    let sql = "INSERT INTO room (id, code, settings, made, maker, maker_intent, guest, \
               guest_intent) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    // Settings hold no map with other keys than strings, so that they can always be written.
    let settings = serde_json::to_string(&new.settings).unwrap_or_default();
    let origin = |at: usize| {
        let origin = new.origins.get(at);
        origin.map(|origin| (origin.player.0.cast_signed(), u64::from(origin.id).cast_signed()))
    };
    let (maker, guest) = (origin(0).unzip(), origin(1).unzip());
    let code = new.code.as_str();
    connection
        .prepare_cached(sql)?
        .execute(params![room, code, settings, new.made, maker.0, maker.1, guest.0, guest.1])?;
    Ok(())
}

fn facts(connection: &Connection, room: i64, rows: &[Row]) -> rusqlite::Result<()> {
    let sql = "INSERT INTO event (room, v, run, at, cell, fact) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut insert = connection.prepare_cached(sql)?;
    for Row { v, run, at, what } in rows {
        let (cell, fact) = match what {
            What::Move(cell) => (Some(*cell), None),
            What::Fact(json) => (None, Some(json)),
        };
        insert.execute(params![room, v.cast_signed(), run, at, cell, fact])?;
    }
    Ok(())
}

fn prune(connection: &Connection, before: i64, most: u32) -> rusqlite::Result<()> {
    let sql = "SELECT id FROM room WHERE ended < ?1 ORDER BY ended LIMIT ?2";
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

fn begin_run(connection: &mut Connection, now: i64) -> rusqlite::Result<Runs> {
    let transaction = connection.transaction()?;
    transaction.execute("INSERT INTO run (started, alive) VALUES (?1, ?1)", [now])?;
    let current = transaction.last_insert_rowid();
    transaction.execute("DELETE FROM run WHERE id <= ?1", [current - KEPT])?;
    let mut select = transaction.prepare("SELECT id, started, alive FROM run ORDER BY id")?;
    let runs = select.query_map([], |row| {
        Ok(Run { id: row.get(0)?, started: row.get(1)?, alive: row.get(2)? })
    })?;
    let runs = Runs::new(runs.collect::<rusqlite::Result<_>>()?);
    drop(select);
    transaction.commit()?;
    Ok(runs)
}

fn live_rooms(connection: &Connection) -> rusqlite::Result<Vec<FoundRoom>> {
    let sql = "SELECT id, code, vacant_run, vacant, maker, maker_intent, guest, guest_intent \
               FROM room INDEXED BY room_live WHERE ended IS NULL ORDER BY id";
    let mut select = connection.prepare(sql)?;
    let rooms = select.query_map([], |row| {
        let vacant = row.get::<_, Option<i64>>(2)?.zip(row.get(3)?);
        let origins = [(row.get(4)?, row.get(5)?), (row.get(6)?, row.get(7)?)];
        let origins = origins.into_iter().filter_map(|(player, id)| origin(player, id)).collect();
        Ok(FoundRoom { id: row.get(0)?, code: row.get(1)?, vacant, origins })
    })?;
    rooms.collect()
}

fn origin(player: Option<i64>, id: Option<i64>) -> Option<Origin> {
    let player = noughts_protocol::PlayerId(player?.cast_unsigned());
    Some(Origin { player, id: u64::try_from(id?).ok()?.try_into().ok()? })
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
fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
