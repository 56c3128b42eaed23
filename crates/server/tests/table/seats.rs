//! Who sits at the table: hosts, people who are removed, spectators, and tables that cannot be.

use server::wire::*;

use crate::common::*;
use crate::{begin, info, read_both, reopened, seat, seated, skip, two_people, you};

#[tokio::test]
async fn the_host_can_remove_a_person_before_the_game() {
    let folder = Folder::new();
    let first = hall(&folder).await;
    let (id, mut guests) = seated(&first, settings(3), &["Anna", "Ben"]).await;
    for (by, wanted, code) in [(1, 1, Refusal::NotHost), (0, 1, Refusal::NotNow), (0, 3, Refusal::NotNow)] {
        guests[by].send(ClientMsg::Remove { seat: wanted }).await;
        guests[by].until("a refusal", |guest| guest.last_refusal() == Some(code)).await;
        guests[by].told.retain(|message| !matches!(message, ServerMsg::Refused { .. }));
    }
    guests[0].send(ClientMsg::Remove { seat: 2 }).await;
    guests[1].until("his removal", |guest| you(guest).removed).await;
    assert_eq!(seat(&guests[1]), None);
    guests[1].send(ClientMsg::Sit { seat: Some(2) }).await;
    guests[1].until("a refusal", |guest| guest.last_refusal() == Some(Refusal::NotNow)).await;
    let ben = guests[1].person.clone();
    assert!(first.lobby(Some(&ben)).await.mine.is_empty(), "it is no longer his table");
    drop(guests);
    // A restart does not let him in again.
    let second = reopened(first, &folder).await;
    let mut ben = Guest::join(&second, &id, &ben).await;
    ben.send(ClientMsg::Sit { seat: None }).await;
    ben.until("a refusal", |guest| guest.last_refusal() == Some(Refusal::NotNow)).await;
    assert!(you(&ben).removed);
}

#[tokio::test]
async fn the_role_of_a_host_who_left_passes_on() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (_, mut guests) = seated(&hall, settings(2), &["Anna", "Ben"]).await;
    let anna = guests.remove(0);
    anna.table.leave(anna.id).await;
    skip(50).await;
    guests[0].read_all().await;
    assert!(!you(&guests[0]).host, "she may come back");
    skip(11).await;
    guests[0].until("the role", |guest| you(guest).host).await;
    guests[0].send(ClientMsg::Remove { seat: 1 }).await;
    guests[0].until("a free seat", |guest| info(guest).seats[0].who.is_none()).await;
}

#[tokio::test]
async fn a_table_without_spectators_shows_out_those_who_came_before_the_game() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let settings = Settings { spectators: Spectators::None, ..settings(2) };
    let (id, mut guests) = seated(&hall, settings, &["Anna", "Ben"]).await;
    let cleo = hall.store().new_guest("Cleo".into()).await.expect("a guest");
    let mut watcher = Guest::join(&hall, &id, &cleo).await;
    begin(&mut guests).await;
    let bye = |guest: &Guest| {
        guest.told.iter().any(|m| matches!(m, ServerMsg::Bye { code: CloseReason::NotWelcome, .. }))
    };
    watcher.until("the way out", bye).await;
    play_on(&mut guests, 4).await;
    assert!(!watcher.read(std::time::Duration::ZERO).await && watcher.update.is_none());
    guests[0].read_all().await;
    assert_eq!(info(&guests[0]).spectators, 0);
}

#[tokio::test]
async fn resigning_ends_the_game() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = two_people(&hall, settings(2)).await;
    play_on(&mut guests, 5).await;
    guests[1].send(ClientMsg::Resign).await;
    for guest in &mut guests {
        guest.until("the end", Guest::is_over).await;
        let over = guest.update.as_ref().and_then(|update| update.over.clone()).expect("an end");
        assert_eq!((over.winner, over.reason.as_str()), (Some(1), "resigned"));
    }
    let record = hall.record(&id).await.expect("no fault").expect("a record");
    assert!(record.result.is_none(), "by the rules it had not ended");
    record.verify(&record.db(hall.sets()).expect("its cards")).expect("it verifies");
}

#[tokio::test]
async fn impossible_tables_are_refused_with_the_reason() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let anna = hall.store().new_guest("Anna".into()).await.expect("a guest");
    let with = |change: fn(&mut NewTable)| {
        let mut new = new_table(settings(2), &[]);
        change(&mut new);
        new
    };
    for (new, reason) in [
        (with(|new| new.settings.players = 1), "a game of 1 cannot be played"),
        (with(|new| new.settings.players = 0), "cannot be played"),
        (with(|new| new.settings.players = 7), "a game of 7 cannot be played"),
        (with(|new| new.settings.players = 5), "unlimited-lives"),
        (with(|new| new.settings.deck = "nonsense".into()), "no deck `nonsense`"),
        (with(|new| new.settings.ruleset = "nonsense".into()), "no ruleset `nonsense`: choose from classic"),
        (with(|new| new.settings.ruleset = "crash".into()), "`crash` is for 5 to 6 players"),
        (with(|new| new.settings.deck_text = Some("nonsense".into())), "the deck"),
        (with(|new| new.settings.variants = vec!["easy".into()]), "no variant `easy`"),
        (with(|new| new.settings.window_ms = 1_000_000), "window_ms"),
        (with(|new| new.settings.clock = Some(Clock { move_s: 0, reserve_s: 0 })), "a clock allows"),
        (with(|new| new.bots = vec![BotLevel::Kobold; 2]), "only 1 bot"),
        (with(|new| new.from = Some("nonsense".into())), "record@step"),
        (with(|new| new.from = Some("nonsense@3".into())), "no such finished game"),
    ] {
        let error = hall.create(&anna, new).await.expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert!(hall.lobby(Some(&anna)).await.mine.is_empty(), "nothing is left behind");
}

