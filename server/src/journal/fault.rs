//! What can go wrong with a journal, in words that say what to do.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

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

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
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
