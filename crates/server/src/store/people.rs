//! People: guests by name, accounts by name and passphrase.

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::{Result, Store, fill_random, now, optional};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PersonId(pub i64);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub id: PersonId,
    pub name: String,
    pub account: bool,
}

impl PersonId {
    /// By chance, so that a session never becomes somebody else's, not even after a backup was put back.
    fn new() -> PersonId {
        let mut bytes = [0; 8];
        fill_random(&mut bytes);
        PersonId(i64::from_le_bytes(bytes) & i64::MAX)
    }
}

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

    /// Accounts keep their names.
    pub async fn rename_guest(&self, id: PersonId, name: String) -> Result<()> {
        self.write(move |db| {
            db.execute("UPDATE people SET name = ?2 WHERE id = ?1 AND passphrase IS NULL", (id.0, &name))?;
            Ok(())
        })
        .await
    }

    pub async fn person(&self, id: PersonId) -> Result<Option<Person>> {
        self.read(move |db| find(db, id)).await
    }

    /// Makes an account of a guest, or a new one; `None` if somebody has the name.
    pub async fn new_account(
        &self,
        guest: Option<PersonId>,
        name: String,
        key: String,
        passphrase: String,
    ) -> Result<Option<Person>> {
        self.write(move |db| {
            let taken: Option<i64> =
                optional(
                    db.query_row("SELECT id FROM people WHERE name_key = ?1", [&key], |row| row.get(0)),
                )?;
            if taken.is_some() {
                return Ok(None);
            }
            let guest = match guest {
                Some(id) => find(db, id)?.filter(|person| !person.account),
                None => None,
            };
            let id = match guest {
                Some(Person { id, .. }) => {
                    db.execute(
                        "UPDATE people SET name = ?2, name_key = ?3, passphrase = ?4 WHERE id = ?1",
                        (id.0, &name, &key, &passphrase),
                    )?;
                    id
                }
                None => {
                    let id = PersonId::new();
                    db.execute(
                        "INSERT INTO people (id, name, name_key, passphrase, made) VALUES (?1, ?2, ?3, ?4, ?5)",
                        (id.0, &name, &key, &passphrase, now()),
                    )?;
                    id
                }
            };
            Ok(Some(Person { id, name: name.clone(), account: true }))
        })
        .await
    }

    /// The account of that name, and its hashed passphrase.
    pub async fn account(&self, key: String) -> Result<Option<(Person, String)>> {
        self.read(move |db| {
            optional(db.query_row(
                "SELECT id, name, passphrase FROM people WHERE name_key = ?1",
                [&key],
                |row| {
                    let person = Person { id: PersonId(row.get(0)?), name: row.get(1)?, account: true };
                    Ok((person, row.get(2)?))
                },
            ))
        })
        .await
    }
}

fn find(db: &Connection, id: PersonId) -> Result<Option<Person>> {
    let mut query = db.prepare_cached("SELECT name, passphrase IS NOT NULL FROM people WHERE id = ?1")?;
    optional(query.query_row([id.0], |row| Ok(Person { id, name: row.get(0)?, account: row.get(1)? })))
}
