//! The lobby: the newest tables that anyone may join or watch, and a person's own.
//!
//! Invariants: everyone is shown the same list, made at most once a second; no address fills it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::{Hall, TableHandle};
use crate::http::Packed;
use crate::store::Person;
use crate::wire::{Lobby, Spectators, TableInfo, TableState};
use crate::work::Requester;

/// How many tables each list has, of all kinds and made from one address.
const LISTED: usize = 50;
const LISTED_OF_ADDRESS: usize = 10;
/// Of tables whose address is not known, since they were made before the server was last started.
const LISTED_OF_UNKNOWN: usize = LISTED / 2;
/// A person's own tables.
const MINE: u32 = 20;
/// How long a list is good for.
const FRESH: Duration = Duration::from_secs(1);

/// What everyone may see of the lobby.
pub struct ListedTables {
    /// Without anyone's own tables.
    pub lobby: Lobby,
    /// The same, as JSON.
    pub json: Packed,
}

pub type Cached = Mutex<Option<(Instant, Arc<ListedTables>)>>;

impl Hall {
    pub async fn lobby(&self, me: Option<&Person>) -> Lobby {
        let listed = self.listed().await.lobby.clone();
        Lobby { mine: self.tables_of(me).await, ..listed }
    }

    /// What everyone may see, at most a second old.
    pub async fn listed(&self) -> Arc<ListedTables> {
        // Whoever comes while the list is being made waits for it.
        let mut cached = self.0.listed.lock().await;
        if let Some((made, listed)) = &*cached
            && made.elapsed() < FRESH
        {
            return Arc::clone(listed);
        }
        let hall = self.clone();
        let listed = self.for_itself().work("lobby", move || hall.list_tables()).await;
        let listed = Arc::new(listed.unwrap_or_else(|_| ListedTables::of(newest(Vec::new()))));
        *cached = Some((Instant::now(), Arc::clone(&listed)));
        listed
    }

    fn list_tables(&self) -> ListedTables {
        let mut lobby = self.lobby_here();
        if let Some(nodes) = self.0.nodes.get() {
            let (open, playing) = nodes.listed_elsewhere();
            lobby.open.extend(open);
            lobby.playing.extend(playing);
            lobby.open.truncate(LISTED);
            lobby.playing.truncate(LISTED);
        }
        ListedTables::of(lobby)
    }

    /// The tables of this server that everyone may see.
    pub(crate) fn lobby_here(&self) -> Lobby {
        let handles: Vec<TableHandle> = self.tables().values().cloned().collect();
        newest(handles)
    }

    /// The person's own tables that are not over.
    pub async fn tables_of(&self, me: Option<&Person>) -> Vec<TableInfo> {
        let Some(me) = me else { return Vec::new() };
        let ids = self.0.store.unfinished_of(me.id, MINE).await.unwrap_or_default();
        let mut mine = Vec::with_capacity(ids.len());
        for id in ids {
            // Looking takes no table from another server.
            match self.0.nodes.get() {
                Some(_) => mine.extend(self.info(&id).await),
                None => {
                    if let Ok(table) = self.table(&id).await {
                        mine.extend(table.info().await);
                    }
                }
            }
        }
        mine
    }
}

impl ListedTables {
    fn of(lobby: Lobby) -> ListedTables {
        let json = Packed::json(&lobby);
        ListedTables { lobby, json }
    }
}

/// The newest of these tables that are listed.
fn newest(mut handles: Vec<TableHandle>) -> Lobby {
    handles.sort_by_key(|handle| std::cmp::Reverse(handle.number));
    let mut lobby = Lobby { open: Vec::new(), playing: Vec::new(), mine: Vec::new() };
    let mut counts: HashMap<(Requester, TableState), usize> = HashMap::new();
    for handle in handles {
        let info = handle.info.borrow().clone();
        if !info.settings.listed || info.id.is_empty() {
            continue;
        }
        let list = match info.state {
            TableState::Open if info.seats.iter().any(|seat| seat.who.is_none()) => &mut lobby.open,
            TableState::Playing if info.settings.spectators != Spectators::None => &mut lobby.playing,
            _ => continue,
        };
        let most = match handle.by {
            Requester::Server => LISTED_OF_UNKNOWN,
            Requester::Network(_) => LISTED_OF_ADDRESS,
        };
        let count = counts.entry((handle.by, info.state)).or_default();
        if list.len() < LISTED && *count < most {
            *count += 1;
            list.push(TableInfo::clone(&info));
        }
    }
    lobby
}
