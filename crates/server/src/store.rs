//! Everything that must survive a restart: people, tables and their logs. This is the only door to it, and says what
//! each way through it means; `sqlite` keeps it in a data folder, `postgres` in a database that servers can share.
//!
//! Invariants: the log of a table is only ever appended to; whoever made a change hears of it when it is kept; a change
//! is kept as a whole or not at all.

mod daily;
mod fit;
pub mod moving;
mod people;
pub mod postgres;
mod sessions;
pub mod sqlite;
mod tables;

use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;
use tokio::sync::mpsc;

use crate::nodes::NodeNumber;
use crate::wire::{BossTitle, DailyScore, Settings};

pub use daily::Day;
pub use fit::{Fit, Misfit};
pub use people::{Person, PersonId};
pub use sessions::{SESSION_LENGTH, Session, SessionId};
pub use tables::{Change, Hold, KeptWishes, LogEntry, SeatHolder, TableNumber, TableRow, TableSummary};

#[derive(Debug, Error)]
pub enum StoreError {
    #[error("the data folder {folder} cannot be used: {reason}")]
    Folder { folder: PathBuf, reason: std::io::Error },
    #[error(
        "the data folder {0} is in use by another lair: stop it, or start this one with another --data folder"
    )]
    InUse(PathBuf),
    #[error(
        "the data folder {folder} was written by a newer lair (version {there}; this one knows {known}): \
         use that one, or another --data folder"
    )]
    Newer { folder: PathBuf, there: u32, known: u32 },
    #[error(transparent)]
    Postgres(#[from] postgres::Problem),
    #[error("{0} is away: {1}")]
    Away(String, String),
    #[error("PostgreSQL refuses: {1}")]
    Refused(String, String),
    #[error("another server has taken the table")]
    Lost,
    #[error("another server, {name}, has the table")]
    Elsewhere { node: NodeNumber, name: String },
    #[error("database error: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("changes cannot be written: {0}")]
    NotWritten(String),
    #[error("the database has stopped")]
    Stopped,
    #[error("the database is damaged: {0}")]
    Damaged(String),
}

type Result<T, E = StoreError> = std::result::Result<T, E>;

/// A handle; clones share what it keeps.
#[derive(Clone)]
pub enum Store {
    /// In a data folder, by one process.
    Folder(sqlite::Store),
    /// In a PostgreSQL database, perhaps by several.
    Shared(postgres::Store),
}

/// What servers that share a store hear of each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A table in play of a server that is dead; it is to be taken here.
    Orphan(String),
    /// A table that is held here and asked for elsewhere.
    Wanted(String),
}

/// A server that shares the store, and how often it has said that it lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeBeat {
    pub node: NodeNumber,
    pub name: String,
    pub beat: i64,
}

/// The same call, wherever everything is kept.
macro_rules! each {
    ($store:expr, $inner:ident => $call:expr) => {
        match $store {
            Store::Folder($inner) => $call,
            Store::Shared($inner) => $call,
        }
    };
}

impl Store {
    /// Opens a data folder or creates it, and migrates an older one.
    pub fn open(folder: &Path) -> Result<Store> {
        Ok(Store::Folder(sqlite::Store::open(folder)?))
    }

    /// Connects to a database as the node of this name, and makes or migrates what is in it. An older node of that name
    /// is dead from then on.
    pub async fn connect(address: &postgres::Address, node: &str) -> Result<Store> {
        Store::connect_with(address, node, &Fit::without_cards(false), None).await
    }

    /// The same for one with these cards, and perhaps a bus; where a server without a sign of life is declared dead after
    /// another time than usual.
    pub async fn connect_with(
        address: &postgres::Address,
        node: &str,
        fit: &Fit,
        lease: Option<Duration>,
    ) -> Result<Store> {
        Ok(Store::Shared(postgres::Store::connect(address, node, fit, lease).await?))
    }

    /// Watches the servers that share the store, and tells what concerns this one.
    pub fn news(&self) -> Option<mpsc::Receiver<News>> {
        match self {
            Store::Folder(_) => None,
            Store::Shared(store) => Some(store.news()),
        }
    }

    /// Keeps what still waits, and lets others take everything that is held here.
    pub async fn close(&self) {
        match self {
            Store::Folder(_) => {}
            Store::Shared(store) => store.close().await,
        }
    }

    /// Why this server may not go on: others have what it held. Waits until there is a reason.
    pub async fn deposed(&self) -> String {
        match self {
            Store::Folder(_) => std::future::pending().await,
            Store::Shared(store) => store.deposed().await,
        }
    }

    /// The number of this server among those that share the store.
    pub fn node(&self) -> Option<NodeNumber> {
        match self {
            Store::Folder(_) => None,
            Store::Shared(store) => Some(store.node()),
        }
    }

