//! What a store promises, whatever is behind it: the same tests for a data folder and for PostgreSQL.

mod common;
mod postgres;

use std::time::Duration;

use common::{Folder, Guest, mix, new_table, settings};
use futures_util::future::join_all;
use server::hall::Hall;
use server::store::{
    Change, Day, KeptWishes, LogEntry, Person, PersonId, SeatHolder, SessionId, Store, StoreError, TableRow,
    TableSummary,
};
use server::wire::{
    BotLevel, ChatLine, ClientMsg, Clock, ServerMsg, Settings, Spectators, StopAt, Stops, TableState,
};

/// Where a store is kept.
enum Place {
    Folder(Folder),
    Database(String),
}

impl Place {
    /// Opens the store, when nobody else uses it any more.
    async fn open(&self) -> Store {
        match self {
            Place::Database(url) => Store::connect(&url.parse().unwrap(), "test").await.unwrap(),
            Place::Folder(folder) => loop {
                match Store::open(&folder.0) {
                    Ok(store) => return store,
                    Err(StoreError::InUse(_)) => tokio::task::yield_now().await,
                    Err(error) => panic!("{error}"),
                }
            },
        }
    }

    async fn reopen(&self, store: Store) -> Store {
        store.close().await;
        drop(store);
        self.open().await
    }
}

macro_rules! in_both {
    ($($name:ident)*) => {
        mod in_a_folder {
            use super::*;
            $(#[tokio::test] async fn $name() { super::$name(Place::Folder(Folder::new())).await })*
        }
        mod in_postgres {
            use super::*;
            $(#[tokio::test] async fn $name() {
                let Some(url) = postgres::shared().map(postgres::Postgres::url) else { return };
                super::$name(Place::Database(url)).await
            })*
        }
    };
}

in_both! {
    people_are_guests_or_accounts_that_nobody_can_take_for_another
    of_those_who_want_a_name_at_the_same_time_one_gets_it
    sessions_come_and_go
    tables_keep_what_happened
    long_texts_and_odd_letters_come_back_unchanged
    a_log_only_grows_and_has_no_gaps
    changes_that_wait_together_are_all_kept_and_one_that_fails_spoils_no_other
    wishes_are_kept_in_order
    a_day_has_one_secret_and_everybody_one_attempt
    titles_are_the_best_of_each_boss
    solved_puzzles_are_kept_for_the_person
    what_was_said_and_the_time_that_was_taken_outlive_a_restart
    a_game_goes_on_after_the_store_was_closed
}

fn id(n: u64) -> String {
    format!("{n:a>26}")
}

/// An entry that can be told from others.
fn acts(n: u64) -> LogEntry {
    LogEntry::Reserve((n % 8) as u8, n)
}

async fn guest(store: &Store, name: &str) -> PersonId {
    store.new_guest(name.into()).await.unwrap().id
}

async fn table(store: &Store, n: u64, change: Change<'_>) -> TableRow {
    store.new_table(id(n), settings(2), [n as u8; 32], change).await.unwrap()
}

fn entries(entries: &[LogEntry]) -> Change<'_> {
    Change { entries, ..Change::default() }
}

async fn log(store: &Store, n: u64) -> Vec<LogEntry> {
    store.table(&id(n)).await.unwrap().expect("the table").1
}

