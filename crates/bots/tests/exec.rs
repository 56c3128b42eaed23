//! External bots: the two example bots play, and programs that break the protocol forfeit without stopping
//! the game.
#![cfg(unix)]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bots::{Bot, BotSpec, Exec, ExecError, Limits, Random};
use common::{deal, play};
use engine::Seat;

const QUICK: Limits = Limits {
    handshake: Duration::from_secs(5),
    answer: Duration::from_millis(700),
    goodbye: Duration::from_millis(300),
};
/// Nothing a program does may take longer than this: all limits together, on a slow machine.
const SOON: Duration = Duration::from_secs(20);

fn hostile(what: &str, limits: Limits) -> Result<Exec, ExecError> {
    Exec::start(&format!("sh {}/tests/peers/hostile.sh {what}", env!("CARGO_MANIFEST_DIR")), 7, limits)
}

/// Is anything in the process group still running? Zombies do not count.
fn runs(group: u32) -> bool {
    let of_group = |stat: String| {
        // After the name in brackets: state, parent, group.
        let mut rest = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        rest.next() != Some("Z") && rest.nth(1) == Some(group.to_string().as_str())
    };
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    let stats = processes.flatten().map(|process| std::fs::read_to_string(process.path().join("stat")));
    stats.flatten().any(of_group)
}

fn table(bot: impl Bot + 'static, others: usize) -> Vec<Box<dyn Bot>> {
    let mut bots: Vec<Box<dyn Bot>> = vec![Box::new(bot)];
    bots.extend((0..others).map(|i| -> Box<dyn Bot> { Box::new(Random::new(i as u64)) }));
    bots
}

/// Plays game 0, with two players, and returns why the program forfeited.
fn forfeit_of(exec: Exec) -> Option<String> {
    let begun = Instant::now();
    let group = exec.process().expect("it has just been started");
    let mut bots = table(exec, 1);
    play(&mut deal(0), &mut bots);
    let reason = bots[0].forfeit();
    assert!(reason.is_some() || runs(group) || !Path::new("/proc/self/stat").exists());
    drop(bots);
    // Killed processes take a moment to disappear.
    while runs(group) && begun.elapsed() < SOON {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(begun.elapsed() < SOON, "it took {:?}", begun.elapsed());
    reason
}

#[test]
fn a_program_that_never_says_hello_cannot_play() {
    for (what, reason) in [
        ("crashes", "it exited"),
        ("mute", "it did not answer within 0.3 seconds"),
        ("old", &format!("it speaks protocol 0, but Lair speaks {}", wire::PROTOCOL)),
        ("rude", "it began with `Good evening!`"),
        ("endless", "a line longer than 65536 bytes"),
    ] {
        let begun = Instant::now();
        let limits = if what == "mute" { Duration::from_millis(300) } else { SOON };
        let Err(error) = hostile(what, Limits { handshake: limits, ..QUICK }) else { panic!("{what} plays") };
        // A write to it may fail before its exit is noticed.
        let gone = what == "crashes" && error.to_string().contains("it no longer reads its input");
        assert!(gone || error.to_string().contains(reason), "{what}: {error}");
        assert!(begun.elapsed() < SOON, "{what} took {:?}", begun.elapsed());
    }
}

#[test]
fn a_program_that_breaks_the_protocol_forfeits_and_the_game_goes_on() {
    for (what, reason) in [
        ("ends", "it exited"),
        ("silent", "it did not answer within 0.7 seconds"),
        ("unread", "it did not answer within 0.7 seconds"),
        ("garbage", "`{\"index\": \"the best one\"}` is not a valid answer"),
        ("binary", "is not a valid answer"),
        ("negative", "is not a valid answer"),
        ("nested", "is not a valid answer"),
        ("range", "it answered 4000, but the legal answers are 0 to"),
        ("stale", "it answered question 77 when it was asked question 1"),
        ("together", "without being asked"),
        ("floods", "without being asked"),
        ("closes", "it no longer reads its input"),
        ("twice", "without being asked"),
    ] {
        let exec = hostile(what, QUICK).unwrap_or_else(|error| panic!("{what}: {error}"));
        let forfeit = forfeit_of(exec).unwrap_or_else(|| panic!("{what} did not forfeit"));
        // The other thing that may be noticed first.
        let other = match what {
            "ends" => "it no longer reads its input",
            "twice" => "it answered question 1 when it was asked question 2",
            _ => reason,
        };
        assert!(forfeit.contains(reason) || forfeit.contains(other), "{what}: {forfeit}");
    }
}

#[test]
fn a_program_that_does_not_exit_is_killed_with_all_it_started() {
    let exec = hostile("stays", QUICK).expect("it says hello");
    assert_eq!(forfeit_of(exec), None);
}

#[test]
fn noise_on_standard_error_does_no_harm() {
    let limits = Limits { answer: SOON, ..QUICK };
    assert_eq!(forfeit_of(hostile("shouts", limits).expect("it says hello")), None);
}

/// A program that failed gets another chance in the next game.
#[test]
fn a_forfeit_costs_one_game_only() {
    let exec = hostile("range", QUICK).expect("it says hello");
    let mut bots = table(exec, 1);
    for _ in 0..2 {
        play(&mut deal(0), &mut bots);
        assert!(bots[0].forfeit().is_some());
    }
}

#[test]
fn a_program_that_cannot_be_started_is_named_with_what_to_do() {
    let plain = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("plain.txt");
    std::fs::write(&plain, "not a program").expect("the folder exists");
    let plain = format!("exec:{}", plain.display());
    for (player, reason) in [
        ("exec:no-such-bot --fast", "program `no-such-bot` not found: check its path"),
        (plain.as_str(), "is not executable: make it so, or name its interpreter, as in python3"),
    ] {
        let player: BotSpec = player.parse().expect("it names a program");
        let error = player.seat(1).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(reason) && error.contains(&player.to_string()), "{error}");
    }
    assert!("exec: ".parse::<BotSpec>().is_err());
}

// ---- the example bots ----

fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots")
}

/// Plays a few games of every size, and wins far more often than by chance.
fn plays_well(command: &str) {
    let limits = Limits { answer: SOON, handshake: SOON, ..QUICK };
    let mut bots = table(Exec::start(command, 1, limits).unwrap_or_else(|error| panic!("{error}")), 5);
    let mut wins = 0;
    for number in 0..30 {
        let mut game = deal(number);
        play(&mut game, &mut bots);
        assert_eq!(bots[0].forfeit(), None, "{command}, game {number}");
        wins += u32::from(game.outcome().is_some_and(|outcome| outcome.winner == Seat(0)));
    }
    assert!(wins >= 15, "{command} won {wins} of 30 games with two to six players");
}

#[test]
fn the_python_bot_plays() {
    if Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("skipped: there is no python3 here");
        return;
    }
    plays_well(&format!("python3 {}/greedy.py", examples().display()));
}

#[test]
fn the_rust_bot_plays() {
    let here = std::env::current_exe().expect("the test has a path");
    let built = here.ancestors().nth(2).expect("a folder of builds").join("examples/rust-bot");
    assert!(built.exists(), "examples are built by `cargo test -p bots` without --test");
    plays_well(&built.display().to_string());
}
