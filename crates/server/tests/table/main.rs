//! Tables as players know them, without a network in between.

mod absence;
mod board;
mod clocks;
#[path = "../common/mod.rs"]
mod common;
mod damage;
mod fairness;
mod rematch;
mod restart;
mod seats;
mod secrets;
mod undo;
mod windows;

use common::*;
use server::hall::Hall;
use server::store::{Store, StoreError};
use server::wire::*;

/// A table of two people, both seated and dealt.
async fn two_people(hall: &Hall, settings: Settings) -> (String, Vec<Guest>) {
    let (id, mut guests) = seated(hall, settings, &["Anna", "Ben"]).await;
    begin(&mut guests).await;
    (id, guests)
}

/// A table whose seats are taken; the first is the host.
async fn seated(hall: &Hall, settings: Settings, names: &[&str]) -> (String, Vec<Guest>) {
    let host = hall.store().new_guest(names[0].into()).await.expect("a guest");
    let id = hall.create(&host, new_table(settings, &[])).await.expect("a table");
    let mut guests = vec![Guest::join(hall, &id, &host).await];
    for (wanted, name) in (2..).zip(&names[1..]) {
        let person = hall.store().new_guest((*name).into()).await.expect("a guest");
        let mut guest = Guest::join(hall, &id, &person).await;
        guest.send(ClientMsg::Sit { seat: Some(wanted) }).await;
        guest.until("a seat", |guest| seat(guest) == Some(wanted)).await;
        guests.push(guest);
    }
    (id, guests)
}

async fn begin(guests: &mut [Guest]) {
    guests[0].send(ClientMsg::Start).await;
    for guest in guests {
        guest.until("the deal", |guest| guest.update.is_some()).await;
    }
}

fn you(guest: &Guest) -> You {
    let found = guest.told.iter().rev().find_map(|message| match message {
        ServerMsg::Welcome { you, .. } | ServerMsg::Table { you, .. } => Some(you.clone()),
        _ => None,
    });
    found.expect("everyone is told who they are")
}

fn left_ms(guest: &Guest) -> Option<u32> {
    guest.update.as_ref()?.waiting.as_ref()?.left_ms
}

/// The clocks of all tables jump forward.
async fn skip(seconds: u64) {
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(seconds)).await;
    tokio::time::resume();
}

fn seat(guest: &Guest) -> Option<u8> {
    guest.told.iter().rev().find_map(|message| match message {
        ServerMsg::Welcome { you, .. } | ServerMsg::Table { you, .. } => Some(you.seat),
        _ => None,
    })?
}

fn info(guest: &Guest) -> TableInfo {
    guest.info()
}

/// The player who is asked, and the other one.
fn asked(guests: &mut [Guest]) -> (&mut Guest, &mut Guest) {
    let (one, other) = guests.split_at_mut(1);
    if one[0].is_asked() { (&mut one[0], &mut other[0]) } else { (&mut other[0], &mut one[0]) }
}

async fn read_both(guests: &mut [Guest]) {
    for guest in guests {
        guest.read_all().await;
    }
}

async fn reopened(hall: Hall, folder: &Folder) -> Hall {
    Hall::open(closed(hall, folder).await, cards::library::sets()).await.expect("a hall")
}

