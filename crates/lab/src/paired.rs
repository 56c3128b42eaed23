//! The difference between two versions of the same games.
//!
//! Invariant: whole numbers only, so that sums do not depend on their order.

use crate::numbers::{Reader, Writer};
use crate::rating::{Interval, normal};

/// Games before a difference is told.
const FEWEST: u64 = 20;

/// A figure of a game as a part and a whole: wins and games, turns and one. Over many games the figure is the sum of
/// the parts over the sum of the wholes.
pub type Ratio = (i64, i64);

/// Sums over pairs of games: the part and the whole in the old version, and in the new one, and the products that the
/// error of the difference needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paired {
    pub pairs: u64,
    sums: [i64; 4],
    products: [i64; 10],
}

/// What became of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    pub old: f64,
    pub new: f64,
    /// Of the difference; `None` with too few games.
    pub interval: Option<Interval>,
}

impl Paired {
    pub fn note(&mut self, old: Ratio, new: Ratio) {
        let game = [old.0, old.1, new.0, new.1];
        self.pairs += 1;
        self.sums.iter_mut().zip(game).for_each(|(sum, n)| *sum += n);
        for ((i, j), sum) in corners().zip(&mut self.products) {
            *sum += game[i] * game[j];
        }
    }

    pub fn add(&mut self, other: &Paired) {
        self.pairs += other.pairs;
        self.sums.iter_mut().zip(other.sums).for_each(|(sum, n)| *sum += n);
        self.products.iter_mut().zip(other.products).for_each(|(sum, n)| *sum += n);
    }

    /// The figure in both versions; `None` if it never came up in one of them.
    pub fn change(&self) -> Option<Change> {
        let [x0, y0, x1, y1] = self.sums.map(|sum| sum as f64);
        if y0 <= 0.0 || y1 <= 0.0 {
            return None;
        }
        let (old, new) = (x0 / y0, x1 / y1);
        // How much a game pulls the difference away from where it is: a sum over its four numbers.
        let pull = [-1.0 / y0, old / y0, 1.0 / y1, -new / y1];
        let square: f64 = corners()
            .zip(self.products)
            .map(|((i, j), sum)| if i == j { 1.0 } else { 2.0 } * pull[i] * pull[j] * sum as f64)
            .sum();
        let interval = (self.pairs >= FEWEST).then(|| normal(new - old, square.max(0.0).sqrt()));
        Some(Change { old, new, interval })
    }

    pub fn put(&self, out: &mut Writer) {
        let Paired { pairs, sums, products } = self;
        out.put(*pairs);
        sums.iter().chain(products).for_each(|number| out.put_signed(*number));
    }

    pub fn get(from: &mut Reader) -> Option<Paired> {
        let mut paired = Paired { pairs: from.get()?, ..Paired::default() };
        for number in paired.sums.iter_mut().chain(&mut paired.products) {
            *number = from.get_signed()?;
        }
        Some(paired)
    }
}

fn corners() -> impl Iterator<Item = (usize, usize)> {
    (0..4).flat_map(|i| (i..4).map(move |j| (i, j)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns: one whole a game, so the error is that of the mean difference.
    #[test]
    fn the_error_is_that_of_the_mean_difference() {
        let mut paired = Paired::default();
        let games = [(8, 9), (10, 10), (7, 9), (12, 12), (9, 8)];
        (0..20).for_each(|_| games.iter().for_each(|(old, new)| paired.note((*old, 1), (*new, 1))));
        let Change { old, new, interval } = paired.change().unwrap();
        let interval = interval.unwrap();
        assert_eq!((paired.pairs, old), (100, 9.2));
        assert!((new - 9.6).abs() < 1e-12);
        // Differences 1, 0, 2, 0, -1: mean 0.4, variance 1.04.
        let half = 1.959_964 * (1.04f64 / 100.0).sqrt();
        assert!((interval.low - (0.4 - half)).abs() < 1e-6 && (interval.high - (0.4 + half)).abs() < 1e-6);
    }

    /// The same games in both versions differ by nothing, however much they vary among themselves.
    #[test]
    fn equal_games_leave_no_doubt() {
        let mut paired = Paired::default();
        (0..50).for_each(|i| paired.note((i % 2, i % 3), (i % 2, i % 3)));
        let change = paired.change().unwrap();
        let interval = change.interval.unwrap();
        assert_eq!(change.old, change.new);
        assert!(interval.low.abs() < 1e-9 && interval.high.abs() < 1e-9);
        assert!(Paired::default().change().is_none());
        let mut out = Writer::default();
        paired.put(&mut out);
        assert_eq!(Paired::get(&mut Reader::new(&out.finish())), Some(paired));
    }
}
