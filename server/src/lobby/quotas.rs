//! How many rooms a player and an address may have, and how many they may make in a minute. Pure:
//! the time is an argument. The rooms are in the [`super::registry`].
//!
//! A room counts for the player who made it and for their address, until it ends. An address is a
//! household or a school, so its limits follow from the connections it may have: each of them can
//! make a room in the same minute, and can have left three rooms behind. Addresses are not stored,
//! so the rooms of an earlier run of the server have none.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use noughts_protocol::{PlayerId, Refusal, RefusalCode, RoomCode};
use parking_lot::Mutex;

use crate::config::rooms::RoomLimits;
use crate::limits::AtLimit;
use crate::limits::token_bucket::TokenBucket;
use crate::limits::usage_table::{Usage, UsageTable};

/// The time after which a player or an address may make as many rooms again.
const MINUTE: Duration = Duration::from_secs(60);

/// The player who made a room, and their address. It is `None` for a room of an earlier run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) player: PlayerId,
    pub(crate) address: Option<IpAddr>,
}

/// Counts rooms. A player or an address with a room is in use and so never forgotten; there are at
/// most as many of them as rooms.
#[derive(Debug)]
pub(crate) struct Quotas {
    limits: RoomLimits,
    counts: Mutex<QuotaTables>,
}

#[derive(Debug, Default)]
struct QuotaTables {
    players: UsageTable<PlayerId, PlayerUsage>,
    addresses: UsageTable<Option<IpAddr>, AddressUsage>,
}

#[derive(Debug)]
struct PlayerUsage {
    rooms: u32,
    waiting: u32,
    made: TokenBucket,
}

#[derive(Debug)]
struct AddressUsage {
    /// The rooms, and the players who made them.
    rooms: BTreeMap<RoomCode, PlayerId>,
    made: TokenBucket,
}

impl Quotas {
    /// Quotas for a server without rooms.
    pub(crate) fn new(limits: RoomLimits) -> Self {
        Self { limits, counts: Mutex::default() }
    }

    /// The configured limits.
    pub(crate) const fn limits(&self) -> RoomLimits {
        self.limits
    }

    /// Whether `owner` may make a room now. `waiting` says that it would have an open seat.
    ///
    /// # Errors
    /// If the owner has, or has just made, as many rooms as allowed.
    pub(crate) fn check(&self, owner: Owner, waiting: bool, now: Duration) -> Result<(), Refusal> {
        self.check_in(&mut self.counts.lock(), owner, waiting, now)
    }

    fn check_in(
        &self,
        counts: &mut QuotaTables,
        owner: Owner,
        waiting: bool,
        now: Duration,
    ) -> Result<(), Refusal> {
        let RoomLimits { per_player, waiting: most_waiting, .. } = self.limits;
        let new = || PlayerUsage::new(&self.limits);
        let of_player = counts.players.entry(owner.player, now, new);
        if of_player.rooms >= per_player {
            return Err(too_many(format!(
                "you have {per_player} rooms, which is as many as this server allows: leave one \
                 first, or wait until one that nobody is in has ended"
            )));
        }
        if waiting && of_player.waiting >= most_waiting {
            return Err(too_many(format!(
                "you have {most_waiting} rooms waiting for somebody, which is as many as this \
                 server allows: leave one first, or wait until one that nobody is in has ended"
            )));
        }
        let wait = of_player.made.wait(now);
        if !wait.is_zero() {
            return Err(too_fast("you have made", wait));
        }
        let new = || AddressUsage::new(&self.limits);
        let wait = counts.addresses.entry(owner.address, now, new).made.wait(now);
        if !wait.is_zero() {
            return Err(too_fast("others at your address and you have made", wait));
        }
        Ok(())
    }

    /// Counts a room that is being made. The caller [places](Self::place) or
    /// [releases](Self::release) it.
    ///
    /// # Errors
    /// As for [`Self::check`].
    pub(crate) fn take(&self, owner: Owner, waiting: bool, now: Duration) -> Result<(), Refusal> {
        let mut counts = self.counts.lock();
        self.check_in(&mut counts, owner, waiting, now)?;
        let of_player = self.player(&mut counts, owner.player);
        of_player.rooms += 1;
        of_player.waiting += u32::from(waiting);
        of_player.made.try_take(now);
        self.address(&mut counts, owner.address).made.try_take(now);
        Ok(())
    }

    /// Whether an address has as many rooms as allowed.
    pub(crate) fn is_full(&self, address: Option<IpAddr>) -> bool {
        let rooms = self.counts.lock().addresses.get(&address).map_or(0, |of| of.rooms.len());
        address.is_some() && rooms >= self.limits.per_address as usize
    }

