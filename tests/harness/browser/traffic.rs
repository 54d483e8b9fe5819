//! Counts what a tab loads, in bytes on the wire: headers and compressed bodies.

use serde_json::json;

use super::Tab;

/// The event of a response that has come.
const FINISHED: &str = "Network.loadingFinished";

/// The traffic since [`Tab::traffic`].
#[derive(Debug, Default)]
pub struct Traffic {
    requests: usize,
    bytes: f64,
}

impl Tab {
    /// Starts to count.
    pub async fn traffic(&self) -> Traffic {
        self.cdp("Network.enable", json!({})).await;
        self.take_events(FINISHED);
        Traffic::default()
    }
}

impl Traffic {
    /// The number of responses so far, and their bytes.
    pub async fn so_far(&mut self, tab: &Tab) -> (usize, f64) {
        // Events that were sent before an answer have arrived with it.
        tab.eval("0").await;
        for event in tab.take_events(FINISHED) {
            let bytes = event["encodedDataLength"].as_f64().unwrap();
            // Cached responses have no bytes: the icon, at each address of the history.
            self.requests += usize::from(bytes > 0.0);
            self.bytes += bytes;
        }
        (self.requests, self.bytes)
    }
}
