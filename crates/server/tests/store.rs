//! The store alone: changes that fail, a full disk, files from older and newer versions.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;

use common::{Folder, Guest, hall, mix, new_table, settings};
use futures_util::future::join_all;
use rusqlite::Connection;
use server::hall::Hall;
use server::store::{Change, LogEntry, Person, PersonId, SeatHolder, SessionId, Store, StoreError, sqlite};
use server::wire::{BotLevel, ClientMsg, Refusal, TableState};
use tokio::task::JoinHandle;

/// The database itself.
fn inside(store: &Store) -> &sqlite::Store {
    store.folder().expect("a data folder")
}

async fn names(store: &Store) -> Vec<String> {
    let read = inside(store).read(|db| {
        let mut query = db.prepare("SELECT name FROM people ORDER BY name")?;
        let names = query.query_map([], |row| row.get(0))?;
        Ok(names.collect::<rusqlite::Result<Vec<String>>>()?)
    });
    read.await.unwrap()
}

fn insert(db: &Connection, id: u32, name: &str) -> Result<(), StoreError> {
    db.execute("INSERT INTO people (id, name, made) VALUES (?1, ?2, 0)", (id, name))?;
    Ok(())
}

/// Keeps the writer busy, until it is told otherwise.
async fn keep_busy(store: &Store) -> (JoinHandle<Result<(), StoreError>>, mpsc::Sender<()>) {
    let (busy, (free, wait)) = (Arc::new(AtomicU32::new(0)), mpsc::channel::<()>());
    let begun = Arc::clone(&busy);
    let first = tokio::spawn({
        let store = store.clone();
        async move {
            inside(&store)
                .write(move |_| {
                    begun.store(1, Ordering::SeqCst);
                    let _ = wait.recv();
                    Ok(())
                })
                .await
        }
    });
    while busy.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    (first, free)
}

#[tokio::test]
async fn while_the_disk_stands_still_ten_thousand_changes_can_wait() {
    let folder = Folder::new();
    let store = Store::open(&folder.0).unwrap();
    let (first, free) = keep_busy(&store).await;
    let changes = (0..10_000_u32).map(|n| inside(&store).write(move |db| insert(db, n, &format!("{n}"))));
    // All are handed over before the writer goes on.
    let all = join_all(changes);
    let go_on = async move { free.send(()) };
    let (kept, told) = tokio::join!(all, go_on);
    told.unwrap();
    first.await.unwrap().unwrap();
    assert!(kept.iter().all(Result::is_ok), "{:?}", kept.iter().find(|kept| kept.is_err()));
    assert_eq!(names(&store).await.len(), 10_000);
}

#[tokio::test]
async fn a_change_that_fails_leaves_nothing_and_its_neighbours_stay() {
    let folder = Folder::new();
    let store = Store::open(&folder.0).unwrap();
    // Until all the others wait: they share one commit.
    let (first, free) = keep_busy(&store).await;
    let runs = Arc::new(AtomicU32::new(0));
    let changes = (0..8_u32).map(|n| {
        let runs = Arc::clone(&runs);
        inside(&store).write(move |db| {
            runs.fetch_add(1, Ordering::SeqCst);
            insert(db, n + 1, &format!("person {n}"))?;
            match n {
                3 => Err(StoreError::Damaged("a change of heart".into())),
                // That number is taken.
                5 => insert(db, 1, "somebody else"),
                _ => Ok(()),
            }
        })
    });
    let (told, ()) = tokio::join!(join_all(changes), async { drop(free) });
    first.await.unwrap().unwrap();
    assert!(matches!(told[3], Err(StoreError::Damaged(_))), "{:?}", told[3]);
    assert!(matches!(told[5], Err(StoreError::Sqlite(_))), "{:?}", told[5]);
    for n in [0, 1, 2, 4, 6, 7] {
        assert!(told[n].is_ok(), "{n}: {:?}", told[n]);
    }
    let kept = [0, 1, 2, 4, 6, 7].map(|n| format!("person {n}"));
    assert_eq!(names(&store).await, kept);
    // Together up to the first that failed, then one by one.
    assert_eq!(runs.load(Ordering::SeqCst), 4 + 8);
    store.new_guest("Zoe".into()).await.unwrap();
    drop(store);
    assert_eq!(names(&Store::open(&folder.0).unwrap()).await.len(), kept.len() + 1);
}

/// No more pages than the file has now.
async fn fill_disk(store: &Store) {
    let full = inside(store).write(|db| {
        let pages: i64 = db.query_row("PRAGMA page_count", [], |row| row.get(0))?;
        Ok(db.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?)
    });
    full.await.unwrap();
}

