//! What happens at a table.

use server::Rate;

use super::*;

#[tokio::test]
async fn stops_are_told_to_their_owner_only() {
    let server = server_with(Limits::none()).await;
    let (mut ann, ben) = (server.guest("Ann").await, server.guest("Ben").await);
    let id = make(&mut ann, &json!({ "settings": { "window_ms": 0 }, "start": true })).await;
    let (mut first, mut tab, mut second) = (ann.sit(&id).await, ann.sit(&id).await, ben.sit(&id).await);
    second.send(&ClientMsg::Sit { seat: None }).await;
    let [a, b] = [question_of(&mut first).await, question_of(&mut second).await];
    let (asked, other) = if a { (&mut first, &mut second) } else { (&mut second, &mut first) };
    assert!(a != b);
    let stops = Stops { windows: StopAt::Every, answer_spells: true };
    asked.send(&ClientMsg::Stops { stops }).await;
    asked
        .until(|message| matches!(message, ServerMsg::Table { you, .. } if you.stops == stops).then_some(()))
        .await;
    asked.send(&ClientMsg::Chat { text: "done".into() }).await;
    loop {
        match other.next().await.expect("the connection is open") {
            ServerMsg::Chat { .. } => break,
            ServerMsg::Table { .. } => panic!("another player is told"),
            _ => {}
        }
    }
    if a {
        // In all of their tabs.
        tab.until(|message| {
            matches!(message, ServerMsg::Table { you, .. } if you.stops == stops).then_some(())
        })
        .await;
    }
    server.close().await;
}

/// Whether the first question is this player's.
async fn question_of(socket: &mut Socket) -> bool {
    update(socket).await.ask.is_some()
}

#[tokio::test]
async fn rematches_count_as_new_tables() {
    let server = server_with(Limits { tables: Rate::new(2, 0.000_1), ..Limits::none() }).await;
    let mut ann = server.guest("Ann").await;
    let mut id = make(&mut ann, &with_bot()).await;
    for round in 0..2 {
        let mut socket = ann.sit(&id).await;
        if round > 0 {
            socket.send(&ClientMsg::Start).await;
        }
        update(&mut socket).await;
        socket.send(&ClientMsg::Resign).await;
        while update(&mut socket).await.over.is_none() {}
        socket.send(&ClientMsg::Rematch { yes: true }).await;
        if round > 0 {
            assert_eq!(refusal(&mut socket).await, Refusal::TooFast);
            break;
        }
        let next = |message| match message {
            ServerMsg::Table { table, .. } => table.rematch,
            ServerMsg::Refused { words, .. } => panic!("{words}"),
            _ => None,
        };
        id = socket.until(next).await;
    }
    ann.post("/api/tables", &json!({})).await.refused(429, "too_fast");
    server.close().await;
}

#[tokio::test]
async fn an_address_has_so_many_tables_at_once() {
    let server = proxied(Limits { tables_at_once: 3, ..Limits::none() }).await;
    let mut ann = server.guest("Ann").await.with("x-forwarded-for", "192.0.2.1");
    for _ in 0..3 {
        make(&mut ann, &json!({})).await;
    }
    ann.post("/api/tables", &json!({})).await.refused(429, "too_many_tables");
    let mut ben = server.guest("Ben").await.with("x-forwarded-for", "192.0.2.2");
    make(&mut ben, &json!({})).await;
    server.close().await;
}

#[tokio::test]
async fn everything_is_sent_again_now_and_then_only() {
    let server = server_with(Limits::default()).await;
    let mut ann = server.guest("Ann").await;
    let id = make(&mut ann, &json!({})).await;
    let mut socket = ann.sit(&id).await;
    for _ in 0..20 {
        socket.send(&ClientMsg::Refresh).await;
    }
    let (mut welcomes, mut refused) = (0, 0);
    while welcomes + refused < 21 {
        match socket.next().await.expect("the connection is open") {
            ServerMsg::Welcome { .. } => welcomes += 1,
            ServerMsg::Refused { code: Refusal::TooFast, .. } => refused += 1,
            _ => {}
        }
    }
    assert!(welcomes < 15, "{welcomes} welcomes");
    server.close().await;
}

#[tokio::test]
async fn the_newest_preview_is_made_however_many_are_asked_for() {
    let server = server_with(Limits::none()).await;
    let mut ann = server.guest("Ann").await;
    let id = make(&mut ann, &with_bot()).await;
    let mut socket = ann.sit(&id).await;
    let last = question(&mut socket).await;
    let choices = last.ask.as_ref().map_or(1, |ask| ask.legal.len() as u32);
    for n in 0..200 {
        socket.send(&ClientMsg::Preview { seq: last.seq, index: n % choices }).await;
    }
    let newest = 199 % choices;
    // Each is answered in order, and the last of all is among them.
    socket.send(&ClientMsg::Preview { seq: last.seq, index: newest }).await;
    let (mut previews, mut found) = (0, false);
    socket.send(&ClientMsg::Chat { text: "done".into() }).await;
    let mut said = false;
    while !(said && found) {
        match socket.next().await.expect("the connection is open") {
            ServerMsg::Preview(preview) => {
                previews += 1;
                found = preview.index == newest && said || found;
            }
            ServerMsg::Chat { .. } => said = true,
            ServerMsg::Refused { words, .. } => panic!("{words}"),
            _ => {}
        }
    }
    assert!(previews <= 201, "{previews}");
    server.close().await;
}
