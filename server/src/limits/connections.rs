//! How many connections there may be, in all and from one address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Counts connections. The table holds an entry for each address with a connection, so that it is
/// bounded by `most`.
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

/// A counted connection; dropping it makes room for another.
#[derive(Debug)]
pub(crate) struct Permit {
    gate: Arc<ConnectionLimiter>,
    address: IpAddr,
    /// What still comes over the connection is heard when it has ended.
    lingers: AtomicBool,
}

/// Why somebody may not connect.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The server has as many connections as it may.
    Full,
    /// The address has.
    Address,
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (status, message) = match self {
            Self::Full => {
                (StatusCode::SERVICE_UNAVAILABLE, "this server is full: try again later\n")
            }
            Self::Address => {
                (StatusCode::TOO_MANY_REQUESTS, "too many connections from your address\n")
            }
        };
        (status, [(header::RETRY_AFTER, "10")], message).into_response()
    }
}

impl ConnectionLimiter {
    /// At most `most` connections, and `most_per_address` from one address.
    pub(crate) fn new(most: usize, most_per_address: usize) -> Arc<Self> {
        Arc::new(Self { most, most_per_address, counts: Mutex::default() })
    }

    /// Counts a connection in.
    ///
    /// # Errors
    /// Where one of the two limits is reached.
    pub(crate) fn admit(self: &Arc<Self>, address: IpAddr) -> Result<Permit, Refused> {
        self.admit_up_to(self.most_per_address, address)
    }

    /// Counts the connection of a proxy in, which may have any number of them: they are those of
    /// all its visitors.
    ///
    /// # Errors
    /// Where there are as many as there may be in all.
    pub(crate) fn admit_proxy(self: &Arc<Self>, address: IpAddr) -> Result<Permit, Refused> {
        self.admit_up_to(self.most, address)
    }

    fn admit_up_to(self: &Arc<Self>, most_here: usize, address: IpAddr) -> Result<Permit, Refused> {
        let address = whose(address);
        let mut counts = self.lock();
        if counts.all >= self.most {
            return Err(Refused::Full);
        }
        let from_here = counts.by_address.get(&address).copied().unwrap_or(0);
        if from_here >= most_here {
            return Err(Refused::Address);
        }
        counts.all += 1;
        counts.by_address.insert(address, from_here + 1);
        Ok(Permit { gate: Arc::clone(self), address, lingers: AtomicBool::new(false) })
    }

    /// How many connections there are.
    pub(crate) fn connections(&self) -> usize {
        self.lock().all
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit {
    /// Whose connection it is: an IPv4 address, or the /64 of an IPv6 address.
    pub(crate) const fn address(&self) -> IpAddr {
        self.address
    }

    /// Whether what still comes over the connection is heard when it has ended.
    pub(crate) fn lingers(&self) -> bool {
        self.lingers.load(Ordering::Relaxed)
    }

    /// Sets that.
    pub(crate) fn set_lingers(&self, lingers: bool) {
        self.lingers.store(lingers, Ordering::Relaxed);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut counts = self.gate.lock();
        counts.all -= 1;
        match counts.by_address.get_mut(&self.address) {
            Some(from_here) if *from_here > 1 => *from_here -= 1,
            _ => drop(counts.by_address.remove(&self.address)),
        }
    }
}

/// One household has one IPv4 address or one IPv6 /64 (RFC 6177), which is counted as one.
fn whose(address: IpAddr) -> IpAddr {
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
    use super::{ConnectionLimiter, Refused};

    #[test]
    fn both_limits_hold_and_a_dropped_pass_makes_room() {
        let gate = ConnectionLimiter::new(3, 2);
        let [here, there, elsewhere] =
            ["2001:db8::1", "2001:db8::2", "192.0.2.1"].map(|a| a.parse().unwrap());
        let first = gate.admit(here).unwrap();
        let _second = gate.admit(there).unwrap();
        assert_eq!(gate.admit(here).unwrap_err(), Refused::Address);
        let _third = gate.admit(elsewhere).unwrap();
        assert_eq!(gate.admit(elsewhere).unwrap_err(), Refused::Full);
        drop(first);
        let _fourth = gate.admit(there).unwrap();
        assert_eq!(gate.connections(), 3);
    }

    #[test]
    fn a_proxy_is_bounded_by_the_limit_of_all_alone() {
        let gate = ConnectionLimiter::new(3, 1);
        let proxy = "127.0.0.1".parse().unwrap();
        let passes: Vec<_> = (0..3).map(|_| gate.admit_proxy(proxy).unwrap()).collect();
        assert_eq!(gate.admit_proxy(proxy).unwrap_err(), Refused::Full);
        drop(passes);
        assert_eq!(gate.connections(), 0);
    }
}
