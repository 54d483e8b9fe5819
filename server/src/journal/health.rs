//! How the journal is, for those who watch it: whether its writes and checkpoints succeed, how many
//! there were and what they took. The log says so when that changes, and no more often than once a
//! minute.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::journal::error::DiskError;
use crate::metrics::histogram::Histogram;

/// A failure is logged at most once in this time; those between are counted.
const QUIET: Duration = Duration::from_secs(60);

/// How the journal is.
#[derive(Debug)]
pub(super) struct Health {
    writes: Watched,
    checkpoints: Watched,
    /// The size of the write-ahead log in bytes, when it was last looked at.
    log_bytes: AtomicU64,
    /// Writes in each commit.
    batch_sizes: Histogram,
    batch_times: Histogram,
}

/// Something that succeeds or fails again and again.
#[derive(Debug)]
struct Watched {
    failing: AtomicBool,
    announcer: Mutex<Announcer>,
}

impl Watched {
    const fn new() -> Self {
        Self { failing: AtomicBool::new(false), announcer: Mutex::new(Announcer::new()) }
    }

    fn is_failing(&self) -> bool {
        self.failing.load(Ordering::Relaxed)
    }

    fn observe(&self, failed: bool) -> Option<Announcement> {
        self.failing.store(failed, Ordering::Relaxed);
        let mut announcer = self.announcer.lock().unwrap_or_else(PoisonError::into_inner);
        announcer.observe(failed, Instant::now())
    }
}

impl Health {
    /// A journal that works, and has done nothing.
    pub(super) const fn new() -> Self {
        Self {
            writes: Watched::new(),
            checkpoints: Watched::new(),
            log_bytes: AtomicU64::new(0),
            batch_sizes: Histogram::of_sizes(),
            batch_times: Histogram::of_times(),
        }
    }

    /// Whether the last write failed.
    pub(super) fn is_failing(&self) -> bool {
        self.writes.is_failing()
    }

    /// Whether the last checkpoint failed.
    pub(super) fn checkpoints_fail(&self) -> bool {
        self.checkpoints.is_failing()
    }

    /// The size of the write-ahead log in bytes, as the last checkpoint left it.
    pub(super) fn log_bytes(&self) -> u64 {
        self.log_bytes.load(Ordering::Relaxed)
    }

    /// Commits so far, and the writes in them.
    pub(super) fn counts(&self) -> (u64, u64) {
        self.batch_sizes.totals()
    }

    /// How many writes were in each commit.
    pub(super) const fn batch_sizes(&self) -> &Histogram {
        &self.batch_sizes
    }

    /// How long each commit took.
    pub(super) const fn batch_times(&self) -> &Histogram {
        &self.batch_times
    }

    /// Takes in how a commit ended, and logs it where that is news.
    pub(super) fn note(&self, outcome: &Result<(), DiskError>, writes: usize, time: Duration) {
        if outcome.is_ok() {
            self.batch_sizes.note(writes as u64);
            self.batch_times.note_time(time);
        }
        match (self.writes.observe(outcome.is_err()), outcome) {
            (Some(Announcement::Fails { times }), Err(error)) => tracing::error!(
                "the journal fails, and moves are refused until it works: {error}{}",
                counted(times)
            ),
            (Some(Announcement::Works { times }), _) => {
                tracing::warn!("the journal works again: moves are stored{}", counted(times));
            }
            _ => {}
        }
    }

    /// Takes in how a checkpoint ended, with the size of the log after it, and logs a failure or
    /// the end of one where that is news.
    pub(super) fn note_checkpoint(&self, outcome: Result<(), DiskError>, log_bytes: u64) {
        self.log_bytes.store(log_bytes, Ordering::Relaxed);
        let size = log_bytes / 1024;
        match (self.checkpoints.observe(outcome.is_err()), outcome) {
            (Some(Announcement::Fails { times }), Err(error)) => tracing::error!(
                "the journal's log cannot be moved into journal.db and grows ({size} KiB now); \
                 moves are stored still: {error}{}",
                counted(times)
            ),
            (Some(Announcement::Works { times }), _) => tracing::warn!(
                "the journal's log is moved into journal.db again ({size} KiB now){}",
                counted(times)
            ),
            _ => {}
        }
    }
}

