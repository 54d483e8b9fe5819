//! A TCP proxy on the way to a server, with weather in it: what a program behind a bad connection
//! dials in place of the server.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::AbortOnDropHandle;

use crate::weather::Weather;

/// A running proxy. Dropping it ends it and the connections through it.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    _carrying: AbortOnDropHandle<()>,
}

impl Proxy {
    /// Starts one on a free port of the loopback interface.
    ///
    /// # Panics
    /// Where it cannot listen.
    pub async fn start(server: SocketAddr, weather: Weather) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let carrying = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            loop {
                let Ok((client, _)) = listener.accept().await else { continue };
                let weather = weather.clone();
                connections.spawn(async move {
                    weather.until_open().await;
                    // Where the server is away, the client finds its connection closed.
                    let Ok(server) = TcpStream::connect(server).await else { return };
                    drop((client.set_nodelay(true), server.set_nodelay(true)));
                    weather.carry(client, server).await;
                });
                while connections.try_join_next().is_some() {}
            }
        });
        Self { address, _carrying: AbortOnDropHandle::new(carrying) }
    }

    /// What to dial.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}
