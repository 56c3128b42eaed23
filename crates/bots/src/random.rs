//! Does anything at all.

use engine::view::View;
use engine::{Action, Actions};

use crate::{Bot, Dice};

pub struct Random(Dice);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Dice::new(seed))
    }
}

impl Bot for Random {
    fn choose(&mut self, _: &View, legal: &Actions) -> Action {
        legal[self.0.below(legal.len())]
    }
}
