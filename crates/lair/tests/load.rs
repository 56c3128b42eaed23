//! `lair load` on a small scale: it measures what it says, and only on this machine.

mod common;
#[cfg(target_os = "linux")]
#[path = "../../server/tests/postgres/mod.rs"]
mod database;

use common::lair;

#[test]
fn it_plays_and_reports_the_cost() {
    let ran = lair(&["load", "--tables", "3", "--seconds", "3", "--pace", "0.2", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("3 tables are playing"), "{}", ran.err);
    let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let number = |name: &str| told[name].as_f64().unwrap_or_else(|| panic!("no {name}: {told}"));
    assert_eq!((number("tables"), number("refused"), number("broken")), (3.0, 0.0, 0.0), "{told}");
    assert!(number("moves") > 0.0 && number("moves_per_s") > 0.0, "{told}");
    assert!(number("p50_ms") <= number("p99_ms") && number("p99_ms") <= number("max_ms"), "{told}");
    // Both players are shown every move.
    assert!((1.5..=2.5).contains(&number("updates_per_move")) && number("update_bytes") > 500.0, "{told}");
    if cfg!(target_os = "linux") {
        // Three tables are too few to see them in the memory of a process.
        assert!(number("kib_per_table").is_finite(), "{told}");
        let per_message = number("server_cpu_us_per_message");
        assert!(number("server_cpu_us_per_move") >= per_message, "{told}");
        // An echo this small may cost less than can be measured.
        if told.get("cpu_ratio").is_some() {
            assert!((number("cpu_ratio") - per_message / number("echo_cpu_us")).abs() < 0.1, "{told}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn several_servers_are_compared_with_one() {
    if common::nats::nats_server().is_none() || !database::is_installed() {
        return;
    }
    let ran = lair(&["load", "--nodes", "3", "--tables", "2", "--seconds", "1", "--pace", "0.2", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let sides = told["servers"].as_array().unwrap();
    assert_eq!(sides.len(), 4, "{told}");
    for (n, side) in sides.iter().enumerate() {
        let number = |name: &str| side[name].as_f64();
        assert!(number("moves_per_s") > Some(0.0) && number("rows_per_commit") >= Some(1.0), "{side}");
        assert_eq!((number("refused"), number("broken")), (Some(0.0), Some(0.0)), "{side}");
        assert_eq!(
            (number("wal_bytes_per_move") > Some(0.0), number("nats_cpu_us_per_move").is_some()),
            (n > 0, n > 1)
        );
    }
    let takeovers = told["takeovers"].as_array().unwrap();
    assert_eq!(takeovers.len(), 3, "{told}");
    assert!(takeovers.iter().all(|takeover| takeover["median_ms"].as_f64() <= takeover["max_ms"].as_f64()));
}

#[test]
fn only_servers_on_this_machine_are_tested() {
    lair(&["load", "--against", "192.0.2.1:8080"]).refused_with("on this machine");
    lair(&["load", "--nodes", "2"]).refused_with("3..=9");
    lair(&["load", "--nodes", "3", "--against", "127.0.0.1:8080"]).refused_with("--against");
    lair(&["load", "--pace", "0"]).refused_with("0.05 to 60");
    lair(&["serve", "--unlimited"]).refused_with("--listen");
    lair(&["serve", "--unlimited", "--listen", "0.0.0.0:0"]).refused_with("for this machine only");
}
