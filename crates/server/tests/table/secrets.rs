//! Hidden information stays hidden.

use server::wire::*;

use crate::common::*;
use crate::{read_both, two_people};

/// Cards in a hand are named to nobody else, neither in views nor in events.
#[tokio::test]
async fn only_its_owner_knows_a_hand() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (mut looked, mut hidden, mut answers) = (0, 0, 0);
    let (_, mut guests) = two_people(&hall, settings(2)).await;
    while looked < 60 {
        if guests.iter().any(Guest::is_over) {
            (_, guests) = two_people(&hall, settings(2)).await;
        }
        answers += 1;
        play_from(&mut guests, answers, 1).await;
        read_both(&mut guests).await;
        let updates: Vec<_> = guests.iter().map(|guest| guest.update.clone().expect("an update")).collect();
        if updates[0].seq != updates[1].seq {
            continue;
        }
        looked += 1;
        for (me, other) in [(0, 1), (1, 0)] {
            let mine = &updates[me].view.players[me].hand.cards;
            let seen = &updates[other].view.players[me].hand.cards;
            let text = serde_json::to_value(&updates[other]).expect("it can be written");
            each_card(&text, &mut |id, named| {
                if mine.iter().any(|card| card.id == id) && !seen.iter().any(|card| card.id == id) {
                    assert!(!named, "card {id} of the hand is named to the other");
                    hidden += 1;
                }
            });
        }
    }
    assert!(hidden > 10, "{looked} positions, {hidden} hidden cards");
}

pub fn each_card(value: &serde_json::Value, each: &mut impl FnMut(u16, bool)) {
    match value {
        serde_json::Value::Array(items) => items.iter().for_each(|item| each_card(item, each)),
        serde_json::Value::Object(fields) => {
            if let Some(id) = fields.get("id").and_then(serde_json::Value::as_u64) {
                each(id as u16, fields.contains_key("face") || fields.contains_key("name"));
            }
            fields.values().for_each(|field| each_card(field, each));
        }
        _ => {}
    }
}

#[tokio::test]
async fn spectators_see_what_everyone_sees_or_are_kept_out() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = two_people(&hall, settings(2)).await;
    let cleo = hall.store().new_guest("Cleo".into()).await.expect("a guest");
    let mut watcher = Guest::join(&hall, &id, &cleo).await;
    play_on(&mut guests, 10).await;
    watcher.read_all().await;
    let update = watcher.update.clone().expect("an update");
    assert!(update.ask.is_none() && update.view.seat.is_none());
    for (me, other) in [(0, 1), (1, 0)] {
        guests[other].read_all().await;
        let seen = guests[other].update.clone().expect("an update").view.players[me].hand.cards.clone();
        let watched = &update.view.players[me].hand.cards;
        assert!(watched.iter().all(|card| seen.contains(card)), "no more than the other player sees");
    }
    watcher.send(ClientMsg::Act { seq: update.seq, index: 0 }).await;
    watcher.until("a refusal", |guest| guest.last_refusal() == Some(Refusal::NotSeated)).await;
    let (id, _guests) = two_people(&hall, Settings { spectators: Spectators::None, ..settings(2) }).await;
    let (outbox, _inbox) = tokio::sync::mpsc::channel(8);
    let table = hall.table(&id).await.expect("the table is there");
    assert_eq!(table.join(HOME, cleo, None, Box::new(outbox)).await, Err(CloseReason::NotWelcome));
}

/// Neither spectators nor the lobby learn anything during the delay; at the end they are shown the rest.
#[tokio::test]
async fn a_delayed_table_shows_nothing_live() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let cleo = hall.store().new_guest("Cleo".into()).await.expect("a guest");
    for game in 0..20 {
        let settings = Settings { spectators: Spectators::Delayed, ..settings(2) };
        let (id, mut guests) = two_people(&hall, settings).await;
        let mut watcher = Guest::join(&hall, &id, &cleo).await;
        watcher.read_all().await;
        let turn = |guests: &[Guest]| guests[0].update.as_ref().map_or(0, |update| update.view.turn);
        let (told, lobby) = (watcher.told.len(), hall.info(&id).await.expect("the table is there"));
        for n in 0.. {
            play_from(&mut guests, game << 16 | n, 1).await;
            if turn(&guests) > lobby.turn + 2 || guests.iter().any(Guest::is_over) {
                break;
            }
        }
        if guests.iter().any(Guest::is_over) {
            continue;
        }
        // Taking back, leaving and coming back are no less live.
        let undone = guests.iter().position(|guest| {
            guest.update.as_ref().is_some_and(|update| update.undo.allowed == UndoAllowed::Freely)
        });
        if let Some(at) = undone {
            guests[at].send(ClientMsg::Undo).await;
        }
        let ben = guests.pop().expect("two");
        ben.table.leave(ben.id).await;
        let ben = Guest::join(&hall, &id, &ben.person).await;
        watcher.read_all().await;
        assert_eq!(watcher.told.len(), told, "{:?}", watcher.told.last());
        assert_eq!(hall.info(&id).await.expect("the table is there"), TableInfo { spectators: 0, ..lobby });
        let newcomer = Guest::join(&hall, &id, &cleo).await;
        assert!(newcomer.update.is_none(), "nor does a reload help");
        ben.send(ClientMsg::Resign).await;
        watcher.until("the end", Guest::is_over).await;
        assert!(watcher.update.as_ref().is_some_and(|update| update.view.turn >= turn(&guests)));
        return assert_eq!(hall.info(&id).await.map(|info| info.state), Ok(TableState::Over));
    }
    panic!("no game lasted long enough");
}

/// A card that cannot be used says why, to the player who holds it and to nobody else.
#[tokio::test]
async fn only_its_owner_hears_why_a_card_cannot_be_used() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (_, mut guests) = two_people(&hall, settings(2)).await;
    play_from(&mut guests, 3, 6).await;
    read_both(&mut guests).await;
    let view = guests[0].update.clone().expect("an update").view;
    let mine = view.players[0].hand.cards[0].id;
    let boss = view.players[1].boss.expect("a boss").id;
    let is_why = |message: &ServerMsg| matches!(message, ServerMsg::Why { .. });
    for (card, explained) in [(mine, true), (boss, false), (u16::MAX, false)] {
        let before = guests[0].told.len();
        guests[0].send(ClientMsg::Why { card }).await;
        guests[0].until("why", |guest| guest.told[before..].iter().any(is_why)).await;
        let usable =
            guests[0].update.iter().filter_map(|update| update.ask.as_ref()).flat_map(|ask| &ask.legal);
        let text: Vec<String> = usable.map(|choice| serde_json::to_string(choice).expect("JSON")).collect();
        let usable = text.iter().any(|choice| choice.contains(&format!("\"id\":{card},")));
        for message in &guests[0].told[before..] {
            if let ServerMsg::Why { card: about, words, .. } = message {
                assert_eq!((*about, words.is_empty()), (card, !explained || usable), "{words}");
            }
        }
    }
    guests[1].read_all().await;
    assert!(!guests[1].told.iter().any(is_why));
}
