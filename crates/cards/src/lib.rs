//! The card language: text <-> tree <-> flat code, its checker, and English printed from the tree.

pub mod check;
pub mod code;
pub mod compile;
pub mod db;
pub mod deck;
pub mod english;
pub mod homebrew;
pub mod lex;
pub mod library;
pub mod mix;
pub mod parse;
pub mod print;
pub mod report;
pub mod tree;
pub mod vocabulary;

pub use check::{check, draft, load, load_shared};
pub use compile::CompileError;
pub use db::CardDb;
pub use deck::Deck;
pub use mix::Mix;
pub use parse::parse;
pub use report::{Errors, Fault, Problem, Severity};
