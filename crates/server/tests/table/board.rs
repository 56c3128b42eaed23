//! Tables on the town board: Super Boss Monster for several, and for one.

use server::wire::*;
use wire::{Card, Table};

use crate::common::*;
use crate::secrets::each_card;
use crate::{begin, seated};

fn on_board(ruleset: &str, deck: &str, players: u8) -> Settings {
    Settings { ruleset: ruleset.into(), deck: deck.into(), window_ms: 0, ..settings(players) }
}

#[tokio::test]
async fn one_person_plays_alone_to_a_score_and_a_title() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    for ruleset in ["solo", "challenge"] {
        let (_, mut guests) = seated(&hall, on_board(ruleset, "sbm-solo", 1), &["Anna"]).await;
        begin(&mut guests).await;
        let answers = play_on(&mut guests, 3_000).await;
        assert!(answers > 5, "{ruleset}: only {answers} answers");
        guests[0].until("the end", Guest::is_over).await;
        let update = guests[0].update.clone().expect("an update");
        let table = update.view;
        let solo = table.solo.expect("a game for one has a score");
        let player = &table.players[0];
        assert_eq!(solo.score, player.souls - player.wounds);
        assert_eq!(solo.title.starts_with("True "), ruleset == "challenge", "{}", solo.title);
        let needed = if ruleset == "challenge" { [2, 3, 4, 5] } else { [1, 2, 3, 4] };
        assert_eq!(solo.needed, needed);
        let board = table.board.expect("a town board");
        assert_eq!((board.first, board.places, board.landmarks.len()), (1, 4, 5));
    }
}

#[tokio::test]
async fn four_people_play_on_the_town_board() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let names = ["Anna", "Ben", "Cleo", "Dan"];
    let (_, mut guests) = seated(&hall, on_board("super", "sbm", 4), &names).await;
    begin(&mut guests).await;
    play_on(&mut guests, 60).await;
    for guest in &mut guests {
        guest.read_all().await;
        let table = guest.update.clone().expect("an update").view;
        let board = table.board.expect("a town board");
        assert_eq!((board.places, table.solo), (4, None));
        assert!((1..=4).contains(&board.first));
    }
}

/// The same board for every seat, with every card on it named; hands and face-down rooms stay unknown.
#[tokio::test]
async fn every_seat_sees_the_whole_board_and_no_card_of_another() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let names = ["Anna", "Ben", "Cleo"];
    let (_, mut guests) = seated(&hall, on_board("super", "sbm", 3), &names).await;
    begin(&mut guests).await;
    let (mut offered, mut at_work, mut training, mut in_town, mut hidden) = (0, 0, 0, 0, 0);
    for answers in 0..400 {
        if guests.iter().any(Guest::is_over) {
            break;
        }
        play_from(&mut guests, answers, 1).await;
        for guest in &mut guests {
            guest.read_all().await;
        }
        let updates: Vec<_> = guests.iter().map(|guest| guest.update.clone().expect("an update")).collect();
        if updates.iter().any(|update| update.seq != updates[0].seq) {
            continue;
        }
        let boards: Vec<_> = updates.iter().map(|update| public(&update.view)).collect();
        assert!(boards.iter().all(|board| *board == boards[0]), "{boards:#?}");
        let board = updates[0].view.board.as_ref().expect("a town board");
        offered += board.market.len();
        at_work += board.minions.len();
        training += board.landmarks.iter().map(|site| site.heroes.len()).sum::<usize>();
        in_town += updates[0].view.town.len();
        for (me, own) in updates.iter().enumerate() {
            let hand = &own.view.players[me].hand.cards;
            let down = own.view.players[me].dungeon.iter().filter(|room| room.facedown);
            let mine: Vec<u16> =
                hand.iter().map(|card| card.id).chain(down.map(|room| room.card.id)).collect();
            for (other, told) in updates.iter().enumerate().filter(|(other, _)| *other != me) {
                let shown = &told.view.players[me].hand.cards;
                let text = serde_json::to_value(told).expect("it can be written");
                each_card(&text, &mut |id, named| {
                    if mine.contains(&id) && !shown.iter().any(|card| card.id == id && card.face.is_some()) {
                        assert!(!named, "seat {other} is told card {id} of seat {me}");
                        hidden += 1;
                    }
                });
            }
        }
    }
    for (what, seen) in [
        ("market", offered),
        ("minions", at_work),
        ("landmarks", training),
        ("town", in_town),
        ("hidden cards", hidden),
    ] {
        assert!(seen > 10, "{what}: only {seen}");
    }
}

/// What of the board is the same for everybody: all but how heroes would fare among rooms that one knows.
fn public(view: &Table) -> impl std::fmt::Debug + PartialEq {
    let board = view.board.as_ref().expect("a town board");
    let named = |card: &Card| (card.id, card.face.expect("what lies open is named"));
    let market: Vec<_> = board.market.iter().map(named).collect();
    let town: Vec<_> = view.town.iter().map(|hero| (named(&hero.card), hero.health)).collect();
    let sites: Vec<_> = board
        .landmarks
        .iter()
        .map(|site| {
            let heroes: Vec<_> = site.heroes.iter().map(|hero| (named(&hero.card), hero.health)).collect();
            (site.landmark, site.token, site.spaces.clone(), heroes)
        })
        .collect();
    (board.first, board.places, market, town, sites, board.minions.clone())
}

#[tokio::test]
async fn a_table_for_one_needs_a_game_for_one() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let host = hall.store().new_guest("Anna".into()).await.expect("a guest");
    for (ruleset, deck, players) in [("classic", "bmr", 1), ("super", "sbm", 1), ("solo", "sbm-solo", 2)] {
        let refused = hall.create(&host, new_table(on_board(ruleset, deck, players), &[])).await;
        assert!(refused.is_err(), "{ruleset} for {players}");
    }
}