    /// Tells the servers that share the store whether this one can reach the bus; whether another one can.
    pub fn tell_bus(&self, reached: bool) -> bool {
        match self {
            Store::Folder(_) => false,
            Store::Shared(store) => store.tell_bus(reached),
        }
    }

    /// Other servers that say that they live and can reach the bus.
    pub async fn others_with_bus(&self) -> Result<Vec<NodeBeat>> {
        match self {
            Store::Folder(_) => Ok(Vec::new()),
            Store::Shared(store) => store.others_with_bus().await,
        }
    }

    /// Whether a change may wait for long, and not be refused, when something is wrong.
    pub fn may_wait(&self) -> bool {
        matches!(self, Store::Shared(_))
    }

    /// Whether entries of this kind may be written: every server that could have to read them does.
    pub fn takes(&self, entry: &LogEntry) -> bool {
        match self {
            Store::Folder(_) => true,
            Store::Shared(store) => entry.kind() <= store.entries(),
        }
    }

    /// The data folder behind it, for those who look inside: nothing but tests.
    #[doc(hidden)]
    pub fn folder(&self) -> Option<&sqlite::Store> {
        match self {
            Store::Folder(store) => Some(store),
            Store::Shared(_) => None,
        }
    }

    /// Whether it can read and, if the last change could not be written, whether that works again.
    pub async fn check_health(&self) -> Result<()> {
        each!(self, store => store.check_health().await)
    }

    /// The secret that signs cookies, created on first use.
    pub async fn cookie_secret(&self) -> Result<[u8; 64]> {
        each!(self, store => store.cookie_secret().await)
    }
}

/// People and their sessions.
impl Store {
    pub async fn new_guest(&self, name: String) -> Result<Person> {
        each!(self, store => store.new_guest(name).await)
    }

    /// Accounts keep their names.
    pub async fn rename_guest(&self, id: PersonId, name: String) -> Result<()> {
        each!(self, store => store.rename_guest(id, name).await)
    }

    /// Turns a guest into an account, whose earlier sessions end, or creates a new one; `None` if the name, or one that
    /// looks like it, is taken.
    pub async fn new_account(
        &self,
        guest: Option<PersonId>,
        name: String,
        passphrase: String,
    ) -> Result<Option<(Person, Vec<SessionId>)>> {
        each!(self, store => store.new_account(guest, name, passphrase).await)
    }

    /// The account that someone means by this name, and its hashed passphrase: the account of exactly this name, or the
    /// one that looks like it.
    pub async fn account(&self, name: String) -> Result<Option<(Person, String)>> {
        each!(self, store => store.account(name).await)
    }

    /// A new session, which replaces another one.
    pub async fn new_session(
        &self,
        person: PersonId,
        about: String,
        replaces: Option<SessionId>,
    ) -> Result<SessionId> {
        each!(self, store => store.new_session(person, about, replaces).await)
    }

    /// The session, unless it was revoked or has ended.
    pub async fn session(&self, id: SessionId) -> Result<Option<Session>> {
        each!(self, store => store.session(id).await)
    }

    /// It was used just now.
    pub async fn session_seen(&self, id: SessionId) -> Result<()> {
        each!(self, store => store.session_seen(id).await)
    }

    /// A person's sessions, the last used first.
    pub async fn sessions(&self, person: PersonId) -> Result<Vec<Session>> {
        each!(self, store => store.sessions(person).await)
    }

    /// Ends one of a person's sessions; `false` if there is no such session.
    pub async fn revoke(&self, person: PersonId, id: SessionId) -> Result<bool> {
        each!(self, store => store.revoke(person, id).await)
    }

    /// Ends all of a person's sessions but one, and says which.
    pub async fn revoke_others(&self, person: PersonId, keep: SessionId) -> Result<Vec<SessionId>> {
        each!(self, store => store.revoke_others(person, keep).await)
    }
}

/// Tables and their logs.
impl Store {
    /// A new table, with the beginning of its log. It is held from the beginning.
    pub async fn new_table(
        &self,
        id: String,
        settings: Settings,
        secret: [u8; 32],
        change: Change<'_>,
    ) -> Result<TableRow> {
        each!(self, store => store.new_table(id, settings, secret, change).await)
    }

    /// Takes a table in order to change it, and then reads its log: nobody else can add to it any more.
    pub async fn take(&self, id: &str) -> Result<Option<(TableRow, Vec<LogEntry>)>> {
        match self {
            Store::Folder(store) => store.table(id).await,
            Store::Shared(store) => store.take(id).await,
        }
    }

    /// Asks whoever holds a table to give it, if nobody is there.
    pub async fn want(&self, id: &str) -> Result<()> {
        match self {
            Store::Folder(_) => Ok(()),
            Store::Shared(store) => store.want(id).await,
        }
    }

