//! What the parts of a store share.

use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

pub struct Shared {
    /// The number of this server among the nodes.
    pub node: i64,
    /// The newest kind of log entries that every living server reads.
    pub entries: AtomicU32,
    /// Whether this server can reach the bus, and whether another one can.
    pub has_bus: AtomicBool,
    pub others_have_bus: AtomicBool,
    /// Why changes cannot be written just now.
    trouble: Mutex<Option<String>>,
    /// Whether it is over, and why, if it was not told to close.
    ended: watch::Sender<Option<Option<String>>>,
}

impl Shared {
    pub fn new(node: i64, entries: u32) -> Shared {
        let (trouble, ended) = (Mutex::default(), watch::channel(None).0);
        let (has_bus, others_have_bus) = Default::default();
        Shared { node, entries: entries.into(), has_bus, others_have_bus, trouble, ended }
    }

    pub fn trouble(&self, reason: Option<String>) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = reason;
    }

    pub fn known_trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The first reason counts.
    pub fn end(&self, reason: Option<String>) {
        self.ended.send_if_modified(|ended| ended.is_none().then(|| *ended = Some(reason)).is_some());
    }

    /// Waits until it is over, for whatever reason.
    pub async fn over(&self) {
        let _ = self.ended.subscribe().wait_for(Option::is_some).await;
    }

    /// Why this server may not go on; waits until there is a reason.
    pub async fn ended(&self) -> String {
        let mut ended = self.ended.subscribe();
        loop {
            if let Some(Some(reason)) = ended.borrow_and_update().clone() {
                return reason;
            }
            if ended.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}
