//! Several servers on one PostgreSQL and one NATS: people connected to any of them see and reach every table.
#![cfg(unix)]

mod client;
mod common;
#[path = "../../server/tests/postgres/mod.rs"]
mod database;
mod hall;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use client::{LONG, Person, Socket, mix};
use common::nats::Listener;
use hall::{ANYWHERE, Hall};
use serde_json::{Value, json};
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

/// Plays a game to its end, answering at random; everything that was received.
async fn whole_game(mut socket: Socket, number: u64) -> Vec<String> {
    socket.keep();
    let mut dice = number << 32;
    while let Some(message) = socket.next().await {
        match message {
            ServerMsg::Welcome { you, .. } if you.seat.is_none() && number < WATCHES => {
                socket.send(&ClientMsg::Sit { seat: None }).await.unwrap();
            }
            ServerMsg::Update(update) if update.over.is_some() => return socket.kept(),
            ServerMsg::Update(update) => {
                if let Some(ask) = &update.ask {
                    dice += 1;
                    let index = (mix(dice) % ask.legal.len() as u64) as u32;
                    socket.send(&ClientMsg::Act { seq: update.seq, index }).await.unwrap();
                }
            }
            _ => {}
        }
    }
    panic!("the connection is lost");
}

/// Who has this number sits down nowhere.
const WATCHES: u64 = 2;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bus_carries_what_each_socket_is_sent_and_nothing_else() {
    let Some(hall) = Hall::open("secrets") else { return };
    let nodes = ["a", "b", "c"].map(|name| hall.node(name, ANYWHERE));
    let [a, b, c] = nodes.each_ref().map(|node| node.address);
    let listener = Listener::start(&hall.nats).await;
    let people =
        [Person::guest(a, "Ann").await, Person::guest(a, "Ben").await, Person::guest(a, "Cid").await];
    // As long as nobody is eliminated; no seat is at the server of the table, and two viewers are at the same one.
    let settings = json!({ "players": 2, "window_ms": 0, "variants": ["unlimited-lives"] });
    let NewTableReply { id, .. } =
        people[0].post("/api/tables", &json!({ "settings": settings, "start": true })).await;
    let mut playing = Vec::new();
    // Whoever watches is there from the beginning.
    for (number, address) in [(2, b), (0, b), (1, c)] {
        let person = Person { address, ..people[number as usize].clone() };
        playing.push(tokio::spawn(whole_game(person.sit(&id).await.unwrap(), number)));
    }
    let mut received = Vec::new();
    for game in playing {
        let mut texts = tokio::time::timeout(LONG, game).await.expect("the game is stuck").unwrap();
        // That a server is there it says itself.
        texts.retain(|text| !text.contains("\"type\":\"beat\""));
        received.push(texts);
    }
    let heard = listener.end().await;
    let sql = |text: &str| hall.postgres.sql(&hall.database, text);
    let secret = sql(&format!("SELECT encode(secret, 'hex') FROM tables WHERE id = '{id}'"));
    let begins = sql("SELECT entries FROM log WHERE entries LIKE '%begins%'");
    let seed = begins.split_once("--seed ").expect("a line with the seed").1;
    let seed: String = seed.chars().take_while(char::is_ascii_hexdigit).collect();
    assert!(secret.len() == 64 && seed.len() == 64, "{secret} {begins}");

    let mut lines: BTreeMap<(String, u64), Vec<String>> = BTreeMap::new();
    for (subject, payload) in &heard {
        if payload.is_empty() {
            continue;
        }
        let text = String::from_utf8_lossy(payload);
        assert!(!text.contains(&secret) && !text.contains(&seed), "{subject}: {text}");
        let known = |value: &Value, names: &[&str]| match value {
            Value::String(name) => names.contains(&name.as_str()),
            Value::Object(fields) => fields.keys().all(|name| names.contains(&name.as_str())),
            _ => false,
        };
        match subject.strip_prefix("lair.1.").unwrap_or(subject).split('.').next().unwrap() {
            "out" => {
                // Line, number, the length of the frame's header, whether it is the last; the frame.
                let line = u64::from_le_bytes(payload[..8].try_into().unwrap());
                let number = u32::from_le_bytes(payload[8..12].try_into().unwrap());
                if number > 0 {
                    let texts = lines.entry((subject.clone(), line)).or_default();
                    assert_eq!(texts.len() + 1, number as usize);
                    let frame = &payload[14 + usize::from(payload[12])..];
                    texts.push(String::from_utf8(frame.to_vec()).unwrap());
                }
            }
            "node" => {
                let said: Value = serde_json::from_slice(payload).unwrap();
                assert!(known(&said, &["Join", "Say", "Leave", "Info", "Pulse"]), "{text}");
                assert!(said.get("Say").is_none_or(|say| known(say, &["line", "message"])), "{text}");
            }
            "_INBOX" => {
                let answer: Value = serde_json::from_slice(payload).unwrap();
                assert!(known(&answer, &["Done", "NotHere", "Refused", "Info", "Pulse"]), "{text}");
            }
            // Nothing was listed.
            other => panic!("{other}: {text}"),
        }
    }
    // Frame by frame, what each socket was sent: each of them is made for its own viewer.
    let mut sent: Vec<Vec<String>> = lines.into_values().collect();
    sent.iter_mut()
        .for_each(|texts| texts.truncate(texts.iter().position(|text| is_over(text)).unwrap() + 1));
    assert!(received.iter().all(|texts| texts.len() > 20));
    sent.sort();
    received.sort();
    assert_eq!(sent, received);
    assert!(received[0] != received[1] && received[1] != received[2], "two viewers were shown the same");
}

fn is_over(text: &str) -> bool {
    matches!(serde_json::from_str(text), Ok(ServerMsg::Update(update)) if update.over.is_some())
}
