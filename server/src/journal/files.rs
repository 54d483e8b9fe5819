//! The journal's folder and the files in it: made for their owner alone, locked by one server, and
//! looked at while it runs, for nothing may be written to a file that has lost its name.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::journal::error::{DiskError, OpenError};

/// The journal in its folder.
pub(super) const FILE: &str = "journal.db";
/// The write-ahead log that `SQLite` keeps beside it.
pub(super) const LOG: &str = "journal.db-wal";
/// What `SQLite` keeps in memory that its users share.
const SHARED_MEMORY: &str = "journal.db-shm";
/// Locked by the server that uses the folder.
pub(super) const LOCK: &str = "lock";

/// The folder of a server that runs.
#[derive(Debug)]
pub(super) struct JournalFiles {
    folder: PathBuf,
    lock: (File, Identity),
    /// The database, locked too: whoever deletes `lock` does not let a second server in. Closed
    /// after every connection to it, because closing it ends their locks.
    _database: File,
    /// Which files the names stood for when the journal was opened.
    opened: Vec<(&'static str, Identity)>,
}

impl JournalFiles {
    /// Makes the folder and an empty file where there are none, and locks them for this server.
    ///
    /// # Errors
    /// Where they cannot be used, another server has them, or a log lies there without the file
    /// that it belongs to.
    pub(super) fn lock(folder: &Path) -> Result<Self, OpenError> {
        let failed = |error| OpenError::of_folder(folder, error);
        private_folder(folder).map_err(failed)?;
        let lock = private_file(&folder.join(LOCK)).map_err(failed)?;
        if !take(&lock).map_err(failed)? {
            return Err(OpenError::InUse(folder.to_owned()));
        }
        refuse_lone_log(folder)?;
        let database = private_file(&folder.join(FILE)).map_err(failed)?;
        if !take_database(&database) {
            return Err(OpenError::InUse(folder.to_owned()));
        }
        let identity = identity(&lock.metadata().map_err(failed)?);
        let lock = (lock, identity);
        Ok(Self { folder: folder.to_owned(), lock, _database: database, opened: Vec::new() })
    }

    /// Remembers which files `SQLite` has opened.
    ///
    /// # Errors
    /// Where they cannot be looked at.
    pub(super) fn remember(&mut self) -> Result<(), OpenError> {
        for name in [FILE, LOG, SHARED_MEMORY] {
            match fs::metadata(self.folder.join(name)) {
                Ok(found) => self.opened.push((name, identity(&found))),
                // Not every system keeps the shared memory in a file.
                Err(error) if error.kind() == io::ErrorKind::NotFound && name != FILE => {}
                Err(error) => return Err(OpenError::of_folder(&self.folder, error)),
            }
        }
        Ok(())
    }

    /// The size of the write-ahead log in bytes.
    pub(super) fn log_bytes(&self) -> u64 {
        fs::metadata(self.folder.join(LOG)).map_or(0, |log| log.len())
    }

    /// Whether the files are still those that were opened. A `lock` that is gone is made again,
    /// unless another server has made one.
    ///
    /// # Errors
    /// Where one is gone, another file is in its place, or another server has the folder: what is
    /// written then is lost with the end of the server.
    pub(super) fn check(&mut self) -> Result<(), DiskError> {
        for (name, opened) in &self.opened {
            let path = self.folder.join(name);
            match fs::metadata(&path) {
                Ok(found) if identity(&found) == *opened => {}
                Ok(_) => return Err(DiskError::Moved(path)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(DiskError::Moved(path));
                }
                Err(error) => return Err(DiskError::Failing(error.to_string())),
            }
        }
        let path = self.folder.join(LOCK);
        if fs::metadata(&path).is_ok_and(|found| identity(&found) == self.lock.1) {
            return Ok(());
        }
        self.lock_again(&path)
    }

    fn lock_again(&mut self, path: &Path) -> Result<(), DiskError> {
        let failed = |error: io::Error| DiskError::Failing(error.to_string());
        let lock = private_file(path).map_err(failed)?;
        if !take(&lock).map_err(failed)? {
            return Err(DiskError::Taken(self.folder.clone()));
        }
        let identity = identity(&lock.metadata().map_err(failed)?);
        self.lock = (lock, identity);
        tracing::warn!("{} was deleted or replaced: it was made again", path.display());
        Ok(())
    }
}

/// Whether a server has the folder.
pub(super) fn is_locked(folder: &Path) -> io::Result<bool> {
    let is_taken = |name, take: fn(&File) -> io::Result<bool>| match OpenOptions::new()
        .read(true)
        .write(true)
        .open(folder.join(name))
    {
        Ok(file) => take(&file).map(|taken| !taken),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    };
    Ok(is_taken(LOCK, take)? || is_taken(FILE, |file| Ok(take_database(file)))?)
}

/// Refuses a folder in which the log has something and the file that it belongs to is missing or
/// empty: begun anew there, a journal would have another secret and none of the rooms.
pub(super) fn refuse_lone_log(folder: &Path) -> Result<(), OpenError> {
    let length = |name| fs::metadata(folder.join(name)).map_or(0, |file| file.len());
    if length(FILE) == 0 && length(LOG) > 0 {
        return Err(OpenError::LoneLog(folder.to_owned()));
    }
    Ok(())
}

/// Locks a file for as long as it is open; `false` where another program has it.
fn take(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The same for the database. Linux has two kinds of locks that do not see each other: this one is
/// `flock(2)`'s, `SQLite` uses `fcntl(2)`'s. A file system that has no such locks is left alone.
#[cfg(target_os = "linux")]
fn take_database(file: &File) -> bool {
    take(file).unwrap_or(true)
}

/// Elsewhere the two may be one, and `SQLite` would find its own file locked. There a second server
/// is noticed by the `lock` that it makes.
#[cfg(not(target_os = "linux"))]
const fn take_database(_: &File) -> bool {
    true
}

/// What tells a file from another that has taken its name: device and inode.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(file: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

/// Where files have no such number, only their absence is noticed.
#[cfg(not(unix))]
type Identity = ();

#[cfg(not(unix))]
const fn identity(_: &Metadata) -> Identity {}

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
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
