//! `lair study` and `lair compare` as a user runs them.

mod common;

use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Stdio;

use common::{command, files_in, lair, scratch};
#[cfg(unix)]
use common::{signal, until_playing};

const SMALL: &str = "\
title = \"Small\"
games = 30
seed = 9
decks = [\"bmr\", \"tnl\"]
players = [2, 3]
bots = [\"random\", \"random,kobold\"]
";

/// A folder of this test's own, with these files.
fn folder_with(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = scratch(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        std::fs::write(folder.join(file), text).unwrap();
    }
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The report without the games that it is continued from, which are written in pieces.
fn report(folder: &Path) -> Vec<(String, Vec<u8>)> {
    files_in(folder).into_iter().filter(|(name, _)| name != "games.journal").collect()
}

fn names(files: &[(String, Vec<u8>)]) -> Vec<&str> {
    files.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn a_study_that_was_stopped_ends_with_the_same_bytes() {
    let folder = folder_with("study-resumed", &[("small.toml", SMALL)]);
    let (file, whole, parts) = (folder.join("small.toml"), folder.join("whole"), folder.join("parts"));
    let study =
        |out: &Path, more: &[&str]| lair(&[&["study", text(&file), "--out", text(out)], more].concat());
    let said = study(&whole, &["--threads", "1"]).ok().out;
    assert_eq!(said, format!("240 games; the report is in {}\n", whole.join("report.html").display()));
    let all = report(&whole);
    let expected = [
        "bosses.csv",
        "bosses.parquet",
        "cards.csv",
        "cards.parquet",
        "games.csv",
        "games.parquet",
        "report.html",
        "report.json",
        "tables.csv",
        "tables.parquet",
        "turns.csv",
        "turns.parquet",
    ];
    assert_eq!(names(&all), expected);
    // Some games, then a line that was cut off, then the rest.
    study(&parts, &["-n", "11", "--threads", "2"]).ok();
    assert!(report(&parts) != all);
    let journal = parts.join("games.journal");
    let kept = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, [&kept[..], b"[99,\"0a"].concat()).unwrap();
    let went_on = study(&parts, &["--threads", "3"]);
    assert_eq!((went_on.code, went_on.err.as_str()), (0, "88 games are known; going on from there\n"));
    assert!(report(&parts) == all);
    // Nothing is left to play.
    assert_eq!(study(&parts, &[]).err, "240 games are known; going on from there\n");
    assert!(report(&parts) == all);
    // Every game has its row, and the bots of a table change seats.
    let games = String::from_utf8(all[4].1.clone()).unwrap();
    let mut lines = csv_lines(&games);
    let head = lines.remove(0);
    assert_eq!(lines.len(), 240);
    let column = |name: &str| head.iter().position(|head| head == name).unwrap();
    let mixed =
        |line: &&Vec<String>| line[column("bot")] == "random,kobold" && line[column("players")] == "2";
    let first: Vec<&str> = lines.iter().filter(mixed).map(|line| line[column("p1_bot")].as_str()).collect();
    assert_eq!(first.iter().filter(|bot| **bot == "kobold").count(), first.len() / 2);
    // What a journal does not fit is refused, and nothing is lost.
    std::fs::write(&file, SMALL.replace("seed = 9", "seed = 10")).unwrap();
    study(&parts, &[]).fails_with("it has games of another study");
    assert!(report(&parts) == all);
    std::fs::write(&file, SMALL).unwrap();
    std::fs::write(&journal, [&kept[..], b"[89,\"0a\"]\n"].concat()).unwrap();
    study(&parts, &[]).fails_with("these are not games of this study");
    std::fs::write(&journal, "my diary\n").unwrap();
    study(&parts, &[]).fails_with("these are not the games of a study");
}

fn csv_lines(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|line| line.unwrap().iter().map(str::to_string).collect()).collect()
}

/// Killed in the middle, and stopped gracefully in the middle: the rest is played later.
#[cfg(unix)]
#[test]
fn a_study_survives_being_killed() {
    let endless = SMALL.replace("games = 30", "games = 100000000");
    let folder = folder_with("study-killed", &[("endless.toml", &endless)]);
    let (file, out, whole) = (folder.join("endless.toml"), folder.join("out"), folder.join("whole"));
    let jobs = || {
        let journal = std::fs::read_to_string(out.join("games.journal")).unwrap();
        journal
            .lines()
            .skip(1)
            .filter_map(|line| line.strip_prefix('[')?.split(',').next()?.parse().ok())
            .last()
    };
    let mut known: u64 = 0;
    for name in ["KILL", "TERM"] {
        let mut run = command(&["study", text(&file), "--out", text(&out)]);
        let mut child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        until_playing(&mut child);
        // Games are kept once a second.
        while jobs().unwrap_or(0) <= known {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        signal(&child, name);
        child.wait().unwrap();
        known = jobs().unwrap();
        assert_eq!(out.join("report.html").exists(), name == "TERM");
    }
    // A whole number of games at each of the eight tables.
    let games = known.div_ceil(8).to_string();
    let rest = lair(&["study", text(&file), "--out", text(&out), "-n", &games]);
    assert_eq!(rest.err, format!("{known} games are known; going on from there\n"));
    lair(&["study", text(&file), "--out", text(&whole), "-n", &games]).ok();
    assert!(report(&out) == report(&whole));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let wrong = |text: &str, expected: &[&str]| {
        let folder = folder_with("study-wrong", &[("wrong.toml", text)]);
        let (file, out) = (folder.join("wrong.toml"), folder.join("out"));
        let ran = lair(&["study", file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""));
        for part in expected {
            assert!(ran.err.contains(part), "expected `{part}` in:\n{}", ran.err);
        }
        assert!(!out.exists());
    };
    wrong(
        "games = 5\ndeck = [\"bmr\"]\n",
        &["wrong.toml:2:1", "unknown name `deck`", "did you mean `decks`?"],
    );
    wrong("games = 0\n", &["wrong.toml:1:9", "a whole number from 1 to"]);
    wrong("games = \"many\"\nseed = -1\n", &["wrong.toml:1:9", "wrong.toml:2:8"]);
    wrong("bots = [\"boss\", \"cat\"]\n", &["wrong.toml:1:17", "there is no bot `cat`"]);
    wrong("bots = [\"boss\", \"boss\"]\n", &["listed twice"]);
    wrong("players = [2, 7]\n", &["wrong.toml:1:15"]);
    wrong("rulesets = [\"classical\"]\n", &["wrong.toml:1:13", "classic"]);
    wrong("variants = [\"\", \"hrd\"]\n", &["wrong.toml:1:17", "hard"]);
    wrong("measure = [\"fun\"]\n", &["`fun` cannot be measured", "bosses, cards, turns, games"]);
    wrong("games = \n", &["wrong.toml:1", "not TOML"]);
    wrong("games = 5\ngames = 6\n", &["wrong.toml:2", "duplicate key"]);
    wrong("\n\ndecks = [\"bmx\"]\n", &["wrong.toml:3:10", "did you mean bmr?"]);
    wrong("decks = [\"bmr\"]\nplayers = 5\n", &["bmr with 5 players: 5 players need the variant"]);
    wrong("cards = [\"none.cards\"]\n", &["none.cards: file not found"]);
    lair(&["study", "no.toml"]).fails_with("no.toml: file not found");
}

const OLD: &str = "set CMP \"Compared\"\n\nroom \"Rat Cellar\" x9\n  -  trap  damage 1  thief  house\n";

#[test]
fn versions_of_the_cards_are_compared() {
    let stronger = OLD.replace("damage 1", "damage 4");
    let noted = format!("# Only a remark.\n{OLD}");
    let files = [("old.cards", OLD), ("new.cards", &stronger), ("noted.cards", &noted)];
    let folder = folder_with("study-compared", &files);
    let compare = |name: &str, more: &[&str]| {
        let (old, new, out) = (folder.join("old.cards"), folder.join(name), folder.join("out"));
        let _ = std::fs::remove_dir_all(&out);
        let first = ["compare", text(&old), text(&new), "--out", text(&out)];
        let said = lair(&[&first[..], more].concat()).ok().out;
        (said, files_in(&out))
    };
    let (said, files) = compare("new.cards", &["-n", "300", "--bots", "kobold"]);
    assert!(said.contains("Value of drawing Rat Cellar") && said.contains("points"), "{said}");
    assert!(said.contains("600 games; the report is in"));
    let page = files.iter().find(|(name, _)| name == "report.html").unwrap();
    let page = String::from_utf8(page.1.clone()).unwrap();
    assert!(page.contains("Cards that differ") && page.contains("<strong>Rat Cellar</strong>"));
    let sheet = files.iter().find(|(name, _)| name == "compared.csv").unwrap();
    let lines = csv_lines(std::str::from_utf8(&sheet.1).unwrap());
    let column = |name: &str| lines[0].iter().position(|head| head == name).unwrap();
    // More damage makes the room better to draw, beyond doubt.
    let drawn = lines.iter().find(|line| line[column("what")] == "drawn").unwrap();
    assert!(drawn[column("low")].parse::<f64>().unwrap() > 0.0, "{drawn:?}");
    assert_eq!(drawn[column("games_needed")], "");
    // The same on any number of threads.
    let again = compare("new.cards", &["-n", "300", "--bots", "kobold", "--threads", "3"]).1;
    let kept = |files: Vec<(String, Vec<u8>)>| {
        files.into_iter().filter(|(name, _)| name != "games.journal").collect::<Vec<_>>()
    };
    assert!(kept(files) == kept(again));
    let (said, _) = compare("noted.cards", &["-n", "5", "--bots", "random"]);
    assert!(said.starts_with("No card of this deck differs between the two versions.\n"), "{said}");
    // Alone, a file is compared with the game without it.
    let (old, out) = (folder.join("old.cards"), folder.join("without"));
    let said = lair(&["compare", text(&old), "-n", "5", "--bots", "random", "--out", text(&out)]).ok().out;
    assert!(said.contains("10 games"), "{said}");
    lair(&["compare", text(&old), text(&old)]).refused_with("the same file");
}

/// The examples work as they are, in small form.
#[test]
fn the_examples_can_be_played() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/studies");
    let mut played = 0;
    for (name, _) in files_in(Path::new(examples)) {
        let Some(stem) = name.strip_suffix(".toml") else { continue };
        let (file, out) = (format!("{examples}/{name}"), scratch(&format!("study-{stem}")));
        let _ = std::fs::remove_dir_all(&out);
        let said = lair(&["study", &file, "-n", "1", "--out", text(&out)]).ok().out;
        assert!(said.contains(" games; the report is in "), "{said}");
        let page = std::fs::read_to_string(out.join("report.html")).unwrap();
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        roxmltree::Document::parse_with_options(&page, options).unwrap();
        assert!(!page.contains("NaN") && !page.contains("inf "), "{name}");
        played += 1;
    }
    assert!(played >= 5);
}
