//! Reading what strangers wrote.

use server::Rate;

use super::*;

#[tokio::test]
async fn a_deck_full_of_errors_is_refused_with_the_first_twenty() {
    let server = server_with(Limits::default()).await;
    let mut ann = server.guest("Ann").await;
    for text in ["q\n".repeat(15_000), format!("set {}", "q ".repeat(15_000)), "deck A\n".repeat(4_000)] {
        let new = json!({ "settings": { "deck": "own", "deck_text": text } });
        let words = ann.post("/api/tables", &new).await.refused(422, "bad_deck");
        assert_eq!(words.matches("error: ").count(), 20, "{words}");
        assert!(words.contains("only the first 20 are listed"), "{words}");
        let wanted = json!({ "name": "own", "text": text });
        let check: DeckCheck = server.browser().post("/api/decks/check", &wanted).await.ok().json();
        let placed = check.problems.iter().filter(|problem| problem.line.is_some()).count();
        assert_eq!((check.ok, placed, check.problems.len()), (false, 20, 21), "and that there are more");
    }
    let new = json!({ "settings": { "deck": "own", "deck_text": long_deck(33_000) } });
    let words = ann.post("/api/tables", &new).await.refused(422, "bad_deck");
    assert!(words.contains("at most 32768 bytes"), "{words}");
    server.close().await;
}

#[tokio::test]
async fn an_address_that_used_up_its_time_waits_and_others_do_not() {
    let rate = Rate { burst: 0.05, per_s: 0.001 };
    let server = proxied(Limits { work_seconds: rate, ..Limits::default() }).await;
    let wanted = json!({ "name": "own", "text": "q\n".repeat(15_000) });
    let mut mallory = server.browser().with("x-forwarded-for", "192.0.2.1");
    let refused = loop {
        let reply = mallory.post("/api/decks/check", &wanted).await;
        if reply.status != 200 {
            break reply;
        }
    };
    let wait: u64 = refused.header("retry-after").expect("when to come back").parse().unwrap();
    assert!(wait >= 1);
    refused.refused(429, "too_fast");
    let mut other = server.browser().with("x-forwarded-for", "192.0.2.2");
    other.post("/api/decks/check", &wanted).await.ok();
    server.close().await;
}

#[tokio::test]
async fn the_text_of_a_deck_is_sent_on_request_only() {
    let server = server_with(Limits::default()).await;
    let mut ann = server.guest("Ann").await;
    let text = long_deck(30_000);
    let new = json!({ "settings": { "deck": "own", "deck_text": text, "listed": true } });
    let id = make(&mut ann, &new).await;
    let mut socket = ann.sit(&id).await;
    for n in 0..5 {
        socket.send(&ClientMsg::Bot { seat: 2, level: (n % 2 == 0).then_some(BotLevel::Kobold) }).await;
    }
    let mut tables = 0;
    while tables < 6 {
        let message = socket.next().await.expect("the connection is open");
        let size = serde_json::to_string(&message).unwrap().len();
        assert!(size < 4_000, "{size} bytes");
        if let ServerMsg::Table { table, .. } | ServerMsg::Welcome { table, .. } = message {
            assert!(table.own_deck && table.settings.deck_text.is_none());
            tables += 1;
        }
    }
    assert!(server.browser().get("/api/tables").await.ok().body.len() < 4_000);
    assert!(server.browser().get(&format!("/api/tables/{id}")).await.ok().body.len() < 4_000);
    let path = |id: &str| format!("/api/tables/{id}/deck");
    let deck: DeckText = server.browser().get(&path(&id)).await.ok().json();
    assert_eq!((deck.name.as_str(), deck.text), ("own", text));
    let usual = make(&mut ann, &json!({})).await;
    let deck: DeckText = server.browser().get(&path(&usual)).await.ok().json();
    assert!(deck.name == "bmr" && deck.text.contains("set BMR"), "{}", deck.text);
    server.browser().get(&path("nothing")).await.refused(404, "no_such_table");
    server.close().await;
}
