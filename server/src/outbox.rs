//! The one ordered way to a connection: every message to it, already encoded. Writing them to the
//! socket is the connection's. The client of another node has its outbox in the pipe to that node.

mod frame;
mod pipe_queue;

use std::net::IpAddr;
use std::sync::Arc;

use noughts_protocol::{CloseCode, IntentId, PartyCode, Refusal, RoomCode, ServerMessage};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{SetOnce, mpsc};

use crate::metrics::{Metrics, name_of};
pub(crate) use frame::{Frame, encode};
pub(crate) use pipe_queue::{PipeItem, PipeItems, PipeQueue};

/// Frames that may wait for a connection: the facts of a party whose hundred entrants come at once. A
/// connection with more is closed with [`CloseCode::Slow`] and may resume: one snapshot makes its view
/// complete again.
pub(crate) const OUTBOX: usize = 512;

/// Frames that may wait for a connection when talk is added. A slower reader misses talk, so that
/// talk closes no connection.
const BEST_EFFORT: usize = 32;

/// A connection's number, unique in one run of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ConnectionId(pub(crate) u64);

/// The sending end. The connection's session and its room hold it.
#[derive(Debug, Clone)]
pub(crate) struct Outbox(Arc<Channel>);

/// The receiving end. The connection's task holds it.
#[derive(Debug)]
pub(crate) struct OutboxReader {
    frames: mpsc::Receiver<Frame>,
    shared: Arc<Channel>,
}

/// The part that both ends share.
#[derive(Debug)]
struct Channel {
    connection: ConnectionId,
    /// The client's, for the log.
    address: IpAddr,
    way: Way,
    close_code: SetOnce<CloseCode>,
    metrics: Arc<Metrics>,
}

/// Where frames go.
#[derive(Debug)]
enum Way {
    Socket(mpsc::Sender<Frame>),
    /// To a client of another node, by the number of its place here.
    Pipe(PipeQueue, u32),
}

/// Whether a frame may be missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// As [`Outbox::push`] does.
    Required,
    /// As [`Outbox::offer`] does.
    BestEffort,
}

/// The outbox of a new connection from an address. `metrics` counts its refusals and its overflow.
pub(crate) fn outbox(
    connection: ConnectionId,
    address: IpAddr,
    metrics: Arc<Metrics>,
) -> (Outbox, OutboxReader) {
    let (sender, frames) = mpsc::channel(OUTBOX);
    let way = Way::Socket(sender);
    let close_code = SetOnce::new();
    let shared = Arc::new(Channel { connection, address, way, close_code, metrics });
    (Outbox(Arc::clone(&shared)), OutboxReader { frames, shared })
}

/// The outbox of a client of another node: its place here has this number.
pub(crate) fn piped_outbox(
    connection: ConnectionId,
    address: IpAddr,
    metrics: Arc<Metrics>,
    queue: PipeQueue,
    place: u32,
) -> Outbox {
    let way = Way::Pipe(queue, place);
    let close_code = SetOnce::new();
    Outbox(Arc::new(Channel { connection, address, way, close_code, metrics }))
}

impl Drop for Channel {
    /// The client's own node waits for the last answer.
    fn drop(&mut self) {
        if let Way::Pipe(queue, place) = &self.way {
            queue.push(*place, PipeItem::End);
        }
    }
}

impl Outbox {
    /// The connection that reads it.
    pub(crate) fn connection(&self) -> ConnectionId {
        self.0.connection
    }

    /// Whether an event of its client may be a line of the log: a flood is left out.
    pub(crate) fn may_log(&self) -> bool {
        self.0.metrics.may_log(self.0.address)
    }

    /// Queues a frame without waiting. A full outbox closes the connection.
    pub(crate) fn push(&self, frame: Frame) {
        self.deliver(frame, Delivery::Required);
    }

    /// Queues a frame that may be missed, unless [`BEST_EFFORT`] frames wait already. So it never closes
    /// a connection, and leaves room for what may not be missed.
    pub(crate) fn offer(&self, frame: Frame) {
        self.deliver(frame, Delivery::BestEffort);
    }

