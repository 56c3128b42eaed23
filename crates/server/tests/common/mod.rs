//! People at real tables of a real hall, without a network in between.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use cards::library;
use engine::record::{Hex, player_commitment};
use server::frame::Frame;
use server::hall::{Hall, TableHandle};
use server::store::{Person, Store};
use server::table::ConnectionId;
use server::wire::{
    BotLevel, ClientMsg, NewTable, PROTOCOL, Refusal, ServerMsg, Settings, TableInfo, Update,
};
use server::work::Requester;
use tokio::sync::mpsc;

/// Nothing here takes this long unless something hangs.
pub const LONG: Duration = Duration::from_secs(60);

/// Where everyone here connects from.
pub const HOME: Requester = Requester::Network(IpAddr::V4(Ipv4Addr::LOCALHOST));

/// A data folder that is removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("lair-test-{}-{n}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub async fn hall(folder: &Folder) -> Hall {
    let store = Store::open(&folder.0).expect("a new data folder");
    Hall::open(store, library::sets()).await.expect("a hall")
}

pub fn settings(players: u8) -> Settings {
    Settings { players, window_ms: 0, ..Settings::default() }
}

/// For tests that need a long game: wounds eliminate nobody, so it lasts as long as there are heroes.
pub fn long_game(players: u8) -> Settings {
    Settings { variants: vec!["unlimited-lives".into()], ..settings(players) }
}

pub fn new_table(settings: Settings, bots: &[BotLevel]) -> NewTable {
    NewTable { settings, bots: bots.into(), ..NewTable::default() }
}

/// A person connected to a table.
pub struct Guest {
    pub person: Person,
    pub table: TableHandle,
    pub id: ConnectionId,
    inbox: mpsc::Receiver<Frame>,
    /// The newest update.
    pub update: Option<Update>,
    /// Every message so far.
    pub told: Vec<ServerMsg>,
    /// What it adds to the shuffle, if anything.
    bytes: Option<Hex<32>>,
}

impl Guest {
    /// Adds nothing to the shuffle, so that nobody has to wait for it.
    pub async fn join(hall: &Hall, table: &str, person: &Person) -> Guest {
        Guest::join_with(hall, table, person, None).await
    }

    /// Commits to these bytes; `reveal` reveals them.
    pub async fn join_with(hall: &Hall, table: &str, person: &Person, bytes: Option<[u8; 32]>) -> Guest {
        let table = hall.table(table).await.expect("the table is there");
        let (outbox, inbox) = mpsc::channel(256);
        let bytes = bytes.map(Hex);
        let commitment = bytes.as_ref().map(player_commitment);
        let id = table.join(HOME, person.clone(), commitment, Box::new(outbox)).await.expect("welcome");
        Guest { person: person.clone(), table, id, inbox, update: None, told: Vec::new(), bytes }
    }

    pub async fn reveal(&self) {
        let bytes = self.bytes.expect("it has committed to something").to_string();
        self.send(ClientMsg::Reveal { bytes }).await;
    }

    /// The table as this guest was told last.
    pub fn info(&self) -> TableInfo {
        let found = self.told.iter().rev().find_map(|message| match message {
            ServerMsg::Welcome { table, .. } | ServerMsg::Table { table, .. } => Some(table.clone()),
            _ => None,
        });
        found.expect("everyone is told about the table")
    }

    pub async fn send(&self, message: ClientMsg) {
        assert!(self.table.send(self.id, message).await, "the table is gone");
    }

    /// Reads the next message; `false` if none came in time.
    pub async fn read(&mut self, wait: Duration) -> bool {
        match tokio::time::timeout(wait, self.inbox.recv()).await {
            Ok(Some(frame)) => {
                let message: ServerMsg = serde_json::from_slice(frame.text()).expect("a message");
                if let ServerMsg::Update(update) = &message {
                    self.update = Some((**update).clone());
                }
                self.told.push(message);
                true
            }
            _ => false,
        }
    }

    /// Reads everything the table has sent so far: it answers in order, so what precedes its answer to a message
    /// that it always refuses is all there is.
    pub async fn read_all(&mut self) {
        self.send(ClientMsg::Hello { protocol: PROTOCOL, commitment: None }).await;
        loop {
            assert!(self.read(LONG).await, "the table does not answer");
            if let Some(ServerMsg::Refused { code: Refusal::HelloFirst, .. }) = self.told.last() {
                self.told.pop();
                return;
            }
        }
    }

    /// Reads until the condition holds.
    pub async fn until(&mut self, what: &str, so: impl Fn(&Guest) -> bool) {
        while !so(self) {
            assert!(self.read(LONG).await, "waited in vain for: {what}\n{:#?}", self.told.last());
        }
    }

    pub fn is_asked(&self) -> bool {
        self.update.as_ref().is_some_and(|update| update.ask.is_some())
    }

    pub fn is_over(&self) -> bool {
        self.update.as_ref().is_some_and(|update| update.over.is_some())
    }

    pub fn seq(&self) -> u32 {
        self.update.as_ref().map_or(0, |update| update.seq)
    }

    /// Answers the open question and waits until it is no longer open.
    pub async fn answer(&mut self, index: u32) {
        let seq = self.seq();
        self.send(ClientMsg::Act { seq, index }).await;
        self.until("what the answer did", |guest| guest.seq() > seq).await;
    }

    pub fn choices(&self) -> usize {
        let ask = self.update.as_ref().and_then(|update| update.ask.as_ref());
        ask.map_or(0, |ask| ask.legal.len())
    }

    pub fn last_refusal(&self) -> Option<Refusal> {
        self.told.iter().rev().find_map(|message| match message {
            ServerMsg::Refused { code, .. } => Some(*code),
            _ => None,
        })
    }
}

/// A number that looks random and is the same every time.
pub fn mix(n: u64) -> u64 {
    let x = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
}

/// Everyone answers at random until the game is over, or this many answers were given.
pub async fn play_on(guests: &mut [Guest], most: u64) -> u64 {
    play_from(guests, 0, most).await
}

/// The same, with other answers for another `from`.
pub async fn play_from(guests: &mut [Guest], from: u64, most: u64) -> u64 {
    let mut answers = 0;
    loop {
        for guest in guests.iter_mut() {
            while guest.read(Duration::ZERO).await {}
        }
        if answers == most || guests.iter().any(Guest::is_over) {
            return answers;
        }
        match guests.iter_mut().find(|guest| guest.is_asked()) {
            Some(guest) => {
                let index = mix(from + answers + 1) % guest.choices() as u64;
                guest.answer(index as u32).await;
                answers += 1;
            }
            None => {
                guests[0].read(Duration::from_millis(5)).await;
            }
        }
    }
}
