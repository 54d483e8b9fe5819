//! The end of a connection that was closed with a code while its peer was still sending. Closed
//! with something unread, a TCP connection is reset, and a reset may overtake the close frame or
//! have the peer forget it. So the server says that nothing more comes, and reads on for a moment
//! what it then throws away.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::limits::connections::Permit;

/// How long is read on: a peer that reads hears of its end within a round trip.
const TIME: Duration = Duration::from_secs(2);

/// How much is read on, in bytes: what the buffers of both systems may hold between them.
const MOST: u64 = 4 * 1024 * 1024;

/// A stream of any kind that may outlive its connection.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static {}
impl<Io: AsyncRead + AsyncWrite + Unpin + Send + 'static> Stream for Io {}

/// A stream that is read on after its end where its [`Permit`] says so. It counts until then.
#[derive(Debug)]
pub(crate) struct LingeringStream<Io: Stream> {
    /// There until the end.
    io: Option<Io>,
    pass: Arc<Permit>,
}

impl<Io: Stream> LingeringStream<Io> {
    /// The stream of the connection that a pass counts.
    pub(crate) const fn new(io: Io, pass: Arc<Permit>) -> Self {
        Self { io: Some(io), pass }
    }

    fn io(self: Pin<&mut Self>) -> io::Result<Pin<&mut Io>> {
        let io = self.get_mut().io.as_mut().map(Pin::new);
        io.ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl<Io: Stream> Drop for LingeringStream<Io> {
    fn drop(&mut self) {
        let (Some(io), true, Ok(runtime)) =
            (self.io.take(), self.pass.lingers(), Handle::try_current())
        else {
            return;
        };
        let pass = Arc::clone(&self.pass);
        runtime.spawn(async move {
            drop(timeout(TIME, hear_out(io)).await);
            drop(pass);
        });
    }
}

/// Sends no more, and reads until the peer sends no more either.
async fn hear_out<Io: Stream>(mut io: Io) -> io::Result<u64> {
    io.shutdown().await?;
    tokio::io::copy(&mut io.take(MOST), &mut tokio::io::sink()).await
}

impl<Io: Stream> AsyncRead for LingeringStream<Io> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.io()?.poll_read(context, buffer)
    }
}

impl<Io: Stream> AsyncWrite for LingeringStream<Io> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.io()?.poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.io()?.poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.io()?.poll_shutdown(context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.io()?.poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}
