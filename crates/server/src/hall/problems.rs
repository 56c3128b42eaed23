//! Why there is no table.

use std::time::Duration;

use engine::SetupError;
use thiserror::Error;

use crate::nodes::NodeNumber;
use crate::own_cards::OwnCardsError;
use crate::store::StoreError;
use crate::wire::CloseReason;
use crate::work::WorkError;

/// Why a table could not be made.
#[derive(Debug, Error)]
pub enum NewTableError {
    #[error("there is no deck `{0}`: /api/decks lists them all")]
    NoDeck(String),
    #[error("the deck cannot be read:\n{0}")]
    Deck(String),
    #[error(transparent)]
    Cards(#[from] OwnCardsError),
    #[error(transparent)]
    Rules(#[from] SetupError),
    #[error("{0}")]
    Settings(String),
    #[error("the server cannot hold any more tables: try again later")]
    Full,
    #[error("too many new tables: try again in {} s", .0.as_secs() + 1)]
    TooFast(Duration),
    #[error("too many tables from your address are open: leave some of them first")]
    TooMany,
    #[error("too many tables with their own cards from your address are open: leave some of them first")]
    TooManyOwn,
    #[error("the server cannot hold any more tables with their own cards: try again later")]
    FullOwn,
    #[error(transparent)]
    Work(#[from] WorkError),
    #[error("the server is stopping: try again in a moment")]
    Stopping,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why nobody can sit down at a table.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum NoTable {
    #[error("there is no such table: the link may be incomplete")]
    Unknown,
    #[error(
        "this table cannot be restored: its log is damaged, or its game was begun with other cards or rules. Nothing is \
         lost, the log is kept as it is; please tell whoever runs this server"
    )]
    CannotRestore,
    #[error("the server is stopping; everything is saved: come back in a moment")]
    Stopping,
    #[error("the server is waiting for its database; everything is saved: come back in a moment")]
    Waiting,
    #[error("this server cannot reach the others; everything is saved: come back in a moment")]
    Withdrawn,
    #[error("the table is at another server: come back in a moment")]
    Elsewhere(NodeNumber),
}

impl From<NoTable> for CloseReason {
    fn from(reason: NoTable) -> CloseReason {
        match reason {
            NoTable::Unknown => CloseReason::NoSuchTable,
            NoTable::CannotRestore => CloseReason::CannotRestore,
            // Whoever is told this comes back.
            NoTable::Stopping | NoTable::Waiting | NoTable::Withdrawn | NoTable::Elsewhere(_) => {
                CloseReason::Stopping
            }
        }
    }
}
