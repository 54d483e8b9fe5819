//! The players' port: what is set on each socket that it accepts.

use std::net::SocketAddr;

use axum::serve::{Listener, ListenerExt};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};

/// Bytes that the system keeps for each connection until they have arrived. The page fits in,
/// compressed as it is sent.
const SEND_BUFFER: usize = 64 * 1024;

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
