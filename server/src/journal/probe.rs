//! Whether a folder could be a server's, without changing anything in it.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use super::files::{FILE, is_locked, refuse_lone_log};
use super::reader::Reader;
use crate::journal::error::OpenError;

/// What a server would find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderState {
    /// There is no folder yet: it would be made.
    NoFolder,
    /// There is no journal yet: it would be made.
    NoJournal,
    /// A journal of an older version: it would be brought up to date.
    Older,
    /// A journal with so many rooms, those that have ended included.
    Rooms(usize),
}

/// Looks at a folder.
///
/// # Errors
/// Where a server could not use it, or one does.
pub fn probe(folder: &Path) -> Result<FolderState, OpenError> {
    let failed = |error| OpenError::of_folder(folder, error);
    if is_locked(folder).map_err(failed)? {
        return Err(OpenError::InUse(folder.to_owned()));
    }
    // Of a relative path the folders above that it does not name count too.
    let folder = &std::path::absolute(folder).map_err(failed)?;
    let there = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
    try_to_write(there).map_err(failed)?;
    if there != folder {
        return Ok(FolderState::NoFolder);
    }
    refuse_lone_log(folder)?;
    match OpenOptions::new().write(true).open(folder.join(FILE)) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(FolderState::NoJournal),
        Err(error) => return Err(failed(error)),
    }
    let rooms = match Reader::open(folder) {
        Ok(reader) => reader.rooms(),
        Err(OpenError::Older) => return Ok(FolderState::Older),
        Err(error) => return Err(error),
    };
    rooms
        .map(|rooms| FolderState::Rooms(rooms.len()))
        .map_err(|error| failed(io::Error::other(error)))
}

/// Writes a file into a folder and removes it again.
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
    fn a_folder_is_looked_at_and_left_as_it_is() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("a/b");
        assert_eq!(probe(&folder).unwrap(), FolderState::NoFolder);
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 0);
        assert_eq!(probe(outer.path()).unwrap(), FolderState::NoJournal);
        assert_eq!(probe("is-not-there".as_ref()).unwrap(), FolderState::NoFolder);
        let store = Store::open(&folder, Durability::Process, 0).unwrap();
        assert!(matches!(probe(&folder), Err(OpenError::InUse(_))));
        drop(store);
        assert_eq!(probe(&folder).unwrap(), FolderState::Rooms(0));
        fs::write(folder.join("journal.db"), "this is no journal, but long enough for one")
            .unwrap();
        assert!(matches!(probe(&folder), Err(OpenError::Damaged(_))));
        let file = outer.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(matches!(probe(&file), Err(OpenError::Folder(..))));
    }
}
