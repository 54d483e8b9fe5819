//! A TCP proxy with a [`FaultInjector`] between a client and a server, which a test can cut and restore.
//! Chromium's own network emulation leaves open sockets alone, so it cannot simulate a lost network.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::task::AbortOnDropHandle;

use crate::fault_injector::{FaultInjector, FaultProfile};

/// A running proxy. Dropping it ends it and the connections through it.
#[derive(Debug)]
pub struct FaultProxy {
    address: SocketAddr,
    up: watch::Sender<bool>,
    _forwarding: AbortOnDropHandle<()>,
}

impl FaultProxy {
    /// Starts a proxy without faults, until it is cut.
    ///
    /// # Panics
    /// If it cannot listen.
    pub async fn to(server: SocketAddr) -> Self {
        Self::start(server, FaultInjector::new(FaultProfile::default(), 0)).await
    }

    /// Starts a proxy on a free port of the loopback interface.
    ///
    /// # Panics
    /// If it cannot listen.
    pub async fn start(server: SocketAddr, faults: FaultInjector) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (up, mut is_up) = watch::channel(true);
        let forwarding = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let accepted = tokio::select! {
                    Ok(()) = is_up.changed() => {
                        connections.abort_all();
                        continue;
                    }
                    accepted = listener.accept() => accepted,
                };
                while connections.try_join_next().is_some() {}
                // While it is cut, a connection is closed at once.
                let Some((client, _)) = accepted.ok().filter(|_| *is_up.borrow()) else { continue };
                let faults = faults.clone();
                connections.spawn(async move {
                    faults.until_open().await;
                    // While the server is down, the client finds its connection closed.
                    let Ok(server) = TcpStream::connect(server).await else { return };
                    drop((client.set_nodelay(true), server.set_nodelay(true)));
                    faults.forward(client, server).await;
                });
            }
        });
        Self { address, up, _forwarding: AbortOnDropHandle::new(forwarding) }
    }

    /// The address to dial.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Breaks every connection, and every new one until [`FaultProxy::restore`].
    pub fn cut(&self) {
        self.up.send_replace(false);
    }

    /// Lets connections through again.
    pub fn restore(&self) {
        self.up.send_replace(true);
    }
}
