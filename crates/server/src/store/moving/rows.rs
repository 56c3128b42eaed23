//! Rows as they are moved, and how they are compared.

use sha2::{Digest as _, Sha256};

use super::super::tables::{damaged, read_state};
use super::super::{Hold, Result, StoreError, TableNumber, TableRow};
use crate::wire::Settings;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Null,
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row(pub Vec<Value>);

/// What a column holds, and how PostgreSQL calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Big,
    Int,
    Small,
    Text,
    Bytes,
}

/// A kind of rows that is moved as it is. The first `key` columns identify a row, and rows are moved in that order.
#[derive(Debug)]
pub struct Plain {
    pub name: &'static str,
    pub columns: &'static [(&'static str, Kind)],
    pub key: usize,
    /// Which of them.
    pub only: &'static str,
}

const fn plain(name: &'static str, columns: &'static [(&'static str, Kind)], key: usize) -> Plain {
    Plain { name, columns, key, only: "true" }
}

/// How many of these come before the tables.
pub const BEFORE_TABLES: usize = 5;

pub const PLAIN: [Plain; 9] = [
    Plain {
        only: "key = 'cookie_secret'",
        ..plain("meta", &[("key", Kind::Text), ("value", Kind::Bytes)], 1)
    },
    plain(
        "people",
        &[
            ("id", Kind::Big),
            ("name", Kind::Text),
            ("name_key", Kind::Text),
            ("passphrase", Kind::Text),
            ("made", Kind::Big),
        ],
        1,
    ),
    plain("account_names", &[("key", Kind::Text), ("person", Kind::Big)], 1),
    plain(
        "sessions",
        &[
            ("id", Kind::Big),
            ("person", Kind::Big),
            ("began", Kind::Big),
            ("seen", Kind::Big),
            ("about", Kind::Text),
        ],
        1,
    ),
    plain("days", &[("day", Kind::Big), ("secret", Kind::Bytes)], 1),
    plain("played", &[("person", Kind::Big), ("table_no", Kind::Big), ("seat", Kind::Small)], 2),
    plain("wishes", &[("table_no", Kind::Big), ("person", Kind::Big), ("wishes", Kind::Text)], 2),
    plain(
        "attempts",
        &[
            ("day", Kind::Big),
            ("person", Kind::Big),
            ("table_id", Kind::Text),
            ("network", Kind::Bytes),
            ("nth", Kind::Int),
        ],
        2,
    ),
    plain("solved", &[("person", Kind::Big), ("puzzle", Kind::Text)], 2),
];

impl Plain {
    /// What identifies a row.
    pub fn key_of(&self, row: &Row) -> Row {
        Row(row.0[..self.key].to_vec())
    }

    pub fn names(&self, upto: usize) -> String {
        self.columns[..upto].iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }
}

/// How many rows there are, and a hash of them in their order.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    pub count: u64,
    hash: Sha256,
}

impl PartialEq for Digest {
    fn eq(&self, other: &Digest) -> bool {
        self.count == other.count && self.hash.clone().finalize() == other.hash.clone().finalize()
    }
}

impl Digest {
    pub fn add(&mut self, row: &Row) {
        self.count += 1;
        for value in &row.0 {
            match value {
                Value::Null => self.part(0, &[]),
                Value::Number(number) => self.part(1, &number.to_be_bytes()),
                Value::Text(text) => self.part(2, text.as_bytes()),
                Value::Bytes(bytes) => self.part(3, bytes),
            }
        }
    }

    pub fn add_line(&mut self, line: &str) {
        self.count += 1;
        self.part(2, line.as_bytes());
    }

    /// With its kind and length, so that nothing can be taken for something else.
    fn part(&mut self, kind: u8, bytes: &[u8]) {
        self.hash.update([kind]);
        self.hash.update((bytes.len() as u64).to_be_bytes());
        self.hash.update(bytes);
    }
}

/// The facts of a table: number, id, time, settings with all their texts, secret, state, seats and result.
impl Row {
    pub fn id(&self) -> String {
        self.text(1).unwrap_or_default().to_string()
    }

    pub fn number(&self, at: usize) -> Result<i64> {
        match self.0.get(at) {
            Some(Value::Number(number)) => Ok(*number),
            _ => Err(missing()),
        }
    }

    pub fn text(&self, at: usize) -> Result<&str> {
        match self.0.get(at) {
            Some(Value::Text(text)) => Ok(text),
            _ => Err(missing()),
        }
    }

    pub fn bytes(&self, at: usize) -> Result<&[u8]> {
        match self.0.get(at) {
            Some(Value::Bytes(bytes)) => Ok(bytes),
            _ => Err(missing()),
        }
    }

    pub fn table(&self) -> Result<TableRow> {
        let settings: Settings = serde_json::from_str(self.text(3)?).map_err(damaged)?;
        Ok(TableRow {
            hold: Hold { table: TableNumber(self.number(0)?), epoch: 0 },
            id: self.id(),
            made: self.number(2)?,
            settings,
            secret: self.bytes(4)?.try_into().map_err(|_| missing())?,
            state: read_state(self.text(5)?),
            seats: self.text(6)?.into(),
            result: self.text(7).ok().map(str::to_string),
        })
    }
}

/// Settings as they are compared: written by this program, if it can read them.
pub fn settings_text(stored: String) -> String {
    let read: serde_json::Result<Settings> = serde_json::from_str(&stored);
    read.ok().and_then(|settings| serde_json::to_string(&settings).ok()).unwrap_or(stored)
}

fn missing() -> StoreError {
    StoreError::Damaged("a column of a table".into())
}