/// What a line of the log ends with where more than one failure is in it.
fn counted(times: u64) -> String {
    if times > 1 {
        format!(" (it failed {times} times since this was last logged)")
    } else {
        String::new()
    }
}

/// What the log is to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Announcement {
    /// It fails, and began to so many times since the log last spoke of it.
    Fails { times: u64 },
    /// It works again, and failed so many times without a line in the log.
    Works { times: u64 },
}

/// Decides when the log speaks of something that fails and works in turn. A failure is told at
/// once, and its end too; then there is silence until [`QUIET`] has passed since the failure.
#[derive(Debug)]
struct Announcer {
    /// How it was when last observed.
    failing: bool,
    /// The log says that it fails.
    told: bool,
    /// When the log last said so.
    told_at: Option<Instant>,
    /// How often it began to fail since.
    untold: u64,
}

impl Announcer {
    const fn new() -> Self {
        Self { failing: false, told: false, told_at: None, untold: 0 }
    }

    fn observe(&mut self, failed: bool, now: Instant) -> Option<Announcement> {
        if failed && !self.failing {
            self.untold += 1;
        }
        self.failing = failed;
        let quiet = self.told_at.is_some_and(|at| now.saturating_duration_since(at) < QUIET);
        match (failed, self.told) {
            (true, false) if !quiet => {
                (self.told, self.told_at) = (true, Some(now));
                Some(Announcement::Fails { times: std::mem::take(&mut self.untold) })
            }
            (false, true) => {
                self.told = false;
                Some(Announcement::Works { times: std::mem::take(&mut self.untold) })
            }
            (false, false) if !quiet && self.untold > 0 => {
                self.told_at = Some(now);
                Some(Announcement::Works { times: std::mem::take(&mut self.untold) })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of outcomes at so many seconds.
    fn said(outcomes: impl IntoIterator<Item = (u64, bool)>) -> Vec<(u64, Announcement)> {
        let (mut announcer, start) = (Announcer::new(), Instant::now());
        let outcomes = outcomes.into_iter();
        let said = outcomes.filter_map(|(at, failed)| {
            Some((at, announcer.observe(failed, start + Duration::from_secs(at))?))
        });
        said.collect()
    }

    use Announcement::{Fails, Works};

    #[test]
    fn one_failure_and_its_end_are_told_at_once() {
        let told = said([(0, false), (5, true), (6, true), (7, false), (300, false)]);
        assert_eq!(told, [(5, Fails { times: 1 }), (7, Works { times: 0 })]);
    }

    #[test]
    fn what_fails_and_works_every_second_is_told_once_a_minute_with_a_count() {
        let told = said((0..150).map(|second| (second, second % 2 == 0)));
        let expected = [
            (0, Fails { times: 1 }),
            (1, Works { times: 0 }),
            (60, Fails { times: 30 }),
            (61, Works { times: 0 }),
            (120, Fails { times: 30 }),
            (121, Works { times: 0 }),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_failure_that_began_in_the_silence_is_told_after_it() {
        let lasting = said([(0, true), (1, false), (2, true), (59, true), (61, true), (62, false)]);
        let (first, over) = ((0, Fails { times: 1 }), (1, Works { times: 0 }));
        assert_eq!(lasting, [first, over, (61, Fails { times: 1 }), (62, Works { times: 0 })]);
        let past = said([(0, true), (1, false), (2, true), (3, false), (4, false), (70, false)]);
        assert_eq!(past, [first, over, (70, Works { times: 1 })]);
    }
}
