//! Whoever wants to restore or make a table waits until nobody else does: it is taken once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::OwnedMutexGuard;

use super::locked;

/// By the id of the table, while anybody restores it or waits to.
#[derive(Default)]
pub struct Turns(Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>);

/// Nobody else has a turn at this table.
pub struct Turn<'a> {
    turns: &'a Turns,
    id: String,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Turns {
    pub async fn of(&self, id: &str) -> Turn<'_> {
        let lock = Arc::clone(locked(&self.0).entry(id.into()).or_default());
        let mut turn = Turn { turns: self, id: id.into(), guard: None };
        turn.guard = Some(lock.lock_owned().await);
        turn
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.guard = None;
        let mut turns = locked(&self.turns.0);
        // Whoever waits has it as well.
        if turns.get(&self.id).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            turns.remove(&self.id);
        }
    }
}
