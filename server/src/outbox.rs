//! The one ordered way to a connection: every message to it, already encoded. Writing them to the
//! socket is the connection's. A connection of another node is reached by a [`Relay`].

mod encode;
mod frame;
mod relay;

use std::future::poll_fn;
use std::sync::{Arc, OnceLock};
use std::task::Poll;

use futures::task::AtomicWaker;
use noughts_protocol::{CloseCode, IntentId, PartyCode, Refusal, RoomCode, ServerMessage};
use parking_lot::Mutex;

use crate::metrics::Metrics;
pub(crate) use encode::encode;
pub(crate) use frame::Frame;
pub(crate) use relay::{Manner, Relay};

/// Messages that may wait for a connection. A connection with more is closed with
/// [`CloseCode::Slow`] and may resume: one snapshot makes its view complete again.
pub(crate) const OUTBOX: usize = 64;

/// Facts of a party that may wait for a connection besides: a round of a hundred pairings begins at
/// once. Their bytes are shared by all who follow the party.
const SHARED: usize = 512;

/// Messages that may wait for a connection when talk is added. A slower reader misses talk, so that
/// talk closes no connection.
const OFFERED: usize = OUTBOX / 2;

/// A connection's number, unique in one run of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ConnectionId(pub(crate) u64);

/// The sending end. The connection's session and its room hold it.
#[derive(Debug, Clone)]
pub(crate) struct Outbox(Arc<Queue>);

/// The receiving end. The connection's task holds it.
#[derive(Debug)]
pub(crate) struct OutboxReader(Arc<Queue>);

/// The queue takes and gives all its frames in one lock. A channel of tokio gives them one by one,
/// and it needs 1.6 KiB a connection.
#[derive(Debug)]
struct Queue {
    connection: ConnectionId,
    way: Mutex<Way>,
    reader: AtomicWaker,
    close_code: OnceLock<CloseCode>,
    metrics: Arc<Metrics>,
}

/// Where frames go. It is no larger than the frames that wait.
#[derive(Debug)]
enum Way {
    /// The connection's task takes them.
    Here(Queued),
    /// The connection is at another node.
    Elsewhere(Arc<dyn Relay>),
    /// The connection's task has ended.
    Ended,
}

/// The frames that wait.
#[derive(Debug, Default)]
struct Queued {
    /// At most [`OUTBOX`] frames for the connection, and [`SHARED`] facts of a party.
    frames: Vec<Frame>,
    /// How many of them are facts of a party.
    shared: usize,
}

/// The outbox of a new connection. `metrics` counts its refusals and its overflow.
pub(crate) fn outbox(connection: ConnectionId, metrics: Arc<Metrics>) -> (Outbox, OutboxReader) {
    let queue = Arc::new(Queue::new(connection, Way::Here(Queued::default()), metrics));
    (Outbox(Arc::clone(&queue)), OutboxReader(queue))
}

impl Queue {
    fn new(connection: ConnectionId, way: Way, metrics: Arc<Metrics>) -> Self {
        let (reader, close_code) = (AtomicWaker::new(), OnceLock::new());
        Self { connection, way: Mutex::new(way), reader, close_code, metrics }
    }
}

impl Outbox {
    /// The outbox of a connection of another node.
    pub(crate) fn elsewhere(
        connection: ConnectionId,
        relay: Arc<dyn Relay>,
        metrics: Arc<Metrics>,
    ) -> Self {
        Self(Arc::new(Queue::new(connection, Way::Elsewhere(relay), metrics)))
    }

    /// The connection that reads it.
    pub(crate) fn connection(&self) -> ConnectionId {
        self.0.connection
    }

    /// Queues a frame without waiting. A full outbox closes the connection.
    pub(crate) fn push(&self, frame: Frame) {
        self.queue(frame, Manner::Push);
    }

    /// Queues a fact of a party, which has a bound of its own.
    pub(crate) fn push_shared(&self, frame: Frame) {
        self.queue(frame, Manner::Shared);
    }

    /// Queues a frame that may be missed, unless [`OFFERED`] frames wait already. So it never closes
    /// a connection, and leaves room for what may not be missed.
    pub(crate) fn offer(&self, frame: Frame) {
        self.queue(frame, Manner::Offer);
    }

