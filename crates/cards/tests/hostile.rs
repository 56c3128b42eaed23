//! Any text gets an answer: no panic, no long wait.

use cards::{CardDb, lex, load, parse, report};
use proptest::prelude::*;

const BASE: &str = include_str!("../../../cards/bmr.cards");
const SECOND: &str = include_str!("../../../cards/tnl.cards");

/// Reads, and shows what is wrong, as a program would; what passes the checker compiles.
fn survive(text: &str) {
    match load("hostile.cards", text) {
        Ok((set, _)) => {
            drop(set.to_string());
            let built = CardDb::build(std::slice::from_ref(&set));
            assert!(built.is_ok(), "checked, yet {:?}:\n{text}", built.err());
        }
        Err(errors) => {
            assert!(!errors.problems.is_empty());
            assert!(errors.problems.iter().all(|p| p.line > 0 && p.column > 0));
            drop(errors.to_string());
        }
    }
}

/// Both sets, card by card, each with its own `set` line.
fn cards() -> Vec<Vec<&'static str>> {
    let mut cards: Vec<Vec<&str>> = Vec::new();
    let lines = BASE.lines().skip(2).chain(SECOND.lines().skip(2));
    for line in lines.filter(|l| !l.trim().is_empty()) {
        if !line.starts_with(' ') {
            cards.push(vec!["set BMR \"B\""]);
        }
        if let Some(card) = cards.last_mut() {
            card.push(line);
        }
    }
    cards
}

#[test]
fn one_word_dropped_doubled_or_swapped() {
    let mut refused = 0;
    let mut dropped = 0;
    for card in cards() {
        for at in 1..card.len() {
            let indent = &card[at][..card[at].len() - card[at].trim_start().len()];
            let words: Vec<&str> = card[at].split_whitespace().collect();
            let mut variants = Vec::new();
            for i in 0..words.len() {
                let mut less = words.clone();
                less.remove(i);
                variants.push((true, less));
                let mut more = words.clone();
                more.insert(i, words[i]);
                variants.push((false, more));
                if i > 0 {
                    let mut other = words.clone();
                    other.swap(i - 1, i);
                    variants.push((false, other));
                }
            }
            for (drop, words) in variants {
                let line = format!("{indent}{}", words.join(" "));
                let mut lines = card.clone();
                lines[at] = &line;
                let text = lines.join("\n");
                survive(&text);
                if drop && card[at].starts_with("    ") {
                    dropped += 1;
                    refused += usize::from(load("x", &text).is_err());
                }
            }
        }
    }
    // The rest say another valid thing, such as `hero in town` without its `where`.
    assert!(refused * 100 >= dropped * 75, "{refused} of {dropped} refused");
}

#[test]
fn every_prefix_of_a_card() {
    let card = cards().into_iter().find(|c| c[1].contains("Succubus")).expect("a card");
    let text = card.join("\n");
    for (end, _) in text.char_indices() {
        survive(&text[..end]);
    }
}

#[test]
fn deep_and_long() {
    let head = "set T \"T\"\nroom \"R\"\n  -  trap  damage 1\n  ability\n";
    for body in [
        format!("    require {}you done", "not ".repeat(100_000)),
        format!("    require {}you done", "not ".repeat(100)),
        format!("    require {}", "(".repeat(100_000)),
        format!("    require {}you done{}", "(".repeat(55), ")".repeat(55)),
        format!("    require some room where {}", "(".repeat(110)),
        format!("    require {}", "some room where ".repeat(36)),
        format!("    require {}", "some room where (".repeat(28)),
        format!("    require {}", "some room where not (".repeat(23)),
        format!("    destroy {}this", "owner of ".repeat(50_000)),
        format!("    destroy {}this", "owner of ".repeat(55)),
        format!("    draw room 1{}", " + 1".repeat(50)),
        format!("    draw room 1{}", " - (1".repeat(38)),
        format!("    draw room 1{}{}", " - (1".repeat(28), ")".repeat(28)),
        format!("    draw room {}1", "count room where 1 > ".repeat(22)),
        "    take room in discard".to_owned() + &" or discard".repeat(50),
        "    may\n".repeat(50_000),
        (0..3000).map(|i| format!("{}may\n", " ".repeat(i + 4))).collect(),
        (0..3000).map(|i| format!("{}may\n", " ".repeat(3004 - i))).collect(),
        "    draw room 1\n".repeat(20_000),
        "\n".repeat(500_000),
        format!("    # {}", "x".repeat(900_000)),
        format!("    {}", "x".repeat(900_000)),
        format!("    {}", "é".repeat(400_000)),
        format!("    \"{}", "\\".repeat(100_000)),
        format!("    draw room {}", "9".repeat(100_000)),
    ] {
        survive(&format!("{head}{body}"));
    }
    survive(&"room \"R\"\n  -  trap  damage 1\n".repeat(20_000));
    survive(&"x".repeat(lex::MAX_BYTES + 1));
    survive("\u{feff}set T \"T\"\r\nroom \"R\"\r\n  -  trap  damage 1\r\n");
    survive("set T \"T\u{0}\"\n\u{0}\u{1}\n\u{2028}");
    assert!(parse("crlf", "set T \"T\"\r\nroom \"R\"\r\n  -  trap  damage 1\r\n").is_ok());
}

#[test]
fn reading_stops_after_twenty_problems_and_says_so() {
    let head = "set T \"T\"\n";
    for body in [
        "nonsense\n".repeat(50_000),
        "§ ".repeat(50_000),
        "§\n".repeat(50_000),
        "room \"R\"\n  -  trap  damage 1\n".repeat(20_000),
        (0..5_000).map(|n| format!("room \"R{n}\"\n  -  trap  damage 1\n  ability\n    hop\n")).collect(),
    ] {
        let errors = load("hostile.cards", &format!("{head}{body}")).expect_err("it was read");
        assert_eq!(errors.problems.len(), report::MAX_PROBLEMS);
        assert!(errors.to_string().ends_with("only the first 20 are listed"), "{errors}");
    }
}

fn soup() -> impl Strategy<Value = String> {
    let words: Vec<&str> = lex::vocabulary()
        .iter()
        .copied()
        .chain(["h", "p", "c", "x2", "x0", "0", "1", "2", "300", "=", "<", ">=", "+", "-", "*", ":"])
        .chain(["(", ")", "\"T\"", "BMR001", "A", "#", "\"", "\n  ", "\n    ", "\n      ", "\n"])
        .collect();
    prop::collection::vec(prop::sample::select(words), 0..60).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn random_text(text in ".{0,200}") {
        survive(&text);
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_words(text in soup()) {
        survive(&text);
        survive(&format!("set T \"T\"\nroom \"R\"\n  -  trap  damage 1\n  ability\n    {text}"));
    }

    #[test]
    fn random_edits_of_the_base_set(at in 0..BASE.len(), cut in 0usize..20, put in "[a-z \n\"=()#x0-9é]{0,5}") {
        let at = BASE.floor_char_boundary(at);
        let end = BASE.floor_char_boundary((at + cut).min(BASE.len()));
        survive(&format!("{}{put}{}", &BASE[..at], &BASE[end..]));
    }
}
