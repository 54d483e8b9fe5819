//! A connection's stay in a room or a party. A departure is observed, not reported: dropping the
//! [`Stay`] is the departure, so a cancelled or panicked connection leaves too.

use tokio::sync::{Semaphore, mpsc};

use crate::outbox::ConnectionId;

/// Dropping it is the departure.
#[derive(Debug)]
pub(crate) struct Stay {
    id: MembershipId,
    departures: mpsc::Sender<MembershipId>,
}

/// One stay of a connection in a room or a party. A connection that joins again gets another number, so the
/// end of its old stay cannot end the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MembershipId {
    pub(crate) connection: ConnectionId,
    pub(crate) number: u64,
}

/// Stays that have ended and that the task has not removed yet. Bounded by the members,
/// because each ends once: the channel itself never refuses one.
#[derive(Debug)]
pub(crate) struct Departures {
    sender: mpsc::Sender<MembershipId>,
    gone: mpsc::Receiver<MembershipId>,
}

impl Departures {
    /// Nobody has come or gone.
    pub(crate) fn new() -> Self {
        let (sender, gone) = mpsc::channel(Semaphore::MAX_PERMITS);
        Self { sender, gone }
    }

    /// A stay that begins.
    pub(crate) fn stay(&self, id: MembershipId) -> Stay {
        Stay { id, departures: self.sender.clone() }
    }

    /// Waits for departures and takes all of them. Cancel-safe: nothing is taken before it returns.
    pub(crate) async fn next(&mut self) -> Vec<MembershipId> {
        let mut gone = Vec::new();
        self.gone.recv_many(&mut gone, usize::MAX).await;
        gone
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        // The task may have ended.
        let _ = self.departures.try_send(self.id);
    }
}
