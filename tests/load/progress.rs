//! One line of progress on standard error, if that is a terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The shortest time between two changes.
const EVERY: Duration = Duration::from_millis(250);

/// The line.
#[derive(Debug)]
pub(crate) struct Progress {
    shown: bool,
    next: Instant,
}

impl Progress {
    /// Shows nothing yet.
    pub(crate) fn new() -> Self {
        Self { shown: std::io::stderr().is_terminal(), next: Instant::now() }
    }

    /// Shows a line, if the last one is old enough.
    pub(crate) fn show(&mut self, line: impl FnOnce() -> String) {
        if self.shown && Instant::now() >= self.next {
            self.next = Instant::now() + EVERY;
            eprint!("\r\x1b[K{}", line());
            drop(std::io::stderr().flush());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}
