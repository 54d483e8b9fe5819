//! The beginning of a connection to a server with a certificate: TLS or plain HTTP, and the handshake.
//! The certificate is [`crate::config::certificates`]'s, the time limit [`super::accept`]'s.

use std::io;
use std::sync::Arc;

use rustls::ServerConfig;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

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
