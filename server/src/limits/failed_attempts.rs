//! Limits how many unknown tokens, unknown room codes or wrong passwords an address may try, so that
//! guessing is slow and shows in the log. The time is an argument.
//!
//! An address may be a household or a school, and a server that has lost its data folder knows none of
//! their tokens and rooms. So an address may fail once at once for each connection that it may
//! have, and as often again in ten minutes: 256 times unless the host chose otherwise, about 26 a
//! minute for a client that goes on. With a thousand rooms among the 3.2 million codes, that finds
//! one in two hours.
//!
//! The lines of the log that an address causes are limited in the same way ([`crate::metrics`]).

use std::net::IpAddr;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::limits::AtLimit;
use crate::limits::connections::household;
use crate::limits::token_bucket::TokenBucket;
use crate::limits::usage_table::{Usage, UsageTable};

/// How long it takes until every failed attempt of an address is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(600);

/// The log says of one address at most this often that it is over its limit.
const LOGGED_EVERY: Duration = Duration::from_secs(60);

/// Counts failed attempts of one kind.
#[derive(Debug)]
pub(crate) struct FailedAttempts {
    /// The kind of attempt, for the log.
    what: &'static str,
    /// How often an address may fail at once.
    allowed: u32,
    began: Instant,
    by_address: Mutex<UsageTable<IpAddr, Attempts>>,
}

#[derive(Debug)]
struct Attempts {
    left: TokenBucket,
    logged: Option<Duration>,
}

impl Usage for Attempts {
    fn used(&mut self, now: Duration) -> Option<f64> {
        Some(self.left.missing_at(now))
    }
}

impl FailedAttempts {
    /// Lets each address fail `allowed` times in ten minutes.
    pub(crate) fn new(what: &'static str, allowed: usize) -> Self {
        let allowed = u32::try_from(allowed).unwrap_or(u32::MAX);
        Self { what, allowed, began: Instant::now(), by_address: Mutex::default() }
    }

    /// Whether an address has failed too often. It must not learn then whether it is right.
    pub(crate) fn is_blocked(&self, address: IpAddr, now: Instant) -> bool {
        let now = self.since_began(now);
        let mut by_address = self.by_address.lock();
        by_address.get_mut(&household(address)).is_some_and(|attempts| !attempts.left.has_one(now))
    }

    /// Counts a failed attempt, and logs it if the address is blocked. Returns whether it was. The attempts
    /// of a blocked address add no more than what it had left, so that it is forgotten in ten minutes.
    pub(crate) fn record(&self, address: IpAddr, now: Instant) -> bool {
        let now = self.since_began(now);
        let new = || Attempts {
            left: TokenBucket::refilled_in(self.allowed, FORGOTTEN_AFTER),
            logged: None,
        };
        let mut by_address = self.by_address.lock();
        let attempts = by_address.entry(household(address), now, new);
        let was_allowed = attempts.left.take_the_rest(now);
        if !was_allowed && attempts.logged.is_none_or(|logged| now >= logged + LOGGED_EVERY) {
            attempts.logged = Some(now);
            tracing::warn!(%address, "too many {}: no more of them for a while", self.what);
        }
        !was_allowed
    }

    /// The addresses that are refused now, and how often each has failed of late.
    pub(crate) fn refused(&self, now: Instant) -> Vec<AtLimit> {
        let now = self.since_began(now);
        let mut by_address = self.by_address.lock();
        let refused = by_address.iter_mut().filter_map(|(address, attempts)| {
            (!attempts.left.has_one(now)).then(|| AtLimit {
                what: self.what.into(),
                who: address.to_string().into(),
                count: attempts.left.missing_at(now) as u64,
            })
        });
        refused.collect()
    }

    fn since_began(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.began)
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

    use tokio::time::Instant;

    use super::FailedAttempts;
    use crate::limits::usage_table::MOST_IDLE;

    fn address(number: u32) -> IpAddr {
        Ipv4Addr::from_bits(number).into()
    }

    #[test]
    fn attempts_run_out_and_come_back() {
        let codes = FailedAttempts::new("codes", 60);
        let here = address(1);
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        for _ in 0..60 {
            assert!(!codes.is_blocked(here, start));
            codes.record(here, start);
        }
        assert!(codes.is_blocked(here, start));
        assert!(!codes.is_blocked(address(2), start), "each address has its own");
        let [one, other] = ["2001:db8::1", "2001:db8::2"].map(|address| address.parse().unwrap());
        for _ in 0..60 {
            codes.record(one, start);
        }
        assert!(codes.is_blocked(other, start), "a household has one");
        assert!(codes.is_blocked(here, after(9)));
        assert!(!codes.is_blocked(here, after(10)), "one comes back every ten seconds");
        for _ in 0..1000 {
            codes.record(here, after(10));
        }
        assert!(codes.is_blocked(here, after(19)));
        assert!(!codes.is_blocked(here, after(20)), "what is refused adds no more");
    }

    #[test]
    fn the_table_is_bounded_and_keeps_the_worst() {
        let tokens = FailedAttempts::new("tokens", 2);
        let now = Instant::now();
        let worst = address(7);
        tokens.record(worst, now);
        tokens.record(worst, now);
        let later = now + Duration::from_secs(600);
        let count = || tokens.by_address.lock().iter().count();
        for number in 100..100 + 2 * MOST_IDLE as u32 {
            tokens.record(address(number), now);
            assert!(count() <= MOST_IDLE);
        }
        assert!(tokens.is_blocked(worst, now));
        for number in 0..MOST_IDLE as u32 {
            tokens.record(address(u32::MAX - number), later);
        }
        assert!(tokens.by_address.lock().get(&worst).is_none(), "the old ones are forgotten");
    }
}
