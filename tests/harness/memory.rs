//! Connections without a network: a listener whose streams are pipes in memory. With Tokio's clock
//! paused, time advances only while all tasks wait, so that an hour takes no time.

use std::io;
use std::net::SocketAddr;

use axum::serve::Listener;
use tokio::io::DuplexStream;
use tokio::sync::mpsc;

/// The capacity of a pipe in each direction, in bytes: that of a small socket buffer.
pub const PIPE: usize = 64 * 1024;

/// The server's end.
#[derive(Debug)]
pub struct MemoryListener {
    incoming: mpsc::Receiver<DuplexStream>,
}

/// The clients' end.
#[derive(Debug, Clone)]
pub struct MemoryConnector {
    connections: mpsc::Sender<DuplexStream>,
}

/// A listener and the way to connect to it.
#[must_use]
pub fn listen() -> (MemoryListener, MemoryConnector) {
    let (connections, incoming) = mpsc::channel(16);
    (MemoryListener { incoming }, MemoryConnector { connections })
}

impl MemoryConnector {
    /// Connects; `None` when the server has stopped.
    pub async fn connect(&self) -> Option<DuplexStream> {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        self.connections.send(theirs).await.ok().map(|()| ours)
    }
}

impl Listener for MemoryListener {
    type Io = DuplexStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (DuplexStream, SocketAddr) {
        match self.incoming.recv().await {
            Some(stream) => (stream, address()),
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(address())
    }
}

/// An address for documentation (RFC 5737); nothing is ever sent there.
fn address() -> SocketAddr {
    ([192, 0, 2, 1], 7333).into()
}
