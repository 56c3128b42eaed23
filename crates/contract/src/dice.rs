//! Players who pick at random.

use engine::{Action, Actions};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub struct Dice(Pcg64Mcg);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Pcg64Mcg::seed_from_u64(seed))
    }

    /// The dice of one of many: for instance of a game of a run.
    pub fn nth(seed: u64, number: u64) -> Dice {
        Dice::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number)
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    pub fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn among<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Passing is as likely as anything else.
    pub fn pick(&mut self, actions: &Actions) -> Action {
        self.among(actions)
    }

    /// Uniformly random games are short, because such players build too little. This one passes
    /// less, so that games last longer and exercise more of the rules.
    pub fn pick_eager(&mut self, actions: &Actions) -> Action {
        let action = self.pick(actions);
        if action == Action::Pass && actions.len() > 1 && self.below(4) > 0 {
            return actions[1 + self.below(actions.len() - 1)];
        }
        action
    }

    /// Mostly uses a card if one can be used: abilities and spells come up that others hardly reach.
    pub fn pick_busy(&mut self, actions: &Actions) -> Action {
        let uses = |action: &&Action| matches!(action, Action::Use { .. });
        let count = actions.iter().filter(uses).count();
        if count > 0 && self.below(4) > 0 {
            let nth = self.below(count);
            if let Some(action) = actions.iter().filter(uses).nth(nth) {
                return *action;
            }
        }
        self.pick_eager(actions)
    }
}
