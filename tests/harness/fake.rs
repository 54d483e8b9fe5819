//! A server that is none: it says what a test wants said, word for word, to whoever connects.

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Message, WebSocket, accept};

/// Connections that are talked to, so that a client that comes back for ever is not a test's end.
const MOST_GUESTS: usize = 64;

/// A listening fake. Dropping it closes its port.
#[derive(Debug)]
pub struct FakeServer {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
}

/// A client that has connected.
#[derive(Debug)]
pub struct Guest {
    socket: WebSocket<TcpStream>,
    /// Whether it is still there; what is said to one who has gone is lost.
    here: bool,
}

impl FakeServer {
    /// Talks to whoever opens a WebSocket, one after the other; then the connection ends.
    #[must_use]
    pub fn start(talk: impl Fn(&mut Guest) + Send + 'static) -> Self {
        Self::raw(move |stream| {
            if let Ok(socket) = accept(stream) {
                talk(&mut Guest { socket, here: true });
            }
        })
    }

    /// Talks to whoever connects, from the first byte on.
    ///
    /// # Panics
    /// Where there is no free port.
    #[must_use]
    pub fn raw(talk: impl Fn(TcpStream) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        std::thread::spawn(move || {
            for stream in listener.incoming().take(MOST_GUESTS) {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                stream.map(&talk).unwrap_or_default();
            }
        });
        Self { address, stop }
    }

    /// Where it listens, as `--server` takes it.
    #[must_use]
    pub fn address(&self) -> String {
        self.address.to_string()
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Its accept returns once more; where that fails it has ended.
        drop(TcpStream::connect(self.address));
    }
}

impl Guest {
    /// Says a message, or anything else.
    pub fn say(&mut self, text: impl Into<String>) {
        self.send(Message::text(text.into()));
    }

    /// Sends any frame.
    pub fn send(&mut self, message: Message) {
        self.here = self.here && self.socket.send(message).is_ok();
    }

    /// Sends bytes as they are, beside all frames.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.here = self.here && self.socket.get_mut().write_all(bytes).is_ok();
    }

    /// Closes with a code.
    pub fn close(&mut self, code: u16, reason: &str) {
        let frame = CloseFrame { code: code.into(), reason: reason.into() };
        self.send(Message::Close(Some(frame)));
        while self.hear().is_some() {}
    }

    /// The next message of the client; none when it has gone.
    pub fn hear(&mut self) -> Option<Value> {
        while self.here {
            match self.socket.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(_) => {}
                Err(_) => self.here = false,
            }
        }
        None
    }

    /// Whether the client is still there.
    #[must_use]
    pub const fn is_here(&self) -> bool {
        self.here
    }

    /// Hears `hello` and welcomes the client.
    pub fn welcome(&mut self) {
        self.hear();
        let welcome = include_str!("../../protocol/tests/golden/server.welcome.json");
        self.say(welcome);
    }

    /// Grants the next intent.
    pub fn grant(&mut self) {
        if let Some(intent) = self.hear() {
            self.say(json!({"type": "ok", "id": intent["id"], "room": "KQRZX"}).to_string());
        }
    }

    /// Welcomes the client and leads it into a room.
    pub fn seat(&mut self, snapshot: &Value) {
        self.welcome();
        self.grant();
        self.say(snapshot.to_string());
    }

    /// Grants everything until the client goes.
    pub fn stay(&mut self) {
        while self.here {
            self.grant();
        }
    }
}
