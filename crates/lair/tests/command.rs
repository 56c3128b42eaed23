//! The command line itself: help, exit codes, what goes to which stream, bad input.

mod common;

use std::io::Read;
use std::process::Stdio;

use common::{command, lair, scratch};

#[test]
fn every_command_has_help_with_examples() {
    let top = lair(&["--help"]).ok();
    for name in [
        "serve", "play", "puzzle", "sim", "arena", "lab", "cards", "deck", "check", "replay", "verify",
        "scenario",
    ] {
        assert!(top.out.contains(&format!("  {name}")), "{name} in {}", top.out);
        let help = lair(&[name, "--help"]).ok().out;
        assert!(help.contains("Examples:") && help.contains(&format!("lair {name}")), "{help}");
    }
    assert!(lair(&["--version"]).ok().out.starts_with("lair "));
}

#[test]
fn wrong_usage_is_refused() {
    lair(&["plya"]).refused_with("plya");
    lair(&["play", "--players", "9"]).refused_with("9");
    lair(&["sim", "--players", "1"]).refused_with("1");
    lair(&["play", "--variant", "nightmare"]).refused_with("there is no variant `nightmare`");
    lair(&["sim", "--variant", "hard,"]).refused_with("variant");
    lair(&["play", "--seats", "you,cat"]).refused_with("cat");
    lair(&["play", "--seats", "you,search:0"]).refused_with("there is no bot `search:0`");
    lair(&["sim", "--bots", "boss,minion", "--players", "3"]).refused_with("name one, or one per player");
    lair(&["play", "--seats", "you"]).refused_with("2 to 6 can play");
    lair(&["play", "--seats", "you,bot", "--players", "3"]).refused_with("--players says 3");
    lair(&["play", "--names", "A,B,C"]).refused_with("3 names for 2 players");
    lair(&["play", "--names", "Ann,Ann"]).refused_with("two players are named Ann");
    lair(&["check"]).refused_with("FILE");
    lair(&["sim", "--players", "5", "--deck", "mash-up"]).refused_with("need the variant `unlimited-lives`");
    lair(&["play", "--players", "6", "--variant", "unlimited-lives"])
        .refused_with("the rooms of two base games");
    lair(&["sim", "--variant", "crash-split"]).refused_with("part of the ruleset `crash`");
    lair(&["sim", "--seed", "x"]).refused_with("`x` is not a valid seed");
    lair(&["play", "--deck", "ofical-combo"]).refused_with("did you mean official-combo?");
    lair(&["sim", "--deck", "nonsense"]).refused_with("choose from bmr, tnl, rmb, mash-up");
    lair(&["sim", "--deck", "friday@0011223344556677"]).refused_with("give its file");
    lair(&["deck"]).refused_with("Usage: lair deck");
    lair(&["deck", "check"]).refused_with("NAME|FILE");
    lair(&["replay", "x", "--as", "p9"]).refused_with("p9");
    lair(&["scenario"]).refused_with("PATH");
}

#[test]
fn cards_are_found_and_shown() {
    let altar = lair(&["cards", "dark", "altar"]).ok().out;
    for part in ["Dark Altar", "Trap room", "Rulings", "BMR009", "published"] {
        assert!(altar.contains(part), "{part} in {altar}");
    }
    assert_eq!(lair(&["cards", "bmr009"]).ok().out, altar);
    let several = lair(&["cards", "zombie"]).ok().out;
    assert!(several.contains("Zombie Prison") && several.contains("Zombie Attack"), "{several}");
    assert!(lair(&["cards"]).ok().out.lines().count() > 80);
    lair(&["cards", "drak altar"]).fails_with("did you mean Dark Altar?");
    lair(&["cards", "qqqqqqqqqqqq"]).fails_with("lists them all");
}

#[test]
fn cards_as_json() {
    let json: serde_json::Value = serde_json::from_str(&lair(&["cards", "--json"]).ok().out).unwrap();
    let cards = json.as_array().unwrap();
    assert!(cards.len() > 80);
    assert!(cards.iter().all(|card| card["name"].is_string() && card["facts"].is_string()));
    let one: serde_json::Value =
        serde_json::from_str(&lair(&["cards", "BMR009", "--json"]).ok().out).unwrap();
    assert_eq!(
        (&one[0]["name"], &one[0]["treasure"]),
        (&"Dark Altar".into(), &serde_json::json!(["cleric", "cleric"]))
    );
}

#[test]
fn clean_card_files_are_printed() {
    let printed = lair(&["check", "cards/bmr.cards"]).ok().out;
    assert!(printed.starts_with("Draculord, Hypnotic Vampire\n  Boss"), "{printed}");
}

