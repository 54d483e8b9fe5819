//! When the server ran. Time in which it did not run counts against nobody.

use std::time::Duration;

/// Runs that are kept; the downtime between older runs is not known any more.
pub(super) const MAX_RUNS: i64 = 1000;

/// What a running move clock gains with each restart, because players need a moment to reconnect.
const GRACE: Duration = Duration::from_secs(20);

/// One run of the server, from its start to its end. Times are in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerRun {
    /// 1 for the first run.
    pub id: i64,
    /// When the run began.
    pub started: i64,
    /// When the server last stored that it runs.
    pub alive: i64,
}

/// The runs of the server, the oldest first; the last is the current one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uptime(Vec<ServerRun>);

impl Uptime {
    /// The uptime over these runs. Their numbers grow.
    #[must_use]
    pub const fn new(runs: Vec<ServerRun>) -> Self {
        Self(runs)
    }

    /// The number of the current run.
    #[must_use]
    pub fn current(&self) -> i64 {
        self.0.last().map_or(1, |run| run.id)
    }

    /// How often the server was restarted since a run, as far as that is known.
    #[must_use]
    pub fn restarts_since(&self, run: i64) -> u64 {
        self.0.iter().filter(|other| other.id > run).count() as u64
    }

    /// How long the server ran between the time `at` of an earlier run and the start of this run.
    #[must_use]
    pub fn since(&self, run: i64, at: i64) -> Duration {
        let before = self.0.iter().filter(|other| (run..self.current()).contains(&other.id));
        // The clock may have been set back: no run has a negative length.
        let up = before.map(|other| {
            let from = if other.id == run { at.max(other.started) } else { other.started };
            u64::try_from(other.alive.saturating_sub(from)).unwrap_or(0)
        });
        Duration::from_millis(up.fold(0, u64::saturating_add))
    }

    /// What remains, at the start of this run, of a time limit that began at the time `at` of an
    /// earlier run. Downtime does not count, and each restart adds [`GRACE`].
    #[must_use]
    pub fn remaining(&self, limit: Duration, run: i64, at: i64) -> Duration {
        let restarts = self.restarts_since(run).min(1000) as u32;
        // However many restarts there were, they add at most one whole limit.
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
    fn a_run_that_cannot_be_is_before_all_others() {
        assert_eq!(uptime().restarts_since(7), 2);
        assert_eq!(uptime().restarts_since(i64::MIN), 3);
        assert_eq!(uptime().restarts_since(i64::MAX), 0);
    }

    #[test]
    fn runs_that_are_forgotten_count_for_nothing() {
        assert_eq!(uptime().since(1, 0), Duration::from_secs(60));
    }
}
