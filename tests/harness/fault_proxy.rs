//! A TCP proxy with a [`FaultInjector`]: a process on a bad network dials it in place of the server.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::AbortOnDropHandle;

use crate::fault_injector::FaultInjector;

/// A running proxy. Dropping it ends it and the connections through it.
#[derive(Debug)]
pub struct FaultProxy {
    address: SocketAddr,
    _forwarding: AbortOnDropHandle<()>,
}

impl FaultProxy {
    /// Starts a proxy on a free port of the loopback interface.
    ///
    /// # Panics
    /// If it cannot listen.
    pub async fn start(server: SocketAddr, faults: FaultInjector) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let forwarding = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            loop {
                let Ok((client, _)) = listener.accept().await else { continue };
                let faults = faults.clone();
                connections.spawn(async move {
                    faults.until_open().await;
                    // While the server is down, the client finds its connection closed.
                    let Ok(server) = TcpStream::connect(server).await else { return };
                    drop((client.set_nodelay(true), server.set_nodelay(true)));
                    faults.forward(client, server).await;
                });
                while connections.try_join_next().is_some() {}
            }
        });
        Self { address, _forwarding: AbortOnDropHandle::new(forwarding) }
    }

    /// The address to dial.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}
