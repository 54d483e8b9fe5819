//! The rooms by code: the only place that touches the map. Lookups return clones; no guard leaves
//! a function, and no function here is async.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use noughts_protocol::{IntentId, PlayerId, Refusal, RefusalCode, RoomCode};

use crate::room::RoomHandle;

/// How often a code is drawn before the server counts as full. With half of all codes in use, the
/// odds that every draw fails are one in 2^64.
const DRAWS: usize = 64;

/// The intent that made a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub(crate) player: PlayerId,
    pub(crate) id: IntentId,
}

/// All rooms of a server.
#[derive(Debug)]
pub(crate) struct Registry {
    rooms: DashMap<RoomCode, RoomHandle>,
    /// The rooms that an intent led to: at most two entries a room, removed with it.
    origins: DashMap<Origin, RoomCode>,
    /// How many rooms with an open seat a player keeps; an entry goes when it reaches zero.
    waiting: DashMap<PlayerId, u32>,
    /// Rooms, and places taken for rooms about to be inserted.
    count: AtomicUsize,
    max_rooms: usize,
    max_waiting: u32,
}

impl Registry {
    /// An empty registry of at most `max_rooms`, `max_waiting` with an open seat for each player.
    pub(crate) fn new(max_rooms: usize, max_waiting: u32) -> Self {
        Self {
            rooms: DashMap::new(),
            origins: DashMap::new(),
            waiting: DashMap::new(),
            count: AtomicUsize::new(0),
            max_rooms,
            max_waiting,
        }
    }

    /// The room with a code.
    pub(crate) fn find(&self, code: RoomCode) -> Option<RoomHandle> {
        self.rooms.get(&code).map(|room| room.value().clone())
    }

    /// The room that an intent made.
    pub(crate) fn find_by_origin(&self, origin: Origin) -> Option<RoomHandle> {
        let code = self.origins.get(&origin).map(|code| *code.value())?;
        self.find(code)
    }

    /// How many rooms there are.
    pub(crate) fn len(&self) -> usize {
        self.rooms.len()
    }

    /// The rooms that the lobby shows.
    pub(crate) fn listed(&self) -> Vec<RoomHandle> {
        let listed = self.rooms.iter().filter(|room| room.value().is_listed());
        listed.map(|room| room.value().clone()).collect()
    }

    /// Makes a room under a free code, with `make` called once for it. The first origin's player
    /// answers for it while it is `waiting` for somebody to take a seat.
    ///
    /// # Errors
    /// Where the player keeps too many rooms waiting, or the server is full.
    pub(crate) fn insert(
        self: &Arc<Self>,
        origins: &[Origin],
        waiting: bool,
        make: impl FnOnce(RoomCode) -> RoomHandle,
    ) -> Result<Registration, Refusal> {
        let place = Place::take(self)?;
        let keeper = match origins.first().filter(|_| waiting) {
            Some(origin) => Some(Keeper::take(self, origin.player)?),
            None => None,
        };
        let mut make = Some(make);
        for _ in 0..DRAWS {
            let code = RoomCode::from_number(rand::random());
            let Entry::Vacant(entry) = self.rooms.entry(code) else { continue };
            let Some(make) = make.take() else { break };
            let handle = entry.insert(make(code)).value().clone();
            for origin in origins {
                self.origins.insert(*origin, code);
            }
            return Ok(Registration { handle, origins: origins.to_vec(), keeper, place });
        }
        Err(full())
    }
}

fn full() -> Refusal {
    Refusal::new(RefusalCode::Full, "the server has as many rooms as it can hold: try again later")
}

/// A room's entry. Dropping it takes the room out, with all that pointed to it. Nothing else does,
/// and a code in use is never given again, so that it cannot take out another room.
#[derive(Debug)]
pub(crate) struct Registration {
    handle: RoomHandle,
    origins: Vec<Origin>,
    keeper: Option<Keeper>,
    place: Place,
}

impl Registration {
    /// The room.
    pub(crate) fn handle(&self) -> &RoomHandle {
        &self.handle
    }

    /// The room is no longer one of those its maker keeps waiting.
    pub(crate) fn no_longer_waiting(&mut self) {
        self.keeper = None;
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let code = self.handle.code();
        let registry = &self.place.0;
        for origin in &self.origins {
            registry.origins.remove_if(origin, |_, room| *room == code);
        }
        registry.rooms.remove(&code);
    }
}

/// One of the server's rooms, given back when dropped.
#[derive(Debug)]
struct Place(Arc<Registry>);

impl Place {
    fn take(registry: &Arc<Registry>) -> Result<Self, Refusal> {
        let below = |count| (count < registry.max_rooms).then_some(count + 1);
        match registry.count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, below) {
            Ok(_) => Ok(Self(Arc::clone(registry))),
            Err(_) => Err(full()),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One of the rooms that a player keeps waiting, given back when dropped.
#[derive(Debug)]
struct Keeper {
    registry: Arc<Registry>,
    player: PlayerId,
}

impl Keeper {
    fn take(registry: &Arc<Registry>, player: PlayerId) -> Result<Self, Refusal> {
        let mut kept = registry.waiting.entry(player).or_default();
        if *kept >= registry.max_waiting {
            let message = format!(
                "you have {kept} rooms waiting for somebody, which is as many as this server \
                 allows: leave one first",
                kept = *kept
            );
            return Err(Refusal::new(RefusalCode::TooManyRooms, message));
        }
        *kept += 1;
        Ok(Self { registry: Arc::clone(registry), player })
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if let Some(mut kept) = self.registry.waiting.get_mut(&self.player) {
            *kept -= 1;
        }
        self.registry.waiting.remove_if(&self.player, |_, kept| *kept == 0);
    }
}
