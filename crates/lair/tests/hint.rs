//! Advice: about a record, at the table, and what can be asked wrongly.

mod common;

use common::{lair, scratch, typed};

/// A game that is saved after a few decisions of a person.
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

/// At a table of people those who can only pass are asked as well; such records come from the server.
#[test]
fn a_game_in_which_everybody_is_asked_for_cover() {
    let file = begun("cover.json", 1);
    let mut record: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    record["setup"] = format!("{} --cover", record["setup"].as_str().unwrap()).into();
    record["actions"] = serde_json::json!([]);
    for seat in record["seats"].as_array_mut().unwrap() {
        seat["kind"] = "boss".into();
    }
    std::fs::write(&file, record.to_string()).unwrap();
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
fn what_is_asked_wrongly_is_answered_with_the_way_out() {
    let file = begun("wrong.json", 4);
    lair(&["hint", &format!("{file}@4000")]).fails_with("there is no step 4000: the record has ");
    lair(&["hint", &format!("{file}@soon")]).refused_with("`soon` is no step: write a number");
    lair(&["hint", &format!("{file}@0")]).refused_with("`0` is no step");
    lair(&["hint", &file, "--level", "ogre"]).refused_with("no bot is called `ogre`");
    lair(&["hint", &file, "--level", "exec:no-such-bot"]).fails_with("there is no program `no-such-bot`");
    lair(&["hint", &file, "--top", "0"]).refused_with("0 is not in 1..=50");
    lair(&["hint", "no-such-file.json@3"]).fails_with("there is no such file");
    let over = begun("over.json", 3000);
    lair(&["hint", &over]).fails_with("this game is over: name one of its ");
    lair(&["hint", &format!("{over}@7")]).ok();
}

#[test]
fn at_the_table_a_hint_is_no_answer() {
    let args = ["play", "--seed", "3", "--names", "Ann", "--seats", "you,minion"];
    let plain = typed(&args, "").ok().out;
    let hinted = typed(&args, "hint\nHINT\n").ok().out;
    let question = |text: &str| text.lines().rfind(|line| line.contains("? helps >")).unwrap().to_string();
    assert!(hinted.matches('%').count() > plain.matches('%').count() + 1, "{hinted}");
    assert_eq!(question(&plain), question(&hinted), "{hinted}");
}
