//! Halls of several servers that share a store: a table is at one of them, and moves when that one dies or nobody is
//! there.
//!
//! Invariant: looking never takes; a table comes only to whoever wants to sit down there.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use super::{Hall, Inner, NoTable, TableHandle};
use crate::store::News;
use crate::table::Command;
use crate::work::Requester;

/// How long somebody waits for a table that is at another server.
const COMING: Duration = Duration::from_secs(2);
const AGAIN: Duration = Duration::from_millis(100);

impl Hall {
    /// A table for somebody who wants to sit down there: if it is at another server and nobody is there, it comes here.
    pub async fn table_here(&self, id: &str) -> Result<TableHandle, NoTable> {
        let until = Instant::now() + COMING;
        loop {
            match self.table(id).await {
                Err(NoTable::Elsewhere(_)) if Instant::now() < until => {
                    if let Err(error) = self.store().want(id).await {
                        tracing::warn!(table = id, %error, "a table cannot be asked for");
                    }
                    sleep(AGAIN).await;
                }
                found => return found,
            }
        }
    }

    /// Gives all tables to other servers, and takes none.
    pub(crate) async fn withdraw(&self) {
        self.0.withdrawn.store(true, Ordering::Relaxed);
        self.close_tables().await;
    }

    /// Takes tables again.
    pub(crate) fn come_back(&self) {
        self.0.withdrawn.store(false, Ordering::Relaxed);
    }

    pub fn is_withdrawn(&self) -> bool {
        self.0.withdrawn.load(Ordering::Relaxed)
    }
}

/// Goes on with the tables of servers that have died, so that bots and clocks wait for nobody; and lets those go that are
/// wanted elsewhere.
pub async fn hear(hall: Weak<Inner>, mut news: mpsc::Receiver<News>) {
    while let Some(news) = news.recv().await {
        let Some(hall) = hall.upgrade().map(|inner| Hall(Arc::clone(&inner), Requester::Server)) else {
            return;
        };
        match news {
            News::Orphan(id) => {
                if hall.table(&id).await.is_ok() {
                    metrics::counter!("lair_tables_taken_total", "why" => "dead").increment(1);
                    tracing::info!(table = id, "a table of a dead server goes on here");
                }
            }
            News::Wanted(id) => {
                let handle = hall.tables().get(&id).cloned();
                if let Some(handle) = handle {
                    let _ = handle.commands.try_send(Command::Yield.into());
                }
            }
        }
    }
}
