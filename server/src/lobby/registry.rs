//! The rooms by code, active or hibernated. Only this file and its [`party`] touch the map. Lookups
//! return clones, no guard leaves a function, and no function here is async.

pub(crate) mod party;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use noughts_protocol::{PartyCode, Refusal, RefusalCode, RoomCode, RoomSummary};
use noughts_store::Origin;

use super::quotas::{Owner, Quotas};
use crate::config::rooms::RoomLimits;
use crate::room::{self, Hibernated, Registration, RoomHandle, RoomInbox, RoomStatus};

/// How often a code is drawn before the server counts as full. With half of all codes in use, the
/// odds that every draw fails are one in 2^64.
const DRAWS: usize = 64;

/// Rooms beyond the limit that may be about to end, because others are made in their place.
const ENDING: usize = 64;

/// The maker of a room. The registry forgets it when the room ends.
#[derive(Debug, Clone, Default)]
struct Ownership {
    /// The intents that led to the room: two at most.
    origins: Vec<Origin>,
    /// `None` where nobody is known to have made the room.
    owner: Option<Owner>,
    /// The room counts as one that the owner keeps waiting for a player.
    waiting: bool,
}

#[derive(Debug)]
enum RoomSlot {
    Active(RoomHandle),
    Hibernated(Hibernated, Ownership),
    /// The code belongs to a party.
    Reserved,
}

/// The result of a lookup.
#[derive(Debug)]
pub(crate) enum Lookup {
    /// The room has a task.
    Active(RoomHandle),
    /// The room was hibernated. The caller starts its task now.
    Activated(RoomInbox, RegistryEntry, Hibernated),
}

/// How many rooms there are in each state: hibernated, or one of [`RoomStatus`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RoomCounts {
    pub(crate) hibernated: usize,
    pub(crate) starting: usize,
    pub(crate) playing: usize,
    pub(crate) waiting: usize,
    pub(crate) between_games: usize,
}

/// All rooms of a server.
#[derive(Debug)]
pub(crate) struct Registry {
    rooms: DashMap<RoomCode, RoomSlot>,
    /// The rooms that an intent led to: at most two entries a room, removed with it.
    origins: DashMap<Origin, RoomCode>,
    pub(crate) quotas: Quotas,
    /// Rooms, and places reserved for rooms that are being inserted.
    count: AtomicUsize,
    hibernated: AtomicUsize,
    /// Codes that belong to parties.
    reserved: AtomicUsize,
}

/// A new room.
#[derive(Debug)]
pub(crate) struct Inserted {
    pub(crate) inbox: RoomInbox,
    pub(crate) entry: RegistryEntry,
    /// A room without a connection that ends in exchange.
    pub(crate) evicted: Option<RoomCode>,
}

impl Registry {
    /// An empty registry.
    pub(crate) fn new(limits: RoomLimits) -> Self {
        Self {
            rooms: DashMap::new(),
            origins: DashMap::new(),
            quotas: Quotas::new(limits),
            count: AtomicUsize::new(0),
            hibernated: AtomicUsize::new(0),
            reserved: AtomicUsize::new(0),
        }
    }

    /// The room with a code. A hibernated room becomes active.
    pub(crate) fn find(self: &Arc<Self>, code: RoomCode) -> Option<Lookup> {
        if let RoomSlot::Active(handle) = self.rooms.get(&code)?.value() {
            return Some(Lookup::Active(handle.clone()));
        }
        let mut slot = self.rooms.get_mut(&code)?;
        match slot.value() {
            RoomSlot::Active(handle) => return Some(Lookup::Active(handle.clone())),
            RoomSlot::Reserved => return None,
            RoomSlot::Hibernated(..) => {}
        }
        let (handle, inbox) = room::channel(code);
        let old = std::mem::replace(slot.value_mut(), RoomSlot::Active(handle.clone()));
        let RoomSlot::Hibernated(hibernated, ownership) = old else {
            return Some(Lookup::Active(handle));
        };
        self.hibernated.fetch_sub(1, Ordering::Relaxed);
        Some(Lookup::Activated(inbox, self.entry(code, ownership), hibernated))
    }

    fn entry(self: &Arc<Self>, code: RoomCode, ownership: Ownership) -> RegistryEntry {
        RegistryEntry { registry: Arc::clone(self), code, ownership, hibernates: false }
    }

