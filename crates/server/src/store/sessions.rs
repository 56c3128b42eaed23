//! Sessions: what a cookie names, and what can be revoked.

use serde::{Deserialize, Serialize};

use super::{Person, fill_random};

/// In seconds; a session that has not been used for so long has ended.
pub const SESSION_LENGTH: i64 = 400 * 24 * 60 * 60;
/// A person's oldest sessions end when there are more.
pub(super) const MAX_SESSIONS: u32 = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SessionId(pub i64);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub person: Person,
    /// In seconds since 1970.
    pub began: i64,
    pub seen: i64,
    /// The kind of browser.
    pub about: String,
}

impl SessionId {
    /// Random, so that a cookie never matches someone else's session, not even after a backup was restored.
    pub(super) fn new() -> SessionId {
        let mut bytes = [0; 8];
        fill_random(&mut bytes);
        SessionId(i64::from_le_bytes(bytes) & i64::MAX)
    }
}
