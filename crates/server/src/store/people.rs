//! People: guests by name, accounts by name and passphrase.

use serde::{Deserialize, Serialize};

use super::fill_random;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PersonId(pub i64);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    pub id: PersonId,
    pub name: String,
    pub account: bool,
}

impl PersonId {
    /// Random, so that nobody can ever be taken for another person, not even after a backup was restored.
    pub(super) fn new() -> PersonId {
        let mut bytes = [0; 8];
        fill_random(&mut bytes);
        PersonId(i64::from_le_bytes(bytes) & i64::MAX)
    }
}
