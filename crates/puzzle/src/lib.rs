//! Puzzles: positions of played games with open hands in which exactly one line wins this turn, or saves the
//! game, whatever the others do (docs/puzzles.md).
//!
//! Invariant: what calls itself a puzzle has been proved, by a search through everything that can happen.

mod attempt;
mod file;
mod mine;
mod prove;
mod puzzle;
mod rate;
pub mod shipped;
mod solve;

pub use attempt::{Attempt, Played, Stage, kind_of};
pub use file::{File, FileError, Mined};
pub use mine::{Games, Looked, mine};
pub use prove::{Goal, NODES, Prover, Verdict, alike};
pub use puzzle::{Broken, Puzzle};
pub use rate::{Difficulty, Rating, TRIES};
pub use solve::{Flaw, Solution, Sorted, Step, solve, sort_answers, step};
