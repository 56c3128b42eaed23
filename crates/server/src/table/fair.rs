//! A shuffle that nobody chooses alone: the server's secret is fixed, and its hash shown, before anybody sits down;
//! every player's client adds bytes of its own; both together are the seed.

use engine::Seed;
use engine::record::Fairness;
use engine::record::Hex;
use sha2::{Digest, Sha256};

/// What is shown before the first card.
pub fn commitment(secret: &[u8; 32]) -> Hex<32> {
    Hex(Sha256::digest(secret).into())
}

/// What proves the shuffle after the game, and the seed that follows from it.
pub fn seed(secret: [u8; 32], entropy: &[Option<Hex<32>>]) -> (Fairness, Seed) {
    let fairness = Fairness {
        commitment: commitment(&secret),
        secret: Hex(secret),
        entropy: entropy.iter().map(|part| part.unwrap_or(Hex([0; 32]))).collect(),
    };
    let seed = fairness.seed();
    (fairness, seed)
}
