//! The queue of a pipe to another node, in order. The meaning of its items is [`crate::pipe`]'s.

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio_util::sync::CancellationToken;

use super::{Delivery, Frame};

/// Items that may wait for a pipe: an event for each of some hundred thousand spectators. A pipe with more has
/// ended: its clients come back.
const PIPE_QUEUE: usize = 1 << 18;

/// Something that goes through a pipe, for the client's place with a number.
#[derive(Debug)]
pub(crate) enum PipeItem {
    /// To the client.
    Frame(Frame, Delivery),
    /// To the other node.
    Message(String),
    /// Nothing more comes from this node.
    End,
}

/// The items of a pipe.
pub(crate) type PipeItems = mpsc::Receiver<(u32, PipeItem)>;

/// The sending end. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct PipeQueue {
    items: mpsc::Sender<(u32, PipeItem)>,
    /// Cancelled when items are lost, because the queue is full.
    overflow: CancellationToken,
}

impl PipeQueue {
    /// The queue of a new pipe.
    pub(crate) fn new() -> (Self, PipeItems) {
        let (sender, items) = mpsc::channel(PIPE_QUEUE);
        (Self { items: sender, overflow: CancellationToken::new() }, items)
    }

    /// Queues an item for a place, without waiting. A full queue ends the pipe.
    pub(crate) fn push(&self, place: u32, item: PipeItem) {
        let is_best_effort = matches!(item, PipeItem::Frame(_, Delivery::BestEffort));
        if is_best_effort && self.items.capacity() < PIPE_QUEUE / 2 {
            return;
        }
        if let Err(TrySendError::Full(_)) = self.items.try_send((place, item)) {
            self.overflow.cancel();
        }
    }

    /// Waits until items are lost. Cancel-safe.
    pub(crate) async fn overflowed(&self) {
        self.overflow.cancelled().await;
    }
}
