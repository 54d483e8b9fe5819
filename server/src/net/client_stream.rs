//! The stream of a connection. The meaning of its bytes is not known here.
//!
//! It is not read faster than an honest client sends. Endless frames, fragments of one byte and pipelined
//! requests wait in the sender's own buffers and cost the server nothing.
//!
//! A connection may be closed with a code while its peer is still sending. If unread bytes are left, the system
//! resets the TCP connection, and a reset may overtake the close frame or make the peer forget it. So the server
//! shuts down its side, and reads and discards for a moment.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::runtime::Handle;
use tokio::time::{Instant, Sleep, sleep, timeout};

use crate::limits::connections::Permit;
use crate::limits::token_bucket::TokenBucket;

/// How long the server reads on. A peer that reads sees the end within a round trip.
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// How many bytes it reads at most: what the buffers of both systems may hold together.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// A stream of any kind that may outlive its connection.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static {}
impl<Io: AsyncRead + AsyncWrite + Unpin + Send + 'static> Stream for Io {}

/// A stream with a limit for the bytes that are read. It is drained after its end if its [`Permit`] says so,
/// which is held until then.
#[derive(Debug)]
pub(crate) struct ClientStream<Io: Stream> {
    /// `None` after the drop.
    io: Option<Io>,
    permit: Arc<Permit>,
    bytes: TokenBucket,
    opened: Instant,
    /// Set while too much has been read.
    pause: Option<Pin<Box<Sleep>>>,
}

impl<Io: Stream> ClientStream<Io> {
    /// The stream of the connection that the permit counts. Reads `burst` bytes at once, then `per_second`, unless
    /// the permit sets no limit.
    pub(crate) fn new(io: Io, permit: Arc<Permit>, burst: u32, per_second: u32) -> Self {
        let bytes = TokenBucket::new(burst, per_second);
        Self { io: Some(io), permit, bytes, opened: Instant::now(), pause: None }
    }

    fn io(self: Pin<&mut Self>) -> io::Result<Pin<&mut Io>> {
        let io = self.get_mut().io.as_mut().map(Pin::new);
        io.ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl<Io: Stream> Drop for ClientStream<Io> {
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

impl<Io: Stream> AsyncRead for ClientStream<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        let before = buffer.filled().len();
        ready!(self.as_mut().io()?.poll_read(context, buffer))?;
        if self.permit.is_unlimited() {
            return Poll::Ready(Ok(()));
        }
        // A read may go beyond the limit by one buffer. The next one then waits.
        let read = buffer.filled().len() - before;
        let open = self.opened.elapsed();
        let wait = self.bytes.take(read as f64, open);
        self.pause = (wait > Duration::ZERO).then(|| Box::pin(sleep(wait)));
        Poll::Ready(Ok(()))
    }
}

impl<Io: Stream> AsyncWrite for ClientStream<Io> {
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

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::Instant;

    use super::ClientStream;
    use crate::limits::connections::ConnectionLimiter;

    #[tokio::test(start_paused = true)]
    async fn what_comes_too_fast_waits() {
        let (mut theirs, ours) = duplex(1 << 20);
        let permit = ConnectionLimiter::new(1, 1).admit([127, 0, 0, 1].into()).unwrap();
        let mut ours = ClientStream::new(ours, permit.into(), 1000, 100);
        theirs.write_all(&[7; 3000]).await.unwrap();
        let start = Instant::now();
        let mut buffer = [0; 500];
        for seconds in [0, 0, 0, 5, 10, 15] {
            ours.read_exact(&mut buffer).await.unwrap();
            assert_eq!(start.elapsed().as_secs(), seconds);
        }
        drop(theirs);
        assert_eq!(ours.read(&mut buffer).await.unwrap(), 0, "the end is seen");
    }
}