    /// Whether there is a room with a code, active or hibernated.
    pub(crate) fn has(&self, code: RoomCode) -> bool {
        self.rooms.get(&code).is_some_and(|slot| !matches!(slot.value(), RoomSlot::Reserved))
    }

    /// The code of the room that an intent made.
    pub(crate) fn find_by_origin(&self, origin: Origin) -> Option<RoomCode> {
        self.origins.get(&origin).map(|code| *code.value())
    }

    /// The number of rooms.
    pub(crate) fn len(&self) -> usize {
        self.rooms.len().saturating_sub(self.reserved.load(Ordering::Relaxed))
    }

    /// The number of hibernated rooms.
    pub(crate) fn hibernated(&self) -> usize {
        self.hibernated.load(Ordering::Relaxed)
    }

    /// The number of rooms in each state. It visits every room.
    pub(crate) fn counts(&self) -> RoomCounts {
        let mut counts = RoomCounts::default();
        for room in &self.rooms {
            let count = match room.value() {
                RoomSlot::Reserved => continue,
                RoomSlot::Hibernated(..) => &mut counts.hibernated,
                RoomSlot::Active(handle) => match handle.status() {
                    RoomStatus::Starting => &mut counts.starting,
                    RoomStatus::Playing => &mut counts.playing,
                    RoomStatus::Waiting => &mut counts.waiting,
                    RoomStatus::BetweenGames => &mut counts.between_games,
                },
            };
            *count += 1;
        }
        counts
    }

    /// The rooms that the lobby shows: listed and active.
    pub(crate) fn listed(&self) -> Vec<RoomSummary> {
        let listed = self.rooms.iter().filter_map(|room| match room.value() {
            RoomSlot::Active(handle) => {
                handle.read(|summary| summary.settings.listed.then(|| summary.clone()))?
            }
            RoomSlot::Hibernated(..) | RoomSlot::Reserved => None,
        });
        listed.collect()
    }

    /// The active rooms, in no order.
    pub(crate) fn active(&self) -> Vec<RoomHandle> {
        let active = self.rooms.iter().filter_map(|room| match room.value() {
            RoomSlot::Active(handle) => Some(handle.clone()),
            RoomSlot::Hibernated(..) | RoomSlot::Reserved => None,
        });
        active.collect()
    }

    /// Hibernated rooms whose time is over, `most` at most.
    pub(crate) fn overdue(&self, now: Duration, most: usize) -> Vec<RoomCode> {
        let due = self.rooms.iter().filter(
            |room| matches!(room.value(), RoomSlot::Hibernated(room, _) if room.until <= now),
        );
        due.map(|room| *room.key()).take(most).collect()
    }

    /// Adds a hibernated room of an earlier run, also above the limit.
    /// A room of a party has no owner.
    pub(crate) fn restore(
        &self,
        code: RoomCode,
        hibernated: Hibernated,
        origins: Vec<Origin>,
        party: Option<PartyCode>,
    ) {
        // Two who look for it at once both find it in the store.
        let Entry::Vacant(vacant) = self.rooms.entry(code) else { return };
        for origin in &origins {
            self.origins.insert(*origin, code);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        self.hibernated.fetch_add(1, Ordering::Relaxed);
        let maker = origins.first().filter(|_| party.is_none());
        let owner = maker.map(|made| Owner { player: made.player, address: None });
        if let Some(owner) = owner {
            self.quotas.restore(owner, code);
        }
        // Only an activated room knows whether it waits for a player.
        let ownership = Ownership { origins, owner, waiting: false };
        vacant.insert(RoomSlot::Hibernated(hibernated, ownership));
    }

    /// Makes a room under a random code. `waiting` says that it has an open seat. If the address of
    /// its owner or the server has as many rooms as allowed, a room without a connection is
    /// evicted.
    ///
    /// # Errors
    /// If the owner has or has just made too many rooms, or no room can be evicted.
    pub(crate) fn insert(
        self: &Arc<Self>,
        origins: &[Origin],
        owner: Owner,
        waiting: bool,
        now: Duration,
    ) -> Result<Inserted, Refusal> {
        self.quotas.take(owner, waiting, now)?;
        let inserted = self.reserve(owner.address).and_then(|evicted| {
            let (inbox, entry) = self.place(origins, Some(owner), waiting).ok_or_else(|| {
                self.count.fetch_sub(1, Ordering::Relaxed);
                full()
            })?;
            Ok(Inserted { inbox, entry, evicted })
        });
        if inserted.is_err() {
            self.quotas.release(owner, None, waiting);
        }
        inserted
    }

    /// Counts a room that is being made, and chooses the room to evict if one must go.
    fn reserve(&self, address: Option<IpAddr>) -> Result<Option<RoomCode>, Refusal> {
        let most = self.quotas.limits().most;
        let below = |count| (count < most.saturating_add(ENDING)).then_some(count + 1);
        let count = self.count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, below);
        let is_full = count.map_err(|_| full())? >= most;
        let (among, refusal) = match self.quotas.is_full(address) {
            true => (vec![address], address_full()),
            false if is_full => (self.quotas.largest(address), full()),
            false => return Ok(None),
        };
        self.evict(&among).map(Some).ok_or_else(|| {
            self.count.fetch_sub(1, Ordering::Relaxed);
            refusal
        })
    }

