//! A connection whose other end must read what it is sent: hyper limits how long a request may take to arrive, but not
//! how long an answer may take to leave.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// A reader may be slow, but in the long run not slower than this, in bytes per second.
const MIN_RATE: f64 = 4_096.0;

/// Fails once its reader has kept it waiting for too long.
pub struct WriteLimited {
    stream: TcpStream,
    /// The longest it waits.
    slow: Duration,
    /// What is left of that. It grows again with every byte that is read.
    patience: Duration,
    /// Since when it has been waiting.
    blocked: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl WriteLimited {
    pub fn new(stream: TcpStream, slow: Duration) -> WriteLimited {
        WriteLimited { stream, slow, patience: slow, blocked: None }
    }

    pub fn into_inner(self) -> TcpStream {
        self.stream
    }

    fn limit(&mut self, cx: &mut Context, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let Poll::Ready(result) = written else {
            let patience = self.patience;
            let (_, timer) = self.blocked.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(patience))));
            ready!(timer.as_mut().poll(cx));
            return Poll::Ready(Err(ErrorKind::TimedOut.into()));
        };
        if let Some((since, _)) = self.blocked.take() {
            self.patience = self.patience.saturating_sub(since.elapsed());
        }
        let earned = result.as_ref().map_or(0.0, |bytes| *bytes as f64 / MIN_RATE);
        self.patience = (self.patience + Duration::from_secs_f64(earned)).min(self.slow);
        Poll::Ready(result)
    }
}

impl AsyncRead for WriteLimited {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context, into: &mut ReadBuf) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, into)
    }
}

impl AsyncWrite for WriteLimited {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.limit(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context,
        bytes: &[IoSlice],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(cx, bytes);
        this.limit(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}
