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

/// Steps to the likeliest strengths. It takes about ten; each doubles the digits that are right.
const STEPS: usize = 100;

/// The Elo of everybody, zero on average: the strengths that make these results likeliest if a seat wins with a
/// chance in proportion to its player's strength (Bradley and Terry, for more than two Luce), found by Newton's method.
///
/// There are such strengths only if no part of the entrants has won every game against the rest (Ford, 1957). Nobody
/// is rated on certainty: where it is so, everybody is given half a win in every company.
pub fn elo(met: &[Met], entrants: usize) -> Vec<f64> {
    let mut met = met.to_vec();
    if !is_connected(&met, entrants) {
        for m in &mut met {
            let halves = m.seats.iter().map(|seats| if *seats > 0.0 { 0.5 } else { 0.0 });
            m.won.iter_mut().zip(halves).for_each(|(won, half)| *won += half);
        }
    }
    let mut strength = vec![0.0; entrants];
    let mut likely = likelihood(&met, &strength);
    for _ in 0..STEPS {
        let step = newton(&met, &strength);
        // Far from the top a whole step may go too far.
        let tried = (0..30).map(|halvings| 0.5f64.powi(halvings)).find_map(|part| {
            let next: Vec<f64> = strength.iter().zip(&step).map(|(at, by)| at + part * by).collect();
            let there = likelihood(&met, &next);
            (there > likely).then_some((next, there))
        });
        let Some(better) = tried else { break };
        (strength, likely) = better;
    }
    let mean = strength.iter().sum::<f64>() / entrants.max(1) as f64;
    strength.into_iter().map(|s| (s - mean) * 400.0 / std::f64::consts::LN_10).collect()
}

/// Does everybody lead to everybody by way of wins?
fn is_connected(met: &[Met], entrants: usize) -> bool {
    let beats = |a: usize, b: usize| met.iter().any(|m| m.won[a] > 0.0 && m.seats[b] > 0.0);
    let mut reached = vec![vec![false; entrants]; entrants];
    for (a, row) in reached.iter_mut().enumerate() {
        let mut new = vec![a];
        while let Some(at) = new.pop() {
            for (b, reached) in row.iter_mut().enumerate().filter(|(_, reached)| !**reached) {
                if beats(at, b) {
                    *reached = true;
                    new.push(b);
                }
            }
        }
    }
    reached.iter().flatten().all(|reached| *reached)
}

/// Everybody's chance in a company, by the logarithms of their strengths; and the logarithm of what they are
/// together.
fn expected(met: &Met, strength: &[f64]) -> (Vec<f64>, f64) {
    let here = met.seats.iter().zip(strength).filter(|(seats, _)| **seats > 0.0);
    let top = here.map(|(_, s)| *s).fold(f64::MIN, f64::max);
    let weights: Vec<f64> = met.seats.iter().zip(strength).map(|(n, s)| n * (s - top).exp()).collect();
    let sum: f64 = weights.iter().sum();
    (weights.into_iter().map(|weight| weight / sum).collect(), top + sum.ln())
}

fn likelihood(met: &[Met], strength: &[f64]) -> f64 {
    let of = |m: &Met| {
        let won: f64 = m.won.iter().zip(strength).map(|(won, s)| won * s).sum();
        won - m.games() * expected(m, strength).1
    };
    met.iter().map(of).sum()
}

/// Where the next step goes.
fn newton(met: &[Met], strength: &[f64]) -> Vec<f64> {
    let n = strength.len();
    let mut slope = vec![0.0; n];
    // Only differences count, so that one thing must be said besides: the sum stays.
    let mut bend = vec![vec![1.0; n]; n];
    for m in met {
        let (chance, games) = (expected(m, strength).0, m.games());
        for i in 0..n {
            slope[i] += m.won[i] - games * chance[i];
            bend[i][i] += games * chance[i];
            for j in 0..n {
                bend[i][j] -= games * chance[i] * chance[j];
            }
        }
    }
    solve(bend, slope)
}

/// Solves a system of equations whose matrix is symmetric and positive definite: no pivots are needed.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for at in 0..n {
        let row = matrix[at].clone();
        for below in at + 1..n {
            let factor = matrix[below][at] / row[at];
            (at..n).for_each(|j| matrix[below][j] -= factor * row[j]);
            right[below] -= factor * right[at];
        }
    }
    for at in (0..n).rev() {
        let known: f64 = (at + 1..n).map(|j| matrix[at][j] * right[j]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}

/// Two figures that would be printed alike are alike.
pub fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
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

    /// The first two always beat the others, and each two are equal: as sure as the number of games allows, whoever
    /// meets whom how.
    #[test]
    fn elo_of_two_classes_follows_from_the_number_of_games() {
        let gap = |games: f64| {
            let pair = |a: usize, b: usize| {
                let mut met = Met { seats: vec![0.0; 4], won: vec![0.0; 4] };
                (met.seats[a], met.seats[b]) = (1.0, 1.0);
                let equal = (a < 2) == (b < 2);
                (met.won[a], met.won[b]) = if equal { (games / 2.0, games / 2.0) } else { (games, 0.0) };
                met
            };
            let met: Vec<Met> = (0..4).flat_map(|a| (a + 1..4).map(move |b| pair(a, b))).collect();
            let elo = elo(&met, 4);
            near(elo[0], elo[1], 1e-6);
            near(elo[2], elo[3], 1e-6);
            elo[0] - elo[2]
        };
        // Half a win of one more than the games: the odds are (2 games + 1) to 1.
        for games in [2.0, 20.0, 2000.0] {
            near(gap(games), 400.0 * (2.0 * games + 1.0).log10(), 1e-4);
        }
    }

    #[test]
    fn the_middle_of_many_values() {
        let mut values: Vec<f64> = (0..=1000).rev().map(f64::from).collect();
        assert_eq!(percentiles(&mut values), Interval { low: 25.0, high: 975.0 });
    }
}
