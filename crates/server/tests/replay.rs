//! Finished games, looked at again.

mod common;

use std::sync::Arc;

use common::*;
use engine::Seat;
use engine::record::Record;
use server::hall::Cards;
use server::replay::{Eyes, moment, replay};
use server::wire::*;

/// A whole game of two people: its record, and what each was told.
async fn played() -> (Record, Arc<Cards>, Vec<Guest>) {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let anna = hall.store().new_guest("Anna".into()).await.expect("a guest");
    let ben = hall.store().new_guest("Ben".into()).await.expect("a guest");
    let id = hall.create(&anna, new_table(settings(2), &[])).await.expect("a table");
    let mut guests = vec![Guest::join(&hall, &id, &anna).await, Guest::join(&hall, &id, &ben).await];
    guests[1].send(ClientMsg::Sit { seat: Some(2) }).await;
    guests[1]
        .until("a seat", |guest| {
            guest.told.iter().any(|m| matches!(m, ServerMsg::Table { you, .. } if you.seat == Some(2)))
        })
        .await;
    guests[0].send(ClientMsg::Start).await;
    play_on(&mut guests, u64::MAX).await;
    for guest in &mut guests {
        guest.until("the end", Guest::is_over).await;
    }
    let (record, cards) = hall.record_and_cards(&id).await.expect("no fault").expect("a record");
    (record, cards, guests)
}

#[tokio::test]
async fn a_player_sees_again_what_the_player_saw() {
    let (record, cards, guests) = played().await;
    for (guest, seat) in guests.iter().zip([Seat(0), Seat(1)]) {
        let eyes = Eyes::Of(seat);
        let moments: Vec<ReplayMoment> =
            (0..=record.actions.len()).map(|step| moment(&record, &cards.db, step, eyes).unwrap()).collect();
        let told: Vec<&Update> = guest
            .told
            .iter()
            .filter_map(|message| match message {
                ServerMsg::Update(update) => Some(&**update),
                _ => None,
            })
            .collect();
        assert!(told.len() > 20, "{} updates", told.len());
        for update in told {
            assert!(
                moments.iter().any(|moment| moment.view == update.view),
                "an update that is in no moment"
            );
        }
        let game = replay(&record, &cards.db, eyes);
        for (step, moment) in game.steps.iter().zip(&moments) {
            let told: Vec<_> = moment.events.iter().map(|event| event.words.clone()).collect();
            assert_eq!((step.step, &step.told), (moment.step, &told));
            let own = step.seat == Some(seat.0 + 1);
            assert!(own || step.words.is_empty(), "somebody else's answer: {}", step.words);
        }
    }
}

#[tokio::test]
async fn with_every_card_open_nothing_is_hidden() {
    let (record, cards, _) = played().await;
    let game = replay(&record, &cards.db, Eyes::All);
    assert!(game.verified, "{}", game.verdict);
    assert_eq!(game.steps.len(), record.actions.len() + 1);
    assert_eq!(game.seats.iter().map(|seat| &*seat.name).collect::<Vec<_>>(), ["Anna", "Ben"]);
    assert!(game.steps.iter().any(|step| !step.words.is_empty()));
    let mut hands = 0;
    for step in 0..=record.actions.len() {
        let moment = moment(&record, &cards.db, step, Eyes::All).unwrap();
        for player in &moment.view.players {
            let hand = &player.hand;
            assert_eq!(hand.cards.len(), hand.rooms + hand.spells);
            hands += hand.cards.len();
            let rooms = player.dungeon.iter().flat_map(|room| [&room.card].into_iter().chain(&room.beneath));
            assert!(rooms.into_iter().all(|card| card.face.is_some()));
        }
    }
    assert!(hands > 0);
    assert_eq!(moment(&record, &cards.db, record.actions.len() + 1, Eyes::All), None);
}

#[tokio::test]
async fn a_record_that_was_touched_is_told_apart() {
    let (record, cards, _) = played().await;
    let mut touched = record.clone();
    touched.fairness.as_mut().unwrap().secret.0[0] ^= 1;
    let game = replay(&touched, &cards.db, Eyes::All);
    assert!(!game.verified && game.verdict.contains("shuffle"), "{}", game.verdict);
    let mut touched = record;
    let _ = touched.actions.pop();
    assert!(!replay(&touched, &cards.db, Eyes::All).verified);
}

#[test]
fn eyes_are_all_or_a_seat_of_the_game() {
    assert_eq!(Eyes::read("all", 2), Some(Eyes::All));
    assert_eq!(Eyes::read("2", 2), Some(Eyes::Of(Seat(1))));
    for wrong in ["0", "3", "", "ALL", "-1", "1.5", "999"] {
        assert_eq!(Eyes::read(wrong, 2), None, "{wrong}");
    }
}
