//! Several servers on one PostgreSQL and one NATS: people connected to any of them play at any table, and go on playing
//! while servers are killed, stopped for longer than their lease, drained and started again, and while NATS is away.
#![cfg(unix)]

mod client;
mod common;
#[path = "../../server/tests/postgres/mod.rs"]
mod database;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use client::drill::{Story, follows_the_record, new_game};
use client::{LONG, Person, Server, mix};
use common::nats::Nats;
use common::signal;
use database::Postgres;
use serde_json::json;
use server::wire::{ClientMsg, CloseReason, Lobby, NewTableReply, ServerMsg, TableInfo};
use tokio::task::JoinHandle;

const ANYWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);
const NAMES: [&str; 3] = ["a", "b", "c"];
/// Faults, one after the other.
const ROUNDS: u64 = 10;
/// Tables in play at once.
const TABLES: usize = 3;

/// What three servers share.
struct Hall {
    _postgres: Postgres,
    database: String,
    nats: Nats,
}

impl Hall {
    /// `None` if one of the two is not installed.
    fn open(name: &str) -> Option<Hall> {
        let (nats, postgres) = (Nats::start(name, None)?, Postgres::start(&[])?);
        Some(Hall { database: postgres.url(), _postgres: postgres, nats })
    }

    fn node(&self, name: &str, listen: SocketAddr) -> Server {
        let (database, bus) = (&self.database, self.nats.url());
        Server::with(&["--postgres", database, "--nats", &bus, "--node", name, "--lease", "1000"], listen)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_connected_anywhere_sees_and_reaches_every_table() {
    let Some(mut hall) = Hall::open("reach") else { return };
    let (a, b) = (hall.node("a", ANYWHERE), hall.node("b", ANYWHERE));
    let ann = Person::guest(a.address, "Ann").await;
    let new = json!({ "settings": { "players": 2, "listed": true } });
    let NewTableReply { id, .. } = ann.post("/api/tables", &new).await;
    let mut at_a = ann.sit(&id).await.unwrap();
    // The same cookie is good at both.
    let ben = Person::guest(b.address, "Ben").await;
    let info: TableInfo = serde_json::from_slice(&ben.get(&format!("/api/tables/{id}")).await).unwrap();
    assert_eq!(info.id, id);
    let start = Instant::now();
    loop {
        let lobby: Lobby = serde_json::from_slice(&ben.get("/api/tables").await).unwrap();
        if lobby.open.iter().any(|table| table.id == id) {
            break;
        }
        assert!(start.elapsed() < LONG, "the table is not listed at the other server");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut at_b = ben.sit(&id).await.unwrap();
    at_b.send(&ClientMsg::Sit { seat: None }).await.unwrap();
    at_b.send(&ClientMsg::Chat { text: "from far away".into() }).await.unwrap();
    while !matches!(at_a.next().await.unwrap(), ServerMsg::Chat { line } if line.text == "from far away") {}
    at_a.send(&ClientMsg::Chat { text: "welcome".into() }).await.unwrap();
    while !matches!(at_b.next().await.unwrap(), ServerMsg::Chat { line } if line.text == "welcome") {}
    // A session that is ended at one server ends at the other.
    let elsewhere = Person { address: a.address, ..ben.clone() };
    let _: serde_json::Value = elsewhere.post("/api/sign-out", &json!({})).await;
    loop {
        match at_b.next().await {
            Some(ServerMsg::Bye { code, .. }) => break assert_eq!(code, CloseReason::SignedOut),
            Some(_) => {}
            None => panic!("the connection was lost without a word"),
        }
    }
    assert_eq!(ann.status("/readyz").await, 200);
    hall.nats.kill();
    let start = Instant::now();
    while ann.status("/readyz").await != 503 {
        assert!(start.elapsed() < LONG, "a server without its bus says that it is ready");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(ann.status("/healthz").await, 200);
    // At the server of the table the game goes on.
    at_a.send(&ClientMsg::Chat { text: "alone".into() }).await.unwrap();
    while !matches!(at_a.next().await.unwrap(), ServerMsg::Chat { line } if line.text == "alone") {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_whatever_happens_to_a_server() {
    let Some(mut hall) = Hall::open("drill") else { return };
    let mut nodes: Vec<Server> = NAMES.iter().map(|name| hall.node(name, ANYWHERE)).collect();
    let addresses: Vec<SocketAddr> = nodes.iter().map(|node| node.address).collect();
    let mut people = [Person::guest(addresses[0], "Ann").await, Person::guest(addresses[1], "Ben").await];
    people.iter_mut().for_each(|person| person.nodes.clone_from(&addresses));
    let heard = Arc::new(AtomicU64::new(0));
    let (mut playing, mut stories): (Vec<JoinHandle<Story>>, Vec<Story>) = Default::default();
    let mut number = 0;
    for round in 0..ROUNDS {
        for game in playing.extract_if(.., |game| game.is_finished()) {
            stories.push(game.await.unwrap());
        }
        while playing.len() < 2 * TABLES {
            number += 1;
            // Each time at other servers.
            let at = |n: u64| addresses[((number + n) % 3) as usize];
            people[0].address = at(0);
            people[1].address = at(1 + number / 3 % 2);
            playing.extend(new_game(&people, number, &heard).await);
        }
        let (from, more) = (heard.load(Ordering::Relaxed), 10 + mix(round) % 60);
        let start = Instant::now();
        while heard.load(Ordering::Relaxed) < from + more && playing.iter().any(|game| !game.is_finished()) {
            assert!(start.elapsed() < LONG, "nothing happens after {round} faults");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let victim = (mix(round + 50) % 3) as usize;
        match round % 5 {
            0 | 2 => {
                nodes[victim].kill();
                tokio::time::sleep(Duration::from_millis(mix(round) % 3000)).await;
                nodes[victim] = hall.node(NAMES[victim], addresses[victim]);
            }
            1 => {
                // For longer than its lease: it wakes up among the dead, says nothing more, and ends.
                signal(&nodes[victim].child, "STOP");
                tokio::time::sleep(Duration::from_millis(3500)).await;
                signal(&nodes[victim].child, "CONT");
                assert_eq!(nodes[victim].child.wait().unwrap().code(), Some(3));
                nodes[victim] = hall.node(NAMES[victim], addresses[victim]);
            }
            3 => {
                signal(&nodes[victim].child, "TERM");
                assert_eq!(nodes[victim].child.wait().unwrap().code(), Some(0));
                nodes[victim] = hall.node(NAMES[victim], addresses[victim]);
            }
            _ => {
                hall.nats.kill();
                tokio::time::sleep(Duration::from_secs(2)).await;
                hall.nats.start_again();
            }
        }
    }
    for game in playing {
        stories.push(tokio::time::timeout(2 * LONG, game).await.expect("a table is stuck").unwrap());
    }
    // The first welcome is everybody's.
    let again = |story: &Story| story.greeted - 1;
    assert!(stories.iter().map(again).sum::<u32>() >= 5, "no game was interrupted");
    let acknowledged = |story: &Story| story.shown.iter().filter(|shown| shown.is_acknowledged()).count();
    assert!(stories.iter().map(acknowledged).sum::<usize>() > 100);
    people[0].address = addresses[0];
    for story in &stories {
        follows_the_record(&people[0], story).await;
    }
}
