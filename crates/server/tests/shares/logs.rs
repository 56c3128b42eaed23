//! Long logs.

use std::path::{Path, PathBuf};

use engine::record::ActionText;
use server::store::{Change, LogEntry, Store, StoreError};

use super::*;

/// A game with a bot that has gone on for some answers; the server is closed.
pub async fn started(answers: usize) -> (String, Browser, PathBuf) {
    let server = server_with(Limits::none()).await;
    let mut ann = server.guest("Ann").await;
    let id = make(&mut ann, &with_bot()).await;
    let mut socket = ann.sit(&id).await;
    let first = question(&mut socket).await;
    answer(&mut socket, first, answers).await;
    let data = server.data.clone();
    server.close().await;
    (id, ann, data)
}

/// The store of a server that is closed.
async fn open(data: &Path) -> Store {
    loop {
        match Store::open(data) {
            Ok(store) => return store,
            Err(StoreError::InUse(_)) => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    }
}

/// As if all tables were made long ago: the server restores them only when someone asks for them.
pub async fn make_old(data: &Path) {
    let store = open(data).await;
    let old = |db: &rusqlite::Connection| Ok(db.execute("UPDATE tables SET made = 0", [])?);
    store.folder().unwrap().write(old).await.unwrap();
}

/// Adds entries to the log of a table while no server is using it.
pub async fn add_to_log(data: &Path, id: &str, more: impl FnOnce(&[LogEntry]) -> Vec<LogEntry>) {
    let store = open(data).await;
    let (row, log) = store.table(id).await.unwrap().expect("the table");
    let change = more(&log);
    let change = Change { entries: &change, ..Change::default() };
    store.change(row.hold, log.len() as u32, change).await.unwrap();
}

/// The last answer, taken back and given again this often.
pub fn undone(log: &[LogEntry], times: usize) -> Vec<LogEntry> {
    let is_answer = |entry: &&LogEntry| matches!(entry, LogEntry::Acts(_) | LogEntry::Auto(_));
    let answers = log.iter().filter(is_answer).count();
    let last = log.iter().rev().find(is_answer).expect("an answer").clone();
    let pair = [LogEntry::Undone(answers as u32 - 1), last];
    std::iter::repeat_n(pair, times).flatten().collect()
}

/// The same browser at another server.
pub fn moved(browser: &Browser, server: &TestServer) -> Browser {
    let mut moved = server.browser();
    moved.cookie = browser.cookie.clone();
    moved
}

async fn reopened(data: &Path) -> TestServer {
    TestServer::with(Config { data: data.into(), limits: Limits::none(), ..config() }).await
}

#[tokio::test]
async fn a_game_goes_on_after_thousands_of_answers_were_taken_back() {
    let (id, ann, data) = started(3).await;
    add_to_log(&data, &id, |log| undone(log, 2_900)).await;
    let server = reopened(&data).await;
    let ann = moved(&ann, &server);
    let mut socket = ann.sit(&id).await;
    let last = question(&mut socket).await;
    answer(&mut socket, last, 3).await;
    socket.send(&ClientMsg::Resign).await;
    while update(&mut socket).await.over.is_none() {}
    let record: engine::record::Record = server.browser().get(&format!("/record/{id}")).await.ok().json();
    let db = record.db(&cards::library::sets()).unwrap();
    record.verify(&db).unwrap();
    let actions: &[ActionText] = &record.actions;
    assert!(actions.len() < 200, "{} answers", actions.len());
    server.close().await;
}

#[tokio::test]
async fn the_log_of_a_table_is_bounded() {
    let (id, ann, data) = started(2).await;
    add_to_log(&data, &id, |log| vec![LogEntry::Shown; 10_001 - log.len()]).await;
    let server = reopened(&data).await;
    let mut socket = moved(&ann, &server).sit(&id).await;
    let last = question(&mut socket).await;
    socket.send(&ClientMsg::Undo).await;
    assert_eq!(refusal(&mut socket).await, Refusal::NotNow);
    // The game itself goes on.
    let last = answer(&mut socket, last, 2).await;
    assert!(last.over.is_none());
    server.close().await;

    add_to_log(&data, &id, |log| vec![LogEntry::Shown; 19_999 - log.len()]).await;
    let server = reopened(&data).await;
    let mut socket = moved(&ann, &server).sit(&id).await;
    let mut last = question(&mut socket).await;
    while last.over.is_none() {
        last = answer(&mut socket, last, 1).await;
    }
    assert_eq!(last.over.map(|over| over.reason).as_deref(), Some("stopped"));
    server.browser().get(&format!("/record/{id}")).await.ok();
    server.close().await;
    // It is still over after a restart.
    let server = reopened(&data).await;
    let mut socket = moved(&ann, &server).sit(&id).await;
    assert!(update(&mut socket).await.over.is_some());
    server.close().await;
}
