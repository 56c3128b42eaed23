//! The hall where the tables stand: makes them, finds them, and sets those up again that were left.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use cards::CardDb;
use cards::deck::Deck;
use cards::tree::Set;
use engine::record::Record;
use engine::{Rules, SetupError};
use thiserror::Error;
use tokio::sync::{Semaphore, mpsc, watch};

use crate::store::{Person, Store, StoreError};
use crate::table::{self, Command};
use crate::wire::{Lobby, NewTable, Settings};

/// Tables that can be under way at once.
const MOST_TABLES: usize = 20_000;

/// Everything the tables share. Clones are the same hall.
#[derive(Clone)]
pub struct Hall(Arc<Inner>);

struct Inner {
    store: Store,
    sets: Vec<Set>,
    tables: Mutex<HashMap<String, Handle>>,
    decks: Mutex<HashMap<String, Arc<Cards>>>,
    thinking: Semaphore,
    stopping: watch::Sender<bool>,
}

/// A deck and its cards, ready to be played.
pub struct Cards {
    pub deck: Deck,
    pub db: CardDb,
}

/// The way to the task that owns a table.
#[derive(Clone)]
pub struct Handle(mpsc::Sender<Command>);

/// Why a table was not made.
#[derive(Debug, Error)]
pub enum NewTableError {
    #[error("there is no deck `{0}`")]
    NoDeck(String),
    #[error("the deck cannot be read:\n{0}")]
    Deck(String),
    #[error(transparent)]
    Rules(#[from] SetupError),
    #[error("{0}")]
    Settings(String),
    #[error("the server has as many tables as it can hold: try again later")]
    Full,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Hall {
    /// Opens the hall and sets up again what was under way.
    pub async fn open(store: Store, sets: Vec<Set>) -> Result<Hall, StoreError> {
        let _ = (store, sets);
        unimplemented!()
    }

    pub fn store(&self) -> &Store {
        &self.0.store
    }

    pub fn sets(&self) -> &[Set] {
        &self.0.sets
    }

    /// Makes a table, its host in the first seat.
    pub async fn create(&self, _host: &Person, _new: NewTable) -> Result<String, NewTableError> {
        unimplemented!()
    }

    pub async fn table(&self, _id: &str) -> Option<Handle> {
        unimplemented!()
    }

    pub async fn info(&self, _id: &str) -> Option<crate::wire::TableInfo> {
        unimplemented!()
    }

    pub async fn lobby(&self, _me: Option<&Person>) -> Lobby {
        unimplemented!()
    }

    /// The record of a game that is over; `None` before, and if there is no such table.
    pub async fn record(&self, _id: &str) -> Result<Option<Record>, StoreError> {
        unimplemented!()
    }

    /// The deck of the settings with its cards.
    pub fn cards(&self, _settings: &Settings) -> Result<Arc<Cards>, NewTableError> {
        unimplemented!()
    }

    /// No more moves: whatever was taken is stored, and everybody is told goodbye.
    pub async fn stop(&self) {}
}

impl Handle {
    /// Sits a connection down at the table; everything it is told goes to `outbox`.
    pub async fn join(
        &self,
        _person: Person,
        _entropy: Option<[u8; 32]>,
        _outbox: table::Outbox,
    ) -> Result<table::ConnectionId, crate::wire::Farewell> {
        unimplemented!()
    }

    /// `false`: the table is gone.
    pub async fn send(&self, _from: table::ConnectionId, _message: crate::wire::ClientMsg) -> bool {
        unimplemented!()
    }

    pub async fn leave(&self, _connection: table::ConnectionId) {}
}