async fn people_are_guests_or_accounts_that_nobody_can_take_for_another(place: Place) {
    let store = place.open().await;
    store.check_health().await.unwrap();
    let ann = store.new_guest("Ann".into()).await.unwrap();
    assert!(!ann.account && ann.name == "Ann");
    let session = store.new_session(ann.id, "Firefox".into(), None).await.unwrap();
    store.rename_guest(ann.id, "Anna".into()).await.unwrap();
    let known = store.session(session).await.unwrap().expect("a session");
    assert_eq!(known.person, Person { name: "Anna".into(), ..ann.clone() });
    // The guest becomes the account; who had the guest's cookie has nothing of it.
    let (account, revoked) =
        store.new_account(Some(ann.id), "Anna".into(), "$argon2id$1".into()).await.unwrap().expect("free");
    assert_eq!((account.id, account.account, &revoked[..]), (ann.id, true, &[session][..]));
    assert_eq!(store.session(session).await.unwrap(), None);
    store.rename_guest(ann.id, "Ben".into()).await.unwrap();
    // cspell:disable-next-line
    for taken in ["anna", "ANNA", "АNNА"] {
        assert_eq!(
            store.new_account(None, taken.into(), "$argon2id$2".into()).await.unwrap(),
            None,
            "{taken}"
        );
    }
    for typed in ["Anna", "ANNA"] {
        let (found, hash) = store.account(typed.into()).await.unwrap().expect("the account");
        assert_eq!((found, hash.as_str()), (account.clone(), "$argon2id$1"), "{typed}");
    }
    assert_eq!(store.account("Ben".into()).await.unwrap(), None);
    // Whoever has an account already gets another one under another name.
    let (second, _) =
        store.new_account(Some(ann.id), "Beth".into(), "$argon2id$3".into()).await.unwrap().expect("free");
    assert_ne!(second.id, ann.id);
    let store = place.reopen(store).await;
    assert_eq!(store.account("anna".into()).await.unwrap().map(|found| found.0), Some(account));
}

async fn of_those_who_want_a_name_at_the_same_time_one_gets_it(place: Place) {
    let store = place.open().await;
    // cspell:disable-next-line
    let wanted = ["Dragon", "DRAGON", "dragon", "Drаgon", "Dragon", "dragon", "dRagon", "Dragon"];
    let made = join_all(wanted.map(|name| store.new_account(None, name.into(), "$argon2id$".into()))).await;
    let made: Vec<_> = made.into_iter().filter_map(Result::unwrap).collect();
    assert_eq!(made.len(), 1, "{made:?}");
    assert_eq!(store.account("dragon".into()).await.unwrap().map(|found| found.0.id), Some(made[0].0.id));
    let secrets = join_all([(); 8].map(|()| store.cookie_secret())).await;
    let first = *secrets[0].as_ref().unwrap();
    assert!(secrets.iter().all(|secret| *secret.as_ref().unwrap() == first) && first != [0; 64]);
    let store = place.reopen(store).await;
    assert_eq!(store.cookie_secret().await.unwrap(), first);
}

async fn sessions_come_and_go(place: Place) {
    let store = place.open().await;
    let (ann, ben) = (guest(&store, "Ann").await, guest(&store, "Ben").await);
    let first = store.new_session(ann, "one".into(), None).await.unwrap();
    let second = store.new_session(ann, "two".into(), Some(first)).await.unwrap();
    let bens = store.new_session(ben, "three".into(), None).await.unwrap();
    assert_eq!(store.session(first).await.unwrap(), None, "it was replaced");
    assert_eq!(store.session(SessionId(1)).await.unwrap(), None);
    let session = store.session(second).await.unwrap().expect("a session");
    assert_eq!((session.person.id, session.about.as_str(), session.id), (ann, "two", second));
    store.session_seen(second).await.unwrap();
    assert!(!store.revoke(ann, bens).await.unwrap(), "not hers");
    // The oldest end when there are too many.
    let mut later = Vec::new();
    for n in 0..52 {
        later.push(store.new_session(ann, format!("{n}"), None).await.unwrap());
    }
    let there = store.sessions(ann).await.unwrap();
    assert_eq!(there.len(), 50);
    assert!(there.iter().any(|session| session.id == later[51]));
    let keep = later[51];
    let other = there.iter().map(|session| session.id).find(|id| *id != keep).unwrap();
    assert!(store.revoke(ann, other).await.unwrap() && !store.revoke(ann, other).await.unwrap());
    let mut gone = store.revoke_others(ann, keep).await.unwrap();
    assert_eq!(gone.len(), 48);
    gone.dedup();
    let left: Vec<_> = store.sessions(ann).await.unwrap().iter().map(|session| session.id).collect();
    assert_eq!(left, [keep]);
    assert!(store.session(bens).await.unwrap().is_some());
}

