//! Sessions: what a cookie names, and what can be revoked.

use rusqlite::Connection;

use super::super::sessions::MAX_SESSIONS;
use super::super::{PersonId, Result, SESSION_LENGTH, Session, SessionId, now};
use super::people::find;
use super::{Store, optional};

impl Store {
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

    pub async fn session_seen(&self, id: SessionId) -> Result<()> {
        self.write(move |db| {
            db.prepare_cached("UPDATE sessions SET seen = ?2 WHERE id = ?1")?.execute((id.0, now()))?;
            Ok(())
        })
        .await
    }

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

    pub async fn revoke(&self, person: PersonId, id: SessionId) -> Result<bool> {
        self.write(move |db| {
            Ok(db.execute("DELETE FROM sessions WHERE id = ?1 AND person = ?2", (id.0, person.0))? > 0)
        })
        .await
    }

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
