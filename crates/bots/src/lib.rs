//! Players that are programs.
//!
//! Invariants: a bot sees a `View`, never the state; its answer depends on its seed and on the views it was
//! shown, not on a clock or on threads; and it is one of the legal ones.

mod dice;
mod greedy;
mod level;
mod planner;
mod random;
mod rollout;
mod search;
mod worth;

use engine::view::View;
use engine::{Action, Actions};

pub use dice::Dice;
pub use greedy::Greedy;
pub use level::{Level, Player, UnknownPlayer};
pub use planner::Planner;
pub use random::Random;
pub use search::{Budget, Search};
pub use worth::Weights;

/// A player that is a program.
pub trait Bot: Send {
    /// One of the legal answers to the view's question, which is this bot's to give.
    fn choose(&mut self, view: &View, legal: &Actions) -> Action;

    /// The answers worth considering, best first. Those who do not weigh answers have only their choice.
    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        vec![Advice { action: self.choose(view, legal), chance: None }]
    }
}

/// An answer and what is thought of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    pub action: Action,
    /// The chance to win with it, from 0 to 1.
    pub chance: Option<f64>,
}
