//! The vocabulary as TypeScript: what people call kinds, phases and classes, in the order of the
//! game. The client has no list of its own.

use std::fmt::Write;

use cards::deck::PARTS;
use cards::english::capital;
use cards::vocabulary::{Class, Kind, Phase};
use serde::Serialize;

#[derive(Serialize)]
struct KindWords {
    name: String,
    plural: String,
    home: super::Zone,
}

#[derive(Serialize)]
struct ClassWords {
    name: &'static str,
    letter: char,
}

/// Constants to follow the types.
pub fn vocabulary() -> String {
    let mut out = String::new();
    let kinds = Kind::ALL.map(|kind| {
        (kind, KindWords { name: capital(kind.name()), plural: capital(kind.plural()), home: kind.home() })
    });
    let note = "What a card can be, and where it lies before the game.";
    table(&mut out, note, "KIND_WORDS", "Kind, { name: string, plural: string, home: Zone }", &kinds);
    let phases = Phase::ALL.map(|phase| (phase, phase.title()));
    table(&mut out, "The parts of a turn, as a bar lists them.", "PHASE_WORDS", "Phase, string", &phases);
    let note = "The words of deck files for parts of a set, and the kinds of cards in them.";
    table(&mut out, note, "DECK_PARTS", "string, readonly Kind[]", &PARTS);
    let classes = Class::ALL.map(|class| (class, ClassWords { name: class.word(), letter: class.letter() }));
    let types = "Class, { name: string, letter: string }";
    table(&mut out, "The treasure classes.", "CLASS_WORDS", types, &classes);
    out
}

fn table<K: Serialize, V: Serialize>(out: &mut String, note: &str, name: &str, types: &str, rows: &[(K, V)]) {
    let rows: String = rows.iter().map(|(key, row)| format!("  {}: {},\n", json(key), json(row))).collect();
    let _ = write!(out, "\n/** {note} */\nexport const {name}: Readonly<Record<{types}>> = {{\n{rows}}};\n");
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| unreachable!("plain data: {error}"))
}
