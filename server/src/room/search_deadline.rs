//! The wall clock for the engine, which reads none itself: when a search must end, alone or among
//! searches that share threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use noughts_engine::{Deadline, TimeLimit};

/// A search with this deadline ends `time` from now. A time too long to add is no limit.
pub(crate) fn deadline_in(time: Duration) -> Deadline {
    let end = Instant::now().checked_add(time);
    end.map_or_else(Deadline::none, |end| Deadline::new(Until(end)))
}

/// The end of a search.
#[derive(Debug)]
struct Until(Instant);

impl TimeLimit for Until {
    fn time_left(&self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

/// The end of a search that leaves time for the searches that wait for its thread, those that
/// come later included.
#[derive(Debug)]
pub(super) struct SharedUntil {
    start: Instant,
    /// The time from the start until the search is due.
    time: Duration,
    load: Arc<Load>,
}

impl SharedUntil {
    /// A search that starts now and is `due` then.
    pub(super) fn new(due: Instant, load: Arc<Load>) -> Self {
        let start = Instant::now();
        Self { start, time: due.saturating_duration_since(start), load }
    }
}

impl TimeLimit for SharedUntil {
    fn time_left(&self) -> Duration {
        let searches = self.load.searches.load(Ordering::Relaxed);
        share(self.time, self.load.threads, searches).saturating_sub(self.start.elapsed())
    }
}

/// The searches that share some threads, the waiting ones included.
#[derive(Debug)]
pub(super) struct Load {
    threads: usize,
    searches: AtomicUsize,
}

/// Counts a search that waits for one of the threads or runs, until this is dropped.
#[derive(Debug)]
pub(super) struct CountedSearch {
    load: Arc<Load>,
}

impl Load {
    pub(super) const fn new(threads: usize) -> Self {
        Self { threads, searches: AtomicUsize::new(0) }
    }

    /// Counts one more search.
    pub(super) fn enter(self: Arc<Self>) -> CountedSearch {
        self.searches.fetch_add(1, Ordering::Relaxed);
        CountedSearch { load: self }
    }
}

impl Drop for CountedSearch {
    fn drop(&mut self) {
        self.load.searches.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How long one of `searches` searches may take when it has `left` until it is due.
///
/// A search that came later has at least as much time left. If the earlier ones take no more than
/// this, the last one has its share left too, and all are in time. A search needs no least time: it
/// sees a win and a block before it asks for the time.
fn share(left: Duration, threads: usize, searches: usize) -> Duration {
    if searches <= threads {
        return left;
    }
    left.mul_f64(threads as f64 / searches as f64)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::share;

    #[test]
    fn no_search_shares_while_there_are_threads() {
        assert_eq!(share(Duration::from_secs(1), 2, 1), Duration::from_secs(1));
        assert_eq!(share(Duration::from_secs(1), 2, 2), Duration::from_secs(1));
        assert_eq!(share(Duration::from_secs(1), 2, 8), Duration::from_millis(250));
        assert_eq!(share(Duration::ZERO, 1, 1), Duration::ZERO);
    }

    /// One thread, searches that come at these milliseconds and have a second: each ends in time.
    fn check(comes: &[u64]) {
        let ms = Duration::from_millis;
        let mut now = Duration::ZERO;
        for (number, came) in comes.iter().enumerate() {
            let start = now.max(ms(*came));
            let left = (ms(*came) + ms(1_000)).saturating_sub(start);
            // It ends at the first millisecond at which its share is over.
            now = (0..=1_000)
                .map(|passed| start + ms(passed))
                .find(|now| {
                    let waiting = comes[number..].iter().filter(|came| ms(**came) <= *now).count();
                    *now >= start + share(left, 1, waiting)
                })
                .unwrap();
            // A millisecond is the grain of this test's clock.
            let late = now.saturating_sub(ms(*came) + ms(1_000));
            assert!(late <= ms(1), "{number} is {late:?} late");
        }
    }

    #[test]
    fn all_are_in_time_whenever_they_come() {
        check(&[0; 200]);
        check(&[&[0][..], &[10; 199]].concat());
        check(&[&[0][..], &[900; 100]].concat());
        check(&(0..500).map(|number| 7 * number).collect::<Vec<_>>());
    }
}
