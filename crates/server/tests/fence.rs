//! PostgreSQL alone: servers that share a database, a database that goes away, and one that cannot be used.

mod common;
mod postgres;

use std::time::{Duration, Instant};

use common::settings;
use futures_util::future::join_all;
use postgres::Postgres;
use server::store::postgres::{Address, Problem};
use server::store::{Change, Fit, LogEntry, News, Store, StoreError, TableRow, TableSummary};
use server::wire::TableState;

fn entry(n: u64) -> [LogEntry; 1] {
    [LogEntry::Reserve((n % 8) as u8, n)]
}

fn entries(entries: &[LogEntry]) -> Change<'_> {
    Change { entries, ..Change::default() }
}

fn id(n: u64) -> String {
    format!("{n:a>26}")
}

async fn table(store: &Store, n: u64) -> TableRow {
    store.new_table(id(n), settings(2), [7; 32], Change::default()).await.unwrap()
}

async fn node(url: &str, name: &str) -> Store {
    Store::connect(&url.parse().unwrap(), name).await.unwrap()
}

async fn refused(url: &str) -> Problem {
    let address: Address = url.parse().unwrap();
    match Store::connect(&address, "test").await.err() {
        Some(StoreError::Postgres(problem)) => problem,
        other => panic!("{url}: {other:?}"),
    }
}

