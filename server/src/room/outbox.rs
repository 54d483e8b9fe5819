//! The one ordered way to a connection: everything it is to be sent, already encoded.
//! Writing to the socket is `web/socket.rs`.

use std::sync::{Arc, OnceLock};

use axum::extract::ws::Utf8Bytes;
use noughts_protocol::{CloseCode, IntentId, Refusal, RoomCode, ServerMessage};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::metrics::Metrics;

/// Messages that may wait for a connection. One that lets more than this pile up is closed with
/// [`CloseCode::Slow`] and may resume: its view is complete again with one snapshot.
pub(crate) const OUTBOX: usize = 64;

/// The sending end, held by the connection's session and by the room it is in.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    frames: mpsc::Sender<Utf8Bytes>,
    kick: Arc<Kick>,
}

/// The receiving end, held by the connection's socket task.
#[derive(Debug)]
pub(crate) struct Outgoing {
    pub(crate) frames: mpsc::Receiver<Utf8Bytes>,
    kick: Arc<Kick>,
}

/// What both ends of an outbox share.
#[derive(Debug)]
struct Kick {
    /// A close code that overtakes what waits. It is given to a full outbox alone, so that nobody
    /// needs waking to see it.
    code: OnceLock<CloseCode>,
    metrics: Arc<Metrics>,
}

/// A new outbox, whose refusals and overflow are counted.
pub(crate) fn outbox(metrics: Arc<Metrics>) -> (Outbox, Outgoing) {
    let (sender, frames) = mpsc::channel(OUTBOX);
    let kick = Arc::new(Kick { code: OnceLock::new(), metrics });
    (Outbox { frames: sender, kick: Arc::clone(&kick) }, Outgoing { frames, kick })
}

/// A message as it goes over the wire.
pub(crate) fn encode(message: &ServerMessage) -> Utf8Bytes {
    // Messages hold no map with other keys than strings, so that they can always be written.
    serde_json::to_string(message).unwrap_or_default().into()
}

impl Outbox {
    /// Queues an encoded message without waiting. A full outbox closes the connection.
    pub(crate) fn push(&self, frame: Utf8Bytes) {
        if let Err(TrySendError::Full(_)) = self.frames.try_send(frame)
            // The first one counts.
            && self.kick.code.set(CloseCode::Slow).is_ok()
        {
            self.kick.metrics.overflowed();
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
        self.kick.metrics.refused(code);
        self.send(&ServerMessage::Refused { id, code, message });
    }
}

impl Outgoing {
    /// The code that the connection is to be closed with, if it is.
    pub(crate) fn kicked(&self) -> Option<CloseCode> {
        self.kick.code.get().copied()
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
        assert_eq!((outgoing.kicked(), metrics.overflows()), (None, 0));
        for _ in 0..2 {
            outbox.push("{}".into());
            assert_eq!((outgoing.kicked(), metrics.overflows()), (Some(CloseCode::Slow), 1));
        }
    }
}
