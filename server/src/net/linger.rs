//! The end of a connection that was closed with a code while its peer was still sending. If unread
//! bytes are left, the system resets the TCP connection, and a reset may overtake the close frame or
//! make the peer forget it. So the server shuts down its side, and reads and discards for a moment.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::limits::connections::Permit;

/// How long the server reads on. A peer that reads sees the end within a round trip.
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// How many bytes it reads at most: what the buffers of both systems may hold together.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// A stream of any kind that may outlive its connection.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static {}
impl<Io: AsyncRead + AsyncWrite + Unpin + Send + 'static> Stream for Io {}

/// A stream that is drained after its end if its [`Permit`] says so. The permit is held until then.
#[derive(Debug)]
pub(crate) struct LingeringStream<Io: Stream> {
    /// `None` after the drop.
    io: Option<Io>,
    permit: Arc<Permit>,
}

impl<Io: Stream> LingeringStream<Io> {
    /// The stream of the connection that the permit counts.
    pub(crate) const fn new(io: Io, permit: Arc<Permit>) -> Self {
        Self { io: Some(io), permit }
    }

    fn io(self: Pin<&mut Self>) -> io::Result<Pin<&mut Io>> {
        let io = self.get_mut().io.as_mut().map(Pin::new);
        io.ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl<Io: Stream> Drop for LingeringStream<Io> {
    fn drop(&mut self) {
        let (Some(io), true, Ok(runtime)) =
            (self.io.take(), self.permit.lingers(), Handle::try_current())
        else {
            return;
        };
        let permit = Arc::clone(&self.permit);
        runtime.spawn(async move {
            drop(timeout(DRAIN_TIME, drain(io)).await);
            drop(permit);
        });
    }
}

/// Shuts down the sending side, then reads until the peer has shut down its own.
async fn drain<Io: Stream>(mut io: Io) -> io::Result<u64> {
    io.shutdown().await?;
    tokio::io::copy(&mut io.take(MOST_BYTES), &mut tokio::io::sink()).await
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
