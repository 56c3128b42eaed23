//! The lobby.

use super::*;

#[tokio::test]
async fn the_lobby_lists_the_newest_and_no_address_fills_it() {
    let server = proxied(Limits::none()).await;
    let new = json!({ "settings": { "listed": true } });
    let mut others = Vec::new();
    for n in 0..60 {
        let mut guest = server.guest("Ben").await.with("x-forwarded-for", &format!("198.51.100.{n}"));
        others.push(make(&mut guest, &new).await);
    }
    let mut mallory = server.guest("Mallory").await.with("x-forwarded-for", "192.0.2.1");
    let mut last = String::new();
    for _ in 0..60 {
        last = make(&mut mallory, &new).await;
    }
    // A list may be a second old.
    let lobby = loop {
        let lobby: Lobby = server.browser().get("/api/tables").await.ok().json();
        if lobby.open.iter().any(|table| table.id == last) {
            break lobby;
        }
    };
    let ids: Vec<&String> = lobby.open.iter().map(|table| &table.id).collect();
    let (of_mallory, rest): (Vec<&String>, Vec<&String>) =
        ids.into_iter().partition(|id| !others.contains(id));
    assert_eq!(of_mallory.len(), 10);
    // The newest of the others, newest first.
    assert_eq!(rest, others.iter().rev().take(40).collect::<Vec<_>>());
    server.close().await;
}

#[tokio::test]
async fn many_who_look_at_once_cost_one_list() {
    let server = server_with(Limits::none()).await;
    let made = |server: &TestServer| {
        let mut operator = Browser::at(server.metrics.unwrap());
        async move {
            let text = operator.get("/metrics").await.ok().text();
            let line = text.lines().find(|line| line.starts_with("lair_work_seconds_count{kind=\"lobby\"}"));
            line.map_or(0, |line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap())
        }
    };
    let (before, began) = (made(&server).await, std::time::Instant::now());
    for _ in 0..100 {
        server.browser().get("/api/tables").await.ok();
    }
    let (lists, seconds) = (made(&server).await - before, began.elapsed().as_secs());
    // Other tests of this process look at their own lobbies.
    assert!((1..=seconds + 40).contains(&lists), "{lists} lists in {seconds} s");
    server.close().await;
}
