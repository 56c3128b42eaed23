//! `lair serve --postgres`: what it refuses, and the drills. The server is killed and PostgreSQL crashes or is away while
//! people play: everything any of them was shown is in the final record, in that order, and every game is finished.
#![cfg(unix)]

mod client;
mod common;
#[path = "../../server/tests/postgres/mod.rs"]
mod database;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::drill::{Story, Watched, answer, follows_the_record, new_game};
use client::{LONG, Person, Server, Socket, mix};
use common::{command, lair, scratch, signal};
use database::Postgres;
use serde_json::json;
use server::wire::{ClientMsg, CloseReason, NewTableReply, ServerMsg, Update};
use tokio::task::JoinHandle;

const ANYWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);
const ROUNDS: u64 = 12;
/// Tables in play at once.
const TABLES: usize = 3;

#[test]
fn wrong_addresses_are_refused_and_nothing_secret_is_told() {
    let serve = |args: &[&str]| lair(&[&["serve", "--listen", "127.0.0.1:0"], args].concat());
    for (url, code, words) in [
        ("mysql://lair:hunter2@db/lair", 2, "postgres://"),
        ("postgres://lair:hunter2@db:x/lair", 2, "port"),
        ("postgres://lair:hunter2@db", 2, "database"),
        ("postgres://lair:hunter2@db/lair?sslmode=prefer", 2, "sslmode"),
        ("postgres://lair:hunter2@127.0.0.1:1/lair", 1, "cannot be reached"),
        ("postgres://lair:hunter2@nowhere.invalid/lair?sslmode=disable", 1, "cannot be reached"),
    ] {
        let ran = serve(&["--postgres", url]);
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{url}: {}", ran.err);
        assert!(ran.err.contains(words) && !ran.err.contains("hunter2"), "{url}: {}", ran.err);
    }
    let file = scratch("postgres-url");
    std::fs::write(&file, "postgres://lair:hunter2@127.0.0.1:1/lair\n").unwrap();
    let from_file = serve(&["--postgres-file", file.to_str().unwrap()]);
    assert!(from_file.code == 1 && from_file.err.contains("lair@127.0.0.1:1/lair"), "{}", from_file.err);
    assert!(!from_file.err.contains("hunter2"), "{}", from_file.err);
    assert_eq!(serve(&["--postgres-file", "/nowhere/at/all"]).code, 2);
    assert_eq!(serve(&["--postgres", "postgres://a@b/c", "--data", "x"]).code, 2);
    assert_eq!(serve(&["--node", "a b", "--postgres", "postgres://a@b/c"]).code, 2);
    let mut from_environment = command(&["serve", "--listen", "127.0.0.1:0"]);
    let told =
        from_environment.env("LAIR_POSTGRES", "postgres://lair:hunter2@127.0.0.1:1/lair").output().unwrap();
    let told = String::from_utf8(told.stderr).unwrap();
    assert!(told.contains("cannot be reached") && !told.contains("hunter2"), "{told}");
}

