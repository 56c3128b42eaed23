//! Tables, and the log of each, from which the table can be restored.

use rusqlite::{Connection, Row};

use super::super::tables::{PreparedChange, damaged, read_log, read_state, state_word};
use super::super::{
    Change, Hold, KeptWishes, LogEntry, PersonId, Result, StoreError, TableNumber, TableRow, TableSummary,
    now,
};
use super::Store;
use super::journal::Journal;
use crate::wire::{Settings, TableState};

impl Store {
    pub async fn new_table(
        &self,
        id: String,
        settings: Settings,
        secret: [u8; 32],
        change: Change<'_>,
    ) -> Result<TableRow> {
        let text = serde_json::to_string(&settings).map_err(damaged)?;
        let change = PreparedChange::of(change)?;
        let (made, name) = (now(), id.clone());
        let number = self.write_logged(move |db, journal| {
            db.prepare_cached(
                "INSERT INTO tables (id, made, settings, secret, state) VALUES (?1, ?2, ?3, ?4, 'open')",
            )?
            .execute((&name, made, &text, secret.as_slice()))?;
            let no = TableNumber(db.last_insert_rowid());
            change.write(db, journal, no, 0)?;
            Ok(no)
        });
        let (state, seats) = (Some(TableState::Open), "[]".to_string());
        Ok(TableRow { hold: hold(number.await?), id, made, settings, secret, state, seats, result: None })
    }

    pub async fn change(&self, hold: Hold, from: u32, change: Change<'_>) -> Result<()> {
        let change = PreparedChange::of(change)?;
        self.write_logged(move |db, journal| change.write(db, journal, hold.table, from)).await
    }

    pub async fn table_row(&self, id: &str) -> Result<Option<TableRow>> {
        let id = id.to_string();
        self.read(move |db| Ok(rows(db, "WHERE id = ?1", [&id])?.pop())).await
    }

    pub async fn table(&self, id: &str) -> Result<Option<(TableRow, Vec<LogEntry>)>> {
        let (id, recent) = (id.to_string(), self.recent.clone());
        self.read(move |db| {
            let mut found = rows(db, "WHERE id = ?1", [&id])?;
            let Some(row) = found.pop() else { return Ok(None) };
            let texts = recent.whole_log(db, row.hold.table)?;
            Ok(Some((row, read_log(texts.iter().map(String::as_str))?)))
        })
        .await
    }

    pub fn keep_wishes(&self, Hold { table, .. }: Hold, person: PersonId, wishes: &KeptWishes) {
        let Ok(text) = wishes.to_text() else { return };
        self.write_soon(move |db| {
            match &text {
                Some(text) => db
                    .prepare_cached("INSERT OR REPLACE INTO wishes VALUES (?1, ?2, ?3)")?
                    .execute((table.0, person.0, text))?,
                None => db
                    .prepare_cached("DELETE FROM wishes WHERE table_no = ?1 AND person = ?2")?
                    .execute((table.0, person.0))?,
            };
            Ok(())
        });
    }

    pub async fn wishes(&self, table: TableNumber) -> Result<Vec<(PersonId, KeptWishes)>> {
        self.read(move |db| {
            let mut query = db.prepare_cached("SELECT person, wishes FROM wishes WHERE table_no = ?1")?;
            let rows =
                query.query_map([table.0], |row| Ok((PersonId(row.get(0)?), row.get::<_, String>(1)?)))?;
            let mut found = Vec::new();
            for row in rows {
                let (person, text) = row?;
                found.extend(serde_json::from_str(&text).ok().map(|wishes| (person, wishes)));
            }
            Ok(found)
        })
        .await
    }

    pub async fn unfinished(&self, since: i64) -> Result<Vec<String>> {
        self.read(move |db| {
            let mut query = db.prepare_cached(
                "SELECT id FROM tables WHERE state IN ('open', 'playing') AND made >= ?1 ORDER BY made",
            )?;
            let ids = query.query_map([since], |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<Vec<String>>>()?)
        })
        .await
    }

    pub async fn unfinished_of(&self, person: PersonId, most: u32) -> Result<Vec<String>> {
        self.read(move |db| {
            let mut query = db.prepare_cached(
                "SELECT id FROM played JOIN tables ON no = table_no \
                 WHERE person = ?1 AND state IN ('open', 'playing') ORDER BY made DESC LIMIT ?2",
            )?;
            let ids = query.query_map((person.0, most), |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<Vec<String>>>()?)
        })
        .await
    }

    pub async fn history(&self, person: PersonId, most: u32) -> Result<Vec<(TableRow, u8)>> {
        self.read(move |db| {
            // Nobody needs the texts of decks and cards for that, and there may be many of them.
            let mut query = db.prepare_cached(
                "SELECT id, made, json_remove(settings, '$.deck_text', '$.cards_text'), secret, state, seats, result, no, seat \
                 FROM played JOIN tables ON no = table_no WHERE person = ?1 AND state IN ('playing', 'over') \
                 ORDER BY made DESC LIMIT ?2",
            )?;
            let mut found = Vec::new();
            let mut cursor = query.query((person.0, most))?;
            while let Some(row) = cursor.next()? {
                match table_row(row) {
                    Ok(table) => found.push((table, row.get(8)?)),
                    Err(error) => tracing::warn!(%error, "a game of the history cannot be read"),
                }
            }
            Ok(found)
        })
        .await
    }
}

impl PreparedChange {
    fn write(&self, db: &Connection, journal: &mut Journal, table: TableNumber, from: u32) -> Result<()> {
        if !self.entries.is_empty() {
            journal.append(db, table, from, &self.entries)?;
        }
        for person in &self.left {
            db.prepare_cached("DELETE FROM played WHERE person = ?1 AND table_no = ?2")?
                .execute((person.0, table.0))?;
        }
        for (person, seat) in &self.players {
            db.prepare_cached("INSERT OR REPLACE INTO played VALUES (?1, ?2, ?3)")?
                .execute((person.0, table.0, seat))?;
        }
        if let Some(TableSummary { state, seats, result }) = &self.summary {
            db.prepare_cached("UPDATE tables SET state = ?2, seats = ?3, result = ?4 WHERE no = ?1")?
                .execute((table.0, state_word(*state), seats, result))?;
        }
        if let Some(settings) = &self.settings {
            db.prepare_cached("UPDATE tables SET settings = ?2 WHERE no = ?1")?
                .execute((table.0, settings))?;
        }
        Ok(())
    }
}

/// A data folder has one owner, who may change everything.
fn hold(table: TableNumber) -> Hold {
    Hold { table, epoch: 0 }
}

fn rows(db: &Connection, which: &str, params: impl rusqlite::Params) -> Result<Vec<TableRow>> {
    let text = format!("SELECT id, made, settings, secret, state, seats, result, no FROM tables {which}");
    let mut query = db.prepare_cached(&text)?;
    let mut found = Vec::new();
    let mut cursor = query.query(params)?;
    while let Some(row) = cursor.next()? {
        found.push(table_row(row)?);
    }
    Ok(found)
}

fn table_row(row: &Row) -> Result<TableRow> {
    let settings: String = row.get(2)?;
    let secret: Vec<u8> = row.get(3)?;
    let state: String = row.get(4)?;
    Ok(TableRow {
        id: row.get(0)?,
        made: row.get(1)?,
        settings: serde_json::from_str(&settings).map_err(damaged)?,
        secret: secret.try_into().map_err(|_| StoreError::Damaged("a table's secret".into()))?,
        state: read_state(&state),
        seats: row.get(5)?,
        result: row.get(6)?,
        hold: hold(TableNumber(row.get(7)?)),
    })
}
