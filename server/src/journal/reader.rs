//! Reads rooms back from the journal: one when the lobby activates it, or all of them for `export`
//! and `verify`. The server reads in a worker of its own, so that reads and writes do not wait for
//! each other.

use std::path::Path;

use noughts_protocol::{PlayerId, RoomCode, RoomSettings};
use rusqlite::{Connection, OpenFlags};
use tokio::sync::{mpsc, oneshot};

use super::checksum::{self, RoomColumns};
use super::entry::Entry;
use super::error::{DiskError, OpenError};
use super::files::{FILE, refuse_orphaned_log};
use super::schema;
use super::store::BUSY_TIMEOUT;

/// A room as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRoom {
    /// The room's number.
    pub id: i64,
    /// The room's code, which an earlier room may have had too.
    pub code: RoomCode,
    /// The room's settings.
    pub settings: RoomSettings,
    /// The player who made the room; `None` for a quick match of two players.
    pub maker: Option<PlayerId>,
    /// When the room ended, in milliseconds since 1970, if it has ended.
    pub ended: Option<i64>,
    /// The room's facts in order, up to the first one with a wrong checksum.
    pub entries: Vec<Entry>,
    /// The checksum of the last entry, or of the room if there is none.
    pub crc: u32,
    /// The version of the first fact with a wrong checksum.
    pub broken: Option<u64>,
}

/// A read-only connection to the journal's file.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
}

/// What the reader can be asked to do.
#[derive(Debug)]
pub(super) enum ReaderCommand {
    /// Read this room, and send it to the caller.
    Load(i64, oneshot::Sender<Result<StoredRoom, DiskError>>),
    /// End.
    Close,
}

impl StoredRoom {
    /// The room as its own columns describe it, without facts.
    ///
    /// # Errors
    /// If a column is invalid.
    pub(crate) fn of(
        id: i64,
        code: &str,
        settings: &str,
        ended: Option<i64>,
    ) -> Result<Self, DiskError> {
        let damaged = |error: String| DiskError::Damaged(format!("room number {id}: {error}"));
        let code = code.parse().map_err(|error| damaged(format!("{error}")))?;
        let settings: RoomSettings =
            serde_json::from_str(settings).map_err(|e| damaged(e.to_string()))?;
        if !settings.opening_is_legal() {
            return Err(damaged("no board of this size opens like that".to_owned()));
        }
        Ok(Self {
            id,
            code,
            settings,
            maker: None,
            ended,
            entries: Vec::new(),
            crc: 0,
            broken: None,
        })
    }

    /// The wrong checksum as a sentence, if there is one.
    #[must_use]
    pub fn checksum_error(&self) -> Option<String> {
        let v = self.broken?;
        Some(format!(
            "at version {v}: the checksum does not follow from the facts before it, so that one of \
             them is missing or not what was stored"
        ))
    }

    /// Adds the next entry, unless it or one before it has a wrong checksum.
    fn push(&mut self, entry: Entry) {
        if self.broken.is_some() {
            return;
        }
        if checksum::of_fact(self.crc, &entry) == entry.crc {
            self.crc = entry.crc;
            self.entries.push(entry);
        } else {
            self.broken = Some(entry.v);
        }
    }
}

/// The player who made a room, of its columns as in
/// [`NewRoom::origin_columns`](super::entry::NewRoom::origin_columns).
const fn maker([maker, _, guest, _]: [Option<i64>; 4]) -> Option<PlayerId> {
    match (maker, guest) {
        (Some(maker), None) => Some(PlayerId(maker.cast_unsigned())),
        _ => None,
    }
}

/// Opens the journal in a folder for reading.
pub(super) fn connect(folder: &Path) -> Result<Connection, OpenError> {
    refuse_orphaned_log(folder)?;
    let path = folder.join(FILE);
    if !path.exists() {
        return Err(OpenError::Missing(folder.to_owned()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    schema::check(&connection)?;
    Ok(connection)
}

impl Reader {
    /// Opens the journal in a folder for reading, also while a server runs on it.
    ///
    /// # Errors
    /// If there is none, or if it cannot be read.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        Ok(Self { connection: connect(folder)? })
    }

    /// The numbers of all rooms, the oldest first.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn rooms(&self) -> Result<Vec<i64>, DiskError> {
        let mut select = self.connection.prepare("SELECT id FROM room ORDER BY id")?;
        let rooms = select.query_map([], |row| row.get(0))?;
        Ok(rooms.collect::<rusqlite::Result<_>>()?)
    }

    /// Reads one room. A wrong checksum is no error here: the room tells it.
    ///
    /// # Errors
    /// If the room cannot be read, or if a column is invalid.
    pub fn room(&self, id: i64) -> Result<StoredRoom, DiskError> {
        let Some(mut room) = self.room_row(id)? else {
            return Err(DiskError::Damaged(format!("there is no room number {id}")));
        };
        let sql = "SELECT v, run, at, cell, fact, crc FROM event WHERE room = ?1 ORDER BY v";
        let mut select = self.connection.prepare_cached(sql)?;
        for row in select.query_map([id], Entry::from_row)? {
            room.push(row?);
        }
        Ok(room)
    }

    /// Reads a room without its facts; `None` if there is no such room.
    fn room_row(&self, id: i64) -> Result<Option<StoredRoom>, DiskError> {
        let sql = "SELECT code, settings, ended, made, maker, maker_intent, guest, guest_intent \
                   FROM room WHERE id = ?1";
        let mut select = self.connection.prepare_cached(sql)?;
        let mut rows = select.query([id])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let (code, settings): (String, String) = (row.get(0)?, row.get(1)?);
        let origins = [row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?];
        let maker = maker(origins);
        let columns =
            RoomColumns { id, code: &code, settings: &settings, made: row.get(3)?, origins };
        let room = StoredRoom::of(id, &code, &settings, row.get(2)?)?;
        Ok(Some(StoredRoom { maker, crc: checksum::of_room(columns), ..room }))
    }

    /// The errors that `SQLite`'s own check finds in the file.
    ///
    /// # Errors
    /// If the check cannot run.
    pub fn integrity_errors(&self) -> Result<Vec<String>, DiskError> {
        let mut check = self.connection.prepare("PRAGMA integrity_check(10)")?;
        let lines = check.query_map([], |row| row.get(0))?;
        let mut errors: Vec<String> = lines.collect::<rusqlite::Result<_>>()?;
        errors.retain(|line| line != "ok");
        Ok(errors)
    }

    /// Reads rooms until every sender is dropped or one sends [`ReaderCommand::Close`].
    pub(super) async fn run(self, mut commands: mpsc::Receiver<ReaderCommand>) {
        while let Some(ReaderCommand::Load(room, reply)) = commands.recv().await {
            // The caller may have stopped waiting.
            drop(reply.send(self.room(room)));
        }
        // The connection is closed before the queue: the writer, which closes after that, is then
        // the last one, and `SQLite` removes the log.
        drop(self);
    }
}
