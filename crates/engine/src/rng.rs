//! The generator that lives in the state: ChaCha8 kept as key and position, so that somebody who
//! watches cannot work out what comes, and copying a state stays cheap.
//! Invariant: only `shuffle` and `pick_random` in `acts` draw from it.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Rng {
    key: [u8; 32],
    /// Words drawn so far.
    position: u64,
}

impl Rng {
    pub fn new(key: [u8; 32]) -> Rng {
        Rng { key, position: 0 }
    }

    /// A key from a small seed, for simulations; dealt games use 32 bytes of their own.
    pub fn from_seed(seed: u64) -> Rng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Rng::new(key)
    }

    pub(crate) fn parts(&self) -> ([u8; 32], u64) {
        (self.key, self.position)
    }

    pub(crate) fn from_parts(key: [u8; 32], position: u64) -> Rng {
        Rng { key, position }
    }

    /// A number below `n`, each equally likely; 0 for `n` of 0 or 1, which draws nothing.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        if n < 2 {
            return 0;
        }
        let mut words = self.words();
        let picked = words.below(n as u32);
        self.position = words.position;
        picked as usize
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        if items.len() < 2 {
            return;
        }
        let mut words = self.words();
        for i in (1..items.len()).rev() {
            items.swap(i, words.below(i as u32 + 1) as usize);
        }
        self.position = words.position;
    }

    fn words(&self) -> Words {
        let mut core = ChaCha8Rng::from_seed(self.key);
        core.set_word_pos(u128::from(self.position));
        Words { core, position: self.position }
    }
}

struct Words {
    core: ChaCha8Rng,
    position: u64,
}

impl Words {
    /// Lemire's method: multiply, and draw again in the biased part.
    fn below(&mut self, n: u32) -> u32 {
        loop {
            self.position += 1;
            let product = u64::from(self.core.next_u32()) * u64::from(n);
            let low = product as u32;
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Saved games depend on these numbers: a change of the library must not move them.
    #[test]
    fn the_sequence_is_pinned() {
        let mut rng = Rng::from_seed(42);
        let drawn: Vec<usize> = (0..8).map(|_| rng.below(100)).collect();
        let mut deck: Vec<u8> = (0..10).collect();
        rng.shuffle(&mut deck);
        assert_eq!(drawn, [9, 34, 8, 28, 39, 49, 58, 36]);
        assert_eq!(deck, [3, 4, 9, 1, 2, 6, 8, 0, 7, 5]);
    }

    #[test]
    fn every_number_is_equally_likely() {
        let mut rng = Rng::from_seed(1);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[rng.below(6)] += 1;
        }
        assert!(seen.iter().all(|n| (9_500..10_500).contains(n)), "{seen:?}");
    }
}
