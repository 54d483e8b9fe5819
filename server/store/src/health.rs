//! The health of the store, for the metrics and the log: whether commits and checkpoints succeed, how
//! many there were and how long they took. The log says when that changes, at most once a minute.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};

use crate::error::DiskError;

/// A failure is logged at most once in this time; failures in between are counted.
const QUIET: Duration = Duration::from_secs(60);

/// Upper bounds of the histograms in seconds: from a move without a disk to ten times a computer's usual limit.
pub const TIME_BUCKETS: [f64; 15] = [
    0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    10.0,
];

/// The health of one store.
#[derive(Debug)]
pub struct Health {
    writes: Mutex<LogThrottle>,
    checkpoints: Mutex<LogThrottle>,
    /// The size of the write-ahead log in bytes after the last checkpoint.
    log_bytes: AtomicU64,
    commits: AtomicU64,
    /// The saves of all commits.
    stored: AtomicU64,
    /// The number of saves in each commit.
    pub batch_sizes: Histogram,
    /// The duration of each commit in seconds.
    pub batch_times: Histogram,
}

impl Health {
    /// A store that works and has stored nothing.
    pub(crate) fn new() -> Self {
        Self {
            writes: Mutex::new(LogThrottle::new()),
            checkpoints: Mutex::new(LogThrottle::new()),
            log_bytes: AtomicU64::new(0),
            commits: AtomicU64::new(0),
            stored: AtomicU64::new(0),
            batch_sizes: Histogram::new(exponential_buckets(1.0, 2.0, 11)),
            batch_times: Histogram::new(TIME_BUCKETS),
        }
    }

    /// Whether the last write failed.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.writes.lock().failing
    }

    /// Whether the last checkpoint failed.
    #[must_use]
    pub fn checkpoints_fail(&self) -> bool {
        self.checkpoints.lock().failing
    }

    /// The size of the write-ahead log in bytes after the last checkpoint.
    #[must_use]
    pub fn log_bytes(&self) -> u64 {
        self.log_bytes.load(Ordering::Relaxed)
    }

    /// The number of commits so far, and of the saves in them.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        (self.commits.load(Ordering::Relaxed), self.stored.load(Ordering::Relaxed))
    }

    /// Counts a commit of so many saves.
    pub(crate) fn count(&self, saves: usize) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.stored.fetch_add(saves as u64, Ordering::Relaxed);
        self.batch_sizes.observe(saves as f64);
    }

    /// Records the outcome of a commit, and logs it if commits began to fail or work again.
    pub(crate) fn note(&self, outcome: &Result<(), DiskError>, began: Instant) {
        if outcome.is_ok() {
            self.batch_times.observe(began.elapsed().as_secs_f64());
        }
        let change = self.writes.lock().observe(outcome.is_err(), Instant::now());
        match (change, outcome) {
            (Some(HealthChange::Fails { times }), Err(error)) => {
                tracing::error!(
                    "the store fails, and moves are refused until it works: {error}{}",
                    counted(times)
                );
            }
            (Some(HealthChange::Works { times }), _) => {
                tracing::warn!("the store works again: moves are stored{}", counted(times));
            }
            _ => {}
        }
    }

    /// Records the outcome of a checkpoint and the size of the log after it, and logs it if
    /// checkpoints began to fail or work again.
    pub(crate) fn note_checkpoint(&self, outcome: Result<(), DiskError>, log_bytes: u64) {
        self.log_bytes.store(log_bytes, Ordering::Relaxed);
        let size = log_bytes / 1024;
        let change = self.checkpoints.lock().observe(outcome.is_err(), Instant::now());
        match (change, outcome) {
            (Some(HealthChange::Fails { times }), Err(error)) => tracing::error!(
                "the log cannot be moved into noughts.db and grows ({size} KiB now); \
                 moves are stored still: {error}{}",
                counted(times)
            ),
            (Some(HealthChange::Works { times }), _) => tracing::warn!(
                "the log is moved into noughts.db again ({size} KiB now){}",
                counted(times)
            ),
            _ => {}
        }
    }
}

/// The end of a log line that stands for more than one failure.
fn counted(times: u64) -> String {
    if times > 1 {
        format!(" (it failed {times} times since this was last logged)")
    } else {
        String::new()
    }
}

/// A change for the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HealthChange {
    /// The operation fails. It began to fail this many times since the last line of the log.
    Fails { times: u64 },
    /// The operation works again. It failed this many times without a line in the log.
    Works { times: u64 },
}

/// Decides when the log mentions an operation that fails and works in turn. A failure and its end
/// are logged at once; then nothing is logged until [`QUIET`] has passed since the failure.
#[derive(Debug)]
struct LogThrottle {
    /// Whether the last observation was a failure.
    failing: bool,
    /// Whether the last line of the log says that it fails.
    logged: bool,
    /// When the log last said that it fails.
    logged_at: Option<Instant>,
    /// How often it began to fail since then.
    unlogged: u64,
}

impl LogThrottle {
    const fn new() -> Self {
        Self { failing: false, logged: false, logged_at: None, unlogged: 0 }
    }

    fn observe(&mut self, failed: bool, now: Instant) -> Option<HealthChange> {
        if failed && !self.failing {
            self.unlogged += 1;
        }
        self.failing = failed;
        let quiet = self.logged_at.is_some_and(|at| now.saturating_duration_since(at) < QUIET);
        match (failed, self.logged) {
            (true, false) if !quiet => {
                (self.logged, self.logged_at) = (true, Some(now));
                Some(HealthChange::Fails { times: std::mem::take(&mut self.unlogged) })
            }
            (false, true) => {
                self.logged = false;
                Some(HealthChange::Works { times: std::mem::take(&mut self.unlogged) })
            }
            (false, false) if !quiet && self.unlogged > 0 => {
                self.logged_at = Some(now);
                Some(HealthChange::Works { times: std::mem::take(&mut self.unlogged) })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The log's lines for outcomes at these seconds.
    fn logged(outcomes: impl IntoIterator<Item = (u64, bool)>) -> Vec<(u64, HealthChange)> {
        let mut throttle = LogThrottle::new();
        let start = Instant::now();
        let outcomes = outcomes.into_iter();
        let logged = outcomes.filter_map(|(at, failed)| {
            Some((at, throttle.observe(failed, start + Duration::from_secs(at))?))
        });
        logged.collect()
    }

    use HealthChange::{Fails, Works};

    #[test]
    fn one_failure_and_its_end_are_logged_at_once() {
        let lines = logged([(0, false), (5, true), (6, true), (7, false), (300, false)]);
        assert_eq!(lines, [(5, Fails { times: 1 }), (7, Works { times: 0 })]);
    }

    #[test]
    fn a_failure_every_second_is_logged_once_a_minute_with_a_count() {
        let lines = logged((0..150).map(|second| (second, second % 2 == 0)));
        let expected = [
            (0, Fails { times: 1 }),
            (1, Works { times: 0 }),
            (60, Fails { times: 30 }),
            (61, Works { times: 0 }),
            (120, Fails { times: 30 }),
            (121, Works { times: 0 }),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_failure_that_began_in_the_quiet_time_is_logged_after_it() {
        let lasting =
            logged([(0, true), (1, false), (2, true), (59, true), (61, true), (62, false)]);
        let first = (0, Fails { times: 1 });
        let over = (1, Works { times: 0 });
        assert_eq!(lasting, [first, over, (61, Fails { times: 1 }), (62, Works { times: 0 })]);
        let past = logged([(0, true), (1, false), (2, true), (3, false), (4, false), (70, false)]);
        assert_eq!(past, [first, over, (70, Works { times: 1 })]);
    }
}
