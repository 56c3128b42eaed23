//! Sessions: what a cookie names, and what can be revoked.

use rusqlite::Connection;

use super::people::find;
use super::{Person, PersonId, Result, Store, fill_random, now, optional};

/// In seconds; a session that has not been used for so long has ended.
pub const SESSION_LENGTH: i64 = 400 * 24 * 60 * 60;
/// A person's oldest sessions end when there are more.
const MAX_SESSIONS: u32 = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    fn new() -> SessionId {
        let mut bytes = [0; 8];
        fill_random(&mut bytes);
        SessionId(i64::from_le_bytes(bytes) & i64::MAX)
    }
}

impl Store {
    /// A new session, which replaces another one.
    pub async fn new_session(
        &self,
        person: PersonId,
        about: String,
        replaces: Option<SessionId>,
    ) -> Result<SessionId> {
        self.write(move |db| {
            let (id, now) = (SessionId::new(), now());
            if let Some(SessionId(old)) = replaces {
                db.prepare_cached("DELETE FROM sessions WHERE id = ?1")?.execute([old])?;
            }
            db.prepare_cached("INSERT INTO sessions VALUES (?1, ?2, ?3, ?3, ?4)")?
                .execute((id.0, person.0, now, &about))?;
            db.prepare_cached(
                "DELETE FROM sessions WHERE person = ?1 AND (seen < ?2 OR id NOT IN \
                 (SELECT id FROM sessions WHERE person = ?1 ORDER BY seen DESC, began DESC LIMIT ?3))",
            )?
            .execute((person.0, now - SESSION_LENGTH, MAX_SESSIONS))?;
            Ok(id)
        })
        .await
    }

    /// The session, unless it was revoked or has ended.
    pub async fn session(&self, id: SessionId) -> Result<Option<Session>> {
        self.read(move |db| {
            let mut query = db.prepare_cached(
                "SELECT person, began, seen, about FROM sessions WHERE id = ?1 AND seen >= ?2",
            )?;
            let row = query.query_row((id.0, now() - SESSION_LENGTH), |row| {
                Ok((PersonId(row.get(0)?), row.get(1)?, row.get(2)?, row.get(3)?))
            });
            let Some((person, began, seen, about)) = optional(row)? else { return Ok(None) };
            Ok(find(db, person)?.map(|person| Session { id, person, began, seen, about }))
        })
        .await
    }

    /// It was used just now.
    pub async fn session_seen(&self, id: SessionId) -> Result<()> {
        self.write(move |db| {
            db.prepare_cached("UPDATE sessions SET seen = ?2 WHERE id = ?1")?.execute((id.0, now()))?;
            Ok(())
        })
        .await
    }

    /// A person's sessions, the last used first.
    pub async fn sessions(&self, person: PersonId) -> Result<Vec<Session>> {
        self.read(move |db| {
            let Some(who) = find(db, person)? else { return Ok(Vec::new()) };
            let mut query = db.prepare_cached(
                "SELECT id, began, seen, about FROM sessions WHERE person = ?1 AND seen >= ?2 \
                 ORDER BY seen DESC, began DESC",
            )?;
            let rows = query.query_map((person.0, now() - SESSION_LENGTH), |row| {
                let (id, person) = (SessionId(row.get(0)?), who.clone());
                Ok(Session { id, person, began: row.get(1)?, seen: row.get(2)?, about: row.get(3)? })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Ends one of a person's sessions; `false` if there is no such session.
    pub async fn revoke(&self, person: PersonId, id: SessionId) -> Result<bool> {
        self.write(move |db| {
            Ok(db.execute("DELETE FROM sessions WHERE id = ?1 AND person = ?2", (id.0, person.0))? > 0)
        })
        .await
    }

    /// Ends all of a person's sessions but one, and says which.
    pub async fn revoke_others(&self, person: PersonId, keep: SessionId) -> Result<Vec<SessionId>> {
        self.write(move |db| revoke_all(db, person, Some(keep))).await
    }
}

/// Ends all of a person's sessions, perhaps but one.
pub(super) fn revoke_all(
    db: &Connection,
    person: PersonId,
    but: Option<SessionId>,
) -> Result<Vec<SessionId>> {
    let mut query =
        db.prepare_cached("DELETE FROM sessions WHERE person = ?1 AND id IS NOT ?2 RETURNING id")?;
    let gone = query.query_map((person.0, but.map(|SessionId(id)| id)), |row| Ok(SessionId(row.get(0)?)))?;
    Ok(gone.collect::<rusqlite::Result<_>>()?)
}
