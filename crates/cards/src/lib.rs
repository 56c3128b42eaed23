//! The card language: text <-> tree <-> flat code, its checker, and English printed from the tree.

pub mod check;
pub mod lex;
pub mod parse;
pub mod print;
pub mod report;
pub mod tree;

pub use check::{check, load};
pub use parse::parse;
pub use report::{Errors, Fault, Problem, Severity};
