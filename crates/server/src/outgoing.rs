//! The sending side of a WebSocket. A table writes straight to the socket; only what the socket does not take at once
//! is queued for the connection's own task. A channel or a sink would wake that task for every message
//! (docs/performance.md).
//!
//! Invariants: frames are sent whole and in order; the queue of a slow reader is short, so memory stays bounded, and
//! nobody waits for anyone else.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use metrics::Counter;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::frame::Frame;
use crate::limits::{Rate, TokenBucket};
use crate::silence::Silences;
use crate::table::Outbox;

/// Pieces of messages kept for a slow reader.
const MAX_QUEUED: usize = 64;

/// Why nothing more is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The other side went away, or does not read.
    PeerGone,
    /// The table has said goodbye.
    GoodbyeSent,
    /// The table has been unloaded or closed.
    TableGone,
}

/// The socket, and what it has not taken yet.
pub struct Outgoing {
    socket: OwnedWriteHalf,
    queue: Mutex<Queue>,
    /// Something was queued, or nothing more will be sent.
    changed: Notify,
    sent: Counter,
    /// Looks since a message was sent, and since something was heard (`silence.rs`). A page sees no pings, so they do not
    /// count.
    unsent: AtomicU32,
    unheard: AtomicU32,
}

#[derive(Default)]
struct Queue {
    pieces: VecDeque<Bytes>,
    /// How many queued pieces have been written.
    written: u64,
    ended: Option<Ended>,
    /// The number of the last `Sender`.
    last_sender: u32,
}

/// The end that a table holds; dropping it means that the table is gone.
struct Sender {
    outgoing: Arc<Outgoing>,
    number: u32,
}

/// What a WebSocket reads from. What it writes itself (pongs, closes) goes through the same queue.
pub struct Reader {
    socket: OwnedReadHalf,
    /// Arrived together with the upgrade request.
    early: Bytes,
    outgoing: Arc<Outgoing>,
    /// Bytes that may be read: a client can send frames that never become a message.
    rate: Rate,
    budget: TokenBucket,
}

/// Both sides of a connection; `early` has already been read from it.
pub fn open(stream: TcpStream, early: Bytes, rate: Rate) -> (Reader, Arc<Outgoing>) {
    let (read, write) = stream.into_split();
    let sent = metrics::counter!("lair_messages_total", "way" => "out");
    let outgoing = Arc::new(Outgoing {
        socket: write,
        queue: Mutex::default(),
        changed: Notify::new(),
        sent,
        unsent: AtomicU32::new(0),
        unheard: AtomicU32::new(0),
    });
    let budget = TokenBucket::full(rate, Instant::now());
    // A copy: even if it is empty, it keeps the whole buffer that the request was read into.
    let early = Bytes::copy_from_slice(&early);
    (Reader { socket: read, early, outgoing: Arc::clone(&outgoing), rate, budget }, outgoing)
}

impl Outgoing {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new end for a table; dropping an earlier one no longer matters.
    pub fn sender(self: &Arc<Outgoing>) -> Box<dyn Outbox> {
        let mut queue = self.queue();
        queue.last_sender += 1;
        queue.ended = queue.ended.filter(|ended| *ended != Ended::TableGone);
        Box::new(Sender { outgoing: Arc::clone(self), number: queue.last_sender })
    }

    pub fn ended(&self) -> Option<Ended> {
        self.queue().ended
    }

    /// Something came from the other side.
    pub fn hear(&self) {
        self.unheard.store(0, Relaxed);
    }

    /// Another look at it: for how many it has been silent.
    pub fn grow_silent(&self) -> Silences {
        let count = |looks: &AtomicU32| looks.fetch_add(1, Relaxed).saturating_add(1);
        Silences { unsent: count(&self.unsent), unheard: count(&self.unheard) }
    }

    /// A message for a connection that is sent nothing else.
    pub fn beat(&self, message: Bytes) {
        self.sent.increment(1);
        self.unsent.store(0, Relaxed);
        self.send_in_silence(message);
    }

    /// Nothing is added to what a connection has not taken yet.
    pub fn send_in_silence(&self, piece: Bytes) {
        let mut queue = self.queue();
        if queue.ended.is_none() && queue.pieces.is_empty() {
            self.send(&mut queue, piece);
        }
    }

    /// The other side is gone.
    pub fn give_up(&self) {
        self.close(&mut self.queue(), Ended::PeerGone);
    }

    /// Done when something was queued or nothing more will be sent.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Done when the queue is empty. Each piece may take as long as `slow`.
    pub async fn flush(&self, slow: Duration) -> Result<(), Ended> {
        while !self.queue().pieces.is_empty() {
            match timeout(slow, self.write_one()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => {
                    self.close(&mut self.queue(), Ended::PeerGone);
                    return Err(Ended::PeerGone);
                }
            }
        }
        Ok(())
    }

    async fn write_one(&self) -> io::Result<()> {
        let before = self.queue().written;
        loop {
            {
                let mut queue = self.queue();
                while let Some(first) = queue.pieces.front_mut() {
                    let n = self.try_write(first)?;
                    if n < first.len() {
                        drop(first.split_to(n));
                        break;
                    }
                    queue.pieces.pop_front();
                    queue.written += 1;
                }
                if queue.written > before || queue.pieces.is_empty() {
                    return Ok(());
                }
            }
            self.socket.writable().await?;
        }
    }

