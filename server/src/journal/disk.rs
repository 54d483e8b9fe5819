//! Where the writer stores writes, as it sees it.

use std::fmt::Debug;

use super::checkpoint::LogMover;
use super::error::DiskError;
use super::write::Write;

/// What a commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Durability {
    /// A power cut: each commit waits until the disk has it.
    #[default]
    Power,
    /// The end of the server's process, but not of the machine.
    Process,
}

/// Where the writer stores writes. The server uses [`Store`](super::store::Store); tests wrap it in a disk that fails.
pub trait Disk: Debug + Send {
    /// Stores all of the writes or, with an error, none of them. After [`DiskError::Unknown`] all or
    /// none are stored.
    ///
    /// # Errors
    /// If the writes could not be stored, or if that is unknown.
    fn commit(&mut self, writes: &[Write]) -> Result<(), DiskError>;

    /// Makes sure, after a commit with an unknown outcome, that nothing of it is stored. A disk
    /// whose outcomes are always known does nothing.
    ///
    /// # Errors
    /// If the outcome is still unknown.
    fn resolve(&mut self) -> Result<(), DiskError> {
        Ok(())
    }

    /// Moves a few recent facts to their rooms, and returns whether more of them are to be moved. A
    /// disk that keeps the facts of each room together does nothing.
    fn sort(&mut self) -> bool {
        false
    }

    /// Whether [`Disk::sort`] has something to do.
    fn is_sorting(&self) -> bool {
        false
    }

    /// Moves all recent facts to their rooms: the writer ends.
    fn close(&mut self) {}

    /// Moves the log into the file, as far as possible without waiting for readers, and returns the
    /// size of the log after that in bytes. The shorter the log, the less its damage can do. A disk
    /// without a log does nothing.
    fn checkpoint(&mut self) -> (Result<(), DiskError>, u64) {
        (Ok(()), 0)
    }

    /// The number of pages in the log after the last commit. A disk without a log has none.
    fn log_pages(&self) -> u64 {
        0
    }

    /// The connection that moves the log beside the writer, for the first caller.
    fn log_mover(&mut self) -> Option<LogMover> {
        None
    }
}
