//! Moves everything from one store to another, empty one: counted, read back and compared, every game replayed.
//!
//! Invariants: the source stays as it is, byte for byte; the target has everything or nothing, whenever it is
//! interrupted.

mod folder;
mod rows;
mod shared;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cards::tree::Set;
use thiserror::Error;

use super::postgres::Address;
use super::{StoreError, TableRow};
use crate::hall::PlayableDeck;
use crate::store::LogEntry;
use crate::table;
use crate::wire::Settings;
use folder::{FolderSource, FolderTarget};
use rows::{Digest, PLAIN, Plain, Row};
use shared::{SharedSource, SharedTarget};

/// Where a store is kept.
#[derive(Clone, Debug)]
pub enum Place {
    Folder(PathBuf),
    Database(Address),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Folder(folder) => write!(f, "{}", folder.display()),
            Place::Database(address) => write!(f, "{address}"),
        }
    }
}

#[derive(Debug, Error)]
pub enum MoveError {
    #[error("there is nothing to move in {0}")]
    NoSource(Place),
    #[error("{0} is not empty: moving is only possible into a new folder or an empty database")]
    NotEmpty(Place),
    #[error("a server is using {0}: stop it first")]
    InUse(Place),
    #[error("{what} are not the same there as here ({here} and {there} rows): nothing was moved")]
    Differs { what: &'static str, here: u64, there: u64 },
    #[error("the log of table {0} is not the same there as here: nothing was moved")]
    LogDiffers(String),
    #[error("interrupted: nothing was moved")]
    Interrupted,
    #[error("{0}: {1}")]
    Files(String, std::io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("database error: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("PostgreSQL: {}", super::postgres::told(.0))]
    Postgres(#[from] tokio_postgres::Error),
}

type Result<T, E = MoveError> = std::result::Result<T, E>;

/// What was moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Rows of each kind.
    pub rows: Vec<(&'static str, u64)>,
    pub tables: u64,
    pub entries: u64,
    /// Tables whose games were replayed from what is in the target.
    pub replayed: u64,
    /// Those that cannot be replayed, there as little as here, and why.
    pub damaged: Vec<(String, String)>,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Copying,
    Checking,
}

/// Those who want to know, and whoever wants it to stop.
pub struct Watch<'a> {
    /// Called with every table: which step, how many are done, and of how many.
    pub progress: &'a mut dyn FnMut(Step, u64, u64),
    pub stop: &'a AtomicBool,
}

impl Watch<'_> {
    fn at(&mut self, step: Step, done: u64, all: u64) -> Result<()> {
        (self.progress)(step, done, all);
        match self.stop.load(Ordering::Relaxed) {
            true => Err(MoveError::Interrupted),
            false => Ok(()),
        }
    }
}

enum Source {
    Folder(FolderSource),
    Shared(Box<SharedSource>),
}

enum Target {
    Folder(FolderTarget),
    Shared(Box<SharedTarget>),
}

/// A table as it is moved: its facts, and its log, an entry a line.
pub(super) struct Moving {
    facts: Row,
    lines: Vec<String>,
}

/// Moves everything; the cards are those that games are replayed with.
pub async fn move_data(from: &Place, to: &Place, sets: &[Set], mut watch: Watch<'_>) -> Result<Moved> {
    let mut source = match from {
        Place::Folder(folder) => Source::Folder(FolderSource::open(folder)?),
        Place::Database(address) => Source::Shared(Box::new(SharedSource::open(address).await?)),
    };
    let mut target = match to {
        Place::Folder(folder) => Target::Folder(FolderTarget::create(folder)?),
        Place::Database(address) => Target::Shared(Box::new(SharedTarget::open(address).await?)),
    };
    let moved = copy_and_check(&mut source, &mut target, sets, &mut watch).await;
    match (moved, target) {
        (Ok(moved), Target::Folder(target)) => target.finish().map(|()| moved),
        (Ok(moved), Target::Shared(target)) => target.finish().await.map(|()| moved),
        // What is there goes away with the target.
        (Err(error), _) => Err(error),
    }
}

async fn copy_and_check(
    source: &mut Source,
    target: &mut Target,
    sets: &[Set],
    watch: &mut Watch<'_>,
) -> Result<Moved> {
    let mut moved = Moved::default();
    let tables = source.tables().await?;
    let all = tables.len() as u64;
    // People come before what names them, tables before who played there.
    let (before, after) = PLAIN.split_at(rows::BEFORE_TABLES);
    let mut digests: Vec<(Digest, &Plain)> = Vec::new();
    for plain in before {
        digests.push((copy(source, target, plain).await?, plain));
    }
    let mut logs: HashMap<i64, Digest> = HashMap::new();
    for (done, no) in (0..).zip(&tables) {
        watch.at(Step::Copying, done, all)?;
        let table = source.table(*no).await?;
        moved.entries += table.lines.len() as u64;
        logs.insert(*no, table.digest());
        target.add_table(table).await?;
    }
    for plain in after {
        digests.push((copy(source, target, plain).await?, plain));
    }
    target.all_is_there().await?;
    for (here, plain) in digests {
        let there = target.digest(plain).await?;
        if here != there {
            return Err(MoveError::Differs { what: plain.name, here: here.count, there: there.count });
        }
        moved.rows.push((plain.name, there.count));
    }
    let there = target.tables().await?;
    if there != tables {
        return Err(MoveError::Differs { what: "tables", here: all, there: there.len() as u64 });
    }
    let mut decks = Decks { sets, known: HashMap::new() };
    for (done, no) in (0..).zip(&tables) {
        watch.at(Step::Checking, done, all)?;
        let table = target.table(*no).await?;
        if logs.get(no) != Some(&table.digest()) {
            return Err(MoveError::LogDiffers(table.id()));
        }
        match decks.replay(&table) {
            Ok(()) => moved.replayed += 1,
            Err(error) => moved.damaged.push((table.id(), error.to_string())),
        }
    }
    moved.tables = all;
    Ok(moved)
}

async fn copy(source: &mut Source, target: &mut Target, plain: &Plain) -> Result<Digest> {
    let mut digest = Digest::default();
    let mut after = None;
    loop {
        let rows = source.rows(plain, after.as_ref()).await?;
        let Some(last) = rows.last() else { return Ok(digest) };
        after = Some(plain.key_of(last));
        rows.iter().for_each(|row| digest.add(row));
        target.add(plain, rows).await?;
    }
}

impl Moving {
    fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        digest.add(&self.facts);
        self.lines.iter().for_each(|line| digest.add_line(line));
        digest
    }

    fn id(&self) -> String {
        self.facts.id()
    }

    /// The same table as the server reads it.
    fn read(&self) -> Result<(TableRow, Vec<LogEntry>), StoreError> {
        Ok((self.facts.table()?, super::tables::read_log(self.lines.iter().map(String::as_str))?))
    }
}

/// Decks that games are replayed with.
struct Decks<'a> {
    sets: &'a [Set],
    known: HashMap<(String, Option<String>, Option<String>), Arc<PlayableDeck>>,
}

