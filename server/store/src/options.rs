//! How a store works.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::row::milliseconds;

/// What a commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// A power cut: each commit waits until the disk has it.
    #[default]
    Power,
    /// The end of the server's process, but not of the machine.
    Process,
}

/// What runs the work of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workers {
    /// Threads, so that only those who store or read something wait for the disk.
    Threads,
    /// Only tasks of the runtime on which the store is opened. If that runtime has one thread, all that
    /// happens has one order.
    Tasks,
}

/// How the store works.
#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder.
    pub folder: PathBuf,
    /// What a commit survives.
    pub durability: Durability,
    /// What runs the work.
    pub workers: Workers,
    /// The time of day, in milliseconds since 1970.
    pub wall_clock: fn() -> i64,
    /// Ends the process with these words: nobody can know whether a commit is stored, or the files were
    /// replaced or deleted. If it returns, nothing is stored and answered any more.
    pub on_unknown: fn(&str),
}

impl Options {
    /// The options of a real server: threads and the system's clock.
    #[must_use]
    pub fn new(folder: PathBuf, durability: Durability, on_unknown: fn(&str)) -> Self {
        Self { folder, durability, workers: Workers::Threads, wall_clock, on_unknown }
    }
}

/// The system's time of day, in milliseconds since 1970.
fn wall_clock() -> i64 {
    milliseconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}
