//! Tables here, with people whose sockets are at other nodes.
//!
//! Invariants: a table sends to them as to anyone, and never waits: what is under way to one connection is bounded, and
//! so is what waits for one node; whoever falls behind is sent everything again later. A node that is silent for too long
//! has nobody here any more.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bus::{Bus, Bytes, Incoming, Message};
use tokio::sync::{Semaphore, mpsc};

use super::message::{Answer, Ask, LineId, Parcel, packed, unpacked};
use super::{NodeNumber, Nodes, PULSE, STRIKES, frames};
use crate::frame::Frame;
use crate::hall::{Hall, NoTable, TableHandle, WeakHall};
use crate::table::{ConnectionId, Outbox};
use crate::wire::CloseReason;

/// The most frames on their way to one socket. Together with what the socket's own queue may hold when it still has
/// room, they always fit into that queue.
const ON_THE_WAY: u32 = 32;
/// The most frames that wait to be sent to one node.
const QUEUED: usize = 4096;
/// The most questions that are answered at the same time.
const AT_ONCE: usize = 512;

pub struct Host {
    bus: Bus,
    lines: Mutex<HashMap<LineId, Hosted>>,
    gates: Mutex<HashMap<NodeNumber, GateQueue>>,
}

/// Somebody at one of the tables here.
struct Hosted {
    table: TableHandle,
    connection: ConnectionId,
    way: Arc<Way>,
}

struct GateQueue {
    parcels: mpsc::Sender<Bytes>,
    heard: Instant,
}

/// The way to one socket.
struct Way {
    line: u64,
    sent: AtomicU32,
    arrived: AtomicU32,
}

/// The end of it that a table holds.
struct FarOutbox {
    way: Arc<Way>,
    parcels: mpsc::Sender<Bytes>,
}

impl Way {
    fn under_way(&self) -> u32 {
        self.sent.load(Ordering::Acquire).saturating_sub(self.arrived.load(Ordering::Acquire))
    }
}

impl Outbox for FarOutbox {
    fn send(&self, frame: Frame) -> bool {
        if self.way.under_way() >= ON_THE_WAY {
            return false;
        }
        let number = self.way.sent.load(Ordering::Acquire) + 1;
        let parcel = Parcel { line: self.way.line, number, frame: Some(frame) };
        let taken = self.parcels.try_send(parcel.packed()).is_ok();
        if taken {
            self.way.sent.store(number, Ordering::Release);
        }
        taken
    }

    fn has_room(&self) -> bool {
        self.way.under_way() * 2 < ON_THE_WAY && self.parcels.capacity() > 0
    }
}

impl Drop for FarOutbox {
    fn drop(&mut self) {
        let gone = Parcel { line: self.way.line, number: 0, frame: None };
        let _ = self.parcels.try_send(gone.packed());
    }
}

impl Host {
    pub fn new(bus: Bus) -> Host {
        Host { bus, lines: Mutex::default(), gates: Mutex::default() }
    }

    fn lines(&self) -> MutexGuard<'_, HashMap<LineId, Hosted>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn gates(&self) -> MutexGuard<'_, HashMap<NodeNumber, GateQueue>> {
        self.gates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What goes to that node waits here.
    fn parcels(&self, gate: NodeNumber) -> mpsc::Sender<Bytes> {
        let mut gates = self.gates();
        let queue = gates.entry(gate).or_insert_with(|| {
            let (parcels, waiting) = mpsc::channel(QUEUED);
            tokio::spawn(carry(self.bus.clone(), frames(gate), waiting));
            GateQueue { parcels, heard: Instant::now() }
        });
        queue.parcels.clone()
    }

    async fn answer(&self, hall: &Hall, ask: Ask) -> Answer {
        match ask {
            Ask::Join { table, line, by, person, commitment } => {
                let found = match hall.table(&table).await {
                    Ok(found) => found,
                    Err(
                        NoTable::Elsewhere(_) | NoTable::Waiting | NoTable::Stopping | NoTable::Withdrawn,
                    ) => {
                        return Answer::NotHere;
                    }
                    Err(other) => return Answer::Refused(other.into()),
                };
                let way = Arc::new(Way { line: line.number, sent: 0.into(), arrived: 0.into() });
                let outbox = FarOutbox { way: Arc::clone(&way), parcels: self.parcels(line.gate) };
                match found.join(by, person, commitment, Box::new(outbox)).await {
                    Ok(connection) => {
                        self.lines().insert(line, Hosted { table: found, connection, way });
                        Answer::Done
                    }
                    Err(CloseReason::Closed | CloseReason::Stopping) => Answer::NotHere,
                    Err(reason) => Answer::Refused(reason),
                }
            }
            Ask::Say { line, message } => {
                let known = self.lines().get(&line).map(|hosted| (hosted.table.clone(), hosted.connection));
                match known {
                    Some((table, from)) if table.send(from, message).await => Answer::Done,
                    _ => Answer::NotHere,
                }
            }
            Ask::Leave(line) => {
                self.leave(line).await;
                Answer::Done
            }
            Ask::Info { table } => match hall.table(&table).await {
                Ok(found) => found.info().await.map_or(Answer::NotHere, |info| Answer::Info(Box::new(info))),
                Err(_) => Answer::NotHere,
            },
            Ask::Pulse { gate, received } => {
                if let Some(queue) = self.gates().get_mut(&gate) {
                    queue.heard = Instant::now();
                }
                let lines = self.lines();
                let known = received.into_iter().filter_map(|(number, arrived)| {
                    // Of a table that is gone nothing is known any more.
                    let hosted =
                        lines.get(&LineId { gate, number }).filter(|hosted| !hosted.table.is_gone())?;
                    hosted.way.arrived.store(arrived, Ordering::Release);
                    Some((number, hosted.way.sent.load(Ordering::Acquire)))
                });
                Answer::Pulse(known.collect())
            }
        }
    }

    async fn leave(&self, line: LineId) {
        let gone = self.lines().remove(&line);
        if let Some(Hosted { table, connection, .. }) = gone {
            table.leave(connection).await;
        }
    }

    /// Nodes that have said nothing for too long have nobody here any more.
    pub async fn drop_silent(&self) {
        let mut silent = Vec::new();
        self.gates().retain(|gate, queue| {
            let kept = queue.heard.elapsed() < PULSE * (STRIKES + 1);
            if !kept {
                silent.push(*gate);
            }
            kept
        });
        let lines: Vec<LineId> =
            self.lines().keys().filter(|line| silent.contains(&line.gate)).copied().collect();
        for line in lines {
            self.leave(line).await;
        }
    }
}

/// Sends what waits for a node.
async fn carry(bus: Bus, to: String, mut waiting: mpsc::Receiver<Bytes>) {
    while let Some(parcel) = waiting.recv().await {
        // What is lost is noticed by its number.
        bus.publish(&to, parcel).await;
    }
}

/// Answers other nodes for as long as the hall is there.
pub async fn answer_all(nodes: Nodes, hall: WeakHall, mut asked: Incoming) {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    while let Some(message) = asked.next().await {
        let Some(hall) = hall.upgrade() else { return };
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let nodes = nodes.clone();
        tokio::spawn(async move {
            answer(&nodes, &hall, &message).await;
            drop(place);
        });
    }
}

async fn answer(nodes: &Nodes, hall: &Hall, message: &Message) {
    if let Some(ask) = unpacked::<Ask>(&message.payload) {
        let answer = nodes.0.host.answer(hall, ask).await;
        nodes.0.bus.answer(message, packed(&answer)).await;
    }
}