#[tokio::test]
async fn what_cannot_be_used_says_what_to_do_and_no_secrets() {
    let Some(postgres) = postgres::shared() else { return };
    let database = postgres.database();
    let told = |problem: Problem| {
        let words = problem.to_string();
        assert!(!words.contains("sesame"), "{words}");
        words
    };
    // A wrong password, and none.
    for url in [postgres.url_of("guarded:sesame", &database), postgres.url_of("guarded", &database)] {
        let words = told(refused(&url).await);
        assert!(words.contains("password"), "{words}");
    }
    let words = told(refused(&postgres.url_of("nobody", &database)).await);
    assert!(words.contains("nobody") && words.contains("does not exist"), "{words}");
    let words = told(refused(&postgres.url_of("lair", "nowhere")).await);
    assert!(words.contains("CREATE DATABASE nowhere OWNER lair"), "{words}");
    // Not the owner: nothing can be created, and nothing is.
    let words = told(refused(&postgres.url_of("guarded:open%20sesame", &database)).await);
    assert!(words.contains("ALTER DATABASE") && words.contains("guarded"), "{words}");
    assert_eq!(postgres.sql(&database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0");
    // Tables that somebody else made.
    drop(node(&postgres.url_of("lair", &database), "first").await);
    let words = told(refused(&postgres.url_of("guarded:open%20sesame", &database)).await);
    assert!(words.contains("too few rights"), "{words}");
    // Nobody is there.
    let words = told(refused("postgres://lair:sesame@/lair?host=/tmp&port=1").await);
    assert!(words.contains("cannot be reached"), "{words}");
    let words = told(refused("postgres://lair:sesame@127.0.0.1:1/lair").await);
    assert!(words.contains("cannot be reached") && words.contains("refused"), "{words}");
    // Made by a newer program that this one cannot follow.
    postgres.sql(&database, "UPDATE meta SET value = '99' WHERE key IN ('schema', 'oldest_reader')");
    let newer = refused(&postgres.url_of("lair", &database)).await;
    assert!(matches!(newer, Problem::Newer { there: 99, .. }), "{newer}");
    // And by one that it can.
    postgres.sql(&database, "UPDATE meta SET value = '1' WHERE key = 'oldest_reader'");
    drop(node(&postgres.url_of("lair", &database), "first").await);
    postgres.sql("postgres", "CREATE DATABASE latin OWNER lair ENCODING 'LATIN1' TEMPLATE template0");
    let words = told(refused(&postgres.url_of("lair", "latin")).await);
    assert!(words.contains("UTF8"), "{words}");
}

#[tokio::test]
async fn a_server_that_does_not_sync_is_refused() {
    let Some(postgres) = Postgres::start(&["fsync=off"]) else { return };
    let words = refused(&postgres.url()).await.to_string();
    assert!(words.contains("fsync"), "{words}");
}

#[tokio::test]
async fn connections_are_encrypted_and_certificates_checked() {
    let Some(postgres) = Postgres::start_encrypted() else { return };
    let (port, database) = (postgres.port.unwrap(), postgres.database());
    let roots = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/postgres/ca.pem");
    let url = |host: &str, options: &str| format!("postgres://lair@{host}:{port}/{database}?{options}");
    let trusted = url("localhost", &format!("sslmode=verify-full&sslrootcert={roots}"));
    let store = node(&trusted, "a").await;
    store.new_guest("Ann".into()).await.unwrap();
    let encrypted =
        "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl AND usename = 'lair'";
    assert_ne!(postgres.sql(&database, encrypted), "0");
    // Another name than the certificate's, another authority, and no encryption at all.
    let words =
        refused(&url("127.0.0.1", &format!("sslmode=verify-full&sslrootcert={roots}"))).await.to_string();
    assert!(words.contains("certificate"), "{words}");
    let words = refused(&url("localhost", "sslmode=require")).await.to_string();
    assert!(words.contains("certificate"), "{words}");
    let words = refused(&url("localhost", "sslmode=disable")).await.to_string();
    assert!(words.contains("no encryption"), "{words}");
}

#[tokio::test]
async fn servers_that_start_together_make_the_tables_once() {
    let Some(postgres) = postgres::shared() else { return };
    let url = postgres.url();
    let stores = join_all(["a", "b", "c", "d", "a", "b"].map(|name| node(&url, name))).await;
    let secrets = join_all(stores.iter().map(Store::cookie_secret)).await;
    let first = *secrets[0].as_ref().unwrap();
    assert!(secrets.iter().all(|secret| *secret.as_ref().unwrap() == first));
}

#[tokio::test]
async fn a_table_has_one_owner_and_a_deposed_one_can_never_append() {
    let Some(postgres) = postgres::shared() else { return };
    let database = postgres.database();
    let url = postgres.url_of("lair", &database);
    let (a, b) = (node(&url, "a").await, node(&url, "b").await);
    let row = table(&a, 2).await;
    a.change(row.hold, 0, entries(&entry(0))).await.unwrap();
    // It is taken, and looking takes nothing.
    assert!(matches!(b.take(&id(2)).await, Err(StoreError::Elsewhere { name, .. }) if name == "a"));
    let (looked_up, log) = b.table(&id(2)).await.unwrap().unwrap();
    assert_eq!(log, entry(0));
    assert!(matches!(b.change(looked_up.hold, 1, entries(&entry(9))).await, Err(StoreError::Lost)));
    a.change(row.hold, 1, entries(&entry(1))).await.unwrap();
    // Given away, it goes on elsewhere, and the earlier hold is worth nothing.
    a.give(row.hold);
    let held = |(row, log): (TableRow, Vec<LogEntry>)| (row.hold, log.len() as u32);
    let (at_b, length) = loop {
        match b.take(&id(2)).await {
            Ok(found) => break held(found.unwrap()),
            Err(StoreError::Elsewhere { .. }) => tokio::time::sleep(Duration::from_millis(5)).await,
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(length, 2);
    assert!(matches!(a.change(row.hold, 2, entries(&entry(9))).await, Err(StoreError::Lost)));
    b.change(at_b, 2, entries(&entry(2))).await.unwrap();
    // A second take by the same server ends what the first one could do.
    let (again, length) = held(b.take(&id(2)).await.unwrap().unwrap());
    assert_eq!(length, 3);
    assert!(matches!(b.change(at_b, 3, entries(&entry(9))).await, Err(StoreError::Lost)));
    b.change(again, 3, entries(&entry(3))).await.unwrap();
    // Declared dead while it believes to hold the table: not even a change that was under way is stored.
    postgres.sql(&database, "UPDATE nodes SET dead = true WHERE name = 'b'");
    assert!(b.change(again, 4, entries(&entry(9))).await.is_err());
    let reason = tokio::time::timeout(Duration::from_secs(5), b.deposed()).await.expect("it learns of it");
    assert!(reason.contains("dead"), "{reason}");
    assert!(b.take(&id(2)).await.is_err() && b.change(again, 4, entries(&entry(9))).await.is_err());
    let (at_a, length) = held(a.take(&id(2)).await.unwrap().unwrap());
    assert_eq!(length, 4);
    a.change(at_a, 4, entries(&entry(4))).await.unwrap();
    let log = a.table(&id(2)).await.unwrap().unwrap().1;
    assert_eq!(log, [0, 1, 2, 3, 4].map(|n| entry(n)[0].clone()));
    // The log is its own witness.
    let epochs = postgres.sql(&database, "SELECT string_agg(n || ':' || epoch, ' ' ORDER BY n) FROM log");
    assert_eq!(epochs, "0:1 1:1 2:2 3:3 4:4");
}

#[tokio::test]
async fn a_new_start_under_the_same_name_ends_the_old_one_and_has_its_tables() {
    let Some(postgres) = postgres::shared() else { return };
    let url = postgres.url();
    let first = node(&url, "a").await;
    let row = table(&first, 2).await;
    first.change(row.hold, 0, entries(&entry(0))).await.unwrap();
    let began = Instant::now();
    let second = node(&url, "a").await;
    let (held, log) = second.take(&id(2)).await.unwrap().unwrap();
    assert!(began.elapsed() < Duration::from_secs(5));
    second.change(held.hold, log.len() as u32, entries(&entry(1))).await.unwrap();
    assert!(first.change(row.hold, 1, entries(&entry(9))).await.is_err());
    tokio::time::timeout(Duration::from_secs(5), first.deposed()).await.expect("it ends");
    // One that closes gives everything at once.
    second.close().await;
    let third = node(&url, "b").await;
    assert_eq!(third.take(&id(2)).await.unwrap().unwrap().1.len(), 2);
}

/// Tables that go on all the time, while something happens to the database: what each entry's owner was told must be
/// exactly what is there.
async fn goes_on_while(postgres: &Postgres, url: &str, mischief: impl AsyncFnOnce()) {
    const TABLES: u64 = 12;
    let store = node(url, "a").await;
    let (stop, stopping) = tokio::sync::watch::channel(false);
    let mut playing = Vec::new();
    for n in 0..TABLES {
        let (row, store, stopping) = (table(&store, n + 10).await, store.clone(), stopping.clone());
        playing.push(tokio::spawn(async move {
            let mut kept = 0;
            while !*stopping.borrow() {
                // Nothing is refused: an outcome that is not known is waited for.
                store.change(row.hold, kept, entries(&entry(u64::from(kept)))).await.unwrap();
                kept += 1;
            }
            kept
        }));
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    mischief().await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    stop.send_replace(true);
    for (n, playing) in (0..).zip(playing) {
        let kept = tokio::time::timeout(Duration::from_secs(30), playing).await.expect("it goes on").unwrap();
        let log = store.table(&id(n + 10)).await.unwrap().unwrap().1;
        let told: Vec<LogEntry> = (0..kept).map(|n| entry(u64::from(n))[0].clone()).collect();
        assert!(kept > 10 && log == told, "table {n}: {kept} kept, {} there", log.len());
    }
    store.check_health().await.unwrap();
    store.close().await;
    let gaps = "SELECT count(*) FROM (SELECT n, row_number() OVER (PARTITION BY table_no ORDER BY n) - 1 AS at FROM log) \
        AS rows WHERE n <> at";
    let database: Address = url.parse().unwrap();
    assert_eq!(postgres.sql(database.database(), gaps), "0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_under_way_survive_crashes_of_the_database() {
    let Some(postgres) = Postgres::start(&[]) else { return };
    let url = postgres.url();
    goes_on_while(&postgres, &url, async || {
        for _ in 0..3 {
            postgres.stop("immediate");
            postgres.go();
            tokio::time::sleep(Duration::from_millis(400)).await;
        }
    })
    .await;
    // Sessions that are ended one by one.
    let url = postgres.url();
    goes_on_while(&postgres, &url, async || {
        for _ in 0..20 {
            let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'lair/%'";
            postgres.sql("postgres", end);
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_away_or_stands_still_is_waited_for_and_health_says_so() {
    let Some(postgres) = Postgres::start(&[]) else { return };
    let url = postgres.url();
    let store = node(&url, "a").await;
    let row = table(&store, 2).await;
    store.check_health().await.unwrap();
    postgres.stop("fast");
    let waiting = tokio::spawn({
        let store = store.clone();
        async move { store.change(row.hold, 0, entries(&entry(0))).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let began = Instant::now();
    let words = store.check_health().await.unwrap_err().to_string();
    assert!(words.contains("away") && began.elapsed() < Duration::from_secs(7), "{words}");
    assert!(matches!(store.table(&id(2)).await, Err(StoreError::Away(..))));
    assert!(matches!(store.new_guest("Ann".into()).await, Err(StoreError::Away(..))));
    assert!(!waiting.is_finished(), "its outcome is not known yet");
    postgres.go();
    tokio::time::timeout(Duration::from_secs(10), waiting).await.unwrap().unwrap().unwrap();
    store.check_health().await.unwrap();
    assert_eq!(store.table(&id(2)).await.unwrap().unwrap().1, entry(0));
    drop(store);
    let url = postgres.url();
    goes_on_while(&postgres, &url, async || {
        postgres.signal("STOP");
        tokio::time::sleep(Duration::from_secs(2)).await;
        postgres.signal("CONT");
    })
    .await;
}

#[tokio::test]
async fn a_full_disk_refuses_and_is_reported_until_there_is_space() {
    let Some(postgres) = postgres::shared() else { return };
    let database = postgres.database();
    let store = node(&postgres.url_of("lair", &database), "a").await;
    let (row, other) = (table(&store, 2).await, table(&store, 3).await);
    // As if the disk were full for this one table, and for what tests whether it still is.
    postgres.sql(
        &database,
        "CREATE FUNCTION full_disk() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'No space left on device' \
             USING ERRCODE = 'disk_full'; END $$ LANGUAGE plpgsql; \
         CREATE TRIGGER full_disk BEFORE INSERT ON log FOR EACH ROW WHEN (NEW.entries LIKE '%\"reserve\":[1,%') \
             EXECUTE FUNCTION full_disk(); \
         CREATE TRIGGER full_disk BEFORE INSERT ON meta FOR EACH ROW EXECUTE FUNCTION full_disk();",
    );
    let (first, second) = (entry(1), entry(2));
    let (told, kept) = tokio::join!(
        store.change(row.hold, 0, entries(&first)),
        store.change(other.hold, 0, entries(&second))
    );
    assert!(matches!(told, Err(StoreError::NotWritten(_))), "{told:?}");
    kept.unwrap();
    let told = store.change(row.hold, 0, entries(&first)).await;
    assert!(matches!(told, Err(StoreError::NotWritten(_))), "{told:?}");
    for _ in 0..2 {
        let reason = store.check_health().await.unwrap_err().to_string();
        assert!(reason.contains("No space left"), "{reason}");
    }
    postgres.sql(&database, "DROP FUNCTION full_disk CASCADE");
    store.check_health().await.unwrap();
    store.change(row.hold, 0, entries(&first)).await.unwrap();
    assert_eq!(store.table(&id(2)).await.unwrap().unwrap().1, first);
    assert_eq!(store.table(&id(3)).await.unwrap().unwrap().1, second);
}

/// A node that declares others dead sooner than usual.
async fn quick_node(url: &str, name: &str) -> Store {
    let fit = Fit::without_cards(false);
    Store::connect_with(&url.parse().unwrap(), name, &fit, Some(Duration::from_secs(2))).await.unwrap()
}

fn orphan(news: Option<News>) -> String {
    match news {
        Some(News::Orphan(id)) => id,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_in_play_of_a_dead_server_are_shared_out_among_the_living() {
    const TABLES: u64 = 40;
    let Some(postgres) = Postgres::start(&[]) else { return };
    let database = postgres.database();
    let url = postgres.url_of("lair", &database);
    let (a, b, c) = (quick_node(&url, "a").await, quick_node(&url, "b").await, quick_node(&url, "c").await);
    let (mut to_b, mut to_c) = (b.news().unwrap(), c.news().unwrap());
    for n in 0..TABLES {
        let row = table(&a, n + 10).await;
        let state = if n % 4 == 0 { TableState::Open } else { TableState::Playing };
        let summary = Some(TableSummary { state: Some(state), seats: "[]".into(), result: None });
        a.change(row.hold, 0, Change { summary, ..entries(&entry(n)) }).await.unwrap();
    }
    // Nobody is suspected who lives, not even while the database stands still.
    let mut watching = a.news().unwrap();
    postgres.signal("STOP");
    tokio::time::sleep(Duration::from_millis(3500)).await;
    postgres.signal("CONT");
    tokio::time::sleep(Duration::from_millis(3500)).await;
    for orphans in [&mut watching, &mut to_b, &mut to_c] {
        assert!(orphans.try_recv().is_err(), "somebody was declared dead");
    }
    assert_eq!(
        postgres.sql(&database, "SELECT string_agg(name, '' ORDER BY name) FROM nodes WHERE NOT dead"),
        "abc"
    );
    // Like a process that is killed: its sessions end, and nothing is said.
    drop((a, watching));
    let began = Instant::now();
    let mut found = (Vec::new(), Vec::new());
    while found.0.len() + found.1.len() < (TABLES - TABLES / 4) as usize {
        let nodes = || {
            postgres
                .sql(&database, "SELECT * FROM nodes; SELECT application_name, state FROM pg_stat_activity")
        };
        let late = began.elapsed() > Duration::from_secs(40);
        assert!(!late, "{} and {}: {}", found.0.len(), found.1.len(), nodes());
        tokio::select! {
            news = to_b.recv() => found.0.push(orphan(news)),
            news = to_c.recv() => found.1.push(orphan(news)),
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
        }
    }
    assert!(found.0.len() > 5 && found.1.len() > 5, "{} and {}", found.0.len(), found.1.len());
    for (store, ids) in [(&b, &found.0), (&c, &found.1)] {
        for id in ids {
            let (row, log) = store.take(id).await.unwrap().unwrap();
            store.change(row.hold, log.len() as u32, entries(&entry(99))).await.unwrap();
        }
    }
    assert!(
        to_b.try_recv().is_err() && to_c.try_recv().is_err(),
        "each of them once, and only those in play"
    );
}

#[tokio::test]
async fn a_table_that_is_wanted_elsewhere_is_told_to_its_owner_once() {
    let Some(postgres) = postgres::shared() else { return };
    let url = postgres.url();
    let (a, b) = (quick_node(&url, "a").await, quick_node(&url, "b").await);
    let (mut to_a, mut to_b) = (a.news().unwrap(), b.news().unwrap());
    table(&a, 2).await;
    for _ in 0..3 {
        b.want(&id(2)).await.unwrap();
    }
    b.want(&id(3)).await.unwrap();
    let news = tokio::time::timeout(Duration::from_secs(20), to_a.recv()).await.expect("it is told");
    assert_eq!(news, Some(News::Wanted(id(2))));
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert!(to_a.try_recv().is_err() && to_b.try_recv().is_err());
}

#[tokio::test]
async fn whoever_wants_a_table_at_the_same_time_one_gets_it() {
    let Some(postgres) = postgres::shared() else { return };
    let url = postgres.url();
    let makes = node(&url, "first").await;
    for n in 0..20 {
        table(&makes, n + 10).await;
    }
    makes.close().await;
    let stores = join_all(["a", "b", "c", "d"].map(|name| node(&url, name))).await;
    for n in 0..20 {
        let wanted = id(n + 10);
        let told = join_all(stores.iter().map(|store| store.take(&wanted))).await;
        let winners: Vec<_> =
            stores.iter().zip(told).filter_map(|(store, told)| Some((store, told.ok()??.0))).collect();
        let [(store, row)] = &winners[..] else { panic!("{} have table {n}", winners.len()) };
        store.change(row.hold, 0, entries(&entry(n))).await.unwrap();
    }
}
