//! Servers that do not fit together never share a database: the one that comes is refused, says why and what to do, and
//! nothing that lives is harmed.

mod common;
mod postgres;

use std::time::{Duration, Instant};

use common::settings;
use server::store::postgres::Problem;
use server::store::{Change, Fit, LogEntry, Misfit, Store, StoreError};

const LEASE: Duration = Duration::from_secs(2);

async fn node(url: &str, name: &str, fit: &Fit) -> Result<Store, StoreError> {
    let store = Store::connect_with(&url.parse().unwrap(), name, fit, Some(LEASE)).await?;
    // Whoever watches sees what others read.
    let mut news = store.news().unwrap();
    tokio::spawn(async move { while news.recv().await.is_some() {} });
    Ok(store)
}

/// Why it is refused, and in which words.
async fn refused(url: &str, name: &str, fit: &Fit) -> (Problem, String) {
    match node(url, name, fit).await.err() {
        Some(StoreError::Postgres(problem)) => {
            let words = problem.to_string();
            (problem, words)
        }
        other => panic!("{other:?}"),
    }
}

fn said() -> LogEntry {
    LogEntry::Said { seat: None, name: "Ann".into(), text: "Well met.".into() }
}

#[tokio::test]
async fn a_server_that_does_not_fit_a_living_one_is_refused() {
    let Some(postgres) = postgres::shared() else { return };
    let url = postgres.url();
    let here = Fit::of(&cards::library::sets(), true);
    let a = node(&url, "a", &here).await.unwrap();
    let (n, less) = (here.rules, cards::library::sets()[1..].to_vec());
    let unlike = [
        (Fit { rules: n + 1, ..here.clone() }, Misfit::Rules { there: n, here: n + 1 }, "Stop all servers"),
        (Fit { speaks: Some(99), ..here.clone() }, Misfit::Speech { there: 1, here: 99 }, "Stop all servers"),
        (Fit { speaks: None, ..here.clone() }, Misfit::NoBus, "--nats"),
        (Fit::of(&less, true), Misfit::Cards, "--cards"),
    ];
    for (fit, expected, to_do) in unlike {
        let (problem, words) = refused(&url, "b", &fit).await;
        assert!(matches!(&problem, Problem::Misfit { misfit, .. } if *misfit == expected), "{problem:?}");
        assert!(words.contains("`a`") && words.contains(to_do), "{words}");
    }
    let row = a.new_table("a".repeat(26), settings(2), [7; 32], Change::default()).await.unwrap();
    a.change(row.hold, 0, Change { entries: &[LogEntry::Stopped], ..Change::default() }).await.unwrap();
    let b = node(&url, "b", &here).await.unwrap();
    // What is refused does no harm to the older one of its name, but it may take its place.
    refused(&url, "b", &Fit { rules: n + 1, ..here.clone() }).await;
    assert!(b.new_guest("Ann".into()).await.is_ok() && b.take("none").await.unwrap().is_none());
    a.close().await;
    node(&url, "b", &Fit { rules: n + 1, ..here.clone() }).await.expect("it is alone");
    assert!(tokio::time::timeout(LEASE, b.deposed()).await.is_ok());
}

#[tokio::test]
async fn nobody_waits_for_a_server_that_has_died() {
    let Some(postgres) = postgres::shared() else { return };
    let url = postgres.url();
    let here = Fit::of(&cards::library::sets(), false);
    let other = Fit { rules: here.rules + 1, ..here.clone() };
    // Killed: nobody has declared it dead.
    drop(node(&url, "a", &here).await.unwrap());
    let start = Instant::now();
    loop {
        match node(&url, "b", &other).await {
            Ok(_) => break,
            Err(error) => assert!(start.elapsed() < Duration::from_secs(30), "{error}"),
        }
    }
}

#[tokio::test]
async fn two_that_do_not_fit_never_come_in_together() {
    let Some(postgres) = postgres::shared() else { return };
    let url = postgres.url();
    let here = Fit::of(&cards::library::sets(), false);
    let other = Fit { rules: here.rules + 1, ..here.clone() };
    for n in 0..10 {
        let names = [format!("a{n}"), format!("b{n}")];
        let (one, two) = tokio::join!(node(&url, &names[0], &here), node(&url, &names[1], &other));
        assert!(one.is_ok() != two.is_ok(), "{n}: {:?} {:?}", one.err(), two.err());
        for store in [one, two].into_iter().flatten() {
            store.close().await;
        }
    }
}

/// Entries that an older program could not read are written once no such program is left, and then none can come back.
#[tokio::test]
async fn new_kinds_of_entries_wait_until_everybody_reads_them() {
    let Some(postgres) = postgres::shared() else { return };
    let url = postgres.url();
    let newer = Fit::of(&cards::library::sets(), false);
    let older = Fit { reads: 1, ..newer.clone() };
    let a = node(&url, "a", &older).await.unwrap();
    let b = node(&url, "b", &newer).await.unwrap();
    assert!(!b.takes(&said()) && b.takes(&LogEntry::Stopped));
    // Another look at everybody changes nothing.
    tokio::time::sleep(LEASE / 2).await;
    assert!(!b.takes(&said()) && !a.takes(&said()));
    a.close().await;
    let start = Instant::now();
    while !b.takes(&said()) {
        assert!(start.elapsed() < Duration::from_secs(30), "it waits for nobody");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (problem, words) = refused(&url, "a", &older).await;
    assert!(matches!(problem, Problem::NewerEntries { there: 2, reads: 1 }), "{problem:?}");
    assert!(words.contains("newer lair"), "{words}");
    // Not even when nobody else is there.
    b.close().await;
    refused(&url, "a", &older).await;
    assert!(node(&url, "a", &newer).await.unwrap().takes(&said()));
}
