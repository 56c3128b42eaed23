//! People: guests by name, accounts by name and passphrase.
//!
//! Invariant: no two accounts have names that look alike; `account_names` has the shapes of all of them.

use rusqlite::Connection;

use super::super::{Person, PersonId, Result, SessionId, now};
use super::sessions::revoke_all;
use super::{Store, optional};
use crate::names;

impl Store {
    pub async fn new_guest(&self, name: String) -> Result<Person> {
        self.write(move |db| {
            let id = PersonId::new();
            db.prepare_cached("INSERT INTO people (id, name, made) VALUES (?1, ?2, ?3)")?.execute((
                id.0,
                &name,
                now(),
            ))?;
            Ok(Person { id, name: name.clone(), account: false })
        })
        .await
    }

    pub async fn rename_guest(&self, id: PersonId, name: String) -> Result<()> {
        self.write(move |db| {
            db.execute("UPDATE people SET name = ?2 WHERE id = ?1 AND passphrase IS NULL", (id.0, &name))?;
            Ok(())
        })
        .await
    }

    pub async fn new_account(
        &self,
        guest: Option<PersonId>,
        name: String,
        passphrase: String,
    ) -> Result<Option<(Person, Vec<SessionId>)>> {
        self.write(move |db| {
            if owner(db, &names::keys(&name))?.is_some() {
                return Ok(None);
            }
            let guest = match guest {
                Some(id) => find(db, id)?.filter(|person| !person.account),
                None => None,
            };
            let (id, key) = (guest.map_or_else(PersonId::new, |guest| guest.id), name.to_lowercase());
            db.execute(
                "INSERT INTO people (id, name, name_key, passphrase, made) VALUES (?1, ?2, ?3, ?4, ?5) \
                 ON CONFLICT (id) DO UPDATE SET name = ?2, name_key = ?3, passphrase = ?4",
                (id.0, &name, &key, &passphrase, now()),
            )?;
            keep_name(db, id, &name)?;
            let revoked = revoke_all(db, id, None)?;
            Ok(Some((Person { id, name: name.clone(), account: true }, revoked)))
        })
        .await
    }

    pub async fn account(&self, name: String) -> Result<Option<(Person, String)>> {
        self.read(move |db| {
            let mut exactly = db.prepare_cached("SELECT id FROM people WHERE name_key = ?1")?;
            let id = match optional(exactly.query_row([name.to_lowercase()], |row| row.get(0)))? {
                Some(id) => Some(id),
                None => owner(db, &names::keys(&name)[..1])?.map(|PersonId(id)| id),
            };
            let Some(id) = id else { return Ok(None) };
            let mut query = db.prepare_cached("SELECT name, passphrase FROM people WHERE id = ?1")?;
            let found = query.query_row([id], |row| {
                Ok((Person { id: PersonId(id), name: row.get(0)?, account: true }, row.get(1)?))
            });
            optional(found)
        })
        .await
    }
}

pub(super) fn find(db: &Connection, id: PersonId) -> Result<Option<Person>> {
    let mut query = db.prepare_cached("SELECT name, passphrase IS NOT NULL FROM people WHERE id = ?1")?;
    optional(query.query_row([id.0], |row| Ok(Person { id, name: row.get(0)?, account: row.get(1)? })))
}

/// The account that has one of these keys.
fn owner(db: &Connection, keys: &[String]) -> Result<Option<PersonId>> {
    for key in keys {
        let mut query = db.prepare_cached("SELECT person FROM account_names WHERE key = ?1")?;
        if let Some(id) = optional(query.query_row([key], |row| row.get(0)))? {
            return Ok(Some(PersonId(id)));
        }
    }
    Ok(None)
}

fn keep_name(db: &Connection, id: PersonId, name: &str) -> Result<()> {
    for key in names::keys(name) {
        db.execute("INSERT OR IGNORE INTO account_names VALUES (?1, ?2)", (key, id.0))?;
    }
    Ok(())
}

/// Part of the migration to version 4: of accounts whose names look alike, the oldest keeps its name and the others get
/// numbers. All can still sign in with the name they know.
pub(super) fn tell_accounts_apart(db: &Connection) -> Result<()> {
    let mut query = db.prepare("SELECT id, name FROM people WHERE name_key IS NOT NULL ORDER BY made, id")?;
    let accounts = query.query_map([], |row| Ok((PersonId(row.get(0)?), row.get::<_, String>(1)?)))?;
    for (id, name) in accounts.collect::<rusqlite::Result<Vec<_>>>()? {
        let mut own = name.clone();
        for number in 2.. {
            if owner(db, &names::keys(&own))?.is_none() {
                break;
            }
            own = format!("{name} {number}");
        }
        if own != name {
            db.execute("UPDATE people SET name = ?2 WHERE id = ?1", (id.0, &own))?;
        }
        keep_name(db, id, &own)?;
    }
    Ok(())
}
