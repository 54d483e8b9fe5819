//! Encoding of a message as JSON.

use noughts_protocol::ServerMessage;

use super::Frame;

/// The message as it goes over the wire.
pub(crate) fn encode(message: &ServerMessage) -> Frame {
    // This never fails: a message holds no map whose keys are not strings.
    serde_json::to_string(message).unwrap_or_default().into()
}
