//! The course of a game: phases, steps, a hero's walk, and who may act when. Where editions of the
//! game differ, the difference is a value of `Edition`, declared in `classic.rs` and its siblings.

mod bait;
mod classic;
mod crash;
pub mod edition;
mod ending;
mod minion;
mod opening;
mod order;
pub(crate) mod rules;
pub(crate) mod solo;
mod super_boss;
mod town;
mod turn;
mod walk;
pub(crate) mod window;

#[cfg(test)]
mod tests;
