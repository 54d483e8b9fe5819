//! The errors of the journal. Their texts say what the host can do.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

/// Why a journal could not be opened.
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
         (chown -R {number} {folder}), or choose another one with --data-dir",
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
        "another program has locked journal.db: find it (`fuser journal.db` in the data folder \
         names it) and end it, then start again"
    )]
    Locked,
    /// The write-ahead log is there, and the file that it belongs to is missing or empty.
    #[error(
        "journal.db in {path} is missing or empty, and its log journal.db-wal is not: put \
         journal.db back where it was; to start with an empty journal, move journal.db-wal away",
        path = .0.display()
    )]
    OrphanedLog(PathBuf),
    /// The file is there, and there is no journal in it.
    #[error(
        "journal.db in {path} is empty: what it held is lost, or was in a journal.db-wal that is gone. \
         Restore a backup; to start with an empty journal, in which everybody is new, move \
         journal.db away",
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
    /// What is stored cannot be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// There is no journal in the folder.
    #[error("there is no journal in {path}: say where it is with --data-dir", path = .0.display())]
    Missing(PathBuf),
    /// A newer version wrote the journal.
    #[error(
        "the journal was written by a newer noughts-server (its schema is {found}, this version \
         knows {known}): update this one, or choose another folder with --data-dir"
    )]
    Newer {
        /// The schema version of the file.
        found: i64,
        /// The newest schema version that this program knows.
        known: usize,
    },
    /// An older version wrote the journal, and it is opened for reading only.
    #[error("the journal is of an older version: start this noughts-server on it once, then again")]
    Older,
    /// The file is damaged, or it is no journal.
    #[error(
        "the journal is damaged or no journal ({0}): restore a backup, or move the file away to \
         start with an empty journal; `noughts-server verify` says more"
    )]
    Damaged(#[source] rusqlite::Error),
    /// Any other error of `SQLite`.
    #[error(
        "the journal cannot be opened ({0}): choose another folder with --data-dir, or keep \
         nothing with --ephemeral"
    )]
    Sqlite(#[source] rusqlite::Error),
}

impl OpenError {
    /// An I/O error with the folder or a file in it.
    pub(super) fn of_folder(folder: &Path, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull => Self::Full,
            io::ErrorKind::PermissionDenied => super::files::of_another_user(folder)
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
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(error),
            _ => Self::Sqlite(error),
        }
    }
}

/// Why the journal could not be written or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiskError {
    /// The disk has no space left.
    #[error("the disk is full: free some space in the data folder")]
    Full,
    /// The file is read-only.
    #[error("the data folder cannot be written any more: make it writable")]
    ReadOnly,
    /// The stored data is invalid.
    #[error("the journal is damaged ({0}): stop the server, see `noughts-server verify`")]
    Damaged(String),
    /// A file of the journal is missing, or another file has its name.
    #[error(
        "{path} was deleted, moved or replaced: put it back where it was, or stop the server, \
         restore a backup and start again",
        path = .0.display()
    )]
    Moved(PathBuf),
    /// Another server has begun to use the folder.
    #[error("another noughts-server uses {path}, for `lock` was deleted: stop it", path = .0.display())]
    Taken(PathBuf),
    /// A reader keeps the log from being emptied.
    #[error(
        "another program has been reading journal.db for a long time: find it (`fuser journal.db` \
         names it) and end it"
    )]
    LogHeld,
    /// Any other error of the disk.
    #[error("the disk fails ({0}): look at the system's log")]
    Failing(String),
    /// Nobody knows whether it is stored: the system failed after all of it was written.
    #[error(
        "the disk fails ({0}), and nobody can say yet whether the last moves are stored: look at \
         the system's log"
    )]
    Unknown(String),
    /// One of the writes can never be stored.
    #[error("the journal refuses an entry ({0}): this is a bug of the server, please report it")]
    Refused(String),
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
            Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => Self::Refused(text),
            Some(_) => Self::Failing(text),
        }
    }
}

/// Why a write was not done in its transaction.
#[derive(Debug)]
pub(super) enum ApplyError {
    /// A statement failed.
    Sqlite(rusqlite::Error),
    /// The write contradicts what is stored.
    Refused(String),
}

impl From<rusqlite::Error> for ApplyError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<ApplyError> for DiskError {
    fn from(error: ApplyError) -> Self {
        match error {
            ApplyError::Sqlite(error) => error.into(),
            ApplyError::Refused(why) => Self::Refused(why),
        }
    }
}
