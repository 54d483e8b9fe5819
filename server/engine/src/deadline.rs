//! When a choice must be made. The only clock of the computer players is read here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The clock is read once in this many questions: a reading costs a hundredth of
/// what is searched meanwhile.
const QUESTIONS_PER_READING: u32 = 16;

/// When a choice must be made, and whether anybody still waits for it.
#[derive(Debug)]
pub struct Deadline {
    at: Option<Instant>,
    /// With whom the time until then is shared, and since when the search runs.
    shared: Option<(Instant, Arc<Load>)>,
    /// Set when a [`CancelGuard`] is dropped, and by [`Deadline::is_over`] once the time has come.
    over: Arc<AtomicBool>,
    questions: AtomicU32,
}

/// Somebody waits for the choice: once this is dropped, on any thread, the search for it returns
/// within a few milliseconds.
#[derive(Debug)]
#[must_use = "dropping it ends the search"]
pub struct CancelGuard {
    over: Arc<AtomicBool>,
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

impl Deadline {
    /// No time limit. A search then ends by its own bound on positions looked at.
    #[must_use]
    pub fn none() -> Self {
        Self { at: None, shared: None, over: Arc::default(), questions: AtomicU32::new(0) }
    }

    /// The choice must be made by `instant`.
    #[must_use]
    pub fn at(instant: Instant) -> Self {
        Self { at: Some(instant), ..Self::none() }
    }

    /// The same choice, to be made by `instant`.
    #[must_use]
    pub fn by(self, instant: Instant) -> Self {
        Self { at: Some(instant), ..self }
    }

    /// The same choice, searched for from `start` on, which leaves time for the searches that
    /// wait for a thread, those that come later included.
    #[must_use]
    pub fn shared(self, start: Instant, load: Arc<Load>) -> Self {
        Self { shared: Some((start, load)), ..self }
    }

    /// What the one who waits for the choice holds.
    pub fn cancel_guard(&self) -> CancelGuard {
        CancelGuard { over: Arc::clone(&self.over) }
    }

    /// Whether there is a time limit at all.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.at.is_some()
    }

    /// Whether the time is over or the choice cancelled. Cheap enough to ask at every node: the
    /// flag is looked at each time, the clock at the first question and every 16th after.
    #[must_use]
    pub fn is_over(&self) -> bool {
        if self.over.load(Ordering::Relaxed) {
            return true;
        }
        let Some(at) = self.at else { return false };
        let question = self.questions.load(Ordering::Relaxed);
        self.questions.store(question.wrapping_add(1), Ordering::Relaxed);
        if !question.is_multiple_of(QUESTIONS_PER_READING) || Instant::now() < self.end(at) {
            return false;
        }
        self.over.store(true, Ordering::Relaxed);
        true
    }

    /// When a part of the time that is left is over, as the load is now: for something that must
    /// leave time for the rest. `None` where there is no limit.
    pub(super) fn end_of_part(&self, part: f64) -> Option<Instant> {
        let now = Instant::now();
        self.at.map(|at| now + self.end(at).saturating_duration_since(now).mul_f64(part))
    }

    /// When the search ends, as the load is now.
    fn end(&self, at: Instant) -> Instant {
        let Some((start, load)) = &self.shared else { return at };
        let jobs = load.jobs.load(Ordering::Relaxed);
        *start + share(at.saturating_duration_since(*start), load.threads, jobs)
    }
}

/// The searches that share some threads, the waiting ones included.
#[derive(Debug)]
pub struct Load {
    threads: usize,
    jobs: AtomicUsize,
}

/// A search that waits for one of the threads of a [`Load`] or runs, until this is dropped.
#[derive(Debug)]
pub struct Job {
    load: Arc<Load>,
}

impl Load {
    /// No search yet.
    #[must_use]
    pub const fn new(threads: usize) -> Self {
        Self { threads, jobs: AtomicUsize::new(0) }
    }

    /// Counts one more search.
    #[must_use]
    pub fn enter(self: Arc<Self>) -> Job {
        self.jobs.fetch_add(1, Ordering::Relaxed);
        Job { load: self }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.load.jobs.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How long one of `jobs` searches may take when it has `left` until its own deadline.
///
/// Whoever came later has at least as long. So if those before take no more than this, the last
/// has its share left as well, and all are in time. A search needs no least time: a win and a
/// block are seen before the first question.
fn share(left: Duration, threads: usize, jobs: usize) -> Duration {
    if jobs <= threads {
        return left;
    }
    left.mul_f64(threads as f64 / jobs as f64)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::share;

    #[test]
    fn nobody_shares_while_there_are_threads() {
        assert_eq!(share(Duration::from_secs(1), 2, 1), Duration::from_secs(1));
        assert_eq!(share(Duration::from_secs(1), 2, 2), Duration::from_secs(1));
        assert_eq!(share(Duration::from_secs(1), 2, 8), Duration::from_millis(250));
        assert_eq!(share(Duration::ZERO, 1, 1), Duration::ZERO);
    }

    /// One thread, jobs that come at these milliseconds and have a second: each ends in time.
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
