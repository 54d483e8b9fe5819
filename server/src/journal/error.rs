//! What can go wrong with a journal, in words that say what to do.

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
    /// There is no space left in it.
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
    /// The log is there without the file that it belongs to.
    #[error(
        "journal.db in {path} is missing or empty, and its log journal.db-wal is not: put \
         journal.db back where it was; to begin anew, move journal.db-wal away",
        path = .0.display()
    )]
    LoneLog(PathBuf),
    /// Another server has it.
    #[error(
        "another noughts-server keeps its rooms in {path}: stop it, or choose another folder with \
         --data-dir",
        path = .0.display()
    )]
    InUse(PathBuf),
    /// There is no file yet.
    #[error("there is no journal in {path}: say where it is with --data-dir", path = .0.display())]
    Missing(PathBuf),
    /// It was written by a newer version.
    #[error(
        "the journal was written by a newer noughts-server (its schema is {found}, this version \
         knows {known}): update this one, or choose another folder with --data-dir"
    )]
    Newer {
        /// The file's schema version.
        found: i64,
        /// The newest that is known.
        known: usize,
    },
    /// It was written by an older version, and only reading was asked for.
    #[error("the journal is of an older version: start this noughts-server on it once, then again")]
    Older,
    /// It is damaged, or no journal.
    #[error(
        "the journal is damaged or no journal ({0}): restore a backup, or move the file away to \
         begin anew; `noughts-server verify` says more"
    )]
    Damaged(#[source] rusqlite::Error),
    /// Anything else.
    #[error(
        "the journal cannot be opened ({0}): choose another folder with --data-dir, or keep \
         nothing with --ephemeral"
    )]
    Cannot(#[source] rusqlite::Error),
}

impl OpenError {
    /// What an error of the system with the folder says.
    pub(super) fn of_folder(folder: &Path, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull => Self::Full,
            _ => Self::Folder(folder.to_owned(), error),
        }
    }
}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        // The shared memory has a fixed size, which the disk has no space for.
        let extended = error.sqlite_error().map(|error| error.extended_code);
        if extended == Some(ffi::SQLITE_IOERR_SHMSIZE) {
            return Self::Full;
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(error),
            _ => Self::Cannot(error),
        }
    }
}

/// Why something could not be written or read. It says what the host can do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiskError {
    /// There is no space left.
    #[error("the disk is full: free some space in the data folder")]
    Full,
    /// It may not be written.
    #[error("the data folder cannot be written any more: make it writable")]
    ReadOnly,
    /// What is there makes no sense.
    #[error("the journal is damaged ({0}): stop the server, see `noughts-server verify`")]
    Damaged(String),
    /// A file is gone, or another is in its place.
    #[error(
        "{path} was deleted, moved or replaced: put it back where it was, or stop the server, \
         restore a backup and start again",
        path = .0.display()
    )]
    Moved(PathBuf),
    /// Another server has begun to use the folder.
    #[error("another noughts-server uses {path}, for `lock` was deleted: stop it", path = .0.display())]
    Taken(PathBuf),
    /// Somebody reads for so long that the log cannot be emptied.
    #[error(
        "another program has been reading journal.db for long: find it (`fuser journal.db` names \
         it) and end it"
    )]
    LogHeld,
    /// The system said no.
    #[error("the disk fails ({0}): look at the system's log")]
    Failing(String),
    /// It may be stored or not: the system failed when all of it was written.
    #[error(
        "the disk fails ({0}), and nobody can say yet whether the last moves are stored: look at \
         the system's log"
    )]
    Unknown(String),
    /// One of the writes can never be stored.
    #[error("the journal refuses a row ({0}): this is a mistake of the server, please report it")]
    Refused(String),
}

impl From<rusqlite::Error> for DiskError {
    fn from(error: rusqlite::Error) -> Self {
        let words = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            // Without a code it is a value of another type than was written.
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) | None => {
                Self::Damaged(words)
            }
            Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => Self::Refused(words),
            Some(_) => Self::Failing(words),
        }
    }
}
