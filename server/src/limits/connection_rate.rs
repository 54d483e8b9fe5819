//! How fast connections may come from one address: as many in a second as it may have, and as many
//! again in ten seconds. A connection that comes faster waits for its turn, so that a crowd, or a
//! client that is closed and comes again, delays nobody else. Pure; the time is an argument.

use std::net::IpAddr;
use std::time::Duration;

use crate::limits::token_bucket::TokenBucket;
use crate::limits::usage_table::{Usage, UsageTable};

/// In how many seconds an address may open as many connections as it may have. After a restart of
/// the server, a class behind one address looks at its screens for about as long.
const AGAIN_SECONDS: u32 = 10;

/// Connections that come in without a wait between them: a page's, and some more.
const AT_ONCE: u32 = 16;

/// Says how long each connection has to wait.
#[derive(Debug)]
pub(crate) struct ConnectionRate {
    /// Connections that an address may have.
    most: u32,
    by_address: UsageTable<IpAddr, Buckets>,
}

/// The use of one address.
#[derive(Debug)]
struct Buckets {
    in_a_second: TokenBucket,
    in_all: TokenBucket,
}

impl Usage for Buckets {
    fn used(&mut self, now: Duration) -> Option<f64> {
        Some(self.in_all.missing_at(now))
    }
}

impl ConnectionRate {
    /// For addresses that may have `most` connections.
    pub(crate) fn new(most: usize) -> Self {
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        Self { most, by_address: UsageTable::default() }
    }

    /// How long a connection that comes `now` has to wait. The caller has refused the connections
    /// beyond `most`, so that this is never much longer than [`AGAIN_SECONDS`].
    pub(crate) fn wait(&mut self, address: IpAddr, now: Duration) -> Duration {
        let new = || Buckets {
            in_a_second: TokenBucket::new(AT_ONCE.min(self.most), self.most),
            in_all: TokenBucket::new(self.most, self.most.div_ceil(AGAIN_SECONDS)),
        };
        let buckets = self.by_address.entry(address, now, new);
        buckets.in_a_second.take(1.0, now).max(buckets.in_all.take(1.0, now))
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

    use super::ConnectionRate;
    use crate::limits::usage_table::MOST_IDLE;

    fn address(number: usize) -> IpAddr {
        Ipv4Addr::from_bits(number as u32).into()
    }

    #[test]
    fn a_crowd_comes_in_in_a_second_and_whoever_comes_again_waits() {
        let mut rate = ConnectionRate::new(300);
        let seconds = Duration::from_secs;
        let mut wait = |number, now| rate.wait(address(number), seconds(now));
        let crowd: Vec<_> = (0..300).map(|_| wait(1, 5)).collect();
        assert!(crowd[..16].iter().all(Duration::is_zero));
        assert!(crowd.is_sorted());
        assert!(crowd[16] > Duration::ZERO && crowd[299] < seconds(1), "{:?}", crowd[299]);
        let waits: Vec<_> = (0..60).map(|_| wait(1, 5)).collect();
        assert!(waits.is_sorted());
        assert_eq!(waits.last(), Some(&seconds(2)));
        assert!(wait(2, 5).is_zero(), "another's turn is their own");
        assert!((0..240).all(|_| wait(1, 15) < seconds(1)));
        assert!(wait(1, 15) < wait(1, 15));
    }

    #[test]
    fn the_table_is_bounded() {
        let mut rate = ConnectionRate::new(1);
        for number in 0..3 * MOST_IDLE {
            rate.wait(address(number), Duration::ZERO);
        }
        assert!(rate.by_address.iter().count() <= MOST_IDLE);
        rate.wait(address(0), Duration::ZERO);
        for number in 1..MOST_IDLE {
            rate.wait(address(number), Duration::from_secs(60));
        }
        assert!(rate.by_address.iter().count() <= MOST_IDLE);
    }
}
