//! A connection's place in a party. As in a room, dropping it is the departure. By it the party leads an
//! entrant's connections into the rooms of their games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use noughts_protocol::{IntentId, PartyIntent, PartyRole, Refusal, RoomCode};
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::handle::PartyHandle;
use crate::actor::Stay;
use crate::outbox::Outbox;

/// A connection holds it while it follows a party.
#[derive(Debug)]
pub(crate) struct PartyMembership {
    pub(super) party: PartyHandle,
    pub(super) outbox: Outbox,
    pub(super) lead: Arc<Lead>,
    pub(super) _stay: Stay,
}

/// The role of a connection that follows a party.
#[derive(Debug)]
pub(super) struct Follower {
    pub(super) role: PartyRole,
    pub(super) lead: Arc<Lead>,
}

/// The room into which the party leads a connection. A later room replaces one that the connection
/// has not entered yet.
#[derive(Debug, Default)]
pub(crate) struct Lead {
    room: Mutex<Option<RoomCode>>,
    /// Whether the connection follows the party no more. The membership stays all the same until another one,
    /// or the connection's end: answers come in the outbox.
    is_over: AtomicBool,
    led: Notify,
}

impl Lead {
    /// Leads the connection into this room.
    pub(super) fn lead_into(&self, room: RoomCode) {
        *self.room.lock() = Some(room);
        self.led.notify_one();
    }

    /// Notes that the connection follows the party no more.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

impl PartyMembership {
    /// The party's version; `None` if the connection does not follow it any more.
    pub(crate) fn version(&self) -> Option<u64> {
        (!self.lead.is_over.load(Ordering::Relaxed)).then(|| self.party.version())
    }

    /// Notes that the connection follows the party no more.
    pub(crate) fn leave(&self) {
        self.lead.end();
    }

    /// Waits until the party leads the connection into a room. Cancel-safe: nothing is taken before
    /// it returns.
    pub(crate) async fn led(&self) -> RoomCode {
        loop {
            let room = self.lead.room.lock().take();
            match room {
                Some(room) => return room,
                None => self.lead.led.notified().await,
            }
        }
    }

    /// Sends an intent. The answer comes in the outbox.
    ///
    /// # Errors
    /// If the party has ended. Nothing was answered then.
    pub(crate) fn send(
        &self,
        id: IntentId,
        intent: PartyIntent,
    ) -> impl Future<Output = Result<(), Refusal>> {
        self.party.send(self.outbox.clone(), id, intent)
    }
}
