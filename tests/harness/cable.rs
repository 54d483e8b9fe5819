//! A network cable between a client and a server: a test may pull it, and plug it in again.
//! Chromium's own emulation leaves open sockets alone, so that it cannot take a network away.

use std::net::SocketAddr;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::task::AbortOnDropHandle;

/// A cable that leads to a server. Dropping it pulls it for good.
#[derive(Debug)]
pub struct Cable {
    address: SocketAddr,
    plugged: watch::Sender<bool>,
    _carrying: AbortOnDropHandle<()>,
}

impl Cable {
    /// A cable to a server, plugged in.
    ///
    /// # Panics
    /// Where there is no free port.
    pub async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (plugged, state) = watch::channel(true);
        let carrying = AbortOnDropHandle::new(tokio::spawn(carry(listener, server, state)));
        Self { address, plugged, _carrying: carrying }
    }

    /// The address at which the server is reached through it.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Pulls it: every connection breaks, and there are no new ones.
    pub fn pull(&self) {
        self.plugged.send_replace(false);
    }

    /// Plugs it in again.
    pub fn plug(&self) {
        self.plugged.send_replace(true);
    }
}

/// Carries connections while the cable is plugged in; others are closed as they come.
async fn carry(listener: TcpListener, server: SocketAddr, mut plugged: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            changed = plugged.changed() => match changed {
                Ok(()) if !*plugged.borrow_and_update() => connections.abort_all(),
                Ok(()) => {}
                Err(_) => return,
            },
            accepted = listener.accept() => {
                let Ok((mut near, _)) = accepted else { return };
                if *plugged.borrow() {
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
