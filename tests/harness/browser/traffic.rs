//! Counts what a tab loads, in bytes on the wire: headers and compressed bodies.

use chromiumoxide::cdp::browser_protocol::network::EventLoadingFinished;
use chromiumoxide::listeners::EventStream;
use futures::{FutureExt, StreamExt};
use serde_json::json;

use super::Tab;

/// The traffic since [`Tab::traffic`].
#[derive(Debug)]
pub struct Traffic {
    finished: EventStream<EventLoadingFinished>,
    requests: usize,
    bytes: f64,
}

impl Tab {
    /// Starts to count.
    pub async fn traffic(&self) -> Traffic {
        let finished = self.page.event_listener().await.unwrap();
        self.cdp("Network.enable", json!({})).await;
        Traffic { finished, requests: 0, bytes: 0.0 }
    }
}

impl Traffic {
    /// The number of responses so far, and their bytes.
    pub async fn so_far(&mut self, tab: &Tab) -> (usize, f64) {
        // Events that were sent before an answer have arrived with it.
        tab.eval("0").await;
        while let Some(Some(event)) = self.finished.next().now_or_never() {
            // Cached responses have no bytes: the icon, at each address of the history.
            self.requests += usize::from(event.encoded_data_length > 0.0);
            self.bytes += event.encoded_data_length;
        }
        (self.requests, self.bytes)
    }
}
