//! The rooms by code, awake or hibernated: the only place that touches the map. Lookups return clones;
//! no guard leaves a function, and no function here is async.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use noughts_protocol::{PlayerId, Refusal, RefusalCode, RoomCode};

use super::quotas::{Owner, Quotas, RoomLimits};
use crate::journal::entry::Origin;
use crate::room::{ResumePoint, RoomHandle, RoomStatus};

/// How often a code is drawn before the server counts as full. With half of all codes in use, the
/// odds that every draw fails are one in 2^64.
const DRAWS: usize = 64;

/// Rooms beyond the limit that may be about to end, because others are made in their place.
const ENDING: usize = 64;

/// A room that has no task: its facts are in the journal, and whoever asks for it wakes it.
#[derive(Debug, Clone)]
pub(crate) struct Hibernated {
    /// Its number in the journal.
    pub(crate) id: i64,
    /// What it knew besides its facts; `None` if that was in an earlier run of the server.
    pub(crate) resume: Option<ResumePoint>,
    /// Since when nobody has been there.
    pub(crate) since: Duration,
    /// When it is to be woken if nobody comes, to see whether it ends.
    pub(crate) until: Duration,
}

/// What is known of a room besides whether it is awake. It goes when the room ends.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ownership {
    /// The intents that led to it: two at most.
    pub(crate) origins: Vec<Origin>,
    /// Whose it is; none where nobody is known to have made it.
    owner: Option<Owner>,
    /// Who answers for it while it waits for somebody to take a seat.
    keeper: Option<PlayerId>,
}

#[derive(Debug)]
enum Slot {
    Active(RoomHandle),
    /// Boxed, since most rooms are awake where rooms are not kept.
    Hibernated(Box<(Hibernated, Ownership)>),
}

/// A room that was asked for.
#[derive(Debug)]
pub(crate) enum Lookup {
    /// It is awake.
    Active(RoomHandle),
    /// It was asleep, and its task is to be started now.
    Activated(Registration, Hibernated),
}

/// How many rooms there are in each state: asleep, or one of [`RoomStatus`].
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
    rooms: DashMap<RoomCode, Slot>,
    /// The rooms that an intent led to: at most two entries a room, removed with it.
    origins: DashMap<Origin, RoomCode>,
    /// Whose rooms they are.
    quotas: Quotas,
    /// Rooms, and places taken for rooms about to be inserted.
    count: AtomicUsize,
    /// How many of the rooms sleep.
    hibernated: AtomicUsize,
}

