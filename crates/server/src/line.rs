//! What goes out over a WebSocket. Whoever has something to say to a connection, its table above all, writes it to the
//! socket at once; only what the socket does not take waits for the connection's own task.
//!
//! Invariants: frames go out whole and in order; so little waits for somebody who does not read that memory stays
//! bounded, and nobody else waits at all.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use metrics::Counter;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::frame::Frame;
use crate::table::Outbox;

/// Pieces of messages that wait for a slow reader.
const MOST_WAITING: usize = 64;

/// Why nothing more is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hush {
    /// The other side went away, or does not read.
    Gone,
    /// The table has said goodbye.
    Told,
    /// The table is no more.
    Closed,
}

/// The way out.
pub struct Line {
    socket: OwnedWriteHalf,
    out: Mutex<Out>,
    /// Something waits, or nothing more is said.
    woken: Notify,
    sent: Counter,
}

#[derive(Default)]
struct Out {
    waiting: VecDeque<Bytes>,
    /// How many of those that waited are sent.
    taken: u64,
    hush: Option<Hush>,
    /// The last `Mouth` that was given to a table.
    mouth: u32,
}

/// A table's end of the line; when it is dropped, the table is no more.
struct Mouth {
    line: Arc<Line>,
    no: u32,
}

/// The way in, for a WebSocket to read from. What it writes of its own accord goes out in order with the rest.
pub struct Ear {
    socket: OwnedReadHalf,
    /// Came with the request for the WebSocket.
    early: Bytes,
    line: Arc<Line>,
}

/// Both ways of a connection; `early` was read from it already.
pub fn open(stream: TcpStream, early: Bytes) -> (Ear, Arc<Line>) {
    let (read, write) = stream.into_split();
    let sent = metrics::counter!("lair_messages_total", "way" => "out");
    let line = Arc::new(Line { socket: write, out: Mutex::default(), woken: Notify::new(), sent });
    (Ear { socket: read, early, line: Arc::clone(&line) }, line)
}

impl Line {
    fn out(&self) -> MutexGuard<'_, Out> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A table's end; an earlier one no longer counts.
    pub fn mouth(self: &Arc<Line>) -> Box<dyn Outbox> {
        let mut out = self.out();
        out.mouth += 1;
        out.hush = out.hush.filter(|hush| *hush != Hush::Closed);
        Box::new(Mouth { line: Arc::clone(self), no: out.mouth })
    }

    pub fn hush(&self) -> Option<Hush> {
        self.out().hush
    }

    /// Done when something waits or nothing more is said.
    pub async fn woken(&self) {
        self.woken.notified().await;
    }

    /// Done when nothing waits any more. Each piece may take as long as `slow`.
    pub async fn flush(&self, slow: Duration) -> Result<(), Hush> {
        while !self.out().waiting.is_empty() {
            match timeout(slow, self.take_one()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => {
                    self.end(&mut self.out(), Hush::Gone);
                    return Err(Hush::Gone);
                }
            }
        }
        Ok(())
    }

    async fn take_one(&self) -> io::Result<()> {
        let before = self.out().taken;
        loop {
            {
                let mut out = self.out();
                while let Some(first) = out.waiting.front_mut() {
                    let n = self.try_write(first)?;
                    if n < first.len() {
                        drop(first.split_to(n));
                        break;
                    }
                    out.waiting.pop_front();
                    out.taken += 1;
                }
                if out.taken > before || out.waiting.is_empty() {
                    return Ok(());
                }
            }
            self.socket.writable().await?;
        }
    }