    /// The players and the addresses that may make no room now, and how many they have.
    pub(crate) fn at_limit(&self, now: Duration) -> Vec<AtLimit> {
        let RoomLimits { per_player, waiting, per_address, .. } = self.limits;
        let mut counts = self.counts.lock();
        let QuotaTables { players, addresses } = &mut *counts;
        let players = players.iter_mut().filter_map(|(player, of)| {
            let is_full = of.rooms >= per_player || of.waiting >= waiting;
            (is_full || !of.made.has_one(now)).then(|| AtLimit {
                what: "rooms of a player".into(),
                who: player.to_string().into(),
                count: of.rooms.into(),
            })
        });
        let addresses = addresses.iter_mut().filter_map(|(address, of)| {
            let is_full = of.rooms.len() >= per_address as usize || !of.made.has_one(now);
            let address = address.filter(|_| is_full)?;
            Some(AtLimit {
                what: "rooms of an address".into(),
                who: address.to_string().into(),
                count: of.rooms.len() as u64,
            })
        });
        players.chain(addresses).collect()
    }

    /// Records the code of a counted room.
    pub(crate) fn place(&self, owner: Owner, room: RoomCode) {
        let mut counts = self.counts.lock();
        self.address(&mut counts, owner.address).rooms.insert(room, owner.player);
    }

    /// Counts a room of an earlier run, also above the limits.
    pub(crate) fn restore(&self, owner: Owner, room: RoomCode) {
        let mut counts = self.counts.lock();
        self.player(&mut counts, owner.player).rooms += 1;
        self.address(&mut counts, owner.address).rooms.insert(room, owner.player);
    }

    /// A room has ended or, without a code, was not made. `waiting` is as in [`Self::take`].
    pub(crate) fn release(&self, owner: Owner, room: Option<RoomCode>, waiting: bool) {
        let mut counts = self.counts.lock();
        if let Some(of_player) = counts.players.get_mut(&owner.player) {
            of_player.rooms = of_player.rooms.saturating_sub(1);
            of_player.waiting = of_player.waiting.saturating_sub(waiting.into());
            if room.is_none() {
                of_player.made.refund();
            }
        }
        match (room, counts.addresses.get_mut(&owner.address)) {
            (Some(room), Some(of_address)) => drop(of_address.rooms.remove(&room)),
            (None, Some(of_address)) => of_address.made.refund(),
            (_, None) => {}
        }
    }

    /// An evicted room no longer counts for its address.
    pub(crate) fn unplace(&self, address: Option<IpAddr>, room: RoomCode) {
        if let Some(of_address) = self.counts.lock().addresses.get_mut(&address) {
            of_address.rooms.remove(&room);
        }
    }

    /// A room of a player waits for an opponent, or no more.
    pub(crate) fn set_waiting(&self, player: PlayerId, waiting: bool) {
        let mut counts = self.counts.lock();
        if waiting {
            self.player(&mut counts, player).waiting += 1;
        } else if let Some(of_player) = counts.players.get_mut(&player) {
            of_player.waiting = of_player.waiting.saturating_sub(1);
        }
    }

    /// The addresses whose rooms may be evicted for a new room of `address` on a full server: the
    /// addresses with more rooms and `address` itself, most rooms first. An address with few rooms
    /// loses none to an address with many.
    pub(crate) fn largest(&self, address: Option<IpAddr>) -> Vec<Option<IpAddr>> {
        let counts = self.counts.lock();
        let own = counts.addresses.get(&address).map_or(0, |of| of.rooms.len());
        let mut larger: Vec<(usize, Option<IpAddr>)> = counts
            .addresses
            .iter()
            .map(|(whose, of)| (of.rooms.len(), *whose))
            .filter(|(rooms, whose)| *rooms > own || *whose == address)
            .collect();
        larger.sort_by_key(|(rooms, whose)| (Reverse(*rooms), *whose));
        larger.into_iter().map(|(_, whose)| whose).collect()
    }

    /// The rooms of an address, each with the number of rooms that its player has.
    pub(crate) fn rooms_of(&self, address: Option<IpAddr>) -> Vec<(RoomCode, u32)> {
        let counts = self.counts.lock();
        let rooms = counts.addresses.get(&address).into_iter().flat_map(|of| &of.rooms);
        let of_player = |player| counts.players.get(player).map_or(0, |of| of.rooms);
        rooms.map(|(room, player)| (*room, of_player(player))).collect()
    }

    /// The counts of a player with a room.
    fn player<'a>(&self, counts: &'a mut QuotaTables, player: PlayerId) -> &'a mut PlayerUsage {
        counts.players.entry_in_use(player, || PlayerUsage::new(&self.limits))
    }

    /// The counts of an address with a room.
    fn address<'a>(
        &self,
        counts: &'a mut QuotaTables,
        address: Option<IpAddr>,
    ) -> &'a mut AddressUsage {
        counts.addresses.entry_in_use(address, || AddressUsage::new(&self.limits))
    }
}

impl PlayerUsage {
    fn new(limits: &RoomLimits) -> Self {
        let made = TokenBucket::refilled_in(limits.new_per_player, MINUTE);
        Self { rooms: 0, waiting: 0, made }
    }
}

impl Usage for PlayerUsage {
    fn used(&mut self, now: Duration) -> Option<f64> {
        let is_idle = self.rooms == 0 && self.waiting == 0;
        is_idle.then(|| self.made.missing_at(now))
    }
}

impl AddressUsage {
    fn new(limits: &RoomLimits) -> Self {
        let made = TokenBucket::refilled_in(limits.new_per_address, MINUTE);
        Self { rooms: BTreeMap::new(), made }
    }
}

