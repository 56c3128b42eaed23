//! A table's WebSocket as clients see it: who gets in, what is refused, and when it is closed.

mod test_server;

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use server::wire::*;
use server::{Limits, Rate};
use test_server::{Browser, Socket, TestServer, config};
use tokio_tungstenite::tungstenite::{Error, Message};

async fn table(host: &mut Browser, new: &serde_json::Value) -> String {
    let reply: NewTableReply = host.post("/api/tables", new).await.ok().json();
    reply.id
}

/// The next refusal; other messages are skipped.
async fn refusal(socket: &mut Socket) -> Refusal {
    let refused = |message| match message {
        ServerMsg::Refused { code, words, .. } => {
            assert!(words.len() > 5, "{words}");
            Some(code)
        }
        _ => None,
    };
    socket.until(refused).await
}

/// The goodbye, after which nothing may come.
async fn farewell(socket: &mut Socket) -> CloseReason {
    let said = |message| match message {
        ServerMsg::Bye { code, words } => {
            assert!(words.len() > 5, "{words}");
            Some(code)
        }
        _ => None,
    };
    let code = socket.until(said).await;
    assert_eq!(socket.next().await, None);
    code
}

fn status(refused: Result<Socket, Error>) -> u16 {
    match refused.err() {
        Some(Error::Http(response)) => {
            let problem: Problem = serde_json::from_slice(response.body().as_deref().unwrap()).unwrap();
            assert!(problem.words.len() > 10);
            response.status().as_u16()
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn only_people_from_our_own_pages_get_in() {
    let server = TestServer::open().await;
    let mut ann = server.guest("Ann").await;
    let id = table(&mut ann, &json!({})).await;
    assert_eq!(status(server.browser().socket(&id).await), 401);
    assert_eq!(status(ann.clone().with("origin", "http://evil.example").socket(&id).await), 403);
    let own = format!("http://{}", server.address);
    let mut socket = ann.clone().with("origin", &own).sit(&id).await;
    let you = socket.until(|message| match message {
        ServerMsg::Welcome { you, protocol: PROTOCOL, .. } => Some(you),
        _ => None,
    });
    let you = you.await;
    assert_eq!((you.name.as_str(), you.seat, you.host), ("Ann", Some(1), true));
    server.close().await;
}

#[tokio::test]
async fn hello_must_come_first_and_match() {
    let server = TestServer::open().await;
    let mut ann = server.guest("Ann").await;
    let id = table(&mut ann, &json!({})).await;

    let mut socket = ann.socket(&id).await.unwrap();
    socket.send(&ClientMsg::Start).await;
    assert_eq!(refusal(&mut socket).await, Refusal::HelloFirst);
    socket.text(&json!({ "type": "hello", "protocol": PROTOCOL, "commitment": "abc" }).to_string()).await;
    assert_eq!(refusal(&mut socket).await, Refusal::Malformed);
    let commitment = Some("0f".repeat(32));
    socket.send(&ClientMsg::Hello { protocol: PROTOCOL, commitment: commitment.clone() }).await;
    socket.until(|message| matches!(message, ServerMsg::Welcome { .. }).then_some(())).await;
    socket.send(&ClientMsg::Hello { protocol: PROTOCOL, commitment }).await;
    assert_eq!(refusal(&mut socket).await, Refusal::HelloFirst);

    let mut old = ann.socket(&id).await.unwrap();
    old.send(&ClientMsg::Hello { protocol: PROTOCOL + 1, commitment: None }).await;
    assert_eq!(farewell(&mut old).await, CloseReason::Protocol);

    let mut lost = ann.sit("aaaaaaaaaaaaaaaaaaaaaaaaaa").await;
    assert_eq!(farewell(&mut lost).await, CloseReason::NoSuchTable);
    server.close().await;
}

#[tokio::test]
async fn a_client_that_never_says_hello_is_closed() {
    let config = config();
    let limits = Limits { hello: Duration::from_millis(300), ..config.limits };
    let server = TestServer::with(server::Config { limits, ..config }).await;
    let mut ann = server.guest("Ann").await;
    let id = table(&mut ann, &json!({})).await;
    let mut silent = ann.socket(&id).await.unwrap();
    assert_eq!(farewell(&mut silent).await, CloseReason::Misbehaved);
    // No number of other messages counts as `hello`.
    let mut evasive = ann.socket(&id).await.unwrap();
    evasive.send(&ClientMsg::Refresh).await;
    assert_eq!(refusal(&mut evasive).await, Refusal::HelloFirst);
    assert_eq!(farewell(&mut evasive).await, CloseReason::Misbehaved);
    server.close().await;
}

#[tokio::test]
async fn strangers_watch_only_where_they_are_welcome() {
    let server = TestServer::open().await;
    let (mut ann, bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let new = json!({ "settings": { "spectators": "none" }, "bots": ["kobold"], "start": true });
    let id = table(&mut ann, &new).await;
    let mut host = ann.sit(&id).await;
    host.until(|message| matches!(message, ServerMsg::Update(_)).then_some(())).await;
    assert_eq!(farewell(&mut bob.sit(&id).await).await, CloseReason::NotWelcome);
    server.close().await;
}

#[tokio::test]
async fn bad_messages_are_refused_and_harm_nobody() {
    let server = TestServer::open().await;
    let (mut ann, bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let id = table(&mut ann, &json!({})).await;
    let mut socket = ann.sit(&id).await;
    let mut watching = bob.sit(&id).await;
    for bad in [
        "",
        "{",
        "[]",
        "null",
        r#"{"type":"nothing"}"#,
        r#"{"type":"act","seq":1}"#,
        r#"{"type":"act","seq":-1,"index":0}"#,
        r#"{"type":"act","seq":1,"index":0,"more":1}"#,
        "\u{0}",
    ] {
        socket.text(bad).await;
        assert_eq!(refusal(&mut socket).await, Refusal::Malformed, "{bad}");
    }
    socket.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(refusal(&mut socket).await, Refusal::Malformed);
    socket.send(&ClientMsg::Chat { text: "x".repeat(5_000) }).await;
    assert_eq!(refusal(&mut socket).await, Refusal::TooLong);
    socket.send(&ClientMsg::Chat { text: "still here".into() }).await;
    let line = |message| match message {
        ServerMsg::Chat { line } => Some(line.text),
        _ => None,
    };
    assert_eq!(watching.until(line).await, "still here");

    socket.send(&ClientMsg::Chat { text: "x".repeat(100_000) }).await;
    assert_eq!(farewell(&mut socket).await, CloseReason::Misbehaved);
    watching.send(&ClientMsg::Chat { text: "and I".into() }).await;
    assert_eq!(watching.until(line).await, "and I");
    server.close().await;
}

#[tokio::test]
async fn floods_are_slowed_down_and_then_cut_off() {
    let config = config();
    let limits = Limits { messages: Rate::new(10, 0.01), ..config.limits };
    let server = TestServer::with(server::Config { limits, ..config }).await;
    let mut ann = server.guest("Ann").await;
    let id = table(&mut ann, &json!({})).await;
    let (mut sender, mut receiver) = ann.sit(&id).await.0.split();
    let flood =
        tokio::spawn(
            async move { while sender.send(Message::text(r#"{"type":"refresh"}"#)).await.is_ok() {} },
        );
    let (mut slowed, mut last) = (0, None);
    while let Some(Ok(message)) = receiver.next().await {
        let Message::Text(text) = message else { continue };
        match serde_json::from_str(&text).unwrap() {
            ServerMsg::Refused { code: Refusal::TooFast, .. } => slowed += 1,
            ServerMsg::Bye { code, .. } => last = Some(code),
            _ => {}
        }
    }
    assert!(slowed > 100, "{slowed}");
    assert_eq!(last, Some(CloseReason::Misbehaved));
    flood.await.unwrap();
    server.close().await;
}

#[tokio::test]
async fn a_server_that_stops_says_so() {
    let server = TestServer::open().await;
    let mut ann = server.guest("Ann").await;
    let id = table(&mut ann, &json!({})).await;
    let mut seated = ann.sit(&id).await;
    seated.until(|message| matches!(message, ServerMsg::Welcome { .. }).then_some(())).await;
    let mut silent = ann.socket(&id).await.unwrap();
    let closing = tokio::spawn(server.close());
    assert_eq!(farewell(&mut seated).await, CloseReason::Stopping);
    assert_eq!(farewell(&mut silent).await, CloseReason::Stopping);
    closing.await.unwrap();
}

#[tokio::test]
async fn behind_a_proxy_sockets_are_counted_by_the_forwarded_address() {
    let config = config();
    let limits = Limits { connections_per_address: 2, ..config.limits };
    let server = TestServer::with(server::Config { limits, behind_proxy: true, ..config }).await;
    let mut ann = server.guest("Ann").await;
    let id = table(&mut ann, &json!({})).await;
    let from = |address: &str| ann.clone().with("x-forwarded-for", address);
    let _held = (from("192.0.2.1").sit(&id).await, from("192.0.2.1").sit(&id).await);
    assert_eq!(status(from("192.0.2.1").socket(&id).await), 429);
    let mut other = from("192.0.2.2").sit(&id).await;
    other.until(|message| matches!(message, ServerMsg::Welcome { .. }).then_some(())).await;
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_and_two_bots_play_a_whole_game() {
    let server = TestServer::with(server::Config { limits: Limits::none(), ..config() }).await;
    let (mut ann, bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let new = json!({ "settings": { "players": 4, "window_ms": 0 }, "bots": ["kobold", "minion"] });
    let id = table(&mut ann, &new).await;
    let (mut first, mut second) = (ann.sit(&id).await, bob.sit(&id).await);
    second.send(&ClientMsg::Sit { seat: None }).await;
    let full = |message| match message {
        ServerMsg::Table { table, .. } => table.seats.iter().all(|seat| seat.who.is_some()).then_some(()),
        _ => None,
    };
    first.until(full).await;
    first.send(&ClientMsg::Start).await;
    let (first, second) = tokio::join!(play(first), play(second));
    assert_eq!(first, second);
    assert_eq!(first.record, format!("/record/{id}"));

    let record = server.browser().get(&first.record).await.ok();
    let record: engine::record::Record = record.json();
    let result = record.result.as_ref().unwrap();
    assert_eq!((&result.reason, result.turns, &result.souls), (&first.reason, first.turns, &first.souls));

    let mut visitor = server.browser();
    let replay: Replay = visitor.get(&format!("/api/replay/{id}")).await.ok().json();
    assert!(replay.verified, "{}", replay.verdict);
    let last = replay.steps.len() - 1;
    let moment: ReplayMoment = visitor.get(&format!("/api/replay/{id}/{last}?seat=2")).await.ok().json();
    assert_eq!((moment.view.seat, moment.view.turn, moment.decision), (Some(2), first.turns, None));
    let review: GameReview = visitor.get(&format!("/api/replay/{id}/review/1")).await.ok().json();
    assert!(review.points.len() <= 3 && review.points.iter().all(|point| point.step <= last as u32));
    visitor.get(&format!("/api/replay/{id}/review/5")).await.refused(400, "no_such_seat");
    visitor.get(&format!("/api/replay/{id}/review/all")).await.refused(400, "no_such_seat");
    visitor.get(&format!("/api/replay/{id}/{}", last + 1)).await.refused(404, "no_such_step");
    visitor.get(&format!("/api/replay/{id}/x")).await.refused(404, "no_such_step");
    visitor.get(&format!("/api/replay/{id}?seat=5")).await.refused(400, "no_such_seat");

    let games: Vec<GameSummary> = ann.get("/api/me/games").await.ok().json();
    assert_eq!(games[0].state, TableState::Over);
    assert_eq!((games[0].winner, games[0].reason.as_ref()), (first.winner, Some(&first.reason)));
    server.close().await;
}

/// Answers every question.
async fn play(mut socket: Socket) -> GameOver {
    let mut dice = 1_u32;
    loop {
        let update = socket
            .until(|message| match message {
                ServerMsg::Update(update) => Some(update),
                ServerMsg::Bye { words, .. } => panic!("{words}"),
                _ => None,
            })
            .await;
        if let Some(over) = update.over {
            return over;
        }
        if let Some(ask) = update.ask {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let index = (dice >> 16) % ask.legal.len() as u32;
            socket.send(&ClientMsg::Act { seq: update.seq, index }).await;
        }
    }
}

#[tokio::test]
async fn a_table_that_cannot_be_restored_says_so() {
    let config = config();
    let server = TestServer::with(config.clone()).await;
    let mut ann = server.guest("Ann").await;
    let id = table(&mut ann, &json!({ "bots": ["kobold"], "start": true })).await;
    let mut socket = ann.sit(&id).await;
    socket.until(|message| matches!(message, ServerMsg::Update(_)).then_some(())).await;
    server.close().await;
    let db = rusqlite::Connection::open(config.data.join("lair.db")).unwrap();
    for place in ["log", "journal"] {
        let damage = format!("UPDATE {place} SET entries = replace(entries, '--players 2', '--players 3')");
        db.execute(&damage, []).unwrap();
    }
    drop(db);

    let server = TestServer::with(config).await;
    let mut again = server.browser();
    again.cookie = ann.cookie.clone();
    let words = again.get(&format!("/api/tables/{id}")).await.refused(500, "cannot_restore");
    assert!(words.contains("the log is kept"), "{words}");
    // What is known of it without its log comes first.
    again.get(&format!("/record/{id}")).await.refused(409, "not_over");
    again.get(&format!("/api/replay/{id}")).await.refused(409, "not_over");
    let lobby: Lobby = again.get("/api/tables").await.ok().json();
    assert!(lobby.mine.is_empty() && lobby.open.is_empty(), "{lobby:?}");
    let mut socket = again.sit(&id).await;
    assert_eq!(farewell(&mut socket).await, CloseReason::CannotRestore);
    server.close().await;
}
