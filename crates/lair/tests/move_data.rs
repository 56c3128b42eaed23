//! `lair move-data`: there and back again, whatever interrupts it.
#![cfg(unix)]

mod client;
mod common;
#[path = "../../server/tests/postgres/mod.rs"]
mod database;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::drill::{answer, new_game};
use client::{LONG, Person, Server};
use common::{Ran, command, lair, scratch, signal};
use serde_json::json;
use server::wire::{NewTableReply, PuzzleHint, PuzzleInfo, PuzzleReply, PuzzleStage};

const ANYWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

fn moved(from: &str, to: &str) -> Ran {
    lair(&["move-data", from, to])
}

/// Every file of a folder.
fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let read = |file: std::fs::DirEntry| {
        (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap())
    };
    files.map(read).collect()
}

/// A server's records, account and game in progress.
struct Played {
    people: [Person; 2],
    records: Vec<(String, Vec<u8>)>,
    /// A table in play, and what Ann sees there.
    table: String,
    /// The puzzle that Ann has solved.
    puzzle: String,
}

/// Solves a puzzle as the hints say; its name.
async fn solve(person: &Person) -> String {
    let list: Vec<PuzzleInfo> = serde_json::from_slice(&person.get("/api/puzzles").await).unwrap();
    let name = list.into_iter().find(|puzzle| puzzle.answers == 1).unwrap().name;
    let mut answers = Vec::new();
    loop {
        let hint = format!("/api/puzzles/{name}/hint");
        let PuzzleHint { index, .. } = person.post(&hint, &json!({ "answers": answers })).await;
        answers.push(index);
        let attempt = format!("/api/puzzles/{name}/attempt");
        let reply: PuzzleReply = person.post(&attempt, &json!({ "answers": answers })).await;
        if reply.stage == PuzzleStage::Solved {
            return name;
        }
    }
}

/// Some finished games, one in progress and an account; the server is killed.
async fn play(args: &[&str]) -> Played {
    let mut server = Server::with(args, ANYWHERE);
    let address = server.address;
    let people = [Person::guest(address, "Ann").await, Person::guest(address, "Ben").await];
    let heard = Arc::default();
    let mut records = Vec::new();
    for number in 0..3 {
        for game in new_game(&people, number, &heard).await {
            let story = tokio::time::timeout(LONG, game).await.unwrap().unwrap();
            records.push((story.record().to_string(), people[0].get(story.record()).await));
        }
    }
    let puzzle = solve(&people[0]).await;
    let account = json!({ "name": "Ann the First", "passphrase": "a long enough passphrase" });
    let cleo = Person::guest(address, "Cleo").await;
    let _: serde_json::Value = cleo.post("/api/account", &account).await;
    let settings = json!({ "players": 2, "window_ms": 0, "variants": ["unlimited-lives"] });
    let new = json!({ "settings": settings, "bots": ["kobold"], "start": true });
    let NewTableReply { id, .. } = people[1].post("/api/tables", &new).await;
    let mut socket = people[1].sit(&id).await.unwrap();
    let update = socket.update().await;
    answer(&mut socket, update, 3).await;
    // The journal is full of what no log has yet.
    server.kill();
    Played { people, records, table: id, puzzle }
}

