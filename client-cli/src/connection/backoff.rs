//! When to dial again after a break: soon, then ever later, spread by chance so that a thousand
//! clients do not come back to a restarted server at once.

use std::time::Duration;

use tokio::time::Instant;

/// The first delay, before chance.
const FIRST: Duration = Duration::from_millis(200);

/// The longest delay while a server is most likely being restarted: whoever waits for it plays on
/// within two seconds of its return.
const LONGEST_AT_FIRST: Duration = Duration::from_secs(1);

/// How long that is.
const AT_FIRST: Duration = Duration::from_secs(15);

/// The longest delay after that.
const LONGEST: Duration = Duration::from_secs(5);

/// How long attempts go on after a break. A server that was restarted by hand is back by then.
const PATIENCE: Duration = Duration::from_secs(120);

/// The delays of one break.
#[derive(Debug)]
pub(super) struct Backoff {
    /// When the last connection was made; the break begins when it is first asked after that.
    connected: Instant,
    broke: Option<Instant>,
    attempts: u32,
}

impl Backoff {
    /// For a connection made now.
    pub(super) fn new(connected: Instant) -> Self {
        Self { connected, broke: None, attempts: 0 }
    }

    /// How long to wait before the next attempt, between half of the full delay and all of it
    /// (`chance` is 0 to 1); none when it is time to give up.
    pub(super) fn next(&mut self, now: Instant, chance: f64) -> Option<Duration> {
        // A server that takes connections and drops them at once is no better than none.
        if self.broke.is_none() && now - self.connected < FIRST {
            self.attempts = 3;
        }
        let broke = *self.broke.get_or_insert(now);
        if now - broke >= PATIENCE {
            return None;
        }
        let longest = if now - broke < AT_FIRST { LONGEST_AT_FIRST } else { LONGEST };
        let full = longest.min(FIRST * 2_u32.pow(self.attempts.min(10)));
        self.attempts += 1;
        Some(full.mul_f64(0.5 + chance.clamp(0.0, 1.0) / 2.0))
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
    async fn a_connection_that_breaks_at_once_waits_longer() {
        let start = Instant::now();
        assert_eq!(Backoff::new(start).next(start, 1.0).unwrap().as_millis(), 1000);
    }
}
