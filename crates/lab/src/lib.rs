//! Self-play at scale: arenas that compare bots, and a laboratory that measures bosses and cards.
//!
//! Invariants: the same seed gives the same result on any number of threads, because games are numbered and
//! only integer sums are kept. In the laboratory nothing grows with the number of games, so memory stays
//! flat. An arena keeps each distinct result of a round once: next to nothing for two bots, a few bytes per
//! deal for many bots at large tables.

pub mod arena;
pub mod grid;
mod numbers;
pub mod paired;
mod rating;
pub mod report;
mod resume;
mod seated;
pub mod spread;
pub mod stops;
pub mod study;
pub mod tally;
mod thinking_time;
pub mod train;
mod workers;

pub use rating::{Interval, rounded, wilson};
pub use resume::{ResumeError, ResumeFile};
pub use seated::{GameEnd, SeatedBot, derive_seed, play};
pub use thinking_time::ThinkingTime;
pub use workers::{Workers, run_jobs};
