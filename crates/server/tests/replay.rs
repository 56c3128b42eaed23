//! Replays of finished games.

mod common;

use std::sync::Arc;

use common::*;
use engine::Seat;
use engine::record::Record;
use server::hall::PlayableDeck;
use server::replay::{Viewpoint, moment, replay};
use server::story::story;
use server::wire::*;

/// A whole game of two people: its record, and what each was told.
async fn played() -> (Record, Arc<PlayableDeck>, Vec<Guest>) {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let anna = hall.store().new_guest("Anna".into()).await.expect("a guest");
    let ben = hall.store().new_guest("Ben".into()).await.expect("a guest");
    let id = hall.create(&anna, new_table(long_game(2), &[])).await.expect("a table");
    let mut guests = vec![
        Guest::join_with(&hall, &id, &anna, Some([1; 32])).await,
        Guest::join_with(&hall, &id, &ben, Some([2; 32])).await,
    ];
    guests[1].send(ClientMsg::Sit { seat: Some(2) }).await;
    guests[1]
        .until("a seat", |guest| {
            guest.told.iter().any(|m| matches!(m, ServerMsg::Table { you, .. } if you.seat == Some(2)))
        })
        .await;
    guests[0].send(ClientMsg::Start).await;
    for guest in &guests {
        guest.reveal().await;
    }
    play_on(&mut guests, u64::MAX).await;
    for guest in &mut guests {
        guest.until("the end", Guest::is_over).await;
    }
    let (record, cards) = hall.record_and_cards(&id).await.expect("no fault").expect("a record");
    (record, cards, guests)
}

#[tokio::test]
async fn a_player_sees_what_they_saw_in_the_game() {
    let (record, cards, guests) = played().await;
    for (guest, seat) in guests.iter().zip([Seat(0), Seat(1)]) {
        let viewpoint = Viewpoint::Seat(seat);
        let moments: Vec<ReplayMoment> = (0..=record.actions.len())
            .map(|step| moment(&record, &cards.db, step, viewpoint).unwrap())
            .collect();
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
        let game = replay(&record, &cards, viewpoint);
        for (step, moment) in game.steps.iter().zip(&moments) {
            let words = moment.events.iter().map(|event| event.words.clone());
            let told: Vec<_> = words.filter(|words| !words.is_empty()).collect();
            assert_eq!((step.step, &step.told), (moment.step, &told));
            let own = step.seat == Some(seat.0 + 1);
            assert!(own || step.words.is_empty(), "another player's answer: {}", step.words);
        }
    }
}

#[tokio::test]
async fn with_every_card_open_nothing_is_hidden() {
    let (record, cards, _) = played().await;
    let game = replay(&record, &cards, Viewpoint::All);
    assert!(game.verified, "{}", game.verdict);
    assert_eq!(game.steps.len(), record.actions.len() + 1);
    assert_eq!(game.seats.iter().map(|seat| &*seat.name).collect::<Vec<_>>(), ["Anna", "Ben"]);
    assert!(game.steps.iter().any(|step| !step.words.is_empty()));
    let mut hands = 0;
    for step in 0..=record.actions.len() {
        let moment = moment(&record, &cards.db, step, Viewpoint::All).unwrap();
        for player in &moment.view.players {
            let hand = &player.hand;
            assert_eq!(hand.cards.len(), hand.rooms + hand.spells);
            hands += hand.cards.len();
            let rooms = player.dungeon.iter().flat_map(|room| [&room.card].into_iter().chain(&room.beneath));
            assert!(rooms.into_iter().all(|card| card.face.is_some()));
        }
    }
    assert!(hands > 0);
    assert_eq!(moment(&record, &cards.db, record.actions.len() + 1, Viewpoint::All), None);
}

#[tokio::test]
async fn a_record_that_was_tampered_with_is_detected() {
    let (record, cards, _) = played().await;
    let mut touched = record.clone();
    touched.fairness.as_mut().unwrap().secret.0[0] ^= 1;
    let game = replay(&touched, &cards, Viewpoint::All);
    assert!(!game.verified && game.verdict.contains("shuffle"), "{}", game.verdict);
    let mut touched = record;
    let _ = touched.actions.pop();
    assert!(!replay(&touched, &cards, Viewpoint::All).verified);
}

