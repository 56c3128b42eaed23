//! A bot for Lair in Rust that needs only `serde_json`. Copy this file into your own crate (`cargo new mybot`,
//! `cargo add serde_json`) and play against it with `--seats you,exec:./target/release/mybot`.
//!
//! It reads lines of JSON, and writes one line for every question. It builds the room that deals the most
//! damage and lures only heroes it can kill, acts when a hero would get through, and otherwise passes.
//! docs/bot-protocol.md explains the messages.

use std::collections::HashMap;
use std::io::{BufRead, Write};

use serde_json::{Value, json};

fn main() -> std::io::Result<()> {
    let mut bot = Bot::default();
    for line in std::io::stdin().lock().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else { continue };
        let answer = if message.get("hello").is_some() {
            json!({"hello": "rust-bot", "protocol": 3})
        } else if message.get("legal").is_some() {
            json!({"index": bot.choose(&message), "seq": message["seq"]})
        } else if message.get("bye").is_some() {
            break;
        } else {
            // {"start": ...} lists the cards; {"over": ...} and messages of later versions need no answer.
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
    /// The printed cards of this game, by `face`.
    cards: HashMap<u64, Value>,
}

impl Bot {
    fn read_cards(&mut self, cards: &Value) {
        for card in list(cards) {
            self.cards.insert(number(&card["face"]) as u64, card.clone());
        }
    }

    /// The index of the best answer.
    fn choose(&self, ask: &Value) -> usize {
        let values = list(&ask["legal"]).iter().map(|choice| self.value(choice, ask));
        // The first, if several are equally good.
        let best = values.enumerate().min_by_key(|(_, value)| -value);
        best.map_or(0, |(index, _)| index)
    }

    fn value(&self, choice: &Value, ask: &Value) -> i64 {
        let (view, question) = (&ask["view"], ask["decision"]["question"].as_str());
        let me = &view["seat"];
        let mine = &view["players"][(number(me) - 1).max(0) as usize];
        // Without building anything.
        let now = self.prospects(view, &Value::Null, &Value::Null);
        match choice["kind"].as_str() {
            Some("pass") => now + 1,
            Some("build") => {
                let (new, old) = (&choice["card"], &choice["on"]);
                let gain = 2 * (self.strength(new) - self.strength(old));
                match choice["dungeon"] == *me {
                    // The fifth room levels up our boss.
                    true => gain + if old.is_null() { 2 } else { 0 } + self.prospects(view, new, old),
                    false => now - gain,
                }
            }
            // Cards are precious: use one only when a hero would reach our boss.
            Some("use") => {
                let mut heroes = ["inside", "entrance"].iter().flat_map(|place| list(&mine[place]));
                let danger = heroes.any(|hero| hero["forecast"]["fate"] == "wounds");
                now + if danger { 4 } else { -2 }
            }
            Some("yes") if question == Some("mulligan") => -1,
            Some("yes") => 1,
            Some("pick") if choice["player"] == *me => -1,
            // What is picked usually suffers: better theirs than ours, and our weakest first.
            Some("pick") => {
                let (id, strength) = (&choice["card"]["id"], self.strength(&choice["card"]));
                let rooms = list(&mine["dungeon"]).iter().map(|room| &room["card"]["id"]);
                let hand = list(&mine["hand"]["cards"]).iter().map(|card| &card["id"]);
                if rooms.chain(hand).any(|ours| ours == id) { -strength } else { strength }
            }
            _ => 0,
        }
    }

    /// The value of the heroes we would lure from town with `new` built on `old`: heroes we can kill are
    /// welcome, others are not.
    fn prospects(&self, view: &Value, new: &Value, old: &Value) -> i64 {
        let (me, players) = (&view["seat"], list(&view["players"]));
        let Some(mine) = players.iter().find(|player| player["seat"] == *me) else { return 0 };
        let rooms = list(&mine["dungeon"]).iter().map(|room| number(&room["damage"]));
        let power = rooms.sum::<i64>() + self.strength(new) - self.strength(old);
        let mut total = 0;
        for hero in list(&view["town"]) {
            for class in ["cleric", "fighter", "mage", "thief", "explorer"] {
                let ours = number(&mine["treasure"][class]) + self.icons(new, class) - self.icons(old, class);
                let others = players.iter().filter(|player| player["seat"] != *me);
                let theirs = others.map(|player| number(&player["treasure"][class])).max().unwrap_or(0);
                if self.icons(&hero["card"], class) > 0 && ours > theirs {
                    total += if number(&hero["health"]) <= power { 8 } else { -16 };
                }
            }
        }
        total
    }

    /// A room's printed damage; 0 if we may not see it.
    fn strength(&self, card: &Value) -> i64 {
        self.text(card).map_or(0, |text| number(&text["damage"]))
    }

    fn icons(&self, card: &Value, class: &str) -> i64 {
        self.text(card).map_or(0, |text| number(&text["treasure"][class]))
    }

    fn text(&self, card: &Value) -> Option<&Value> {
        card["face"].as_u64().and_then(|face| self.cards.get(&face))
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or(0)
}
