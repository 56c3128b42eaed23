//! Tree to text to tree: nothing is lost, for any tree.

mod trees;

use cards::parse;
use proptest::prelude::*;

const BASE: &str = include_str!("../../../cards/bmr.cards");

#[test]
fn the_base_set_is_written_canonically() {
    let set = parse("bmr.cards", BASE).unwrap_or_else(|e| panic!("{e}"));
    let printed = set.to_string();
    let again = parse("printed", &printed).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(set, again);
    assert_eq!(printed, again.to_string());
    let without_comments: String =
        BASE.lines().filter(|l| !l.starts_with('#')).map(|l| format!("{l}\n")).collect();
    assert_eq!(printed, without_comments);
}

#[test]
fn parentheses_appear_where_they_are_needed() {
    let head = "set T \"T\"\n\nspell \"S\"\n  -  build  house\n  play\n    ";
    for line in [
        "require some room where (some hero in it) and no hero in town",
        "require some room where some hero in it and no hero in town",
        "require some room where ((you done or you active) and no hero in town)",
        "require (you done or you active) and not (you done and you active)",
        "require you done or you active and you done",
        "require you done and (you active and you done)",
        "require count room where (souls of you > 1) + 2 > 3",
        "require 4 > count room where souls of you > 1 + 2",
        "draw room 3 - (2 - 1)",
        "draw room 3 - 2 - 1",
        "until end of turn: room in dungeon has damage + 3 + 2",
        "until end of turn: room in dungeon has damage - count hero in it",
        "until end of turn: you have builds -1 while not you done",
        "damage hero where souls of you > 1 5",
    ] {
        let text = format!("{head}{line}\n");
        let set = parse("t", &text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(set.to_string(), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn any_tree(set in trees::set()) {
        let text = set.to_string();
        // A line that is too long is refused, as it should be; few are.
        prop_assume!(text.lines().all(|line| line.split_whitespace().count() < 60));
        let again = parse("t", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        prop_assert_eq!(&set, &again, "{}", text);
        prop_assert_eq!(text, again.to_string());
    }
}
