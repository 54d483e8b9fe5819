//! The time of a server's rooms: it passes only while the server runs. Where the whole process was
//! stopped or the machine stood still, the clock stands still too, as it does over a restart.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How often somebody reads a clock that is watched, at least.
const WATCH: Duration = Duration::from_secs(2);

/// A clock that nobody has read for longer than this stood still meanwhile: longer than a task
/// waits for its turn on a machine under load.
const STALL: Duration = Duration::from_secs(5);

/// A reading this soon after the one before is not noted, so that rooms do not compete for it.
const NOTED: Duration = Duration::from_millis(100);

/// So long the clock goes on standing still after a stall, as after a restart: connections were
/// lost, and coming back takes a moment.
const GRACE: Duration = Duration::from_secs(20);

/// The time of a server's rooms. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Clock(Arc<State>);

/// All times are in milliseconds since the start.
#[derive(Debug)]
struct State {
    start: Instant,
    /// When the clock was last read; the maximum while nobody watches it.
    seen: AtomicU64,
    /// For how long it has stood still, or is to.
    stalled: AtomicU64,
    /// What it showed when it last began to stand still; it never shows less.
    floor: AtomicU64,
    /// Held by whoever notes a stall, so that each is noted once.
    noting: Mutex<()>,
}

impl Clock {
    /// The time at the start of the server: late enough to speak of what was before.
    pub(crate) const START: Duration = Duration::from_secs(2 * 365 * 24 * 3600);

    /// A clock that starts now. Until it is watched it runs on, whatever happens.
    pub(crate) fn start() -> Self {
        Self(Arc::new(State {
            start: Instant::now(),
            seen: AtomicU64::new(u64::MAX),
            stalled: AtomicU64::new(0),
            floor: AtomicU64::new(0),
            noting: Mutex::new(()),
        }))
    }

    /// The time.
    pub(crate) fn now(&self) -> Duration {
        let elapsed = self.0.start.elapsed();
        self.0.observe(millis(elapsed));
        Self::START + self.0.lived(elapsed)
    }

    /// The moment at which it is `time`, unless the clock stands still before; for what was before
    /// the start, the start.
    pub(crate) fn moment(&self, time: Duration) -> Instant {
        let stalled = Duration::from_millis(self.0.stalled.load(Ordering::Acquire));
        self.0.start + time.saturating_sub(Self::START) + stalled
    }

    /// Reads the clock for ever, so that a time in which nobody could is noticed.
    pub(crate) async fn watch(&self) {
        self.0.seen.store(millis(self.0.start.elapsed()), Ordering::Release);
        loop {
            tokio::time::sleep(WATCH).await;
            self.now();
        }
    }
}

impl State {
    /// The time that has passed on this clock, so long after the start.
    fn lived(&self, elapsed: Duration) -> Duration {
        // A stall is noted in this order backwards.
        let stalled = Duration::from_millis(self.stalled.load(Ordering::Acquire));
        let floor = Duration::from_millis(self.floor.load(Ordering::Acquire));
        elapsed.saturating_sub(stalled).max(floor)
    }

    /// Notes that the clock is read, and a stall where it has not been for long.
    fn observe(&self, at: u64) {
        let gap = at.saturating_sub(self.seen.load(Ordering::Acquire));
        if gap <= millis(STALL) {
            if gap > millis(NOTED) {
                self.seen.fetch_max(at, Ordering::AcqRel);
            }
            return;
        }
        let _noting = self.noting.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = self.seen.load(Ordering::Acquire);
        let gap = at.saturating_sub(seen);
        if gap <= millis(STALL) {
            return;
        }
        // Up to then it was shown to somebody.
        let floor = self.lived(Duration::from_millis(seen) + NOTED);
        self.floor.store(millis(floor), Ordering::Release);
        self.stalled.fetch_add(gap + millis(GRACE), Ordering::AcqRel);
        self.seen.store(at, Ordering::Release);
        tracing::warn!(
            "the server stood still for {} s, and so did the clocks of its rooms",
            gap / 1000
        );
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn watched() -> Clock {
        let clock = Clock::start();
        let watching = clock.clone();
        tokio::spawn(async move { watching.watch().await });
        tokio::task::yield_now().await;
        clock
    }

    /// Lets time pass with all that happens in it.
    async fn pass(seconds: u64) {
        let time = Duration::from_secs(seconds);
        drop(tokio::time::timeout(time, std::future::pending::<()>()).await);
    }

    #[tokio::test(start_paused = true)]
    async fn it_runs_while_it_is_watched_and_stands_still_over_a_stall() {
        let clock = watched().await;
        let lived = || (clock.now() - Clock::START).as_secs();
        pass(3600).await;
        assert_eq!(lived(), 3600);
        // Nothing that is due happens before the end of it.
        tokio::time::advance(Duration::from_secs(50)).await;
        let before = clock.now();
        assert_eq!(lived(), 3600);
        pass(19).await;
        assert_eq!(clock.now(), before, "those who were cut off have a moment to come back");
        pass(31).await;
        assert!((3628..=3630).contains(&lived()), "{}", lived());
        let due = clock.moment(clock.now() + Duration::from_secs(7)) - Instant::now();
        assert_eq!(due.as_secs(), 7, "moments are moved by it");
    }

    #[tokio::test(start_paused = true)]
    async fn a_short_delay_is_no_stall() {
        let clock = watched().await;
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(clock.now(), Clock::START + Duration::from_secs(4));
    }

    #[tokio::test(start_paused = true)]
    async fn it_never_goes_back() {
        let clock = watched().await;
        let mut last = clock.now();
        for step in 0..200 {
            tokio::time::advance(Duration::from_millis(step * 97 % 9000)).await;
            let now = clock.now();
            assert!(now >= last, "step {step}");
            last = now;
        }
    }
}
