//! A copy of the file, taken while a server may run on it.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::archive::connect;
use crate::error::OpenError;
use crate::folder::sync_folder;

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The data folder cannot be read.
    #[error(transparent)]
    Folder(#[from] OpenError),
    /// There is a file with that name.
    #[error("{path} exists already: choose another file", path = .0.display())]
    Exists(PathBuf),
    /// The file cannot be made.
    #[error("failed to write {path} ({error})", path = .0.display(), error = .1)]
    Unwritable(PathBuf, #[source] io::Error),
    /// The copy failed: the disk is full, or the file is damaged.
    #[error("failed to copy noughts.db to {path} ({error}): nothing is kept there", path = .0.display(), error = .1)]
    Failed(PathBuf, String),
}

/// Copies what is stored in a folder, as it is at one moment, to a new file that only this user can read: the
/// secret is in it. `VACUUM INTO` reads in one transaction, however much a server writes meanwhile, and
/// copies nothing that was deleted, such as the names of people who were forgotten.
///
/// # Errors
/// If the folder cannot be read, or if the file cannot be made. Then there is no such file.
pub fn back_up(folder: &Path, file: &Path) -> Result<(), BackupError> {
    let stored = connect(folder)?;
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
    let copied = stored
        .execute("VACUUM INTO ?1", [&*path])
        .map_err(|error| BackupError::Failed(file.to_owned(), error.to_string()));
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
