//! How fast connections may come from one address: as many in a second as it may have, and as many
//! again in ten. Who comes faster waits for their turn, so that a crowd, and whoever is closed for
//! what they send and comes again, holds nobody up. Pure; the time is an argument.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use crate::limits::token_bucket::TokenBucket;

/// In how many seconds an address may open as many connections as it may have: about as long as a
/// class behind one address, whose server was started anew, looks at its screens.
const AGAIN_SECONDS: u32 = 10;

/// Connections that come in without a wait between them: a page's, and some more.
const AT_ONCE: u32 = 16;

/// Addresses that are remembered; beyond that, those that may open all again are forgotten, or
/// else everybody.
const MOST_ADDRESSES: usize = 4096;

/// Counts connections as they come.
#[derive(Debug)]
pub(crate) struct ConnectionRate {
    /// Connections that an address may have.
    most: u32,
    by_address: HashMap<IpAddr, Comings>,
}

/// The connections of one address.
#[derive(Debug)]
struct Comings {
    in_a_second: TokenBucket,
    in_all: TokenBucket,
}

impl ConnectionRate {
    /// For addresses that may have `most` connections.
    pub(crate) fn new(most: usize) -> Self {
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        Self { most, by_address: HashMap::new() }
    }

    /// How long a connection that comes `now` has to wait. Whoever may have no more connections
    /// is not asked for here, so that this is never much longer than `AGAIN_SECONDS`.
    pub(crate) fn wait(&mut self, address: IpAddr, now: Duration) -> Duration {
        if self.by_address.len() >= MOST_ADDRESSES && !self.by_address.contains_key(&address) {
            self.by_address.retain(|_, comings| !comings.in_all.is_full(now));
            if self.by_address.len() >= MOST_ADDRESSES {
                self.by_address.clear();
            }
        }
        let new = || Comings {
            in_a_second: TokenBucket::new(AT_ONCE.min(self.most), self.most),
            in_all: TokenBucket::new(self.most, self.most.div_ceil(AGAIN_SECONDS)),
        };
        let comings = self.by_address.entry(address).or_insert_with(new);
        comings.in_a_second.take(1.0, now).max(comings.in_all.take(1.0, now))
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

    use super::{ConnectionRate, MOST_ADDRESSES};

    fn address(number: usize) -> IpAddr {
        Ipv4Addr::from_bits(number as u32).into()
    }

    #[test]
    fn a_crowd_comes_in_in_a_second_and_whoever_comes_again_waits() {
        let mut arrivals = ConnectionRate::new(300);
        let seconds = Duration::from_secs;
        let mut wait = |number, now| arrivals.wait(address(number), seconds(now));
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
        let mut arrivals = ConnectionRate::new(1);
        for number in 0..3 * MOST_ADDRESSES {
            arrivals.wait(address(number), Duration::ZERO);
        }
        assert!(arrivals.by_address.len() <= MOST_ADDRESSES);
        arrivals.wait(address(0), Duration::ZERO);
        for number in 1..MOST_ADDRESSES {
            arrivals.wait(address(number), Duration::from_secs(60));
        }
        assert!(arrivals.by_address.len() <= MOST_ADDRESSES);
    }
}
