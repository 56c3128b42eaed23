//! Tables, and the log of each: enough to set it up again as it was.

use engine::record::{ActionText, Hex};
use rusqlite::{Connection, Row};
use serde::{Deserialize, Serialize};

use super::{PersonId, Result, Store, StoreError, now};
use crate::wire::{BotLevel, Settings, TableState};

/// Something that happened at a table. Replayed in order, the entries give the table back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// Somebody sits down in a seat, counted from 0, or a bot is put there; `None` makes it free.
    Sits(u8, Option<Sitter>),
    /// A player's part of the seed.
    Entropy(u8, Hex<32>),
    /// The game begins, set up by this line; everything before is settled.
    Begins(String),
    /// A game is taken up from a record's actions.
    From(Vec<ActionText>),
    /// Begin as soon as everybody is here.
    AutoStart,
    /// A player's answer.
    Acts(ActionText),
    /// An answer that the table gave for somebody.
    Auto(ActionText),
    /// Back to where so many answers had been given.
    Undone(u32),
    Resigns(u8),
    /// A bot plays for somebody, or no longer.
    Away(u8, bool),
    Rematch(String),
    /// The table was shown again though nothing else was entered.
    Shown,
}

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sitter {
    Person { id: PersonId, name: String, host: bool },
    Bot { level: BotLevel, seed: u64 },
}

/// A table as it is found in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    pub id: String,
    /// Seconds since 1970.
    pub made: i64,
    pub settings: Settings,
    /// The server's part of the seed.
    pub secret: [u8; 32],
    /// `None`: closed, nobody came.
    pub state: Option<TableState>,
    /// Whatever the table wanted to be found with.
    pub seats: String,
    pub result: Option<String>,
}

impl Store {
    pub async fn new_table(&self, id: String, settings: Settings, secret: [u8; 32]) -> Result<()> {
        self.write(move |db| {
            let settings = serde_json::to_string(&settings).map_err(damaged)?;
            db.execute(
                "INSERT INTO tables (id, made, settings, secret, state) VALUES (?1, ?2, ?3, ?4, 'open')",
                (&id, now(), &settings, secret.as_slice()),
            )?;
            Ok(())
        })
        .await
    }

    /// Appends to a table's log, whose length so far is `from`; done when it is on disk.
    pub async fn append(&self, id: &str, from: u32, entries: &[Entry]) -> Result<()> {
        let id = id.to_string();
        let mut rows = Vec::with_capacity(entries.len());
        for entry in entries {
            rows.push(serde_json::to_string(entry).map_err(damaged)?);
        }
        self.write(move |db| {
            let mut insert = db.prepare_cached("INSERT INTO log VALUES (?1, ?2, ?3)")?;
            for (n, entry) in (from..).zip(&rows) {
                insert.execute((&id, n, entry))?;
            }
            Ok(())
        })
        .await
    }

    /// What a table wants to be found with.
    pub async fn describe(
        &self,
        id: &str,
        state: Option<TableState>,
        seats: String,
        result: Option<String>,
    ) -> Result<()> {
        let id = id.to_string();
        self.write(move |db| {
            db.prepare_cached("UPDATE tables SET state = ?2, seats = ?3, result = ?4 WHERE id = ?1")?
                .execute((&id, state_word(state), &seats, &result))?;
            Ok(())
        })
        .await
    }

    pub async fn note_player(&self, id: &str, person: PersonId, seat: u8) -> Result<()> {
        let id = id.to_string();
        self.write(move |db| {
            db.execute("INSERT OR REPLACE INTO played VALUES (?1, ?2, ?3)", (person.0, &id, seat))?;
            Ok(())
        })
        .await
    }

    /// A table with its log.
    pub async fn table(&self, id: &str) -> Result<Option<(TableRow, Vec<Entry>)>> {
        let id = id.to_string();
        self.read(move |db| {
            let mut found = rows(db, "WHERE id = ?1", [&id])?;
            let Some(row) = found.pop() else { return Ok(None) };
            let mut query = db.prepare_cached("SELECT entry FROM log WHERE table_id = ?1 ORDER BY n")?;
            let texts = query.query_map([&id], |row| row.get::<_, String>(0))?;
            let mut entries = Vec::new();
            for text in texts {
                entries.push(serde_json::from_str(&text?).map_err(damaged)?);
            }
            Ok(Some((row, entries)))
        })
        .await
    }

    /// Every table that is not over, for those who set them up again.
    pub async fn unfinished(&self) -> Result<Vec<TableRow>> {
        self.read(|db| rows(db, "WHERE state IN ('open', 'playing') ORDER BY made", [])).await
    }

    /// A person's tables that are not over, newest first.
    pub async fn unfinished_of(&self, person: PersonId, most: u32) -> Result<Vec<String>> {
        self.read(move |db| {
            let mut query = db.prepare_cached(
                "SELECT id FROM played JOIN tables ON id = table_id \
                 WHERE person = ?1 AND state IN ('open', 'playing') ORDER BY made DESC LIMIT ?2",
            )?;
            let ids = query.query_map((person.0, most), |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<Vec<String>>>()?)
        })
        .await
    }

    /// A person's games, newest first.
    pub async fn history(&self, person: PersonId, most: u32) -> Result<Vec<(TableRow, u8)>> {
        self.read(move |db| {
            let mut query = db.prepare_cached(
                "SELECT id, made, settings, secret, state, seats, result, seat FROM played \
                 JOIN tables ON id = table_id WHERE person = ?1 AND state IN ('playing', 'over') \
                 ORDER BY made DESC LIMIT ?2",
            )?;
            let mut found = Vec::new();
            let mut cursor = query.query((person.0, most))?;
            while let Some(row) = cursor.next()? {
                found.push((table_row(row)?, row.get(7)?));
            }
            Ok(found)
        })
        .await
    }
}

fn rows(db: &Connection, which: &str, params: impl rusqlite::Params) -> Result<Vec<TableRow>> {
    let text = format!("SELECT id, made, settings, secret, state, seats, result FROM tables {which}");
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
        state: match state.as_str() {
            "open" => Some(TableState::Open),
            "playing" => Some(TableState::Playing),
            "over" => Some(TableState::Over),
            _ => None,
        },
        seats: row.get(5)?,
        result: row.get(6)?,
    })
}

fn state_word(state: Option<TableState>) -> &'static str {
    match state {
        Some(TableState::Open) => "open",
        Some(TableState::Playing) => "playing",
        Some(TableState::Over) => "over",
        None => "closed",
    }
}

fn damaged(error: serde_json::Error) -> StoreError {
    StoreError::Damaged(error.to_string())
}
