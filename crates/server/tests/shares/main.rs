//! One address can harm nobody else: processor time, memory, traffic and connections have their limits.

mod connections;
mod crowds;
mod decks;
mod lobby;
mod logs;
mod tables;
#[path = "../test_server/mod.rs"]
mod test_server;
mod workers;

use std::time::Duration;

use serde_json::{Value, json};
use server::wire::*;
use server::{Config, Limits};
use test_server::{Browser, Socket, TestServer, config};

/// Nothing here takes this long unless something hangs.
const LONG: Duration = Duration::from_secs(60);

async fn server_with(limits: Limits) -> TestServer {
    let metrics = Some(([127, 0, 0, 1], 0).into());
    TestServer::with(Config { limits, metrics, ..config() }).await
}

/// Behind a proxy, so that a client can say which address it comes from.
async fn proxied(limits: Limits) -> TestServer {
    TestServer::with(Config { limits, behind_proxy: true, ..config() }).await
}

async fn make(browser: &mut Browser, new: &Value) -> String {
    let NewTableReply { id, .. } = browser.post("/api/tables", new).await.ok().json();
    id
}

/// A table with a bot in the second seat, which starts by itself.
fn with_bot() -> Value {
    let settings = json!({ "window_ms": 0, "variants": ["unlimited-lives"] });
    json!({ "settings": settings, "bots": ["kobold"], "start": true })
}

/// A correct deck of this many bytes.
fn long_deck(bytes: usize) -> String {
    let head = "deck My own\nset BMR\n";
    format!("{head}{}\n", "#".repeat(bytes - head.len() - 1))
}

async fn update(socket: &mut Socket) -> Update {
    socket
        .until(|message| match message {
            ServerMsg::Update(update) => Some(*update),
            ServerMsg::Refused { words, .. } | ServerMsg::Bye { words, .. } => panic!("{words}"),
            _ => None,
        })
        .await
}

/// The next update with a question, or the end.
async fn question(socket: &mut Socket) -> Update {
    loop {
        let update = update(socket).await;
        if update.ask.is_some() || update.over.is_some() {
            return update;
        }
    }
}

/// Gives this many answers.
async fn answer(socket: &mut Socket, mut last: Update, answers: usize) -> Update {
    for n in 0..answers {
        let Some(ask) = &last.ask else { break };
        let index = (n * 7 % ask.legal.len()) as u32;
        socket.send(&ClientMsg::Act { seq: last.seq, index }).await;
        let before = last.seq;
        while last.seq <= before {
            last = question(socket).await;
        }
    }
    last
}

async fn refusal(socket: &mut Socket) -> Refusal {
    let code = |message| match message {
        ServerMsg::Refused { code, .. } => Some(code),
        _ => None,
    };
    socket.until(code).await
}
