//! Fast paths: caches and bit sets that make a decision cheap. Everything here follows from the rest of the state,
//! and must give the same answers as the plain rules in `ask/plain.rs`.

pub(crate) mod answers;
pub(crate) mod build_sites;
pub(crate) mod offers;
pub(crate) mod uses;
