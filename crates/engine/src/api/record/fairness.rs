//! The proof that nobody chose the seed: the server committed to a secret before anyone sat down, the
//! players' clients committed to bytes of their own, and only then was everything revealed.
//! docs/protocol.md, section 6, has the steps for checking it with other code.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Hex, RecordError};
use crate::setup::line::Seed;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fairness {
    /// The hash of the secret, shown before anyone sat down.
    pub commitment: Hex<32>,
    pub secret: Hex<32>,
    /// By seat.
    pub players: Vec<Contribution>,
}

/// What a player's client added: both or, if it did not reveal in time, only its commitment, or
/// nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contribution {
    /// The hash of the bytes, shown to everyone before anything was revealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Hex<32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Hex<32>>,
}

/// How the server commits to its secret.
pub fn server_commitment(secret: &Hex<32>) -> Hex<32> {
    hash(b"lair server 2", [secret])
}

/// How a player's client commits to its bytes.
pub fn player_commitment(bytes: &Hex<32>) -> Hex<32> {
    hash(b"lair player 2", [bytes])
}

impl Fairness {
    pub fn seed(&self) -> Seed {
        const NOTHING: &Hex<32> = &Hex([0; 32]);
        let players = self.players.iter().flat_map(|Contribution { commitment, bytes }| {
            [commitment, bytes].map(|part| part.as_ref().unwrap_or(NOTHING))
        });
        Seed(hash(b"lair shuffle 2", std::iter::once(&self.secret).chain(players)).0)
    }

    /// Do secret and bytes match what was shown, and does the seed follow from them?
    pub(super) fn check(&self, seed: Seed, seats: usize) -> Result<(), RecordError> {
        let here = server_commitment(&self.secret);
        if here != self.commitment {
            return Err(RecordError::Commitment { shown: self.commitment, here });
        }
        for (at, player) in self.players.iter().enumerate() {
            let fits = |bytes| player.commitment == Some(player_commitment(bytes));
            if !player.bytes.as_ref().is_none_or(fits) {
                return Err(RecordError::Contribution { seat: at + 1 });
            }
        }
        if self.players.len() != seats || self.seed() != seed {
            return Err(RecordError::Unfair);
        }
        Ok(())
    }
}

fn hash<'a>(domain: &[u8], parts: impl IntoIterator<Item = &'a Hex<32>>) -> Hex<32> {
    let mut hasher = Sha256::new();
    hasher.update(domain);
    parts.into_iter().for_each(|part| hasher.update(part.0));
    Hex(hasher.finalize().into())
}
