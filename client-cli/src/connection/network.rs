//! The network below a connection, and the jitter of its delays. Here both are real, TCP and random
//! numbers; tests bring simulated ones.

use std::fmt::Debug;
use std::io;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

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

/// This machine's network.
#[derive(Debug, Clone, Copy)]
pub struct Tcp;

impl Network for Tcp {
    async fn connect(&mut self, server: &ServerAddress) -> io::Result<Box<dyn Io>> {
        let stream = TcpStream::connect(server.host_and_port()).await?;
        // Moves are small and must not be delayed.
        stream.set_nodelay(true)?;
        Ok(Box::new(stream))
    }

    fn jitter(&mut self) -> f64 {
        rand::random()
    }
}
