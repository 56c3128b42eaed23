//! A bot for Lair in Rust, with `serde_json` and nothing of Lair's: copy this file into a crate of your own with
//! `cargo new mybot` and `cargo add serde_json`, and play against it with `--seats you,exec:./target/release/mybot`.
//!
//! It reads one line of JSON, and writes one line for every question. It goes by what the heroes would do: the
//! forecasts in the view say who would lure whom, and who would get through. docs/bot-protocol.md explains the
//! messages.

use std::collections::HashMap;
use std::io::{BufRead, Write};

use serde_json::{Value, json};

fn main() -> std::io::Result<()> {
    let mut bot = Bot::default();
    for line in std::io::stdin().lock().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else { continue };
        let answer = if message.get("hello").is_some() {
            json!({"hello": "rust-bot", "protocol": 1})
        } else if message.get("legal").is_some() {
            json!({"index": bot.choose(&message), "seq": message["seq"]})
        } else if message.get("bye").is_some() {
            break;
        } else {
            // {"start": ...} tells the cards; {"over": ...} and what comes in later versions needs no answer.
            bot.read_cards(&message["start"]["cards"]);
            continue;
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

#[derive(Default)]
struct Bot {
    /// What is printed on the cards of this game, by `face`.
    cards: HashMap<u64, Value>,
}

impl Bot {
    fn read_cards(&mut self, cards: &Value) {
        for card in cards.as_array().into_iter().flatten() {
            self.cards.insert(number(&card["face"]) as u64, card.clone());
        }
    }

    /// The place of the best answer in the list.
    fn choose(&self, ask: &Value) -> usize {
        let legal = ask["legal"].as_array().map_or(&[][..], Vec::as_slice);
        let values = legal.iter().map(|choice| self.worth(choice, ask));
        // The first of the best.
        let best = values.enumerate().min_by_key(|(_, value)| -value);
        best.map_or(0, |(index, _)| index)
    }

    fn worth(&self, choice: &Value, ask: &Value) -> i64 {
        let (view, question) = (&ask["view"], ask["decision"]["question"].as_str());
        let me = &view["seat"];
        let mine = &view["players"][(number(me) - 1).max(0) as usize];
        match choice["kind"].as_str() {
            Some("pass") => 1,
            Some("build") => {
                let new_place = choice.get("on").is_none();
                let gain = self.strength(&choice["card"]) - self.strength(&choice["on"]);
                let gain = 2 * gain + if new_place { 6 } else { 0 };
                if choice["dungeon"] == *me { gain } else { -gain }
            }
            // Cards are precious: use one only when a hero would reach our boss.
            Some("use") => {
                let heroes = ["inside", "entrance"].iter().flat_map(|place| mine[place].as_array());
                let danger = heroes.flatten().any(|hero| hero["forecast"]["fate"] == "wounds");
                if danger { 4 } else { -2 }
            }
            Some("yes") if question == Some("mulligan") => -1,
            Some("yes") => 1,
            Some("pick") if choice["player"] == *me => -1,
            // Chosen things mostly suffer: rather theirs than ours, and our weakest.
            Some("pick") => {
                let (id, strength) = (&choice["card"]["id"], self.strength(&choice["card"]));
                let rooms = mine["dungeon"].as_array().into_iter().flatten().map(|room| &room["card"]["id"]);
                let hand = mine["hand"]["cards"].as_array().into_iter().flatten().map(|card| &card["id"]);
                if rooms.chain(hand).any(|ours| ours == id) { -strength } else { strength }
            }
            _ => 0,
        }
    }

    /// What a room is worth: damage kills, treasure lures. Nothing, if we may not see it.
    fn strength(&self, card: &Value) -> i64 {
        let Some(text) = card["face"].as_u64().and_then(|face| self.cards.get(&face)) else { return 0 };
        let treasure = text["treasure"].as_object().into_iter().flatten();
        2 * number(&text["damage"]) + treasure.map(|(_, count)| number(count)).sum::<i64>()
    }
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or(0)
}