#[test]
fn a_server_ends_with_code_3_when_another_takes_its_name() {
    let Some(postgres) = database::shared() else { return };
    let url = postgres.url();
    let mut first = Server::with(&["--postgres", &url, "--node", "a"], ANYWHERE);
    // One that cannot take its place does it no harm.
    let taken = first.address.to_string();
    let refused = lair(&["serve", "--postgres", &url, "--node", "a", "--listen", &taken]);
    assert!(refused.code == 1 && refused.err.contains("cannot listen"), "{}", refused.err);
    let beside = Server::with(&["--postgres", &url, "--node", "b"], ANYWHERE);
    let second = Server::with(&["--postgres", &url, "--node", "a"], ANYWHERE);
    let start = Instant::now();
    let code = loop {
        if let Some(status) = first.child.try_wait().unwrap() {
            break status.code();
        }
        assert!(start.elapsed() < Duration::from_secs(10), "it goes on");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(code, Some(3));
    for mut other in [beside, second] {
        assert_eq!(other.child.try_wait().unwrap(), None);
        signal(&other.child, "TERM");
        assert_eq!(other.child.wait().unwrap().code(), Some(0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_was_shown_is_lost_whatever_crashes() {
    let Some(postgres) = Postgres::start(&[]) else { return };
    let url = postgres.url();
    let args = ["--postgres", url.as_str()];
    let mut server = Server::with(&args, ANYWHERE);
    let address = server.address;
    let people = [Person::guest(address, "Ann").await, Person::guest(address, "Ben").await];
    let watched = Arc::new(Watched::default());
    let (mut playing, mut stories) = (Vec::new(), Vec::new());
    let mut number = 0;
    for round in 0..ROUNDS {
        for game in playing.extract_if(.., |game: &mut JoinHandle<Story>| game.is_finished()) {
            stories.push(game.await.unwrap());
        }
        while playing.len() < 2 * TABLES {
            number += 1;
            playing.extend(new_game(&people, number, &watched).await);
        }
        let (from, more) = (watched.updates(), mix(round) % 60);
        let start = Instant::now();
        while watched.updates() < from + more && playing.iter().any(|game| !game.is_finished()) {
            assert!(start.elapsed() < LONG, "nothing happens after {round} crashes");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(Duration::from_micros(mix(round + 100) % 20_000)).await;
        match round % 4 {
            0 | 2 => {
                server.kill();
                server = Server::with(&args, address);
            }
            1 => {
                postgres.stop("immediate");
                postgres.go();
            }
            _ => {
                postgres.stop("fast");
                tokio::time::sleep(Duration::from_secs(3)).await;
                postgres.go();
            }
        }
        // Until it is well again: whoever makes a table meanwhile is told to wait.
        let start = Instant::now();
        while people[0].status("/healthz").await != 200 {
            assert!(start.elapsed() < Duration::from_secs(30), "it does not go on by itself");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    for game in playing {
        stories.push(tokio::time::timeout(5 * LONG, game).await.expect("a table is stuck").unwrap());
    }
    assert!(stories.iter().map(|story| story.lost).sum::<u32>() >= 3, "no game was interrupted");
    assert!(
        stories.iter().map(|story| story.waits).sum::<u32>() >= 1,
        "nobody was told that the server waits"
    );
    let acknowledged = |story: &Story| story.shown.iter().filter(|shown| shown.is_acknowledged()).count();
    assert!(stories.iter().map(acknowledged).sum::<usize>() > 100);
    for story in &stories {
        follows_the_record(&people[0], story).await;
    }
}

/// Sits down at a server, as soon as it has the table.
async fn sit(person: &Person, at: &Server, table: &str) -> (Socket, Update) {
    let person = Person { address: at.address, ..person.clone() };
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(40), "nobody takes the table");
        if let Ok(mut socket) = person.sit(table).await {
            while let Some(message) = socket.next().await {
                if let ServerMsg::Update(update) = message {
                    return (socket, *update);
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_was_stopped_for_a_while_loses_its_tables_and_ends() {
    let Some(postgres) = Postgres::start(&[]) else { return };
    let database = postgres.database();
    let url = postgres.url_of("lair", &database);
    let start = |name: &str| Server::with(&["--postgres", &url, "--node", name, "--lease", "1000"], ANYWHERE);
    let (mut a, b) = (start("a"), start("b"));
    let ann = Person::guest(a.address, "Ann").await;
    let settings = json!({ "players": 2, "window_ms": 0, "variants": ["unlimited-lives"] });
    let new = json!({ "settings": settings, "bots": ["kobold"], "start": true });
    let NewTableReply { id, .. } = ann.post("/api/tables", &new).await;
    let (mut at_a, first) = sit(&ann, &a, &id).await;
    let last = answer(&mut at_a, first, 6).await;
    // Shorter than a lease: nothing happens.
    signal(&a.child, "STOP");
    tokio::time::sleep(Duration::from_millis(400)).await;
    signal(&a.child, "CONT");
    let last = answer(&mut at_a, last, 2).await;

    signal(&a.child, "STOP");
    let began = Instant::now();
    let (mut at_b, again) = sit(&ann, &b, &id).await;
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert!(again.seq >= last.seq);
    assert_eq!((&again.view, &again.ask), (&last.view, &last.ask), "the same question");
    let last = answer(&mut at_b, again, 4).await;
    // It wakes up with an answer that waits for it, and learns that it is dead.
    let seq = last.seq;
    let _ = at_a.send(&ClientMsg::Act { seq, index: 0 }).await;
    signal(&a.child, "CONT");
    while let Some(message) = at_a.next().await {
        let shown = matches!(&message, ServerMsg::Update(update) if update.seq > seq && !update.fresh);
        assert!(!shown, "a dead server has shown something new");
    }
    let start_again = Instant::now();
    while a.child.try_wait().unwrap().is_none() {
        assert!(start_again.elapsed() < Duration::from_secs(10), "it goes on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(a.child.wait().unwrap().code(), Some(3));
    let last = answer(&mut at_b, last, 2).await;

    // Killed, and nobody comes: the others go on with it.
    let c = start("c");
    let began = Instant::now();
    drop(b);
    let (mut at_c, again) = sit(&ann, &c, &id).await;
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!((&again.view, &again.ask), (&last.view, &last.ask), "the same question");
    answer(&mut at_c, again, 2).await;
    // Stopped gracefully: the next one has it at once.
    let d = start("d");
    signal(&c.child, "TERM");
    let (mut at_d, again) = sit(&ann, &d, &id).await;
    answer(&mut at_d, again, 2).await;
    let falls = "SELECT count(*) FROM (SELECT epoch, lag(epoch) OVER (PARTITION BY table_no ORDER BY n) AS before FROM log) \
        AS rows WHERE epoch < before";
    assert_eq!(postgres.sql(&database, falls), "0");
    let owners: u32 = postgres.sql(&database, "SELECT count(DISTINCT epoch) FROM log").parse().unwrap();
    assert!(owners >= 4, "{owners} owners");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_comes_to_the_server_where_its_people_are() {
    let Some(postgres) = database::shared() else { return };
    let url = postgres.url();
    let start = |name: &str| Server::with(&["--postgres", &url, "--node", name], ANYWHERE);
    let (a, b) = (start("a"), start("b"));
    let (ann, ben) = (Person::guest(a.address, "Ann").await, Person::guest(b.address, "Ben").await);
    let new = json!({ "settings": { "players": 2, "window_ms": 0 }, "bots": ["kobold"], "start": true });
    let NewTableReply { id, .. } = ann.post("/api/tables", &new).await;
    // Made at one server; a proxy sends its people to the other.
    let began = Instant::now();
    let (mut at_b, first) = sit(&ann, &b, &id).await;
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let last = answer(&mut at_b, first, 2).await;
    // While somebody is there, it stays; whoever comes to the wrong one is told to come back.
    let wrong = Person { address: a.address, ..ben.clone() };
    let mut socket = wrong.sit(&id).await.unwrap();
    let mut told = None;
    while let Some(message) = socket.next().await {
        if let ServerMsg::Bye { code, .. } = message {
            told = Some(code);
        }
    }
    assert_eq!(told, Some(CloseReason::Stopping));
    answer(&mut at_b, last, 2).await;
    // Nobody is there any more: it goes back.
    drop(at_b);
    sit(&ann, &a, &id).await;
}
