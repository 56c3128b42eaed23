//! Where tables with cards of their own run: on a thread aside, with their bots on another. However long such a card
//! takes, no other table waits for it.

use std::future::Future;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Runtime};

use crate::thinking::Thinking;

pub struct Aside {
    /// Made for the first such table; `None` if it could not be made.
    runtime: OnceLock<Option<Runtime>>,
    pub thinking: Thinking,
}

impl Aside {
    pub fn new() -> Aside {
        Aside { runtime: OnceLock::new(), thinking: Thinking::new(1) }
    }

    pub fn spawn(&self, table: impl Future<Output = ()> + Send + 'static) {
        let make = || {
            Builder::new_multi_thread().worker_threads(1).thread_name("lair-aside").enable_all().build().ok()
        };
        match self.runtime.get_or_init(make) {
            Some(runtime) => drop(runtime.spawn(table)),
            None => drop(tokio::spawn(table)),
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take().flatten() {
            // Without waiting: this may be one of its own threads.
            runtime.shutdown_background();
        }
    }
}
