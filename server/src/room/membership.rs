//! A connection's place in a room. A departure is observed, not reported: dropping the
//! [`Membership`] is the departure, so a cancelled or panicked connection leaves too.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use futures::task::AtomicWaker;
use noughts_protocol::{IntentId, Refusal, RoomCode};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::command::Command;
use super::{AnalysisRequest, ConnectionId, Intent, RoomHandle};

/// A connection holds it while it is in a room. The room holds the other end, [`Departures`].
#[derive(Debug)]
pub(crate) struct Membership {
    pub(super) id: MembershipId,
    pub(super) room: RoomHandle,
    pub(super) departures: Arc<Departures>,
}

/// One stay of a connection in a room. A connection that joins again gets another number, so the
/// end of its old stay cannot end the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MembershipId {
    pub(super) connection: ConnectionId,
    pub(super) number: u64,
}

/// Memberships that have ended and that the room has not removed yet. Bounded by the room's members,
/// because each ends once.
#[derive(Debug, Default)]
pub(super) struct Departures {
    gone: Mutex<Vec<MembershipId>>,
    room: AtomicWaker,
}

impl Departures {
    /// Waits for departures and takes all of them. Cancel-safe: nothing is taken before it returns.
    pub(super) fn next(&self) -> impl Future<Output = Vec<MembershipId>> {
        poll_fn(|context| {
            self.room.register(context.waker());
            let mut gone = self.gone.lock();
            if gone.is_empty() { Poll::Pending } else { Poll::Ready(std::mem::take(&mut *gone)) }
        })
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        let mut gone = self.departures.gone.lock();
        gone.push(self.id);
        drop(gone);
        self.departures.room.wake();
    }
}

impl Membership {
    /// The room's code.
    pub(crate) const fn code(&self) -> RoomCode {
        self.room.code()
    }

    /// Sends an intent. The answer comes in the outbox.
    ///
    /// # Errors
    /// If the room has ended. Nothing was answered then.
    pub(crate) fn act(
        &self,
        id: IntentId,
        intent: Intent,
    ) -> impl Future<Output = Result<(), Refusal>> {
        let (connection, asked) = (self.id.connection, Instant::now());
        self.room.send(Command::Act { connection, id, intent, asked })
    }

    /// Asks for an analysis; `ok` or a refusal comes in the outbox, and the analysis after `ok`.
    ///
    /// # Errors
    /// If the room has ended. Nothing was answered then.
    pub(crate) fn analyze(
        &self,
        id: IntentId,
        request: AnalysisRequest,
    ) -> impl Future<Output = Result<(), Refusal>> {
        self.room.send(Command::Analyze { connection: self.id.connection, id, request })
    }

    /// Leaves for good. The answer comes in the outbox. If it is a refusal, the membership comes
    /// back.
    ///
    /// # Errors
    /// If the room has ended. Nothing was answered then.
    pub(crate) async fn leave(self, id: IntentId) -> Result<Option<Self>, Refusal> {
        let room = self.room.clone();
        let (refused, stays) = oneshot::channel();
        room.send(Command::Leave { membership: Box::new(self), id, refused }).await?;
        Ok(stays.await.ok())
    }

    /// Asks for the snapshot. The answer comes in the outbox.
    ///
    /// # Errors
    /// If the room has ended. Nothing was answered then.
    pub(crate) fn sync(&self, id: IntentId) -> impl Future<Output = Result<(), Refusal>> {
        self.room.send(Command::Sync { connection: self.id.connection, id })
    }

    /// Asks for the version. The answer comes in the outbox.
    ///
    /// # Errors
    /// If the room has ended. Nothing was answered then.
    pub(crate) fn ping(&self, id: IntentId) -> impl Future<Output = Result<(), Refusal>> {
        self.room.send(Command::Ping { connection: self.id.connection, id })
    }
}
