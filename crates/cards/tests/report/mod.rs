//! Small faulty cards, and what must be reported.

use cards::{Problem, load};

/// A room with the given ability lines; they begin in line 4.
pub fn room(body: &str) -> String {
    format!("set TST \"Test\"\nroom \"R\"\n  -  monster  damage 1  mage  house\n{body}\n")
}

/// A spell with the given lines below `play`; they begin in line 5.
pub fn spell(body: &str) -> String {
    format!("set TST \"Test\"\nspell \"S\"\n  -  build  house\n  play\n{body}\n")
}

pub fn problems(text: &str) -> Vec<Problem> {
    match load("test.cards", text) {
        Ok((_, warnings)) => warnings,
        Err(errors) => errors.problems,
    }
}

/// A problem at this line and column shows these words; it has a reason, and a caret.
#[track_caller]
pub fn expect(text: &str, line: u32, column: u32, words: &[&str]) {
    let found = problems(text);
    let shown: Vec<_> = found.iter().map(|p| p.render("test.cards", text, false)).collect();
    let at = found.iter().position(|p| (p.line, p.column) == (line, column));
    let Some(at) = at else { panic!("nothing at {line}:{column}:\n{}", shown.join("\n")) };
    let (first, shown) = (&found[at], &shown[at]);
    assert!(first.reason().is_some(), "no reason:\n{shown}");
    assert!(shown.contains(&format!("test.cards:{line}:{column}")), "{shown}");
    assert!(shown.contains('^'), "{shown}");
    for word in words {
        assert!(shown.contains(word), "no {word:?} in:\n{shown}");
    }
}
