//! A message ready to be sent: its text behind the header of its WebSocket frame, in one piece, written once for
//! everyone who gets it.

use axum::body::Bytes;
use tokio_tungstenite::tungstenite::protocol::frame::FrameHeader;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::wire::ServerMsg;

/// A whole frame.
#[derive(Clone, Debug)]
pub struct Frame {
    bytes: Bytes,
    header: usize,
    last: bool,
}

/// Most updates are shorter, so their text does not have to be moved while it grows.
const USUAL_LENGTH: usize = 6 * 1024;
/// The longest header of an unmasked frame.
const MAX_HEADER: usize = 10;

impl Frame {
    pub fn of(message: &ServerMsg) -> Frame {
        let mut bytes = Vec::with_capacity(USUAL_LENGTH);
        bytes.extend_from_slice(&[0; MAX_HEADER]);
        if let Err(error) = serde_json::to_writer(&mut bytes, message) {
            tracing::error!(%error, "a message cannot be written as JSON");
            bytes.truncate(MAX_HEADER);
        }
        Frame::sealed(bytes, matches!(message, ServerMsg::Bye { .. }))
    }

    /// Of a text with room for the header before it.
    fn sealed(mut bytes: Vec<u8>, last: bool) -> Frame {
        let length = (bytes.len() - MAX_HEADER) as u64;
        let header = FrameHeader { opcode: OpCode::Data(Data::Text), ..FrameHeader::default() };
        let start = MAX_HEADER - header.len(length);
        if let Err(error) = header.format(length, &mut &mut bytes[start..MAX_HEADER]) {
            unreachable!("the header has its exact length: {error}");
        }
        Frame { bytes: Bytes::from(bytes).slice(start..), header: MAX_HEADER - start, last }
    }

    /// One that another server has made: the length of its header, and whether nothing follows it. `None` if it cannot
    /// be one.
    pub fn received(bytes: Bytes, header: u8, last: bool) -> Option<Frame> {
        let header = usize::from(header);
        (header <= MAX_HEADER && header <= bytes.len()).then_some(Frame { bytes, header, last })
    }

    /// How long its header is.
    pub fn header(&self) -> u8 {
        self.header as u8
    }

    /// As it goes over the socket.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The message, as JSON.
    pub fn text(&self) -> &[u8] {
        &self.bytes[self.header..]
    }

    /// Nothing follows it.
    pub fn is_last(&self) -> bool {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_tungstenite::tungstenite::protocol::frame::Frame as Theirs;

    impl From<&str> for Frame {
        fn from(text: &str) -> Frame {
            Frame::sealed([&[0; MAX_HEADER], text.as_bytes()].concat(), false)
        }
    }

    #[test]
    fn a_frame_is_what_tungstenite_would_send() {
        for length in [0, 1, 125, 126, 65_535, 65_536, 100_000] {
            let text = "x".repeat(length);
            let mut theirs = Vec::new();
            Theirs::message(text.clone(), OpCode::Data(Data::Text), true).format(&mut theirs).unwrap();
            let frame = Frame::from(text.as_str());
            assert!(frame.bytes()[..] == theirs && frame.text() == text.as_bytes(), "{length}");
        }
    }
}
