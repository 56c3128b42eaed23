//! What one address can pour into a table: settings, frames and chat.

use futures_util::SinkExt;
use server::Rate;
use tokio_tungstenite::tungstenite::{Bytes, Message};

use super::*;

#[tokio::test]
async fn settings_are_small() {
    let server = server_with(Limits::none()).await;
    let mut ann = server.guest("Ann").await;
    let many = json!({ "settings": { "variants": vec!["hard"; 17_000] } });
    let words = ann.post("/api/tables", &many).await.refused(422, "bad_settings");
    assert!(words.contains("`hard` twice"), "{words}");
    let long = json!({ "settings": { "deck": "d".repeat(90_000), "deck_text": "set BMR\n" } });
    let words = ann.post("/api/tables", &long).await.refused(422, "bad_settings");
    assert!(words.contains("at most 60 characters"), "{words}");
    server.close().await;
}

/// Answers to pings that were never sent count like other messages.
#[tokio::test]
async fn a_flood_of_pongs_is_cut_off() {
    let server = server_with(Limits::default()).await;
    let mut ann = server.guest("Ann").await;
    let id = make(&mut ann, &json!({})).await;
    let mut socket = ann.sit(&id).await;
    for _ in 0..2_000 {
        if socket.0.feed(Message::Pong(Bytes::new())).await.is_err() {
            break;
        }
    }
    let _ = socket.0.flush().await;
    while socket.next().await.is_some() {}
    server.close().await;
}

/// Whatever the frames are, nobody needs to send that many bytes.
#[tokio::test]
async fn bytes_are_limited() {
    let server = server_with(Limits { bytes: Rate::new(4_000, 1.0), ..Limits::none() }).await;
    let mut ann = server.guest("Ann").await;
    let id = make(&mut ann, &json!({})).await;
    let mut socket = ann.sit(&id).await;
    for _ in 0..2_000 {
        let text = Message::text(r#"{"type":"stand"}"#);
        if socket.0.feed(text).await.is_err() {
            break;
        }
    }
    let _ = socket.0.flush().await;
    while socket.next().await.is_some() {}
    server.close().await;
}

#[tokio::test]
async fn spectators_cannot_drown_a_table_in_chat() {
    let Limits { chat, spectators_chat, .. } = Limits::default();
    let server = server_with(Limits { chat, spectators_chat, ..Limits::none() }).await;
    let (mut ann, mob) = (server.guest("Ann").await, server.guest("Mob").await);
    let id = make(&mut ann, &json!({})).await;
    let mut player = ann.sit(&id).await;
    let mut sockets = Vec::new();
    for _ in 0..4 {
        let mut socket = mob.sit(&id).await;
        socket.until(|message| matches!(message, ServerMsg::Welcome { .. }).then_some(())).await;
        sockets.push(socket);
    }
    for n in 0..25 {
        for socket in &mut sockets {
            socket.send(&ClientMsg::Chat { text: format!("{n}\u{202e}") }).await;
        }
    }
    let refused =
        |message| matches!(message, ServerMsg::Refused { code: Refusal::TooFast, .. }).then_some(());
    for socket in &mut sockets {
        socket.until(refused).await;
    }
    // The players are not kept from talking to each other.
    player.send(&ClientMsg::Chat { text: "at last".into() }).await;
    let mut lines = 0;
    let heard = |message| match message {
        ServerMsg::Chat { line } if line.seat.is_some() => Some(lines),
        ServerMsg::Chat { line } => {
            assert!(!line.text.contains('\u{202e}'), "{line:?}");
            lines += 1;
            None
        }
        _ => None,
    };
    let lines = player.until(heard).await;
    assert!((1..60).contains(&lines), "{lines} of 100 lines");
    server.close().await;
}
