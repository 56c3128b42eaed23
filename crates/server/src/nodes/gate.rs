//! Sockets here, at tables that other nodes hold.
//!
//! Invariants: what a table sends reaches the socket whole and in order, or the connection ends here and is made again;
//! the table hears that frames have arrived only as fast as the socket takes them, so nothing piles up on the way.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bus::{Incoming, Unanswered};
use engine::record::Hex;

use super::message::{Answer, Ask, LineId, Parcel};
use super::{NodeNumber, Nodes, PATIENCE, PULSE, STRIKES};
use crate::store::Person;
use crate::table::{ConnectionId, Outbox};
use crate::wire::{ClientMsg, CloseReason, TableInfo};
use crate::work::Requester;

/// The sockets here that belong to tables elsewhere.
#[derive(Default)]
pub struct Gate {
    lines: Mutex<HashMap<u64, Line>>,
    strikes: Mutex<HashMap<NodeNumber, u32>>,
    last: AtomicU64,
}

struct Line {
    at: NodeNumber,
    /// The table knows of it.
    joined: bool,
    /// Dropping it tells the socket's task that the table is gone.
    outbox: Box<dyn Outbox>,
    received: u32,
    /// Of these, how many the other node knows of.
    told: u32,
    /// How many had been sent when the other node last said so.
    sent: u32,
}

/// A table that another node holds.
#[derive(Clone)]
pub struct FarTable {
    nodes: Nodes,
    at: NodeNumber,
    id: String,
}

/// Why somebody is not at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotJoined {
    Refused(CloseReason),
    /// It is somewhere else by now, or its node cannot be reached: look for it again.
    Moved,
}

impl FarTable {
    pub(super) fn new(nodes: Nodes, at: NodeNumber, id: String) -> FarTable {
        FarTable { nodes, at, id }
    }

    /// Connects a person to the table; everything they are sent goes to `outbox`.
    pub async fn join(
        &self,
        by: Requester,
        person: Person,
        commitment: Option<Hex<32>>,
        outbox: Box<dyn Outbox>,
    ) -> Result<ConnectionId, NotJoined> {
        let gate = self.gate();
        let number = gate.last.fetch_add(1, Ordering::Relaxed) + 1;
        // What the table sends may be here before the answer.
        let line = Line { at: self.at, joined: false, outbox, received: 0, told: 0, sent: 0 };
        gate.lines().insert(number, line);
        metrics::gauge!("lair_far_connections").set(gate.lines().len() as f64);
        let line = LineId { gate: self.nodes.0.me, number };
        let ask = Ask::Join { table: self.id.clone(), line, by, person, commitment };
        match self.nodes.ask(self.at, &ask, PATIENCE).await {
            Ok(Answer::Done) => {
                gate.joined(number);
                Ok(ConnectionId(number))
            }
            answer => {
                gate.forget(number);
                Err(match answer {
                    Ok(Answer::Refused(reason)) => NotJoined::Refused(reason),
                    Ok(_) => NotJoined::Moved,
                    Err(_) => {
                        self.leave(ConnectionId(number)).await;
                        NotJoined::Moved
                    }
                })
            }
        }
    }

    /// `false` if the table is gone, or cannot be reached.
    pub async fn send(&self, from: ConnectionId, message: ClientMsg) -> bool {
        let ask = Ask::Say { line: self.line(from), message };
        matches!(self.nodes.ask(self.at, &ask, PATIENCE).await, Ok(Answer::Done))
    }

    pub async fn leave(&self, connection: ConnectionId) {
        self.gate().forget(connection.0);
        let _ = self.nodes.ask(self.at, &Ask::Leave(self.line(connection)), PATIENCE).await;
    }

    /// What everyone may see of the table; `None` if it cannot be told now.
    pub async fn info(&self) -> Option<TableInfo> {
        match self.nodes.ask(self.at, &Ask::Info { table: self.id.clone() }, PATIENCE).await {
            Ok(Answer::Info(info)) => Some(*info),
            _ => None,
        }
    }

    fn line(&self, connection: ConnectionId) -> LineId {
        LineId { gate: self.nodes.0.me, number: connection.0 }
    }

    fn gate(&self) -> &Gate {
        &self.nodes.0.gate
    }
}

