//! When the server ran: so that time for which it was away is held against nobody.

use std::time::Duration;

/// Runs that are remembered; of what is older, the time away is not known any more.
pub(super) const MAX_RUNS: i64 = 1000;

/// What a running move clock gets for each restart, for coming back takes a moment.
const GRACE: Duration = Duration::from_secs(20);

/// From a start of the server to its end, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerRun {
    /// 1 for the first.
    pub id: i64,
    /// When it began.
    pub started: i64,
    /// When it was last known to run.
    pub alive: i64,
}

/// The runs, the oldest first; the last is the current one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uptime(Vec<ServerRun>);

impl Uptime {
    /// Of these, of which there is at least one.
    #[must_use]
    pub const fn new(runs: Vec<ServerRun>) -> Self {
        Self(runs)
    }

    /// The current run's number.
    #[must_use]
    pub fn current(&self) -> i64 {
        self.0.last().map_or(1, |run| run.id)
    }

    /// How often the server was started again since a run; runs count from 1.
    #[must_use]
    pub fn restarts_since(&self, run: i64) -> u64 {
        u64::try_from(self.current() - run.max(1)).unwrap_or(0)
    }

    /// How long the server ran between a moment of an earlier run and the start of this one.
    #[must_use]
    pub fn since(&self, run: i64, at: i64) -> Duration {
        let before = self.0.iter().filter(|other| (run..self.current()).contains(&other.id));
        // Clocks may have been set back: no run took less than nothing.
        let up = before.map(|other| {
            let from = if other.id == run { at.max(other.started) } else { other.started };
            u64::try_from(other.alive.saturating_sub(from)).unwrap_or(0)
        });
        Duration::from_millis(up.fold(0, u64::saturating_add))
    }

    /// What is left at the start of this run of a time limit that began at a moment of an earlier
    /// one: the time away does not count, and each restart adds 20 s.
    #[must_use]
    pub fn remaining(&self, limit: Duration, run: i64, at: i64) -> Duration {
        let restarts = self.restarts_since(run).min(1000) as u32;
        // No more than the limit is made up for, however often the server came and went.
        let grace = (GRACE * restarts).min(limit.max(GRACE));
        limit.saturating_sub(self.since(run, at)) + grace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uptime() -> Uptime {
        let run = |id, started, alive| ServerRun { id, started, alive };
        Uptime::new(vec![run(7, 0, 50_000), run(8, 100_000, 110_000), run(9, 500_000, 500_000)])
    }

    fn check(run: i64, at: i64, up: u64, left: u64) {
        assert_eq!(uptime().since(run, at), Duration::from_millis(up));
        let limit = Duration::from_secs(30);
        assert_eq!(uptime().remaining(limit, run, at), Duration::from_millis(left));
    }

    #[test]
    fn time_away_is_not_counted_and_each_restart_adds_twenty_seconds() {
        check(8, 105_000, 5_000, 45_000);
        check(7, 49_000, 11_000, 49_000);
    }

    #[test]
    fn a_clock_that_was_set_back_takes_nothing() {
        check(8, 900_000, 0, 50_000);
    }

    #[test]
    fn a_run_that_cannot_be_is_the_first() {
        assert_eq!(uptime().restarts_since(7), 2);
        assert_eq!(uptime().restarts_since(i64::MIN), 8);
        assert_eq!(uptime().restarts_since(i64::MAX), 0);
    }

    #[test]
    fn runs_that_are_forgotten_count_for_nothing() {
        assert_eq!(uptime().since(1, 0), Duration::from_secs(60));
    }
}
