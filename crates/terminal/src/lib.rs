//! The game as text: the table as people see it in a terminal, and what such text is made of.
//! Invariant: what is drawn comes from a viewer's table alone.

mod board;
pub mod term;

pub use board::{Board, room_kind};
