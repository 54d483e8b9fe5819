//! One line that says how far it is, on standard error, where a person may see it.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often it changes.
const EVERY: Duration = Duration::from_millis(250);

/// The line.
#[derive(Debug)]
pub(crate) struct Progress {
    shown: bool,
    next: Instant,
}

impl Progress {
    /// Nothing is shown yet; nothing ever will be where standard error is no terminal.
    pub(crate) fn new() -> Self {
        Self { shown: std::io::stderr().is_terminal(), next: Instant::now() }
    }

    /// Shows another line, if the last has been there long enough.
    pub(crate) fn tell(&mut self, line: impl FnOnce() -> String) {
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
