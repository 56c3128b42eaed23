//! Programs of one's own: the two that come with the game play it, and those that break the protocol forfeit
//! without stopping it.
#![cfg(unix)]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bots::{Bot, Exec, Fault, Limits, Player, Random};
use common::{deal, play};
use engine::Seat;

const QUICK: Limits = Limits {
    handshake: Duration::from_secs(5),
    answer: Duration::from_millis(700),
    goodbye: Duration::from_millis(300),
};
/// Nothing that a program does may take longer than its limits together, and a slow machine.
const SOON: Duration = Duration::from_secs(20);

fn hostile(what: &str, limits: Limits) -> Result<Exec, Fault> {
    Exec::start(&format!("sh {}/tests/peers/hostile.sh {what}", env!("CARGO_MANIFEST_DIR")), 7, limits)
}

/// Is anybody left of the process and those it has started? The dead whom nobody has buried do not count.
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

/// Plays game 0, in which two play, and says why the program forfeited.
fn forfeit_of(exec: Exec) -> Option<String> {
    let begun = Instant::now();
    let group = exec.process().expect("it has just been started");
    let mut bots = table(exec, 1);
    play(&mut deal(0), &mut bots);
    let reason = bots[0].forfeit();
    assert!(reason.is_some() || runs(group) || !Path::new("/proc/self/stat").exists());
    drop(bots);
    // Whoever was killed takes a moment to be gone.
    while runs(group) && begun.elapsed() < SOON {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(begun.elapsed() < SOON, "it took {:?}", begun.elapsed());
    reason
}

#[test]
fn a_program_that_never_says_hello_cannot_play() {
    for (what, reason) in [
        ("crashes", "it ended"),
        ("mute", "it said nothing for 0.3 seconds"),
        ("old", "it speaks protocol 0, and this program speaks 2"),
        ("rude", "it began with `Good evening!`"),
        ("endless", "a line of more than 65536 bytes"),
    ] {
        let begun = Instant::now();
        let limits = if what == "mute" { Duration::from_millis(300) } else { SOON };
        let Err(fault) = hostile(what, Limits { handshake: limits, ..QUICK }) else { panic!("{what} plays") };
        // That a program is gone may be seen first by writing to it.
        let gone = what == "crashes" && fault.to_string().contains("it no longer reads its input");
        assert!(gone || fault.to_string().contains(reason), "{what}: {fault}");
        assert!(begun.elapsed() < SOON, "{what} took {:?}", begun.elapsed());
    }
}

#[test]
fn a_program_that_breaks_the_protocol_forfeits_and_the_game_goes_on() {
    for (what, reason) in [
        ("ends", "it ended"),
        ("silent", "it said nothing for 0.7 seconds"),
        ("unread", "it said nothing for 0.7 seconds"),
        ("garbage", "`{\"index\": \"the best one\"}` is no answer"),
        ("binary", "is no answer"),
        ("negative", "is no answer"),
        ("nested", "is no answer"),
        ("range", "it answered 4000, and there are the answers 0 to"),
        ("stale", "it answered question 77 when it was asked question 1"),
        ("twice", "without being asked"),
        ("together", "without being asked"),
        ("floods", "without being asked"),
        ("closes", "it no longer reads its input"),
    ] {
        let exec = hostile(what, QUICK).unwrap_or_else(|fault| panic!("{what}: {fault}"));
        let forfeit = forfeit_of(exec).unwrap_or_else(|| panic!("{what} did not forfeit"));
        let gone = what == "ends" && forfeit.contains("it no longer reads its input");
        assert!(gone || forfeit.contains(reason), "{what}: {forfeit}");
    }
}

#[test]
fn a_program_that_does_not_leave_is_ended_with_all_it_started() {
    let exec = hostile("stays", QUICK).expect("it says hello");
    assert_eq!(forfeit_of(exec), None);
}

#[test]
fn remarks_to_people_are_passed_on_and_do_no_harm() {
    let limits = Limits { answer: SOON, ..QUICK };
    assert_eq!(forfeit_of(hostile("shouts", limits).expect("it says hello")), None);
}

/// A program that failed gets another chance in the next game.
#[test]
fn one_forfeit_is_one_game() {
    let exec = hostile("range", QUICK).expect("it says hello");
    let mut bots = table(exec, 1);
    for _ in 0..2 {
        play(&mut deal(0), &mut bots);
        assert!(bots[0].forfeit().is_some());
    }
}

#[test]
fn a_program_that_cannot_be_started_is_named_with_the_way_out() {
    let plain = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("plain.txt");
    std::fs::write(&plain, "no program").expect("the folder is there");
    let plain = format!("exec:{}", plain.display());
    for (player, reason) in [
        ("exec:no-such-bot --fast", "there is no program `no-such-bot`: look at its path"),
        (plain.as_str(), "make it executable, or name what runs it, as in python3"),
    ] {
        let player: Player = player.parse().expect("it names a program");
        let error = player.seat(1).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(reason) && error.contains(&player.to_string()), "{error}");
    }
    assert!("exec: ".parse::<Player>().is_err());
}

// ---- the two that come with the game ----

fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots")
}

/// Plays a few games of every size, and wins more than dice would.
fn plays_well(command: &str) {
    let limits = Limits { answer: SOON, handshake: SOON, ..QUICK };
    let mut bots = table(Exec::start(command, 1, limits).unwrap_or_else(|fault| panic!("{fault}")), 5);
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
