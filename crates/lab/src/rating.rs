//! Confidence intervals and Elo ratings.

use serde::Serialize;

/// 95 % of a normal distribution lies within this many standard deviations.
const Z: f64 = 1.959_963_984_540_054;

/// A 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Wilson's interval for a share: valid even for small or lopsided counts.
pub fn wilson(won: f64, games: f64) -> Interval {
    if games <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (p, z2) = (won / games, Z * Z);
    let middle = (p + z2 / (2.0 * games)) / (1.0 + z2 / games);
    let half = Z / (1.0 + z2 / games) * (p * (1.0 - p) / games + z2 / (4.0 * games * games)).sqrt();
    Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// The interval around a mean, from its standard error.
pub fn normal(mean: f64, error: f64) -> Interval {
    Interval { low: mean - Z * error, high: mean + Z * error }
}

/// The range of the middle 95 % of the values.
pub fn percentiles(values: &mut [f64]) -> Interval {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = share * values.len().saturating_sub(1) as f64;
        values.get(index.round() as usize).copied().unwrap_or(f64::NAN)
    };
    Interval { low: at(0.025), high: at(0.975) }
}

/// Entrants at one table: how many seats each has, and how many games each has won.
#[derive(Clone, Debug, PartialEq)]
pub struct Matchup {
    pub seats: Vec<f64>,
    pub won: Vec<f64>,
}

impl Matchup {
    fn games(&self) -> f64 {
        self.won.iter().sum()
    }
}

/// The most Newton steps. It takes about ten; each doubles the number of correct digits.
const STEPS: usize = 100;

/// Everyone's Elo, zero on average: the maximum-likelihood strengths if a seat wins in proportion to its
/// player's strength (Bradley-Terry, or Plackett-Luce for more than two), found by Newton's method.
///
/// They exist only if no group of entrants has won every game against the rest (Ford, 1957). Otherwise
/// everyone gets half a win in every matchup, so that ratings stay finite.
pub fn elo(met: &[Matchup], entrants: usize) -> Vec<f64> {
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
        // Far from the maximum a full step may overshoot.
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

/// Is there a chain of wins from everyone to everyone?
fn is_connected(met: &[Matchup], entrants: usize) -> bool {
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

/// Everyone's chance in a matchup, given their log strengths, and the log of the summed strengths.
fn expected(met: &Matchup, strength: &[f64]) -> (Vec<f64>, f64) {
    let here = met.seats.iter().zip(strength).filter(|(seats, _)| **seats > 0.0);
    let top = here.map(|(_, s)| *s).fold(f64::MIN, f64::max);
    let weights: Vec<f64> = met.seats.iter().zip(strength).map(|(n, s)| n * (s - top).exp()).collect();
    let sum: f64 = weights.iter().sum();
    (weights.into_iter().map(|weight| weight / sum).collect(), top + sum.ln())
}

fn likelihood(met: &[Matchup], strength: &[f64]) -> f64 {
    let of = |m: &Matchup| {
        let won: f64 = m.won.iter().zip(strength).map(|(won, s)| won * s).sum();
        won - m.games() * expected(m, strength).1
    };
    met.iter().map(of).sum()
}

/// The next Newton step.
fn newton(met: &[Matchup], strength: &[f64]) -> Vec<f64> {
    let n = strength.len();
    let mut slope = vec![0.0; n];
    // Only differences matter, so the sum is pinned to make the matrix invertible.
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

/// Solves a linear system whose matrix is symmetric and positive definite, so no pivoting is needed.
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

/// Rounded, so that values printed alike are equal.
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
        let elo = elo(&[Matchup { seats: vec![1.0, 1.0], won: vec![won, lost] }], 2);
        elo[0] - elo[1]
    }

    #[test]
    fn elo_of_two_is_the_usual_formula() {
        near(two(50.0, 50.0), 0.0, 1e-6);
        near(two(75.0, 25.0), 190.85, 0.01);
        near(two(10.0, 1.0), 400.0, 1e-6);
        near(two(36.0, 64.0), -99.95, 0.01);
        // With no losses at all, each gets half a win.
        near(two(10.0, 0.0), 400.0 * 21f64.log10(), 1e-6);
        near(two(0.0, 0.0), 0.0, 1e-6);
    }

    /// Results exactly as expected for strengths 4, 2, 1 give these strengths back.
    #[test]
    fn elo_of_many_finds_the_strengths() {
        let seats = |list: [f64; 3]| list.to_vec();
        let met = [
            Matchup { seats: seats([1.0, 1.0, 1.0]), won: vec![400.0, 200.0, 100.0] },
            Matchup { seats: seats([1.0, 0.0, 1.0]), won: vec![80.0, 0.0, 20.0] },
            // Two seats for the weakest against one for the middle one.
            Matchup { seats: seats([0.0, 1.0, 2.0]), won: vec![0.0, 30.0, 30.0] },
        ];
        let elo = elo(&met, 3);
        near(elo[0] - elo[1], 400.0 * 2f64.log10(), 1e-4);
        near(elo[1] - elo[2], 400.0 * 2f64.log10(), 1e-4);
        near(elo.iter().sum(), 0.0, 1e-6);
    }

    /// The first two always beat the other two, and the two in each pair are equal: the gap depends only on
    /// the number of games.
    #[test]
    fn elo_of_two_classes_follows_from_the_number_of_games() {
        let gap = |games: f64| {
            let pair = |a: usize, b: usize| {
                let mut met = Matchup { seats: vec![0.0; 4], won: vec![0.0; 4] };
                (met.seats[a], met.seats[b]) = (1.0, 1.0);
                let equal = (a < 2) == (b < 2);
                (met.won[a], met.won[b]) = if equal { (games / 2.0, games / 2.0) } else { (games, 0.0) };
                met
            };
            let met: Vec<Matchup> = (0..4).flat_map(|a| (a + 1..4).map(move |b| pair(a, b))).collect();
            let elo = elo(&met, 4);
            near(elo[0], elo[1], 1e-6);
            near(elo[2], elo[3], 1e-6);
            elo[0] - elo[2]
        };
        // With half a win for each, the odds are (2 games + 1) to 1.
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
