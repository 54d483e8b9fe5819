//! The one ordered way to a connection: everything it is to be sent, already encoded.
//! Writing to the socket is `web/socket.rs`.

mod encode;

use std::future::poll_fn;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::Poll;

use axum::extract::ws::Utf8Bytes;
use futures::task::AtomicWaker;
use noughts_protocol::{CloseCode, IntentId, Refusal, RoomCode, ServerMessage};

use crate::metrics::Metrics;
pub(crate) use encode::encode;

/// Messages that may wait for a connection. One that lets more than this pile up is closed with
/// [`CloseCode::Slow`] and may resume: its view is complete again with one snapshot.
pub(crate) const OUTBOX: usize = 64;

/// The sending end, held by the connection's session and by the room it is in.
#[derive(Debug, Clone)]
pub(crate) struct Outbox(Arc<Shared>);

/// The receiving end, held by the connection's socket task.
#[derive(Debug)]
pub(crate) struct OutboxReader(Arc<Shared>);

/// What both ends share. All that waits is taken out at once, which a channel of tokio's does
/// one by one; and it would be 1.6 KiB for a connection.
#[derive(Debug)]
struct Shared {
    /// What waits, at most [`OUTBOX`] frames; nothing once the socket task has ended.
    waiting: Mutex<Option<Vec<Utf8Bytes>>>,
    socket: AtomicWaker,
    /// The code that the connection is to be closed with.
    close_code: OnceLock<CloseCode>,
    metrics: Arc<Metrics>,
}

/// A new outbox, whose refusals and overflow are counted.
pub(crate) fn outbox(metrics: Arc<Metrics>) -> (Outbox, OutboxReader) {
    let shared = Arc::new(Shared {
        waiting: Mutex::new(Some(Vec::new())),
        socket: AtomicWaker::new(),
        close_code: OnceLock::new(),
        metrics,
    });
    (Outbox(Arc::clone(&shared)), OutboxReader(shared))
}

impl Outbox {
    /// Queues an encoded message without waiting. A full outbox closes the connection.
    pub(crate) fn push(&self, frame: Utf8Bytes) {
        let mut waiting = self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(frames) = waiting.as_mut() else { return };
        if frames.len() < OUTBOX {
            frames.push(frame);
            let first = frames.len() == 1;
            drop(waiting);
            if first {
                self.0.socket.wake();
            }
        } else if self.0.close_code.set(CloseCode::Slow).is_ok() {
            // The first one counts.
            self.0.metrics.overflowed();
        }
    }

    /// Ends the connection with a code, after what waits already. Whoever asked for something and
    /// was not answered comes back and asks again.
    pub(crate) fn end(&self, code: CloseCode) {
        if self.0.close_code.set(code).is_ok() {
            self.0.socket.wake();
        }
    }

    /// Encodes and queues a message for this connection alone.
    pub(crate) fn send(&self, message: &ServerMessage) {
        self.push(encode(message));
    }

    /// Grants an intent.
    pub(crate) fn grant(&self, id: IntentId, room: Option<RoomCode>) {
        self.send(&ServerMessage::Ok { id, room });
    }

    /// Refuses an intent, or a frame whose intent could not be read.
    pub(crate) fn refuse(&self, id: Option<IntentId>, refusal: Refusal) {
        let Refusal { code, message } = refusal;
        self.0.metrics.refused(code);
        self.send(&ServerMessage::Refused { id, code, message });
    }
}

impl OutboxReader {
    /// The code that the connection is to be closed with, if it is.
    pub(crate) fn close_code(&self) -> Option<CloseCode> {
        self.0.close_code.get().copied()
    }

    /// Waits until there is something to send, and takes all of it into an empty `batch`; or until
    /// the connection is to be closed. Cancel-safe: nothing is taken before it returns.
    pub(crate) fn next(&self, batch: &mut Vec<Utf8Bytes>) -> impl Future<Output = ()> {
        poll_fn(move |context| {
            self.0.socket.register(context.waker());
            let woken = self.take(batch) || self.close_code().is_some();
            if woken { Poll::Ready(()) } else { Poll::Pending }
        })
    }

    /// Takes what waits, in exchange for an empty `batch`; whether there was anything.
    pub(crate) fn take(&self, batch: &mut Vec<Utf8Bytes>) -> bool {
        let mut waiting = self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(frames) = waiting.as_mut().filter(|frames| !frames.is_empty()) {
            std::mem::swap(frames, batch);
        }
        !batch.is_empty()
    }
}

impl Drop for OutboxReader {
    fn drop(&mut self) {
        *self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use noughts_protocol::CloseCode;

    use super::{OUTBOX, outbox};
    use crate::metrics::Metrics;

    #[test]
    fn an_outbox_that_overflows_is_counted_once() {
        let metrics = Arc::new(Metrics::new());
        let (outbox, outgoing) = outbox(Arc::clone(&metrics));
        for _ in 0..OUTBOX {
            outbox.push("{}".into());
        }
        assert_eq!((outgoing.close_code(), metrics.overflows()), (None, 0));
        for _ in 0..2 {
            outbox.push("{}".into());
            assert_eq!((outgoing.close_code(), metrics.overflows()), (Some(CloseCode::Slow), 1));
        }
    }
}
