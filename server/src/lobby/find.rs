//! The rooms of this server: found by their code, restored from the store, started.

use noughts_protocol::{Refusal, RoomCode};
use noughts_store::{LiveRoom, Origin};
use tracing::Instrument;

use super::Lobby;
use super::registry::{Lookup, RegistryEntry};
use crate::room::{self, Hibernated, RoomHandle, RoomInbox, RoomStart};

/// Whether a room or a party has a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Nothing,
    Room,
    Party,
}

impl Lobby {
    /// Adds the rooms that the store holds, all of them hibernated.
    pub(super) fn restore(&self, rooms: &[LiveRoom]) {
        for LiveRoom { code, until, origins, party } in rooms {
            let hibernated = Hibernated { is_restored: true, until: *until };
            self.registry.restore(*code, hibernated, origins.clone(), *party);
        }
    }

    /// The room with a code. A hibernated room becomes active.
    ///
    /// # Errors
    /// If there is no such room.
    pub(crate) fn find(&self, code: RoomCode) -> Result<RoomHandle, Refusal> {
        match self.registry.find(code) {
            Some(Lookup::Active(handle)) => Ok(handle),
            Some(Lookup::Activated(inbox, entry, hibernated)) => {
                let handle = inbox.handle.clone();
                self.start(RoomStart::Restore(hibernated), inbox, entry);
                Ok(handle)
            }
            None => Err(room::no_such_room(code)),
        }
    }

    /// Whether a room or a party has a code.
    pub(crate) fn known(&self, code: RoomCode) -> Known {
        match (self.registry.has(code), self.registry.is_reserved(code)) {
            (true, _) => Known::Room,
            (_, true) => Known::Party,
            _ => Known::Nothing,
        }
    }

    /// The room that an intent made before.
    pub(super) fn made_by(&self, origin: Origin) -> Option<RoomCode> {
        self.registry.find_by_origin(origin)
    }

    /// Starts the task of a room.
    pub(super) fn start(&self, start: RoomStart, inbox: RoomInbox, entry: RegistryEntry) {
        // Not at the level of the usual log: to enter a span and leave it at every step of a task takes
        // 2,000 instructions a move (by callgrind), 7 of 100.
        let span = tracing::debug_span!(target: "noughts_server::room", "room", code = %inbox.handle.code());
        let running = room::run(start, inbox, entry, self.context.clone());
        self.spawn(running.instrument(span));
    }
}
