//! Players that are programs.
//!
//! Invariants: a bot sees a `View`, never the state; its answer is legal, and depends only on its seed and
//! the views it was shown, not on time or threads, unless it is told to stop (`Pace`). For an external
//! program (`Exec`), only legality is guaranteed.

mod evaluate;
mod exec;
mod explain;
pub mod far;
mod greedy;
mod level;
pub mod network;
mod planner;
mod random;
mod review;
mod rng;
mod rollout;
mod scratch;
mod search;
mod seated;
mod stops;

use std::sync::Arc;

use engine::view::View;
use engine::{Action, Actions};

pub use evaluate::Weights;
pub use exec::{Exec, ExecError, Limits, report_forfeit};
pub use explain::{Hint, Outlook, effects, hints, outlook, reasons};
pub use greedy::Greedy;
pub use level::{BotLevel, BotSpec, SeatError, UnknownBot};
pub use planner::Planner;
pub use random::Random;
pub use review::{Reviewer, Turned, TurningPoint, review};
pub use rng::BotRng;
pub use rollout::play_out;
pub use search::{Budget, Search};
pub use seated::SeatedBot;

/// After this many answers other than passing in one turn, a bot should only pass: homebrew abilities may
/// be usable without end.
pub const MAX_ACTIONS_PER_TURN: usize = 200;

/// A player that is a program.
pub trait Bot: Send {
    /// One of the legal answers to the view's question, which must be this bot's.
    fn choose(&mut self, view: &View, legal: &Actions) -> Action;

    /// The answers worth considering, best first; by default, only the one it would choose.
    fn advise(&mut self, view: &View, legal: &Actions) -> Vec<Advice> {
        vec![Advice { action: self.choose(view, legal), chance: None }]
    }

    /// From now on, long thoughts are paused and stopped by this.
    fn set_pace(&mut self, _: Arc<dyn Pace>) {}

    /// The game is over; this is its final view.
    fn game_over(&mut self, _: &View) {}

    /// Why it has forfeited this game, if it has. Holds until the next game begins.
    fn forfeit(&self) -> Option<String> {
        None
    }
}

/// Pauses and stops long thoughts.
pub trait Pace: Send + Sync {
    /// Called every fraction of a millisecond during a long thought; may wait, so that others can think.
    /// `false` means that the answer is no longer wanted: the bot gives the best it has found so far.
    fn go_on(&self) -> bool;
}

/// An answer, with the bot's estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    pub action: Action,
    /// The chance of winning with it, from 0 to 1.
    pub chance: Option<f64>,
}
