//! Tables, and the log of each: enough to set it up again as it was.

use engine::record::{ActionText, Hex};
use rusqlite::{Connection, Row};
use serde::{Deserialize, Serialize};

use super::journal::Journal;
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
    pub no: TableNo,
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

/// A table's number in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableNo(pub(super) i64);

/// Something new about a table, stored whole or not at all.
#[derive(Clone, Debug, Default)]
pub struct Change<'a> {
    /// Follow what is in its log.
    pub entries: &'a [Entry],
    /// Who sits there now, by seat.
    pub players: Vec<(PersonId, u8)>,
    pub found_with: Option<FoundWith>,
}

/// What a table is found with when it sleeps.
#[derive(Clone, Debug)]
pub struct FoundWith {
    /// `None`: closed, nobody came.
    pub state: Option<TableState>,
    pub seats: String,
    pub result: Option<String>,
}

impl Store {
    /// A new table, with the beginning of its log.
    pub async fn new_table(
        &self,
        id: String,
        settings: Settings,
        secret: [u8; 32],
        change: Change<'_>,
    ) -> Result<TableRow> {
        let text = serde_json::to_string(&settings).map_err(damaged)?;
        let change = Ready::of(change)?;
        let (made, name) = (now(), id.clone());
        let no = self.enter(move |db, journal| {
            db.prepare_cached(
                "INSERT INTO tables (id, made, settings, secret, state) VALUES (?1, ?2, ?3, ?4, 'open')",
            )?
            .execute((&name, made, &text, secret.as_slice()))?;
            let no = TableNo(db.last_insert_rowid());
            change.write(db, journal, no, 0)?;
            Ok(no)
        });
        let (state, seats) = (Some(TableState::Open), "[]".to_string());
        Ok(TableRow { no: no.await?, id, made, settings, secret, state, seats, result: None })
    }

    /// Changes a table whose log has `from` entries so far; done when it is on disk.
    pub async fn change(&self, table: TableNo, from: u32, change: Change<'_>) -> Result<()> {
        let change = Ready::of(change)?;
        self.enter(move |db, journal| change.write(db, journal, table, from)).await
    }

    /// A table with its log.
    pub async fn table(&self, id: &str) -> Result<Option<(TableRow, Vec<Entry>)>> {
        let (id, recent) = (id.to_string(), self.recent.clone());
        self.read(move |db| {
            let mut found = rows(db, "WHERE id = ?1", [&id])?;
            let Some(row) = found.pop() else { return Ok(None) };
            let texts = recent.whole_log(db, row.no)?;
            let entries =
                texts.iter().map(|text| serde_json::from_str(text)).collect::<serde_json::Result<_>>();
            Ok(Some((row, entries.map_err(damaged)?)))
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
                "SELECT id FROM played JOIN tables ON no = table_no \
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
                "SELECT id, made, settings, secret, state, seats, result, no, seat FROM played \
                 JOIN tables ON no = table_no WHERE person = ?1 AND state IN ('playing', 'over') \
                 ORDER BY made DESC LIMIT ?2",
            )?;
            let mut found = Vec::new();
            let mut cursor = query.query((person.0, most))?;
            while let Some(row) = cursor.next()? {
                found.push((table_row(row)?, row.get(8)?));
            }
            Ok(found)
        })
        .await
    }
}

/// A change, put into words before it goes to the writer's thread.
struct Ready {
    entries: Vec<String>,
    players: Vec<(PersonId, u8)>,
    found_with: Option<FoundWith>,
}

impl Ready {
    fn of(change: Change<'_>) -> Result<Ready> {
        let Change { entries, players, found_with } = change;
        let entries = entries.iter().map(serde_json::to_string).collect::<serde_json::Result<_>>();
        Ok(Ready { entries: entries.map_err(damaged)?, players, found_with })
    }

    fn write(&self, db: &Connection, journal: &mut Journal, table: TableNo, from: u32) -> Result<()> {
        if !self.entries.is_empty() {
            journal.append(db, table, from, &self.entries)?;
        }
        for (person, seat) in &self.players {
            db.prepare_cached("INSERT OR REPLACE INTO played VALUES (?1, ?2, ?3)")?
                .execute((person.0, table.0, seat))?;
        }
        if let Some(FoundWith { state, seats, result }) = &self.found_with {
            db.prepare_cached("UPDATE tables SET state = ?2, seats = ?3, result = ?4 WHERE no = ?1")?
                .execute((table.0, state_word(*state), seats, result))?;
        }
        Ok(())
    }
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
        state: match state.as_str() {
            "open" => Some(TableState::Open),
            "playing" => Some(TableState::Playing),
            "over" => Some(TableState::Over),
            _ => None,
        },
        seats: row.get(5)?,
        result: row.get(6)?,
        no: TableNo(row.get(7)?),
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