#[tokio::test]
async fn a_seated_guest_keeps_the_name_of_the_seat() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = two_people(&hall, settings(2)).await;
    let ben = guests.pop().unwrap();
    ben.table.leave(ben.id).await;
    // Ben calls himself Anna now, and comes back.
    hall.store().rename_guest(ben.person.id, "Anna".into()).await.unwrap();
    let renamed = server::store::Person { name: "Anna".into(), ..ben.person };
    let mut ben = Guest::join(&hall, &id, &renamed).await;
    ben.send(ClientMsg::Chat { text: "I am Anna.".into() }).await;
    let line = |guest: &Guest| match guest.told.last() {
        Some(ServerMsg::Chat { line }) => Some(line.clone()),
        _ => None,
    };
    guests[0].until("the line", |guest| line(guest).is_some()).await;
    let said = line(&guests[0]).unwrap();
    assert_eq!((said.from.as_str(), said.seat), ("Ben", Some(2)));
    ben.read_all().await;
    let welcome = ben.told.iter().find_map(|message| match message {
        ServerMsg::Welcome { you, .. } => Some(you.name.clone()),
        _ => None,
    });
    assert_eq!(welcome.as_deref(), Some("Ben"));
}

#[tokio::test]
async fn the_host_can_change_the_settings_before_the_game() {
    let folder = Folder::new();
    let first = hall(&folder).await;
    let (id, mut guests) = seated(&first, settings(4), &["Anna", "Ben", "Cleo"]).await;
    read_both(&mut guests).await;
    let with = |players: u8, deck: &str| {
        let settings = Settings { deck: deck.into(), listed: true, ..settings(players) };
        ClientMsg::Settings { settings: Box::new(settings) }
    };
    guests[0].send(ClientMsg::Bot { seat: 4, level: Some(bots::BotLevel::Kobold) }).await;
    guests[0].until("a bot", |guest| info(guest).seats[3].who.is_some()).await;
    // Only the host, only what can be played, and nobody loses a seat.
    let refusals = [
        (1, with(3, "tnl"), Refusal::NotHost),
        (0, with(3, "unknown"), Refusal::NotNow),
        (0, with(9, "tnl"), Refusal::NotNow),
        (0, with(2, "tnl"), Refusal::NotNow),
    ];
    for (by, message, code) in refusals {
        guests[by].told.retain(|message| !matches!(message, ServerMsg::Refused { .. }));
        guests[by].send(message).await;
        guests[by].until("a refusal", |guest| guest.last_refusal() == Some(code)).await;
    }
    guests[1].send(ClientMsg::Stand).await;
    guests[1].until("no seat", |guest| seat(guest).is_none()).await;
    guests[0].send(with(2, "tnl")).await;
    for guest in &mut guests {
        guest.until("the settings", |guest| info(guest).settings.deck == "tnl").await;
    }
    // The bot made room, and Cleo has moved up.
    let seats = |guest: &Guest| info(guest).seats;
    assert_eq!((seats(&guests[0]).len(), seat(&guests[0]), seat(&guests[2])), (2, Some(1), Some(2)));
    assert!(info(&guests[0]).settings.listed && you(&guests[0]).host);
    guests[0].send(with(3, "tnl")).await;
    guests[2].until("a free seat", |guest| seats(guest).len() == 3).await;
    let [anna, _, cleo] = &mut guests[..] else { panic!("three guests") };
    let people = [anna.person.clone(), cleo.person.clone()];
    drop(guests);
    // A restart finds it as it is now, and the game is played with that deck.
    let second = reopened(first, &folder).await;
    let mut guests =
        vec![Guest::join(&second, &id, &people[0]).await, Guest::join(&second, &id, &people[1]).await];
    read_both(&mut guests).await;
    assert_eq!((seats(&guests[0]).len(), seat(&guests[0]), seat(&guests[1])), (3, Some(1), Some(2)));
    guests[0].send(with(2, "bmr")).await;
    guests[1].until("the settings", |guest| info(guest).settings.deck == "bmr").await;
    begin(&mut guests).await;
    play_on(&mut guests, 4).await;
    guests[0].send(with(2, "tnl")).await;
    guests[0].until("a refusal", |guest| guest.last_refusal() == Some(Refusal::NotNow)).await;
}
