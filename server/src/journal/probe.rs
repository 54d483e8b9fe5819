//! Whether a server could keep its rooms in a folder. Changes nothing in the folder.

use std::fs;
use std::io;
use std::path::Path;

use super::error::{DiskError, OpenError};
use super::files::{FILE, is_locked, refuse_orphaned_log, try_to_open};
use super::reader::Reader;

/// What a server would find in the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderState {
    /// No folder yet: the server would make it.
    NoFolder,
    /// No journal yet: the server would make it.
    NoJournal,
    /// A journal of an older version: the server would migrate it.
    Older,
    /// A journal with this many rooms and parties, including those that have ended.
    Kept {
        /// The rooms.
        rooms: usize,
        /// The parties.
        parties: usize,
    },
}

/// Finds out what a server would find in a folder.
///
/// # Errors
/// If a server could not use the folder, or one does already.
pub fn probe(folder: &Path) -> Result<FolderState, OpenError> {
    let failed = |error| OpenError::of_folder(folder, error);
    if is_locked(folder).map_err(failed)? {
        return Err(OpenError::InUse(folder.to_owned()));
    }
    // Made absolute, because a relative path has ancestors that it does not name.
    let folder = &std::path::absolute(folder).map_err(failed)?;
    let existing = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
    try_to_write(existing).map_err(failed)?;
    if existing != folder {
        return Ok(FolderState::NoFolder);
    }
    refuse_orphaned_log(folder)?;
    try_to_open(folder).map_err(failed)?;
    if !folder.join(FILE).exists() {
        return Ok(FolderState::NoJournal);
    }
    let reader = match Reader::open(folder) {
        Ok(reader) => reader,
        Err(OpenError::Older) => return Ok(FolderState::Older),
        Err(error) => return Err(error),
    };
    let unreadable = |error: DiskError| failed(io::Error::other(error));
    let (rooms, parties) = (reader.rooms(), reader.parties());
    let (rooms, parties) = (rooms.map_err(unreadable)?, parties.map_err(unreadable)?);
    Ok(FolderState::Kept { rooms: rooms.len(), parties: parties.len() })
}

/// Writes a file into the folder and removes it again.
fn try_to_write(folder: &Path) -> io::Result<()> {
    let file = folder.join(format!(".noughts-check-{}", std::process::id()));
    fs::write(&file, "noughts")?;
    fs::remove_file(&file)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{FolderState, probe};
    use crate::journal::error::OpenError;
    use crate::journal::store::{Durability, Store};

    #[test]
    fn a_probe_tells_what_is_in_a_folder_and_changes_nothing() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("a/b");
        assert_eq!(probe(&folder).unwrap(), FolderState::NoFolder);
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 0);
        assert_eq!(probe(outer.path()).unwrap(), FolderState::NoJournal);
        assert_eq!(probe("is-not-there".as_ref()).unwrap(), FolderState::NoFolder);
        let store = Store::open(&folder, Durability::Process, 0).unwrap();
        assert!(matches!(probe(&folder), Err(OpenError::InUse(_))));
        drop(store);
        assert_eq!(probe(&folder).unwrap(), FolderState::Kept { rooms: 0, parties: 0 });
        fs::write(folder.join("journal.db"), "this is no journal, but long enough for one")
            .unwrap();
        assert!(matches!(probe(&folder), Err(OpenError::Damaged(_))));
        let file = outer.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(matches!(probe(&file), Err(OpenError::Folder(..))));
    }
}