impl Decks<'_> {
    fn of(&mut self, settings: &Settings) -> Result<Arc<PlayableDeck>, StoreError> {
        let key = (settings.deck.clone(), settings.deck_text.clone(), settings.cards_text.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(Arc::clone(known));
        }
        let read = PlayableDeck::read(settings, self.sets);
        let cards = Arc::new(read.map_err(|error| StoreError::Damaged(error.to_string()))?);
        // Those with texts of their own come once.
        if key.1.is_none() && key.2.is_none() {
            self.known.insert(key, Arc::clone(&cards));
        }
        Ok(cards)
    }

    fn replay(&mut self, table: &Moving) -> Result<(), StoreError> {
        let (row, log) = table.read()?;
        let cards = self.of(&row.settings)?;
        table::replays(&cards, row, log)
    }
}

impl Source {
    async fn tables(&mut self) -> Result<Vec<i64>> {
        match self {
            Source::Folder(source) => folder::tables(source.db()),
            Source::Shared(source) => shared::tables(source.db()).await,
        }
    }

    async fn table(&mut self, no: i64) -> Result<Moving> {
        match self {
            Source::Folder(source) => folder::table(source.db(), no),
            Source::Shared(source) => shared::table(source.db(), no).await,
        }
    }

    async fn rows(&mut self, plain: &Plain, after: Option<&Row>) -> Result<Vec<Row>> {
        match self {
            Source::Folder(source) => folder::rows(source.db(), plain, after),
            Source::Shared(source) => shared::rows(source.db(), plain, after).await,
        }
    }
}

impl Target {
    async fn add(&mut self, plain: &Plain, rows: Vec<Row>) -> Result<()> {
        match self {
            Target::Folder(target) => folder::add(target.db(), plain, &rows),
            Target::Shared(target) => shared::add(target.db(), plain, &rows).await,
        }
    }

    async fn add_table(&mut self, table: Moving) -> Result<()> {
        match self {
            Target::Folder(target) => folder::add_table(target.db(), &table),
            Target::Shared(target) => shared::add_table(target.db(), &table).await,
        }
    }

    /// Everything was added. From now on it is read.
    async fn all_is_there(&mut self) -> Result<()> {
        match self {
            Target::Folder(target) => target.all_is_there(),
            Target::Shared(target) => shared::all_is_there(target.db()).await,
        }
    }

    async fn digest(&mut self, plain: &Plain) -> Result<Digest> {
        let (mut digest, mut after) = (Digest::default(), None);
        loop {
            let rows = match self {
                Target::Folder(target) => folder::rows(target.db(), plain, after.as_ref())?,
                Target::Shared(target) => shared::rows(target.db(), plain, after.as_ref()).await?,
            };
            let Some(last) = rows.last() else { return Ok(digest) };
            after = Some(plain.key_of(last));
            rows.iter().for_each(|row| digest.add(row));
        }
    }

    async fn tables(&mut self) -> Result<Vec<i64>> {
        match self {
            Target::Folder(target) => folder::tables(target.db()),
            Target::Shared(target) => shared::tables(target.db()).await,
        }
    }

    async fn table(&mut self, no: i64) -> Result<Moving> {
        match self {
            Target::Folder(target) => folder::table(target.db(), no),
            Target::Shared(target) => shared::table(target.db(), no).await,
        }
    }
}

/// The files of a data folder that hold what is in it.
fn database_files(folder: &Path) -> [PathBuf; 2] {
    ["lair.db", "lair.db-wal"].map(|name| folder.join(name))
}
