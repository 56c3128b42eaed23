//! Every table is restored, whatever it is called; one that cannot be restored says so and keeps its log.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rusqlite::Connection;
use server::hall::NoTable;
use server::wire::*;

use crate::common::*;
use crate::{closed, reopened, two_people};

#[tokio::test]
async fn a_game_with_any_deck_name_is_restored() {
    let folder = Folder::new();
    let first = hall(&folder).await;
    let mut runner = TestRunner::deterministic();
    let any = "(\\PC{0,60}|[a-z0-9 -]{30,60}|[a-z]{39}[-_ ][a-z]{0,9})";
    let any = proptest::string::string_regex(any).expect("a pattern");
    let mut names = vec!["a-deck-whose-name-is-cut-right-after-it-x".to_string()];
    names.extend((0..20).map(|_| any.new_tree(&mut runner).expect("a name").current()));
    let mut games = Vec::new();
    for name in names {
        let anna = first.store().new_guest(name.clone()).await.expect("a guest");
        let own =
            Settings { deck: name.clone(), deck_text: Some("deck Own\nset BMR\n".into()), ..settings(2) };
        let id = first.create(&anna, new_table(own, &[BotLevel::Kobold])).await.expect("a table");
        let mut guest = Guest::join(&first, &id, &anna).await;
        guest.send(ClientMsg::Start).await;
        guest.until("the deal", |guest| guest.is_asked()).await;
        let view = guest.update.clone().expect("an update").view;
        games.push((name, id, anna, view));
    }
    let second = reopened(first, &folder).await;
    for (name, id, anna, view) in games {
        assert!(second.info(&id).await.is_ok(), "{name:?}");
        let mut guest = Guest::join(&second, &id, &anna).await;
        guest.until("the table", |guest| guest.update.is_some()).await;
        assert_eq!(guest.update.expect("an update").view, view, "{name:?}");
    }
}

/// The log of the only table, as it is stored.
fn log(folder: &Folder) -> String {
    let db = Connection::open(folder.0.join("lair.db")).expect("the database");
    db.query_row("SELECT entries FROM log", [], |row| row.get(0)).expect("a log")
}

type Damage = fn(&str) -> String;

fn damage(folder: &Folder, how: Damage) {
    let damaged = how(&log(folder));
    let db = Connection::open(folder.0.join("lair.db")).expect("the database");
    db.execute("UPDATE log SET entries = ?1", [damaged]).expect("it can be damaged");
}

#[tokio::test]
async fn a_table_that_cannot_be_restored_says_so_and_keeps_its_log() {
    let damages: [(&str, Damage); 4] = [
        ("an entry that is not one", |log| log.replace("\"begins\"", "\"started\"")),
        ("an answer that is not legal", |log| log.replacen("{\"acts\"", "{\"acts\":\"pass\"}\n{\"acts\"", 1)),
        ("a game that is not there", |log| {
            log.lines().filter(|line| !line.contains("begins")).collect::<Vec<_>>().join("\n")
        }),
        ("other cards", |log| {
            let at = log.find("{\"cards\":\"").expect("the cards") + "{\"cards\":\"".len();
            let other = if log[at..].starts_with('0') { "1" } else { "0" };
            format!("{}{other}{}", &log[..at], &log[at + 1..])
        }),
    ];
    for (what, how) in damages {
        let folder = Folder::new();
        let first = hall(&folder).await;
        let (id, mut guests) = two_people(&first, settings(2)).await;
        play_on(&mut guests, 6).await;
        let anna = guests[0].person.clone();
        drop(guests);
        drop(closed(first, &folder).await);
        damage(&folder, how);
        let before = log(&folder);
        let second = hall(&folder).await;
        for _ in 0..2 {
            assert_eq!(second.info(&id).await.err(), Some(NoTable::CannotRestore), "{what}");
            let (outbox, _inbox) = tokio::sync::mpsc::channel(8);
            let joined = match second.table(&id).await {
                Ok(table) => table.join(HOME, anna.clone(), None, Box::new(outbox)).await.err(),
                Err(reason) => Some(reason.into()),
            };
            assert_eq!(joined, Some(CloseReason::CannotRestore), "{what}");
        }
        assert!(second.lobby(Some(&anna)).await.mine.is_empty(), "{what}: not an empty table");
        assert!(!matches!(second.record(&id).await, Ok(Some(_))), "{what}: not a record");
        drop(closed(second, &folder).await);
        assert_eq!(log(&folder), before, "{what}");
    }
}
