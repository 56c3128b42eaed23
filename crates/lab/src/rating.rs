//! How sure a figure is, and what it is in Elo.

use serde::Serialize;

/// So many standard deviations hold 95 % of a normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// From where to where, with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Wilson's interval for a share: sound for few and for lopsided counts, too.
pub fn wilson(won: f64, games: f64) -> Interval {
    if games <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (p, z2) = (won / games, Z * Z);
    let middle = (p + z2 / (2.0 * games)) / (1.0 + z2 / games);
    let half = Z / (1.0 + z2 / games) * (p * (1.0 - p) / games + z2 / (4.0 * games * games)).sqrt();
    Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// A mean with its standard error.
pub fn normal(mean: f64, error: f64) -> Interval {
    Interval { low: mean - Z * error, high: mean + Z * error }
}

/// Where the middle 95 % of the values lie.
pub fn percentiles(values: &mut [f64]) -> Interval {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = share * values.len().saturating_sub(1) as f64;
        values.get(index.round() as usize).copied().unwrap_or(f64::NAN)
    };
    Interval { low: at(0.025), high: at(0.975) }
}

/// Players who met: how many seats each entrant has, and how many games each has won.
#[derive(Clone, Debug, PartialEq)]
pub struct Met {
    pub seats: Vec<f64>,
    pub won: Vec<f64>,
}

impl Met {
    fn games(&self) -> f64 {
        self.won.iter().sum()
    }
}

const ROUNDS: usize = 2000;

/// The Elo of everybody, zero on average: the strengths that make these results likeliest if a seat wins with a
/// chance in proportion to its player's strength (Bradley and Terry, for more than two Luce; fitted as in Hunter,
/// 2004). Nobody is rated on certainty: where somebody won all or none, everybody present is given half a win.
pub fn elo(met: &[Met], entrants: usize) -> Vec<f64> {
    let mut met = met.to_vec();
    let won = |met: &[Met], e: usize| -> f64 { met.iter().map(|m| m.won[e]).sum() };
    let played =
        |met: &[Met], e: usize| -> f64 { met.iter().filter(|m| m.seats[e] > 0.0).map(Met::games).sum() };
    let certain = (0..entrants).any(|e| won(&met, e) <= 0.0 || won(&met, e) >= played(&met, e));
    if certain {
        for m in &mut met {
            let halves = m.seats.iter().map(|seats| if *seats > 0.0 { 0.5 } else { 0.0 });
            m.won.iter_mut().zip(halves).for_each(|(won, half)| *won += half);
        }
    }
    let mut strength = vec![1.0; entrants];
    for _ in 0..ROUNDS {
        let together = |m: &Met| -> f64 { m.seats.iter().zip(&strength).map(|(n, s)| n * s).sum() };
        let next: Vec<f64> = (0..entrants)
            .map(|e| {
                let expected: f64 = met.iter().map(|m| m.games() * m.seats[e] / together(m)).sum();
                if expected > 0.0 { won(&met, e) / expected } else { 1.0 }
            })
            .collect();
        let moved = next.iter().zip(&strength).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
        // Strengths are proportions: keep them near 1.
        let mean = (next.iter().map(|s| s.ln()).sum::<f64>() / entrants as f64).exp();
        strength = next.into_iter().map(|s| s / mean).collect();
        if moved < 1e-10 {
            break;
        }
    }
    strength.into_iter().map(|s| 400.0 * s.log10()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} is not {b}");
    }

    /// Wilson's interval as published for 0 of 10, 5 of 10 and 81 of 263 (Newcombe 1998).
    #[test]
    fn intervals_are_as_published() {
        let of = |won, games| {
            let Interval { low, high } = wilson(won, games);
            (low, high)
        };
        let (low, high) = of(81.0, 263.0);
        near(low, 0.2553, 1e-4);
        near(high, 0.3662, 1e-4);
        let (low, high) = of(0.0, 20.0);
        near(low, 0.0, 1e-12);
        near(high, 0.1611, 1e-4);
        let (low, high) = of(5.0, 10.0);
        near(low + high, 1.0, 1e-12);
        near(low, 0.2366, 1e-4);
        assert_eq!(of(0.0, 0.0), (0.0, 1.0));
    }

    fn two(won: f64, lost: f64) -> f64 {
        let elo = elo(&[Met { seats: vec![1.0, 1.0], won: vec![won, lost] }], 2);
        elo[0] - elo[1]
    }

    #[test]
    fn elo_of_two_is_the_usual_formula() {
        near(two(50.0, 50.0), 0.0, 1e-6);
        near(two(75.0, 25.0), 190.85, 0.01);
        near(two(10.0, 1.0), 400.0, 1e-6);
        near(two(36.0, 64.0), -99.95, 0.01);
        // Certainty is taken with a grain of salt.
        near(two(10.0, 0.0), 400.0 * 21f64.log10(), 1e-6);
        near(two(0.0, 0.0), 0.0, 1e-6);
    }

    /// Results exactly as the strengths 4, 2, 1 have them give these strengths back.
    #[test]
    fn elo_of_many_finds_the_strengths() {
        let seats = |list: [f64; 3]| list.to_vec();
        let met = [
            Met { seats: seats([1.0, 1.0, 1.0]), won: vec![400.0, 200.0, 100.0] },
            Met { seats: seats([1.0, 0.0, 1.0]), won: vec![80.0, 0.0, 20.0] },
            // Two seats of the weak one against one of the middle one.
            Met { seats: seats([0.0, 1.0, 2.0]), won: vec![0.0, 30.0, 30.0] },
        ];
        let elo = elo(&met, 3);
        near(elo[0] - elo[1], 400.0 * 2f64.log10(), 1e-4);
        near(elo[1] - elo[2], 400.0 * 2f64.log10(), 1e-4);
        near(elo.iter().sum(), 0.0, 1e-6);
    }

    #[test]
    fn the_middle_of_many_values() {
        let mut values: Vec<f64> = (0..=1000).rev().map(f64::from).collect();
        assert_eq!(percentiles(&mut values), Interval { low: 25.0, high: 975.0 });
    }
}
