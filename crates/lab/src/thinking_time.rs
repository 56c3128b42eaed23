//! How long answers took.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::numbers::{Reader, Writer};

/// How long answers took, as a histogram in steps of 2 %: precise enough for a median, and small.
#[derive(Clone, Debug, Default)]
pub struct ThinkingTime(BTreeMap<u32, u64>);

const STEPS: f64 = 35.0;

impl ThinkingTime {
    pub(crate) fn note(&mut self, took: Duration) {
        let step = (took.as_nanos().max(1) as f64).log2() * STEPS;
        *self.0.entry(step as u32).or_default() += 1;
    }

    pub(crate) fn add(&mut self, other: &ThinkingTime) {
        other.0.iter().for_each(|(step, n)| *self.0.entry(*step).or_default() += n);
    }

    /// In milliseconds, like the longest; `None` before the first answer.
    pub fn median(&self) -> Option<f64> {
        let all: u64 = self.0.values().sum();
        let mut before = 0;
        let middle = self.0.iter().find(|(_, n)| {
            before += **n;
            before * 2 >= all
        });
        middle.map(|(step, _)| milliseconds(*step))
    }

    pub fn longest(&self) -> Option<f64> {
        self.0.last_key_value().map(|(step, _)| milliseconds(*step))
    }

    pub(crate) fn put(&self, out: &mut Writer) {
        out.put(self.0.len() as u64);
        for (step, n) in &self.0 {
            out.put(u64::from(*step));
            out.put(*n);
        }
    }

    pub(crate) fn get(from: &mut Reader) -> Option<ThinkingTime> {
        let mut times = BTreeMap::new();
        // A logarithm of 64 bits has no more steps.
        for _ in 0..from.get().filter(|steps| *steps <= 64 * STEPS as u64)? {
            times.insert(u32::try_from(from.get()?).ok()?, from.get()?);
        }
        Some(ThinkingTime(times))
    }
}

fn milliseconds(step: u32) -> f64 {
    ((f64::from(step) + 0.5) / STEPS).exp2() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_travel() {
        let mut thinking = ThinkingTime::default();
        (1..=999).for_each(|n| thinking.note(Duration::from_micros(n)));
        let mut out = Writer::default();
        thinking.put(&mut out);
        let bytes = out.finish();
        assert_eq!(ThinkingTime::get(&mut Reader::new(&bytes)).unwrap().median(), thinking.median());
        assert!(ThinkingTime::get(&mut Reader::new(&bytes[..9])).is_none());
    }
}
