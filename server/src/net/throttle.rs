//! A stream that is not read faster than an honest client sends. Endless frames, fragments of one
//! byte and pipelined requests wait in the sender's own buffers and cost the server nothing. What
//! the bytes mean is not known here.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use crate::limits::connections::Permit;
use crate::limits::token_bucket::TokenBucket;

/// A stream with a limit for the bytes that are read.
#[derive(Debug)]
pub(crate) struct ThrottledStream<Io> {
    io: Io,
    permit: Arc<Permit>,
    bytes: TokenBucket,
    opened: Instant,
    /// Set while too much has been read.
    pause: Option<Pin<Box<Sleep>>>,
}

impl<Io> ThrottledStream<Io> {
    /// Reads `burst` bytes at once, then `per_second`, unless the permit sets no limit.
    pub(crate) fn new(io: Io, permit: Arc<Permit>, burst: u32, per_second: u32) -> Self {
        let bytes = TokenBucket::new(burst, per_second);
        Self { io, permit, bytes, opened: Instant::now(), pause: None }
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for ThrottledStream<Io> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if let Some(pause) = &mut this.pause {
            ready!(pause.as_mut().poll(context));
            this.pause = None;
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.io).poll_read(context, buffer))?;
        if this.permit.is_unlimited() {
            return Poll::Ready(Ok(()));
        }
        // A read may go beyond the limit by one buffer. The next one then waits.
        let read = buffer.filled().len() - before;
        let wait = this.bytes.take(read as f64, this.opened.elapsed());
        this.pause = (wait > Duration::ZERO).then(|| Box::pin(sleep(wait)));
        Poll::Ready(Ok(()))
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for ThrottledStream<Io> {
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

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::Instant;

    use super::ThrottledStream;
    use crate::limits::connections::ConnectionLimiter;

    #[tokio::test(start_paused = true)]
    async fn what_comes_too_fast_waits() {
        let (mut theirs, ours) = duplex(1 << 20);
        let permit = ConnectionLimiter::new(1, 1).admit([127, 0, 0, 1].into()).unwrap();
        let mut ours = ThrottledStream::new(ours, permit.into(), 1000, 100);
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
