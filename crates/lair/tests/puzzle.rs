//! `lair puzzle` as a user runs it.

mod common;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use common::{command, lair, scratch};
use engine::Action;
use puzzle::{Puzzle, shipped};

/// With a data folder, and these lines typed.
fn at_home(home: &Path, args: &[&str], lines: &str) -> (i32, String) {
    let mut command = command(&[&["puzzle"], args].concat());
    command.env("XDG_DATA_HOME", home).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = lines.to_owned();
    // It may be over before everything is read.
    let writer = std::thread::spawn(move || drop(stdin.write_all(lines.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let all = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8(all).unwrap())
}

/// One whose only answer is to use a card.
fn simple() -> &'static Puzzle {
    let used = |puzzle: &&Puzzle| puzzle.only() == 1 && matches!(puzzle.line[0].action, Action::Use { .. });
    shipped::ALL.iter().find(used).expect("there is a simple puzzle")
}

#[test]
fn a_wrong_answer_is_refuted_and_the_right_one_is_remembered() {
    let (home, name) = (scratch("puzzle-home"), simple().name());
    let (code, said) = at_home(&home, &["play", &name], "hint\nhint\nundo\nquit\n");
    assert!((1..=6).any(|seat| said.contains(&format!("p{seat} holds "))), "{said}");
    assert!(code == 0 && said.contains("Hint: ") && said.contains("From the beginning"), "{said}");
    let (_, listed) = at_home(&home, &["list"], "");
    assert!(listed.contains(&name) && !listed.contains('✓'), "{listed}");

    // Passing, then every line of the menu in turn, until one of them is right.
    let lines = format!("\n{}", (1..=12).map(|n| format!("{n} 1\n")).collect::<String>().repeat(4));
    let (code, said) = at_home(&home, &["play", &name], &lines);
    assert!(code == 0 && said.contains("Solved"), "{said}");
    assert!(said.contains("That does not work"), "{said}");
    let (_, listed) = at_home(&home, &["list"], "");
    assert!(listed.contains(&format!("✓ {name}")), "{listed}");
}

#[test]
fn lists_and_solutions() {
    let all = lair(&["puzzle", "list"]).ok().out;
    assert_eq!(all.lines().filter(|line| line.contains(" players ")).count(), shipped::ALL.len());
    let name = simple().name();
    let told = lair(&["puzzle", "solution", &name]).ok().out;
    assert!(told.contains(&name) && told.contains('!'), "{told}");
    lair(&["puzzle", "solution", "bmr-none"]).refused_with("there is no puzzle `bmr-none`");
    lair(&["puzzle", "list", "--deck", "bmx"]).refused_with("did you mean bmr?");
    lair(&["puzzle", "list", "--difficulty", "mild"]).refused_with("fiendish");
}

#[test]
fn mining_gives_the_same_on_any_number_of_threads_and_goes_on() {
    let mine = |name: &str, games: &str, threads: &str| {
        let file = scratch(name);
        for games in games.split(' ') {
            let out = file.to_str().unwrap();
            let args =
                ["puzzle", "mine", "--games", games, "--seed", "3", "--threads", threads, "--out", out];
            lair(&args).ok();
        }
        std::fs::read_to_string(file).unwrap()
    };
    let one = mine("mined-one.puzzles", "3", "1");
    assert!(one.contains("mined 3 games, deck bmr, seed 3"), "{one}");
    assert_eq!(mine("mined-two.puzzles", "1 3", "2"), one);
}

#[test]
fn what_does_not_hold_is_named_and_dropped() {
    let file = scratch("broken.puzzles");
    let path = file.to_str().unwrap();
    let mut other = simple().clone();
    other.line[0].only = false;
    let text = format!("{}", puzzle::File { mined: Vec::new(), puzzles: vec![simple().clone(), other] });
    std::fs::write(&file, text).unwrap();
    lair(&["puzzle", "check", path]).fails_with("another line solves it now");
    let dropped = lair(&["puzzle", "check", "--drop", path]);
    assert_eq!((dropped.code, dropped.out.as_str()), (0, "1 of 2 puzzles were dropped\n"));
    assert!(lair(&["puzzle", "check", path]).ok().out.contains("1 puzzles hold"));
    std::fs::write(&file, "riddle me this\n").unwrap();
    lair(&["puzzle", "check", path]).fails_with("line 1: `riddle me this` begins nothing");
    lair(&["puzzle", "check", "nowhere.puzzles"]).fails_with("file not found");
}
