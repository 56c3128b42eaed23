//! The bus for programs that are not asynchronous: a thread of its own, and calls that wait.

use std::future::Future;
use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::{Address, Bus, BusError, Bytes, Unanswered};

/// A bus and the runtime that drives it. Its calls wait, so they are not for asynchronous code.
pub struct Line {
    // Before the runtime, so that it is dropped before it.
    bus: Bus,
    runtime: Runtime,
}

impl Line {
    /// Connects, or says why not.
    pub fn open(address: &Address, name: &str) -> Result<Line, BusError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("bus").enable_all().build();
        let at = || address.to_string();
        let runtime =
            runtime.map_err(|error: io::Error| BusError::Mute { at: at(), why: error.to_string() })?;
        let bus = runtime.block_on(Bus::connect(address, name))?;
        Ok(Line { bus, runtime })
    }

    pub fn bus(&self) -> &Bus {
        &self.bus
    }

    pub fn request(&self, subject: &str, payload: Bytes, limit: Duration) -> Result<Bytes, Unanswered> {
        self.runtime.block_on(self.bus.request(subject, payload, limit))
    }

    /// Lets something run beside.
    pub fn spawn(&self, what: impl Future<Output = ()> + Send + 'static) {
        drop(self.runtime.spawn(what));
    }

    /// Waits for something asynchronous.
    pub fn wait<T>(&self, what: impl Future<Output = T>) -> T {
        self.runtime.block_on(what)
    }
}
