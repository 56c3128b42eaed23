//! Today's dungeon: the secret of each day, who has tried it, and the scores; and everybody's own titles.
//!
//! Invariants: a day's secret is drawn after the day has begun, and never changes; a person has one attempt a day.

use rusqlite::Connection;

use super::{PersonId, Result, Store, StoreError, fill_random, optional};
use crate::wire::{BossTitle, DailyScore};

/// Days since 1970, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub i64);

/// Games for one that count for somebody's titles: the newest of them.
const TITLE_GAMES: u32 = 2_000;

impl Day {
    pub const SECONDS: i64 = 86_400;

    /// The day of this moment, in seconds since 1970.
    pub fn at(now: i64) -> Day {
        Day(now.div_euclid(Day::SECONDS))
    }

    /// When it is over.
    pub fn ends(self) -> i64 {
        (self.0 + 1) * Day::SECONDS
    }
}

impl Store {
    /// The secret of this day's dungeon, drawn when it is first asked for: not before the day has begun.
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

    /// The same, if it was drawn.
    pub async fn known_secret_of(&self, day: Day) -> Result<Option<[u8; 32]>> {
        self.read(move |db| secret(db, day)).await
    }

    /// The table of the person's attempt at this day: that of an earlier one, or else `fresh`.
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

    /// The table of the person's attempt at this day.
    pub async fn attempt_of(&self, day: Day, person: PersonId) -> Result<Option<String>> {
        self.read(move |db| attempt_of(db, day, person)).await
    }

    /// The day whose dungeon is played at this table.
    pub async fn day_of(&self, table: &str) -> Result<Option<Day>> {
        let table = table.to_string();
        self.read(move |db| {
            let day = "SELECT day FROM attempts WHERE table_id = ?1";
            Ok(optional(db.query_row(day, [&table], |row| row.get(0)))?.map(Day))
        })
        .await
    }

    /// The scores of a day, best first; whoever was quicker to reach one comes first.
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
            let mut scores = rows.collect::<rusqlite::Result<Vec<_>>>()?;
            // Equal scores share a place.
            let mut place = (0, i32::MAX);
            for (at, (_, score)) in (1..).zip(&mut scores) {
                if score.score != place.1 {
                    place = (at, score.score);
                }
                score.place = place.0;
            }
            Ok(scores)
        })
        .await
    }

    /// A person's best title with each boss, alone and in the challenge; the best first.
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
