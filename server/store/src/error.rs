//! Why something could not be opened, stored or read. The texts say what the host can do.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

/// Why the data folder could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder cannot be used.
    #[error(
        "the folder {path} cannot be used ({error}): make it writable, choose another with \
         --data-dir, or keep nothing with --ephemeral",
        path = .0.display(), error = .1
    )]
    Folder(PathBuf, #[source] io::Error),
    /// A file in the folder, or the folder, belongs to another user.
    #[error(
        "{path} belongs to {owner}, and this is {user}: give all of the folder to this user \
         (chown -RH {number} {folder}), or choose another one with --data-dir",
        path = .path.display(), owner = named(*.owner), user = named(*.user), number = .user,
        folder = .folder.display()
    )]
    OfAnotherUser {
        /// The file, or the folder itself.
        path: PathBuf,
        /// The number of the user who owns it.
        owner: u32,
        /// The number of this process's user.
        user: u32,
        /// The folder.
        folder: PathBuf,
    },
    /// The disk has no space left.
    #[error(
        "the disk is full: free some space for the data folder and start again, or choose another \
         folder with --data-dir"
    )]
    Full,
    /// Another program has locked the file.
    #[error(
        "another program has locked noughts.db: find it (`fuser noughts.db` in the data folder \
         names it) and end it, then start again"
    )]
    Locked,
    /// The write-ahead log is there, and the file that it belongs to is missing or empty.
    #[error(
        "noughts.db in {path} is missing or empty, and its log noughts.db-wal is there: put \
         noughts.db back where it was; to start with an empty folder, move noughts.db-wal away",
        path = .0.display()
    )]
    OrphanedLog(PathBuf),
    /// The file is there, and nothing is in it.
    #[error(
        "noughts.db in {path} is empty: what it held is lost, or was in a noughts.db-wal that is gone. \
         Restore a backup; to start with an empty folder, in which everybody is new, move \
         noughts.db away",
        path = .0.display()
    )]
    Empty(PathBuf),
    /// Another server uses the folder.
    #[error(
        "another noughts-server keeps its rooms in {path}: stop it, or choose another folder with \
         --data-dir",
        path = .0.display()
    )]
    InUse(PathBuf),
    /// The stored data cannot be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// Nothing is stored in the folder.
    #[error("there is no noughts.db in {path}: say where it is with --data-dir", path = .0.display())]
    Missing(PathBuf),
    /// The folder has the journal of a version before this package.
    #[error(
        "the data folder {path} is of an older version (journal.db), which this noughts-server does not \
         read: choose an empty folder with --data-dir",
        path = .0.display()
    )]
    Older(PathBuf),
    /// The file has another format.
    #[error(
        "noughts.db has the format {found}, and this noughts-server knows the format {known}: use the \
         version that wrote it, or choose an empty folder with --data-dir"
    )]
    OtherFormat {
        /// The number of the file's format.
        found: i64,
        /// The number that this program knows.
        known: i64,
    },
    /// The file is damaged, or it is none of a noughts-server.
    #[error(
        "noughts.db is damaged or no file of a noughts-server ({0}): restore a backup, or move the file \
         away to start with an empty one"
    )]
    Damaged(String),
    /// Any other error of the database.
    #[error(
        "noughts.db cannot be opened ({0}): choose another folder with --data-dir, or keep nothing \
         with --ephemeral"
    )]
    Database(String),
}

impl OpenError {
    /// An I/O error with the folder or a file in it.
    pub(crate) fn of_folder(folder: &Path, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull => Self::Full,
            io::ErrorKind::PermissionDenied => crate::folder::of_another_user(folder)
                .unwrap_or_else(|| Self::Folder(folder.to_owned(), error)),
            _ => Self::Folder(folder.to_owned(), error),
        }
    }
}

/// A user for people.
fn named(user: u32) -> String {
    if user == 0 { "root".to_owned() } else { format!("user {user}") }
}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        // `SQLite` has no own code for a disk without space for its shared memory.
        let extended = error.sqlite_error().map(|error| error.extended_code);
        if extended == Some(ffi::SQLITE_IOERR_SHMSIZE) {
            return Self::Full;
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged(error.to_string())
            }
            _ => Self::Database(error.to_string()),
        }
    }
}

/// Why the disk could not be written or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiskError {
    /// The disk has no space left.
    #[error("the disk is full: free some space in the data folder")]
    Full,
    /// The file is read-only.
    #[error("the data folder cannot be written any more: make it writable")]
    ReadOnly,
    /// The stored data is invalid.
    #[error("noughts.db is damaged ({0}): stop the server, see `noughts-server verify`")]
    Damaged(String),
    /// A reader keeps the log from being emptied.
    #[error(
        "another program has been reading noughts.db for a long time: find it (`fuser noughts.db` \
         names it) and end it"
    )]
    LogHeld,
    /// Any other error of the disk.
    #[error("the disk fails ({0}): look at the system's log")]
    Failing(String),
    /// The save can never be stored.
    #[error(
        "a save contradicts what is stored ({0}): this is a bug of the server, please report it"
    )]
    Contradiction(String),
}

/// Why a row could not be read: [`DiskError::Damaged`] if its checksum or a column is wrong.
pub type ReadError = DiskError;

/// Why a save was not stored. Nothing of it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SaveError {
    /// The disk failed before the commit.
    #[error(transparent)]
    Refused(#[from] DiskError),
    /// Another version is stored: another one goes on with the room or the party.
    #[error("another version is stored")]
    Stale,
}

impl DiskError {
    /// The server ends, and stores nothing more.
    pub(crate) fn closed() -> Self {
        Self::Failing("the server ends".to_owned())
    }
}

impl From<rusqlite::Error> for DiskError {
    fn from(error: rusqlite::Error) -> Self {
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            // An error without a code: the column has another type than the server writes.
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) | None => {
                Self::Damaged(text)
            }
            Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => {
                Self::Contradiction(text)
            }
            Some(_) => Self::Failing(text),
        }
    }
}