impl Played {
    /// The same records, the same sessions, and the game goes on.
    async fn is_there(&self, args: &[&str]) {
        let mut server = Server::with(args, ANYWHERE);
        let at = |person: &Person| Person { address: server.address, ..person.clone() };
        for (path, record) in &self.records {
            assert!(at(&self.people[0]).get(path).await == *record, "{path}");
        }
        let solved: Vec<String> =
            serde_json::from_slice(&at(&self.people[0]).get("/api/me/puzzles").await).unwrap();
        assert_eq!(solved, [self.puzzle.as_str()]);
        let mut socket = at(&self.people[1]).sit(&self.table).await.unwrap();
        let update = socket.update().await;
        answer(&mut socket, update, 1).await;
        signal(&server.child, "TERM");
        assert_eq!(server.child.wait().unwrap().code(), Some(0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_goes_to_postgres_and_back() {
    let Some(postgres) = database::shared() else { return };
    let (folder, again) = (scratch("move-from"), scratch("move-back"));
    let _ = std::fs::remove_dir_all(&again);
    let (from, back) = (folder.to_str().unwrap(), again.to_str().unwrap());
    let played = play(&["--data", from]).await;
    let before = bytes(&folder);
    assert!(before.contains_key("lair.db"));
    let database = postgres.database();
    let url = postgres.url_of("lair", &database);
    let told = moved(from, &url).ok().out;
    for words in ["3  people", "4  tables\n", "4  tables replayed", "is the same"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(!told.contains("cannot be replayed"), "{told}");
    assert!(bytes(&folder) == before, "the source has changed");
    // Not twice, and not while somebody uses it.
    let twice = moved(from, &url);
    assert!(twice.code == 2 && twice.err.contains("not empty"), "{}", twice.err);
    played.is_there(&["--postgres", &url]).await;
    {
        let _server = Server::with(&["--postgres", &url], ANYWHERE);
        let used = moved(&url, back);
        assert!(used.code == 1 && used.err.contains("is using"), "{}", used.err);
        assert!(!again.exists());
    }
    wait_for_end(postgres, &database);
    let rows = "SELECT (SELECT count(*) FROM people) || ' ' || (SELECT count(*) FROM tables) || ' ' || \
        (SELECT string_agg(md5(entries), '' ORDER BY table_no, n) FROM log)";
    let there = postgres.sql(&database, rows);
    let told = moved(&url, back).ok().out;
    assert!(told.contains("4  tables replayed"), "{told}");
    assert_eq!(postgres.sql(&database, rows), there, "the source has changed");
    let mode = std::fs::metadata(again.join("lair.db")).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o777, 0o600);
    played.is_there(&["--data", back]).await;
    // And into a second database: numbers go on after those that were moved.
    let url = postgres.url();
    moved(back, &url).ok();
    played.is_there(&["--postgres", &url]).await;
    let server = Server::with(&["--postgres", &url], ANYWHERE);
    let ann = Person { address: server.address, ..played.people[0].clone() };
    let _: NewTableReply = ann.post("/api/tables", &json!({ "settings": { "players": 2 } })).await;
    drop(server);
    for folder in [folder, again] {
        std::fs::remove_dir_all(folder).unwrap();
    }
}

/// Until no server uses the database any more.
fn wait_for_end(postgres: &database::Postgres, database: &str) {
    let used = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}' AND application_name LIKE 'lair/%'"
    );
    let start = Instant::now();
    while postgres.sql("postgres", &used) != "0" {
        assert!(start.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_cannot_be_moved_says_why() {
    let nothing = scratch("move-nothing");
    std::fs::create_dir_all(&nothing).unwrap();
    let from = nothing.to_str().unwrap();
    let told = moved(from, "postgres://lair:hunter2@127.0.0.1:1/lair");
    assert!(told.code == 2 && told.err.contains("nothing to move"), "{}", told.err);
    assert_eq!(moved(from, "postgres").code, 2, "LAIR_POSTGRES is not set");
    assert_eq!(moved(from, "mysql://db/lair").code, 2);
    std::fs::remove_dir_all(&nothing).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_move_leaves_nothing_behind() {
    let Some(postgres) = database::shared() else { return };
    let (folder, again) = (scratch("interrupted"), scratch("interrupted-back"));
    let _ = std::fs::remove_dir_all(&again);
    let from = folder.to_str().unwrap();
    play(&["--data", from]).await;
    many_tables(&folder, 3000);
    let database = postgres.database();
    let url = postgres.url_of("lair", &database);
    let rows =
        "SELECT (SELECT count(*) FROM people) + (SELECT count(*) FROM tables) + (SELECT count(*) FROM log)";
    for (n, how) in ["INT", "KILL", "TERM"].into_iter().enumerate() {
        let mut child = command(&["move-data", from, &url])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(400 + 300 * n as u64));
        signal(&child, how);
        let code = child.wait().unwrap().code();
        assert_ne!(code, Some(0), "{how}: it was too quick");
        wait_for_end(postgres, &database);
        let there = postgres.sql(&database, "SELECT to_regclass('people') IS NOT NULL");
        if there == "t" {
            assert_eq!(postgres.sql(&database, rows), "0", "{how}");
        }
    }
    moved(from, &url).ok();
    for how in ["INT", "KILL"] {
        let mut back = command(&["move-data", &url, again.to_str().unwrap()]);
        let mut child = back.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        signal(&child, how);
        assert_ne!(child.wait().unwrap().code(), Some(0), "{how}: it was too quick");
        assert!(!again.exists(), "{how}");
    }
    moved(&url, again.to_str().unwrap()).ok();
    for folder in [folder, again] {
        std::fs::remove_dir_all(folder).unwrap();
    }
}

/// Copies of the tables that are there, so that moving takes a while.
fn many_tables(folder: &Path, many: u32) {
    let db = rusqlite::Connection::open(folder.join("lair.db")).unwrap();
    let last: i64 =
        db.query_row("SELECT max(no) FROM tables WHERE state = 'over'", [], |row| row.get(0)).unwrap();
    // Their logs are still in the journal; a table without any is one that nobody has sat down at.
    let copy = "INSERT INTO tables (id, made, settings, secret, state, seats) \
        SELECT printf('%026d', ?2), made, settings, secret, 'open', '[]' FROM tables WHERE no = ?1";
    db.execute_batch("BEGIN").unwrap();
    for n in 0..many {
        db.execute(copy, (last, n)).unwrap();
    }
    db.execute_batch("COMMIT").unwrap();
}
