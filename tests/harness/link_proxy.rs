//! A TCP proxy between a client and a server that a test can cut and restore. Chromium's own
//! network emulation leaves open sockets alone, so it cannot simulate a lost network.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::task::AbortOnDropHandle;

/// A running proxy. Dropping it cuts it for good.
#[derive(Debug)]
pub struct LinkProxy {
    address: SocketAddr,
    up: watch::Sender<bool>,
    _forwarding: AbortOnDropHandle<()>,
}

impl LinkProxy {
    /// Starts a proxy to a server.
    ///
    /// # Panics
    /// If there is no free port.
    pub async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (up, state) = watch::channel(true);
        let forwarding = AbortOnDropHandle::new(tokio::spawn(forward(listener, server, state)));
        Self { address, up, _forwarding: forwarding }
    }

    /// The address to dial.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Breaks every connection, and every new one until [`LinkProxy::restore`].
    pub fn cut(&self) {
        self.up.send_replace(false);
    }

    /// Lets connections through again.
    pub fn restore(&self) {
        self.up.send_replace(true);
    }
}

/// Forwards connections while the link is up and closes all others.
async fn forward(listener: TcpListener, server: SocketAddr, mut up: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            changed = up.changed() => match changed {
                Ok(()) if !*up.borrow_and_update() => connections.abort_all(),
                Ok(()) => {}
                Err(_) => return,
            },
            accepted = listener.accept() => {
                let Ok((mut near, _)) = accepted else { return };
                if *up.borrow() {
                    connections.spawn(async move {
                        if let Ok(mut far) = TcpStream::connect(server).await {
                            // It ends when either side does.
                            drop(copy_bidirectional(&mut near, &mut far).await);
                        }
                    });
                }
            }
        }
    }
}
