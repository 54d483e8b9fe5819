//! The surroundings of the journal and of parties: threads or tasks for the journal's
//! work, the time of day, and the lots of the pairings. A simulation provides its own.

use std::io;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use super::background::Background;

/// The environment of a journal and of parties.
#[derive(Debug, Clone, Copy)]
pub struct Environment {
    /// What runs the journal's work.
    pub workers: Workers,
    /// The time of day, in milliseconds since 1970.
    pub wall_clock: fn() -> i64,
    /// A lot for the draw of a party's pairings.
    pub lot: fn() -> u64,
}

/// What runs the journal's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workers {
    /// Threads for what waits for the disk, so that only the rooms that store something wait.
    Threads,
    /// Only tasks of the runtime on which the journal is opened. If that runtime has one thread, all
    /// that happens has one order.
    Tasks,
}

impl Environment {
    /// Threads, the system's clock and its random numbers.
    pub const REAL: Self = Self { workers: Workers::Threads, wall_clock, lot: rand::random };

    /// A place for work that waits for the disk.
    pub(super) fn background(self, name: &str) -> io::Result<Background> {
        match self.workers {
            Workers::Threads => Background::start(name),
            Workers::Tasks => Ok(Background::Caller),
        }
    }

    /// Starts work in the background.
    pub(super) fn start(
        self,
        name: &str,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        match self.workers {
            Workers::Threads => {
                let thread = thread::Builder::new().name(name.to_owned());
                thread.spawn(|| futures::executor::block_on(work)).map(drop)
            }
            Workers::Tasks => {
                drop(tokio::spawn(work));
                Ok(())
            }
        }
    }
}

/// The system's time of day, in milliseconds since 1970.
pub(super) fn wall_clock() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