    /// Lets others take a table, after its last change.
    pub fn give(&self, hold: Hold) {
        match self {
            Store::Folder(_) => {}
            Store::Shared(store) => store.give(hold),
        }
    }

    /// Changes a table that is held and whose log has `from` entries so far; done when it is kept.
    pub async fn change(&self, hold: Hold, from: u32, change: Change<'_>) -> Result<()> {
        match self {
            Store::Folder(store) => store.change(hold, from, change).await,
            // On its own, so that tables of a data folder need no room for it.
            Store::Shared(store) => Box::pin(store.change(hold, from, change)).await,
        }
    }

    /// A table without its log. Looking takes nothing.
    pub async fn table_row(&self, id: &str) -> Result<Option<TableRow>> {
        each!(self, store => store.table_row(id).await)
    }

    /// A table with its log. Looking takes nothing.
    pub async fn table(&self, id: &str) -> Result<Option<(TableRow, Vec<LogEntry>)>> {
        each!(self, store => store.table(id).await)
    }

    /// Keeps what a player wishes at a table that is held; nobody waits for it, but it is kept before any later change.
    pub fn keep_wishes(&self, hold: Hold, person: PersonId, wishes: &KeptWishes) {
        each!(self, store => store.keep_wishes(hold, person, wishes))
    }

    /// What the players of a table wish. What cannot be read is nobody's wish.
    pub async fn wishes(&self, table: TableNumber) -> Result<Vec<(PersonId, KeptWishes)>> {
        each!(self, store => store.wishes(table).await)
    }

    /// Every table made since then that is not over, oldest first.
    pub async fn unfinished(&self, since: i64) -> Result<Vec<String>> {
        each!(self, store => store.unfinished(since).await)
    }

    /// A person's tables that are not over, newest first.
    pub async fn unfinished_of(&self, person: PersonId, most: u32) -> Result<Vec<String>> {
        each!(self, store => store.unfinished_of(person, most).await)
    }

    /// A person's games, newest first, without the texts of decks and cards. A row that cannot be read does not hide the
    /// others.
    pub async fn history(&self, person: PersonId, most: u32) -> Result<Vec<(TableRow, u8)>> {
        each!(self, store => store.history(person, most).await)
    }
}

/// Today's dungeon: the secret of each day, who has tried it, and the scores; and everybody's own titles. A day's secret
/// is drawn after the day has begun, and never changes; a person has one attempt a day.
impl Store {
    /// The secret of this day's dungeon, drawn when it is first asked for: not before the day has begun.
    pub async fn secret_of(&self, day: Day) -> Result<[u8; 32]> {
        each!(self, store => store.secret_of(day).await)
    }

    /// The same, if it was drawn.
    pub async fn known_secret_of(&self, day: Day) -> Result<Option<[u8; 32]>> {
        each!(self, store => store.known_secret_of(day).await)
    }

    /// The table of the person's attempt at this day: that of an earlier one, or else `fresh`. Attempts of one network
    /// are counted.
    pub async fn attempt(
        &self,
        day: Day,
        person: PersonId,
        fresh: String,
        network: Vec<u8>,
    ) -> Result<String> {
        each!(self, store => store.attempt(day, person, fresh, network).await)
    }

    /// The table of the person's attempt at this day.
    pub async fn attempt_of(&self, day: Day, person: PersonId) -> Result<Option<String>> {
        each!(self, store => store.attempt_of(day, person).await)
    }

    /// The day whose dungeon is played at this table.
    pub async fn day_of(&self, table: &str) -> Result<Option<Day>> {
        each!(self, store => store.day_of(table).await)
    }

    /// The scores of a day, best first; whoever was quicker to reach one comes first, and equal ones share a place.
    pub async fn scores_of(&self, day: Day, most: u32) -> Result<Vec<(PersonId, DailyScore)>> {
        each!(self, store => store.scores_of(day, most).await)
    }

    /// A person's best title with each boss, alone and in the challenge; the best first.
    pub async fn titles_of(&self, person: PersonId) -> Result<Vec<BossTitle>> {
        each!(self, store => store.titles_of(person).await)
    }
}

/// Puzzles.
impl Store {
    /// The person has solved it, now or before.
    pub async fn solve(&self, person: PersonId, puzzle: String) -> Result<()> {
        each!(self, store => store.solve(person, puzzle).await)
    }

    /// The names of the puzzles that the person has solved, sorted.
    pub async fn solved(&self, person: PersonId) -> Result<Vec<String>> {
        each!(self, store => store.solved(person).await)
    }
}

/// Cryptographically random bytes.
pub fn fill_random(bytes: &mut [u8]) {
    getrandom::fill(bytes).unwrap_or_else(|error| {
        tracing::error!(%error, "the system has no random numbers");
        std::process::abort()
    });
}

/// Seconds since 1970.
pub fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}
