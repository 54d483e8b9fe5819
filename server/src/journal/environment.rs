//! What the journal has of the machine it runs on: where its work is done, and the time of day. A
//! simulation gives it others.

use std::io;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

/// A machine.
#[derive(Debug, Clone, Copy)]
pub struct Environment {
    /// Where the journal's work is done.
    pub workers: Workers,
    /// Now, in milliseconds since 1970.
    pub wall_clock: fn() -> i64,
}

/// Where the journal's work is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workers {
    /// On threads, so that nobody waits for the disk who need not.
    Threads,
    /// In tasks of the runtime on which the journal is opened: where that has a single thread, all
    /// that happens has one order.
    Tasks,
}

impl Environment {
    /// The one that everybody has.
    pub const REAL: Self = Self { workers: Workers::Threads, wall_clock };

    /// Starts work that goes on by itself.
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

/// The system's.
pub(super) fn wall_clock() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
