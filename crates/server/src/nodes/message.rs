//! What nodes say to each other.

use bus::Bytes;
use engine::record::Hex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::NodeNumber;
use crate::frame::Frame;
use crate::store::Person;
use crate::wire::{ClientMsg, CloseReason, TableInfo};
use crate::work::Requester;

/// A connection: the node with its socket, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LineId {
    pub gate: NodeNumber,
    pub number: u64,
}

/// What a node is asked about a table that it holds.
#[derive(Debug, Serialize, Deserialize)]
pub enum Ask {
    Join {
        table: String,
        line: LineId,
        by: Requester,
        person: Person,
        commitment: Option<Hex<32>>,
    },
    Say {
        line: LineId,
        message: ClientMsg,
    },
    Leave(LineId),
    Info {
        table: String,
    },
    /// The sender lives, and this many frames of each of its connections have reached their sockets.
    Pulse {
        gate: NodeNumber,
        received: Vec<(u64, u32)>,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    Done,
    /// The table is not here, or the connection is not known.
    NotHere,
    Refused(CloseReason),
    Info(Box<TableInfo>),
    /// How many frames have been sent over each connection that is known.
    Pulse(Vec<(u64, u32)>),
}

/// A frame on its way to a socket.
pub struct Parcel {
    pub line: u64,
    /// Counted from 1 for each connection, so that a loss is noticed.
    pub number: u32,
    /// `None`: the table has let go of the connection.
    pub frame: Option<Frame>,
}

const HEADER: usize = 8 + 4 + 2;
const NO_FRAME: u8 = 0xff;

impl Parcel {
    pub fn packed(&self) -> Bytes {
        let (header, last, bytes) = match &self.frame {
            Some(frame) => (frame.header(), frame.is_last(), &frame.bytes()[..]),
            None => (NO_FRAME, false, &[][..]),
        };
        let mut packed = Vec::with_capacity(HEADER + bytes.len());
        packed.extend(self.line.to_le_bytes());
        packed.extend(self.number.to_le_bytes());
        packed.extend([header, u8::from(last)]);
        packed.extend(bytes);
        packed.into()
    }

    pub fn unpacked(packed: &Bytes) -> Option<Parcel> {
        let (line, rest) = packed.split_first_chunk::<8>()?;
        let (number, rest) = rest.split_first_chunk::<4>()?;
        let ([header, last], _) = rest.split_first_chunk::<2>()?;
        let frame = match *header {
            NO_FRAME => None,
            header => Some(Frame::received(packed.slice(HEADER..), header, *last == 1)?),
        };
        Some(Parcel { line: u64::from_le_bytes(*line), number: u32::from_le_bytes(*number), frame })
    }
}

pub fn packed(message: &impl Serialize) -> Bytes {
    serde_json::to_vec(message).unwrap_or_default().into()
}

/// `None` for what another version of the program may have said.
pub fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::ServerMsg;

    #[test]
    fn a_parcel_arrives_as_it_was_sent() {
        let bye = ServerMsg::Bye { code: CloseReason::Stopping, words: "until soon".into() };
        for frame in [Some(Frame::of(&ServerMsg::Beat)), Some(Frame::of(&bye)), None] {
            let sent = Parcel { line: u64::MAX - 7, number: 70_000, frame };
            let came = Parcel::unpacked(&sent.packed()).unwrap();
            assert_eq!((came.line, came.number), (sent.line, sent.number));
            let parts = |frame: &Frame| (frame.bytes().clone(), frame.text().to_vec(), frame.is_last());
            assert_eq!(came.frame.as_ref().map(parts), sent.frame.as_ref().map(parts));
        }
        assert!(Parcel::unpacked(&Bytes::from_static(b"short")).is_none());
        assert!(
            Parcel::unpacked(&Bytes::from_static(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 1])).is_none()
        );
    }
}
