//! Bots that think on other machines, with a real server, real workers and a real NATS server. Somebody listens to
//! everything that is said, and hears nothing that the seat may not see.
#![cfg(unix)]

mod client;
mod common;

use std::net::SocketAddr;
use std::time::Duration;

use bots::far::Question;
use cards::library;
use client::{Person, Socket, mix};
use common::nats::{Listener, Nats, Process};
use common::scratch;
use engine::view::View;
use serde_json::{Value, json};
use server::wire::{ClientMsg, NewTableReply, ServerMsg};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn worker(nats: &Nats, settings: &[(&str, &str)]) -> Process {
    let mut worker = Process::start(&["work", "--nats", &nats.url(), "--threads", "2"], settings);
    worker.until_says("waiting for work");
    worker
}

/// A server all of whose questions go out, as if no core were ever free.
struct Served {
    _process: Process,
    address: SocketAddr,
    metrics: SocketAddr,
}

impl Served {
    fn start(nats: &Nats, name: &str) -> Served {
        let (data, url) = (scratch(name), nats.url());
        let args =
            ["serve", "--unlimited", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--nats", &url];
        let more = ["--data", data.to_str().unwrap()];
        let mut process = Process::start(&[&args[..], &more].concat(), &[("LAIR_TEST_FAR", "1")]);
        process.until_says("/metrics");
        let said = process.err();
        let metrics = said.split("metrics are at http://").nth(1).unwrap().split('/').next().unwrap();
        let metrics = metrics.parse().unwrap();
        while process.out().is_empty() {
            std::thread::sleep(Duration::from_millis(10));
        }
        let address = process.out().trim().trim_start_matches("http://").parse().unwrap();
        Served { _process: process, address, metrics }
    }

    /// How many questions came to this end.
    async fn count(&self, outcome: &str) -> u64 {
        let mut stream = TcpStream::connect(self.metrics).await.unwrap();
        let ask = format!("GET /metrics HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.metrics);
        stream.write_all(ask.as_bytes()).await.unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        let line = format!("lair_thinking_far_total{{outcome=\"{outcome}\"}} ");
        text.lines().find_map(|found| found.strip_prefix(&line)).map_or(0, |n| n.parse().unwrap())
    }

    async fn until(&self, outcome: &str, table: &mut Table, more_than: u64) {
        for _ in 0..400 {
            if self.count(outcome).await > more_than {
                return;
            }
            table.answer().await;
        }
        panic!("no question ends with `{outcome}`");
    }
}

/// Somebody at a table with two bots.
struct Table {
    socket: Socket,
    person: Person,
    answers: u64,
}

impl Table {
    async fn begin(person: Person) -> Table {
        let settings = json!({ "players": 3, "window_ms": 0 });
        let new = json!({ "settings": settings, "bots": ["minion", "mini-boss"], "start": true });
        let NewTableReply { id, .. } = person.post("/api/tables", &new).await;
        Table { socket: person.sit(&id).await.unwrap(), person, answers: 0 }
    }

    /// Answers the next question; when the game is over, another one begins.
    async fn answer(&mut self) {
        loop {
            let ServerMsg::Update(update) = self.socket.next().await.expect("the connection is open") else {
                continue;
            };
            if update.over.is_some() {
                *self = Table { answers: self.answers, ..Table::begin(self.person.clone()).await };
                continue;
            }
            if let Some(ask) = update.ask {
                self.answers += 1;
                let index = (mix(self.answers) % ask.legal.len() as u64) as u32;
                self.socket.send(&ClientMsg::Act { seq: update.seq, index }).await.unwrap();
                return;
            }
        }
    }

    /// A hint for the next question with a choice, before it is answered.
    async fn hint(&mut self) -> usize {
        loop {
            let ServerMsg::Update(update) = self.socket.next().await.unwrap() else { continue };
            assert!(update.over.is_none(), "the game is over too soon");
            let Some(ask) = update.ask else { continue };
            let mut found = None;
            if ask.legal.len() > 1 {
                self.socket.send(&ClientMsg::Hint { seq: update.seq }).await.unwrap();
                let moves = loop {
                    match self.socket.next().await.unwrap() {
                        ServerMsg::Hint { moves, .. } => break moves,
                        ServerMsg::Refused { words, .. } => panic!("{words}"),
                        _ => {}
                    }
                };
                let legal = ask.legal.len();
                assert!(moves.iter().all(|one| (one.index as usize) < legal && !one.words.is_empty()));
                found = Some(moves.len());
            }
            self.socket.send(&ClientMsg::Act { seq: update.seq, index: 0 }).await.unwrap();
            if let Some(found) = found {
                return found;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_think_elsewhere_and_the_bus_carries_only_what_their_seat_sees() {
    let Some(nats) = Nats::start("far", None) else { return };
    let listener = Listener::start(&nats).await;
    let server = Served::start(&nats, "far");
    let _worker = worker(&nats, &[]);
    let mut table = Table::begin(Person::guest(server.address, "Ann").await).await;
    while server.count("answered").await < 30 {
        table.answer().await;
    }
    assert!(table.hint().await > 0);
    assert_eq!(server.count("nonsense").await, 0);
    let heard = listener.end().await;
    let db = library::base();
    let mut views = 0;
    for (subject, payload) in &heard {
        if subject.starts_with("_INBOX.") {
            // Answers are numbers.
            assert!(payload.len() < 2_000, "{}", String::from_utf8_lossy(payload));
            continue;
        }
        if payload.is_empty() || subject != "lair.1.think" {
            assert!(payload.is_empty() || subject.starts_with("lair.1.lab."), "{subject}");
            continue;
        }
        views += 1;
        let end = payload.iter().position(|byte| *byte == b'\n').unwrap();
        let head: Value = serde_json::from_slice(&payload[..end]).unwrap();
        let keys: Vec<&str> = head.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["cards", "deck", "legal", "level", "program", "seed", "wants"]);
        let question = Question::from_bytes(payload).unwrap();
        let view: View = question.view(&db).unwrap();
        // It is the seat that is asked, and hiding what it may not see changes nothing: nothing more was there.
        let seat = view.viewer().expect("a seat, not a spectator");
        assert_eq!(view.decision().unwrap().seat, seat);
        assert_eq!(view.table().view(Some(seat)).to_bytes(), view.to_bytes());
        assert_eq!(view.to_bytes(), payload[end + 1..]);
    }
    assert!(views > 30, "{views}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_goes_on_whatever_happens_to_those_who_think_for_it() {
    let Some(mut nats) = Nats::start("far-away", None) else { return };
    let server = Served::start(&nats, "far-away");
    let mut table = Table::begin(Person::guest(server.address, "Ann").await).await;
    server.until("nobody", &mut table, 0).await;
    let liar = worker(&nats, &[("LAIR_TEST_WORKER", "nonsense")]);
    server.until("nonsense", &mut table, 0).await;
    liar.signal("KILL");
    nats.kill();
    for _ in 0..5 {
        table.answer().await;
    }
    nats.start_again();
    let stopped = worker(&nats, &[]);
    server.until("answered", &mut table, 0).await;
    stopped.signal("STOP");
    server.until("silence", &mut table, 0).await;
    for _ in 0..5 {
        table.answer().await;
    }
}