    /// Queues a frame without waiting.
    pub(crate) fn deliver(&self, frame: Frame, delivery: Delivery) {
        let sender = match &self.0.way {
            Way::Socket(sender) => sender,
            Way::Pipe(queue, place) => {
                return queue.push(*place, PipeItem::Frame(frame, delivery));
            }
        };
        if delivery == Delivery::BestEffort && sender.capacity() <= OUTBOX - BEST_EFFORT {
            return;
        }
        // An outbox overflows once, however many frames it refuses.
        if let Err(TrySendError::Full(_)) = sender.try_send(frame)
            && self.0.close_code.set(CloseCode::Slow).is_ok()
        {
            self.0.metrics.overflowed();
        }
    }

    /// Closes the connection after the frames that are queued. A client without an answer
    /// reconnects and asks again.
    pub(crate) fn close(&self, code: CloseCode) {
        // A code that was set before stays.
        let _ = self.0.close_code.set(code);
    }

    /// Whether the connection is to be closed: its client reads no answer any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.close_code.initialized()
    }

    /// Waits until the connection is to be closed, and with which code. Cancel-safe.
    pub(crate) async fn closed(&self) -> CloseCode {
        *self.0.close_code.wait().await
    }

    /// Whether the client is one of another node.
    pub(crate) fn is_piped(&self) -> bool {
        matches!(self.0.way, Way::Pipe(..))
    }

    /// Queues a message for the client's own node, if that is another one.
    pub(crate) fn tell_node(&self, message: String) {
        if let Way::Pipe(queue, place) = &self.0.way {
            queue.push(*place, PipeItem::Message(message));
        }
    }

    /// Encodes and queues a message for this connection alone.
    pub(crate) fn send(&self, message: &ServerMessage) {
        self.push(encode(message));
    }

    /// Answers that an intent was applied.
    pub(crate) fn ack(&self, id: IntentId, room: Option<RoomCode>) {
        self.send(&ServerMessage::Ok { id, room, party: None });
    }

    /// Answers that an intent for a party was applied.
    pub(crate) fn ack_party(&self, id: IntentId, party: PartyCode) {
        self.send(&ServerMessage::Ok { id, room: None, party: Some(party) });
    }

    /// Refuses an intent. `id` is `None` if the intent could not be read.
    pub(crate) fn reject(&self, id: Option<IntentId>, refusal: Refusal) {
        let Refusal { code, message } = refusal;
        self.0.metrics.refused(code);
        if self.may_log() {
            let connection = self.connection().0;
            tracing::info!(code = name_of(code), address = %self.0.address, connection, "refused");
        }
        self.send(&ServerMessage::Refused { id, code, message });
    }
}

impl OutboxReader {
    /// The code to close the connection with; `None` while it stays open.
    #[cfg(test)]
    pub(crate) fn close_code(&self) -> Option<CloseCode> {
        self.shared.close_code.get().copied()
    }

    /// Waits until there are frames, and moves all of them into `batch`. Cancel-safe: nothing is taken
    /// before it returns.
    ///
    /// # Errors
    /// If the connection is to be closed. Frames may be left to [`Self::take`].
    pub(crate) async fn next(&mut self, batch: &mut Vec<Frame>) -> Result<(), CloseCode> {
        tokio::select! {
            biased;
            code = self.shared.close_code.wait() => Err(*code),
            // The connection has an outbox, so the channel stays open.
            _ = self.frames.recv_many(batch, OUTBOX) => Ok(()),
        }
    }

    /// The frames that are queued now.
    pub(crate) fn take(&mut self) -> Vec<Frame> {
        std::iter::from_fn(|| self.frames.try_recv().ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use noughts_protocol::CloseCode;

    use super::{BEST_EFFORT, ConnectionId, Frame, OUTBOX, outbox};
    use crate::metrics::Metrics;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn a_frame_that_may_be_missed_leaves_room_for_the_others() {
        let metrics = Arc::new(Metrics::new());
        let (outbox, mut reader) = outbox(ConnectionId(1), HERE, Arc::clone(&metrics));
        let frame = || Frame::from(String::from("{}"));
        for _ in 0..OUTBOX {
            outbox.offer(frame());
        }
        assert_eq!((reader.take().len(), reader.close_code()), (BEST_EFFORT, None));
        outbox.offer(frame());
        assert_eq!(reader.take().len(), 1, "there is a place again");
    }

    #[test]
    fn an_outbox_that_overflows_is_counted_once() {
        let metrics = Arc::new(Metrics::new());
        let (outbox, outgoing) = outbox(ConnectionId(1), HERE, Arc::clone(&metrics));
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
