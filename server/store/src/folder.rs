//! The data folder and its files. They are readable for their owner only and locked by one server. While
//! the server runs, it checks now and then that they still have their names, because what is written into
//! a deleted file is lost.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::OpenError;
use crate::schema;

/// The database.
pub(crate) const FILE: &str = "noughts.db";
/// The write-ahead log of the database.
pub(crate) const LOG: &str = "noughts.db-wal";
/// The file of `SQLite`'s shared memory.
const SHARED_MEMORY: &str = "noughts.db-shm";
/// A file that the server locks while it uses the folder.
pub(crate) const LOCK: &str = "lock";
/// The database of the versions before this package.
const JOURNAL: &str = "journal.db";
/// A new database until it is complete.
const NEW: &str = "noughts.db-new";

/// The bytes of the database of a folder and of its log.
#[must_use]
pub fn bytes(folder: &Path) -> u64 {
    size(folder, FILE) + size(folder, LOG)
}

fn size(folder: &Path, name: &str) -> u64 {
    fs::metadata(folder.join(name)).map_or(0, |file| file.len())
}

/// The locked files of a running server.
#[derive(Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    lock: (File, FileId),
    /// The database, locked too, so that a second server cannot start after `lock` is deleted. It is
    /// closed after every connection to it, because closing it ends their locks.
    database: Arc<File>,
    /// The identities of the files when they were opened.
    opened: Vec<(&'static str, FileId)>,
}

impl Files {
    /// Makes the folder and the database if they are missing, and locks them for this server.
    ///
    /// # Errors
    /// If they cannot be used, if another server uses them, or if there is a log without its
    /// database.
    pub(crate) fn lock(folder: &Path) -> Result<Self, OpenError> {
        let failed = |error| OpenError::of_folder(folder, error);
        private_folder(folder).map_err(failed)?;
        let lock = private_file(&folder.join(LOCK)).map_err(failed)?;
        if !self::lock(&lock).map_err(failed)? {
            return Err(OpenError::InUse(folder.to_owned()));
        }
        refuse_remains(folder)?;
        try_to_open(folder).map_err(failed)?;
        if !folder.join(FILE).exists() {
            make_database(folder)?;
        }
        let database = private_file(&folder.join(FILE)).map_err(failed)?;
        if !lock_database(&database) {
            return Err(OpenError::InUse(folder.to_owned()));
        }
        let identity = identity(&lock.metadata().map_err(failed)?);
        let lock = (lock, identity);
        Ok(Self {
            folder: folder.to_owned(),
            lock,
            database: Arc::new(database),
            opened: Vec::new(),
        })
    }

    /// Stores the identities of the files that `SQLite` has opened.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(crate) fn remember(&mut self) -> Result<(), OpenError> {
        for name in [FILE, LOG, SHARED_MEMORY] {
            match fs::metadata(self.folder.join(name)) {
                Ok(found) => self.opened.push((name, identity(&found))),
                // Some systems keep the shared memory outside of files.
                Err(error) if error.kind() == io::ErrorKind::NotFound && name != FILE => {}
                Err(error) => return Err(OpenError::of_folder(&self.folder, error)),
            }
        }
        Ok(())
    }

    /// The database, to sync it.
    pub(crate) fn database(&self) -> Arc<File> {
        Arc::clone(&self.database)
    }

    /// The size of the write-ahead log in bytes.
    pub(crate) fn log_bytes(&self) -> u64 {
        size(&self.folder, LOG)
    }

    /// Checks that the files are still those that were opened. Makes a missing `lock` again, unless
    /// another server has made one.
    ///
    /// # Errors
    /// If a file is missing or replaced, or if another server uses the folder: what is written then
    /// is lost when this server ends. The text says what the host can do.
    pub(crate) fn check(&mut self) -> Result<(), String> {
        for (name, opened) in &self.opened {
            let path = self.folder.join(name);
            match fs::metadata(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    // The disk fails, and the next commit says so.
                    tracing::debug!(%error, "the file {} cannot be looked at", path.display());
                }
                Ok(found) if identity(&found) == *opened => {}
                _ => {
                    return Err(format!(
                        "{} was deleted, moved or replaced: put it back where it was, or restore a \
                         backup, and start again",
                        path.display()
                    ));
                }
            }
        }
        let path = self.folder.join(LOCK);
        if fs::metadata(&path).is_ok_and(|found| identity(&found) == self.lock.1) {
            return Ok(());
        }
        self.lock_again(&path)
    }

    fn lock_again(&mut self, path: &Path) -> Result<(), String> {
        let made = private_file(path).and_then(|file| {
            let locked = self::lock(&file)?;
            let identity = identity(&file.metadata()?);
            Ok((file, identity, locked))
        });
        match made {
            Ok((file, identity, true)) => {
                self.lock = (file, identity);
                tracing::warn!("{} was deleted or replaced: it was made again", path.display());
                Ok(())
            }
            Ok((_, _, false)) => Err(format!(
                "another noughts-server uses {}, for `lock` was deleted: stop it",
                self.folder.display()
            )),
            Err(error) => {
                tracing::debug!(%error, "{} cannot be made again", path.display());
                Ok(())
            }
        }
    }
}

