//! Tables, and the log of each, from which the table can be restored.

use bots::BotLevel;
use engine::record::{ActionText, Hex};
use rusqlite::{Connection, Row};
use serde::{Deserialize, Serialize};

use super::journal::Journal;
use super::{PersonId, Result, Store, StoreError, now};
use crate::wire::{Armed, Settings, Stops, TableState};

/// Something that happened at a table. Replaying the entries in order restores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogEntry {
    /// Who has a seat (counted from 0) from now on; `None` frees it.
    Sits(u8, Option<SeatHolder>),
    /// By seat, what the players' clients have committed to; from now on it is public.
    Commits(Vec<Option<Hex<32>>>),
    /// What a player's client has revealed.
    Reveals(u8, Hex<32>),
    /// The host has removed this person, who cannot sit at the table again.
    Removed(PersonId),
    /// SHA-256 of the cards that the game is played with.
    Cards(Hex<32>),
    /// The game starts, with this setup line.
    Begins(String),
    /// The game continues a recorded one, whose actions these are.
    From(Vec<ActionText>),
    /// Start as soon as everyone is here.
    AutoStart,
    /// A player's answer.
    Acts(ActionText),
    /// An answer the table gave for a player.
    Auto(ActionText),
    /// Back to the position after this many answers.
    Undone(u32),
    Resigns(u8),
    /// Whether a bot plays for this seat until the player is back.
    Away(u8, bool),
    /// What is left of a player's reserve, in milliseconds.
    Reserve(u8, u64),
    Rematch(String),
    /// The game was stopped: it had gone on for far too long.
    Stopped,
    /// An update was sent without any other entry.
    Shown,
}

/// Who has a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatHolder {
    Person { id: PersonId, name: String, host: bool },
    Bot { level: BotLevel, seed: u64 },
}

/// A table as the store has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    pub number: TableNumber,
    pub id: String,
    /// Seconds since 1970.
    pub made: i64,
    pub settings: Settings,
    /// The server's part of the seed.
    pub secret: [u8; 32],
    /// `None` if it was closed before it started.
    pub state: Option<TableState>,
    /// The names of the players, as JSON.
    pub seats: String,
    pub result: Option<String>,
}

/// The number of a table in the store, in the order in which they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableNumber(pub(crate) i64);

/// A change to a table, stored as a whole or not at all.
#[derive(Clone, Debug, Default)]
pub struct Change<'a> {
    /// Appended to its log.
    pub entries: &'a [LogEntry],
    /// Who has which seat now.
    pub players: Vec<(PersonId, u8)>,
    /// Who no longer has one, and so has not played here.
    pub left: Vec<PersonId>,
    pub summary: Option<TableSummary>,
    /// They have changed.
    pub settings: Option<Settings>,
}

/// What a player wants to be asked, and what is armed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptWishes {
    pub stops: Stops,
    pub armed: Vec<Armed>,
}

/// What lists and histories show of a table that is not loaded.
#[derive(Clone, Debug)]
pub struct TableSummary {
    /// `None` if it was closed before it started.
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
        Ok(TableRow { number: number.await?, id, made, settings, secret, state, seats, result: None })
    }

    /// Changes a table whose log has `from` entries so far; done when it is on disk.
    pub async fn change(&self, table: TableNumber, from: u32, change: Change<'_>) -> Result<()> {
        let change = PreparedChange::of(change)?;
        self.write_logged(move |db, journal| change.write(db, journal, table, from)).await
    }

    /// A table without its log.
    pub async fn table_row(&self, id: &str) -> Result<Option<TableRow>> {
        let id = id.to_string();
        self.read(move |db| Ok(rows(db, "WHERE id = ?1", [&id])?.pop())).await
    }

    /// A table with its log.
    pub async fn table(&self, id: &str) -> Result<Option<(TableRow, Vec<LogEntry>)>> {
        let (id, recent) = (id.to_string(), self.recent.clone());
        self.read(move |db| {
            let mut found = rows(db, "WHERE id = ?1", [&id])?;
            let Some(row) = found.pop() else { return Ok(None) };
            let texts = recent.whole_log(db, row.number)?;
            let entries =
                texts.iter().map(|text| serde_json::from_str(text)).collect::<serde_json::Result<_>>();
            Ok(Some((row, entries.map_err(damaged)?)))
        })
        .await
    }

    /// Keeps what a player wishes at a table; a player who is asked the usual way and has nothing armed needs no row.
    pub fn keep_wishes(&self, table: TableNumber, person: PersonId, wishes: &KeptWishes) {
        let text = Some(wishes).filter(|wishes| **wishes != KeptWishes::default()).map(serde_json::to_string);
        let Ok(text) = text.transpose() else { return };
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

    /// What the players of a table wish. What cannot be read is nobody's wish.
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

    /// Every table made since then that is not over, oldest first.
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

    /// A person's games, newest first. A row that cannot be read does not hide the others.
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

/// A change whose entries are already JSON, for the writer's thread.
struct PreparedChange {
    entries: Vec<String>,
    players: Vec<(PersonId, u8)>,
    left: Vec<PersonId>,
    summary: Option<TableSummary>,
    settings: Option<String>,
}

impl PreparedChange {
    fn of(change: Change<'_>) -> Result<PreparedChange> {
        let Change { entries, players, left, summary, settings } = change;
        let entries = entries.iter().map(serde_json::to_string).collect::<serde_json::Result<_>>();
        let settings = settings.map(|settings| serde_json::to_string(&settings)).transpose();
        let (entries, settings) = (entries.map_err(damaged)?, settings.map_err(damaged)?);
        Ok(PreparedChange { entries, players, left, summary, settings })
    }

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
        number: TableNumber(row.get(7)?),
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
