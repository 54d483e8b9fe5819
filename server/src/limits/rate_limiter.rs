//! How fast a connection may send. Pure; the time is an argument.

use std::time::Duration;

use crate::limits::token_bucket::TokenBucket;

/// Frames over the limit, beyond those within it since, after which the connection is a flood:
/// one that goes on at more than twice its pace is closed sooner or later.
const FLOOD: u32 = 100;

/// The same for pings: a client needs one now and then, and each is answered with a write.
const PING_FLOOD: u32 = 10;

/// What to do with a frame.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Look at it.
    Pass,
    /// Refuse it unread.
    TooFast,
    /// Close the connection.
    Flood,
}

/// How fast a connection's frames may come.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    frames: TokenBucket,
    /// Frames that were refused, less those that passed since.
    refused: u32,
}

impl RateLimiter {
    /// How many frames one after the other are still no hurry.
    const CALM: f64 = 2.0;

    /// `burst` frames at once from time zero, then `per_second`.
    pub(crate) fn new(burst: u32, per_second: u32) -> Self {
        Self { frames: TokenBucket::new(burst, per_second), refused: 0 }
    }

    /// Judges a frame that came at `now`.
    pub(crate) fn judge(&mut self, now: Duration) -> Decision {
        if self.frames.try_take(now) {
            self.refused = self.refused.saturating_sub(1);
            return Decision::Pass;
        }
        self.refused += 1;
        if self.refused > FLOOD { Decision::Flood } else { Decision::TooFast }
    }

    /// Judges a ping that came at `now`.
    pub(crate) fn judge_ping(&mut self, now: Duration) -> Decision {
        match self.judge(now) {
            Decision::TooFast if self.refused > PING_FLOOD => Decision::Flood,
            verdict => verdict,
        }
    }

    /// Whether the last frames came faster than they are to, as far as they may: who sends so lets
    /// others go first.
    pub(crate) fn is_hurried(&self) -> bool {
        self.frames.missing() > Self::CALM
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Decision, FLOOD, RateLimiter};

    #[test]
    fn a_burst_passes_then_the_rate_holds_then_a_flood_is_closed() {
        let mut pace = RateLimiter::new(3, 2);
        let at = Duration::from_millis;
        let mut verdicts =
            |times: &[u64]| -> Vec<_> { times.iter().map(|ms| pace.judge(at(*ms))).collect() };
        use Decision::{Flood, Pass, TooFast};
        assert_eq!(
            verdicts(&[0, 0, 0, 0, 499, 500, 501]),
            [Pass, Pass, Pass, TooFast, TooFast, Pass, TooFast]
        );
        let flood = verdicts(&vec![501; FLOOD as usize]);
        assert_eq!(flood.last(), Some(&Flood));
    }

    #[test]
    fn more_than_a_few_frames_at_once_are_a_hurry() {
        let mut pace = RateLimiter::new(20, 10);
        let mut hurried = |ms| {
            pace.judge(Duration::from_millis(ms));
            pace.is_hurried()
        };
        assert_eq!(
            [0, 0, 0, 0, 1000, 1100, 1200].map(&mut hurried),
            [false, false, true, true, false, false, false]
        );
    }

    #[test]
    fn pings_are_a_flood_sooner() {
        let mut pace = RateLimiter::new(20, 10);
        let first = (1..).find(|_| pace.judge_ping(Duration::ZERO) == Decision::Flood);
        assert_eq!(first, Some(31));
    }

    /// When a connection that sends `per_second`, of which 10 may pass, is closed.
    fn closed_at(per_second: u64) -> Option<u64> {
        let mut pace = RateLimiter::new(20, 10);
        let mut times = (0..600 * per_second).map(|number| number * 1000 / per_second);
        times.find(|ms| pace.judge(Duration::from_millis(*ms)) == Decision::Flood)
    }

    #[test]
    fn a_steady_flood_is_closed_though_some_of_it_passes() {
        assert_eq!(closed_at(20), None);
        assert!(closed_at(300).is_some_and(|ms| ms < 1000), "{:?}", closed_at(300));
        assert!(closed_at(30).is_some_and(|ms| ms < 15_000), "{:?}", closed_at(30));
    }
}