/// A room that was made.
#[derive(Debug)]
pub(crate) struct Inserted {
    pub(crate) registration: Registration,
    /// A room that nobody is in, and that is to end for it.
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
        }
    }

    /// The room with a code. If it sleeps, `wake` makes its new handle, and the caller starts it.
    pub(crate) fn find(
        self: &Arc<Self>,
        code: RoomCode,
        wake: impl FnOnce() -> RoomHandle,
    ) -> Option<Lookup> {
        if let Slot::Active(handle) = self.rooms.get(&code)?.value() {
            return Some(Lookup::Active(handle.clone()));
        }
        let mut slot = self.rooms.get_mut(&code)?;
        if let Slot::Active(handle) = slot.value() {
            return Some(Lookup::Active(handle.clone()));
        }
        let handle = wake();
        let slept = std::mem::replace(slot.value_mut(), Slot::Active(handle.clone()));
        let Slot::Hibernated(slept) = slept else { return Some(Lookup::Active(handle)) };
        self.hibernated.fetch_sub(1, Ordering::Relaxed);
        let (hibernated, ownership) = *slept;
        let registry = Arc::clone(self);
        Some(Lookup::Activated(
            Registration { registry, handle, ownership, hibernates: false },
            hibernated,
        ))
    }

    /// Whether there is a room with a code, awake or asleep.
    pub(crate) fn has(&self, code: RoomCode) -> bool {
        self.rooms.contains_key(&code)
    }

    /// The code of the room that an intent made.
    pub(crate) fn find_by_origin(&self, origin: Origin) -> Option<RoomCode> {
        self.origins.get(&origin).map(|code| *code.value())
    }

    /// How many rooms there are.
    pub(crate) fn len(&self) -> usize {
        self.rooms.len()
    }

    /// How many of them sleep.
    pub(crate) fn hibernated(&self) -> usize {
        self.hibernated.load(Ordering::Relaxed)
    }

    /// How many rooms there are in each state. It looks at them all.
    pub(crate) fn room_counts(&self) -> RoomCounts {
        let mut room_counts = RoomCounts::default();
        for room in &self.rooms {
            let count = match room.value() {
                Slot::Hibernated(_) => &mut room_counts.hibernated,
                Slot::Active(handle) => match handle.status() {
                    RoomStatus::Starting => &mut room_counts.starting,
                    RoomStatus::Playing => &mut room_counts.playing,
                    RoomStatus::Waiting => &mut room_counts.waiting,
                    RoomStatus::BetweenGames => &mut room_counts.between_games,
                },
            };
            *count += 1;
        }
        room_counts
    }

    /// The rooms that the lobby shows: those that are listed and awake.
    pub(crate) fn listed(&self) -> Vec<RoomHandle> {
        let awake = self.rooms.iter().filter_map(|room| match room.value() {
            Slot::Active(handle) if handle.is_listed() => Some(handle.clone()),
            _ => None,
        });
        awake.collect()
    }

    /// Sleeping rooms that are to be woken by now, `most` at most.
    pub(crate) fn overdue(&self, now: Duration, most: usize) -> Vec<RoomCode> {
        let due = self
            .rooms
            .iter()
            .filter(|room| matches!(room.value(), Slot::Hibernated(slept) if slept.0.until <= now));
        due.map(|room| *room.key()).take(most).collect()
    }

    /// Takes in a room of an earlier run, asleep. There is room for it, whatever the limit says.
    pub(crate) fn remember(&self, code: RoomCode, hibernated: Hibernated, origins: Vec<Origin>) {
        for origin in &origins {
            self.origins.insert(*origin, code);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        self.hibernated.fetch_add(1, Ordering::Relaxed);
        // Who keeps it waiting is known when it wakes; until then it does not count against them.
        let owner = origins.first().map(|made| Owner { player: made.player, address: None });
        if let Some(owner) = owner {
            self.quotas.remember(owner, code);
        }
        let ownership = Ownership { origins, owner, keeper: None };
        self.rooms.insert(code, Slot::Hibernated(Box::new((hibernated, ownership))));
    }

    /// Whether somebody may make a room now, which would be `waiting` or not.
    ///
    /// # Errors
    /// Where they have, or have just made, as many as they may.
    pub(crate) fn check(&self, owner: Owner, waiting: bool, now: Duration) -> Result<(), Refusal> {
        self.quotas.check(owner, waiting, now)
    }

    /// Makes a room under a free code, with `make` called once for it. Its owner answers for it
    /// while it is `waiting` for somebody to take a seat. Where their address, or the server, has
    /// as many rooms as it may, one that nobody is in is to end for it.
    ///
    /// # Errors
    /// Where the owner has or has just made too many rooms, or there are too many with somebody in
    /// them.
    pub(crate) fn insert(
        self: &Arc<Self>,
        origins: &[Origin],
        owner: Owner,
        waiting: bool,
        now: Duration,
        make: impl FnOnce(RoomCode) -> RoomHandle,
    ) -> Result<Inserted, Refusal> {
        self.quotas.take(owner, waiting, now)?;
        let made = self.reserve(owner.address).and_then(|evicted| {
            let registration = self.place(origins, owner, waiting, make).ok_or_else(|| {
                self.count.fetch_sub(1, Ordering::Relaxed);
                full()
            })?;
            Ok(Inserted { registration, evicted })
        });
        if made.is_err() {
            self.quotas.release(owner, None, waiting);
        }
        made
    }

    /// Usage a room that is about to be made, and finds the one that is to end for it, if it
    /// takes one.
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
        owner: Owner,
        waiting: bool,
        make: impl FnOnce(RoomCode) -> RoomHandle,
    ) -> Option<Registration> {
        for _ in 0..DRAWS {
            let code = RoomCode::from_number(rand::random());
            let Entry::Vacant(entry) = self.rooms.entry(code) else { continue };
            let handle = make(code);
            entry.insert(Slot::Active(handle.clone()));
            for origin in origins {
                self.origins.insert(*origin, code);
            }
            self.quotas.place(owner, code);
            let keeper = waiting.then_some(owner.player);
            let ownership = Ownership { origins: origins.to_vec(), owner: Some(owner), keeper };
            let registry = Arc::clone(self);
            return Some(Registration { registry, handle, ownership, hibernates: false });
        }
        None
    }

    /// Chooses a room that is to end, of the first of these addresses that has one with nobody in
    /// it: of the player with the most rooms there, the one that would end soonest anyway.
    fn evict(&self, among: &[Option<IpAddr>]) -> Option<RoomCode> {
        among.iter().find_map(|address| {
            let unattended =
                self.quotas.rooms_of(*address).into_iter().filter_map(|(code, rooms)| {
                    let slot = self.rooms.get(&code)?;
                    let until = match slot.value() {
                        Slot::Hibernated(slept) => slept.0.until,
                        Slot::Active(handle) => handle.unattended_until()?,
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

/// The entry of a room that is awake. Dropping it takes the room out, with all that pointed to
/// it. Nothing else does, and a code in use is never given again, so that it cannot take out
/// another room.
#[derive(Debug)]
pub(crate) struct Registration {
    registry: Arc<Registry>,
    handle: RoomHandle,
    ownership: Ownership,
    /// The room stays, asleep.
    hibernates: bool,
}

impl Registration {
    /// The room.
    pub(crate) fn handle(&self) -> &RoomHandle {
        &self.handle
    }

    /// The intents that led to the room.
    pub(crate) fn origins(&self) -> &[Origin] {
        &self.ownership.origins
    }

    /// The room is no longer one of those its maker keeps waiting.
    pub(crate) fn no_longer_waiting(&mut self) {
        if let Some(player) = self.ownership.keeper.take() {
            self.registry.quotas.waits_no_longer(player);
        }
    }

    /// The room waits, as it is found to do after a restart.
    pub(crate) fn is_waiting_still(&mut self) {
        if let (None, Some(owner)) = (self.ownership.keeper, self.ownership.owner) {
            self.registry.quotas.waits(owner.player);
            self.ownership.keeper = Some(owner.player);
        }
    }

    /// The room was to end for another, but somebody has come.
    pub(crate) fn stays(&self) {
        if let Some(owner) = self.ownership.owner {
            self.registry.quotas.place(owner, self.handle.code());
        }
    }

    /// The room's task ends and the room stays.
    pub(crate) fn hibernate(mut self, hibernated: Hibernated) {
        self.hibernates = true;
        let slot = Slot::Hibernated(Box::new((hibernated, std::mem::take(&mut self.ownership))));
        self.registry.hibernated.fetch_add(1, Ordering::Relaxed);
        self.registry.rooms.insert(self.handle.code(), slot);
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        if self.hibernates {
            return;
        }
        let code = self.handle.code();
        for origin in &self.ownership.origins {
            self.registry.origins.remove_if(origin, |_, room| *room == code);
        }
        self.no_longer_waiting();
        self.registry.rooms.remove(&code);
        if let Some(owner) = self.ownership.owner {
            self.registry.quotas.release(owner, Some(code), false);
        }
        self.registry.count.fetch_sub(1, Ordering::Relaxed);
    }
}
