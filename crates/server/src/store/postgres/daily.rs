//! Today's dungeon, and titles.

use tokio_postgres::Row;
use tokio_postgres::error::SqlState;

use super::super::daily::{TITLE_GAMES, place};
use super::super::tables::damaged;
use super::super::{Day, PersonId, Result, StoreError, fill_random};
use super::Store;
use crate::wire::{BossTitle, DailyScore};

impl Store {
    pub async fn secret_of(&self, day: Day) -> Result<[u8; 32]> {
        if let Some(known) = self.known_secret_of(day).await? {
            return Ok(known);
        }
        let mut fresh = [0; 32];
        fill_random(&mut fresh);
        let sql = "INSERT INTO days VALUES ($1, $2) ON CONFLICT DO NOTHING";
        self.write(sql, &[&day.0, &fresh.as_slice()]).await?;
        // Somebody else may have been quicker.
        self.known_secret_of(day).await?.ok_or_else(|| StoreError::Damaged("a day's secret".into()))
    }

    pub async fn known_secret_of(&self, day: Day) -> Result<Option<[u8; 32]>> {
        let rows = self.read("SELECT secret FROM days WHERE day = $1", &[&day.0]).await?;
        let whole = |row: &Row| row.get::<_, &[u8]>(0).try_into();
        let secret = rows.first().map(whole).transpose();
        secret.map_err(|_| StoreError::Damaged("a day's secret".into()))
    }

    pub async fn attempt(
        &self,
        day: Day,
        person: PersonId,
        fresh: String,
        network: Vec<u8>,
    ) -> Result<String> {
        let sql = "INSERT INTO attempts SELECT $1, $2, $3, $4, 1 + coalesce(max(nth), 0) FROM attempts \
            WHERE day = $1 AND network = $4 ON CONFLICT (day, person) DO NOTHING";
        loop {
            if let Some(table) = self.attempt_of(day, person).await? {
                return Ok(table);
            }
            // Two of one network at the same time: one counts again.
            self.write_or(sql, &[&day.0, &person.0, &fresh, &network], &SqlState::UNIQUE_VIOLATION).await?;
        }
    }

    pub async fn attempt_of(&self, day: Day, person: PersonId) -> Result<Option<String>> {
        let sql = "SELECT table_id FROM attempts WHERE day = $1 AND person = $2";
        Ok(self.read(sql, &[&day.0, &person.0]).await?.first().map(|row| row.get(0)))
    }

    pub async fn day_of(&self, table: &str) -> Result<Option<Day>> {
        let rows = self.read("SELECT day FROM attempts WHERE table_id = $1", &[&table]).await?;
        Ok(rows.first().map(|row| Day(row.get(0))))
    }

    pub async fn scores_of(&self, day: Day, most: u32) -> Result<Vec<(PersonId, DailyScore)>> {
        let sql = "SELECT * FROM (SELECT person, people.name, people.passphrase IS NOT NULL, nth, \
                (result::json -> 'solo' -> 'score')::text::int AS score, (result::json -> 'solo' -> 'title')::text, \
                (result::json -> 'solo' -> 'boss')::text, tables.no \
             FROM attempts JOIN tables ON tables.id = table_id JOIN people ON people.id = person \
             WHERE day = $1 AND tables.state = 'over' AND json_typeof(result::json -> 'solo') = 'object') AS scores \
             WHERE score IS NOT NULL ORDER BY score DESC, no LIMIT $2";
        let rows = self.read(sql, &[&day.0, &i64::from(most)]).await?;
        let score = |row: &Row| -> Result<_> {
            let score = DailyScore {
                place: 0,
                name: row.get(1),
                account: row.get(2),
                attempt: row.get::<_, i32>(3) as u32,
                score: row.get(4),
                title: text(row.get(5))?,
                boss: text(row.get(6))?,
                you: false,
            };
            Ok((PersonId(row.get(0)), score))
        };
        Ok(place(rows.iter().map(score).collect::<Result<_>>()?))
    }

    pub async fn titles_of(&self, person: PersonId) -> Result<Vec<BossTitle>> {
        let sql = "SELECT DISTINCT ON (boss, challenge) boss, challenge, score, title, \
                count(*) OVER (PARTITION BY boss, challenge) FROM ( \
             SELECT (result::json -> 'solo' -> 'boss')::text AS boss, \
                 (settings::json -> 'ruleset')::text = '\"challenge\"' AS challenge, \
                 (result::json -> 'solo' -> 'score')::text::int AS score, \
                 (result::json -> 'solo' -> 'title')::text AS title \
             FROM played JOIN tables ON no = table_no \
             WHERE person = $1 AND state = 'over' AND json_typeof(result::json -> 'solo') = 'object' \
             ORDER BY no DESC LIMIT $2) AS games ORDER BY boss, challenge, score DESC";
        let rows = self.read(sql, &[&person.0, &i64::from(TITLE_GAMES)]).await?;
        let title = |row: &Row| -> Result<_> {
            Ok(BossTitle {
                boss: text(row.get(0))?,
                challenge: row.get(1),
                score: row.get(2),
                title: text(row.get(3))?,
                games: row.get::<_, i64>(4) as u32,
            })
        };
        let mut titles: Vec<BossTitle> = rows.iter().map(title).collect::<Result<_>>()?;
        titles.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.boss.cmp(&b.boss)));
        Ok(titles)
    }
}

/// PostgreSQL cannot hold every text that JSON can, so texts are taken out of it here.
fn text<T: serde::de::DeserializeOwned>(json: Option<&str>) -> Result<T> {
    serde_json::from_str(json.unwrap_or("null")).map_err(damaged)
}
