//! How many connections there may be, in all and from one address. How fast they may come is
//! [`super::connection_rate`]'s.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::limits::AtLimit;

/// Counts connections. It has an entry for each address with a connection and so at most `most` of
/// them. It is no [`super::usage_table`], because none of them may be forgotten.
#[derive(Debug)]
pub(crate) struct ConnectionLimiter {
    most: usize,
    most_per_address: usize,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// A counted connection. Dropping it makes room for another.
#[derive(Debug)]
pub(crate) struct Permit {
    limiter: Arc<ConnectionLimiter>,
    address: IpAddr,
    lingers: AtomicBool,
    is_unlimited: AtomicBool,
}

/// The limit that refuses a connection.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LimitReached {
    Server,
    Address,
}

impl ConnectionLimiter {
    /// At most `most` connections, and `most_per_address` from one address.
    pub(crate) fn new(most: usize, most_per_address: usize) -> Arc<Self> {
        Arc::new(Self { most, most_per_address, counts: Mutex::default() })
    }

    /// Counts a connection until its permit is dropped.
    ///
    /// # Errors
    /// If one of the two limits is reached.
    pub(crate) fn admit(self: &Arc<Self>, address: IpAddr) -> Result<Permit, LimitReached> {
        self.admit_up_to(self.most_per_address, address)
    }

    /// Counts the connection of somebody who only reads. Half of the places are not for readers: pages that show a
    /// game shut out nobody who wants to play.
    ///
    /// # Errors
    /// If half of the places are taken, of the server or of the address.
    pub(crate) fn admit_reader(self: &Arc<Self>, address: IpAddr) -> Result<Permit, LimitReached> {
        if self.count() >= self.most.div_ceil(2) {
            return Err(LimitReached::Server);
        }
        self.admit_up_to(self.most_per_address.div_ceil(2), address)
    }

    /// Counts the connection of a proxy, which has no limit of its own: it carries the connections
    /// of all its clients.
    ///
    /// # Errors
    /// If the server has as many connections as it may.
    pub(crate) fn admit_proxy(self: &Arc<Self>, address: IpAddr) -> Result<Permit, LimitReached> {
        self.admit_up_to(self.most, address)
    }

    fn admit_up_to(
        self: &Arc<Self>,
        most_here: usize,
        address: IpAddr,
    ) -> Result<Permit, LimitReached> {
        let address = household(address);
        let mut counts = self.counts.lock();
        if counts.all >= self.most {
            return Err(LimitReached::Server);
        }
        let from_here = counts.by_address.get(&address).copied().unwrap_or(0);
        if from_here >= most_here {
            return Err(LimitReached::Address);
        }
        counts.all += 1;
        counts.by_address.insert(address, from_here + 1);
        Ok(Permit {
            limiter: Arc::clone(self),
            address,
            lingers: AtomicBool::default(),
            is_unlimited: AtomicBool::default(),
        })
    }

    /// The addresses with as many connections as they may have.
    pub(crate) fn full(&self) -> Vec<AtLimit> {
        let counts = self.counts.lock();
        let full = counts.by_address.iter().filter(|(_, count)| **count >= self.most_per_address);
        let told = full.map(|(address, count)| AtLimit {
            what: "connections of an address".into(),
            who: address.to_string().into(),
            count: *count as u64,
        });
        told.collect()
    }

    /// How many connections there are.
    pub(crate) fn count(&self) -> usize {
        self.counts.lock().all
    }
}

impl Permit {
    /// The IPv4 address, or the /64 of the IPv6 address, that the connection counts for.
    pub(crate) const fn address(&self) -> IpAddr {
        self.address
    }

    /// Whether the connection is read as fast as it sends.
    pub(crate) fn is_unlimited(&self) -> bool {
        self.is_unlimited.load(Ordering::Relaxed)
    }

    /// Has the connection read as fast as it sends: it is that of another node.
    pub(crate) fn set_unlimited(&self) {
        self.is_unlimited.store(true, Ordering::Relaxed);
    }

    /// Whether the server goes on reading for a while after the connection has ended.
    pub(crate) fn lingers(&self) -> bool {
        self.lingers.load(Ordering::Relaxed)
    }

    /// Changes whether the server [goes on reading](Self::lingers).
    pub(crate) fn set_lingers(&self, lingers: bool) {
        self.lingers.store(lingers, Ordering::Relaxed);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut counts = self.limiter.counts.lock();
        counts.all -= 1;
        match counts.by_address.get_mut(&self.address) {
            Some(from_here) if *from_here > 1 => *from_here -= 1,
            _ => drop(counts.by_address.remove(&self.address)),
        }
    }
}

/// A household has one IPv4 address or one IPv6 /64 (RFC 6177), so that a /64 counts as one address.
pub(crate) fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let network = u128::from(v6) & !u128::from(u64::MAX);
            Ipv6Addr::from(network).into()
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::{ConnectionLimiter, LimitReached};

    #[test]
    fn both_limits_hold_and_a_dropped_permit_makes_room() {
        let limiter = ConnectionLimiter::new(3, 2);
        let [here, there, elsewhere] =
            ["2001:db8::1", "2001:db8::2", "192.0.2.1"].map(|a| a.parse().unwrap());
        let first = limiter.admit(here).unwrap();
        let _second = limiter.admit(there).unwrap();
        assert_eq!(limiter.admit(here).unwrap_err(), LimitReached::Address);
        let _third = limiter.admit(elsewhere).unwrap();
        assert_eq!(limiter.admit(elsewhere).unwrap_err(), LimitReached::Server);
        drop(first);
        let _fourth = limiter.admit(there).unwrap();
        assert_eq!(limiter.count(), 3);
    }

    #[test]
    fn readers_leave_half_of_the_places() {
        let [here, there] = ["192.0.2.1", "192.0.2.2"].map(|a| a.parse().unwrap());
        let limiter = ConnectionLimiter::new(6, 4);
        let _readers = [(); 2].map(|()| limiter.admit_reader(here).unwrap());
        assert_eq!(limiter.admit_reader(here).unwrap_err(), LimitReached::Address);
        let _player = limiter.admit(here).unwrap();
        assert_eq!(limiter.admit_reader(there).unwrap_err(), LimitReached::Server);
        assert!(limiter.admit(there).is_ok());
    }

    #[test]
    fn a_proxy_is_bounded_by_the_limit_of_all_alone() {
        let limiter = ConnectionLimiter::new(3, 1);
        let proxy = "127.0.0.1".parse().unwrap();
        let permits: Vec<_> = (0..3).map(|_| limiter.admit_proxy(proxy).unwrap()).collect();
        assert_eq!(limiter.admit_proxy(proxy).unwrap_err(), LimitReached::Server);
        drop(permits);
        assert_eq!(limiter.count(), 0);
    }
}
