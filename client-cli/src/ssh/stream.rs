//! The socket below a connection: it reads no faster than its bucket of bytes allows, and ends when it is cut.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::limits::ByteBucket;

/// The most bytes of one read.
const MAX_READ: usize = 16 * 1024;

/// A stream with a limit of bytes, and an end.
#[derive(Debug)]
pub(crate) struct LimitedStream<S> {
    stream: S,
    bucket: ByteBucket,
    pause: Option<Pin<Box<Sleep>>>,
    cut: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl<S> LimitedStream<S> {
    /// Limits a stream, which ends with the token.
    pub(crate) fn new(stream: S, cut: CancellationToken) -> Self {
        let cut = Box::pin(cut.cancelled_owned());
        Self { stream, bucket: ByteBucket::default(), pause: None, cut }
    }

    fn check(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        match self.cut.as_mut().poll(cx) {
            Poll::Ready(()) => Err(ErrorKind::ConnectionAborted.into()),
            Poll::Pending => Ok(()),
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LimitedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(cx)?;
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(cx));
            self.pause = None;
        }
        let most = buffer.remaining().min(MAX_READ);
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(most));
        ready!(Pin::new(&mut self.stream).poll_read(cx, &mut part))?;
        let read = part.filled().len();
        buffer.advance(read);
        let pause = self.bucket.take(read, Instant::now());
        self.pause = (!pause.is_zero()).then(|| Box::pin(sleep(pause)));
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LimitedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check(cx)?;
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(cx)?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    /// Fails if bytes beyond the bucket are read at once, or are lost, or a cut stream goes on.
    #[tokio::test(start_paused = true)]
    async fn a_flood_is_read_slowly_and_a_cut_stream_ends() {
        let (mut peer, stream) = duplex(1 << 20);
        let cut = CancellationToken::new();
        let mut stream = LimitedStream::new(stream, cut.clone());
        peer.write_all(&[7; 1 << 19]).await.unwrap();
        let before = Instant::now();
        let mut bytes = vec![0; 1 << 19];
        stream.read_exact(&mut bytes).await.unwrap();
        assert!(bytes.iter().all(|byte| *byte == 7));
        assert!(before.elapsed().as_secs() >= 11, "{:?}", before.elapsed());
        let reading = tokio::spawn(async move { stream.read_u8().await });
        cut.cancel();
        assert_eq!(reading.await.unwrap().unwrap_err().kind(), ErrorKind::ConnectionAborted);
    }
}
