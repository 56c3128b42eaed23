//! Runs compiled card code: queries, numbers, triggers.

mod choosing;
mod matching;
pub(crate) mod numbers;
pub(crate) mod occurrence;
pub(crate) mod query;
mod sources;
pub(crate) mod stats;
mod trigger;
mod vm;
