//! Tables and their logs.

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use tokio_postgres::Row;

use super::super::tables::{PreparedChange, damaged, read_log, read_state};
use super::super::{
    Change, Hold, KeptWishes, LogEntry, PersonId, Result, StoreError, TableNumber, TableRow, now,
};
use super::Store;
use super::writer::{Append, Job};
use crate::wire::{Settings, TableState};

/// Those parts of the settings that are long.
#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Texts {
    deck_text: Option<String>,
    cards_text: Option<String>,
}

/// Settings as they are stored: the short parts, and the long ones if there are any.
pub fn split(mut settings: Settings) -> Result<(String, Option<String>)> {
    let texts = Texts { deck_text: settings.deck_text.take(), cards_text: settings.cards_text.take() };
    let texts = (texts != Texts::default()).then(|| serde_json::to_string(&texts)).transpose();
    Ok((serde_json::to_string(&settings).map_err(damaged)?, texts.map_err(damaged)?))
}

/// The same, put together again.
pub fn whole_settings(short: &str, texts: Option<&str>) -> Result<Settings> {
    let mut settings: Settings = serde_json::from_str(short).map_err(damaged)?;
    if let Some(texts) = texts {
        let Texts { deck_text, cards_text } = serde_json::from_str(texts).map_err(damaged)?;
        (settings.deck_text, settings.cards_text) = (deck_text, cards_text);
    }
    Ok(settings)
}

impl Store {
    pub async fn new_table(
        &self,
        id: String,
        settings: Settings,
        secret: [u8; 32],
        change: Change<'_>,
    ) -> Result<TableRow> {
        let (short, texts) = split(settings.clone())?;
        let change = PreparedChange::of(change)?;
        let (made, length) = (now(), change.entries.len() as u32);
        let entries = Some(change.entries.join("\n")).filter(|_| length > 0);
        let (people, seats): (Vec<i64>, Vec<i16>) =
            change.players.iter().map(|(person, seat)| (person.0, i16::from(*seat))).unzip();
        let sql = "WITH me AS MATERIALIZED (SELECT no FROM nodes WHERE no = $1 AND NOT dead FOR SHARE),
            t AS (INSERT INTO tables (id, made, settings, texts, secret, state)
                SELECT $2, $3, $4, $5, $6, 'open' FROM me RETURNING no),
            h AS (INSERT INTO held SELECT no, 1, $1 FROM t),
            l AS (INSERT INTO log SELECT no, 0, 1, $7 FROM t WHERE $7::text IS NOT NULL),
            p AS (INSERT INTO played SELECT x.person, t.no, x.seat
                FROM t, unnest($8::bigint[], $9::smallint[]) AS x (person, seat))
            SELECT no FROM t";
        let secret_bytes = secret.as_slice();
        let rows = self
            .write(
                sql,
                &[&self.node().0, &id, &made, &short, &texts, &secret_bytes, &entries, &people, &seats],
            )
            .await?;
        let Some(row) = rows.first() else { return Err(StoreError::Lost) };
        let hold = Hold { table: TableNumber(row.get(0)), epoch: 1 };
        self.send(Job::Known(hold, length))?;
        let (state, seats) = (Some(TableState::Open), "[]".to_string());
        Ok(TableRow { hold, id, made, settings, secret, state, seats, result: None })
    }

    pub async fn take(&self, id: &str) -> Result<Option<(TableRow, Vec<LogEntry>)>> {
        let (done, wait) = oneshot::channel();
        self.send(Job::Take { id: id.into(), done })?;
        let Some(hold) = self.patiently(wait).await? else { return Ok(None) };
        let Some((mut row, log)) = self.table(id).await? else { return Ok(None) };
        row.hold = hold;
        self.send(Job::Known(hold, log.len() as u32))?;
        Ok(Some((row, log)))
    }

    pub async fn want(&self, id: &str) -> Result<()> {
        let sql = "INSERT INTO wanted SELECT no FROM tables WHERE id = $1 ON CONFLICT DO NOTHING";
        self.write(sql, &[&id]).await.map(drop)
    }

    pub fn give(&self, hold: Hold) {
        let _ = self.send(Job::Give(hold));
    }