async fn free_disk(store: &Store) {
    let free = inside(store).write(|db| Ok(db.query_row("PRAGMA max_page_count = 1000000", [], |_| Ok(()))?));
    free.await.unwrap();
}

#[tokio::test]
async fn a_full_disk_refuses_what_does_not_fit_and_loses_nothing() {
    let folder = Folder::new();
    let store = Store::open(&folder.0).unwrap();
    store.new_guest("Ann".into()).await.unwrap();
    fill_disk(&store).await;
    let long = "n".repeat(100_000);
    let told = join_all([&long, &long, "Ben"].map(|name| store.new_guest(name.into()))).await;
    assert!(told[0].is_err() && told[1].is_err() && told[2].is_ok(), "{told:?}");
    assert_eq!(names(&store).await, ["Ann", "Ben"]);
    free_disk(&store).await;
    store.new_guest(long).await.unwrap();
    assert_eq!(names(&store).await.len(), 3);
}

/// After this many more commits, nothing can be written to the tables' logs.
async fn break_log(store: &Store, after: u32) {
    let broken = inside(store).write(move |db| {
        let next: u32 = db.query_row("SELECT coalesce(max(at), 0) + 1 FROM journal", [], |row| row.get(0))?;
        let text = format!(
            "CREATE TEMP TRIGGER broken AFTER INSERT ON journal WHEN NEW.at >= {} \
             BEGIN SELECT RAISE(ROLLBACK, 'the disk is broken'); END",
            next + after
        );
        Ok(db.execute_batch(&text)?)
    });
    broken.await.unwrap();
}

async fn mend_log(store: &Store) {
    inside(store).write(|db| Ok(db.execute_batch("DROP TRIGGER IF EXISTS broken")?)).await.unwrap();
}

#[tokio::test]
async fn what_cannot_be_stored_never_happened() {
    let folder = Folder::new();
    let hall = hall(&folder).await;
    let ann = hall.store().new_guest("Ann".into()).await.unwrap();
    let (mut anns, mut bots) = (0, 0);
    // Deals are random, and some games are short.
    for game in 0..20 {
        let lost = play_while_the_log_breaks(&hall, &ann, game).await;
        (anns, bots) = (anns + lost.0, bots + lost.1);
        if anns > 0 && bots > 0 {
            return;
        }
    }
    panic!("{anns} answers of Ann were not stored, {bots} of the bot");
}

/// A whole game; returns how many of Ann's and the bot's answers could not be stored at first.
async fn play_while_the_log_breaks(hall: &Hall, ann: &Person, game: u64) -> (u32, u32) {
    let id = hall.create(ann, new_table(settings(2), &[BotLevel::Kobold])).await.unwrap();
    let mut guest = Guest::join(hall, &id, ann).await;
    guest.send(ClientMsg::Start).await;
    guest.until("a question", Guest::is_asked).await;
    let not_stored = |guest: &Guest| guest.last_refusal() == Some(Refusal::NotStored);
    let (mut anns, mut bots) = (0, 0);
    for n in game * 1000.. {
        if guest.is_over() {
            break;
        }
        // Ann's answer, or something that follows it.
        match n % 5 {
            0 => break_log(hall.store(), 0).await,
            3 => break_log(hall.store(), 1).await,
            _ => {}
        }
        guest.told.clear();
        let before = guest.update.clone().unwrap();
        let act = ClientMsg::Act { seq: before.seq, index: mix(n) as u32 % guest.choices() as u32 };
        guest.send(act.clone()).await;
        let next = |guest: &Guest| guest.is_over() || guest.is_asked() && guest.seq() > before.seq;
        guest.until("an answer", |guest| next(guest) || not_stored(guest)).await;
        mend_log(hall.store()).await;
        if guest.seq() == before.seq {
            anns += 1;
            assert_eq!(guest.update, Some(before.clone()), "nothing has changed");
            guest.send(act).await;
        } else if !next(&guest) {
            // Nobody but the bot can go on.
            bots += 1;
        }
        guest.until("the game to go on", next).await;
    }
    let record = hall.record(&id).await.unwrap().expect("a record");
    record.verify(&record.db(hall.sets()).unwrap()).unwrap();
    (anns, bots)
}

/// A file as the first version left it.
fn version_1(folder: &Folder) -> Connection {
    std::fs::create_dir_all(&folder.0).unwrap();
    let db = Connection::open(folder.0.join("lair.db")).unwrap();
    db.pragma_update(None, "journal_mode", "WAL").unwrap();
    db.execute_batch(include_str!("../src/store/sqlite/1.sql")).unwrap();
    db.execute_batch(include_str!("version-1.sql")).unwrap();
    db.pragma_update(None, "user_version", 1).unwrap();
    db
}

