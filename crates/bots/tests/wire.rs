//! The game as JSON: it survives being written and read, tells nothing that a viewer may not know, and is what
//! docs/bot-protocol.md says.

mod common;

use std::collections::BTreeSet;

use bots::wire::{Answer, Ask, Hello, Over, Start, Table, ToBot};
use common::deal;
use engine::{Actions, Seat};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Plays by dice, and shows every question to `each`.
fn questions(games: u64, mut each: impl FnMut(&engine::Game, Seat, &Actions)) {
    for number in 0..games {
        let mut game = deal(number);
        let mut dice = bots::Dice::new(number);
        let mut legal = Actions::new();
        while let Some(decision) = game.decision() {
            game.legal(&mut legal);
            each(&game, decision.seat, &legal);
            // Passing less makes longer games.
            let from = usize::from(legal.len() > 1 && dice.below(3) > 0);
            game.apply(legal[from + dice.below(legal.len() - from)], &mut ()).expect("it is legal");
        }
    }
}

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).expect("it can be written");
    let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(read, *value);
    text
}

#[test]
fn what_is_written_can_be_read() {
    let mut longest = 0;
    questions(40, |game, seat, legal| {
        let view = game.view(Some(seat));
        let ask = Ask::of(&view, 1, legal).expect("the seat is asked");
        assert_eq!(ask.legal.len(), legal.len());
        assert_eq!((ask.decision.seat, ask.view.seat), (seat.0 + 1, Some(seat.0 + 1)));
        longest = longest.max(round_trip(&ToBot::Ask(ask)).len());
        if game.state.decisions().is_multiple_of(16) {
            round_trip(&ToBot::Start { start: Start::of(&view) });
            round_trip(&Table::of(&game.view(None)));
        }
        let other = Seat((seat.0 + 1) % game.state.rules().players);
        assert_eq!(Ask::of(&game.view(Some(other)), 1, legal), None);
    });
    assert!(longest < 100_000, "{longest} bytes");
}

/// Answers are told apart: no two of a list are the same to a program.
#[test]
fn every_answer_says_what_it_is() {
    questions(40, |game, seat, legal| {
        let ask = Ask::of(&game.view(Some(seat)), 1, legal).expect("the seat is asked");
        for (i, choice) in ask.legal.iter().enumerate() {
            let same = ask.legal[..i].iter().find(|other| other.act == choice.act);
            if let Some(same) = same {
                panic!("{same:?} is there twice: {:?}", ask.decision);
            }
            assert!(!choice.words.is_empty());
        }
    });
}

#[test]
fn the_end_is_told_to_everybody() {
    let mut game = deal(3);
    let mut legal = Actions::new();
    while game.decision().is_some() {
        assert_eq!(Over::of(&game.view(None)), None);
        game.legal(&mut legal);
        game.apply(legal[0], &mut ()).expect("it is legal");
    }
    let over = Over::of(&game.view(None)).expect("it is over");
    assert_eq!(over.winner, game.outcome().map(|outcome| outcome.winner.0 + 1));
    assert_eq!((over.souls.len(), over.turns), (usize::from(game.state.rules().players), game.state.turn()));
    round_trip(&ToBot::Over { over });
}

/// Worlds that look alike are told alike, and what a player has not seen has no face.
#[test]
fn nothing_is_told_that_may_not_be_known() {
    let mut hidden = 0;
    questions(20, |game, seat, legal| {
        let players = game.state.rules().players;
        for viewer in (0..players).map(|seat| Some(Seat(seat))).chain([None]) {
            let view = game.view(viewer);
            let told = serde_json::to_value(Table::of(&view)).expect("it can be written");
            let world = view.sample(u64::from(game.state.decisions()));
            assert_eq!(told, serde_json::to_value(Table::of(&world.view(viewer))).expect("likewise"));
            each_card(&told, &mut |card| {
                let id = engine::CardId(card["id"].as_u64().expect("a number") as u16);
                let seen = game.has_seen(id, viewer);
                hidden += u32::from(!seen);
                assert_eq!(card["face"].is_u64(), seen, "{card}");
            });
        }
        let view = game.view(Some(seat));
        let world = view.sample(7).view(Some(seat));
        assert_eq!(Ask::of(&view, 3, legal), Ask::of(&world, 3, legal));
    });
    assert!(hidden > 1000, "{hidden} card backs are too few to mean much");
}

