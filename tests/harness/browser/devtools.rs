//! The `DevTools` protocol (<https://chromedevtools.github.io/devtools-protocol/>) over one WebSocket: commands with
//! their answers, and the events of each tab that tests read.
//!
//! By hand: commands and answers are JSON here, because a newer Chromium has fields that typed ones refuse. That
//! leaves little for a crate to do, and `chromiumoxide` takes 120 s of processor time to build.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

/// The limit for an answer.
const ANSWER_TIME: Duration = Duration::from_secs(30);

/// Commands that may wait for the connection.
const QUEUE: usize = 64;

/// The events that are kept until a test reads them.
const KEPT: [&str; 4] = [
    "Log.entryAdded",
    "Network.loadingFinished",
    "Runtime.consoleAPICalled",
    "Runtime.exceptionThrown",
];

/// The state that the task of a connection shares with those who send commands.
#[derive(Debug, Default)]
struct Shared {
    /// The commands without an answer, by number: each sender gets the answer here.
    waiting: Mutex<HashMap<u64, oneshot::Sender<Value>>>,
    /// By session: the kept events, in order. A test ends before they are many.
    events: Mutex<HashMap<String, Vec<Value>>>,
}

/// A connection to Chromium. Its task may run on another runtime than those who use it.
#[derive(Debug)]
pub(super) struct DevTools {
    commands: mpsc::Sender<String>,
    last: AtomicU64,
    shared: Arc<Shared>,
}

impl DevTools {
    /// Connects, and drives the connection in a task until Chromium ends it or [`DevTools`] is dropped.
    pub(super) async fn connect(address: &str) -> Self {
        let (mut socket, _) = connect_async(address).await.unwrap();
        let (commands, mut asked) = mpsc::channel::<String>(QUEUE);
        let shared = Arc::new(Shared::default());
        let told = Arc::clone(&shared);
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    command = asked.recv() => {
                        let Some(command) = command else { break };
                        if socket.send(Message::text(command)).await.is_err() {
                            break;
                        }
                    }
                    message = socket.next() => match message {
                        Some(Ok(Message::Text(text))) => told.take(&text),
                        Some(Ok(_)) => {}
                        Some(Err(_)) | None => break,
                    }
                }
            }
            // Nobody waits for an answer that cannot come.
            told.waiting.lock().clear();
        });
        Self { commands, last: AtomicU64::new(0), shared }
    }

    /// Sends a command to a tab, or to Chromium itself without a session. Returns the result, or the error as text.
    pub(super) async fn send(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> Result<Value, String> {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let (answer, answered) = oneshot::channel();
        self.shared.waiting.lock().insert(id, answer);
        let mut command = json!({"id": id, "method": method, "params": params});
        if let Some(session) = session {
            command["sessionId"] = json!(session);
        }
        drop(self.commands.send(command.to_string()).await);
        let mut answer = timeout(ANSWER_TIME, answered)
            .await
            .map_err(|_| "there is no answer".to_owned())?
            .map_err(|_| "Chromium has ended".to_owned())?;
        match answer.get("error") {
            Some(error) => Err(error.to_string()),
            None => Ok(answer["result"].take()),
        }
    }

    /// Takes the kept events of a tab with this method, in order: their parameters.
    pub(super) fn take_events(&self, session: &str, method: &str) -> Vec<Value> {
        let mut events = self.shared.events.lock();
        let Some(kept) = events.get_mut(session) else { return Vec::new() };
        let taken = kept.extract_if(.., |event| event["method"] == method);
        taken.map(|mut event| event["params"].take()).collect()
    }

    /// Forgets the events of a tab that has ended.
    pub(super) fn forget(&self, session: &str) {
        self.shared.events.lock().remove(session);
    }
}

impl Shared {
    /// Takes what Chromium has said.
    fn take(&self, text: &str) {
        let Ok(message) = serde_json::from_str::<Value>(text) else { return };
        if let Some(id) = message["id"].as_u64() {
            if let Some(waiting) = self.waiting.lock().remove(&id) {
                drop(waiting.send(message));
            }
        } else if let Some(session) = message["sessionId"].as_str()
            && KEPT.iter().any(|kept| message["method"] == *kept)
        {
            self.events.lock().entry(session.to_owned()).or_default().push(message);
        }
    }
}