/// What docs/protocol.md says is enough to write a checker.
#[tokio::test]
async fn the_checker_in_python_agrees() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return eprintln!("skipped: examples/fairness/verify.py needs python3, which is not installed");
    }
    let (record, ..) = played().await;
    let fairness = record.fairness.clone().expect("a proof");
    assert!(fairness.players.iter().all(|player| player.bytes.is_some()));
    let folder = Folder::new();
    std::fs::create_dir_all(&folder.0).expect("a folder");
    let check = |record: &Record, commitment: &str| {
        let file = folder.0.join("record.json");
        std::fs::write(&file, record.to_json()).expect("a file");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fairness/verify.py");
        let mut python = std::process::Command::new("python3");
        let done = python.arg(script).arg(file).arg(commitment).output().expect("python3 runs");
        let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
        (done.status.code(), said.into_owned())
    };
    let shown = fairness.commitment.to_string();
    assert_eq!(check(&record, &shown), (Some(0), "The shuffle is fair.\n".into()));
    type Change = fn(&mut Record);
    let changes: [(Change, &str); 5] = [
        (|record| record.fairness = None, "no fairness part"),
        (|record| record.fairness.as_mut().unwrap().secret.0[0] ^= 1, "server's secret"),
        (|record| record.fairness.as_mut().unwrap().players[1].bytes.as_mut().unwrap().0[0] ^= 1, "seat 2"),
        (|record| record.fairness.as_mut().unwrap().players[0].bytes = None, "seed does not follow"),
        (|record| record.setup.seed.0[5] ^= 1, "seed does not follow"),
    ];
    for (change, reason) in changes {
        let mut touched = record.clone();
        change(&mut touched);
        let (code, said) = check(&touched, &shown);
        assert!(code == Some(1) && said.contains(reason), "{code:?} {said}");
    }
    let (code, said) = check(&record, &"0".repeat(64));
    assert!(code == Some(1) && said.contains("promised"), "{said}");
}

#[test]
fn a_viewpoint_is_all_or_a_seat_of_the_game() {
    assert_eq!(Viewpoint::read("all", 2), Some(Viewpoint::All));
    assert_eq!(Viewpoint::read("2", 2), Some(Viewpoint::Seat(Seat(1))));
    for wrong in ["0", "3", "", "ALL", "-1", "1.5", "999"] {
        assert_eq!(Viewpoint::read(wrong, 2), None, "{wrong}");
    }
}

#[tokio::test]
async fn the_story_adds_up() {
    let (record, cards, _) = played().await;
    let game = replay(&record, &cards, Viewpoint::All);
    let story = story(&record, &cards.db);
    let result = record.result.clone().expect("a result");
    // One point for each turn, where the replay has its first step of that turn, and one for the end.
    let (last, turns) = story.turns.split_last().expect("turns");
    assert_eq!(last.step as usize, record.actions.len());
    for at in turns {
        let first = game.steps.iter().find(|step| step.turn == at.turn).expect("the turn");
        assert_eq!(at.step, first.step);
        assert!((98..=102).contains(&at.chances.iter().map(|chance| u32::from(*chance)).sum::<u32>()));
    }
    assert_eq!((&last.souls, &last.wounds), (&result.souls, &result.wounds));
    let sure: Vec<u8> = (1..=2).map(|seat| if seat == result.winner { 100 } else { 0 }).collect();
    assert_eq!(last.chances, sure);
    // What is told of a moment is what the replay tells of that step.
    assert!(!story.moments.is_empty());
    for moment in &story.moments {
        assert!(game.steps[moment.step as usize].told.contains(&moment.words), "{moment:?}");
    }
    for (seat, player) in (1..).zip(&story.players) {
        let dies = story.moments.iter().filter(|moment| moment.kind == "dies" && moment.seat == seat).count();
        assert_eq!(usize::from(player.killed), dies);
        let most = player.deadliest.as_ref().map_or(0, |room| room.kills);
        assert!(most <= player.killed && player.built > 0);
    }
}
