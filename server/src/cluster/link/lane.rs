//! The queue of what goes to another node. Everything that this node sends there waits in it, in one
//! order.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::task::Poll;

use futures::task::AtomicWaker;
use noughts_protocol::CloseCode;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::cluster::wire::{Message, Number, PACKET, RECEIVERS};
use crate::outbox::{ConnectionId, Delivery, Frame, Relay};

/// Bytes that may wait for another node: half a second of 300,000 deliveries a second. With more the
/// link breaks: the other node is too slow, or cannot be reached.
const LANE: usize = 16 << 20;

/// Bytes that may wait when talk is added. A slower node misses talk, so that talk breaks no link.
const OFFERED: usize = LANE / 2;

/// Bits of a [`ConnectionId`] that are the connection's number at its front.
const NUMBER_BITS: u32 = 48;

/// The queue. Many may send, the link's task takes.
#[derive(Debug)]
pub(super) struct Lane {
    waiting: Mutex<Waiting>,
    sender: AtomicWaker,
    /// Cancelled by a full lane.
    broken: CancellationToken,
}

#[derive(Debug, Default)]
struct Waiting {
    messages: VecDeque<Message>,
    /// About as many as the messages have: at most [`LANE`], and one message.
    bytes: usize,
    /// The link has ended.
    is_closed: bool,
}

/// This node's number of a connection of another node. Numbers of one link are neighbours, so that a
/// room's audience has the connections of one front in a row.
pub(super) const fn connection_id(link: u16, number: Number) -> ConnectionId {
    let link = (link as u64) | (1 << 15);
    ConnectionId((link << NUMBER_BITS) | (number & ((1 << NUMBER_BITS) - 1)))
}

/// The number of the connection at its front.
const fn number(connection: ConnectionId) -> Number {
    connection.0 & ((1 << NUMBER_BITS) - 1)
}

impl Lane {
    /// An empty lane, which cancels `broken` when it is full.
    pub(super) fn new(broken: CancellationToken) -> Self {
        Self { waiting: Mutex::default(), sender: AtomicWaker::new(), broken }
    }

    /// Queues a message without waiting. A full lane breaks the link.
    pub(super) fn push(&self, message: Message) {
        self.add(false, |messages| {
            let size = message.size();
            messages.push_back(message);
            size
        });
    }

    /// Adds to the messages; `add` returns how many bytes they have more then. What is `offered` may be
    /// missed.
    fn add(&self, offered: bool, add: impl FnOnce(&mut VecDeque<Message>) -> usize) {
        let mut waiting = self.waiting.lock();
        let limit = if offered { OFFERED } else { LANE };
        if waiting.is_closed || waiting.bytes >= limit {
            let is_full = !waiting.is_closed && !offered;
            drop(waiting);
            if is_full {
                self.broken.cancel();
            }
            return;
        }
        let first = waiting.messages.is_empty();
        let bytes = add(&mut waiting.messages);
        waiting.bytes += bytes;
        drop(waiting);
        if first {
            self.sender.wake();
        }
    }

    /// How many bytes wait.
    pub(super) fn bytes(&self) -> usize {
        self.waiting.lock().bytes
    }

    /// Takes nothing more. What waits is lost.
    pub(super) fn close(&self) {
        *self.waiting.lock() = Waiting { is_closed: true, ..Waiting::default() };
    }

    /// Waits until there are messages. Cancel-safe: nothing is taken.
    pub(super) fn ready(&self) -> impl Future<Output = ()> {
        poll_fn(|context| {
            self.sender.register(context.waker());
            if self.waiting.lock().messages.is_empty() { Poll::Pending } else { Poll::Ready(()) }
        })
    }

    /// Takes as many messages as a packet holds.
    pub(super) fn take(&self) -> Vec<Message> {
        let mut waiting = self.waiting.lock();
        let Waiting { messages, bytes, .. } = &mut *waiting;
        let (mut taken, mut packet) = (Vec::new(), 0);
        while packet < PACKET
            && let Some(message) = messages.pop_front()
        {
            packet += message.size();
            taken.push(message);
        }
        *bytes = if messages.is_empty() { 0 } else { bytes.saturating_sub(packet) };
        taken
    }
}

impl Relay for Lane {
    fn send(&self, connection: ConnectionId, frame: Frame, manner: Delivery) {
        let to = number(connection);
        self.add(manner == Delivery::BestEffort, |messages| {
            // A frame for many connections of one front crosses the link once.
            if let Some(Message::Frame { to: others, manner: as_before, frame: before }) =
                messages.back_mut()
                && *as_before == manner
                && before.is_clone_of(&frame)
                && others.len() < RECEIVERS
            {
                others.push(to);
                return size_of::<Number>();
            }
            let message = Message::Frame { to: vec![to], manner, frame };
            let size = message.size();
            messages.push_back(message);
            size
        });
    }

    fn close(&self, connection: ConnectionId, code: CloseCode) {
        self.push(Message::Close { to: number(connection), code });
    }
}
