//! The game as JSON: it survives being written and read, reveals nothing that the viewer may not know, and
//! matches docs/bot-protocol.md.

mod common;

use std::collections::BTreeSet;

use common::{deal, deal_with};
use engine::{Actions, Rules, Seat};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use wire::{Answer, Ask, Hello, Over, Start, Table, ToBot};

/// Plays at random, and passes every question to `each`.
fn questions(games: u64, each: impl FnMut(&engine::Game, Seat, &Actions)) {
    questions_of((0..games).map(deal), each);
}

fn questions_of<'a>(
    games: impl Iterator<Item = engine::Game<'a>>,
    mut each: impl FnMut(&engine::Game, Seat, &Actions),
) {
    for (number, mut game) in games.enumerate() {
        let mut rng = bots::BotRng::new(number as u64);
        let mut legal = Actions::new();
        while let Some(decision) = game.decision() {
            game.legal(&mut legal);
            each(&game, decision.seat, &legal);
            // Pass less often, for longer games.
            let from = usize::from(legal.len() > 1 && rng.below(3) > 0);
            game.apply(legal[from + rng.below(legal.len() - from)], &mut ()).expect("it is legal");
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

/// Rule 10.4: a hero dies in the room where its damage reaches its health, and not before.
#[test]
fn a_forecast_adds_damage_up_to_the_death() {
    let (mut deaths, mut survivals) = (0, 0);
    questions(20, |game, seat, _| {
        let table = Table::of(&game.view(Some(seat)));
        let inside = table.players.iter().flat_map(|player| player.entrance.iter().chain(&player.inside));
        for hero in table.town.iter().chain(inside) {
            let Some(forecast) = &hero.forecast else { continue };
            let mut taken = hero.damage;
            for walked in &forecast.rooms {
                taken += walked.damage;
                assert_eq!(walked.taken, taken, "{hero:?}");
            }
            let Some((last, before)) = forecast.rooms.split_last() else { continue };
            assert!(before.iter().all(|walked| walked.taken < hero.health), "{hero:?}");
            match forecast.fate {
                wire::Fate::Dies => deaths += usize::from(last.taken >= hero.health),
                wire::Fate::Wounds => survivals += usize::from(last.taken < hero.health),
                wire::Fate::StaysOut => {}
            }
        }
    });
    assert!(deaths > 100 && survivals > 100, "{deaths} deaths, {survivals} survivals");
}

/// So that a program need not parse them out of the facts line or the name.
#[test]
fn a_card_lists_its_facts_separately() {
    let of = |deck| {
        let game = common::deal_with(1, engine::Rules::classic(4), deck);
        Start::of(&game.view(None)).cards
    };
    let cards = [of("bmr"), of("tnl")].concat();
    let card = |name: &str| cards.iter().find(|card| card.name == name).expect(name);
    assert_eq!(card("Draculord, Hypnotic Vampire").short_name.as_deref(), Some("Draculord"));
    assert_eq!(card("Goblin Armory").short_name, None);
    let (ballroom, armory) = (card("Monster's Ballroom"), card("Goblin Armory"));
    assert_eq!((ballroom.damage, ballroom.damage_varies), (Some(0), true));
    assert_eq!((armory.damage, armory.damage_varies), (Some(1), false));
    assert!(card("Barbarian").dark && !card("Damok, Dragon Hunter").dark);
}

/// No two answers in a list look the same to a program.
#[test]
fn every_answer_is_distinct() {
    questions(40, |game, seat, legal| {
        let ask = Ask::of(&game.view(Some(seat)), 1, legal).expect("the seat is asked");
        for (i, choice) in ask.legal.iter().enumerate() {
            let same = ask.legal[..i].iter().find(|other| other.act == choice.act);
            if let Some(same) = same {
                panic!("{same:?} is listed twice: {:?}", ask.decision);
            }
            assert!(!choice.words.is_empty());
        }
    });
}

#[test]
fn everyone_is_told_how_the_game_ended() {
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

/// Worlds that look alike serialize alike, and unseen cards have no face.
#[test]
fn nothing_hidden_is_revealed() {
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

/// The examples marked as JSON, with the line they start at.
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

/// Read as its type and written again, it must be the same: no field is missing or invented.
#[test]
fn every_example_in_the_document_is_a_message() {
    let (mut kinds, mut count) = (BTreeSet::new(), 0);
    for (line, text) in examples() {
        let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("line {line}: {error}"));
        let to_bot = serde_json::from_value::<ToBot>(value.clone()).ok();
        let answer = serde_json::from_value::<Answer>(value.clone()).ok();
        let again = match (&to_bot, &answer) {
            (Some(message), _) => serde_json::to_value(message),
            (_, Some(answer)) => serde_json::to_value(answer),
            _ => panic!("line {line} is not a message: {text}"),
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

/// Every field and every fixed value is explained.
#[test]
fn every_field_and_word_is_in_the_document() {
    let mut words = BTreeSet::new();
    let by = |ruleset: &str, players| {
        Rules::classic(players).with_ruleset(ruleset.parse().unwrap_or_else(|error| panic!("{error}")))
    };
    let pieces = (0..12).map(|seed| deal_with(seed, by("classic", 2 + (seed % 3) as u8), "rmb-crl-thk"));
    let board = (0..4).map(|seed| deal_with(seed, by("super", 2 + (seed % 3) as u8), "sbm"));
    let alone = (0..2).map(|seed| deal_with(seed, by("solo", 1), "sbm-solo"));
    let games = (0..30).map(deal).chain(pieces).chain(board).chain(alone);
    questions_of(games, |game, seat, legal| {
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

/// Field names, and values from a fixed set of words.
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
