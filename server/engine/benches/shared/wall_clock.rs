//! A deadline by the wall clock, which the engine itself does not read. The engine's tests have it too.

use std::time::{Duration, Instant};

use super::{Deadline, TimeLimit};

#[derive(Debug)]
struct Until(Instant);

impl TimeLimit for Until {
    fn time_left(&self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

/// A search with this deadline ends `time` from now. A time too long to add is no limit.
pub(crate) fn deadline_in(time: Duration) -> Deadline {
    let end = Instant::now().checked_add(time);
    end.map_or_else(Deadline::none, |end| Deadline::new(Until(end)))
}
