//! Where a connection gets its bytes from, and the chance by which a thousand clients do not come
//! back at once: TCP and real chance here, whatever a test simulates elsewhere.

use std::fmt::Debug;
use std::io;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::address::ServerAddress;

/// A stream of bytes both ways.
pub trait Io: AsyncRead + AsyncWrite + Unpin + Send + Debug {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send + Debug> Io for T {}

/// A way to reach servers.
pub trait Network: Send + Sync + 'static {
    /// Opens a stream to a server, before any encryption.
    ///
    /// # Errors
    /// Where nobody is there.
    fn connect(
        &mut self,
        server: &ServerAddress,
    ) -> impl Future<Output = io::Result<Box<dyn Io>>> + Send;

    /// A number from 0 to 1, drawn anew.
    fn chance(&mut self) -> f64;
}

/// The network of this machine.
#[derive(Debug, Clone, Copy)]
pub struct Tcp;

impl Network for Tcp {
    async fn connect(&mut self, server: &ServerAddress) -> io::Result<Box<dyn Io>> {
        let stream = TcpStream::connect(server.host_and_port()).await?;
        // Moves are small and must not wait for more.
        stream.set_nodelay(true)?;
        Ok(Box::new(stream))
    }

    fn chance(&mut self) -> f64 {
        rand::random()
    }
}
