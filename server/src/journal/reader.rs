//! What is read back from the journal: one room when somebody comes for it, or all of them for
//! `export` and `verify`. A worker of its own, so that reading and writing do not wait for each
//! other.

use std::path::Path;

use noughts_protocol::{RoomCode, RoomSettings};
use rusqlite::{Connection, OpenFlags};
use tokio::sync::{mpsc, oneshot};

use super::checksum::{self, RoomColumns};
use super::files::refuse_lone_log;
use super::schema;
use super::store::{BUSY, FILE};
use crate::journal::entry::{Entry, Payload};
use crate::journal::error::{DiskError, OpenError};

/// A room as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRoom {
    /// Its number.
    pub id: i64,
    /// Its code, which another room may have had before.
    pub code: RoomCode,
    /// Its settings.
    pub settings: RoomSettings,
    /// When it ended, if it has.
    pub ended: Option<i64>,
    /// Its facts, in order; where one is broken, those before it.
    pub entries: Vec<Entry>,
    /// The checksum of the last of them, or of the room where there is none.
    pub crc: u32,
    /// The version of the first fact whose checksum does not follow from what is before it.
    pub broken: Option<u64>,
}

/// The file, for reading.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
}

/// What the worker that reads is asked.
#[derive(Debug)]
pub(super) enum ReaderCommand {
    /// For a room, by somebody who waits for it.
    Room(i64, oneshot::Sender<Result<StoredRoom, DiskError>>),
    /// To end.
    Close,
}

impl StoredRoom {
    /// A room as its own row tells it, before its facts.
    ///
    /// # Errors
    /// Where that makes no sense.
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
        Ok(Self { id, code, settings, ended, entries: Vec::new(), crc: 0, broken: None })
    }

    /// What its checksums say is wrong with it, in words.
    #[must_use]
    pub fn checksum_error(&self) -> Option<String> {
        let v = self.broken?;
        Some(format!(
            "at version {v}: the checksum does not follow from the facts before it, so that one of \
             them is missing or not what was stored"
        ))
    }

    /// Takes in the next entry, unless it or one before it is broken.
    fn take(&mut self, entry: Entry) {
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

impl Reader {
    /// Opens the journal in a folder for reading, also while a server runs on it.
    ///
    /// # Errors
    /// Where there is none, or it cannot be read.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        refuse_lone_log(folder)?;
        let path = folder.join(FILE);
        if !path.exists() {
            return Err(OpenError::Missing(folder.to_owned()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY)?;
        schema::check(&connection)?;
        Ok(Self { connection })
    }

    /// The numbers of all rooms, the oldest first.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn rooms(&self) -> Result<Vec<i64>, DiskError> {
        let mut select = self.connection.prepare("SELECT id FROM room ORDER BY id")?;
        let rooms = select.query_map([], |row| row.get(0))?;
        Ok(rooms.collect::<rusqlite::Result<_>>()?)
    }

    /// One room.
    ///
    /// # Errors
    /// Where it cannot be read, or makes no sense. One with a broken fact can be read: it says so.
    pub fn room(&self, id: i64) -> Result<StoredRoom, DiskError> {
        let Some(mut room) = self.room_row(id)? else {
            return Err(DiskError::Damaged(format!("there is no room number {id}")));
        };
        let sql = "SELECT v, run, at, cell, fact, crc FROM event WHERE room = ?1 ORDER BY v";
        let mut select = self.connection.prepare_cached(sql)?;
        for row in select.query_map([id], fact)? {
            room.take(row?);
        }
        Ok(room)
    }

    /// A room without its facts; `None` where there is none.
    fn room_row(&self, id: i64) -> Result<Option<StoredRoom>, DiskError> {
        let sql = "SELECT code, settings, ended, made, maker, maker_intent, guest, guest_intent \
                   FROM room WHERE id = ?1";
        let mut select = self.connection.prepare_cached(sql)?;
        let mut rows = select.query([id])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let (code, settings): (String, String) = (row.get(0)?, row.get(1)?);
        let origins = [row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?];
        let columns =
            RoomColumns { id, code: &code, settings: &settings, made: row.get(3)?, origins };
        let room = StoredRoom::of(id, &code, &settings, row.get(2)?)?;
        Ok(Some(StoredRoom { crc: checksum::of_room(columns), ..room }))
    }

    /// What `SQLite` itself finds wrong with the file; nothing if it is sound.
    ///
    /// # Errors
    /// Where it cannot even be looked at.
    pub fn integrity_errors(&self) -> Result<Vec<String>, DiskError> {
        let mut check = self.connection.prepare("PRAGMA integrity_check(10)")?;
        let found = check.query_map([], |row| row.get(0))?;
        let mut found: Vec<String> = found.collect::<rusqlite::Result<_>>()?;
        found.retain(|line| line != "ok");
        Ok(found)
    }

    /// Answers those who wait for a room until nobody can ask any more, or it is told to end.
    pub(super) async fn run(self, mut asked: mpsc::Receiver<ReaderCommand>) {
        while let Some(ReaderCommand::Room(room, answer)) = asked.recv().await {
            // Who asked may have gone.
            drop(answer.send(self.room(room)));
        }
        // Whoever sees the queue closed may close the file, which tidies it where nobody reads.
        drop(self);
    }
}

/// A row of `v, run, at, cell, fact, crc`.
pub(super) fn fact(row: &rusqlite::Row<'_>) -> rusqlite::Result<Entry> {
    let payload = match row.get(3)? {
        Some(cell) => Payload::Move(cell),
        None => Payload::Fact(row.get(4)?),
    };
    let v: i64 = row.get(0)?;
    Ok(Entry { v: v.cast_unsigned(), run: row.get(1)?, at: row.get(2)?, payload, crc: row.get(5)? })
}
