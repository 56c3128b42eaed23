//! What host and workers say to each other: a line of JSON, and behind it the results as bytes.

use bus::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Packed, Spec};

/// Where hosts offer their runs.
pub const OFFERS: &str = "lair.1.lab.offer";

/// Where the host of a run is asked.
pub fn subject(run: &str) -> String {
    format!("lair.1.lab.run.{run}")
}

/// "There is work", said every second.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Offer {
    pub run: String,
}

/// From a worker. `worker` is a random name of its process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Ask {
    /// What is to be played?
    Hello {
        worker: String,
        name: String,
        threads: usize,
        program: String,
    },
    /// Cards are read, and the games begin like this.
    Ready {
        worker: String,
        probe: String,
    },
    Take {
        worker: String,
    },
    /// Jobs `from..done` of a piece `from..to`.
    Give {
        worker: String,
        from: u64,
        to: u64,
        done: u64,
        micros: u64,
    },
    /// It lives, and has these pieces.
    Beat {
        worker: String,
        has: Vec<u64>,
    },
    /// It goes, and gives everything back.
    Leave {
        worker: String,
        why: Option<String>,
    },
}

/// From the host.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reply {
    Run(Spec),
    Welcome,
    /// This worker is not wanted in this run.
    Away {
        why: String,
    },
    Play {
        from: u64,
        to: u64,
    },
    Wait,
    /// The answer was counted, or is known already.
    Taken,
    Over,
}

pub fn pack(said: &impl Serialize, packed: &Packed) -> Bytes {
    let mut bytes = serde_json::to_vec(&(said, packed.result.len())).unwrap_or_default();
    bytes.push(b'\n');
    bytes.extend(&packed.result);
    bytes.extend(&packed.measured);
    bytes.into()
}

pub fn plain(said: &impl Serialize) -> Bytes {
    pack(said, &Packed::default())
}

pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, Packed)> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (said, length): (T, usize) = serde_json::from_slice(&bytes[..end]).ok()?;
    let (result, measured) = bytes[end + 1..].split_at_checked(length)?;
    Some((said, Packed { result: result.into(), measured: measured.into() }))
}
