//! The delays between attempts to connect again: short at first, then longer, with random jitter so
//! that many clients do not return to a restarted server at the same time.

use std::time::Duration;

use noughts_protocol::{FIRST_DELAY_MS, LONGEST_DELAY_AT_FIRST_MS, LONGEST_DELAY_MS};
use tokio::time::Instant;

/// The first delay, before jitter.
const SHORTEST: Duration = Duration::from_millis(FIRST_DELAY_MS);

/// The longest delay in the fast phase. A server that restarts is back in that phase, and its
/// players continue within two seconds.
const LONGEST_FAST: Duration = Duration::from_millis(LONGEST_DELAY_AT_FIRST_MS);

/// The length of the fast phase.
const FAST_PHASE: Duration = Duration::from_secs(15);

/// The longest delay after the fast phase.
const LONGEST: Duration = Duration::from_millis(LONGEST_DELAY_MS);

/// A connection that ends sooner counts as a failed attempt: a server that accepts connections and drops
/// them at once is not up yet. The page has the same time.
const SHORT_LIVED: Duration = Duration::from_secs(1);

/// How long attempts go on after a break. A server that is restarted by hand is back by then.
const GIVE_UP_AFTER: Duration = Duration::from_secs(120);

/// The delays of one client.
#[derive(Debug)]
pub(super) struct Backoff {
    /// When the last connection was opened. The break begins at the first call of `next`.
    connected: Instant,
    broke: Option<Instant>,
    /// The attempts since a connection lived longer than [`SHORT_LIVED`].
    attempts: u32,
}

impl Backoff {
    /// The delays for a first connection that was opened now.
    pub(super) fn new(connected: Instant) -> Self {
        Self { connected, broke: None, attempts: 0 }
    }

    /// A connection was opened.
    pub(super) fn connected(&mut self, now: Instant) {
        (self.connected, self.broke) = (now, None);
    }

    /// The wait before the next attempt, between half of the delay and all of it. `jitter` is 0 to
    /// 1. Returns `None` when it is time to give up.
    pub(super) fn next(&mut self, now: Instant, jitter: f64) -> Option<Duration> {
        if self.broke.is_none() && now - self.connected >= SHORT_LIVED {
            self.attempts = 0;
        }
        let broke = *self.broke.get_or_insert(now);
        if now - broke >= GIVE_UP_AFTER {
            return None;
        }
        let longest = if now - broke < FAST_PHASE { LONGEST_FAST } else { LONGEST };
        let full = longest.min(SHORTEST * 2_u32.pow(self.attempts.min(10)));
        self.attempts += 1;
        Some(full.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn delays_double_up_to_the_longest() {
        let start = Instant::now();
        let mut now = start + Duration::from_secs(60);
        let mut backoff = Backoff::new(start);
        let mut delay = || {
            let delay = backoff.next(now, 1.0).unwrap();
            now += delay;
            delay.as_millis()
        };
        let delays: Vec<u128> = (0..20).map(|_| delay()).collect();
        assert_eq!(delays[..4], [200, 400, 800, 1000]);
        // 1.4 s have passed after three, 15.4 s after seventeen.
        assert_eq!(delays[16..], [1000, 5000, 5000, 5000]);
    }

    #[tokio::test]
    async fn chance_halves_a_delay_at_most() {
        let start = Instant::now();
        let later = start + Duration::from_secs(60);
        assert_eq!(Backoff::new(start).next(later, 0.0).unwrap().as_millis(), 100);
    }

    #[tokio::test]
    async fn it_gives_up_after_two_minutes() {
        let start = Instant::now();
        let broke = start + Duration::from_secs(60);
        let mut backoff = Backoff::new(start);
        assert!(backoff.next(broke, 0.5).is_some());
        assert!(backoff.next(broke + Duration::from_secs(119), 0.5).is_some());
        assert!(backoff.next(broke + Duration::from_secs(120), 0.5).is_none());
    }

    #[tokio::test]
    async fn connections_that_break_at_once_wait_longer_and_longer() {
        let mut now = Instant::now();
        let mut backoff = Backoff::new(now);
        let mut delay = |lived| {
            backoff.connected(now);
            now += lived;
            let delay = backoff.next(now, 1.0).unwrap();
            now += delay;
            delay.as_millis()
        };
        let short = SHORT_LIVED / 2;
        let delays = [(); 5].map(|()| delay(short));
        assert_eq!(delays, [200, 400, 800, 1000, 1000]);
        assert_eq!([SHORT_LIVED, short].map(delay), [200, 400]);
    }
}
