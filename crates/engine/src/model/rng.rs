//! The generator that lives in the state: ChaCha8, stored as key and position, so that the future
//! cannot be predicted from what was seen, and copying a state stays cheap. Invariant: only
//! `shuffle` and the random picks of `acts` draw from it.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Rng {
    key: [u8; 32],
    /// Words drawn so far.
    position: u64,
    /// Bits drawn but not used yet: four small numbers per draw.
    spare: u64,
    spare_left: u8,
}

impl Rng {
    pub fn new(key: [u8; 32]) -> Rng {
        Rng { key, ..Rng::default() }
    }

    /// A key from a small seed, for samples and positions set up by hand, where guessing it gains
    /// nothing.
    pub fn from_seed(seed: u64) -> Rng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Rng::new(key)
    }

    pub(crate) fn parts(&self) -> ([u8; 32], u64, u64, u8) {
        let Rng { key, position, spare, spare_left } = *self;
        (key, position, spare, spare_left)
    }

    pub(crate) fn from_parts((key, position, spare, spare_left): ([u8; 32], u64, u64, u8)) -> Rng {
        Rng { key, position, spare, spare_left: spare_left.min(4) }
    }

    /// A number below `n`, each equally likely; 0 for `n` of 0 or 1, which draws nothing.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        if n < 2 {
            return 0;
        }
        loop {
            if self.spare_left == 0 {
                let mut core = self.core();
                self.spare = u64::from(core.next_u32()) | u64::from(core.next_u32()) << 32;
                self.spare_left = 4;
                self.position += 2;
            }
            let bits = self.spare as u16;
            self.spare >>= 16;
            self.spare_left -= 1;
            if let Some(number) = fair(bits, n) {
                return number;
            }
        }
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut stream = self.stream();
        stream.shuffle(items);
        self.advance(&stream);
    }

    /// Many numbers at once; `advance` notes how many were drawn.
    #[inline]
    pub(crate) fn stream(&self) -> Stream {
        Stream { core: self.core(), position: self.position, block: [0; Stream::BLOCK], used: Stream::BLOCK }
    }

    #[inline]
    fn core(&self) -> ChaCha8Rng {
        let mut core = ChaCha8Rng::from_seed(self.key);
        core.set_word_pos(u128::from(self.position));
        core
    }

    pub(crate) fn advance(&mut self, stream: &Stream) {
        self.position = stream.position;
    }
}

/// Words are taken a block at a time; `position` counts the words used.
pub(crate) struct Stream {
    core: ChaCha8Rng,
    position: u64,
    block: [u16; Stream::BLOCK],
    used: usize,
}

impl Stream {
    const BLOCK: usize = 64;

    #[inline]
    fn below(&mut self, n: usize) -> usize {
        loop {
            if self.used == Stream::BLOCK {
                self.refill();
            }
            let bits = self.block[self.used % Stream::BLOCK];
            self.used += 1;
            if let Some(number) = fair(bits, n) {
                return number;
            }
        }
    }

    // Not inlined, so that a shuffle keeps its variables in registers.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        let mut bytes = [0; 2 * Stream::BLOCK];
        self.core.fill_bytes(&mut bytes);
        for (bits, pair) in self.block.iter_mut().zip(bytes.chunks_exact(2)) {
            *bits = u16::from_le_bytes([pair[0], pair[1]]);
        }
        self.position += Stream::BLOCK as u64 / 2;
        self.used = 0;
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.permute(items.len(), |i, j| items.swap(i, j));
    }

    /// Swaps so that every order of `len` things is equally likely.
    #[inline]
    pub fn permute(&mut self, len: usize, mut swap: impl FnMut(usize, usize)) {
        for i in (1..len).rev() {
            swap(i, self.below(i + 1));
        }
    }
}

/// Sixteen bits as a number below `n`, or `None` where it would bias the result.
#[inline]
fn fair(bits: u16, n: usize) -> Option<usize> {
    let (bits, n) = (u32::from(bits), n as u32);
    let product = bits * n;
    let low = product & 0xffff;
    (low >= n || is_fair(low, n)).then_some((product >> 16) as usize)
}

#[cold]
fn is_fair(low: u32, n: u32) -> bool {
    low >= (0x1_0000 - n) % n
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
        assert_eq!(drawn, [65, 9, 20, 34, 96, 8, 54, 28]);
        assert_eq!(deck, [4, 6, 7, 0, 2, 9, 8, 1, 3, 5]);
    }

    #[test]
    fn every_number_is_equally_likely() {
        let mut rng = Rng::from_seed(1);
        for n in [2, 3, 6, 7, 100] {
            let mut seen = vec![0u32; n];
            for _ in 0..20_000 * n {
                seen[rng.below(n)] += 1;
            }
            assert!(seen.iter().all(|count| (19_000..21_000).contains(count)), "{seen:?}");
        }
    }

    #[test]
    fn every_order_is_equally_likely() {
        let mut rng = Rng::from_seed(2);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut deck = [0, 1, 2, 3];
            rng.shuffle(&mut deck);
            *seen.entry(deck).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 24);
        assert!(seen.values().all(|count| (850..1_150).contains(count)), "{seen:?}");
    }
}
