//! The parties' part of the map of rooms: their own codes, so that no room has the code of a party, and
//! the rooms of their tables, which nobody owns.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use dashmap::mapref::entry::Entry;
use noughts_protocol::{Refusal, RoomCode};
use noughts_store::Origin;

use super::{DRAWS, Registry, RegistryEntry, RoomSlot, full};
use crate::room::RoomInbox;

/// A code that no room gets. Dropping it frees the code.
#[derive(Debug)]
pub(crate) struct ReservedCode {
    registry: Arc<Registry>,
    code: RoomCode,
}

impl ReservedCode {
    /// The code.
    pub(crate) const fn code(&self) -> RoomCode {
        self.code
    }
}

impl Drop for ReservedCode {
    fn drop(&mut self) {
        self.registry.reserved.fetch_sub(1, Ordering::Relaxed);
        self.registry.rooms.remove(&self.code);
    }
}

impl Registry {
    /// Reserves a random code that neither a room nor a party has. `None` if every draw failed.
    pub(crate) fn draw_code(self: &Arc<Self>) -> Option<ReservedCode> {
        (0..DRAWS).find_map(|_| self.reserve_code(RoomCode::from_number(rand::random())))
    }

    /// Keeps this code for a party; `None` if a room or a party has it.
    pub(crate) fn reserve_code(self: &Arc<Self>, code: RoomCode) -> Option<ReservedCode> {
        let Entry::Vacant(vacant) = self.rooms.entry(code) else { return None };
        vacant.insert(RoomSlot::Reserved);
        self.reserved.fetch_add(1, Ordering::Relaxed);
        Some(ReservedCode { registry: Arc::clone(self), code })
    }

    /// Whether this is the code of a party.
    pub(crate) fn is_reserved(&self, code: RoomCode) -> bool {
        self.rooms.get(&code).is_some_and(|slot| matches!(slot.value(), RoomSlot::Reserved))
    }

    /// Makes the room of a party's table under a random code. It counts for nobody, and no other room ends
    /// for it.
    ///
    /// # Errors
    /// If the server has as many rooms as it may have.
    pub(crate) fn insert_table(
        self: &Arc<Self>,
        origin: Origin,
    ) -> Result<(RoomInbox, RegistryEntry), Refusal> {
        let most = self.quotas.limits().most;
        let below = |count| (count < most).then_some(count + 1);
        let count = self.count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, below);
        count.map_err(|_| full())?;
        self.place(&[origin], None, false).ok_or_else(|| {
            self.count.fetch_sub(1, Ordering::Relaxed);
            full()
        })
    }
}
