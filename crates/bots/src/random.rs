//! Answers at random.

use engine::view::View;
use engine::{Action, Actions};

use crate::{Bot, BotRng};

pub struct Random(BotRng);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(BotRng::new(seed))
    }
}

impl Bot for Random {
    fn choose(&mut self, _: &View, legal: &Actions) -> Action {
        legal[self.0.below(legal.len())]
    }
}
