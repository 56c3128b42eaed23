//! The data model: cards, places, players, and what is under way. Plain data, no rules.

mod card;
mod check;
mod copy;
pub mod frame;
pub mod id;
mod place;
pub(crate) mod rng;
pub(crate) mod stack;
pub mod state;
pub mod town;
