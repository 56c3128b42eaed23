//! Whether a tree makes sense.

pub mod fault;
