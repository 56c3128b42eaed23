//! docs/protocol.md is correct and complete.

use std::collections::BTreeSet;

use serde_json::Value;
use server::wire::{ClientMsg, ServerMsg};

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

fn examples() -> impl Iterator<Item = &'static str> {
    DOCUMENT.split("```json\n").skip(1).filter_map(|rest| rest.split("\n```").next())
}

/// Read as its type and written again, it must be the same: no field is missing or invented.
#[test]
fn every_example_in_the_document_is_a_message() {
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
        let line =
            union.lines().find(|line| line.starts_with(&format!("export type {name} ="))).expect("a type");
        line.matches("\"type\": \"").count()
    };
    let shown = |client| kinds.iter().filter(|(of_client, _)| *of_client == client).count();
    assert_eq!(shown(true), types("ClientMsg"), "{kinds:?}");
    assert_eq!(shown(false), types("ServerMsg"), "{kinds:?}");
}

/// Every field and fixed value is explained.
#[test]
fn every_word_is_in_the_document() {
    let types = server::wire::typescript();
    let line = |name: &str| {
        let start = types.find(&format!("export type {name} =")).expect("a type");
        types[start..].split(';').next().expect("a line")
    };
    for name in ["Refusal", "CloseReason", "UndoAllowed", "StopAt"] {
        for word in line(name).split('"').skip(1).step_by(2) {
            assert!(DOCUMENT.contains(&format!("`{word}`")), "{name} {word} is not explained");
        }
    }
}

/// In every message of a client, and in every object within it.
#[test]
fn unknown_fields_are_refused() {
    let mut tried = 0;
    for text in examples() {
        let Ok(message) = ClientMsg::read(text) else { continue };
        let value: Value = serde_json::to_value(&message).expect("it can be written");
        let fields = value.as_object().expect("an object").iter();
        let inner: Vec<String> =
            fields.filter(|(_, value)| value.is_object()).map(|(name, _)| format!("/{name}")).collect();
        for place in inner.iter().map(String::as_str).chain([""]) {
            let mut wrong = value.clone();
            wrong.pointer_mut(place).expect("it is there")["surprise"] = 1.into();
            let refused = ClientMsg::read(&wrong.to_string()).expect_err("an unknown field");
            assert!(refused.to_string().contains("unknown field `surprise`"), "{wrong}: {refused}");
            tried += 1;
        }
    }
    assert!(tried > 15, "{tried}");
}
