//! A race between answers over the same worlds. From time to time the answers that are certainly worse than the
//! leader, or certainly no better by anything that matters, drop out.
//!
//! Invariant: every answer still running has met every world so far, so differences are between equals.

/// Worlds before anything drops out, and between two looks.
const FIRST_LOOK: usize = 24;
const BETWEEN_LOOKS: usize = 12;
/// Worse by this many standard errors of the difference is certain.
const CERTAIN: f64 = 3.0;
/// A lead in the chance to win that does not matter.
const SAME: f64 = 0.001;

pub struct Race {
    runners: Vec<Runner>,
    worlds: usize,
}

struct Runner {
    /// The chance found in each world.
    chances: Vec<f64>,
    /// Dropped out, this far behind the leader of that moment.
    out: Option<f64>,
}

impl Race {
    pub fn new(answers: usize) -> Race {
        let runners = (0..answers).map(|_| Runner { chances: Vec::new(), out: None }).collect();
        Race { runners, worlds: 0 }
    }

    /// Tries every answer that is still running in one more world.
    pub fn next_world(&mut self, mut chance: impl FnMut(usize) -> f64) {
        for (answer, runner) in self.runners.iter_mut().enumerate() {
            if runner.out.is_none() {
                runner.chances.push(chance(answer));
            }
        }
        self.worlds += 1;
        if self.worlds >= FIRST_LOOK && (self.worlds - FIRST_LOOK).is_multiple_of(BETWEEN_LOOKS) {
            self.drop_out();
        }
    }

    /// Nothing is left to find out: all but one have dropped out.
    pub fn is_decided(&self) -> bool {
        self.runners.iter().filter(|runner| runner.out.is_none()).count() == 1
    }

    /// The answers with their chances, best first.
    pub fn ranking(&self) -> Vec<(f64, usize)> {
        let best = self.leader().map_or(0.0, |leader| self.runners[leader].mean());
        let mut ranking: Vec<(f64, usize)> = Vec::with_capacity(self.runners.len());
        for (answer, runner) in self.runners.iter().enumerate() {
            ranking.push((runner.out.map_or_else(|| runner.mean(), |behind| best - behind), answer));
        }
        ranking.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranking
    }

    fn leader(&self) -> Option<usize> {
        let running = (0..self.runners.len()).filter(|answer| self.runners[*answer].out.is_none());
        // Of equals the first, as in a ranking of all.
        running.rev().max_by(|a, b| self.runners[*a].mean().total_cmp(&self.runners[*b].mean()))
    }

    fn drop_out(&mut self) {
        let Some(leader) = self.leader() else { return };
        for answer in (0..self.runners.len()).filter(|answer| *answer != leader) {
            if self.runners[answer].out.is_some() {
                continue;
            }
            let (behind, error) = difference(&self.runners[leader], &self.runners[answer]);
            if CERTAIN * error - behind < SAME {
                self.runners[answer].out = Some(behind.max(0.0));
            }
        }
    }
}

impl Runner {
    fn mean(&self) -> f64 {
        self.chances.iter().sum::<f64>() / self.chances.len().max(1) as f64
    }
}

/// How far one is ahead of the other on average, and the standard error of that.
fn difference(ahead: &Runner, behind: &Runner) -> (f64, f64) {
    let count = ahead.chances.len() as f64;
    let pairs = || ahead.chances.iter().zip(&behind.chances).map(|(ahead, behind)| ahead - behind);
    let mean = pairs().sum::<f64>() / count;
    let variance = pairs().map(|lead| (lead - mean) * (lead - mean)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, libm::sqrt(variance / count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BotRng;

    /// A race of answers with these chances, each world adding the same luck to all and a little of its own.
    fn race(chances: &[f64], worlds: usize) -> (Race, usize) {
        let (mut race, mut rng, mut tries) = (Race::new(chances.len()), BotRng::new(7), 0);
        for _ in 0..worlds {
            if race.is_decided() {
                break;
            }
            let luck = rng.below(100) as f64 / 500.0;
            race.next_world(|answer| {
                tries += 1;
                chances[answer] + luck + rng.below(100) as f64 / 1000.0
            });
        }
        (race, tries)
    }

    #[test]
    fn the_best_answer_wins_with_far_fewer_tries() {
        let (race, tries) = race(&[0.3, 0.5, 0.42, 0.1], 500);
        let order: Vec<usize> = race.ranking().iter().map(|(_, answer)| *answer).collect();
        assert_eq!(order, [1, 2, 0, 3]);
        assert!(tries < 500, "{tries} of {}", 4 * 500);
    }

    #[test]
    fn answers_close_to_each_other_run_to_the_end() {
        let (race, tries) = race(&[0.3, 0.302], 200);
        assert!(!race.is_decided());
        assert_eq!(tries, 2 * 200);
    }

    #[test]
    fn of_answers_that_are_always_equal_the_first_stays() {
        let mut race = Race::new(3);
        while !race.is_decided() {
            race.next_world(|answer| if answer == 0 { 0.2 } else { 0.4 });
        }
        let (chance, first) = race.ranking()[0];
        assert_eq!((race.worlds, first), (FIRST_LOOK, 1));
        assert!((chance - 0.4).abs() < 1e-9, "{chance}");
    }
}
