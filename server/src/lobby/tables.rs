//! The lobby's part in parties: it makes the rooms of their tables.

use std::time::Duration;

use noughts_protocol::{ByMark, Refusal, RefusalCode, RoomSettings, Seat};
use noughts_store::{Origin, Store};

use super::Lobby;
use crate::room::{Clock, RoomHandle, RoomStart};

impl Lobby {
    /// Makes the room of a table, or finds the room that the same origin made.
    ///
    /// # Errors
    /// If the server stops or has as many rooms as it may have.
    pub(crate) fn open_table(
        &self,
        settings: RoomSettings,
        seats: ByMark<Seat>,
        origin: Origin,
    ) -> Result<RoomHandle, Refusal> {
        if let Some(room) = self.registry.find_by_origin(origin) {
            return self.find(room);
        }
        if self.is_stopping() {
            return Err(Refusal::new(RefusalCode::Stopping, "the server is stopping"));
        }
        let (inbox, entry) = self.registry.insert_table(origin)?;
        let handle = inbox.handle.clone();
        self.start(RoomStart::New { settings, seats, origins: vec![origin] }, inbox, entry);
        Ok(handle)
    }

    /// The clock of the rooms, which stands still while the server does.
    pub(crate) fn clock(&self) -> &Clock {
        &self.context.clock
    }

    /// The time by that clock.
    pub(crate) fn now(&self) -> Duration {
        self.context.clock.now()
    }

    /// Where rooms and parties are saved; `None` if they are not kept.
    pub(crate) fn store(&self) -> Option<&dyn Store> {
        self.context.storage.as_ref().map(|storage| &*storage.store)
    }
}