/// The store of a hall that has stopped.
async fn closed(hall: Hall, folder: &Folder) -> Store {
    hall.stop().await;
    drop(hall);
    loop {
        match Store::open(&folder.0) {
            Ok(store) => return store,
            Err(StoreError::InUse(_)) => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test]
async fn two_people_and_two_bots_play_a_whole_game() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let anna = hall.store().new_guest("Anna".into()).await.expect("a guest");
    let ben = hall.store().new_guest("Ben".into()).await.expect("a guest");
    let new = new_table(long_game(4), &[BotLevel::Kobold, BotLevel::MiniBoss]);
    let id = hall.create(&anna, new).await.expect("a table");
    let mut guests = vec![Guest::join(&hall, &id, &anna).await, Guest::join(&hall, &id, &ben).await];
    guests[1].send(ClientMsg::Sit { seat: None }).await;
    guests[1]
        .until("a seat", |guest| {
            guest.told.iter().any(|m| matches!(m, ServerMsg::Table { you, .. } if you.seat == Some(2)))
        })
        .await;
    assert!(hall.record(&id).await.expect("no fault").is_none(), "no record before the end");
    guests[0].send(ClientMsg::Start).await;
    guests[0].until("the deal", |guest| guest.update.is_some()).await;
    let answers = play_on(&mut guests, u64::MAX).await;
    assert!(answers > 20, "{answers} answers");
    for guest in &mut guests {
        guest.until("the end", Guest::is_over).await;
    }
    let record = hall.record(&id).await.expect("no fault").expect("a record");
    let db = record.db(hall.sets()).expect("its cards");
    let end = record.verify(&db).expect("it verifies, shuffle included");
    assert!(end.outcome().is_some());
}

#[tokio::test]
async fn late_and_foreign_answers_change_nothing() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (_, mut guests) = two_people(&hall, settings(2)).await;
    play_on(&mut guests, 6).await;
    read_both(&mut guests).await;
    let (me, other) = asked(&mut guests);
    let (seq, before, choices) = (me.seq(), me.update.clone(), me.choices() as u32);
    for (mine, message, code) in [
        (true, ClientMsg::Act { seq: seq - 1, index: 0 }, Refusal::Stale),
        (true, ClientMsg::Act { seq: seq + 1, index: 0 }, Refusal::Stale),
        (true, ClientMsg::Act { seq, index: choices }, Refusal::NotLegal),
        (true, ClientMsg::Act { seq, index: u32::MAX }, Refusal::NotLegal),
        (false, ClientMsg::Act { seq, index: 0 }, Refusal::NotAsked),
        (false, ClientMsg::Hint { seq }, Refusal::NotAsked),
        (false, ClientMsg::Start, Refusal::NotNow),
        (false, ClientMsg::Sit { seat: None }, Refusal::NotNow),
        (false, ClientMsg::Stand, Refusal::NotNow),
        (false, ClientMsg::Rematch { yes: true }, Refusal::NotNow),
        (false, ClientMsg::Consent { request: 7, yes: true }, Refusal::Stale),
        (false, ClientMsg::Replace { seat: 99 }, Refusal::NotNow),
        (false, ClientMsg::Chat { text: "x".repeat(301) }, Refusal::TooLong),
    ] {
        let guest = if mine { &mut *me } else { &mut *other };
        guest.told.clear();
        guest.send(message.clone()).await;
        guest.until("a refusal", |guest| guest.last_refusal().is_some()).await;
        assert_eq!(guest.last_refusal(), Some(code), "{message:?}");
    }
    me.read_all().await;
    assert_eq!(me.update, before, "nothing has changed");
}

#[tokio::test]
async fn a_connection_that_fell_behind_is_sent_the_table_again() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let (id, mut guests) = two_people(&hall, settings(2)).await;
    let table = hall.table(&id).await.expect("the table is there");
    // A second tab of Anna's that reads nothing for a while.
    let (outbox, mut inbox) = tokio::sync::mpsc::channel(4);
    table.join(HOME, guests[0].person.clone(), None, Box::new(outbox)).await.expect("welcome");
    play_on(&mut guests, 30).await;
    guests[0].read_all().await;
    let now = guests[0].update.clone().expect("an update");
    loop {
        let next = tokio::time::timeout(LONG, inbox.recv()).await.expect("it is sent the table");
        let frame = next.expect("the table is there");
        let ServerMsg::Update(update) = serde_json::from_slice(frame.text()).expect("a message") else {
            continue;
        };
        if update.seq == now.seq {
            assert!(update.fresh, "what was missed is not told piece by piece");
            assert_eq!(update.view, now.view);
            return;
        }
    }
}
