//! A bot's random numbers: small, fast, and the same on every machine.

use rand_core::{Rng as _, SeedableRng};
use rand_pcg::Pcg64Mcg;

#[derive(Clone)]
pub struct BotRng(Pcg64Mcg);

impl BotRng {
    pub fn new(seed: u64) -> BotRng {
        BotRng(Pcg64Mcg::seed_from_u64(seed))
    }

    /// A number below `n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    /// A number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / f64::from(u32::MAX)
    }

    pub fn seed(&mut self) -> u64 {
        self.0.next_u64()
    }
}
