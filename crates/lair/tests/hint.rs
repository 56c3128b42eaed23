//! Advice: about a record, during a game, and after wrong usage.

mod common;

use common::{lair, scratch, typed};
use engine::record::{Record, SeatText};

/// A game saved after a few decisions by a person.
fn begun(name: &str, answers: usize) -> String {
    let file = scratch(name).to_str().unwrap().to_string();
    let answers = "1 1\n".repeat(answers);
    typed(&["play", "--seed", "3", "--names", "Ann", "--seats", "you,minion", "--save", &file], &answers)
        .ok();
    file
}

#[test]
fn the_open_decision_and_an_earlier_one() {
    let file = begun("hint.json", 8);
    let open = lair(&["hint", &file]).ok().out;
    assert!(open.starts_with("Step ") && open.contains("Ann: ") && open.contains('%'), "{open}");
    assert!(!open.contains("played"), "{open}");
    assert_eq!(open, lair(&["hint", &file]).ok().out);
    let earlier = lair(&["hint", &format!("{file}@1"), "--level", "greedy", "--top", "1"]).ok().out;
    assert!(earlier.starts_with("Step 1, turn 0, ") && earlier.contains("played"), "{earlier}");
    assert_eq!(earlier.lines().count(), 4, "{earlier}");
    let json = lair(&["hint", &format!("{file}@2"), "--json", "--top", "2"]).ok().out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["step"], &json["bot"]), (&2.into(), &"grand-boss".into()));
    let advice = json["advice"].as_array().unwrap();
    assert!((1..=2).contains(&advice.len()) && json["played"].is_string(), "{json}");
    assert!(advice.iter().all(|idea| idea["answer"].is_string() && idea["reason"].is_string()), "{json}");
}

/// With `--cover`, as on a server, players who can only pass are asked as well.
#[test]
fn a_game_with_cover() {
    let sets = cards::library::sets();
    let deck = cards::library::deck("bmr", &sets).unwrap();
    let engine::Setup { rules, seed, .. } = "--players 2 --deck bmr --cover --seed 3".parse().unwrap();
    let seat = |name: &str| SeatText { name: name.into(), kind: "boss".into() };
    let db = deck.compile(&sets).unwrap();
    let record = Record::new(rules, seed, &deck, &db, vec![seat("Ann"), seat("Ben")]);
    let file = scratch("cover.json").to_str().unwrap().to_string();
    std::fs::write(&file, serde_json::to_string(&record).unwrap()).unwrap();
    lair(&["play", "--resume", &file]).ok();
    let played: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let steps = played["actions"].as_array().unwrap().len();
    assert!(steps > 60, "{steps}");
    for step in (1..=steps).step_by(5) {
        let said = lair(&["hint", &format!("{file}@{step}"), "--level", "search:20"]).ok().out;
        assert!(said.starts_with(&format!("Step {step}, ")), "{said}");
    }
}

#[test]
fn wrong_usage_is_refused_with_what_to_do() {
    let file = begun("wrong.json", 4);
    lair(&["hint", &format!("{file}@4000")]).fails_with("there is no step 4000: the record has ");
    lair(&["hint", &format!("{file}@soon")]).refused_with("`soon` is not a valid step: write a number");
    lair(&["hint", &format!("{file}@0")]).refused_with("`0` is not a valid step");
    lair(&["hint", &file, "--level", "ogre"]).refused_with("there is no bot `ogre`");
    lair(&["hint", &file, "--level", "exec:no-such-bot"]).fails_with("program `no-such-bot` not found");
    lair(&["hint", &file, "--top", "0"]).refused_with("0 is not in 1..=50");
    lair(&["hint", "no-such-file.json@3"]).fails_with("file not found");
    let over = begun("over.json", 3000);
    lair(&["hint", &over]).fails_with("this game is over: name one of its ");
    lair(&["hint", &format!("{over}@7")]).ok();
}

#[test]
fn a_hint_does_not_answer_the_question() {
    let args = ["play", "--seed", "3", "--names", "Ann", "--seats", "you,minion"];
    let plain = typed(&args, "").ok().out;
    let hinted = typed(&args, "hint\nHINT\n").ok().out;
    let question = |text: &str| text.lines().rfind(|line| line.contains("? helps >")).unwrap().to_string();
    assert!(hinted.matches('%').count() > plain.matches('%').count() + 1, "{hinted}");
    assert_eq!(question(&plain), question(&hinted), "{hinted}");
}