fn each_card(value: &Value, each: &mut impl FnMut(&Value)) {
    if value.get("id").is_some() {
        each(value);
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| each_card(item, each)),
        Value::Object(fields) => fields.values().for_each(|field| each_card(field, each)),
        _ => {}
    }
}

// ---- the document ----

const DOCUMENT: &str = include_str!("../../../docs/bot-protocol.md");

/// The examples marked as JSON, with the line they begin at.
fn examples() -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (number, line) in DOCUMENT.lines().enumerate() {
        match (line, inside) {
            ("```json", false) => {
                inside = true;
                found.push((number + 2, String::new()));
            }
            ("```", true) => inside = false,
            (text, true) => found.last_mut().expect("one has begun").1 += &format!("{text}\n"),
            _ => {}
        }
    }
    found
}

/// Read as the type and written again, it must be the same: no field is missing or made up.
#[test]
fn every_example_of_the_document_is_a_message() {
    let (mut kinds, mut count) = (BTreeSet::new(), 0);
    for (line, text) in examples() {
        let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("line {line}: {error}"));
        let to_bot = serde_json::from_value::<ToBot>(value.clone()).ok();
        let answer = serde_json::from_value::<Answer>(value.clone()).ok();
        let again = match (&to_bot, &answer) {
            (Some(message), _) => serde_json::to_value(message),
            (_, Some(answer)) => serde_json::to_value(answer),
            _ => panic!("line {line} is no message: {text}"),
        };
        assert_eq!(again.expect("it can be written"), value, "line {line}");
        kinds.insert(match to_bot {
            Some(ToBot::Hello(Hello { hello, .. })) if hello == "lair" => "hello",
            Some(ToBot::Hello(_)) => "hello back",
            Some(ToBot::Start { .. }) => "start",
            Some(ToBot::Ask(_)) => "question",
            Some(ToBot::Over { .. }) => "over",
            Some(ToBot::Bye { .. }) => "bye",
            None => "answer",
        });
        count += 1;
    }
    assert_eq!(kinds.len(), 7, "{count} examples show only {kinds:?}");
}

/// Whatever a program can be told is explained.
#[test]
fn every_field_and_word_is_in_the_document() {
    let mut words = BTreeSet::new();
    questions(30, |game, seat, legal| {
        let view = game.view(Some(seat));
        let ask = Ask::of(&view, 1, legal).expect("the seat is asked");
        words.insert(ask.decision.question.clone());
        let mut values = vec![serde_json::to_value(&ask)];
        if game.state.decisions() < 2 {
            values.push(serde_json::to_value(Start::of(&view)));
        }
        values.into_iter().for_each(|value| names(&value.expect("it can be written"), &mut words));
    });
    for field in [
        "last_turn",
        "lured_to",
        "forecast",
        "source",
        "room",
        "player",
        "class",
        "option",
        "winner",
        "reason",
        "turns",
    ] {
        words.insert(field.into());
    }
    let missing: Vec<_> = words.iter().filter(|word| !DOCUMENT.contains(&format!("`{word}`"))).collect();
    assert!(missing.is_empty(), "not in docs/bot-protocol.md: {missing:?}");
    assert!(words.len() > 60, "{words:?}");
}

/// Names of fields, and the values that are one of a few words.
fn names(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| names(item, words)),
        Value::Object(fields) => {
            for (name, field) in fields {
                words.insert(name.clone());
                if let ("kind" | "phase" | "fate" | "subtype" | "class", Some(word)) =
                    (name.as_str(), field.as_str())
                {
                    words.insert(word.into());
                }
                names(field, words);
            }
        }
        _ => {}
    }
}
