//! The clock of a server's rooms. It runs only while the server runs: it stops while the process or
//! the machine stands still, as it does
//! over a restart, because it goes on with what it showed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// A watched clock is read at least this often.
const WATCH: Duration = Duration::from_secs(2);

/// A watched clock that was not read for longer than this stood still: longer than a task waits for
/// its turn on a machine under load.
const STALL: Duration = Duration::from_secs(5);

/// A reading this soon after the last one is not recorded, so that rooms do not compete for it.
const RECORDED: Duration = Duration::from_millis(100);

/// The clock stands still for this much longer after a stall, as after a restart, so that players
/// have time to reconnect.
const GRACE: Duration = Duration::from_secs(20);

/// The clock of a server's rooms. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Clock(Arc<State>);

/// All numbers are milliseconds since the start.
#[derive(Debug)]
struct State {
    start: Instant,
    /// The clock's time at the start.
    age: Duration,
    /// The last reading; the maximum if nobody watches the clock.
    seen: AtomicU64,
    /// The sum of all stalls, also of the rest of the current one.
    stalled: AtomicU64,
    /// The time at which the last stall began. The clock never shows less.
    floor: AtomicU64,
    /// Held while a stall is recorded, so that it is recorded once.
    recording: Mutex<()>,
}

impl Clock {
    /// A clock that shows `age` now, how long the server ran before over all its runs. It notices stalls
    /// once it is watched.
    pub(crate) fn starting_at(age: Duration) -> Self {
        Self(Arc::new(State {
            start: Instant::now(),
            age,
            seen: AtomicU64::new(u64::MAX),
            stalled: AtomicU64::new(0),
            floor: AtomicU64::new(0),
            recording: Mutex::new(()),
        }))
    }

    /// The time.
    pub(crate) fn now(&self) -> Duration {
        let elapsed = self.0.start.elapsed();
        self.0.observe(millis(elapsed));
        self.0.age + self.0.run_time(elapsed)
    }

    /// The moment at which the clock shows `time` if it does not stop before. For a time before the
    /// start, the start.
    pub(crate) fn moment(&self, time: Duration) -> Instant {
        let stalled = Duration::from_millis(self.0.stalled.load(Ordering::Acquire));
        self.0.start + time.saturating_sub(self.0.age) + stalled
    }

    /// Reads the clock for ever, so that it notices a stall.
    pub(crate) async fn watch(&self) {
        self.0.seen.store(millis(self.0.start.elapsed()), Ordering::Release);
        loop {
            tokio::time::sleep(WATCH).await;
            self.now();
        }
    }
}

impl State {
    /// The time that has passed on this clock, `elapsed` after the start.
    fn run_time(&self, elapsed: Duration) -> Duration {
        // A stall is written in the reverse order.
        let stalled = Duration::from_millis(self.stalled.load(Ordering::Acquire));
        let floor = Duration::from_millis(self.floor.load(Ordering::Acquire));
        elapsed.saturating_sub(stalled).max(floor)
    }

    /// Records a reading, and a stall if the last reading was long ago.
    fn observe(&self, at: u64) {
        let gap = at.saturating_sub(self.seen.load(Ordering::Acquire));
        if gap <= millis(STALL) {
            if gap > millis(RECORDED) {
                self.seen.fetch_max(at, Ordering::AcqRel);
            }
            return;
        }
        let _recording = self.recording.lock();
        let seen = self.seen.load(Ordering::Acquire);
        let gap = at.saturating_sub(seen);
        if gap <= millis(STALL) {
            return;
        }
        // The clock has shown up to this time.
        let floor = self.run_time(Duration::from_millis(seen) + RECORDED);
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

    const AGE: Duration = Duration::from_secs(5000);

    async fn watched() -> Clock {
        let clock = Clock::starting_at(AGE);
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
        let run_time = || (clock.now() - AGE).as_secs();
        pass(3600).await;
        assert_eq!(run_time(), 3600);
        // Nothing that is due happens before the end of it.
        tokio::time::advance(Duration::from_secs(50)).await;
        let before = clock.now();
        assert_eq!(run_time(), 3600);
        pass(19).await;
        assert_eq!(clock.now(), before, "those who were cut off have a moment to come back");
        pass(31).await;
        assert!((3628..=3630).contains(&run_time()), "{}", run_time());
        let due = clock.moment(clock.now() + Duration::from_secs(7)) - Instant::now();
        assert_eq!(due.as_secs(), 7, "moments are moved by it");
    }

    #[tokio::test(start_paused = true)]
    async fn a_short_delay_is_no_stall() {
        let clock = watched().await;
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(clock.now(), AGE + Duration::from_secs(4));
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