    /// How much the socket takes now.
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self.socket.try_write(bytes) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            result => result,
        }
    }

    fn end(&self, out: &mut Out, hush: Hush) {
        out.hush = out.hush.or(Some(hush));
        if hush == Hush::Gone {
            out.waiting.clear();
        }
        self.woken.notify_one();
    }

    /// Sends a piece; what is not taken waits.
    fn send(&self, out: &mut Out, mut piece: Bytes) {
        if out.waiting.is_empty() {
            match self.try_write(&piece) {
                Ok(sent) if sent == piece.len() => return,
                Ok(sent) => drop(piece.split_to(sent)),
                Err(_) => return self.end(out, Hush::Gone),
            }
        }
        out.waiting.push_back(piece);
        self.woken.notify_one();
    }
}

impl Outbox for Mouth {
    fn send(&self, frame: Frame) -> bool {
        let line = &self.line;
        let mut out = line.out();
        // Whoever is gone will leave, and needs nothing anew.
        if out.hush.is_some() {
            return true;
        }
        if out.waiting.len() >= MOST_WAITING {
            return false;
        }
        line.sent.increment(1);
        line.send(&mut out, frame.bytes().clone());
        if frame.is_last() {
            line.end(&mut out, Hush::Told);
        }
        true
    }

    fn is_roomy(&self) -> bool {
        self.line.out().waiting.len() * 2 < MOST_WAITING
    }
}

impl Drop for Mouth {
    fn drop(&mut self) {
        let mut out = self.line.out();
        if out.mouth == self.no {
            self.line.end(&mut out, Hush::Closed);
        }
    }
}

impl AsyncRead for Ear {
    fn poll_read(mut self: Pin<&mut Ear>, cx: &mut Context, into: &mut ReadBuf) -> Poll<io::Result<()>> {
        if !self.early.is_empty() {
            let n = self.early.len().min(into.remaining());
            into.put_slice(&self.early.split_to(n));
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.socket).poll_read(cx, into)
    }
}

/// Takes everything at once: a frame is never cut in two by another. Whoever writes must `flush` the line.
impl AsyncWrite for Ear {
    fn poll_write(self: Pin<&mut Ear>, _: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let line = &self.line;
        let mut out = line.out();
        if out.hush == Some(Hush::Gone) {
            return Poll::Ready(Err(ErrorKind::BrokenPipe.into()));
        }
        line.send(&mut out, Bytes::copy_from_slice(bytes));
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Ear>, _: &mut Context) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Ear>, _: &mut Context) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn what_is_not_taken_waits_in_order_and_not_without_end() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (_ear, line) = open(listener.accept().await.unwrap().0, Bytes::new());
        let mouth = line.mouth();
        let mut expected = Vec::new();
        let mut taken = 0;
        for n in 0..1000 {
            let text = format!("{n} {}", "x".repeat(100_000));
            let frame = Frame::from(text.as_str());
            let bytes = frame.bytes().clone();
            if !mouth.send(frame) {
                break;
            }
            taken += 1;
            expected.extend_from_slice(&bytes);
        }
        assert!((MOST_WAITING / 2..1000).contains(&taken) && !mouth.is_roomy(), "{taken}");
        assert_eq!(line.hush(), None);
        let read = tokio::spawn(async move {
            let mut read = vec![0; expected.len()];
            client.read_exact(&mut read).await.unwrap();
            assert!(read == expected);
        });
        line.flush(Duration::from_secs(20)).await.unwrap();
        read.await.unwrap();
        assert!(mouth.is_roomy());
        // An earlier end says nothing of a later one.
        let later = line.mouth();
        drop(mouth);
        assert_eq!(line.hush(), None);
        drop(later);
        assert_eq!(line.hush(), Some(Hush::Closed));
    }

    #[tokio::test]
    async fn who_does_not_read_is_gone_after_a_while() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (_ear, line) = open(listener.accept().await.unwrap().0, Bytes::new());
        let mouth = line.mouth();
        while mouth.send("x".repeat(100_000).as_str().into()) {}
        assert_eq!(line.flush(Duration::from_millis(50)).await, Err(Hush::Gone));
        assert!(mouth.send("more".into()), "nothing is kept for nobody");
        assert_eq!(line.hush(), Some(Hush::Gone));
    }
}
