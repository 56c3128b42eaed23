//! The card language: text <-> tree <-> flat code, its checker, and English printed from the tree.

pub mod tree;