async fn tables_keep_what_happened(place: Place) {
    let store = place.open().await;
    let (ann, ben) = (guest(&store, "Ann").await, guest(&store, "Ben").await);
    let sits = |seat, id, name: &str| {
        LogEntry::Sits(seat, Some(SeatHolder::Person { id, name: name.into(), host: seat == 0 }))
    };
    let seats = [sits(0, ann, "Ann"), sits(1, ben, "Ben")];
    let change = Change { players: vec![(ann, 0), (ben, 1)], ..entries(&seats) };
    let row = store.new_table(id(2), settings(2), [7; 32], change).await.unwrap();
    let third = table(&store, 3, Change { players: vec![(ann, 0)], ..Change::default() }).await;
    assert!(third.hold.table > row.hold.table, "numbers follow the order");
    assert_eq!(store.unfinished_of(ben, 9).await.unwrap(), [id(2)]);
    assert_eq!(store.unfinished(row.made).await.unwrap().len(), 2);
    assert_eq!(store.unfinished(row.made + 100).await.unwrap(), [""; 0]);
    assert!(store.history(ann, 9).await.unwrap().is_empty(), "nothing has begun");
    // Ben goes and Ann changes her seat; the settings change, and the game begins.
    let three = Settings { deck: "tnl".into(), ..settings(3) };
    let summary = |state| Some(TableSummary { state, seats: r#"["Ann"]"#.into(), result: None });
    let begins = [LogEntry::Sits(1, None), sits(2, ann, "Ann"), LogEntry::Begins("--players 3".into())];
    let change = Change {
        players: vec![(ann, 2)],
        left: vec![ben, ann],
        summary: summary(Some(TableState::Playing)),
        settings: Some(three.clone()),
        ..entries(&begins)
    };
    store.change(row.hold, 2, change).await.unwrap();
    // And without any entry it is over.
    let result = r#"{"winner":1,"reason":"souls","turns":9}"#;
    let over =
        TableSummary { state: Some(TableState::Over), seats: "[]".into(), result: Some(result.into()) };
    store.change(row.hold, 5, Change { summary: Some(over), ..Change::default() }).await.unwrap();
    store.change(third.hold, 0, Change { summary: summary(None), ..Change::default() }).await.unwrap();
    let store = place.reopen(store).await;
    let (now, log) = store.table(&id(2)).await.unwrap().expect("the table");
    assert_eq!(log, [&seats[..], &begins].concat());
    assert_eq!((&now.settings, now.secret, now.made), (&three, [7; 32], row.made));
    assert_eq!(
        (now.state, now.seats.as_str(), now.result.as_deref()),
        (Some(TableState::Over), "[]", Some(result))
    );
    assert_eq!(store.table_row(&id(2)).await.unwrap().expect("the table").settings, three);
    assert_eq!(store.table_row(&id(3)).await.unwrap().expect("the table").state, None);
    assert_eq!(store.table(&id(4)).await.unwrap(), None);
    assert_eq!(store.take(&id(4)).await.unwrap(), None);
    assert!(store.unfinished(0).await.unwrap().is_empty());
    assert!(store.unfinished_of(ann, 9).await.unwrap().is_empty());
    let history = store.history(ann, 9).await.unwrap();
    assert_eq!(history.iter().map(|(row, seat)| (row.id.clone(), *seat)).collect::<Vec<_>>(), [(id(2), 2)]);
    assert!(store.history(ben, 9).await.unwrap().is_empty());
    assert!(
        store.new_table(id(2), settings(2), [1; 32], Change::default()).await.is_err(),
        "it is there already"
    );
}

async fn long_texts_and_odd_letters_come_back_unchanged(place: Place) {
    let store = place.open().await;
    let odd = "Ω 🐉 'quoted' \"twice\" \\ back; DROP TABLE people; --";
    let ann = guest(&store, odd).await;
    let own = Settings {
        deck: "my \u{0} deck".into(),
        deck_text: Some(format!("deck {odd}\n\u{0}\t\r\n{}", "x".repeat(200_000))),
        cards_text: Some("set \u{7}".into()),
        ..settings(2)
    };
    let says = [LogEntry::Begins(format!("{odd}\nnext line \u{0}")), acts(1)];
    let change = Change { players: vec![(ann, 0)], ..entries(&says) };
    let row = store.new_table(id(2), own.clone(), [255; 32], change).await.unwrap();
    assert_eq!(row.settings, own);
    let playing =
        TableSummary { state: Some(TableState::Playing), seats: format!("[{odd:?}]"), result: None };
    store.change(row.hold, 2, Change { summary: Some(playing), ..Change::default() }).await.unwrap();
    let (now, log) = store.table(&id(2)).await.unwrap().expect("the table");
    assert!(now.settings == own && log == says);
    // Lists leave out what is long.
    let history = store.history(ann, 9).await.unwrap();
    let [(listed, 0)] = &history[..] else { panic!("{history:?}") };
    let short = Settings { deck_text: None, cards_text: None, ..own.clone() };
    assert_eq!((&listed.settings, listed.seats.as_str()), (&short, format!("[{odd:?}]").as_str()));
    let plain = Settings { deck_text: None, ..own };
    store.change(row.hold, 2, Change { settings: Some(plain.clone()), ..Change::default() }).await.unwrap();
    assert_eq!(store.table_row(&id(2)).await.unwrap().expect("the table").settings, plain);
}

async fn a_log_only_grows_and_has_no_gaps(place: Place) {
    let store = place.open().await;
    let row = table(&store, 2, entries(&[acts(0), acts(1)])).await;
    let more = [acts(2), acts(3)];
    for wrong in [0, 1, 3, 20] {
        let refused = store.change(row.hold, wrong, entries(&more)).await;
        assert!(matches!(refused, Err(StoreError::Damaged(_))), "{wrong}: {refused:?}");
    }
    store.change(row.hold, 2, entries(&more)).await.unwrap();
    assert!(store.change(row.hold, 2, entries(&more)).await.is_err(), "that place is filled");
    // Of those who want the same place, one gets it.
    let rivals: Vec<[LogEntry; 1]> = (10..20).map(|n| [acts(n)]).collect();
    let told = join_all(rivals.iter().map(|rival| store.change(row.hold, 4, entries(rival)))).await;
    assert_eq!(told.iter().filter(|told| told.is_ok()).count(), 1, "{told:?}");
    let whole = log(&store, 2).await;
    assert_eq!((whole.len(), &whole[..4]), (5, &[acts(0), acts(1), acts(2), acts(3)][..]));
    let store = place.reopen(store).await;
    let (row, found) = store.take(&id(2)).await.unwrap().expect("the table");
    assert_eq!(found, whole);
    store.change(row.hold, 5, entries(&[acts(5)])).await.unwrap();
    assert_eq!(log(&store, 2).await.len(), 6);
}

async fn changes_that_wait_together_are_all_kept_and_one_that_fails_spoils_no_other(place: Place) {
    const TABLES: u64 = 60;
    const ROUNDS: u64 = 12;
    let store = place.open().await;
    let nobody = PersonId(77);
    let mut rows = Vec::new();
    for n in 0..TABLES {
        rows.push(table(&store, n + 100, Change::default()).await);
    }
    for round in 0..ROUNDS {
        let change = async |n: u64| {
            let entry = [acts(1000 * n + round)];
            let mut change = entries(&entry);
            // Nobody has that number, and nobody can play here who is not there.
            if round == 5 && n % 7 == 3 {
                change.players = vec![(nobody, 0)];
            }
            let from = round as u32 - u32::from(round > 5 && n % 7 == 3);
            store.change(rows[n as usize].hold, from, change).await
        };
        let told = join_all((0..TABLES).map(change)).await;
        for (n, told) in told.iter().enumerate() {
            assert_eq!(told.is_err(), round == 5 && n % 7 == 3, "table {n}, round {round}: {told:?}");
        }
    }
    let store = place.reopen(store).await;
    for n in 0..TABLES {
        let failed = |round: &u64| *round == 5 && n % 7 == 3;
        let whole: Vec<_> =
            (0..ROUNDS).filter(|round| !failed(round)).map(|round| acts(1000 * n + round)).collect();
        assert_eq!(log(&store, n + 100).await, whole, "table {n}");
    }
    assert!(store.history(nobody, 9).await.unwrap().is_empty());
    store.check_health().await.unwrap();
}

async fn wishes_are_kept_in_order(place: Place) {
    let store = place.open().await;
    let (ann, ben) = (guest(&store, "Ann").await, guest(&store, "Ben").await);
    let row = table(&store, 2, Change::default()).await;
    let wishes = |answer_spells| KeptWishes {
        stops: Stops { windows: StopAt::Never, answer_spells },
        armed: Vec::new(),
    };
    for n in 0..20 {
        store.keep_wishes(row.hold, ann, &wishes(n % 2 == 0));
        store.keep_wishes(row.hold, ben, &wishes(true));
    }
    store.keep_wishes(row.hold, ben, &KeptWishes::default());
    // What is stored later is stored after them.
    store.change(row.hold, 0, entries(&[acts(0)])).await.unwrap();
    let store = place.reopen(store).await;
    assert_eq!(store.wishes(row.hold.table).await.unwrap(), [(ann, wishes(false))]);
}

/// A game for one that is over, with this score.
async fn solo(store: &Store, n: u64, who: PersonId, ruleset: &str, boss: &str, score: i32) {
    let settings = Settings { ruleset: ruleset.into(), ..settings(2) };
    let change = Change { players: vec![(who, 0)], ..Change::default() };
    let row = store.new_table(id(n), settings, [0; 32], change).await.unwrap();
    let result = format!(r#"{{"solo":{{"score":{score},"title":"Title {score}","boss":{boss:?}}}}}"#);
    let over = TableSummary { state: Some(TableState::Over), seats: "[]".into(), result: Some(result) };
    store.change(row.hold, 0, Change { summary: Some(over), ..Change::default() }).await.unwrap();
}

async fn a_day_has_one_secret_and_everybody_one_attempt(place: Place) {
    let store = place.open().await;
    let (today, tomorrow) = (Day(20_000), Day(20_001));
    assert_eq!(store.known_secret_of(today).await.unwrap(), None);
    let secrets = join_all([(); 6].map(|()| store.secret_of(today))).await;
    let secret = *secrets[0].as_ref().unwrap();
    assert!(secrets.iter().all(|other| *other.as_ref().unwrap() == secret));
    assert_ne!(store.secret_of(tomorrow).await.unwrap(), secret);
    assert_eq!(store.known_secret_of(today).await.unwrap(), Some(secret));
    let mut people = Vec::new();
    for n in 0..6 {
        people.push(guest(&store, &format!("Person {n}")).await);
    }
    // All at once from one network, and each twice.
    let attempts = (0..12).map(|n| store.attempt(today, people[n % 6], id(200 + n as u64), vec![1, 2, 3]));
    let tables: Vec<String> = join_all(attempts).await.into_iter().map(Result::unwrap).collect();
    for n in 0..6 {
        assert_eq!(tables[n], tables[n + 6], "one attempt a day");
        assert_eq!(store.attempt_of(today, people[n]).await.unwrap().as_ref(), Some(&tables[n]));
        assert_eq!(store.day_of(&tables[n]).await.unwrap(), Some(today));
    }
    assert_eq!(store.attempt_of(tomorrow, people[0]).await.unwrap(), None);
    assert_eq!(store.day_of(&id(999)).await.unwrap(), None);
    for (n, score) in [(0, 30), (1, 50), (2, 30), (3, -2)] {
        let number = (200..212).find(|number| id(*number) == tables[n]).unwrap();
        solo(&store, number, people[n], "classic", "Boss", score).await;
    }
    let scores = store.scores_of(today, 9).await.unwrap();
    let told: Vec<_> = scores.iter().map(|(who, score)| (*who, score.place, score.score)).collect();
    assert_eq!(told, [(people[1], 1, 50), (people[0], 2, 30), (people[2], 2, 30), (people[3], 4, -2)]);
    assert_eq!((scores[0].1.title.as_str(), scores[0].1.boss.as_str()), ("Title 50", "Boss"));
    let mut counted: Vec<u32> = scores.iter().map(|(_, score)| score.attempt).collect();
    counted.sort();
    counted.dedup();
    assert!(counted.len() == 4 && counted.iter().all(|nth| (1..=6).contains(nth)), "{counted:?}");
    assert_eq!(store.scores_of(today, 2).await.unwrap().len(), 2);
    assert!(store.scores_of(tomorrow, 9).await.unwrap().is_empty());
}

async fn solved_puzzles_are_kept_for_the_person(place: Place) {
    let store = place.open().await;
    let (ann, ben) = (guest(&store, "Ann").await, guest(&store, "Ben").await);
    assert!(store.solved(ann).await.unwrap().is_empty());
    for name in ["tnl-b", "bmr-dbm-c", "bmr-a", "tnl-b"] {
        store.solve(ann, name.into()).await.unwrap();
    }
    // Twice at the same time is once.
    let twice = join_all([(); 4].map(|()| store.solve(ben, "bmr-a".into()))).await;
    assert!(twice.into_iter().all(|done| done.is_ok()));
    let of_ann = ["bmr-a", "bmr-dbm-c", "tnl-b"];
    assert_eq!(store.solved(ann).await.unwrap(), of_ann);
    let store = place.reopen(store).await;
    assert_eq!(store.solved(ann).await.unwrap(), of_ann);
    assert_eq!(store.solved(ben).await.unwrap(), ["bmr-a"]);
    assert!(store.solve(PersonId(1_000_000), "bmr-a".into()).await.is_err(), "nobody has this number");
}

async fn titles_are_the_best_of_each_boss(place: Place) {
    let store = place.open().await;
    let (ann, ben) = (guest(&store, "Ann").await, guest(&store, "Ben").await);
    let games = [
        ("classic", "Ab", 3),
        ("classic", "Ab", 7),
        ("challenge", "Ab", 5),
        ("classic", "Ab c", 7),
        ("classic", "Xy", 1),
    ];
    for (n, (ruleset, boss, score)) in games.into_iter().enumerate() {
        solo(&store, 300 + n as u64, ann, ruleset, boss, score).await;
    }
    // One that is not over, and one against others.
    let change = || Change { players: vec![(ann, 0)], ..Change::default() };
    table(&store, 310, change()).await;
    let row = table(&store, 311, change()).await;
    let result = Some(r#"{"winner":1,"solo":null}"#.to_string());
    let over = TableSummary { state: Some(TableState::Over), seats: "[]".into(), result };
    store.change(row.hold, 0, Change { summary: Some(over), ..Change::default() }).await.unwrap();
    let titles = store.titles_of(ann).await.unwrap();
    let told: Vec<_> = titles
        .iter()
        .map(|title| (title.boss.as_str(), title.challenge, title.score, title.title.as_str(), title.games))
        .collect();
    let best = [
        ("Ab", false, 7, "Title 7", 2),
        ("Ab c", false, 7, "Title 7", 1),
        ("Ab", true, 5, "Title 5", 1),
        ("Xy", false, 1, "Title 1", 1),
    ];
    assert_eq!(told, best);
    assert!(store.titles_of(ben).await.unwrap().is_empty());
}

async fn a_game_goes_on_after_the_store_was_closed(place: Place) {
    let sets = cards::library::sets;
    let mut hall = Hall::open(place.open().await, sets()).await.unwrap();
    let ann = hall.store().new_guest("Ann".into()).await.unwrap();
    let id = hall.create(&ann, new_table(settings(2), &[BotLevel::Kobold])).await.unwrap();
    let mut ann_there = Guest::join(&hall, &id, &ann).await;
    ann_there.send(ClientMsg::Start).await;
    for n in 0_u64.. {
        ann_there.until("a question or the end", |guest| guest.is_asked() || guest.is_over()).await;
        if ann_there.is_over() {
            break;
        }
        let before = ann_there.update.clone().unwrap();
        if n % 12 == 5 {
            // What was shown is there again.
            hall.stop().await;
            let store = hall.store().clone();
            drop((ann_there, hall));
            hall = Hall::open(place.reopen(store).await, sets()).await.unwrap();
            ann_there = Guest::join(&hall, &id, &ann).await;
            ann_there.until("the same question", |guest| guest.is_asked()).await;
            let again = ann_there.update.clone().unwrap();
            assert!(again.seq >= before.seq);
            assert_eq!((&again.view, &again.ask), (&before.view, &before.ask));
        }
        let now = ann_there.update.as_ref().unwrap();
        let act = ClientMsg::Act { seq: now.seq, index: mix(n) as u32 % ann_there.choices() as u32 };
        let seq = now.seq;
        ann_there.send(act).await;
        ann_there.until("what comes of it", |guest| guest.seq() > seq).await;
    }
    let record = hall.record(&id).await.unwrap().expect("a record");
    record.verify(&record.db(hall.sets()).unwrap()).unwrap();
    assert!(!record.actions.is_empty());
    hall.stop().await;
    hall.store().close().await;
}

async fn what_was_said_and_the_time_that_was_taken_outlive_a_restart(place: Place) {
    let sets = cards::library::sets;
    let hall = Hall::open(place.open().await, sets()).await.unwrap();
    let (ann, ben) = (hall.store().new_guest("Ann".into()), hall.store().new_guest("Ben".into()));
    let (ann, ben) = (ann.await.unwrap(), ben.await.unwrap());
    let clock = Some(Clock { move_s: 100, reserve_s: 200 });
    let table = Settings { spectators: Spectators::Open, clock, ..settings(2) };
    let id = hall.create(&ann, new_table(table, &[BotLevel::Kobold])).await.unwrap();
    let mut ann_there = Guest::join(&hall, &id, &ann).await;
    ann_there.send(ClientMsg::Start).await;
    ann_there.until("a question", Guest::is_asked).await;
    let ben_there = Guest::join(&hall, &id, &ben).await;
    ann_there.send(ClientMsg::Chat { text: "Well met.".into() }).await;
    ann_there.until("her line", |guest| !chat(guest).is_empty()).await;
    ben_there.send(ClientMsg::Chat { text: "Good luck.".into() }).await;
    ann_there.until("his line", |guest| chat(guest).len() == 2).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    // Twice: what an earlier restart has kept is kept by the next one.
    let mut hall = hall;
    for n in 1..=2 {
        hall.stop().await;
        let store = hall.store().clone();
        drop((ann_there, hall));
        hall = Hall::open(place.reopen(store).await, sets()).await.unwrap();
        ann_there = Guest::join(&hall, &id, &ann).await;
        ann_there.until("the same question", Guest::is_asked).await;
        let said = chat(&ann_there);
        let lines: Vec<_> =
            said.iter().map(|line| (line.from.as_str(), line.seat, line.text.as_str())).collect();
        assert_eq!(lines, [("Ann", Some(1), "Well met."), ("Ben", None, "Good luck.")]);
        let left = ann_there.update.as_ref().unwrap().waiting.as_ref().unwrap().left_ms.unwrap();
        assert!(left <= 300_000 - 300, "restart {n} has given time back: {left} ms");
    }
    // The game it belongs to is not touched by it.
    let (row, log) = hall.store().table(&id).await.unwrap().unwrap();
    assert_eq!(log.iter().filter(|entry| matches!(entry, LogEntry::Said { .. })).count(), 2);
    assert!(log.contains(&LogEntry::Rules(engine::record::VERSION)));
    let cards = hall.cards(&row.settings).await.unwrap();
    server::table::replays(&cards, row, log).unwrap();
    hall.stop().await;
    hall.store().close().await;
}

/// The lines that a guest knows.
fn chat(guest: &Guest) -> Vec<ChatLine> {
    let mut lines = Vec::new();
    for message in &guest.told {
        match message {
            ServerMsg::Welcome { chat, .. } => lines.clone_from(chat),
            ServerMsg::Chat { line } => lines.push(line.clone()),
            _ => {}
        }
    }
    lines
}
