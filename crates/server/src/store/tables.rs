//! Tables, and the log of each, from which the table can be restored.

use bots::BotLevel;
use engine::record::{ActionText, Hex};
use serde::{Deserialize, Serialize};

use super::{PersonId, Result, StoreError};
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
    /// The version of the rules that it is played by.
    Rules(u32),
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
    /// How long this player has taken over the question that is open, in milliseconds; the table is about to be left.
    Spent(u8, u64),
    /// A line of chat, by the player of this seat or somebody who watches.
    Said {
        seat: Option<u8>,
        name: String,
        text: String,
    },
    Rematch(String),
    /// The game was stopped: it had gone on for far too long.
    Stopped,
    /// An update was sent without any other entry.
    Shown,
}

impl LogEntry {
    /// The newest kind there is. A program can read entries of the kinds that it knows and of all before them; of several
    /// servers, none writes a kind that another one could not read.
    pub const NEWEST: u32 = 2;

    pub fn kind(&self) -> u32 {
        match self {
            LogEntry::Spent(..) | LogEntry::Said { .. } | LogEntry::Rules(_) => 2,
            _ => 1,
        }
    }
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
    /// Its number, and what a change to it must show.
    pub hold: Hold,
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

/// Who may change a table: whoever took it last. `Store::take` and `Store::new_table` give one that allows it; one that
/// was merely looked up does not, where it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    pub table: TableNumber,
    /// How often the table has been taken. In a data folder, which has one owner, it is always 0.
    pub(super) epoch: i32,
}

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

/// A change whose entries are already JSON, for the writer.
pub(super) struct PreparedChange {
    pub entries: Vec<String>,
    pub players: Vec<(PersonId, u8)>,
    pub left: Vec<PersonId>,
    pub summary: Option<TableSummary>,
    pub settings: Option<String>,
}

impl KeptWishes {
    /// As it is stored; a player who is asked the usual way and has nothing armed needs no row.
    pub(super) fn to_text(&self) -> serde_json::Result<Option<String>> {
        Some(self).filter(|wishes| **wishes != KeptWishes::default()).map(serde_json::to_string).transpose()
    }
}

impl PreparedChange {
    pub fn of(change: Change<'_>) -> Result<PreparedChange> {
        let Change { entries, players, left, summary, settings } = change;
        let entries = entries.iter().map(serde_json::to_string).collect::<serde_json::Result<_>>();
        let settings = settings.map(|settings| serde_json::to_string(&settings)).transpose();
        let (entries, settings) = (entries.map_err(damaged)?, settings.map_err(damaged)?);
        Ok(PreparedChange { entries, players, left, summary, settings })
    }
}

pub(super) fn state_word(state: Option<TableState>) -> &'static str {
    match state {
        Some(TableState::Open) => "open",
        Some(TableState::Playing) => "playing",
        Some(TableState::Over) => "over",
        None => "closed",
    }
}

pub(super) fn read_state(word: &str) -> Option<TableState> {
    match word {
        "open" => Some(TableState::Open),
        "playing" => Some(TableState::Playing),
        "over" => Some(TableState::Over),
        _ => None,
    }
}

/// The entries of a log, from a line each.
pub(super) fn read_log<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Vec<LogEntry>> {
    let entries = lines.into_iter().map(serde_json::from_str).collect::<serde_json::Result<_>>();
    entries.map_err(damaged)
}

pub(super) fn damaged(error: serde_json::Error) -> StoreError {
    StoreError::Damaged(error.to_string())
}
