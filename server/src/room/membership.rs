//! A connection's place in a room. A departure is observed, not reported: dropping the
//! [`Membership`] is the departure, so a cancelled or panicked connection leaves too. A place in a party
//! ends in the same way.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use futures::task::AtomicWaker;
use noughts_protocol::{IntentId, PlayerName, Refusal, RoomCode, RoomIntent};
use parking_lot::Mutex;
use tokio::time::Instant;

use super::RoomHandle;
use super::command::Command;
use crate::outbox::{ConnectionId, Outbox};

/// A connection holds it while it is in a room. The room holds the other end, [`Departures`].
#[derive(Debug)]
pub(crate) struct Membership {
    room: RoomHandle,
    outbox: Outbox,
    _stay: Stay,
}

/// Dropping it is the departure.
#[derive(Debug)]
pub(crate) struct Stay {
    id: MembershipId,
    departures: Arc<Departures>,
}

impl Stay {
    /// A stay that begins.
    pub(crate) const fn new(id: MembershipId, departures: Arc<Departures>) -> Self {
        Self { id, departures }
    }
}

/// One stay of a connection in a room. A connection that joins again gets another number, so the
/// end of its old stay cannot end the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MembershipId {
    pub(crate) connection: ConnectionId,
    pub(crate) number: u64,
}

/// Stays that have ended and that the room has not removed yet. Bounded by the room's members,
/// because each ends once.
#[derive(Debug, Default)]
pub(crate) struct Departures {
    gone: Mutex<Vec<MembershipId>>,
    room: AtomicWaker,
}

impl Departures {
    /// Waits for departures and takes all of them. Cancel-safe: nothing is taken before it returns.
    pub(crate) fn next(&self) -> impl Future<Output = Vec<MembershipId>> {
        poll_fn(|context| {
            self.room.register(context.waker());
            let mut gone = self.gone.lock();
            if gone.is_empty() { Poll::Pending } else { Poll::Ready(std::mem::take(&mut *gone)) }
        })
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        let mut gone = self.departures.gone.lock();
        gone.push(self.id);
        drop(gone);
        self.departures.room.wake();
    }
}

impl Membership {
    /// A place in a room, which a connection has during a stay.
    pub(crate) const fn new(room: RoomHandle, outbox: Outbox, stay: Stay) -> Self {
        Self { room, outbox, _stay: stay }
    }

    /// The room's code.
    pub(crate) fn code(&self) -> RoomCode {
        self.room.code()
    }

    /// Sends an intent of a player with this name, which was read at `read_at`. The answer comes in the
    /// outbox.
    ///
    /// # Errors
    /// If the room has ended. Nothing was answered then.
    pub(crate) fn send(
        &self,
        id: IntentId,
        intent: RoomIntent,
        name: &PlayerName,
        read_at: Instant,
    ) -> impl Future<Output = Result<(), Refusal>> {
        let sender = self.outbox.clone();
        let name = matches!(intent, RoomIntent::Say { .. }).then(|| Box::new(name.clone()));
        self.room.send(Command::Intent { sender, id, intent, name, read_at })
    }

    /// Asks for the version and the presence, beside the version of a party. The answer comes in the outbox.
    ///
    /// # Errors
    /// If the room has ended. Nothing was answered then.
    pub(crate) fn ping(
        &self,
        id: IntentId,
        party_v: Option<u64>,
    ) -> impl Future<Output = Result<(), Refusal>> {
        self.room.send(Command::Ping { sender: self.outbox.clone(), id, party_v })
    }
}
