//! The players of a door: a file for each key, named by its fingerprint. Doors that share the
//! folder have the same players. The contents of a file are [`crate::config`]'s.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use russh::keys::ssh_key::Fingerprint;

use crate::config::ConfigFile;

/// The most players of a door, with some 400 bytes each. One more is a guest.
const MAX_PLAYERS: usize = 100_000;

/// The folder of the players.
#[derive(Debug)]
pub(crate) struct Players {
    folder: PathBuf,
    /// About how many files there are: those of the start, and those made since then.
    count: AtomicUsize,
}

impl Players {
    /// Counts the players in a folder, which need not be there yet.
    pub(crate) fn open_folder(folder: PathBuf) -> Self {
        let count = fs::read_dir(&folder).map_or(0, Iterator::count);
        Self { folder, count: AtomicUsize::new(count) }
    }

    /// The file of a player; `None` if there are too many players.
    pub(crate) fn open(&self, key: &Fingerprint) -> Option<ConfigFile> {
        let path = self.folder.join(format!("{}.json", hex::encode(key.as_bytes())));
        let is_new = !path.exists();
        if is_new && self.count.fetch_add(1, Ordering::Relaxed) >= MAX_PLAYERS {
            self.count.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(ConfigFile::at(path))
    }
}
