//! Servers that share a database and a bus are nodes of one hall: whoever is connected to one of them sits at the tables
//! of all. A table is run by the node that holds it (`host.rs`); the node with the socket passes on what is said
//! (`gate.rs`).
//!
//! Invariants: the bus carries what one viewer may see, to the node of that viewer, and nothing that must survive; no
//! table waits for the bus; what the bus loses is noticed, and the connection is made again from the beginning.

mod gate;
mod host;
mod lobby;
mod message;
mod reach;

use std::sync::Arc;
use std::time::Duration;

use bus::{Bus, BusError, SUBJECTS};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

use crate::hall::Hall;
use crate::store::{SessionId, Store, StoreError};
use crate::wire::TableInfo;
use gate::Gate;
pub use gate::{FarTable, NotJoined};
use host::Host;
use message::{Answer, Ask};
pub use reach::OtherBus;
use reach::{Alone, Echo};

/// The version of what nodes say to each other (`message.rs`, `lobby.rs`): raised with every change that an older program
/// would not understand.
pub const SPEAKS: u32 = 1;
/// How long a node may take to answer. A table that is restored there takes its time.
const PATIENCE: Duration = Duration::from_secs(4);
/// How often nodes tell each other what has arrived.
const PULSE: Duration = Duration::from_secs(1);
/// After so many pulses without an answer the other node is taken to be gone.
const STRIKES: u32 = 4;

/// The number of a server among those that share its store. A new start is a new number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeNumber(pub i64);

/// This node among the others. Clones are the same.
#[derive(Clone)]
pub struct Nodes(Arc<Inner>);

struct Inner {
    bus: Bus,
    me: NodeNumber,
    gate: Gate,
    host: Host,
    lobby: lobby::Heard,
    echo: Echo,
    revoked: broadcast::Sender<Vec<SessionId>>,
}

impl Nodes {
    /// Fails if this login may not say or hear what nodes do.
    pub async fn check_rights(bus: &Bus) -> Result<(), BusError> {
        // Of no node: numbers begin with 1.
        let nobody = NodeNumber(0);
        let subjects = [asks(nobody), frames(nobody), lobby::subject(), revocations()];
        let subjects = subjects.each_ref().map(String::as_str);
        bus.check_rights(&subjects, &subjects).await
    }

    /// Takes part: from now on others can reach the tables of this hall.
    pub async fn join(bus: Bus, me: NodeNumber, hall: &Hall) -> Result<Nodes, BusError> {
        let deaf = || BusError::Mute { at: bus.at().into(), why: "subscribing took too long".into() };
        let asked = bus.subscribe(&asks(me)).await.ok_or_else(deaf)?;
        let frames = bus.subscribe(&frames(me)).await.ok_or_else(deaf)?;
        let lobbies = bus.subscribe(&lobby::subject()).await.ok_or_else(deaf)?;
        let mut ended = bus.subscribe(&revocations()).await.ok_or_else(deaf)?;
        let (gate, host, lobby) = (Gate::default(), Host::new(bus.clone()), lobby::Heard::default());
        let revoked = broadcast::channel(256).0;
        let nodes = Nodes(Arc::new(Inner {
            bus,
            me,
            gate,
            host,
            lobby,
            echo: Echo::new(),
            revoked: revoked.clone(),
        }));
        tokio::spawn(async move {
            while let Some(message) = ended.next().await {
                if let Some(ids) = message::unpacked(&message.payload) {
                    let _ = revoked.send(ids);
                }
            }
        });
        tokio::spawn(host::answer_all(nodes.clone(), hall.weak(), asked));
        tokio::spawn(gate::receive_all(nodes.clone(), frames));
        tokio::spawn(lobby::hear_all(nodes.clone(), lobbies));
        tokio::spawn(pulses(nodes.clone(), hall.weak()));
        Ok(nodes)
    }

    /// A table that another node holds.
    pub fn table(&self, at: NodeNumber, id: &str) -> FarTable {
        FarTable::new(self.clone(), at, id.into())
    }

    /// Fails if another server that shares the store is at another bus.
    pub async fn check(bus: &Bus, me: NodeNumber, store: &Store) -> Result<Result<(), OtherBus>, StoreError> {
        reach::check(bus, me, store).await
    }

    /// Whether messages arrive just now.
    pub fn is_connected(&self) -> bool {
        self.0.bus.is_connected() && self.0.echo.is_fresh()
    }

    /// Listed tables of other nodes, newest first for each of them: open ones, and those that are played.
    pub fn listed_elsewhere(&self) -> (Vec<TableInfo>, Vec<TableInfo>) {
        self.0.lobby.tables()
    }

    /// Tells all nodes that these sessions were revoked.
    pub async fn tell_revoked(&self, ids: &[SessionId]) {
        self.0.bus.publish(&revocations(), message::packed(&ids)).await;
    }

    /// Sessions that were revoked at any node.
    pub fn revoked(&self) -> broadcast::Receiver<Vec<SessionId>> {
        self.0.revoked.subscribe()
    }

    async fn ask(&self, node: NodeNumber, ask: &Ask, limit: Duration) -> Result<Answer, bus::Unanswered> {
        let payload = message::packed(ask);
        let answer = self.0.bus.request(&asks(node), payload, limit).await?;
        message::unpacked(&answer).ok_or(bus::Unanswered::Silence)
    }
}

/// Where a node is asked.
fn asks(node: NodeNumber) -> String {
    format!("{SUBJECTS}.node.{}", node.0)
}

/// Where frames for the sockets of a node go.
fn frames(node: NodeNumber) -> String {
    format!("{SUBJECTS}.out.{}", node.0)
}

/// Where ended sessions are told.
fn revocations() -> String {
    format!("{SUBJECTS}.revoked")
}

/// Both sides look after their connections for as long as the hall is there.
async fn pulses(nodes: Nodes, hall: crate::hall::WeakHall) {
    let mut alone = Alone::default();
    let mut ticks = tokio::time::interval(PULSE);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let Some(hall) = hall.upgrade() else { return };
        alone.pulse(&nodes, &hall).await;
        gate::pulse(&nodes);
        nodes.0.host.drop_silent().await;
        lobby::tell(&nodes, &hall).await;
    }
}
