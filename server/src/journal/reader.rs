//! Reads rooms back from the journal: one when the lobby activates it, or all of them for `export`
//! and `verify`. The server reads in a worker of its own, so that reads and writes do not wait for
//! each other.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use tokio::sync::{mpsc, oneshot};

use super::archive::ratings;
use super::archive::ratings::Recomputation;
use super::archive::ratings::standing::{self, Standing};
use super::archive::verify;
use super::error::{DiskError, OpenError};
use super::files::{FILE, refuse_orphaned_log};
use super::party::{self, StoredParty};
use super::recent::reader::RecentReader;
use super::schema;
use super::store::BUSY_TIMEOUT;
use super::stored_room::{self, StoredRoom};

/// A read-only connection to the journal's file.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    recent: RecentReader,
}

/// What the reader can be asked to do.
#[derive(Debug)]
pub(super) enum ReaderCommand {
    /// Read this room, and send it to the caller.
    Load(i64, oneshot::Sender<Result<StoredRoom, DiskError>>),
    /// Read this party, and send it to the caller.
    LoadParty(i64, oneshot::Sender<Result<StoredParty, DiskError>>),
    /// Answer a room about the ratings of its players.
    Standing(standing::Question, oneshot::Sender<Result<Option<Standing>, DiskError>>),
    /// End.
    Close,
}

/// Opens the journal in a folder for reading.
pub(super) fn connect(folder: &Path) -> Result<Connection, OpenError> {
    let connection = connect_to_any(folder)?;
    schema::check(&connection)?;
    Ok(connection)
}

/// Opens the journal in a folder for reading, also that of another version.
pub(super) fn connect_to_any(folder: &Path) -> Result<Connection, OpenError> {
    refuse_orphaned_log(folder)?;
    let path = folder.join(FILE);
    if !path.exists() {
        return Err(OpenError::Missing(folder.to_owned()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    schema::refuse_empty(&connection, folder)?;
    Ok(connection)
}

impl Reader {
    /// Opens the journal in a folder for reading, also while a server runs on it.
    ///
    /// # Errors
    /// If there is none, or if it cannot be read.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        Ok(Self { connection: connect(folder)?, recent: RecentReader::default() })
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
        let room = stored_room::load(&self.connection, &self.recent, id)?;
        room.ok_or_else(|| DiskError::Damaged(format!("there is no room number {id}")))
    }

    /// The numbers of all parties, the oldest first.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn parties(&self) -> Result<Vec<i64>, DiskError> {
        party::store::all(&self.connection)
    }

    /// Reads one party. A wrong checksum is no error here: the party tells it.
    ///
    /// # Errors
    /// If the party cannot be read, or if a column is invalid.
    pub fn party(&self, id: i64) -> Result<StoredParty, DiskError> {
        let party = party::store::load(&self.connection, id)?;
        party.ok_or_else(|| DiskError::Damaged(format!("there is no party number {id}")))
    }

    /// The contradictions between a party's facts and the kept rooms, each a sentence. A damaged party
    /// is not compared.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn contradictions_of_party(&self, party: &StoredParty) -> Result<Vec<String>, DiskError> {
        party::verify::contradictions(&self.connection, &self.recent, party)
    }

    /// The contradictions between a room's facts and the kept games, each a sentence. A damaged
    /// room is not compared.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn contradictions_of_room(&self, room: i64) -> Result<Vec<String>, DiskError> {
        verify::contradictions_of_room(&self.connection, &self.recent, room)
    }

    /// Calls `tell` with each contradiction in the archive itself, a sentence, and returns the number
    /// of kept games.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn check_archive(&self, tell: impl FnMut(&str)) -> Result<u64, DiskError> {
        verify::check(&self.connection, tell)
    }

    /// All ratings, computed again from the rated games.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn ratings(&self) -> Result<Recomputation, DiskError> {
        ratings::recompute(&self.connection)
    }

    /// The numbers of the damaged rows of the table `batch`: the facts in them are lost.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn damaged_batches(&self) -> Result<Vec<i64>, DiskError> {
        Ok(self.recent.damaged(&self.connection)?)
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
        while let Some(command) = commands.recv().await {
            // The caller may have stopped waiting.
            match command {
                ReaderCommand::Load(room, reply) => drop(reply.send(self.room(room))),
                ReaderCommand::LoadParty(party, reply) => drop(reply.send(self.party(party))),
                ReaderCommand::Standing(question, reply) => {
                    let standing = standing::answer(&self.connection, question);
                    drop(reply.send(standing.map_err(DiskError::from)));
                }
                ReaderCommand::Close => break,
            }
        }
        // The connection is closed before the queue: the writer, which closes after that, is then
        // the last one, and `SQLite` removes the log.
        drop(self);
    }
}
