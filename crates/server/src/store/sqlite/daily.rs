//! Today's dungeon: the secret of each day, who has tried it, and the scores; and everybody's own titles.
//!
//! Invariants: a day's secret is drawn after the day has begun, and never changes; a person has one attempt a day.

use rusqlite::Connection;

use super::super::daily::{TITLE_GAMES, place};
use super::super::{Day, PersonId, Result, StoreError, fill_random};
use super::{Store, optional};
use crate::wire::{BossTitle, DailyScore};

impl Store {
    pub async fn secret_of(&self, day: Day) -> Result<[u8; 32]> {
        self.write(move |db| {
            if let Some(secret) = secret(db, day)? {
                return Ok(secret);
            }
            let mut fresh = [0; 32];
            fill_random(&mut fresh);
            db.execute("INSERT INTO days VALUES (?1, ?2)", (day.0, fresh.as_slice()))?;
            Ok(fresh)
        })
        .await
    }

    pub async fn known_secret_of(&self, day: Day) -> Result<Option<[u8; 32]>> {
        self.read(move |db| secret(db, day)).await
    }

    pub async fn attempt(
        &self,
        day: Day,
        person: PersonId,
        fresh: String,
        network: Vec<u8>,
    ) -> Result<String> {
        self.write(move |db| {
            if let Some(table) = attempt_of(db, day, person)? {
                return Ok(table);
            }
            let before: u32 = db.query_row(
                "SELECT count(*) FROM attempts WHERE day = ?1 AND network = ?2",
                (day.0, &network),
                |row| row.get(0),
            )?;
            db.execute(
                "INSERT INTO attempts VALUES (?1, ?2, ?3, ?4, ?5)",
                (day.0, person.0, &fresh, &network, before + 1),
            )?;
            Ok(fresh.clone())
        })
        .await
    }

    pub async fn attempt_of(&self, day: Day, person: PersonId) -> Result<Option<String>> {
        self.read(move |db| attempt_of(db, day, person)).await
    }

    pub async fn day_of(&self, table: &str) -> Result<Option<Day>> {
        let table = table.to_string();
        self.read(move |db| {
            let day = "SELECT day FROM attempts WHERE table_id = ?1";
            Ok(optional(db.query_row(day, [&table], |row| row.get(0)))?.map(Day))
        })
        .await
    }

    pub async fn scores_of(&self, day: Day, most: u32) -> Result<Vec<(PersonId, DailyScore)>> {
        self.read(move |db| {
            let mut query = db.prepare_cached(
                "SELECT person, people.name, people.passphrase IS NOT NULL, nth, \
                     json_extract(result, '$.solo.score') AS score, json_extract(result, '$.solo.title'), \
                     json_extract(result, '$.solo.boss'), tables.no \
                 FROM attempts JOIN tables ON tables.id = table_id JOIN people ON people.id = person \
                 WHERE day = ?1 AND tables.state = 'over' AND score IS NOT NULL \
                 ORDER BY score DESC, tables.no LIMIT ?2",
            )?;
            let rows = query.query_map((day.0, most), |row| {
                let score = DailyScore {
                    place: 0,
                    name: row.get(1)?,
                    account: row.get(2)?,
                    attempt: row.get(3)?,
                    score: row.get(4)?,
                    title: row.get(5)?,
                    boss: row.get(6)?,
                    you: false,
                };
                Ok((PersonId(row.get(0)?), score))
            })?;
            Ok(place(rows.collect::<rusqlite::Result<_>>()?))
        })
        .await
    }

    pub async fn titles_of(&self, person: PersonId) -> Result<Vec<BossTitle>> {
        self.read(move |db| {
            let mut query = db.prepare_cached(
                "SELECT boss, challenge, max(score), title, count(*) FROM ( \
                     SELECT json_extract(result, '$.solo.boss') AS boss, \
                         json_extract(settings, '$.ruleset') = 'challenge' AS challenge, \
                         json_extract(result, '$.solo.score') AS score, \
                         json_extract(result, '$.solo.title') AS title \
                     FROM played JOIN tables ON no = table_no \
                     WHERE person = ?1 AND state = 'over' AND json_extract(result, '$.solo') IS NOT NULL \
                     ORDER BY no DESC LIMIT ?2) \
                 GROUP BY boss, challenge ORDER BY max(score) DESC, boss",
            )?;
            let rows = query.query_map((person.0, TITLE_GAMES), |row| {
                Ok(BossTitle {
                    boss: row.get(0)?,
                    challenge: row.get(1)?,
                    score: row.get(2)?,
                    title: row.get(3)?,
                    games: row.get(4)?,
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?)
        })
        .await
    }
}

fn secret(db: &Connection, day: Day) -> Result<Option<[u8; 32]>> {
    let found: Option<Vec<u8>> =
        optional(db.query_row("SELECT secret FROM days WHERE day = ?1", [day.0], |row| row.get(0)))?;
    let whole = |bytes: Vec<u8>| bytes.try_into().map_err(|_| StoreError::Damaged("a day's secret".into()));
    found.map(whole).transpose()
}

fn attempt_of(db: &Connection, day: Day, person: PersonId) -> Result<Option<String>> {
    let table = "SELECT table_id FROM attempts WHERE day = ?1 AND person = ?2";
    optional(db.query_row(table, (day.0, person.0), |row| row.get(0)))
}
