//! Self-play at scale: arenas in which bots meet, and a laboratory that counts what bosses and cards are worth.
//!
//! Invariants: the same seed gives the same result, whatever the number of threads, because games are numbered
//! and what is kept of them are sums of whole numbers; and no list grows with the number of games, so memory
//! stays flat (an arena keeps each different result of a round once).

pub mod arena;
pub mod grid;
mod ledger;
mod pool;
mod rating;
pub mod report;
mod sitter;
pub mod tally;

pub use ledger::{Ledger, LedgerError};
pub use pool::{Hands, share};
pub use rating::{Interval, wilson};
pub use sitter::{End, Sitter, play, whim};
