//! A connection's place in a room. Leaving is observed, not reported: dropping the [`Membership`]
//! is the departure, so that a cancelled or panicked connection leaves too.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use futures::task::AtomicWaker;
use noughts_protocol::{IntentId, Refusal, RoomCode};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{AnalysisRequest, Command, ConnectionId, Intent, RoomHandle};

/// Held by a connection while it is in a room; the room holds the other end, [`Departures`].
#[derive(Debug)]
pub(crate) struct Membership {
    pub(super) id: MembershipId,
    pub(super) room: RoomHandle,
    pub(super) departures: Arc<Departures>,
}

/// One stay of a connection in a room. A connection that comes again gets another number, so that
/// the end of its last stay cannot end the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MembershipId {
    pub(super) connection: ConnectionId,
    pub(super) number: u64,
}

/// Stays that have ended and that the room has not seen off yet. Bounded by the room's members,
/// because each leaves once.
#[derive(Debug, Default)]
pub(super) struct Departures {
    gone: Mutex<Vec<MembershipId>>,
    room: AtomicWaker,
}

impl Departures {
    /// Waits until somebody has left, and takes all who have. Cancel-safe: nothing is taken
    /// before it returns.
    pub(super) fn next(&self) -> impl Future<Output = Vec<MembershipId>> {
        poll_fn(|context| {
            self.room.register(context.waker());
            let mut gone = self.gone.lock().unwrap_or_else(PoisonError::into_inner);
            if gone.is_empty() { Poll::Pending } else { Poll::Ready(std::mem::take(&mut *gone)) }
        })
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        let mut gone = self.departures.gone.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Asks the room to act; the answer comes in the outbox.
    ///
    /// # Errors
    /// Where the room has ended; nothing was answered then.
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
    /// Where the room has ended; nothing was answered then.
    pub(crate) fn analyze(
        &self,
        id: IntentId,
        request: AnalysisRequest,
    ) -> impl Future<Output = Result<(), Refusal>> {
        self.room.send(Command::Analyze { connection: self.id.connection, id, request })
    }

    /// Leaves for good; the answer comes in the outbox. Where that is a no, the stay goes on and
    /// the membership comes back.
    ///
    /// # Errors
    /// Where the room has ended; nothing was answered then.
    pub(crate) async fn leave(self, id: IntentId) -> Result<Option<Self>, Refusal> {
        let room = self.room.clone();
        let (refused, stays) = oneshot::channel();
        room.send(Command::Leave { membership: Box::new(self), id, refused }).await?;
        Ok(stays.await.ok())
    }

    /// Asks for the snapshot; the answer comes in the outbox.
    ///
    /// # Errors
    /// Where the room has ended; nothing was answered then.
    pub(crate) fn sync(&self, id: IntentId) -> impl Future<Output = Result<(), Refusal>> {
        self.room.send(Command::Sync { connection: self.id.connection, id })
    }

    /// Asks for the version; the answer comes in the outbox.
    ///
    /// # Errors
    /// Where the room has ended; nothing was answered then.
    pub(crate) fn ping(&self, id: IntentId) -> impl Future<Output = Result<(), Refusal>> {
        self.room.send(Command::Ping { connection: self.id.connection, id })
    }
}
