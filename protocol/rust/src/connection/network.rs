//! The network below a connection, and the jitter of its delays. Here both are real, TCP and random
//! numbers; tests bring simulated ones.

use std::fmt::Debug;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::sleep;

use crate::address::ServerAddress;

/// A stream of bytes in both directions.
pub trait Io: AsyncRead + AsyncWrite + Unpin + Send + Debug {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send + Debug> Io for T {}

/// A way to reach servers.
pub trait Network: Send + Sync + 'static {
    /// Opens a stream to a server, without encryption.
    ///
    /// # Errors
    /// If no server answers.
    fn connect(
        &mut self,
        server: &ServerAddress,
    ) -> impl Future<Output = io::Result<Box<dyn Io>>> + Send;

    /// A random number from 0 to 1.
    fn jitter(&mut self) -> f64;
}

/// How long one address of a name may take before the next one is tried beside it, as RFC 8305 has it.
const HEAD_START: Duration = Duration::from_millis(250);

/// Addresses of one name that are tried.
const MAX_ADDRESSES: usize = 16;

/// Opens a stream to the first address that answers. Unlike tokio's own `connect`, it does not wait for an
/// address that is silent: a machine without power refuses nothing, and the system waits two minutes for it.
async fn connect_first(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut untried = addresses.iter().take(MAX_ADDRESSES);
    let mut attempts = FuturesUnordered::new();
    let mut result = Err(io::ErrorKind::AddrNotAvailable.into());
    loop {
        attempts.extend(untried.next().copied().map(TcpStream::connect));
        let has_more = untried.len() > 0;
        tokio::select! {
            Some(attempt) = attempts.next() => result = attempt,
            () = sleep(HEAD_START), if has_more => {}
            else => return result,
        }
        if result.is_ok() {
            return result;
        }
    }
}

/// This machine's network.
#[derive(Debug, Clone, Copy)]
pub struct Tcp;

impl Network for Tcp {
    async fn connect(&mut self, server: &ServerAddress) -> io::Result<Box<dyn Io>> {
        let addresses: Vec<_> = lookup_host(server.host_and_port()).await?.collect();
        let stream = connect_first(&addresses).await?;
        // Moves are small and must not be delayed.
        stream.set_nodelay(true)?;
        Ok(Box::new(stream))
    }

    fn jitter(&mut self) -> f64 {
        rand::random()
    }
}

// Other systems may answer for a program whose queue is full.
#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use tokio::net::TcpSocket;
    use tokio::time::timeout;

    use super::*;

    /// An address that neither takes nor refuses a connection, as long as the guards live.
    async fn silent() -> (SocketAddr, [Box<dyn Debug>; 2]) {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        // The system holds one more than it is told.
        let listener = socket.listen(0).unwrap();
        let address = listener.local_addr().unwrap();
        let waiting = TcpStream::connect(address).await.unwrap();
        (address, [Box::new(listener), Box::new(waiting)])
    }

    #[tokio::test]
    async fn an_address_that_is_silent_or_refuses_does_not_hide_the_others() {
        let (silent, _guards) = silent().await;
        // Bound as long as it lives, so that nobody else listens there.
        let refusing = TcpSocket::new_v4().unwrap();
        refusing.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let refusing_address = refusing.local_addr().unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let good = listener.local_addr().unwrap();
        let attempt = timeout(Duration::from_millis(100), TcpStream::connect(silent)).await;
        assert!(attempt.is_err(), "it is silent");
        for addresses in [vec![silent, refusing_address, good], vec![good, silent]] {
            let stream = timeout(Duration::from_secs(60), connect_first(&addresses)).await;
            assert_eq!(stream.unwrap().unwrap().peer_addr().unwrap(), good, "{addresses:?}");
        }
        let refused = connect_first(&[refusing_address]).await.unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
        assert!(connect_first(&[]).await.is_err());
    }
}
