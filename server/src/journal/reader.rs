//! What is read back from the journal: one room when somebody comes for it, or all of them for
//! `export` and `verify`. A worker of its own, so that reading and writing do not wait for each
//! other.

use std::path::Path;

use noughts_protocol::{RoomCode, RoomSettings};
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use tokio::sync::{mpsc, oneshot};

use super::fault::{DiskError, OpenError};
use super::record::{Row, What};
use super::schema;
use super::store::{BUSY, FILE};

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
    /// Its facts, in order.
    pub rows: Vec<Row>,
}

/// The file, for reading.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
}

/// What the worker that reads is asked.
#[derive(Debug)]
pub(super) enum Ask {
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
        Ok(Self { id, code, settings, ended, rows: Vec::new() })
    }
}

impl Reader {
    /// Opens the journal in a folder for reading, also while a server runs on it.
    ///
    /// # Errors
    /// Where there is none, or it cannot be read.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
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
    /// Where it cannot be read, or makes no sense.
    pub fn room(&self, id: i64) -> Result<StoredRoom, DiskError> {
        let sql = "SELECT code, settings, ended FROM room WHERE id = ?1";
        let mut select = self.connection.prepare_cached(sql)?;
        let room = select.query_row([id], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get(2)?))
        });
        let Some((code, settings, ended)) = room.optional()? else {
            return Err(DiskError::Damaged(format!("there is no room number {id}")));
        };
        let room = StoredRoom::of(id, &code, &settings, ended)?;
        let sql = "SELECT v, run, at, cell, fact FROM event WHERE room = ?1 ORDER BY v";
        let mut select = self.connection.prepare_cached(sql)?;
        let rows = select.query_map([id], |row| {
            let what = match row.get(3)? {
                Some(cell) => What::Move(cell),
                None => What::Fact(row.get(4)?),
            };
            let v: i64 = row.get(0)?;
            Ok(Row { v: v.cast_unsigned(), run: row.get(1)?, at: row.get(2)?, what })
        })?;
        Ok(StoredRoom { rows: rows.collect::<rusqlite::Result<_>>()?, ..room })
    }

    /// What `SQLite` itself finds wrong with the file; nothing if it is sound.
    ///
    /// # Errors
    /// Where it cannot even be looked at.
    pub fn faults(&self) -> Result<Vec<String>, DiskError> {
        let mut check = self.connection.prepare("PRAGMA integrity_check(10)")?;
        let found = check.query_map([], |row| row.get(0))?;
        let mut found: Vec<String> = found.collect::<rusqlite::Result<_>>()?;
        found.retain(|line| line != "ok");
        Ok(found)
    }

    /// Answers those who wait for a room until nobody can ask any more, or it is told to end.
    pub(super) async fn run(self, mut asked: mpsc::Receiver<Ask>) {
        while let Some(Ask::Room(room, answer)) = asked.recv().await {
            // Who asked may have gone.
            drop(answer.send(self.room(room)));
        }
        // Whoever sees the queue closed may close the file, which tidies it where nobody reads.
        drop(self);
    }
}
