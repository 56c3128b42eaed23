//! People and their sessions. Each change is one statement.

use tokio_postgres::Row;
use tokio_postgres::error::SqlState;

use super::super::sessions::MAX_SESSIONS;
use super::super::{Person, PersonId, Result, SESSION_LENGTH, Session, SessionId, now};
use super::Store;
use super::line::Params;
use crate::names;

impl Store {
    pub async fn new_guest(&self, name: String) -> Result<Person> {
        let id = PersonId::new();
        let sql = "INSERT INTO people (id, name, made) VALUES ($1, $2, $3)";
        self.write(sql, &[&id.0, &name, &now()]).await?;
        Ok(Person { id, name, account: false })
    }

    pub async fn rename_guest(&self, id: PersonId, name: String) -> Result<()> {
        let sql = "UPDATE people SET name = $2 WHERE id = $1 AND passphrase IS NULL";
        self.write(sql, &[&id.0, &name]).await.map(drop)
    }

    pub async fn new_account(
        &self,
        guest: Option<PersonId>,
        name: String,
        passphrase: String,
    ) -> Result<Option<(Person, Vec<SessionId>)>> {
        let mut keys = names::keys(&name).to_vec();
        keys.dedup();
        let (fresh, guest) = (PersonId::new().0, guest.map(|guest| guest.0));
        let sql = "WITH old AS (SELECT id FROM people WHERE id = $1 AND passphrase IS NULL FOR UPDATE),
            p AS (INSERT INTO people (id, name, name_key, passphrase, made)
                SELECT coalesce((SELECT id FROM old), $2), $3, $4, $5, $6
                WHERE NOT EXISTS (SELECT FROM account_names WHERE key = ANY ($7))
                ON CONFLICT (id) DO UPDATE SET name = $3, name_key = $4, passphrase = $5 RETURNING id),
            k AS (INSERT INTO account_names SELECT k.key, p.id FROM p, unnest($7::text[]) AS k (key)),
            s AS (DELETE FROM sessions USING p WHERE sessions.person = p.id RETURNING sessions.id)
            SELECT p.id, ARRAY(SELECT id FROM s) FROM p";
        let (key, now) = (name.to_lowercase(), now());
        let params: Params = &[&guest, &fresh, &name, &key, &passphrase, &now, &keys];
        // Somebody else may be quicker.
        let Some(rows) = self.write_or(sql, params, &SqlState::UNIQUE_VIOLATION).await? else {
            return Ok(None);
        };
        Ok(rows.first().map(|row| {
            let revoked = row.get::<_, Vec<i64>>(1).into_iter().map(SessionId).collect();
            (Person { id: PersonId(row.get(0)), name, account: true }, revoked)
        }))
    }

    pub async fn account(&self, name: String) -> Result<Option<(Person, String)>> {
        let sql = "SELECT id, name, passphrase FROM people WHERE passphrase IS NOT NULL AND id = coalesce( \
            (SELECT id FROM people WHERE name_key = $1), (SELECT person FROM account_names WHERE key = $2))";
        let rows = self.read(sql, &[&name.to_lowercase(), &names::keys(&name)[0]]).await?;
        Ok(rows
            .first()
            .map(|row| (Person { id: PersonId(row.get(0)), name: row.get(1), account: true }, row.get(2))))
    }

    pub async fn new_session(
        &self,
        person: PersonId,
        about: String,
        replaces: Option<SessionId>,
    ) -> Result<SessionId> {
        let (id, now, old) = (SessionId::new(), now(), replaces.map(|SessionId(old)| old));
        // All parts see what was there before: one place is for the new one.
        let sql = "WITH fresh AS (INSERT INTO sessions VALUES ($1, $2, $3, $3, $4))
            DELETE FROM sessions WHERE id = $5 OR person = $2 AND (seen < $6 OR id NOT IN
                (SELECT id FROM sessions WHERE person = $2 AND id IS DISTINCT FROM $5
                 ORDER BY seen DESC, began DESC LIMIT $7))";
        let (oldest, most) = (now - SESSION_LENGTH, i64::from(MAX_SESSIONS) - 1);
        self.write(sql, &[&id.0, &person.0, &now, &about, &old, &oldest, &most]).await?;
        Ok(id)
    }

    pub async fn session(&self, id: SessionId) -> Result<Option<Session>> {
        let sql = "SELECT s.id, s.began, s.seen, s.about, p.id, p.name, p.passphrase IS NOT NULL \
            FROM sessions s JOIN people p ON p.id = s.person WHERE s.id = $1 AND s.seen >= $2";
        Ok(self.read(sql, &[&id.0, &(now() - SESSION_LENGTH)]).await?.first().map(session))
    }

    pub async fn session_seen(&self, id: SessionId) -> Result<()> {
        self.write("UPDATE sessions SET seen = $2 WHERE id = $1", &[&id.0, &now()]).await.map(drop)
    }

    pub async fn sessions(&self, person: PersonId) -> Result<Vec<Session>> {
        let sql = "SELECT s.id, s.began, s.seen, s.about, p.id, p.name, p.passphrase IS NOT NULL \
            FROM sessions s JOIN people p ON p.id = s.person WHERE s.person = $1 AND s.seen >= $2 \
            ORDER BY s.seen DESC, s.began DESC";
        Ok(self.read(sql, &[&person.0, &(now() - SESSION_LENGTH)]).await?.iter().map(session).collect())
    }

    pub async fn revoke(&self, person: PersonId, id: SessionId) -> Result<bool> {
        let sql = "DELETE FROM sessions WHERE id = $1 AND person = $2 RETURNING id";
        Ok(!self.write(sql, &[&id.0, &person.0]).await?.is_empty())
    }

    pub async fn revoke_others(&self, person: PersonId, keep: SessionId) -> Result<Vec<SessionId>> {
        let sql = "DELETE FROM sessions WHERE person = $1 AND id <> $2 RETURNING id";
        let gone = self.write(sql, &[&person.0, &keep.0]).await?;
        Ok(gone.iter().map(|row| SessionId(row.get(0))).collect())
    }
}

fn session(row: &Row) -> Session {
    Session {
        id: SessionId(row.get(0)),
        began: row.get(1),
        seen: row.get(2),
        about: row.get(3),
        person: Person { id: PersonId(row.get(4)), name: row.get(5), account: row.get(6) },
    }
}
