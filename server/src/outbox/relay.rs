//! The way to the connections of another node. What it is made of is not known here.

use std::fmt::Debug;

use noughts_protocol::CloseCode;
use serde::{Deserialize, Serialize};

use super::{ConnectionId, Frame};

/// Whether a frame may be missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Delivery {
    /// As [`push`](super::Outbox::push) does.
    #[serde(rename = "push", alias = "shared")]
    Required,
    /// As [`offer`](super::Outbox::offer) does.
    #[serde(rename = "offer")]
    BestEffort,
}

/// A way to connections of another node.
pub(crate) trait Relay: Debug + Send + Sync {
    /// Sends a frame to a connection's outbox there, without waiting.
    fn send(&self, connection: ConnectionId, frame: Frame, delivery: Delivery);

    /// Closes a connection there after the frames that were sent.
    fn close(&self, connection: ConnectionId, code: CloseCode);
}
