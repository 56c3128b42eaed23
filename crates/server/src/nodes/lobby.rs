//! The lobby over all nodes: each tells the others now and then which of its tables anyone may join or watch.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bus::{Incoming, SUBJECTS};
use serde::{Deserialize, Serialize};

use super::message::{packed, unpacked};
use super::{NodeNumber, Nodes};
use crate::hall::Hall;
use crate::wire::TableInfo;

/// What was heard of a node is forgotten after this; it would have said so again.
const FORGET: Duration = Duration::from_secs(5);

/// What other nodes have said last.
#[derive(Default)]
pub struct Heard(Mutex<HashMap<NodeNumber, (Instant, Told)>>);

#[derive(Serialize, Deserialize)]
struct Told {
    node: NodeNumber,
    open: Vec<TableInfo>,
    playing: Vec<TableInfo>,
}

pub fn subject() -> String {
    format!("{SUBJECTS}.lobby")
}

impl Heard {
    pub fn tables(&self) -> (Vec<TableInfo>, Vec<TableInfo>) {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.retain(|_, (at, _)| at.elapsed() < FORGET);
        let mut nodes: Vec<_> = heard.iter().collect();
        nodes.sort_by_key(|(node, _)| **node);
        let open = nodes.iter().flat_map(|(_, (_, told))| told.open.iter().cloned()).collect();
        let playing = nodes.iter().flat_map(|(_, (_, told))| told.playing.iter().cloned()).collect();
        (open, playing)
    }
}

/// Says which tables of this hall are listed, if there are any.
pub async fn tell(nodes: &Nodes, hall: &Hall) {
    let there = hall.clone();
    let Ok(lobby) = hall.work("lobby", move || there.lobby_here()).await else { return };
    if lobby.open.is_empty() && lobby.playing.is_empty() {
        return;
    }
    let told = Told { node: nodes.0.me, open: lobby.open, playing: lobby.playing };
    nodes.0.bus.publish(&subject(), packed(&told)).await;
}

pub async fn hear_all(nodes: Nodes, mut lobbies: Incoming) {
    while let Some(message) = lobbies.next().await {
        if let Some(told) = unpacked::<Told>(&message.payload).filter(|told| told.node != nodes.0.me) {
            let mut heard = nodes.0.lobby.0.lock().unwrap_or_else(PoisonError::into_inner);
            heard.insert(told.node, (Instant::now(), told));
        }
    }
}
