//! Tables on the town board: Super Boss Monster for several, and for one.

use server::wire::*;

use crate::common::*;
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
