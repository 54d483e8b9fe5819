//! How fast one connection may send frames. Pure; the time is an argument.

use std::time::Duration;

use crate::limits::token_bucket::TokenBucket;

/// How many more frames may be refused than are allowed meanwhile. So a connection that always sends
/// more than twice its rate is closed sooner or later.
const MOST_REFUSED: u32 = 100;

/// The same for pings. A client needs few of them, and the server answers each with a write.
const MOST_REFUSED_PINGS: u32 = 10;

/// The fate of a frame.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RateDecision {
    /// Decode it.
    Allow,
    /// Refuse it without decoding it.
    Refuse,
    /// Close the connection.
    Close,
}

/// Limits the frames of one connection.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    frames: TokenBucket,
    /// Frames that were refused, less those that were allowed since.
    refused: u32,
}

impl RateLimiter {
    /// Frames in a row that are not [hurried](Self::is_hurried).
    const CALM: f64 = 2.0;

    /// `burst` frames at once from time zero, then `per_second`.
    pub(crate) fn new(burst: u32, per_second: u32) -> Self {
        Self { frames: TokenBucket::new(burst, per_second), refused: 0 }
    }

    /// Decides on a frame that came at `now`.
    pub(crate) fn check(&mut self, now: Duration) -> RateDecision {
        if self.frames.try_take(now) {
            self.refused = self.refused.saturating_sub(1);
            return RateDecision::Allow;
        }
        self.refused += 1;
        if self.refused > MOST_REFUSED { RateDecision::Close } else { RateDecision::Refuse }
    }

    /// Decides on a ping that came at `now`.
    pub(crate) fn check_ping(&mut self, now: Duration) -> RateDecision {
        match self.check(now) {
            RateDecision::Refuse if self.refused > MOST_REFUSED_PINGS => RateDecision::Close,
            decision => decision,
        }
    }

    /// Whether the last frames came faster than the rate, within the burst. Such a connection lets
    /// the others go first.
    pub(crate) fn is_hurried(&self) -> bool {
        self.frames.missing() > Self::CALM
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{MOST_REFUSED, RateDecision, RateLimiter};

    #[test]
    fn a_burst_is_allowed_then_the_rate_holds_then_a_flood_is_closed() {
        let mut rate = RateLimiter::new(3, 2);
        let at = Duration::from_millis;
        let mut decisions =
            |times: &[u64]| -> Vec<_> { times.iter().map(|ms| rate.check(at(*ms))).collect() };
        use RateDecision::{Allow, Close, Refuse};
        assert_eq!(
            decisions(&[0, 0, 0, 0, 499, 500, 501]),
            [Allow, Allow, Allow, Refuse, Refuse, Allow, Refuse]
        );
        let flood = decisions(&vec![501; MOST_REFUSED as usize]);
        assert_eq!(flood.last(), Some(&Close));
    }

    #[test]
    fn more_than_a_few_frames_at_once_are_a_hurry() {
        let mut rate = RateLimiter::new(20, 10);
        let mut hurried = |ms| {
            rate.check(Duration::from_millis(ms));
            rate.is_hurried()
        };
        assert_eq!(
            [0, 0, 0, 0, 1000, 1100, 1200].map(&mut hurried),
            [false, false, true, true, false, false, false]
        );
    }

    #[test]
    fn pings_are_a_flood_sooner() {
        let mut rate = RateLimiter::new(20, 10);
        let first = (1..).find(|_| rate.check_ping(Duration::ZERO) == RateDecision::Close);
        assert_eq!(first, Some(31));
    }

    /// When a connection that sends `per_second`, of which 10 are allowed, is closed.
    fn closed_at(per_second: u64) -> Option<u64> {
        let mut rate = RateLimiter::new(20, 10);
        let mut times = (0..600 * per_second).map(|number| number * 1000 / per_second);
        times.find(|ms| rate.check(Duration::from_millis(*ms)) == RateDecision::Close)
    }

    #[test]
    fn a_steady_flood_is_closed_though_some_of_it_is_allowed() {
        assert_eq!(closed_at(20), None);
        assert!(closed_at(300).is_some_and(|ms| ms < 1000), "{:?}", closed_at(300));
        assert!(closed_at(30).is_some_and(|ms| ms < 15_000), "{:?}", closed_at(30));
    }
}
