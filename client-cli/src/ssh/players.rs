//! The players of a door: a file for each key, named by its fingerprint. Doors that share the
//! folder have the same players. The contents of a file are [`crate::config`]'s.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use russh::keys::ssh_key::Fingerprint;

use crate::config::ConfigFile;

/// The most players of a door, with some 400 bytes each. One more is a guest.
const MAX_PLAYERS: usize = 100_000;

/// Of so many new players of a full door, one has it count its files again.
const COUNT_EACH: usize = 1_024;

/// The folder of the players.
#[derive(Debug)]
pub(crate) struct Players {
    folder: PathBuf,
    /// About how many files there are: those that were counted, and one for each first visit since then.
    count: AtomicUsize,
}

impl Players {
    /// Counts the players in a folder, which need not be there yet.
    pub(crate) fn open_folder(folder: PathBuf) -> Self {
        let count = AtomicUsize::new(count_files(&folder));
        Self { folder, count }
    }

    /// The file of a player; `None` if there are too many players.
    pub(crate) fn open(&self, key: &Fingerprint) -> Option<ConfigFile> {
        let path = self.folder.join(format!("{}.json", hex::encode(key.as_bytes())));
        (path.exists() || self.has_place()).then(|| ConfigFile::at(path))
    }

    /// Whether there is a place for a new player. Some first visits made no file, because the server was away or
    /// refused them: so the files of a full door are counted again. That reads the whole folder.
    fn has_place(&self) -> bool {
        let before = self.count.fetch_add(1, Ordering::Relaxed);
        let Some(beyond) = before.checked_sub(MAX_PLAYERS) else { return true };
        if !beyond.is_multiple_of(COUNT_EACH) {
            return false;
        }
        let files = count_files(&self.folder).min(MAX_PLAYERS);
        self.count.store(files + 1, Ordering::Relaxed);
        files < MAX_PLAYERS
    }
}

fn count_files(folder: &Path) -> usize {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if visits that made no file keep new players out for ever, or if other files count.
    #[test]
    fn visits_without_a_file_take_no_place() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["1.json", "2.json.broken", "3.7.tmp"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let players = Players::open_folder(folder.path().to_owned());
        players.count.fetch_add(MAX_PLAYERS - 2, Ordering::Relaxed);
        let counted = [(); 3].map(|()| {
            assert!(players.has_place());
            players.count.load(Ordering::Relaxed)
        });
        assert_eq!(counted, [MAX_PLAYERS, 2, 3]);
    }
}
