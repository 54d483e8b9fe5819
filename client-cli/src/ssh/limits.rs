//! The limits of the door, which are pure: connections of an address, connections that have not said
//! who they are, failed logins, and the bytes of a connection.

use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use tokio::time::Instant;

/// Connections at once that have logged in. Those that log in at the moment come on top.
pub(crate) const MAX_CONNECTIONS: usize = 2_000;

/// Connections at once from one address, as many as a server allows by default.
pub(crate) const MAX_PER_ADDRESS: usize = 256;

/// Connections at once that have not logged in. One more ends the oldest, so that a flood of them holds
/// nobody up.
pub(crate) const MAX_HALF_OPEN: usize = 256;

/// The same of one address.
pub(crate) const MAX_HALF_OPEN_PER_ADDRESS: usize = 32;

/// Failed logins of one address in [`FAILURE_TIME`]. Without a key one comes in as a guest, so that people
/// have none: programs that guess passwords have.
pub(crate) const MAX_FAILURES: usize = 20;

/// How long a failed login counts.
const FAILURE_TIME: Duration = Duration::from_secs(60);

/// Failed logins that are remembered. Of more the oldest are forgotten.
const MAX_REMEMBERED: usize = 4_096;

/// Login attempts of one connection.
pub(crate) const MAX_ATTEMPTS: usize = 8;

/// How long the exchange of keys may take.
pub(crate) const EXCHANGE_TIME: Duration = Duration::from_secs(20);

/// How long a login may take after it: a person types the passphrase of a key.
pub(crate) const LOGIN_TIME: Duration = Duration::from_secs(120);

/// How long a connection may have no session.
pub(crate) const WITHOUT_SESSION: Duration = Duration::from_secs(20);

/// A session without a key for so long ends.
pub(crate) const IDLE_TIME: Duration = Duration::from_secs(2 * 60 * 60);

/// How long sessions have to say goodbye.
pub(crate) const STOP_TIME: Duration = Duration::from_secs(5);

/// Bytes a second that a connection may send. It waits if it sends more.
const BYTES_PER_SECOND: u32 = 32 * 1024;

/// Bytes that it may send at once before: a paste.
const BURST: u32 = 128 * 1024;

/// Counts the connections and decides about new ones. `T` is the handle that ends a connection.
#[derive(Debug)]
pub(crate) struct Limits<T> {
    /// The connections by their numbers: the oldest comes first.
    connections: BTreeMap<u64, Visit<T>>,
    last_number: u64,
    /// The failed logins, the oldest first.
    failures: VecDeque<(Instant, IpAddr)>,
}

#[derive(Debug)]
struct Visit<T> {
    network: IpAddr,
    /// How to end it, as long as it has not logged in.
    half_open: Option<T>,
}

impl<T> Default for Limits<T> {
    fn default() -> Self {
        Self { connections: BTreeMap::new(), last_number: 0, failures: VecDeque::new() }
    }
}

impl<T> Limits<T> {
    /// Counts a connection. Returns its number, and the connection that ends for it.
    ///
    /// # Errors
    /// If there are too many. The text says so.
    pub(crate) fn admit(
        &mut self,
        address: IpAddr,
        now: Instant,
        end: T,
    ) -> Result<(u64, Option<T>), &'static str> {
        let network = network(address);
        let recent = |failed: Instant| now.saturating_duration_since(failed) < FAILURE_TIME;
        let failed = self.failures.iter().filter(|(at, of)| *of == network && recent(*at));
        if failed.count() >= MAX_FAILURES {
            return Err("too many failed logins from your address: wait a minute");
        }
        let visits = self.connections.values();
        if visits.clone().filter(|visit| visit.network == network).count() >= MAX_PER_ADDRESS {
            return Err("too many connections from your address");
        }
        if visits.filter(|visit| visit.half_open.is_none()).count() >= MAX_CONNECTIONS {
            return Err("everything is taken here: try again later");
        }
        let oldest = self
            .oldest_half_open(MAX_HALF_OPEN_PER_ADDRESS, |visit| visit.network == network)
            .or_else(|| self.oldest_half_open(MAX_HALF_OPEN, |_| true));
        let ended = oldest.and_then(|number| self.connections.remove(&number));
        self.last_number += 1;
        self.connections.insert(self.last_number, Visit { network, half_open: Some(end) });
        Ok((self.last_number, ended.and_then(|visit| visit.half_open)))
    }

    /// The oldest half-open connection of some, if there are `most` of them.
    fn oldest_half_open(&self, most: usize, some: impl Fn(&Visit<T>) -> bool) -> Option<u64> {
        let half_open = |(_, visit): &(&u64, &Visit<T>)| visit.half_open.is_some() && some(visit);
        let mut all = self.connections.iter().filter(half_open);
        let oldest = *all.next()?.0;
        (all.count() + 1 >= most).then_some(oldest)
    }

    /// A connection has logged in.
    pub(crate) fn logged_in(&mut self, number: u64) {
        if let Some(visit) = self.connections.get_mut(&number) {
            visit.half_open = None;
        }
    }

    /// A connection has ended.
    pub(crate) fn leave(&mut self, number: u64) {
        self.connections.remove(&number);
    }

    /// A login from this address has failed.
    pub(crate) fn failed(&mut self, address: IpAddr, now: Instant) {
        self.failures.push_back((now, network(address)));
        while self.failures.len() > MAX_REMEMBERED {
            self.failures.pop_front();
        }
    }
}

