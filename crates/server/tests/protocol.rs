//! The protocol's document tells the truth.

use std::collections::BTreeSet;

use serde_json::Value;
use server::wire::{ClientMsg, ServerMsg};

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

fn examples() -> impl Iterator<Item = &'static str> {
    DOCUMENT.split("```json\n").skip(1).filter_map(|rest| rest.split("\n```").next())
}

/// Read as the type and written again, it must be the same: no field is missing or made up.
#[test]
fn every_example_of_the_document_is_a_message() {
    let mut kinds = BTreeSet::new();
    for text in examples() {
        let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let client = serde_json::from_value::<ClientMsg>(value.clone()).ok();
        let server = serde_json::from_value::<ServerMsg>(value.clone()).ok();
        let again = match (&client, &server) {
            (Some(message), _) => serde_json::to_value(message),
            (_, Some(message)) => serde_json::to_value(message),
            _ => panic!("no message: {text}"),
        };
        assert_eq!(again.expect("it can be written"), value);
        kinds.insert((client.is_some(), value["type"].to_string()));
    }
    let types = |name: &str| {
        let union = server::wire::typescript();
        let line = union.lines().find(|line| line.starts_with(&format!("export type {name} ="))).expect("a type");
        line.matches("\"type\": \"").count()
    };
    let shown = |client| kinds.iter().filter(|(of_client, _)| *of_client == client).count();
    assert_eq!(shown(true), types("ClientMsg"), "{kinds:?}");
    assert_eq!(shown(false), types("ServerMsg"), "{kinds:?}");
}

/// Whatever a message can hold is explained.
#[test]
fn every_word_is_in_the_document() {
    let types = server::wire::typescript();
    let line = |name: &str| {
        let start = types.find(&format!("export type {name} =")).expect("a type");
        types[start..].split(';').next().expect("a line")
    };
    for name in ["Refusal", "Farewell", "UndoAllowed", "StopAt"] {
        for word in line(name).split('"').skip(1).step_by(2) {
            assert!(DOCUMENT.contains(&format!("`{word}`")), "{name} {word} is not explained");
        }
    }
}
