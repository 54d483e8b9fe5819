//! The way to the connections of another node. What it is made of is not known here.

use std::fmt::Debug;

use noughts_protocol::CloseCode;
use serde::{Deserialize, Serialize};

use super::{ConnectionId, Frame};

/// How a frame is queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Manner {
    /// As [`push`](super::Outbox::push) does.
    Push,
    /// As [`push_shared`](super::Outbox::push_shared) does.
    Shared,
    /// As [`offer`](super::Outbox::offer) does.
    Offer,
}

/// A way to connections of another node.
pub(crate) trait Relay: Debug + Send + Sync {
    /// Sends a frame to a connection's outbox there, without waiting.
    fn send(&self, connection: ConnectionId, frame: Frame, manner: Manner);

    /// Closes a connection there after the frames that were sent.
    fn close(&self, connection: ConnectionId, code: CloseCode);
}