#[tokio::test]
async fn a_file_of_version_1_is_migrated() {
    let folder = Folder::new();
    drop(version_1(&folder));
    let store = Store::open(&folder.0).unwrap();
    assert_eq!(store.cookie_secret().await.unwrap(), [7; 64]);
    let (ann, ben) = (PersonId(4_611_686_018_427_387_904), PersonId(12));
    let person = |id, name: &str, account| Some(Person { id, name: name.into(), account });
    // Cookies named people; now these are the ids of their first sessions.
    let session = store.session(SessionId(ben.0)).await.unwrap();
    assert_eq!(session.map(|session| session.person), person(ben, "Ben", false));
    let (account, passphrase) = store.account("ann".into()).await.unwrap().expect("an account");
    assert_eq!((Some(account), passphrase.as_str()), (person(ann, "Ann", true), "$argon2id$ann"));

    let (over, playing) = ("aaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbb");
    let (row, log) = store.table(playing).await.unwrap().expect("the table");
    assert_eq!((row.made, row.secret, row.state), (2_000, [2; 32], Some(TableState::Playing)));
    assert_eq!((row.settings.players, row.settings.deck.as_str()), (2, "tnl"));
    assert_eq!((row.seats.as_str(), &row.result), (r#"["Ann","Ben"]"#, &None));
    let sits = |seat, id, name: &str, host| {
        LogEntry::Sits(seat, Some(SeatHolder::Person { id, name: name.into(), host }))
    };
    assert_eq!(log[..2], [sits(0, ann, "Ann", true), sits(1, ben, "Ben", false)]);
    assert_eq!(log[2], LogEntry::Begins("--players 2 --deck tnl --seed 5".into()));
    // The log is ordered by number, not alphabetically.
    assert_eq!(log.len(), 12);
    assert_eq!(log[11], LogEntry::Resigns(1));
    assert_eq!(store.table(over).await.unwrap().expect("the table").1.len(), 1);

    assert_eq!(store.unfinished(2_000).await.unwrap(), [playing]);
    assert_eq!(store.unfinished(2_001).await.unwrap(), [""; 0]);
    assert_eq!(store.unfinished_of(ben, 9).await.unwrap(), [playing]);
    let history = store.history(ann, 9).await.unwrap();
    let seats: Vec<_> = history.iter().map(|(row, seat)| (row.id.as_str(), *seat)).collect();
    assert_eq!(seats, [(playing, 0), (over, 1)]);
    assert_eq!(history[1].0.result.as_deref(), Some(r#"{"winner":1,"reason":"souls","turns":9}"#));

    // And the game continues.
    let more = [LogEntry::Away(0, true)];
    store.change(row.hold, 12, Change { entries: &more, ..Change::default() }).await.unwrap();
    assert_eq!(store.table(playing).await.unwrap().unwrap().1[12..], more);
    drop(store);
    let again = Store::open(&folder.0).unwrap();
    assert_eq!(again.table(playing).await.unwrap().unwrap().1.len(), 13);
}

#[tokio::test]
async fn accounts_whose_names_look_alike_are_told_apart_and_lose_nothing() {
    let folder = Folder::new();
    let db = version_1(&folder);
    // The second is younger and has a Cyrillic letter, the third a capital I, the fourth is what the second would become.
    let accounts = [
        (21, "Hope", "hope", 800),
        (22, "Ноpe", "ноpe", 950),
        (23, "AIice 🐉", "aiice 🐉", 960),
        (24, "Alice 🐉", "alice 🐉", 970),
        (25, "Hope 2", "hope 2", 980),
    ];
    for (id, name, key, made) in accounts {
        let hash = format!("$argon2id${id}");
        db.execute("INSERT INTO people VALUES (?1, ?2, ?3, ?4, ?5)", (id, name, key, hash, made)).unwrap();
    }
    drop(db);
    let store = Store::open(&folder.0).unwrap();
    for (typed, id, name) in [
        ("Hope", 21, "Hope"),
        ("hope", 21, "Hope"),
        // By the name they know, and by the new one.
        ("Ноpe", 22, "Ноpe 2"),
        ("Ноpe 2", 22, "Ноpe 2"),
        ("AIice 🐉", 23, "AIice 🐉"),
        ("Alice 🐉", 24, "Alice 🐉 2"),
        ("Hope 2", 25, "Hope 2 2"),
    ] {
        let (account, hash) = store.account(typed.into()).await.unwrap().unwrap_or_else(|| panic!("{typed}"));
        assert_eq!(
            (account.id.0, account.name.as_str(), hash),
            (id, name, format!("$argon2id${id}")),
            "{typed}"
        );
    }
    for taken in ["НОРЕ", "hope", "h0pe", "Ann"] {
        let made = store.new_account(None, taken.into(), "$argon2id$".into()).await.unwrap();
        assert_eq!(made, None, "{taken}");
    }
    assert!(store.new_account(None, "Hoper".into(), "$argon2id$".into()).await.unwrap().is_some());
}

#[cfg(unix)]
#[test]
fn data_files_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let modes = || -> Vec<(String, u32)> {
        let files = std::fs::read_dir(&folder.0).unwrap().map(Result::unwrap);
        let mode = |file: &std::fs::DirEntry| file.metadata().unwrap().permissions().mode() & 0o777;
        let mut modes: Vec<_> =
            files.map(|file| (file.file_name().into_string().unwrap(), mode(&file))).collect();
        modes.sort();
        modes
    };
    let private =
        ["lair.db", "lair.db-shm", "lair.db-wal", "lair.lock"].map(|name| (name.to_string(), 0o600));
    let store = Store::open(&folder.0).unwrap();
    assert_eq!(modes(), private);
    // Those of an earlier version, which everyone can read.
    for (name, _) in &private {
        std::fs::set_permissions(folder.0.join(name), std::fs::Permissions::from_mode(0o644)).unwrap();
    }
    drop(store);
    let again = loop {
        match Store::open(&folder.0) {
            Ok(store) => break store,
            Err(StoreError::InUse(_)) => std::thread::yield_now(),
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(modes(), private);
    drop(again);
}

#[tokio::test]
async fn a_full_disk_is_reported_until_there_is_space() {
    let folder = Folder::new();
    let store = Store::open(&folder.0).unwrap();
    store.new_guest("Ann".into()).await.unwrap();
    store.check_health().await.unwrap();
    // A change that is refused for its own sake says nothing about the disk.
    inside(&store)
        .write(|_| Err::<(), _>(StoreError::Damaged("a change of heart".into())))
        .await
        .unwrap_err();
    store.check_health().await.unwrap();
    fill_disk(&store).await;
    store.new_guest("n".repeat(100_000)).await.unwrap_err();
    for _ in 0..2 {
        let reason = store.check_health().await.unwrap_err().to_string();
        assert!(reason.contains("full"), "{reason}");
    }
    free_disk(&store).await;
    store.check_health().await.unwrap();
    store.check_health().await.unwrap();
}

#[cfg(unix)]
#[test]
fn a_new_folder_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let mode = || std::fs::metadata(&folder.0).unwrap().permissions().mode() & 0o777;
    drop(Store::open(&folder.0).unwrap());
    assert_eq!(mode(), 0o700);
    // Permissions that someone has changed are left alone.
    std::fs::set_permissions(&folder.0, std::fs::Permissions::from_mode(0o750)).unwrap();
    drop(Store::open(&folder.0).unwrap());
    assert_eq!(mode(), 0o750);
}

#[test]
fn a_failed_migration_changes_nothing() {
    let folder = Folder::new();
    // Makes the last step of the migration fail.
    version_1(&folder).execute_batch("CREATE TABLE tables_under_way (x)").unwrap();
    let tables = || {
        let db = Connection::open(folder.0.join("lair.db")).unwrap();
        let mut query = db.prepare("SELECT sql FROM sqlite_schema ORDER BY name").unwrap();
        let texts = query.query_map([], |row| row.get::<_, Option<String>>(0)).unwrap();
        let version: u32 = db.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        let entries: u32 = db.query_row("SELECT count(*) FROM log", [], |row| row.get(0)).unwrap();
        (version, entries, texts.map(Result::unwrap).collect::<Vec<_>>())
    };
    let before = tables();
    assert!(matches!(Store::open(&folder.0), Err(StoreError::Sqlite(_))));
    assert_eq!(tables(), before);
}

#[test]
fn a_file_from_a_newer_version_is_refused_and_left_alone() {
    for journal in ["WAL", "DELETE"] {
        let folder = Folder::new();
        let db = version_1(&folder);
        db.pragma_update(None, "user_version", 1_000).unwrap();
        db.pragma_update(None, "journal_mode", journal).unwrap();
        drop(db);
        let bytes = || std::fs::read(folder.0.join("lair.db")).unwrap();
        let before = bytes();
        let refused = Store::open(&folder.0).err();
        assert!(matches!(refused, Some(StoreError::Newer { there: 1_000, .. })), "{refused:?}");
        assert!(bytes() == before, "{journal}");
    }
}
