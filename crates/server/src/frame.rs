//! A message on its way: the text of it behind the head of its WebSocket frame, in one piece, made once for all who
//! are told it.

use axum::body::Bytes;

use crate::json;
use crate::wire::ServerMsg;

/// A whole frame.
#[derive(Clone, Debug)]
pub struct Frame {
    bytes: Bytes,
    head: usize,
    last: bool,
}

/// Most updates are shorter: their text is not moved while it grows.
const USUAL: usize = 6 * 1024;
/// The longest head there is.
const HEAD: usize = 10;

impl Frame {
    pub fn of(message: &ServerMsg) -> Frame {
        let mut bytes = Vec::with_capacity(USUAL);
        bytes.extend_from_slice(&[0; HEAD]);
        if json::write(message, &mut bytes).is_err() {
            bytes.truncate(HEAD);
        }
        Frame::sealed(bytes, matches!(message, ServerMsg::Bye { .. }))
    }

    /// A text that has room for its head before it.
    fn sealed(mut bytes: Vec<u8>, last: bool) -> Frame {
        let (head, length) = text_head(bytes.len() - HEAD);
        let start = HEAD - length;
        bytes[start..HEAD].copy_from_slice(&head[..length]);
        Frame { bytes: Bytes::from(bytes).slice(start..), head: length, last }
    }

    /// As it goes over the socket.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The message, as JSON.
    pub fn text(&self) -> &[u8] {
        &self.bytes[self.head..]
    }

    /// Nothing is said after it.
    pub fn is_last(&self) -> bool {
        self.last
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

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_tungstenite::tungstenite::protocol::frame::Frame as Theirs;
    use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

    impl From<&str> for Frame {
        fn from(text: &str) -> Frame {
            Frame::sealed([&[0; HEAD], text.as_bytes()].concat(), false)
        }
    }

    #[test]
    fn a_frame_is_that_of_a_whole_text() {
        for length in [0, 1, 125, 126, 65_535, 65_536, 100_000] {
            let text = "x".repeat(length);
            let mut theirs = Vec::new();
            Theirs::message(text.clone(), OpCode::Data(Data::Text), true).format(&mut theirs).unwrap();
            let frame = Frame::from(text.as_str());
            assert!(frame.bytes()[..] == theirs && frame.text() == text.as_bytes(), "{length}");
        }
    }
}
