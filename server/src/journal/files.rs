//! The journal's folder and its files. They are readable for their owner only and locked by one
//! server. While the server runs, it checks that they still have their names, because what is written
//! into a deleted file is lost.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{DiskError, OpenError};
use super::schema;

/// The journal's database.
pub(super) const FILE: &str = "journal.db";
/// The write-ahead log of the database.
pub(super) const LOG: &str = "journal.db-wal";
/// The file of `SQLite`'s shared memory.
const SHARED_MEMORY: &str = "journal.db-shm";
/// A file that the server locks while it uses the folder.
pub(super) const LOCK: &str = "lock";
/// The database of a new journal until it is complete.
const NEW: &str = "journal.db-new";

/// The locked files of a running server.
#[derive(Debug)]
pub(super) struct JournalFiles {
    folder: PathBuf,
    lock: (File, FileId),
    /// The database, locked too, so that a second server cannot start after `lock` is deleted. It is
    /// closed after every connection to it, because closing it ends their locks.
    database: Arc<File>,
    /// The identities of the files when the journal was opened.
    opened: Vec<(&'static str, FileId)>,
}

impl JournalFiles {
    /// Makes the folder and the database if they are missing, and locks them for this server.
    ///
    /// # Errors
    /// If they cannot be used, if another server uses them, or if there is a log without its
    /// database.
    pub(super) fn lock(folder: &Path) -> Result<Self, OpenError> {
        let failed = |error| OpenError::of_folder(folder, error);
        private_folder(folder).map_err(failed)?;
        let lock = private_file(&folder.join(LOCK)).map_err(failed)?;
        if !self::lock(&lock).map_err(failed)? {
            return Err(OpenError::InUse(folder.to_owned()));
        }
        refuse_orphaned_log(folder)?;
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
    pub(super) fn remember(&mut self) -> Result<(), OpenError> {
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
    pub(super) fn database(&self) -> Arc<File> {
        Arc::clone(&self.database)
    }

    /// The size of the write-ahead log in bytes.
    pub(super) fn log_bytes(&self) -> u64 {
        fs::metadata(self.folder.join(LOG)).map_or(0, |log| log.len())
    }

    /// Checks that the files are still those that were opened. Makes a missing `lock` again, unless
    /// another server has made one.
    ///
    /// # Errors
    /// If a file is missing or replaced, or if another server uses the folder: what is written then
    /// is lost when this server ends.
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
        if !self::lock(&lock).map_err(failed)? {
            return Err(DiskError::Taken(self.folder.clone()));
        }
        let identity = identity(&lock.metadata().map_err(failed)?);
        self.lock = (lock, identity);
        tracing::warn!("{} was deleted or replaced: it was made again", path.display());
        Ok(())
    }
}

/// Makes the database of a new journal under another name first. A database is never empty then, unless
/// it has lost what it held.
fn make_database(folder: &Path) -> Result<(), OpenError> {
    let failed = |error| OpenError::of_folder(folder, error);
    let path = folder.join(NEW);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        // That of a start which was cut off.
        _ => {}
    }
    let file = private_file(&path).map_err(failed)?;
    schema::make(&path)?;
    let renamed = file.sync_all().and_then(|()| fs::rename(&path, folder.join(FILE)));
    renamed.and_then(|()| sync_folder(folder)).map_err(failed)
}

/// Has the disk know the names in a folder. Other systems than Unix do it by themselves.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Opens each file that is there for writing: `SQLite` says less of one that it cannot open. Nobody in
/// this process may have the database open, because closing a file ends its locks.
pub(super) fn try_to_open(folder: &Path) -> io::Result<()> {
    for name in [LOCK, FILE, LOG, SHARED_MEMORY] {
        match OpenOptions::new().read(true).write(true).open(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Whether the log was deleted after a server had been killed: when one ends, `SQLite` removes both files.
pub(super) fn has_lost_log(folder: &Path) -> bool {
    folder.join(SHARED_MEMORY).exists() && !folder.join(LOG).exists()
}

/// A file of the folder, or the folder, that belongs to another user than this process.
#[cfg(unix)]
pub(super) fn of_another_user(folder: &Path) -> Option<OpenError> {
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
pub(super) const fn of_another_user(_: &Path) -> Option<OpenError> {
    None
}

/// Whether a server uses the folder.
pub(super) fn is_locked(folder: &Path) -> io::Result<bool> {
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

/// Refuses a folder with a log whose database is missing or empty. A new database there would have
/// another secret and none of the rooms.
pub(super) fn refuse_orphaned_log(folder: &Path) -> Result<(), OpenError> {
    let length = |name| fs::metadata(folder.join(name)).map_or(0, |file| file.len());
    if length(FILE) == 0 && length(LOG) > 0 {
        return Err(OpenError::OrphanedLog(folder.to_owned()));
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

/// Device and inode: they tell a file from another file with the same name.
#[cfg(unix)]
type FileId = (u64, u64);

#[cfg(unix)]
fn identity(file: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

/// On systems without inodes the server notices only that a file is missing.
#[cfg(not(unix))]
type FileId = ();

#[cfg(not(unix))]
const fn identity(_: &Metadata) -> FileId {}

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
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::journal::probe::probe;
    use crate::journal::reader::Reader;
    use crate::journal::store::{Durability, Store};

    fn open(folder: &Path) -> Result<(), OpenError> {
        Store::open(folder, Durability::Process, 0).map(drop)
    }

    /// A new journal there would have another secret: everybody would be a stranger.
    #[test]
    fn a_database_without_a_journal_is_refused_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let file = folder.join(FILE);
        let check = || {
            let before = fs::read(&file).unwrap();
            let refused = [open(folder), Reader::open(folder).map(drop), probe(folder).map(drop)];
            for refused in refused {
                assert!(matches!(refused, Err(OpenError::Empty(_))), "{refused:?}");
            }
            assert_eq!(fs::read(&file).unwrap(), before);
        };
        fs::write(&file, "").unwrap();
        check();
        // What a journal had in its file at first, when its log was deleted.
        let database = Connection::open(&file).unwrap();
        database.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
        drop(database);
        assert_eq!(fs::metadata(&file).unwrap().len(), 4096);
        check();
        fs::remove_file(&file).unwrap();
        open(folder).unwrap();
    }

    #[test]
    fn a_first_start_that_was_cut_off_is_made_again_and_has_all_in_its_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(NEW), "half a database").unwrap();
        drop(JournalFiles::lock(folder.path()).unwrap());
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [FILE, LOCK]);
        Reader::open(folder.path()).unwrap();
    }

    /// The threads of Linux have users of their own.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_of_another_user_is_named_with_what_to_do() {
        use std::os::unix::fs::chown;

        use rustix::process::{Uid, geteuid};

        if !geteuid().is_root() {
            return;
        }
        for name in [FILE, LOCK, LOG, SHARED_MEMORY, ""] {
            let outer = tempfile::tempdir().unwrap();
            chown(outer.path(), Some(1234), None).unwrap();
            let folder = outer.path().join("data");
            open(&folder).unwrap();
            let of_root = folder.join(name);
            if !of_root.exists() {
                fs::write(&of_root, "").unwrap();
            }
            for file in fs::read_dir(&folder).unwrap() {
                chown(file.unwrap().path(), Some(1234), None).unwrap();
            }
            chown(&folder, Some(1234), None).unwrap();
            chown(&of_root, Some(0), None).unwrap();
            let refused = std::thread::scope(|scope| {
                let as_another = scope.spawn(|| {
                    rustix::thread::set_thread_uid(Uid::from_raw(1234)).unwrap();
                    [open(&folder).unwrap_err(), probe(&folder).unwrap_err()]
                });
                as_another.join().unwrap()
            });
            for refused in refused {
                let (file, folder) = (of_root.display(), folder.display());
                let expected =
                    format!("{file} belongs to root, and this is user 1234: give all of ");
                let said = refused.to_string();
                assert!(said.starts_with(&expected), "{said}");
                assert!(said.contains(&format!("(chown -R 1234 {folder})")), "{said}");
            }
        }
    }
}
