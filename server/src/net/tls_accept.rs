//! The beginning of an encrypted connection: the handshake, and who spoke plain HTTP instead. What
//! is shown there is [`crate::config::certificates`]'s, how long it may take [`crate::net::accept`]'s.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Extension;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::http::page;
use crate::net::client_addr::ClientAddr;

/// What a TLS connection begins with: the type of a handshake's record (RFC 8446, section 5.1). A
/// request's first byte is a letter.
const HANDSHAKE: u8 = 0x16;

/// A connection after its first bytes.
#[derive(Debug)]
pub(crate) enum Opened<Io> {
    /// Encrypted from here on.
    Secure(Box<TlsStream<Unread<Io>>>),
    /// Something else, of which nothing has been read.
    Plain(Unread<Io>),
}

/// Looks at the first byte and makes the handshake, if it is one.
///
/// # Errors
/// Where the connection breaks or the handshake fails.
pub(crate) async fn open<Io>(mut io: Io, tls: Arc<ServerConfig>) -> io::Result<Opened<Io>>
where
    Io: AsyncRead + AsyncWrite + Unpin,
{
    let first = io.read_u8().await?;
    let io = Unread { first: Some(first), io };
    if first != HANDSHAKE {
        return Ok(Opened::Plain(io));
    }
    let stream = TlsAcceptor::from(tls).accept(io).await?;
    Ok(Opened::Secure(Box::new(stream)))
}

/// The answer to plain HTTP: the same address, encrypted. Programs that follow no redirect, as
/// those that ask for a WebSocket, have it in words.
pub(crate) async fn use_tls(
    Extension(visitor): Extension<ClientAddr>,
    request: Request,
) -> Response {
    let host = page::host(request.headers());
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let message = format!("connections to this server are encrypted: use https://{host}\n");
    let place = HeaderValue::try_from(format!("https://{host}{path}"));
    tracing::debug!(peer = %visitor.address, "spoke plain HTTP");
    match place {
        Ok(place) if request.headers().contains_key(header::HOST) => {
            let headers = HeaderMap::from_iter([(header::LOCATION, place)]);
            // Not for good: a host may do without TLS again.
            (StatusCode::TEMPORARY_REDIRECT, headers, message).into_response()
        }
        _ => (StatusCode::BAD_REQUEST, message).into_response(),
    }
}

/// A stream whose first byte is read again.
#[derive(Debug)]
pub(crate) struct Unread<Io> {
    first: Option<u8>,
    io: Io,
}

impl<Io: AsyncRead + Unpin> AsyncRead for Unread<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if buffer.remaining() > 0
            && let Some(first) = self.first.take()
        {
            buffer.put_slice(&[first]);
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for Unread<Io> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }
}