/// The network of one customer: an IPv4 address, or the /64 of an IPv6 address.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// A token bucket of bytes: [`BURST`] at once, then [`BYTES_PER_SECOND`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ByteBucket {
    /// When the bucket is full again.
    full: Option<Instant>,
}

impl ByteBucket {
    /// Takes bytes that have been read. Returns how long to wait before more are read.
    pub(crate) fn take(&mut self, bytes: usize, now: Instant) -> Duration {
        let time = |bytes: u32| Duration::from_secs(1) * bytes / BYTES_PER_SECOND;
        let cost = time(u32::try_from(bytes).unwrap_or(BURST));
        let full = self.full.unwrap_or(now).max(now) + cost;
        self.full = Some(full);
        full.saturating_duration_since(now).saturating_sub(time(BURST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// Fails if a flood of half-open connections keeps others out, or ends a connection that has logged in.
    #[test]
    fn the_oldest_half_open_connection_goes() {
        let now = Instant::now();
        let mut limits = Limits::default();
        let (player, _) = limits.admit(address("192.0.2.1"), now, 0).unwrap();
        limits.logged_in(player);
        for number in 0..MAX_HALF_OPEN_PER_ADDRESS {
            assert_eq!(limits.admit(address("192.0.2.1"), now, number).unwrap().1, None);
        }
        assert_eq!(limits.admit(address("::ffff:192.0.2.1"), now, 99).unwrap().1, Some(0));
        let others = MAX_HALF_OPEN - MAX_HALF_OPEN_PER_ADDRESS;
        for host in 0..others {
            let other = IpAddr::from([10, 0, 0, u8::try_from(host).unwrap()]);
            assert_eq!(limits.admit(other, now, 1_000 + host).unwrap().1, None);
        }
        let (last, ended) = limits.admit(address("198.51.100.7"), now, 7).unwrap();
        assert_eq!(ended, Some(1));
        limits.leave(last);
        assert_eq!(limits.admit(address("198.51.100.7"), now, 8).unwrap().1, None);
    }

    #[test]
    fn an_address_has_so_many_connections() {
        let now = Instant::now();
        let mut limits = Limits::default();
        let numbers: Vec<_> = (0..MAX_PER_ADDRESS)
            .map(|host| {
                let address = address(&format!("2001:db8::{host:x}"));
                let (number, _) = limits.admit(address, now, ()).unwrap();
                limits.logged_in(number);
                number
            })
            .collect();
        assert!(limits.admit(address("2001:db8::ffff:1"), now, ()).is_err());
        assert!(limits.admit(address("2001:db8:0:1::1"), now, ()).is_ok());
        limits.leave(numbers[3]);
        assert!(limits.admit(address("2001:db8::ffff:1"), now, ()).is_ok());
    }

    #[test]
    fn failed_logins_close_the_door_for_a_minute() {
        let now = Instant::now();
        let mut limits = Limits::default();
        for _ in 0..MAX_FAILURES {
            limits.failed(address("192.0.2.1"), now);
        }
        assert!(limits.admit(address("192.0.2.1"), now, ()).is_err());
        assert!(limits.admit(address("192.0.2.2"), now, ()).is_ok());
        assert!(limits.admit(address("192.0.2.1"), now + FAILURE_TIME, ()).is_ok());
    }

    #[test]
    fn bytes_beyond_a_paste_wait() {
        let now = Instant::now();
        let mut bucket = ByteBucket::default();
        assert_eq!(bucket.take(BURST as usize, now), Duration::ZERO);
        assert_eq!(bucket.take(BYTES_PER_SECOND as usize, now), Duration::from_secs(1));
        let later = now + Duration::from_secs(3);
        assert_eq!(bucket.take(BYTES_PER_SECOND as usize, later), Duration::ZERO);
    }
}
