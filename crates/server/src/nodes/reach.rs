//! Whether this node can reach the others over the bus, and what it does when it cannot.
//!
//! Invariants: a node that is without the bus while others have it gives them its tables, and takes none until that is
//! over; if nobody has it, everybody keeps what they have. What others have is told by the database, so as long as
//! that is away nothing is given.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bus::{Bus, Unanswered};
use thiserror::Error;

use super::message::{Ask, packed};
use super::{NodeNumber, Nodes, PATIENCE, PULSE, asks};
use crate::hall::Hall;
use crate::store::{Store, StoreError};

/// A node that has not heard itself over the bus for so long is without it.
const DEAF: Duration = Duration::from_secs(3);
/// After so many pulses without the bus a node gives its tables away.
const ALONE: u32 = 5;
/// Whoever lives, says that it has the bus, and cannot be reached for so many beats, has another one.
const BEATS: i64 = 5;
/// One that does not beat for so long is not waited for.
const SILENT: Duration = Duration::from_secs(3);
const AGAIN: Duration = Duration::from_millis(100);

/// Servers that share a database and not their bus.
#[derive(Debug, Error)]
#[error(
    "the server `{name}`, which uses the same database, is not at the NATS server {at}: give all servers the same --nats"
)]
pub struct OtherBus {
    name: String,
    at: String,
}

/// When this node last heard itself over the bus.
pub struct Echo(Mutex<Instant>);

impl Echo {
    pub fn new() -> Echo {
        Echo(Mutex::new(Instant::now()))
    }

    pub fn is_fresh(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).elapsed() < DEAF
    }

    fn heard(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

/// Fails if another server is at another bus.
pub async fn check(bus: &Bus, me: NodeNumber, store: &Store) -> Result<Result<(), OtherBus>, StoreError> {
    let mut first: HashMap<NodeNumber, (i64, i64, Instant)> = HashMap::new();
    loop {
        let mut waits = false;
        for other in store.others_with_bus().await? {
            let ask = packed(&Ask::Pulse { gate: me, received: Vec::new() });
            // Somebody who listens and does not answer is at this bus, too.
            if bus.request(&asks(other.node), ask, PULSE).await != Err(Unanswered::NobodyListens) {
                continue;
            }
            let (from, last, since) =
                first.entry(other.node).or_insert((other.beat, other.beat, Instant::now()));
            if other.beat != *last {
                (*last, *since) = (other.beat, Instant::now());
            }
            if other.beat - *from >= BEATS {
                return Ok(Err(OtherBus { name: other.name, at: bus.at().into() }));
            }
            waits |= since.elapsed() < SILENT;
        }
        if !waits {
            return Ok(Ok(()));
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// How many pulses this node has been alone without the bus.
#[derive(Default)]
pub struct Alone(u32);

impl Alone {
    /// Listens for itself, and does what follows if it does not hear anything.
    pub async fn pulse(&mut self, nodes: &Nodes, hall: &Hall) {
        let asking = nodes.clone();
        tokio::spawn(async move {
            let me = asking.0.me;
            if asking.ask(me, &Ask::Pulse { gate: me, received: Vec::new() }, PULSE).await.is_ok() {
                asking.0.echo.heard();
            }
        });
        let reached = nodes.is_connected();
        let others_reach = hall.store().tell_bus(reached);
        if reached || !others_reach {
            if self.0 >= ALONE {
                tracing::info!("no other server is better off: this one takes tables again");
                hall.come_back();
            }
            self.0 = 0;
            return;
        }
        self.0 += 1;
        if self.0 == ALONE {
            tracing::warn!("this server is without the bus, and others have it: its tables go there");
        }
        if self.0 >= ALONE {
            // Again and again, for those that were just being taken.
            let _ = tokio::time::timeout(PATIENCE, hall.withdraw()).await;
        }
    }
}
