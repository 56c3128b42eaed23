//! docs/card-language.md is true: its examples load, its messages and its English are what the program prints,
//! its limits are the limits, and no word of the language is without an example.

use std::collections::BTreeSet;

use cards::english::card_text;
use cards::tree::*;
use cards::{check, code, db, lex, load, report};

const PAGE: &str = include_str!("../../../docs/card-language.md");
const FILE: &str = "docs.cards";

struct Block {
    /// The info string after the fence.
    kind: &'static str,
    /// The line number of the fence.
    line: usize,
    text: String,
}

fn blocks() -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut open = false;
    for (index, line) in PAGE.lines().enumerate() {
        match (open, line.strip_prefix("```")) {
            (false, Some(kind)) => {
                open = true;
                out.push(Block { kind, line: index + 1, text: String::new() });
            }
            (true, Some(_)) => open = false,
            (true, None) => {
                let block = out.last_mut().expect("an open block");
                block.text.push_str(line);
                block.text.push('\n');
            }
            (false, None) => {}
        }
    }
    assert!(!open, "the last block is not closed");
    out
}

/// A whole set: an example may leave out the line that begins it.
fn whole(block: &Block) -> String {
    match block.text.starts_with("set ") {
        true => block.text.clone(),
        false => format!("set DOC \"Docs\"\n{}", block.text),
    }
}

fn examples() -> impl Iterator<Item = Block> {
    blocks().into_iter().filter(|block| block.kind == "cards")
}

fn loaded(block: &Block) -> Set {
    let (set, warnings) =
        load(FILE, &whole(block)).unwrap_or_else(|errors| panic!("line {}:\n{errors}", block.line));
    assert!(warnings.is_empty(), "line {}: {}", block.line, warnings[0].message());
    set
}

#[test]
fn every_example_loads_compiles_and_is_written_canonically() {
    assert!(examples().count() > 10);
    for block in examples() {
        let set = loaded(&block);
        assert!(!set.cards.is_empty(), "line {}", block.line);
        if let Err(error) = db::CardDb::build(std::slice::from_ref(&set)) {
            panic!("line {}: {error}", block.line);
        }
        let bare = |text: &str| {
            let lines = text.lines().map(|line| line.split(" #").next().unwrap_or_default().trim_end());
            lines.filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(bare(&whole(&block)), bare(&set.to_string()), "line {}", block.line);
    }
}

#[test]
fn every_kind_of_block_is_known_and_follows_what_it_belongs_to() {
    let mut before = "";
    for block in blocks() {
        match block.kind {
            "cards" | "cards-broken" | "grammar" => {}
            "text" => assert_eq!(before, "cards-broken", "line {}", block.line),
            "english" => assert_eq!(before, "cards", "line {}", block.line),
            other => panic!("line {}: a block of the kind {other:?} is not tested", block.line),
        }
        assert!(before != "cards-broken" || block.kind == "text", "line {}: no message", block.line);
        before = block.kind;
    }
}

#[test]
fn broken_examples_print_what_the_page_shows() {
    let blocks = blocks();
    let mut shown = 0;
    for pair in blocks.windows(2).filter(|pair| pair[1].kind == "text") {
        let errors = load(FILE, &whole(&pair[0])).expect_err("the example is said to be broken");
        assert_eq!(errors.render(false), pair[1].text.trim_end(), "line {}", pair[1].line);
        shown += 1;
    }
    assert!(shown >= 4);
}

#[test]
fn english_on_the_page_is_what_is_printed() {
    let blocks = blocks();
    let mut shown = 0;
    for pair in blocks.windows(2).filter(|pair| pair[1].kind == "english") {
        let set = loaded(&pair[0]);
        let text: Vec<String> = set.cards.iter().flat_map(card_text).collect();
        assert_eq!(text.join("\n"), pair[1].text.trim_end(), "line {}", pair[1].line);
        shown += 1;
    }
    assert!(shown >= 2);
}

/// All that can be written, words of several words included.
fn phrases() -> BTreeSet<&'static str> {
    fn add<T>(all: &mut BTreeSet<&'static str>, words: &'static [(&'static str, T)]) {
        all.extend(words.iter().map(|(word, _)| *word));
    }
    let mut all: BTreeSet<&str> = lex::vocabulary().iter().copied().collect();
    add(&mut all, Kind::WORDS);
    add(&mut all, Subtype::WORDS);
    add(&mut all, Class::WORDS);
    add(&mut all, Phase::OF_ACTIONS);
    add(&mut all, Confidence::WORDS);
    add(&mut all, Limit::WORDS);
    add(&mut all, Lifetime::WORDS);
    add(&mut all, Side::WORDS);
    add(&mut all, Back::WORDS);
    add(&mut all, Verb::WORDS);
    add(&mut all, Adjective::words());
    add(&mut all, Noun::WORDS);
    add(&mut all, Zone::WORDS);
    add(&mut all, Points::WORDS);
    add(&mut all, Value::WORDS);
    add(&mut all, Status::WORDS);
    add(&mut all, Comparison::WORDS);
    add(&mut all, Stat::WORDS);
    add(&mut all, EventWord::WORDS);
    let headers = ["ability", "play", "when", "instead of", "always", "level up", "lure most", "lure fewest"];
    let statements = ["target", "choose", "require", "cost", "may", "may by", "either", "either by", "or"];
    let more = ["if", "else", "each", "until end of turn", "owner of", "you done", "you active", "turn draw"];
    let later =
        ["from hand", "in adventure by opponent", "until end of turn once", "because of", "end of turn"];
    all.extend(headers.into_iter().chain(statements).chain(more).chain(later));
    all
}

/// The phrase occurs in the text as whole words.
fn has(text: &str, phrase: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '<' | '>' | '=');
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + phrase.len()..].chars().next());
        !before.is_some_and(joins) && !after.is_some_and(joins)
    })
}

