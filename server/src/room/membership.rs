//! A connection's place in a room. Dropping the [`Membership`] is the departure.

use noughts_protocol::{IntentId, PlayerName, Refusal, RoomIntent};
use tokio::time::Instant;

use super::RoomHandle;
use super::command::RoomCommand;
use crate::actor::Stay;
use crate::outbox::Outbox;

/// A connection holds it while it is in a room. Dropping it is the departure.
#[derive(Debug)]
pub(crate) struct Membership {
    room: RoomHandle,
    outbox: Outbox,
    _stay: Stay,
}

impl Membership {
    /// A place in a room, which a connection has during a stay.
    pub(crate) const fn new(room: RoomHandle, outbox: Outbox, stay: Stay) -> Self {
        Self { room, outbox, _stay: stay }
    }

    /// Sends an intent of a player with this name, which was read at `read_at`. The answer comes in the
    /// outbox.
    ///
    /// # Errors
    /// If the room has ended. Nothing was answered then.
    pub(crate) async fn send(
        &self,
        id: IntentId,
        intent: RoomIntent,
        name: &PlayerName,
        read_at: Instant,
    ) -> Result<(), Refusal> {
        let sender = self.outbox.clone();
        let name = matches!(intent, RoomIntent::Say { .. }).then(|| name.clone());
        self.room.send(RoomCommand::Intent { sender, id, intent, name, read_at }).await
    }

    /// Asks for the version and the presence, beside the version of a party. The answer comes in the outbox.
    ///
    /// # Errors
    /// If the room has ended. Nothing was answered then.
    pub(crate) async fn ping(&self, id: IntentId, party_v: Option<u64>) -> Result<(), Refusal> {
        self.room.send(RoomCommand::Ping { sender: self.outbox.clone(), id, party_v }).await
    }
}
