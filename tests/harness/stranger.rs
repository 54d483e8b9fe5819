//! A connection of a client of others: it sends and receives raw texts. The house's own client is
//! [`player`](crate::player).

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::player::{Io, open};
use crate::{TIMEOUT, TestServer};

/// An open connection.
#[derive(Debug)]
pub struct Stranger(pub WebSocketStream<Box<dyn Io>>);

impl Stranger {
    /// Connects, and says nothing.
    ///
    /// # Panics
    /// If the server opens no WebSocket.
    pub async fn connect(server: &TestServer) -> Self {
        Self(open(server.stream().await).await.unwrap())
    }

    /// A connection that has said `hello`.
    ///
    /// # Panics
    /// If nobody is welcome.
    pub async fn greeted(server: &TestServer) -> Self {
        let mut stranger = Self::connect(server).await;
        assert_eq!(stranger.ask(&hello("Ada")).await["type"], "welcome");
        stranger
    }

    /// Sends a text.
    ///
    /// # Panics
    /// If the connection has ended.
    pub async fn say(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    /// The next text, or the code that closes the connection: 1006 if there is no close frame.
    ///
    /// # Errors
    /// If the connection is closed.
    ///
    /// # Panics
    /// If neither comes in time, or if the text is no JSON.
    pub async fn next(&mut self) -> Result<Value, u16> {
        loop {
            match timeout(TIMEOUT, self.0.next()).await.unwrap() {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(frame))) => {
                    return Err(frame.map_or(1005, |f| f.code.into()));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(1006),
            }
        }
    }

    /// Sends a text. Returns the next one.
    ///
    /// # Panics
    /// If there is none.
    pub async fn ask(&mut self, text: &str) -> Value {
        self.say(text).await;
        self.next().await.unwrap_or_else(|code| panic!("closed with {code} after {text}"))
    }

    /// The next text of a type.
    ///
    /// # Panics
    /// If there is none.
    pub async fn until_type(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.unwrap();
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// The code that closes the connection.
    pub async fn until_closed(&mut self) -> u16 {
        loop {
            if let Err(code) = self.next().await {
                return code;
            }
        }
    }
}

/// The first text of a client.
#[must_use]
pub fn hello(name: &str) -> String {
    json!({"type": "hello", "protocol": 2, "name": name}).to_string()
}
