//! `lair arena` as a user runs it: the same result on any number of threads and after any interruption.

mod common;

use std::fs::File;
#[cfg(unix)]
use std::process::Stdio;

#[cfg(unix)]
use common::{command, interrupted, signal, until_delivered, until_playing};
use common::{lair, scratch};
use serde_json::Value;

/// The result, without the measured times.
fn arena(args: &[&str]) -> Value {
    let out = lair(&[&["arena"], args, &["--json"]].concat()).ok().out;
    let mut json: Value = serde_json::from_str(&out).unwrap();
    without_times(&mut json);
    json
}

fn without_times(json: &mut Value) {
    for measured in ["thinking_ms", "longest_ms"] {
        let times = json.as_object_mut().unwrap().remove(measured).unwrap();
        assert!(times.is_object(), "{measured}: {times}");
    }
}

fn number(json: &Value, key: &str) -> f64 {
    json[key].as_f64().unwrap_or_else(|| panic!("{key} in {json}"))
}

#[test]
fn the_better_bot_wins() {
    let json = arena(&["greedy", "random", "-n", "60"]);
    assert_eq!((&json["games"], &json["rounds"]), (&60.into(), &30.into()));
    let (low, rate, high) = (number(&json, "low"), number(&json, "win_rate"), number(&json, "high"));
    assert!(
        0.5 < low && low <= rate && rate <= high && high <= 1.0 && number(&json, "elo") > 100.0,
        "{json}"
    );
    let other = arena(&["random", "greedy", "-n", "60"]);
    assert!(number(&other, "elo") < -100.0 && number(&other, "win_rate") < 0.3, "{other}");
}

#[test]
fn the_same_result_on_any_number_of_threads() {
    for args in [
        &["minion", "random", "-n", "40", "--seed", "3"][..],
        &["minion", "kobold", "random", "-n", "30"],
        &["minion", "random", "-n", "12", "--players", "3", "--variant", "hard"],
        &[
            "random",
            "kobold",
            "-n",
            "4",
            "--players",
            "6",
            "--deck",
            "mash-up",
            "--variant",
            "unlimited-lives",
        ],
    ] {
        let one = arena(&[args, &["--threads", "1"]].concat());
        assert_eq!(one, arena(&[args, &["--threads", "5"]].concat()));
    }
    assert_ne!(
        arena(&["kobold", "random", "-n", "40"]),
        arena(&["kobold", "random", "-n", "40", "--seed", "9"])
    );
}

#[test]
fn a_stopped_arena_can_be_resumed() {
    let file = scratch("arena.jsonl");
    let path = file.to_str().unwrap();
    let args = ["minion", "random", "-n", "40", "--seed", "3"];
    let whole = arena(&args);
    arena(&["minion", "random", "-n", "14", "--seed", "3", "--resume", path]);
    let half = std::fs::read_to_string(&file).unwrap();
    assert_eq!(half.lines().count(), 1 + 7);
    // The power went out while the last line was being written.
    std::fs::write(&file, &half[..half.len() - 3]).unwrap();
    assert_eq!(arena(&[&args[..], &["--resume", path]].concat()), whole);
    let full = std::fs::read_to_string(&file).unwrap();
    assert_eq!(full.lines().count(), 1 + 20);
    // Nothing is left to play, and a smaller arena is part of it.
    assert_eq!(arena(&[&args[..], &["--resume", path]].concat()), whole);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), full);
    arena(&["minion", "random", "-n", "10", "--seed", "3", "--resume", path]);

    lair(&["arena", "minion", "kobold", "--seed", "3", "--resume", path]).fails_with("started with entrants");
    lair(&["arena", "minion", "random", "--seed", "4", "--resume", path]).fails_with("started with setup");
    std::fs::write(&file, full.replace("[5,[", "[5,[7,")).unwrap();
    lair(&["arena", "minion", "random", "--seed", "3", "--resume", path])
        .fails_with("this is not a valid round");
    for foreign in ["hello", "hello\n", "{}\n"] {
        std::fs::write(&file, foreign).unwrap();
        lair(&["arena", "minion", "random", "--resume", path])
            .fails_with("not an arena file that can be resumed");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), foreign);
    }
    lair(&["arena", "minion", "random", "--resume", "no/such/file"]).fails_with("no/such/file");
    lair(&["arena", "minion", "random", "--resume", "/dev/null"]).fails_with("it is not a regular file");
    std::fs::remove_file(&file).unwrap();
    let writing = File::create(&file).unwrap();
    writing.lock().unwrap();
    lair(&["arena", "minion", "random", "--resume", path]).fails_with("another arena is writing to it");
}

