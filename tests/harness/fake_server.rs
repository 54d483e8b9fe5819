//! A fake server: it sends each client exactly the bytes or messages that a test wants.

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Message, WebSocket, accept};

/// Connections that are accepted, so that a client that reconnects for ever does not hang a test.
const MAX_CONNECTIONS: usize = 64;

/// A listening server. Dropping it closes its port.
#[derive(Debug)]
pub struct FakeServer {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
}

/// The connection of one client.
#[derive(Debug)]
pub struct FakeConnection {
    socket: WebSocket<TcpStream>,
    /// Whether the client is still there. Messages sent afterwards are lost.
    is_open: bool,
}

impl FakeServer {
    /// Runs `talk` for each WebSocket connection, one after another, and then closes it.
    #[must_use]
    pub fn start(talk: impl Fn(&mut FakeConnection) + Send + 'static) -> Self {
        Self::raw(move |stream| {
            if let Ok(socket) = accept(stream) {
                talk(&mut FakeConnection { socket, is_open: true });
            }
        })
    }

    /// Runs `talk` for each TCP connection, from the first byte on.
    ///
    /// # Panics
    /// If there is no free port.
    #[must_use]
    pub fn raw(talk: impl Fn(TcpStream) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        std::thread::spawn(move || {
            for stream in listener.incoming().take(MAX_CONNECTIONS) {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                stream.map(&talk).unwrap_or_default();
            }
        });
        Self { address, stop }
    }

    /// Its address, as `--server` takes it.
    #[must_use]
    pub fn address(&self) -> String {
        self.address.to_string()
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // This wakes `accept` once more; if it fails, the thread has ended.
        drop(TcpStream::connect(self.address));
    }
}

impl FakeConnection {
    /// Sends a text message.
    pub fn send_text(&mut self, text: impl Into<String>) {
        self.send(Message::text(text.into()));
    }

    /// Sends any frame.
    pub fn send(&mut self, message: Message) {
        self.is_open = self.is_open && self.socket.send(message).is_ok();
    }

    /// Sends raw bytes, outside all frames.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.is_open = self.is_open && self.socket.get_mut().write_all(bytes).is_ok();
    }

    /// Closes with a code.
    pub fn close(&mut self, code: u16, reason: &str) {
        let frame = CloseFrame { code: code.into(), reason: reason.into() };
        self.send(Message::Close(Some(frame)));
        while self.receive().is_some() {}
    }

    /// The next message of the client; `None` when it has gone.
    pub fn receive(&mut self) -> Option<Value> {
        while self.is_open {
            match self.socket.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(_) => {}
                Err(_) => self.is_open = false,
            }
        }
        None
    }

    /// Whether the client is still there.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Receives `hello` and answers `welcome`.
    pub fn welcome(&mut self) {
        self.receive();
        let welcome = include_str!("../../protocol/tests/golden/server.welcome.json");
        self.send_text(welcome);
    }

    /// Answers the next intent with `ok`.
    pub fn accept_intent(&mut self) {
        if let Some(intent) = self.receive() {
            self.send_text(json!({"type": "ok", "id": intent["id"], "room": "KQRZX"}).to_string());
        }
    }

    /// Welcomes the client, accepts its first intent and sends a snapshot.
    pub fn enter_room(&mut self, snapshot: &Value) {
        self.welcome();
        self.accept_intent();
        self.send_text(snapshot.to_string());
    }

    /// Answers every intent with `ok` until the client goes.
    pub fn accept_all(&mut self) {
        while self.is_open {
            self.accept_intent();
        }
    }
}
