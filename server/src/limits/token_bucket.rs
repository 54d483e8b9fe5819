//! A token bucket: so much at once, and so much again as time passes. Pure; the time is an
//! argument. What is limited by one says so where it is made.

use std::time::Duration;

/// A bucket that refills by itself.
#[derive(Debug)]
pub(crate) struct TokenBucket {
    burst: f64,
    per_second: f64,
    left: f64,
    filled_at: Duration,
}

impl TokenBucket {
    /// A bucket of `burst` that refills with `per_second`, full at time zero.
    pub(crate) fn new(burst: u32, per_second: u32) -> Self {
        Self::with_rate(burst, per_second.into())
    }

    /// A bucket of `burst` that refills within a minute.
    pub(crate) fn per_minute(burst: u32) -> Self {
        Self::with_rate(burst, f64::from(burst) / 60.0)
    }

    fn with_rate(burst: u32, per_second: f64) -> Self {
        let burst = f64::from(burst);
        Self { burst, per_second, left: burst, filled_at: Duration::ZERO }
    }

    /// Takes an amount out, whether it is there or not; how long until the debt is paid.
    pub(crate) fn take(&mut self, amount: f64, now: Duration) -> Duration {
        self.refill(now);
        self.left -= amount;
        Duration::from_secs_f64((-self.left).max(0.0) / self.per_second)
    }

    /// Takes one out, if it is there.
    pub(crate) fn try_take(&mut self, now: Duration) -> bool {
        self.refill(now);
        let is_there = self.left >= 1.0;
        if is_there {
            self.left -= 1.0;
        }
        is_there
    }

    /// Puts back one that was taken out for nothing.
    pub(crate) const fn put_back(&mut self) {
        self.left = (self.left + 1.0).min(self.burst);
    }

    /// How long until one may be taken.
    pub(crate) fn wait(&mut self, now: Duration) -> Duration {
        self.refill(now);
        Duration::from_secs_f64((1.0 - self.left).max(0.0) / self.per_second)
    }

    /// Whether all of it is there.
    pub(crate) fn is_full(&mut self, now: Duration) -> bool {
        self.refill(now);
        self.left >= self.burst
    }

    /// How much was taken out and is not there again.
    pub(crate) fn missing(&self) -> f64 {
        self.burst - self.left
    }

    fn refill(&mut self, now: Duration) {
        let refill = now.saturating_sub(self.filled_at).as_secs_f64() * self.per_second;
        self.left = (self.left + refill).min(self.burst);
        self.filled_at = now;
    }
}
