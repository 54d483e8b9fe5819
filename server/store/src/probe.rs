//! Whether a server could keep its rooms in a folder. Changes nothing in the folder.

use std::fs;
use std::path::Path;

use crate::archive::connect;
use crate::error::OpenError;
use crate::folder::{FILE, is_locked, refuse_remains, try_to_open};

/// The state of the folder, as a server would find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderState {
    /// No folder yet: the server would make it.
    NoFolder,
    /// Nothing is stored yet: the server would make the file.
    Empty,
    /// So much is stored.
    Kept {
        /// The rooms that have not ended.
        rooms: u64,
        /// The parties that have not ended.
        parties: u64,
        /// The kept games.
        games: u64,
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
    refuse_remains(folder)?;
    try_to_open(folder).map_err(failed)?;
    if !folder.join(FILE).exists() {
        return Ok(FolderState::Empty);
    }
    let connection = connect(folder)?;
    let count = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let rooms = count("SELECT count(*) FROM live WHERE until IS NOT NULL")?;
    let parties = count("SELECT count(*) FROM live WHERE until IS NULL")?;
    let games = count("SELECT count(*) FROM game")?;
    let [rooms, parties, games] = [rooms, parties, games].map(i64::cast_unsigned);
    Ok(FolderState::Kept { rooms, parties, games })
}

/// Writes a file into the folder and removes it again.
fn try_to_write(folder: &Path) -> std::io::Result<()> {
    let file = folder.join(format!(".noughts-check-{}", std::process::id()));
    fs::write(&file, "noughts")?;
    fs::remove_file(&file)
}
