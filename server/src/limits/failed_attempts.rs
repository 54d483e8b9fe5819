//! Who names tokens or room codes that are not: counted for each address, so that guessing is slow
//! and shows in the log. Pure; the time is an argument.
//!
//! An address may be a household or a school, and a server that was started anew knows none of
//! their tokens and rooms. So each connection that an address may have is allowed one wrong guess
//! at once, and all of them again ten minutes later: 256 unless the host chose otherwise, about
//! 26 a minute for whoever keeps guessing. With a thousand rooms among the 3.2 million codes, that
//! finds one in two hours.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long it takes until every guess of an address is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(600);

/// An address over its limit is told of in the log at most this often.
const TOLD_EVERY: Duration = Duration::from_secs(60);

/// Addresses that are counted; beyond that, whoever guessed least is forgotten.
const MOST_ADDRESSES: usize = 4096;

/// Counts wrong guesses of one kind.
#[derive(Debug)]
pub(crate) struct FailedAttempts {
    /// What is guessed, for the log.
    what: &'static str,
    allowed: f64,
    by_address: Mutex<HashMap<IpAddr, Count>>,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    /// Wrong guesses, less what has been forgotten.
    wrong: f64,
    at: Instant,
    told: Option<Instant>,
}

impl FailedAttempts {
    /// Lets each address guess wrong `allowed` times in ten minutes.
    pub(crate) fn new(what: &'static str, allowed: usize) -> Self {
        Self { what, allowed: allowed as f64, by_address: Mutex::default() }
    }

    /// Whether an address has guessed too often, so that nothing shall be told to it.
    pub(crate) fn are_spent(&self, address: IpAddr, now: Instant) -> bool {
        let counts = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(&address).is_some_and(|count| self.left_at(count, now) < 1.0)
    }

    /// Counts a wrong guess, also of an address that has no more, which the log then tells.
    pub(crate) fn wrong(&self, address: IpAddr, now: Instant) {
        let mut counts = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= MOST_ADDRESSES && !counts.contains_key(&address) {
            self.make_room(&mut counts, now);
        }
        let count = counts.entry(address).or_insert(Count { wrong: 0.0, at: now, told: None });
        let left = self.left_at(count, now);
        // No more than all is counted, so that the way back is no longer than ten minutes.
        (count.wrong, count.at) = (self.allowed - (left - 1.0).max(0.0), now);
        if left < 1.0 && count.told.is_none_or(|told| now >= told + TOLD_EVERY) {
            count.told = Some(now);
            tracing::warn!(%address, "too many wrong {}: refusing more for a while", self.what);
        }
    }

    /// FailedAttempts that an address has left.
    fn left_at(&self, count: &Count, now: Instant) -> f64 {
        let forgotten = now.saturating_duration_since(count.at).as_secs_f64()
            / FORGOTTEN_AFTER.as_secs_f64()
            * self.allowed;
        self.allowed - (count.wrong - forgotten).max(0.0)
    }

    /// Forgets who has all guesses again, or else who guessed least.
    fn make_room(&self, counts: &mut HashMap<IpAddr, Count>, now: Instant) {
        counts.retain(|_, count| self.left_at(count, now) < self.allowed);
        if counts.len() >= MOST_ADDRESSES {
            let left = |count: &Count| self.left_at(count, now);
            let most_left = counts.iter().max_by(|a, b| left(a.1).total_cmp(&left(b.1)));
            if let Some(address) = most_left.map(|(address, _)| *address) {
                counts.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{FailedAttempts, MOST_ADDRESSES};

    fn address(number: u32) -> IpAddr {
        Ipv4Addr::from_bits(number).into()
    }

    #[test]
    fn guesses_are_spent_and_come_back() {
        let guesses = FailedAttempts::new("codes", 60);
        let (here, start) = (address(1), Instant::now());
        let after = |seconds| start + Duration::from_secs(seconds);
        for _ in 0..60 {
            assert!(!guesses.are_spent(here, start));
            guesses.wrong(here, start);
        }
        assert!(guesses.are_spent(here, start));
        assert!(!guesses.are_spent(address(2), start), "another's are their own");
        assert!(guesses.are_spent(here, after(9)));
        assert!(!guesses.are_spent(here, after(10)), "one comes back every ten seconds");
        for _ in 0..1000 {
            guesses.wrong(here, after(10));
        }
        assert!(guesses.are_spent(here, after(19)));
        assert!(!guesses.are_spent(here, after(20)), "what is refused adds no more");
    }

    #[test]
    fn the_table_is_bounded_and_keeps_the_worst() {
        let guesses = FailedAttempts::new("tokens", 2);
        let now = Instant::now();
        let worst = address(7);
        guesses.wrong(worst, now);
        guesses.wrong(worst, now);
        for number in 100..100 + 2 * MOST_ADDRESSES as u32 {
            guesses.wrong(address(number), now);
        }
        assert!(guesses.are_spent(worst, now));
        assert!(guesses.by_address.lock().unwrap().len() <= MOST_ADDRESSES);
        let later = now + Duration::from_secs(600);
        guesses.wrong(address(8), later);
        assert_eq!(guesses.by_address.lock().unwrap().len(), 1, "the others are forgotten");
    }
}
