//! A token bucket: so many tokens at once, and new ones as time passes. Pure; the time is an
//! argument. Not the crate `governor`, because that cannot refund a token.

use std::time::Duration;

/// A bucket that refills by itself.
#[derive(Debug)]
pub(crate) struct TokenBucket {
    burst: f64,
    per_second: f64,
    /// Negative after [`TokenBucket::take`] took more than there was.
    left: f64,
    filled_at: Duration,
}

impl TokenBucket {
    /// A bucket of `burst` that refills with `per_second`, full at time zero.
    pub(crate) fn new(burst: u32, per_second: u32) -> Self {
        Self::with_rate(burst, per_second.into())
    }

    /// A bucket of `burst` that refills in `time` from empty to full, full at time zero.
    pub(crate) fn refilled_in(burst: u32, time: Duration) -> Self {
        Self::with_rate(burst, f64::from(burst) / time.as_secs_f64())
    }

    fn with_rate(burst: u32, per_second: f64) -> Self {
        let burst = f64::from(burst);
        Self { burst, per_second, left: burst, filled_at: Duration::ZERO }
    }

    /// Takes an amount, even if that is more than there is. Returns how long it takes until the
    /// debt is paid.
    pub(crate) fn take(&mut self, amount: f64, now: Duration) -> Duration {
        self.refill(now);
        self.left -= amount;
        Duration::from_secs_f64((-self.left).max(0.0) / self.per_second)
    }

    /// Takes one token if there is one.
    pub(crate) fn try_take(&mut self, now: Duration) -> bool {
        let has_one = self.has_one(now);
        if has_one {
            self.left -= 1.0;
        }
        has_one
    }

    /// Takes one token, or what is left of one. Returns whether there was one.
    pub(crate) fn take_the_rest(&mut self, now: Duration) -> bool {
        let took = self.try_take(now);
        if !took {
            self.left = self.left.min(0.0);
        }
        took
    }

    /// Puts one token back that was taken for nothing.
    pub(crate) const fn refund(&mut self) {
        self.left = (self.left + 1.0).min(self.burst);
    }

    /// Whether a token may be taken.
    pub(crate) fn has_one(&mut self, now: Duration) -> bool {
        self.refill(now);
        self.left >= 1.0
    }

    /// How long it takes until a token may be taken.
    pub(crate) fn wait(&mut self, now: Duration) -> Duration {
        self.refill(now);
        Duration::from_secs_f64((1.0 - self.left).max(0.0) / self.per_second)
    }

    /// How many tokens are missing now; 0 if the bucket is full.
    pub(crate) fn missing_at(&mut self, now: Duration) -> f64 {
        self.refill(now);
        self.missing()
    }

    /// How many tokens were missing when the bucket was last used.
    pub(crate) fn missing(&self) -> f64 {
        self.burst - self.left
    }

    fn refill(&mut self, now: Duration) {
        let refill = now.saturating_sub(self.filled_at).as_secs_f64() * self.per_second;
        self.left = (self.left + refill).min(self.burst);
        self.filled_at = now;
    }
}
