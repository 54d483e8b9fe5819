//! How fast one address may ask over HTTP: as fast as one WebSocket may send. The time is an argument.

use std::net::IpAddr;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::limits::connections::household;
use crate::limits::token_bucket::TokenBucket;
use crate::limits::usage_table::{Usage, UsageTable};

/// Counts the requests of each address.
#[derive(Debug)]
pub(crate) struct RequestRate {
    burst: u32,
    per_second: u32,
    began: Instant,
    by_address: Mutex<UsageTable<IpAddr, TokenBucket>>,
}

impl Usage for TokenBucket {
    fn used(&mut self, now: Duration) -> Option<f64> {
        Some(self.missing_at(now))
    }
}

impl RequestRate {
    /// `burst` requests at once, and `per_second` from then on.
    pub(crate) fn new(burst: u32, per_second: u32) -> Self {
        Self { burst, per_second, began: Instant::now(), by_address: Mutex::default() }
    }

    /// Counts a request. Returns false if it is one too many.
    pub(crate) fn admits(&self, address: IpAddr, now: Instant) -> bool {
        let now = now.saturating_duration_since(self.began);
        let new = || TokenBucket::new(self.burst, self.per_second);
        let mut by_address = self.by_address.lock();
        by_address.entry(household(address), now, new).try_take(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_burst_and_then_its_rate() {
        let rate = RequestRate::new(2, 1);
        let now = Instant::now();
        let [one, other] = ["192.0.2.1", "192.0.2.2"].map(|address| address.parse().unwrap());
        let admits = |address, seconds| rate.admits(address, now + Duration::from_secs(seconds));
        assert_eq!([0, 0, 0, 1, 1].map(|at| admits(one, at)), [true, true, false, true, false]);
        assert!(admits(other, 1));
    }
}
