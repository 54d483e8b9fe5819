//! What the library says of a WebSocket, and what it is given to write.

use std::error::Error;

use axum::extract::ws::{Message, Utf8Bytes};

use crate::outbox::Frame;

/// Whether the connection broke or ended without a close frame, so that nobody reads a close frame.
pub(super) fn is_gone(error: &axum::Error) -> bool {
    // Axum has no type for an end without a close frame. The text is tungstenite's.
    if error.to_string().ends_with("without closing handshake") {
        return true;
    }
    let mut cause: Option<&dyn Error> = Some(error);
    while let Some(error) = cause {
        if error.is::<std::io::Error>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// The frame as a WebSocket message. It is text, so nothing is copied and nothing fails.
pub(super) fn text(frame: Frame) -> Message {
    Message::Text(Utf8Bytes::try_from(frame.into_bytes()).unwrap_or_default())
}