/// Makes a new database under another name first. A database is never empty then, unless it has lost
/// what it held.
fn make_database(folder: &Path) -> Result<(), OpenError> {
    let failed = |error| OpenError::of_folder(folder, error);
    let path = folder.join(NEW);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        // The file of a start that was cut off.
        _ => {}
    }
    let file = private_file(&path).map_err(failed)?;
    schema::make(&path)?;
    let renamed = file.sync_all().and_then(|()| fs::rename(&path, folder.join(FILE)));
    renamed.and_then(|()| sync_folder(folder)).map_err(failed)
}

/// Has the disk know the names in a folder. Other systems than Unix do it by themselves.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Opens each file that is there for writing: `SQLite` says less of one that it cannot open. Nobody in
/// this process may have the database open, because closing a file ends its locks.
pub(crate) fn try_to_open(folder: &Path) -> io::Result<()> {
    for name in [LOCK, FILE, LOG, SHARED_MEMORY] {
        match OpenOptions::new().read(true).write(true).open(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Whether the log was deleted after a server had been killed: when one ends, `SQLite` removes both files.
pub(crate) fn has_lost_log(folder: &Path) -> bool {
    folder.join(SHARED_MEMORY).exists() && !folder.join(LOG).exists()
}

/// A file of the folder, or the folder, that belongs to another user than this process.
#[cfg(unix)]
pub(crate) fn of_another_user(folder: &Path) -> Option<OpenError> {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    let names = [LOCK, FILE, LOG, SHARED_MEMORY, ""];
    let owner = |path: PathBuf| Some((fs::metadata(&path).ok()?.uid(), path));
    let mut owned = names.into_iter().filter_map(|name| owner(folder.join(name)));
    let (owner, path) = owned.find(|(owner, _)| *owner != user)?;
    Some(OpenError::OfAnotherUser { path, owner, user, folder: folder.to_owned() })
}

/// On other systems a file belongs to nobody in particular.
#[cfg(not(unix))]
pub(crate) const fn of_another_user(_: &Path) -> Option<OpenError> {
    None
}

/// Whether a server uses the folder.
pub(crate) fn is_locked(folder: &Path) -> io::Result<bool> {
    let is_taken = |name, lock: fn(&File) -> io::Result<bool>| match OpenOptions::new()
        .read(true)
        .write(true)
        .open(folder.join(name))
    {
        Ok(file) => lock(&file).map(|locked| !locked),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    };
    Ok(is_taken(LOCK, lock)? || is_taken(FILE, |file| Ok(lock_database(file)))?)
}

/// Refuses a folder with a log whose database is missing or empty, because a new database there would have
/// another secret and none of the rooms; and one with the journal of an older version alone.
pub(crate) fn refuse_remains(folder: &Path) -> Result<(), OpenError> {
    if size(folder, FILE) == 0 && folder.join(LOG).exists() {
        return Err(OpenError::OrphanedLog(folder.to_owned()));
    }
    if folder.join(JOURNAL).exists() && !folder.join(FILE).exists() {
        return Err(OpenError::Older(folder.to_owned()));
    }
    Ok(())
}

/// Locks a file for as long as it is open; `false` if another program has locked it.
fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Locks the database. Linux has two kinds of locks that do not see each other: this one is of
/// `flock(2)`, `SQLite` uses `fcntl(2)`. A file system without `flock` counts as locked.
#[cfg(target_os = "linux")]
fn lock_database(file: &File) -> bool {
    lock(file).unwrap_or(true)
}

/// On other systems the two kinds may be the same, and `SQLite` would find its file locked. There
/// only `lock` keeps a second server out.
#[cfg(not(target_os = "linux"))]
const fn lock_database(_: &File) -> bool {
    true
}

/// The device and the number of a file there.
type FileId = (u64, u64);

/// Device and inode: they tell a file from another file with the same name.
#[cfg(unix)]
fn identity(file: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

/// On systems without inodes the server notices only that a file is missing.
#[cfg(not(unix))]
const fn identity(_: &Metadata) -> FileId {
    (0, 0)
}

/// Makes the folder if it is missing, for its owner only.
fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Opens or makes a file that only its owner may read, because it holds the secret. `SQLite` gives
/// its other files the same permissions.
pub(crate) fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