    /// Writes as much as the socket takes now.
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self.socket.try_write(bytes) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            result => result,
        }
    }

    fn close(&self, queue: &mut Queue, ended: Ended) {
        queue.ended = queue.ended.or(Some(ended));
        if ended == Ended::PeerGone {
            queue.pieces.clear();
        }
        self.changed.notify_one();
    }

    /// Sends a piece; what the socket does not take is queued.
    fn send(&self, queue: &mut Queue, mut piece: Bytes) {
        if queue.pieces.is_empty() {
            match self.try_write(&piece) {
                Ok(sent) if sent == piece.len() => return,
                Ok(sent) => drop(piece.split_to(sent)),
                Err(_) => return self.close(queue, Ended::PeerGone),
            }
        }
        queue.pieces.push_back(piece);
        self.changed.notify_one();
    }
}

impl Outbox for Sender {
    fn send(&self, frame: Frame) -> bool {
        let outgoing = &self.outgoing;
        let mut queue = outgoing.queue();
        // Not `false`: a connection that has ended needs nothing again.
        if queue.ended.is_some() {
            return true;
        }
        if queue.pieces.len() >= MAX_QUEUED {
            return false;
        }
        outgoing.sent.increment(1);
        outgoing.unsent.store(0, Relaxed);
        outgoing.send(&mut queue, frame.bytes().clone());
        if frame.is_last() {
            outgoing.close(&mut queue, Ended::GoodbyeSent);
        }
        true
    }

    fn has_room(&self) -> bool {
        self.outgoing.queue().pieces.len() * 2 < MAX_QUEUED
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        let mut queue = self.outgoing.queue();
        if queue.last_sender == self.number {
            self.outgoing.close(&mut queue, Ended::TableGone);
        }
    }
}

impl AsyncRead for Reader {
    fn poll_read(mut self: Pin<&mut Reader>, cx: &mut Context, into: &mut ReadBuf) -> Poll<io::Result<()>> {
        if !self.early.is_empty() {
            let n = self.early.len().min(into.remaining());
            into.put_slice(&self.early.split_to(n));
            return Poll::Ready(Ok(()));
        }
        let before = into.filled().len();
        ready!(Pin::new(&mut self.socket).poll_read(cx, into))?;
        let (rate, read) = (self.rate, (into.filled().len() - before) as f32);
        if !self.budget.spend(rate, Instant::now(), read) {
            return Poll::Ready(Err(io::Error::from(ErrorKind::QuotaExceeded)));
        }
        Poll::Ready(Ok(()))
    }
}

/// Takes everything at once, so that frames never interleave. Writers must call `Outgoing::flush` afterwards.
impl AsyncWrite for Reader {
    fn poll_write(self: Pin<&mut Reader>, _: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outgoing = &self.outgoing;
        let mut queue = outgoing.queue();
        if queue.ended == Some(Ended::PeerGone) {
            return Poll::Ready(Err(ErrorKind::BrokenPipe.into()));
        }
        outgoing.send(&mut queue, Bytes::copy_from_slice(bytes));
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Reader>, _: &mut Context) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Reader>, _: &mut Context) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn the_queue_keeps_its_order_and_is_bounded() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (_reader, outgoing) =
            open(listener.accept().await.unwrap().0, Bytes::new(), Rate::new(1 << 20, 1.0));
        let sender = outgoing.sender();
        let mut expected = Vec::new();
        let mut written = 0;
        for n in 0..1000 {
            let text = format!("{n} {}", "x".repeat(100_000));
            let frame = Frame::from(text.as_str());
            let bytes = frame.bytes().clone();
            if !sender.send(frame) {
                break;
            }
            written += 1;
            expected.extend_from_slice(&bytes);
        }
        assert!((MAX_QUEUED / 2..1000).contains(&written) && !sender.has_room(), "{written}");
        assert_eq!(outgoing.ended(), None);
        let read = tokio::spawn(async move {
            let mut read = vec![0; expected.len()];
            client.read_exact(&mut read).await.unwrap();
            assert!(read == expected);
        });
        outgoing.flush(Duration::from_secs(20)).await.unwrap();
        read.await.unwrap();
        assert!(sender.has_room());
        // Dropping an earlier sender says nothing about a later one.
        let later = outgoing.sender();
        drop(sender);
        assert_eq!(outgoing.ended(), None);
        drop(later);
        assert_eq!(outgoing.ended(), Some(Ended::TableGone));
    }

    #[tokio::test]
    async fn a_peer_that_does_not_read_is_given_up() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (_reader, outgoing) =
            open(listener.accept().await.unwrap().0, Bytes::new(), Rate::new(1 << 20, 1.0));
        let sender = outgoing.sender();
        while sender.send("x".repeat(100_000).as_str().into()) {}
        assert_eq!(outgoing.flush(Duration::from_millis(50)).await, Err(Ended::PeerGone));
        assert!(sender.send("more".into()), "nothing is kept for a peer that is gone");
        assert_eq!(outgoing.ended(), Some(Ended::PeerGone));
    }
}
