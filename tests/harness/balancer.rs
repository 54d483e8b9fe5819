//! One address before several servers: each connection goes to the next of them that takes it. It knows
//! TCP and nothing else, as the simplest balancer of a host does.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::task::AbortOnDropHandle;

/// A running balancer. Dropping it closes its connections.
#[derive(Debug)]
pub struct Balancer {
    address: SocketAddr,
    _forwarding: AbortOnDropHandle<()>,
}

impl Balancer {
    /// Starts a balancer over these servers.
    ///
    /// # Panics
    /// If there is no free port.
    pub async fn over(servers: Vec<SocketAddr>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let forwarding = AbortOnDropHandle::new(tokio::spawn(forward(listener, servers)));
        Self { address, _forwarding: forwarding }
    }

    /// The address to dial.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

async fn forward(listener: TcpListener, servers: Vec<SocketAddr>) {
    let mut connections = JoinSet::new();
    for turn in 0.. {
        let Ok((mut near, _)) = listener.accept().await else { return };
        let mut in_turn = servers.clone();
        in_turn.rotate_left(turn % servers.len());
        connections.spawn(async move {
            for server in in_turn {
                if let Ok(mut far) = TcpStream::connect(server).await {
                    // It ends when either side does.
                    drop(copy_bidirectional(&mut near, &mut far).await);
                    return;
                }
            }
        });
        while connections.try_join_next().is_some() {}
    }
}