#[test]
fn wrong_usage_is_refused() {
    lair(&["arena"]).refused_with("BOT");
    lair(&["arena", "minion"]).refused_with("2 to 12 bots");
    lair(&["arena", "minion", "cat"]).refused_with("there is no bot `cat`");
    lair(&["arena", "minion", "minion"]).refused_with("named twice");
    lair(&["arena", "minion", "random", "--players", "5"]).refused_with("unlimited-lives");
}

#[test]
fn a_table_for_people() {
    let said = lair(&["arena", "greedy", "random", "kobold", "-n", "12"]).ok().out;
    assert!(said.starts_with("12 games, 2 deals: --players 2 --deck bmr --seed 1\n"), "{said}");
    for line in said.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(lair(&["arena", "greedy", "random", "-n", "8"]).ok().out.contains("Elo above random"));
    // The better bot comes first, whatever the order on the command line.
    assert!(lair(&["arena", "random", "greedy", "-n", "8"]).ok().out.contains("greedy is +"));
}

const HOSTILE: &str = "exec:sh crates/bots/tests/peers/hostile.sh";

/// A forfeit is reported and counted as a loss, also with more than one opponent.
#[test]
fn a_program_that_forfeits_wins_nothing() {
    let broken = format!("{HOSTILE} range");
    let ran = lair(&["arena", &broken, "random", "kobold", "-n", "6", "--players", "3", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.err.matches("forfeits the game: it answered 4000").count(), 6, "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let first = &found["entrants"][0];
    assert_eq!((&first["forfeits"], &first["win_rate"]), (&6.into(), &0.0.into()), "{found}");
    let table = lair(&["arena", &broken, "random", "-n", "2"]).out;
    assert!(table.contains("forfeited 2 of its 2 games"), "{table}");
}

/// The program starts once, for the check before the games, and never again.
#[test]
fn a_program_that_no_longer_starts_is_reported() {
    let met = scratch("met");
    let broken = format!("{HOSTILE} once {}", met.display());
    let ran = lair(&["sim", "--bots", &format!("{broken},random"), "-n", "3", "--threads", "1", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.err.matches("forfeits the game").count(), 3, "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["forfeits_by_seat"], serde_json::json!([3, 0]), "{found}");
    assert_eq!(found["wins_by_seat"], serde_json::json!([0, 3]), "{found}");
}

/// Games between strong bots take long; a second Ctrl-C does not wait for them.
#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_at_once() {
    let slow = ["arena", "search:100000", "search:90000", "--players", "4", "-n", "4"];
    let mut child = command(&slow).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until_playing(&mut child);
    signal(&child, "INT");
    until_delivered(&child);
    assert!(child.try_wait().unwrap().is_none(), "the first Ctrl-C stops gracefully");
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(unix)]
#[test]
fn an_interrupted_arena_prints_the_results_so_far() {
    const MANY: &str = "1000000000";
    let ran = interrupted(&["arena", "random", "kobold", "-n", MANY, "--json"], MANY);
    let mut done: Value = serde_json::from_str(&ran.out).unwrap();
    let games = done["games"].as_u64().unwrap();
    assert!(games > 0 && games.is_multiple_of(2));
    // The result is that of an arena with this many games.
    assert_eq!((&done["complete"], &done["asked"]), (&false.into(), &MANY.parse::<u64>().unwrap().into()));
    without_times(&mut done);
    (done["complete"], done["asked"]) = (true.into(), games.into());
    assert_eq!(done, arena(&["random", "kobold", "-n", &games.to_string()]));
}
