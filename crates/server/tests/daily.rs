//! Today's dungeon over HTTP: one attempt each, the same cards for all, nothing to be learnt from others; and titles.

mod test_server;

use serde_json::json;
use server::wire::*;
use test_server::{Browser, Socket, TestServer};

/// Answers every question with the first answer; says what was seen of the market in the first turn.
async fn play(mut socket: Socket) -> (Vec<String>, GameOver) {
    let mut names: Vec<(u16, String)> = Vec::new();
    let mut market: Vec<String> = Vec::new();
    loop {
        let message = socket
            .until(|message| match &message {
                ServerMsg::Cards { .. } | ServerMsg::Update(_) => Some(message),
                ServerMsg::Bye { words, .. } => panic!("{words}"),
                _ => None,
            })
            .await;
        let update = match message {
            ServerMsg::Cards { start } => {
                names = start.cards.iter().map(|card| (card.face, card.name.clone())).collect();
                continue;
            }
            ServerMsg::Update(update) => update,
            _ => continue,
        };
        if let Some(board) = &update.view.board
            && market.is_empty()
        {
            let name = |face: u16| names.iter().find(|(of, _)| *of == face).map(|(_, name)| name.clone());
            market = board.market.iter().filter_map(|card| name(card.face?)).collect();
        }
        if let Some(over) = update.over {
            return (market, over);
        }
        if update.ask.is_some() {
            socket.send(&ClientMsg::Act { seq: update.seq, index: 0 }).await;
        }
    }
}

async fn attempt(browser: &mut Browser) -> String {
    browser.post("/api/daily", &json!({})).await.ok().json::<NewTableReply>().id
}

#[tokio::test]
async fn everybody_has_one_attempt_at_the_same_cards() {
    let server = TestServer::open().await;
    server.browser().post("/api/daily", &json!({})).await.refused(401, "no_session");
    let (mut ann, mut bob) = (server.guest("Ann").await, server.guest("Bob").await);
    let before: Daily = server.browser().get("/api/daily").await.ok().json();
    assert!(before.scores.is_empty() && before.table.is_none());
    assert_eq!(before.ends, (before.day + 1) * 86_400);

    let table = attempt(&mut ann).await;
    // Asking again is no second attempt.
    assert_eq!(attempt(&mut ann).await, table);
    let (cards, over) = play(ann.sit(&table).await).await;
    assert_eq!(cards.len(), 3);
    let solo = over.solo.expect("a game for one has a score");
    assert_eq!(solo.score, over.souls[0] - over.wounds[0]);
    assert!(!solo.title.is_empty() && !solo.boss.is_empty());
    assert_eq!(attempt(&mut ann).await, table);

    // Nothing of it can be seen today.
    for path in [format!("/record/{table}"), format!("/api/replay/{table}"), format!("/api/replay/{table}/0")]
    {
        bob.get(&path).await.refused(409, "withheld");
        ann.get(&path).await.refused(409, "withheld");
    }
    ann.get(&format!("/api/replay/{table}/story")).await.refused(409, "withheld");
    let from = json!({ "from": format!("{table}@1"), "seat": 1 });
    bob.post("/api/tables", &from).await.refused(422, "bad_settings");
    let mut stranger = bob.sit(&table).await;
    let farewell = stranger.until(|message| match message {
        ServerMsg::Bye { .. } => Some(()),
        ServerMsg::Update(_) => panic!("somebody else sees the attempt"),
        _ => None,
    });
    farewell.await;

    let other = attempt(&mut bob).await;
    assert_ne!(other, table);
    let (same, again) = play(bob.sit(&other).await).await;
    assert_eq!((same, again.solo.as_ref()), (cards, Some(&solo)), "equal answers, equal games");

    tokio::time::sleep(std::time::Duration::from_millis(2_100)).await;
    let today: Daily = bob.get("/api/daily").await.ok().json();
    assert_eq!((today.commitment, today.table), (before.commitment, Some(other)));
    let scores: Vec<_> = today
        .scores
        .iter()
        .map(|one| (one.place, one.name.as_str(), one.attempt, one.account, one.you))
        .collect();
    // Both came from the same network, and it shows.
    assert_eq!(scores, [(1, "Ann", 1, false, false), (1, "Bob", 2, false, true)]);

    let titles: Vec<BossTitle> = ann.get("/api/me/titles").await.ok().json();
    let [title] = &titles[..] else { panic!("{titles:?}") };
    assert_eq!((title.score, &title.title, &title.boss), (solo.score, &solo.title, &solo.boss));
    assert!(title.games == 1 && !title.challenge);
    server.browser().get("/api/me/titles").await.refused(401, "no_session");
    server.close().await;
}

#[tokio::test]
async fn a_game_for_one_needs_nobody_else() {
    let server = TestServer::open().await;
    let mut ann = server.guest("Ann").await;
    for ruleset in ["solo", "challenge"] {
        let settings = json!({ "deck": "sbm-solo", "ruleset": ruleset, "players": 1, "window_ms": 0 });
        let new = json!({ "settings": settings, "start": true });
        let table: NewTableReply = ann.post("/api/tables", &new).await.ok().json();
        let (_, over) = play(ann.sit(&table.id).await).await;
        let solo = over.solo.expect("a score");
        assert_eq!(solo.title.starts_with("True "), ruleset == "challenge", "{solo:?}");
        ann.get(&format!("/record/{}", table.id)).await.ok();
    }
    let settings = json!({ "deck": "sbm-solo", "ruleset": "solo", "players": 2 });
    ann.post("/api/tables", &json!({ "settings": settings })).await.refused(422, "bad_rules");
    let settings = json!({ "deck": "bmr", "players": 1 });
    ann.post("/api/tables", &json!({ "settings": settings })).await.refused(422, "bad_rules");
    server.close().await;
}
