//! `lair serve --postgres`: what it refuses, and the drills. The server is killed and PostgreSQL crashes or is away while
//! people play: everything any of them was shown is in the final record, in that order, and every game is finished.
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
use common::{command, lair, scratch, signal};
use database::Postgres;
use tokio::task::JoinHandle;

const ANYWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);
const ROUNDS: u64 = 12;
/// Tables in play at once.
const TABLES: usize = 3;

#[test]
fn wrong_addresses_are_refused_and_nothing_secret_is_told() {
    let serve = |args: &[&str]| lair(&[&["serve", "--listen", "127.0.0.1:0"], args].concat());
    for (url, code, words) in [
        ("mysql://lair:s3cret@db/lair", 2, "postgres://"),
        ("postgres://lair:s3cret@db:x/lair", 2, "port"),
        ("postgres://lair:s3cret@db", 2, "database"),
        ("postgres://lair:s3cret@db/lair?sslmode=prefer", 2, "sslmode"),
        ("postgres://lair:s3cret@127.0.0.1:1/lair", 1, "cannot be reached"),
        ("postgres://lair:s3cret@nowhere.invalid/lair?sslmode=disable", 1, "cannot be reached"),
    ] {
        let ran = serve(&["--postgres", url]);
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{url}: {}", ran.err);
        assert!(ran.err.contains(words) && !ran.err.contains("s3cret"), "{url}: {}", ran.err);
    }
    let file = scratch("postgres-url");
    std::fs::write(&file, "postgres://lair:s3cret@127.0.0.1:1/lair\n").unwrap();
    let from_file = serve(&["--postgres-file", file.to_str().unwrap()]);
    assert!(from_file.code == 1 && from_file.err.contains("lair@127.0.0.1:1/lair"), "{}", from_file.err);
    assert!(!from_file.err.contains("s3cret"), "{}", from_file.err);
    assert_eq!(serve(&["--postgres-file", "/nowhere/at/all"]).code, 2);
    assert_eq!(serve(&["--postgres", "postgres://a@b/c", "--data", "x"]).code, 2);
    assert_eq!(serve(&["--node", "a b", "--postgres", "postgres://a@b/c"]).code, 2);
    let mut from_environment = command(&["serve", "--listen", "127.0.0.1:0"]);
    let told =
        from_environment.env("LAIR_POSTGRES", "postgres://lair:s3cret@127.0.0.1:1/lair").output().unwrap();
    let told = String::from_utf8(told.stderr).unwrap();
    assert!(told.contains("cannot be reached") && !told.contains("s3cret"), "{told}");
}

#[test]
fn a_server_ends_with_code_3_when_another_takes_its_name() {
    let Some(postgres) = database::shared() else { return };
    let url = postgres.url();
    let mut first = Server::with(&["--postgres", &url, "--node", "a"], ANYWHERE);
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
    let heard = Arc::new(AtomicU64::new(0));
    let (mut playing, mut stories) = (Vec::new(), Vec::new());
    let mut number = 0;
    for round in 0..ROUNDS {
        for game in playing.extract_if(.., |game: &mut JoinHandle<Story>| game.is_finished()) {
            stories.push(game.await.unwrap());
        }
        while playing.len() < 2 * TABLES {
            number += 1;
            playing.extend(new_game(&people, number, &heard).await);
        }
        let (from, more) = (heard.load(Ordering::Relaxed), mix(round) % 60);
        let start = Instant::now();
        while heard.load(Ordering::Relaxed) < from + more && playing.iter().any(|game| !game.is_finished()) {
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