    pub async fn change(&self, hold: Hold, from: u32, mut change: Change<'_>) -> Result<()> {
        let settings = change.settings.take().map(split).transpose()?;
        let change = PreparedChange::of(change)?;
        let (done, wait) = oneshot::channel();
        self.send(Job::Change(Box::new(Append { hold, from, change, settings, done })))?;
        wait.await.map_err(|_| StoreError::Stopped)?
    }

    pub async fn table_row(&self, id: &str) -> Result<Option<TableRow>> {
        let sql =
            "SELECT no, id, made, settings, texts, secret, state, seats, result FROM tables WHERE id = $1";
        self.read(sql, &[&id]).await?.first().map(table_row).transpose()
    }

    pub async fn table(&self, id: &str) -> Result<Option<(TableRow, Vec<LogEntry>)>> {
        let Some(row) = self.table_row(id).await? else { return Ok(None) };
        let sql = "SELECT n, entries FROM log WHERE table_no = $1 ORDER BY n";
        let mut lines: Vec<String> = Vec::new();
        for row in self.read(sql, &[&row.hold.table.0]).await? {
            let (n, text): (i32, &str) = (row.get(0), row.get(1));
            if n as usize != lines.len() {
                return Err(StoreError::Damaged(format!("entry {} is missing", lines.len())));
            }
            lines.extend(text.lines().map(str::to_string));
        }
        Ok(Some((row, read_log(lines.iter().map(String::as_str))?)))
    }

    pub fn keep_wishes(&self, hold: Hold, person: PersonId, wishes: &KeptWishes) {
        let Ok(text) = wishes.to_text() else { return };
        let _ = self.send(Job::Wishes { hold, person, text });
    }

    pub async fn wishes(&self, table: TableNumber) -> Result<Vec<(PersonId, KeptWishes)>> {
        let rows = self.read("SELECT person, wishes FROM wishes WHERE table_no = $1", &[&table.0]).await?;
        let read = |row: &Row| Some((PersonId(row.get(0)), serde_json::from_str(row.get(1)).ok()?));
        Ok(rows.iter().filter_map(read).collect())
    }

    pub async fn unfinished(&self, since: i64) -> Result<Vec<String>> {
        let sql = "SELECT id FROM tables WHERE state IN ('open', 'playing') AND made >= $1 ORDER BY made, no";
        Ok(self.read(sql, &[&since]).await?.iter().map(|row| row.get(0)).collect())
    }

    pub async fn unfinished_of(&self, person: PersonId, most: u32) -> Result<Vec<String>> {
        let sql = "SELECT id FROM played JOIN tables ON no = table_no \
            WHERE person = $1 AND state IN ('open', 'playing') ORDER BY made DESC, no DESC LIMIT $2";
        let rows = self.read(sql, &[&person.0, &i64::from(most)]).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    pub async fn history(&self, person: PersonId, most: u32) -> Result<Vec<(TableRow, u8)>> {
        let sql = "SELECT no, id, made, settings, NULL::text, secret, state, seats, result, seat \
            FROM played JOIN tables ON no = table_no WHERE person = $1 AND state IN ('playing', 'over') \
            ORDER BY made DESC, no DESC LIMIT $2";
        let mut found = Vec::new();
        for row in self.read(sql, &[&person.0, &i64::from(most)]).await? {
            match table_row(&row) {
                Ok(table) => found.push((table, row.get::<_, i16>(9) as u8)),
                Err(error) => tracing::warn!(%error, "a game of the history cannot be read"),
            }
        }
        Ok(found)
    }
}

/// Number, id, time, settings, long texts, secret, state, seats and result.
pub(super) fn table_row(row: &Row) -> Result<TableRow> {
    let settings = whole_settings(row.get(3), row.get(4))?;
    let secret: &[u8] = row.get(5);
    Ok(TableRow {
        // Nobody has taken it yet.
        hold: Hold { table: TableNumber(row.get(0)), epoch: 0 },
        id: row.get(1),
        made: row.get(2),
        settings,
        secret: secret.try_into().map_err(|_| StoreError::Damaged("a table's secret".into()))?,
        state: read_state(row.get(6)),
        seats: row.get(7),
        result: row.get(8),
    })
}
