//! The errors of the WebSocket library, and the messages for it.

use std::error::Error;

use axum::extract::ws::{Message, Utf8Bytes};
use noughts_protocol::CloseCode;

use crate::outbox::Frame;

/// The code that answers an error of a read. `None` if nobody reads a close frame any more.
pub(super) fn close_code(error: &axum::Error) -> Option<CloseCode> {
    if is_gone(error) {
        return None;
    }
    // Axum has no types for these. The texts are tungstenite's.
    let text = error.to_string();
    Some(match text.split_once(" error: ").map(|(kind, _)| kind) {
        Some("WebSocket protocol") => CloseCode::ProtocolError,
        Some("UTF-8 encoding") => CloseCode::NotUtf8,
        _ => CloseCode::TooBig,
    })
}

/// Whether the connection broke or ended without a close frame, so that nobody reads a close frame.
fn is_gone(error: &axum::Error) -> bool {
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
pub(super) fn message(frame: Frame) -> Message {
    Message::Text(Utf8Bytes::try_from(frame.into_bytes()).unwrap_or_default())
}