/// The lines of all examples without quoted texts and comments.
fn example_code() -> String {
    let lines = examples().flat_map(|block| {
        whole(&block)
            .lines()
            .map(|line| line.split(" #").next().unwrap_or_default().split('"').step_by(2).collect::<String>())
            .collect::<Vec<_>>()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_word_of_the_language_is_explained_and_has_an_example() {
    let code = example_code();
    let mut fence = false;
    let prose: Vec<&str> = PAGE
        .lines()
        .filter(|line| {
            let edge = line.starts_with("```");
            fence ^= edge;
            !fence && !edge
        })
        .collect();
    // Between backticks: code in running text.
    let explained: String = prose.join("\n").split('`').skip(1).step_by(2).collect::<Vec<_>>().join("\n");
    for phrase in phrases() {
        assert!(has(&code, phrase), "no example uses `{phrase}`");
        let word = phrase.split(' ').next().unwrap_or(phrase);
        assert!(has(&explained, phrase) || has(&explained, word), "nothing explains `{phrase}`");
    }
}

#[test]
fn every_shape_of_the_tree_has_an_example() {
    let code = example_code();
    for shape in [
        "x2",
        "+1",
        "-1",
        "+ count",
        "- count",
        "5 - (2 - 1)",
        "damage *",
        " star",
        "random 2",
        "2 card",
        "but ",
        "left of",
        "beside",
        "in this",
        "where (",
        "not you done",
        "for p",
        "by p",
        "built on",
        "killed in",
        "enters first",
        "enters dungeon",
        "cast by",
        " = hero enters",
        "take c = ",
        "icon = 0",
        "thief icon +2",
        "t icon +1",
        "scoring facedown",
        "this to scoring faceup",
        "against epic hero",
        "is stunned against",
        "is blank against this",
        "until end of game:",
        "each t = class",
        "arrange dungeon",
        "reversed",
        "have souls",
        "have wounds",
        "hand on room",
        "built or uncovered",
        "because of opponent",
        "because of another card",
        "survives this",
        "survives dungeon",
        "printed damage of",
        "life of it",
        "is monster",
        "h in dungeon",
        "or pending",
        "in build by any",
        "always from hand: allow",
        "trigger r built or uncovered",
        "count icon on",
        "thief icon in dungeon",
    ] {
        assert!(code.contains(shape), "no example has `{shape}`");
    }
}

#[test]
fn limits_on_the_page_are_the_limits() {
    for (what, limit) in [
        ("bytes in a file", lex::MAX_BYTES),
        ("words and signs in a line", lex::MAX_TOKENS),
        ("problems listed for a file", report::MAX_PROBLEMS),
        ("letters in a name", lex::MAX_NAME),
        ("letters in a ruling or another text", lex::MAX_TEXT),
        ("letters in a card's name", check::MAX_TITLE),
        ("copies of a card", usize::from(check::MAX_COPIES)),
        ("abilities on a card", check::MAX_ABILITIES),
        ("of these limited to once per turn", check::MAX_LIMITED),
        ("statements in an ability", check::MAX_STATEMENTS),
        ("blocks inside blocks", check::MAX_BLOCKS),
        ("selectors inside selectors", check::MAX_SELECTORS),
        ("names in an ability", check::MAX_NAMES),
        ("things a name holds", usize::from(check::MAX_HELD)),
        ("things an ability holds at once", check::MAX_SLOTS),
        ("names in a rule or ability that lasts", check::MAX_KEPT),
        ("different cards in a game, the five backs included", db::MAX_DEFS),
    ] {
        let row = format!("| {what} | {limit} |\n");
        assert!(PAGE.contains(&row), "the page should say {row}");
    }
    assert_eq!(check::MAX_SLOTS, code::REGS);
    let (xp, letters) = (format!("`xp` 1 to {}", lex::MAX_NUMBER), "at most 8 letters");
    assert!(PAGE.contains(&xp) && PAGE.contains(letters));
}
