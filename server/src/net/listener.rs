//! The ports: how many connections may wait there, and what is set on each one that players open.

use std::io;
use std::net::SocketAddr;

use axum::serve::{Listener, ListenerExt};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// Connections that the system keeps until they are accepted, as many as Linux allows by default
/// (`net.core.somaxconn`). Of a client for whom there is no place it drops the first packet, so that they
/// come a second later: with the 1,024 places of the library that was one in twenty of the people of 1,000
/// rooms who came back at once.
const BACKLOG: u32 = 4096;

/// Bytes that the system keeps for each connection until they have arrived. The page fits in,
/// compressed as it is sent.
const SEND_BUFFER: usize = 64 * 1024;

/// Takes an address. Nobody can connect to it before [`listen`].
///
/// # Errors
/// If another program has it, or if the system does not allow it.
pub(crate) fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A server that restarts may have its port at once. On Windows this would allow two servers on one port.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Listens on the address that was taken.
///
/// # Errors
/// If the system does not allow it.
pub(crate) fn listen(socket: TcpSocket) -> io::Result<TcpListener> {
    socket.listen(BACKLOG)
}

/// A listener that sends small messages at once, and limits what the system keeps for clients that
/// do not read.
pub(crate) fn tuned(listener: TcpListener) -> impl Listener<Io = TcpStream, Addr = SocketAddr> {
    listener.tap_io(|stream| {
        // A move must not wait for more bytes to send.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY could not be set");
        }
        // By default the system would keep megabytes for a client that does not read.
        if let Err(error) = SockRef::from(&*stream).set_send_buffer_size(SEND_BUFFER) {
            tracing::debug!(%error, "SO_SNDBUF could not be set");
        }
    })
}
