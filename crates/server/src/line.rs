//! What goes out over a WebSocket. Whoever has something to say to a connection, its table above all, writes it to the
//! socket at once; only what the socket does not take waits for the connection's own task.
//!
//! Invariants: frames go out whole and in order; so little waits for somebody who does not read that memory stays
//! bounded, and nobody else waits at all.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use metrics::Counter;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::table::Outbox;

/// Pieces of messages that wait for a slow reader.
const MOST_WAITING: usize = 64;
/// Messages that are put together with their head.
const SHORT: usize = 16 * 1024;

thread_local! {
    static TOGETHER: RefCell<Vec<u8>> = RefCell::new(Vec::with_capacity(SHORT));
}

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

    /// The same of both, one after the other. Putting short ones together costs less than the system does for two.
    fn try_write_both(&self, head: &[u8], body: &[u8]) -> io::Result<usize> {
        if head.len() + body.len() > SHORT {
            let sent = self.try_write(head)?;
            return if sent < head.len() { Ok(sent) } else { Ok(sent + self.try_write(body)?) };
        }
        TOGETHER.with_borrow_mut(|together| {
            together.clear();
            together.extend_from_slice(head);
            together.extend_from_slice(body);
            self.try_write(together)
        })
    }

    fn end(&self, out: &mut Out, hush: Hush) {
        out.hush = out.hush.or(Some(hush));
        if hush == Hush::Gone {
            out.waiting.clear();
        }
        self.woken.notify_one();
    }

    /// Sends head and body; what is not taken waits.
    fn send(&self, out: &mut Out, head: &[u8], mut body: Bytes) {
        let mut sent = 0;
        if out.waiting.is_empty() {
            match self.try_write_both(head, &body) {
                Ok(n) => sent = n,
                Err(_) => return self.end(out, Hush::Gone),
            }
            if sent == head.len() + body.len() {
                return;
            }
        }
        if let Some(rest) = head.get(sent..).filter(|rest| !rest.is_empty()) {
            out.waiting.push_back(Bytes::copy_from_slice(rest));
        }
        out.waiting.push_back(body.split_off(sent.saturating_sub(head.len())));
        self.woken.notify_one();
    }
}

impl Outbox for Mouth {
    fn send(&self, text: Utf8Bytes) -> bool {
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
        let last = text.as_str().starts_with(r#"{"type":"bye""#);
        let (head, length) = text_head(text.len());
        line.send(&mut out, &head[..length], text.into());
        if last {
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

/// The head of a frame that is a whole text (RFC 6455, section 5.2), and how long it is.
fn text_head(length: usize) -> ([u8; 10], usize) {
    let mut head = [0; 10];
    head[0] = 0x81;
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(short @ ..126), _) => {
            head[1] = short;
            (head, 2)
        }
        (_, Ok(long)) => {
            head[1] = 126;
            head[2..4].copy_from_slice(&long.to_be_bytes());
            (head, 4)
        }
        _ => {
            head[1] = 127;
            head[2..].copy_from_slice(&(length as u64).to_be_bytes());
            (head, 10)
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
        line.send(&mut out, bytes, Bytes::new());
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
    use tokio_tungstenite::tungstenite::protocol::frame::Frame;
    use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

    #[test]
    fn a_head_is_that_of_a_whole_text() {
        for length in [0, 1, 125, 126, 65_535, 65_536, 100_000] {
            let frame = Frame::message(vec![b'x'; length], OpCode::Data(Data::Text), true);
            let mut bytes = Vec::new();
            frame.format(&mut bytes).unwrap();
            let (head, n) = text_head(length);
            assert_eq!(head[..n], bytes[..bytes.len() - length], "{length}");
        }
    }

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
            if !mouth.send(text.as_str().into()) {
                break;
            }
            taken += 1;
            let (head, length) = text_head(text.len());
            expected.extend_from_slice(&head[..length]);
            expected.extend_from_slice(text.as_bytes());
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
        while mouth.send("x".repeat(100_000).into()) {}
        assert_eq!(line.flush(Duration::from_millis(50)).await, Err(Hush::Gone));
        assert!(mouth.send("more".into()), "nothing is kept for nobody");
        assert_eq!(line.hush(), Some(Hush::Gone));
    }
}
