//! Records of finished games.

use std::sync::Arc;

use engine::record::Record;
use thiserror::Error;

use super::{Hall, PlayableDeck, is_id};
use crate::store::StoreError;
use crate::table;
use crate::wire::TableState;
use crate::work::WorkError;

/// Why a record cannot be had.
#[derive(Debug, Error)]
pub enum RecordError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Work(#[from] WorkError),
    #[error("this is today's dungeon: its record can be read tomorrow")]
    Withheld,
}

impl Hall {
    /// How far a table is, without loading it; `None` if there is no such table.
    pub async fn state(&self, id: &str) -> Result<Option<TableState>, StoreError> {
        if !is_id(id) {
            return Ok(None);
        }
        Ok(self.0.store.table_row(id).await?.and_then(|row| row.state))
    }

    /// The record of a finished game; `None` before its end, and if there is no such table.
    pub async fn record(&self, id: &str) -> Result<Option<Record>, RecordError> {
        self.with_record(id, "record", |record, _| record).await
    }

    /// The same, with the cards to play it again with.
    pub async fn record_and_cards(
        &self,
        id: &str,
    ) -> Result<Option<(Record, Arc<PlayableDeck>)>, RecordError> {
        self.with_record(id, "record", |record, cards| (record, Arc::clone(cards))).await
    }

    /// What can be made from a record, in the work pool.
    pub async fn with_record<T: Send + 'static>(
        &self,
        id: &str,
        kind: &'static str,
        make: impl FnOnce(Record, &Arc<PlayableDeck>) -> T + Send + 'static,
    ) -> Result<Option<T>, RecordError> {
        // A refusal costs no more than a look at the table's state.
        if self.state(id).await? != Some(TableState::Over) {
            return Ok(None);
        }
        if self.is_withheld(id).await? {
            return Err(RecordError::Withheld);
        }
        // The log can be long: nobody has it read who may not use it.
        self.0.work.check(self.1)?;
        let Some((row, log)) = self.0.store.table(id).await? else { return Ok(None) };
        let hall = self.clone();
        let made = self.work(kind, move || {
            let cards = hall.read_cards(&row.settings);
            let cards = cards.map_err(|error| StoreError::Damaged(error.to_string()))?;
            let record = table::record(&cards, row, log)?;
            Ok::<_, StoreError>(record.map(|record| make(record, &cards)))
        });
        Ok(made.await??)
    }
}
