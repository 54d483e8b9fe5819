//! The beginning of a connection to a server with a certificate: the TLS handshake, or an answer for
//! a client that speaks plain HTTP. The certificate is [`crate::config::certificates`]'s, the time
//! limit [`crate::net::accept`]'s.

use std::io;
use std::sync::Arc;

use axum::Extension;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rustls::ServerConfig;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::http::page;
use crate::net::client_addr::ClientAddr;

/// The first byte of a TLS connection: a record of the handshake (RFC 8446, section 5.1). The first
/// byte of an HTTP request is a letter.
const HANDSHAKE: u8 = 0x16;

/// A stream whose first byte was read and is read again. It buffers one byte; longer reads go past
/// its buffer.
pub(crate) type Peeked<Io> = BufReader<Io>;

/// A connection after its first byte.
#[derive(Debug)]
pub(crate) enum Accepted<Io> {
    Tls(Box<TlsStream<Peeked<Io>>>),
    /// No TLS. Nothing has been read.
    Plain(Peeked<Io>),
}

/// Makes the TLS handshake if the first byte begins one.
///
/// # Errors
/// If the connection breaks or the handshake fails.
pub(crate) async fn accept<Io>(io: Io, tls: Arc<ServerConfig>) -> io::Result<Accepted<Io>>
where
    Io: AsyncRead + AsyncWrite + Unpin,
{
    let mut io = BufReader::with_capacity(1, io);
    match io.fill_buf().await? {
        [] => Err(io::ErrorKind::UnexpectedEof.into()),
        [HANDSHAKE, ..] => {
            let stream = TlsAcceptor::from(tls).accept(io).await?;
            Ok(Accepted::Tls(Box::new(stream)))
        }
        _ => Ok(Accepted::Plain(io)),
    }
}

/// The answer to plain HTTP: a redirect to the same address with https. The text is for programs
/// that follow no redirect, such as those that ask for a WebSocket.
pub(crate) async fn use_tls(
    Extension(client): Extension<ClientAddr>,
    request: Request,
) -> Response {
    let host = page::host(request.headers());
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let message = format!("connections to this server are encrypted: use https://{host}\n");
    let location = HeaderValue::try_from(format!("https://{host}{path}"));
    tracing::debug!(peer = %client.address, "spoke plain HTTP");
    match location {
        Ok(location) if request.headers().contains_key(header::HOST) => {
            let headers = HeaderMap::from_iter([(header::LOCATION, location)]);
            // Not permanent: a host may do without TLS again.
            (StatusCode::TEMPORARY_REDIRECT, headers, message).into_response()
        }
        _ => (StatusCode::BAD_REQUEST, message).into_response(),
    }
}