    /// Queues a frame in one of the three manners.
    pub(crate) fn queue(&self, frame: Frame, manner: Manner) {
        let mut way = self.0.way.lock();
        let Queued { frames, shared } = match &mut *way {
            Way::Here(queued) => queued,
            Way::Elsewhere(relay) => return relay.send(self.0.connection, frame, manner),
            Way::Ended => return,
        };
        let fits = match manner {
            Manner::Push => frames.len() - *shared < OUTBOX,
            Manner::Shared => *shared < SHARED,
            Manner::Offer => frames.len() - *shared < OFFERED,
        };
        if fits {
            frames.push(frame);
            *shared += usize::from(manner == Manner::Shared);
            let first = frames.len() == 1;
            drop(way);
            if first {
                self.0.reader.wake();
            }
        } else if manner != Manner::Offer && self.0.close_code.set(CloseCode::Slow).is_ok() {
            // An outbox overflows once, however many frames it refuses.
            self.0.metrics.overflowed();
        }
    }

    /// Closes the connection after the frames that are queued. A client without an answer
    /// reconnects and asks again.
    pub(crate) fn close(&self, code: CloseCode) {
        if self.0.close_code.set(code).is_ok() {
            self.0.reader.wake();
            if let Way::Elsewhere(relay) = &*self.0.way.lock() {
                relay.close(self.0.connection, code);
            }
        }
    }

    /// Whether the connection is to be closed: its client reads no answer any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.close_code.get().is_some()
    }

    /// Whether the connection's task has ended.
    pub(crate) fn is_ended(&self) -> bool {
        matches!(*self.0.way.lock(), Way::Ended)
    }

    /// Encodes and queues a message for this connection alone.
    pub(crate) fn send(&self, message: &ServerMessage) {
        self.push(encode(message));
    }

    /// Answers that an intent was applied.
    pub(crate) fn grant(&self, id: IntentId, room: Option<RoomCode>) {
        self.send(&ServerMessage::Ok { id, room, party: None });
    }

    /// Answers that an intent for a party was applied.
    pub(crate) fn grant_party(&self, id: IntentId, party: PartyCode) {
        self.send(&ServerMessage::Ok { id, room: None, party: Some(party) });
    }

    /// Refuses an intent. `id` is `None` if the intent could not be read.
    pub(crate) fn refuse(&self, id: Option<IntentId>, refusal: Refusal) {
        let Refusal { code, message } = refusal;
        self.0.metrics.refused(code);
        self.send(&ServerMessage::Refused { id, code, message });
    }
}

impl OutboxReader {
    /// The code to close the connection with; `None` while it stays open.
    pub(crate) fn close_code(&self) -> Option<CloseCode> {
        self.0.close_code.get().copied()
    }

    /// Waits until there are frames, and takes all of them into an empty `batch`, or until the
    /// connection is to be closed. Cancel-safe: nothing is taken before it returns.
    pub(crate) fn next(&self, batch: &mut Vec<Frame>) -> impl Future<Output = ()> {
        poll_fn(move |context| {
            self.0.reader.register(context.waker());
            let ready = self.take(batch) || self.close_code().is_some();
            if ready { Poll::Ready(()) } else { Poll::Pending }
        })
    }

    /// Exchanges an empty `batch` for the queued frames, and tells whether there were any.
    pub(crate) fn take(&self, batch: &mut Vec<Frame>) -> bool {
        if let Way::Here(queued) = &mut *self.0.way.lock()
            && !queued.frames.is_empty()
        {
            std::mem::swap(&mut queued.frames, batch);
            queued.shared = 0;
        }
        !batch.is_empty()
    }
}

impl Drop for OutboxReader {
    fn drop(&mut self) {
        *self.0.way.lock() = Way::Ended;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use noughts_protocol::CloseCode;

    use super::{ConnectionId, OUTBOX, outbox};
    use crate::metrics::Metrics;

    #[test]
    fn an_outbox_that_overflows_is_counted_once() {
        let metrics = Arc::new(Metrics::new());
        let (outbox, outgoing) = outbox(ConnectionId(1), Arc::clone(&metrics));
        for _ in 0..OUTBOX {
            outbox.push(String::from("{}").into());
        }
        assert_eq!((outgoing.close_code(), metrics.overflows()), (None, 0));
        for _ in 0..2 {
            outbox.push(String::from("{}").into());
            assert_eq!((outgoing.close_code(), metrics.overflows()), (Some(CloseCode::Slow), 1));
        }
    }
}