#[test]
fn decks_are_listed_and_shown() {
    let list = lair(&["deck", "list"]).ok().out;
    assert_eq!(list.lines().count(), 1 + cards::library::DECKS.len(), "{list}");
    assert!(!list.contains('…'), "every title fits: {list}");
    assert!(
        list.contains("official-combo  Official combo") && list.contains(" 20     75      35      25    17")
    );
    let combo = lair(&["deck", "show", "e-rated-combo"]).ok().out;
    for part in
        ["E-rated combo", "Bosses 12", "Cleric rooms 15", "Spells 23", "Neanderthal Cave", "x3", "Kadabra"]
    {
        assert!(combo.contains(part), "{part} in {combo}");
    }
    for line in combo.lines().chain(list.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn mixes_are_named_by_their_boxes_and_drawn_by_number() {
    let crash = lair(&["deck", "check", "vov+bmr+crl"]).ok().out;
    assert!(crash.contains("bmr+crl+vov") && crash.contains("by the ruleset crash"), "{crash}");
    assert!(!crash.contains("unlimited-lives"), "{crash}");
    let out = lair(&["sim", "-n", "2", "--deck", "bmr+vov", "--threads", "1"]).ok().out;
    assert!(out.contains("--deck bmr+vov "), "{out}");
    lair(&["play", "--deck", "crl+vov"]).refused_with("needs the heroes of a base game");
    lair(&["play", "--deck", "bmr+xyz"]).refused_with("there is no box `xyz`");

    let drawn = |players| lair(&["deck", "surprise", "--players", players, "--seed", "7"]).ok().out;
    assert_eq!(drawn("4"), drawn("4"));
    let text = drawn("6");
    let line = text.lines().find_map(|line| line.trim().strip_prefix("lair play ")).unwrap().to_owned();
    assert!(line.contains("--players 6") && line.contains("--seed 7"), "{line}");
    let words: Vec<&str> = ["sim", "-n", "1", "--threads", "1"].into_iter().chain(line.split(' ')).collect();
    lair(&words).ok();
    assert!(lair(&["deck", "surprise"]).ok().out.contains("lair play --players 2"));
    lair(&["deck", "surprise", "--players", "9"]).refused_with("9");
}

#[test]
fn decks_are_checked_and_only_unplayable_ones_are_refused() {
    let file = scratch("friday.deck");
    let path = file.to_str().unwrap();
    let check = |text: &str| {
        std::fs::write(&file, text).unwrap();
        lair(&["deck", "check", path])
    };
    let box_alone = lair(&["deck", "check", "bmr"]).ok().out;
    for part in [
        "75 rooms",
        "2 for every 7.4 ordinary",
        "cleric",
        "█ 27",
        "4   25 and 16 epic",
        "5, 6  5 players need",
    ] {
        assert!(box_alone.contains(part), "{part} in {box_alone}");
    }
    for line in box_alone.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let lopsided = check("deck Odd\nset BMR\nJackpot Stash x20\nGorgona x9\nThe Fool x0 # neither\n");
    lopsided.fails_with("friday.deck:5");
    let lopsided = check("deck Odd\nset BMR\nJackpot Stash x20\nGorgona x9\nBMR057 x9\n").ok().out;
    for part in [
        "! two advanced",
        "61 thief and 27 cleric icons",
        "! bosses show 10 thief",
        "! 32 ordinary and 16 epic",
        "health together",
    ] {
        assert!(lopsided.contains(part), "{part} in {lopsided}");
    }
    let none = check("deck Nobody\nset BMR\n").ok().out;
    assert!(none.contains("Nobody"));
    let ran = check("deck Nobody\nrooms BMR\nbosses BMR\n").fails_with("cannot be played: there is no hero");
    assert!(ran.out.contains("0 heroes"));
    // One broken deck does not hide the others.
    std::fs::write(&file, "deck X\nset BRM\n").unwrap();
    let both = lair(&["deck", "check", path, "tnl"]).fails_with("did you mean `BMR`?");
    assert!(both.out.contains("The Next Level") && both.err.contains('^'));
    lair(&["deck", "check", "no/such.deck"]).fails_with("file not found");
}

#[test]
fn mistakes_in_card_files_are_reported_with_their_place() {
    let file = scratch("broken.cards");
    std::fs::write(&file, "set X \"X\"\n\nroom \"Hole\"\n  -  trap  damge 1  thief  house\n").unwrap();
    let ran = lair(&["check", file.to_str().unwrap()]).fails_with("broken.cards:4");
    assert!(ran.out.is_empty() && ran.err.contains('^') && ran.err.contains("damage"), "{}", ran.err);
    // One broken file does not hide the others.
    let both = lair(&["check", file.to_str().unwrap(), "cards/bmr.cards"]).fails_with("broken.cards");
    assert!(both.out.contains("Dark Altar"));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    lair(&["check", "no/such.cards"]).fails_with("no/such.cards: file not found");
    lair(&["check", "cards"]).fails_with("cards: this is a folder");
    let bytes = scratch("bytes.cards");
    std::fs::write(&bytes, b"set X \xff\xfe").unwrap();
    lair(&["check", bytes.to_str().unwrap()]).fails_with("byte 6 is not UTF-8");
    let huge = scratch("huge.cards");
    std::fs::File::create(&huge).unwrap().set_len(5_000_000).unwrap();
    lair(&["check", huge.to_str().unwrap()]).fails_with("5 MB is too large");
    for name in ["replay", "verify"] {
        lair(&[name, "no/such.json"]).fails_with("file not found");
        lair(&[name, "docs"]).fails_with("this is a folder");
    }
    lair(&["play", "--resume", "no/such.json"]).fails_with("file not found");
}

#[test]
fn the_same_games_on_any_number_of_threads() {
    for bots in ["random", "greedy", "kobold,random,minion"] {
        let run = |threads| {
            let args = ["sim", "-n", "24", "--seed", "5", "--players", "3", "--json", "--bots", bots];
            lair(&[&args[..], &["--threads", threads]].concat()).ok().out
        };
        let one = run("1");
        assert_eq!(one, run("2"));
        assert_eq!(one, run("7"));
        let json: serde_json::Value = serde_json::from_str(&one).unwrap();
        assert_eq!(json["games"], 24);
        let wins: u64 = json["wins_by_seat"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
        let endings: u64 = json["endings"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!((wins, endings), (24, 24));
    }
    let other = lair(&["sim", "-n", "24", "--seed", "6", "--players", "3", "--json"]).ok().out;
    assert_ne!(other, lair(&["sim", "-n", "24", "--seed", "5", "--players", "3", "--json"]).ok().out);
    assert!(lair(&["sim", "-n", "5"]).ok().out.contains("Wins by boss"));
    lair(&["sim", "-n", "0"]).refused_with("0 is not in 1..");
}

#[test]
fn scenarios_run_and_fail() {
    let good = lair(&["scenario", "scenarios/rules"]).ok().out;
    assert!(good.contains("all passed"), "{good}");
    let file = scratch("wrong.scn");
    std::fs::write(&file, "p1 xp 900\np2 xp 500\nat end\n= p1 souls 3\nend\n").unwrap();
    lair(&["scenario", file.to_str().unwrap()]).fails_with("wrong.scn:4");
    lair(&["scenario", "no/such"]).fails_with("no/such");
}

#[test]
fn coverage_is_complete() {
    let report = lair(&["scenario", "--coverage"]).ok().out;
    assert!(report.contains("rule 4.5") && report.contains("card Dark Altar"), "{report}");
}

/// `lair cards | head -1`
#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = command(&["check", "cards/bmr.cards", "cards/bmr.cards", "cards/bmr.cards"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn no_colour_without_a_terminal() {
    for args in [
        &["cards", "dark altar"][..],
        &["sim", "-n", "2"],
        &["play", "--seats", "minion,greedy", "--seed", "1"],
    ] {
        assert!(!lair(args).ok().out.contains('\x1b'));
    }
}

#[test]
fn plain_ascii_without_a_unicode_locale() {
    let output = command(&["play", "--seed", "1"]).env("LC_ALL", "C").stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.is_ascii(), "{text}");
}

/// Ctrl-C: the results so far are printed, and valid.
#[cfg(unix)]
#[test]
fn an_interrupted_run_prints_the_results_so_far() {
    let ran = common::interrupted(&["sim", "-n", "1000000000", "--json"], "1000000000");
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(json["games"].as_u64().unwrap() > 0, "{}", ran.out);
}

/// What a table of four people would be asked: a few questions each turn, most of them worth an answer.
#[test]
fn people_are_asked_where_something_is_at_stake() {
    let args = ["sim", "--stops", "--players", "4", "--bots", "greedy", "-n", "20", "--seed", "1", "--json"];
    let told: serde_json::Value = serde_json::from_str(&lair(&args).ok().out).unwrap();
    let median = |name: &str| told[name]["median"].as_u64().unwrap_or_else(|| panic!("{told}"));
    assert!((1..=5).contains(&median("questions_per_turn")), "{told}");
    assert!(median("passes_per_turn") <= 2, "{told}");
    assert!(told["questions_per_turn"]["worst"].as_u64() >= told["questions_per_turn"]["p95"].as_u64());
    assert!(median("covers_per_turn") <= 2, "{told}");
    let sum = |name: &str, what: &str| -> u64 {
        let kinds = told[name].as_object().unwrap_or_else(|| panic!("{told}")).values();
        kinds.map(|kind| kind[what].as_u64().unwrap()).sum()
    };
    assert_eq!(Some(sum("worst_turn", "questions")), told["questions_per_turn"]["worst"].as_u64());
    assert!(sum("questions_by_kind", "questions") > 2 * sum("questions_by_kind", "passes"), "{told}");
}
