//! What must hold in any game: the contract of the engine, checked step by step. The engine's tests
//! play a few thousand games by it, `soak` any number over all mixes, scenarios every line.
//!
//! Nothing here panics over a broken promise: it says what broke, and the caller decides.

pub mod dice;
pub mod follow;
pub mod secrets;
pub mod step;
pub mod twin;

use thiserror::Error;

pub use dice::Dice;

/// A promise that was broken, in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Broken(pub String);

pub type Kept = Result<(), Broken>;

/// Something holds, or this is what broke.
pub fn hold(holds: bool, what: impl FnOnce() -> String) -> Kept {
    if holds { Ok(()) } else { Err(Broken(what())) }
}

/// No game may need more answers than this.
pub const BOUND: usize = 20_000;
