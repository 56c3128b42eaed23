//! Players that are programs.
//!
//! Invariants: a bot sees a `View`, never the state; its answer depends on its seed and on the views it was
//! shown, not on a clock or on threads; and it is one of the legal ones. Of a program of somebody's own (`Exec`)
//! only the last is certain.

mod dice;
mod exec;
mod explain;
mod greedy;
mod level;
pub mod outlook;
mod planner;
mod random;
mod rollout;
mod search;
pub mod wire;
mod worth;

use engine::view::View;
use engine::{Action, Actions};

pub use dice::Dice;
pub use exec::{Exec, Fault, Limits, tell_forfeit};
pub use explain::{Hint, effects, hints, reasons};
pub use greedy::Greedy;
pub use level::{Level, Player, SeatError, UnknownPlayer};
pub use planner::Planner;
pub use random::Random;
pub use rollout::play_out;
pub use search::{Budget, Search};
pub use worth::Weights;

/// Answers other than passing in one turn, after which a bot should only pass: somebody's own cards may be used again
/// and again.
pub const PATIENCE: usize = 200;

/// A player that is a program.
pub trait Bot: Send {
    /// One of the legal answers to the view's question, which is this bot's to give.
    fn choose(&mut self, view: &View, legal: &Actions) -> Action;

    /// The answers worth considering, best first. Those who do not weigh answers have only their choice.
    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        vec![Advice { action: self.choose(view, legal), chance: None }]
    }

    /// The game it played is over, and stands like this.
    fn over(&mut self, _: &View) {}

    /// Why somebody else had to answer for it: the game counts as forfeited. Holds until the next game begins.
    fn forfeit(&self) -> Option<String> {
        None
    }
}

/// An answer and what is thought of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    pub action: Action,
    /// The chance to win with it, from 0 to 1.
    pub chance: Option<f64>,
}
