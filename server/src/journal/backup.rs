//! A copy of the journal, taken while a server may run on it.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::error::OpenError;
use super::files::sync_folder;
use super::reader::connect_to_any;

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] OpenError),
    /// There is a file with that name.
    #[error("{path} exists already: choose another file", path = .0.display())]
    Exists(PathBuf),
    /// The file cannot be made.
    #[error("failed to write {path} ({error})", path = .0.display(), error = .1)]
    Unwritable(PathBuf, #[source] io::Error),
    /// The copy failed: the disk is full, or the journal is damaged.
    #[error("failed to copy the journal to {path} ({error}): nothing is kept there", path = .0.display(), error = .1)]
    Failed(PathBuf, #[source] rusqlite::Error),
}

/// Copies the journal in a folder, as it is at one moment, to a new file that only this user can read: the
/// secret is in it. `VACUUM INTO` reads in one transaction, however much a server writes meanwhile, and
/// copies nothing that was deleted, such as the names of people who were forgotten.
///
/// # Errors
/// If the journal cannot be read, or if the file cannot be made. Then there is no such file.
pub fn back_up(folder: &Path, file: &Path) -> Result<(), BackupError> {
    let journal = connect_to_any(folder)?;
    let failed = |error| match io::Error::kind(&error) {
        io::ErrorKind::AlreadyExists => BackupError::Exists(file.to_owned()),
        _ => BackupError::Unwritable(file.to_owned(), error),
    };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let made = options.open(file).map_err(failed)?;
    let path = file.to_string_lossy();
    let copied = journal
        .execute("VACUUM INTO ?1", [&*path])
        .map_err(|error| BackupError::Failed(file.to_owned(), error));
    let kept = copied.and_then(|_| {
        made.sync_all().map_err(failed)?;
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        sync_folder(parent.unwrap_or(Path::new("."))).map_err(failed)
    });
    if kept.is_err() {
        // Half a copy is of no use.
        let _ = fs::remove_file(file);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::probe::{FolderState, probe};
    use crate::journal::store::{Durability, Store};

    #[test]
    fn a_backup_is_private_starts_a_server_as_the_same_and_overwrites_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (data, other) = (folder.path().join("data"), folder.path().join("other"));
        let (store, startup) = Store::open(&data, Durability::Process, 5).unwrap();
        fs::create_dir(&other).unwrap();
        let file = other.join("journal.db");
        back_up(&data, &file).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
        let names: Vec<_> =
            fs::read_dir(&other).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["journal.db"]);
        let before = fs::read(&file).unwrap();
        assert!(matches!(back_up(&data, &file), Err(BackupError::Exists(_))));
        assert_eq!(fs::read(&file).unwrap(), before);
        drop(store);
        assert_eq!(probe(&other).unwrap(), FolderState::Kept { rooms: 0, parties: 0 });
        let (_, again) = Store::open(&other, Durability::Process, 6).unwrap();
        assert_eq!((again.secret, again.uptime.current()), (startup.secret, 2));
    }

    #[test]
    fn nothing_is_left_of_a_backup_that_failed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("backup.db");
        let missing = back_up(folder.path(), &file).unwrap_err();
        assert!(missing.to_string().starts_with("there is no journal in "), "{missing}");
        let data = folder.path().join("data");
        drop(Store::open(&data, Durability::Process, 5).unwrap());
        // Damage behind the first page, which is read first.
        let journal = data.join("journal.db");
        let mut bytes = fs::read(&journal).unwrap();
        bytes[4096..].fill(0xAA);
        fs::write(&journal, bytes).unwrap();
        let error = back_up(&data, &file).unwrap_err().to_string();
        assert!(error.contains("malformed"), "{error}");
        assert!(!file.exists());
    }
}
