//! Runs compiled card code: queries, numbers, triggers.

pub(crate) mod numbers;
pub(crate) mod query;
pub(crate) mod stats;
mod trigger;
mod vm;
