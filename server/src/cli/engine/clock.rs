//! The time of a search, which a manager may change while it runs. On a busy machine a search stands still now and
//! then; as long as it once stood still it may again, so it ends that much earlier.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use noughts_engine::TimeLimit;

/// The clock of a search.
#[derive(Debug)]
pub(super) struct SearchClock {
    /// When the line came that asks for it.
    since: Instant,
    /// The microseconds that it may take.
    allowed: AtomicU64,
    /// When it asked for the time last, in microseconds.
    asked: AtomicU64,
    /// The longest time between two questions, in microseconds. Without other programs it is some ten.
    stood: AtomicU64,
}

impl SearchClock {
    /// A search since then, which may take so long, and stands still so long by what is known before.
    pub(super) fn new(since: Instant, time: Duration, stood: Duration) -> Self {
        let asked = AtomicU64::new(micros(since.elapsed()));
        Self { since, allowed: micros(time).into(), asked, stood: micros(stood).into() }
    }

    /// From now on it may take so long since its line came.
    pub(super) fn allow(&self, time: Duration) {
        self.allowed.store(micros(time), Ordering::Relaxed);
    }

    /// The longest time that it stood still.
    pub(super) fn stood(&self) -> Duration {
        Duration::from_micros(self.stood.load(Ordering::Relaxed))
    }

    /// How much longer it took than it may.
    pub(super) fn over(&self) -> Duration {
        let allowed = Duration::from_micros(self.allowed.load(Ordering::Relaxed));
        self.since.elapsed().saturating_sub(allowed)
    }

    /// The time left at `now`, in microseconds since its line came, until a part of it is over.
    fn left(&self, now: u64, part: f64) -> Duration {
        // One search asks at a time.
        let asked = self.asked.swap(now, Ordering::Relaxed);
        let stood = self.stood.load(Ordering::Relaxed).max(now.saturating_sub(asked));
        self.stood.store(stood, Ordering::Relaxed);
        let allowed = Duration::from_micros(self.allowed.load(Ordering::Relaxed));
        allowed.mul_f64(part).saturating_sub(Duration::from_micros(now.saturating_add(stood)))
    }
}

/// The limit at a part of the time.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) clock: Arc<SearchClock>,
    /// The part, above 0, up to 1.
    pub(super) part: f64,
}

impl TimeLimit for Part {
    fn time_left(&self) -> Duration {
        self.clock.left(micros(self.clock.since.elapsed()), self.part)
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_stood_still_ends_that_much_earlier() {
        let clock = SearchClock::new(Instant::now(), Duration::from_millis(100), Duration::ZERO);
        clock.asked.store(0, Ordering::Relaxed);
        let left = |now: u64, part| clock.left(1_000 * now, part).as_millis();
        assert_eq!(left(0, 1.0), 100);
        assert_eq!(left(1, 1.0), 98);
        assert_eq!(left(31, 1.0), 39, "it stood still for 30 ms");
        assert_eq!(left(32, 1.0), 38);
        assert_eq!(left(33, 0.7), 7);
        assert_eq!(left(70, 1.0), 0);
        clock.allow(Duration::from_secs(1));
        assert_eq!(left(71, 1.0), 892);
    }
}
