//! Several servers on one PostgreSQL and one NATS: people connected to any of them see and reach every table.
#![cfg(unix)]

mod client;
mod common;
#[path = "../../server/tests/postgres/mod.rs"]
mod database;
mod hall;

use std::time::{Duration, Instant};

use client::{LONG, Person};
use hall::{ANYWHERE, Hall};
use serde_json::json;
use server::wire::{ClientMsg, CloseReason, Lobby, NewTableReply, ServerMsg, TableInfo};

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