impl Usage for AddressUsage {
    fn used(&mut self, now: Duration) -> Option<f64> {
        self.rooms.is_empty().then(|| self.made.missing_at(now))
    }
}

fn too_many(message: String) -> Refusal {
    Refusal::new(RefusalCode::TooManyRooms, message)
}

fn too_fast(who: &str, wait: Duration) -> Refusal {
    let seconds = wait.as_secs_f64().ceil();
    too_many(format!(
        "{who} as many rooms as this server allows in a minute: wait {seconds} seconds and try again"
    ))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

    use noughts_protocol::{PlayerId, RoomCode};

    use super::{Owner, Quotas, RoomLimits};
    use crate::limits::usage_table::MOST_IDLE;

    const LIMITS: RoomLimits = RoomLimits {
        most: 100,
        per_player: 3,
        waiting: 2,
        per_address: 5,
        new_per_player: 6,
        new_per_address: 12,
    };

    fn owner(player: u64, address: u32) -> Owner {
        let address: IpAddr = Ipv4Addr::from_bits(address).into();
        Owner { player: PlayerId(player), address: Some(address) }
    }

    /// The message of a refused room; empty if it was not refused.
    fn told(quotas: &Quotas, owner: Owner, waiting: bool, seconds: u64) -> String {
        let taken = quotas.take(owner, waiting, Duration::from_secs(seconds));
        taken.map_or_else(|refusal| refusal.message.to_string(), |()| String::new())
    }

    #[test]
    fn a_player_has_so_many_rooms_and_so_many_of_them_wait() {
        let quotas = Quotas::new(LIMITS);
        let ada = owner(1, 1);
        for _ in 0..2 {
            assert_eq!(told(&quotas, ada, true, 0), "");
        }
        assert!(told(&quotas, ada, true, 0).contains("2 rooms waiting"));
        assert_eq!(told(&quotas, ada, false, 0), "");
        assert!(told(&quotas, ada, false, 0).contains("you have 3 rooms"));
        assert_eq!(told(&quotas, owner(2, 1), true, 0), "", "another's are their own");
        quotas.set_waiting(ada.player, false);
        quotas.release(ada, None, false);
        assert_eq!(told(&quotas, ada, true, 0), "");
    }

    #[test]
    fn rooms_that_end_at_once_are_made_at_a_pace_too() {
        let quotas = Quotas::new(LIMITS);
        let make = |player, seconds| {
            let who = owner(player, 1);
            let told = told(&quotas, who, false, seconds);
            if told.is_empty() {
                quotas.release(who, Some(RoomCode::from_number(7)), false);
            }
            told
        };
        assert!((0..6).all(|_| make(1, 0).is_empty()));
        assert!(make(1, 0).contains("you have made") && make(1, 9).contains("wait 1 seconds"));
        assert!(make(1, 10).is_empty(), "one more every ten seconds");
        assert!((0..6).all(|_| make(2, 10).is_empty()));
        assert!(make(3, 10).is_empty() && make(4, 10).contains("at your address"));
    }

    #[test]
    fn what_came_to_nothing_counts_for_nothing() {
        let quotas = Quotas::new(LIMITS);
        for _ in 0..20 {
            assert_eq!(told(&quotas, owner(1, 1), true, 0), "");
            quotas.release(owner(1, 1), None, true);
        }
    }

    #[test]
    fn an_address_is_full_and_the_largest_come_first() {
        let quotas = Quotas::new(LIMITS);
        for number in 0..6 {
            quotas.place(owner(1, if number < 5 { 1 } else { 2 }), RoomCode::from_number(number));
        }
        let [one, two, three] = [1, 2, 3].map(|number| owner(0, number).address);
        assert!(quotas.is_full(one) && !quotas.is_full(two) && !quotas.is_full(None));
        assert_eq!(quotas.largest(three), [one, two]);
        assert_eq!(quotas.largest(two), [one, two]);
        assert_eq!(quotas.largest(one), [one], "who has many takes nothing from others");
        quotas.unplace(one, RoomCode::from_number(0));
        assert!(!quotas.is_full(one));
        assert_eq!(quotas.rooms_of(two), [(RoomCode::from_number(5), 0)]);
    }

    #[test]
    fn the_tables_are_bounded() {
        let quotas = Quotas::new(RoomLimits { per_player: 1, ..LIMITS });
        let lasting = owner(u64::MAX, u32::MAX);
        quotas.take(lasting, false, Duration::ZERO).unwrap();
        quotas.place(lasting, RoomCode::from_number(7));
        for number in 0..5 * MOST_IDLE as u32 {
            let who = owner(number.into(), number);
            quotas.take(who, false, Duration::ZERO).unwrap();
            quotas.release(who, Some(RoomCode::from_number(8)), false);
        }
        let counts = quotas.counts.lock();
        assert!(counts.players.iter().count() <= MOST_IDLE + 1);
        assert!(counts.addresses.iter().count() <= MOST_IDLE + 1);
        assert_eq!(counts.players.get(&lasting.player).unwrap().rooms, 1);
    }
}
