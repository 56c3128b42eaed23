//! Mixes: whole boxes shuffled together (rules 3.1 and 13.2), by a name such as `bmr+crl+vov`.
//!
//! Invariant: a mix begins with the base game whose heroes are played with; the other boxes follow
//! in the order of publication, each once. So equal mixes have equal names.

use thiserror::Error;

use crate::deck::PARTS;
use crate::library;
use crate::report::short;
use crate::tree::{Players, Set};
use crate::vocabulary::Kind;

/// Between the boxes in a mix's name.
pub const PLUS: char = '+';

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mix {
    /// Positions among the built-in sets.
    boxes: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MixError {
    #[error("there is no box `{code}`: there are {known}")]
    UnknownBox { code: String, known: String },
    #[error("`{code}` is in the mix twice: name each box once")]
    Twice { code: String },
    #[error("a mix needs the heroes of a base game: add {bases}")]
    NoBase { bases: String },
    #[error("{name} cannot be played: {why}")]
    Unplayable { name: String, why: String },
}

impl Mix {
    /// A mix by its name. The first base game lends its heroes; the order of the others is free.
    pub fn read(name: &str, sets: &[Set]) -> Result<Mix, MixError> {
        let sets = built_in(sets);
        let mut boxes = Vec::new();
        for code in name.split(PLUS) {
            let at = sets.iter().position(|set| set.code.eq_ignore_ascii_case(code));
            let unknown = || MixError::UnknownBox { code: short(code), known: codes(sets.iter(), "and") };
            let at = at.ok_or_else(unknown)?;
            if boxes.contains(&at) {
                return Err(MixError::Twice { code: sets[at].code.to_lowercase() });
            }
            boxes.push(at);
        }
        Mix::of(&boxes, sets)
    }

    /// The mix of these built-in sets, by their positions; each is named once.
    pub fn of(boxes: &[usize], sets: &[Set]) -> Result<Mix, MixError> {
        let sets = built_in(sets);
        let Some(heroes) = boxes.iter().copied().find(|at| is_base(&sets[*at])) else {
            return Err(MixError::NoBase { bases: codes(sets.iter().filter(|set| is_base(set)), "or") });
        };
        let mut others: Vec<usize> = boxes.iter().copied().filter(|at| *at != heroes).collect();
        others.sort_unstable();
        Ok(Mix { boxes: [vec![heroes], others].concat() })
    }

    /// The positions of its boxes among the sets; the first one lends the heroes.
    pub fn boxes(&self) -> &[usize] {
        &self.boxes
    }

    pub fn name(&self, sets: &[Set]) -> String {
        let codes: Vec<String> = self.boxes.iter().map(|at| sets[*at].code.to_lowercase()).collect();
        codes.join("+")
    }

    /// The mix as a deck file.
    pub fn text(&self, sets: &[Set]) -> String {
        let titles: Vec<&str> = self.boxes.iter().map(|at| sets[*at].title.as_str()).collect();
        let (heroes, others) = (titles[0], &titles[1..]);
        let title = match others {
            [] => heroes.to_owned(),
            [other] => format!("{heroes} + {other}"),
            more => format!("{heroes} + {} more boxes", more.len()),
        };
        let mut text = format!("deck {title}\n");
        if others.len() > 1 {
            text.push_str(&format!("note {heroes} with {}.\n", listed(others, "and")));
        }
        let bases: Vec<&str> =
            self.boxes.iter().map(|at| &sets[*at]).filter(|set| is_base(set)).map(code).collect();
        let guests = &bases[1..];
        if !guests.is_empty() {
            text.push_str(&format!("note The heroes are those of {heroes}: hero decks are not mixed.\n"));
        }
        let whole = self.boxes.iter().map(|at| code(&sets[*at])).filter(|code| !guests.contains(code));
        text.push_str(&format!("set {}\n", whole.collect::<Vec<_>>().join(" ")));
        if !guests.is_empty() {
            let is_part = |kinds: &[Kind]| kinds.len() == 1 && !kinds[0].is_hero();
            for (word, _) in PARTS.iter().filter(|(_, kinds)| is_part(kinds)) {
                text.push_str(&format!("{word} {}\n", guests.join(" ")));
            }
        }
        text
    }
}

/// A base game has a hero deck of its own, for two players already. All others are expansions.
pub fn is_base(set: &Set) -> bool {
    set.cards.iter().any(|card| card.kind == Kind::Hero && card.fields.players == Some(Players::From(2)))
}

/// The sets that come with the program; those after them are homebrew.
pub fn built_in(sets: &[Set]) -> &[Set] {
    &sets[..sets.len().min(library::SETS.len())]
}

fn code(set: &Set) -> &str {
    &set.code
}

fn codes<'a>(sets: impl Iterator<Item = &'a Set>, last: &str) -> String {
    let codes: Vec<String> = sets.map(|set| set.code.to_lowercase()).collect();
    listed(&codes.iter().map(String::as_str).collect::<Vec<_>>(), last)
}

/// "one", "one and two", "one, two and three".
fn listed(words: &[&str], and: &str) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}
