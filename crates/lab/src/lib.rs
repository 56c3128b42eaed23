//! Self-play at scale: arenas in which bots meet, and a laboratory that counts what bosses and cards are worth.
//!
//! Invariants: the same seed gives the same result, whatever the number of threads, because games are numbered
//! and what is kept of them are sums of whole numbers; and in the laboratory no list grows with the number of games, so
//! memory stays flat. An arena keeps every different result of a round once: for two bots that is next to nothing,
//! for many at large tables a few bytes a deal.

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
pub use rating::{Interval, rounded, wilson};
pub use sitter::{End, Sitter, play, whim};