impl Gate {
    fn lines(&self) -> MutexGuard<'_, HashMap<u64, Line>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn strikes(&self) -> MutexGuard<'_, HashMap<NodeNumber, u32>> {
        self.strikes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn joined(&self, number: u64) {
        if let Some(line) = self.lines().get_mut(&number) {
            line.joined = true;
        }
    }

    /// Its socket will find out, and connect again if it still wants to.
    fn forget(&self, number: u64) {
        let gone = self.lines().remove(&number);
        drop(gone);
        metrics::gauge!("lair_far_connections").set(self.lines().len() as f64);
    }

    fn receive(&self, Parcel { line: number, number: n, frame }: Parcel) {
        let mut lines = self.lines();
        let Some(line) = lines.get_mut(&number) else { return };
        let in_order = n == line.received + 1;
        let passed_on = match frame {
            Some(frame) if in_order => line.outbox.send(frame),
            _ => false,
        };
        if passed_on {
            line.received = n;
            return;
        }
        if !in_order {
            metrics::counter!("lair_bus_gaps_total").increment(1);
        }
        drop(lines);
        self.forget(number);
    }

    /// What has arrived at the sockets of tables at that node.
    fn received(&self, at: NodeNumber) -> Vec<(u64, u32)> {
        let mut lines = self.lines();
        let theirs = lines.iter_mut().filter(|(_, line)| line.at == at && line.joined);
        let told = theirs.map(|(number, line)| {
            if line.outbox.has_room() {
                line.told = line.received;
            }
            (*number, line.told)
        });
        told.collect()
    }

    /// Connections that the other node does not know, or whose frames were lost, end here.
    fn compare(&self, at: NodeNumber, asked: &[(u64, u32)], sent: &[(u64, u32)]) {
        let known: HashMap<u64, u32> = sent.iter().copied().collect();
        let lost: Vec<u64> = {
            let mut lines = self.lines();
            let asked = asked.iter().filter_map(|(number, _)| Some((*number, lines.remove(number)?)));
            let mut checked: Vec<(u64, Line)> = asked.collect();
            let lost = checked.iter_mut().filter_map(|(number, line)| {
                let sent = known.get(number).copied();
                let missing = line.received < line.sent;
                line.sent = sent.unwrap_or(0);
                (line.at == at && (sent.is_none() || missing)).then_some(*number)
            });
            let lost = lost.collect();
            lines.extend(checked);
            lost
        };
        for number in lost {
            metrics::counter!("lair_bus_gaps_total").increment(1);
            self.forget(number);
        }
    }

    /// That node cannot be reached: whoever sits at its tables looks for them again.
    fn forget_all(&self, at: NodeNumber) {
        let theirs: Vec<u64> =
            self.lines().iter().filter(|(_, line)| line.at == at).map(|(number, _)| *number).collect();
        if !theirs.is_empty() {
            tracing::warn!(node = at.0, connections = theirs.len(), "another node cannot be reached");
        }
        theirs.into_iter().for_each(|number| self.forget(number));
    }
}

/// Passes on what the tables of other nodes send.
pub async fn receive_all(nodes: Nodes, mut frames: Incoming) {
    while let Some(message) = frames.next().await {
        if let Some(parcel) = Parcel::unpacked(&message.payload) {
            nodes.0.gate.receive(parcel);
        }
    }
}

/// Tells each node at whose tables somebody here sits what has arrived, and hears what was sent.
pub fn pulse(nodes: &Nodes) {
    let mut others: Vec<NodeNumber> = nodes.0.gate.lines().values().map(|line| line.at).collect();
    others.sort_unstable();
    others.dedup();
    nodes.0.gate.strikes().retain(|node, _| others.contains(node));
    for at in others {
        let nodes = nodes.clone();
        tokio::spawn(async move {
            let gate = &nodes.0.gate;
            let received = gate.received(at);
            let ask = Ask::Pulse { gate: nodes.0.me, received: received.clone() };
            match nodes.ask(at, &ask, PULSE).await {
                Ok(Answer::Pulse(sent)) => {
                    gate.strikes().remove(&at);
                    gate.compare(at, &received, &sent);
                }
                Err(Unanswered::NobodyListens) if nodes.is_connected() => gate.forget_all(at),
                _ => {
                    let strikes = {
                        let mut strikes = gate.strikes();
                        let strikes = strikes.entry(at).or_default();
                        *strikes += 1;
                        *strikes
                    };
                    if strikes >= STRIKES {
                        gate.forget_all(at);
                    }
                }
            }
        });
    }
}