    fn place(
        self: &Arc<Self>,
        origins: &[Origin],
        owner: Option<Owner>,
        waiting: bool,
    ) -> Option<(RoomInbox, RegistryEntry)> {
        for _ in 0..DRAWS {
            let code = RoomCode::from_number(rand::random());
            let Entry::Vacant(vacant) = self.rooms.entry(code) else { continue };
            let (handle, inbox) = room::channel(code);
            vacant.insert(RoomSlot::Active(handle));
            for origin in origins {
                self.origins.insert(*origin, code);
            }
            if let Some(owner) = owner {
                self.quotas.place(owner, code);
            }
            let ownership = Ownership { origins: origins.to_vec(), owner, waiting };
            return Some((inbox, self.entry(code, ownership)));
        }
        None
    }

    /// Chooses a room without a connection, at the first of these addresses that has one: of the
    /// player with the most rooms there, the room that would end soonest.
    fn evict(&self, among: &[Option<IpAddr>]) -> Option<RoomCode> {
        among.iter().find_map(|address| {
            let unattended =
                self.quotas.rooms_of(*address).into_iter().filter_map(|(code, rooms)| {
                    let slot = self.rooms.get(&code)?;
                    let until = match slot.value() {
                        RoomSlot::Reserved => return None,
                        RoomSlot::Hibernated(room, _) => room.until,
                        RoomSlot::Active(handle) => handle.unattended_until()?,
                    };
                    Some((std::cmp::Reverse(rooms), until, code))
                });
            let (.., code) = unattended.min()?;
            self.quotas.unplace(*address, code);
            Some(code)
        })
    }
}

fn address_full() -> Refusal {
    let message = "your address has as many rooms with somebody in them as this server allows: \
                   leave one first";
    Refusal::new(RefusalCode::TooManyRooms, message)
}

fn full() -> Refusal {
    Refusal::new(RefusalCode::Full, "the server has as many rooms as it can hold: try again later")
}

/// The entry of an active room. The room's task holds it. Dropping it removes the room and all
/// that points to it. Nothing else removes a room, and a code in use is never drawn again, so it
/// cannot remove another room.
#[derive(Debug)]
pub(crate) struct RegistryEntry {
    registry: Arc<Registry>,
    code: RoomCode,
    ownership: Ownership,
    /// The room stays, hibernated.
    hibernates: bool,
}

impl Registration for RegistryEntry {
    fn set_waiting(&mut self, waiting: bool) {
        if let Some(owner) = self.ownership.owner
            && self.ownership.waiting != waiting
        {
            self.registry.quotas.set_waiting(owner.player, waiting);
            self.ownership.waiting = waiting;
        }
    }

    fn keep(&self) {
        if let Some(owner) = self.ownership.owner {
            self.registry.quotas.place(owner, self.code);
        }
    }

    fn hibernate(mut self, hibernated: Hibernated) {
        self.hibernates = true;
        let slot = RoomSlot::Hibernated(hibernated, std::mem::take(&mut self.ownership));
        self.registry.hibernated.fetch_add(1, Ordering::Relaxed);
        self.registry.rooms.insert(self.code, slot);
    }
}

impl Drop for RegistryEntry {
    fn drop(&mut self) {
        if self.hibernates {
            return;
        }
        for origin in &self.ownership.origins {
            self.registry.origins.remove_if(origin, |_, room| *room == self.code);
        }
        self.set_waiting(false);
        self.registry.rooms.remove(&self.code);
        if let Some(owner) = self.ownership.owner {
            self.registry.quotas.release(owner, Some(self.code), false);
        }
        self.registry.count.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
