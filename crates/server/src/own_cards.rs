//! A table's own card file: cards that strangers wrote, read and bounded (docs/homebrew.md).
//!
//! Invariant: whatever the text, reading it ends soon, and what was read can be played.

use std::collections::HashMap;

use cards::homebrew::{Homebrew, HomebrewError, folded};
use cards::report::{MAX_PROBLEMS, Severity};
use cards::tree::{Card, Set};
use cards::{CardDb, Errors};
use engine::record::HomebrewText;
use thiserror::Error;
use wire::{CardText, Start};

use crate::wire::{CardPage, CardsCheck, DeckProblem, OwnCard};

/// The largest file, in bytes.
pub const MAX_BYTES: usize = 64 * 1024;
/// Different cards in it.
pub const MAX_CARDS: usize = 120;
/// What the file is called in messages and records.
const FILE: &str = "own.cards";

/// Why a card file cannot be played with.
#[derive(Debug, Error)]
pub enum OwnCardsError {
    #[error("the card file has {0} bytes: a table's own cards may have at most {MAX_BYTES}")]
    Large(usize),
    #[error("the card file has {0} different cards: a table's own file may have at most {MAX_CARDS}")]
    Many(usize),
    #[error("the card file has no cards: write one below its first line, such as `room \"Dark Cellar\"`")]
    Empty,
    #[error("the card file cannot be read:\n{0}")]
    Unreadable(#[from] Errors),
    #[error(transparent)]
    Homebrew(#[from] HomebrewError),
}

/// A card file, read and checked.
pub struct OwnCards {
    /// As it was written.
    pub text: String,
    pub homebrew: Homebrew,
}

impl OwnCards {
    pub fn read(text: &str) -> Result<OwnCards, OwnCardsError> {
        let text = bounded(text)?;
        let (set, _) = cards::load_shared(FILE, text)?;
        numbered(set.cards.len())?;
        Ok(OwnCards { text: text.into(), homebrew: Homebrew { file: FILE.into(), set } })
    }

    /// These sets with the cards added.
    pub fn added_to(&self, sets: &[Set]) -> Result<Vec<Set>, OwnCardsError> {
        Ok(cards::homebrew::add(sets.to_vec(), std::slice::from_ref(&self.homebrew))?)
    }

    /// How many different cards there are.
    pub fn count(&self) -> u16 {
        self.homebrew.set.cards.len() as u16
    }

    /// Tells the viewer of a game which of its cards are these, whatever they are called.
    pub fn mark(&self, start: &mut Start) {
        let own = |card: &CardText| {
            let name = folded(&card.name);
            self.homebrew.set.cards.iter().any(|own| folded(&own.name) == name)
        };
        for card in &mut start.cards {
            card.own = own(card);
        }
    }

    /// For a record, which holds the file.
    pub fn recorded(&self) -> HomebrewText {
        HomebrewText { text: Some(self.text.clone()), ..HomebrewText::from(&self.homebrew) }
    }
}

/// The cards that come with the server, by name, and the title of their set.
pub struct KnownNames(HashMap<String, String>);

impl KnownNames {
    pub fn of(sets: &[Set]) -> KnownNames {
        let mut names = HashMap::new();
        for set in sets {
            for card in &set.cards {
                // The first set that had it.
                names.entry(folded(&card.name)).or_insert_with(|| set.title.clone());
            }
        }
        KnownNames(names)
    }
}

/// What is wrong with a card file, and the cards of it that could be played.
pub fn check(text: &str, sets: &[Set], known: &KnownNames) -> CardsCheck {
    let text = match bounded(text) {
        Ok(text) => text,
        Err(error) => return refused(&error),
    };
    let draft = cards::draft(FILE, text);
    let mut problems: Vec<DeckProblem> = draft.errors.problems.iter().map(DeckProblem::from).collect();
    if draft.errors.more {
        let words = format!("there are more problems: only the first {MAX_PROBLEMS} are listed");
        problems.push(DeckProblem::of_the_whole(words));
    }
    let (mut ok, mut title) = (false, String::new());
    if let Some(set) = draft.set {
        title = set.title.clone();
        let taken = sets.iter().any(|other| other.code == set.code);
        let known = || HomebrewError::KnownSet { file: FILE.into(), code: set.code.clone() };
        let found = numbered(set.cards.len()).and_then(|()| if taken { Err(known().into()) } else { Ok(()) });
        ok = found.is_ok();
        problems.extend(found.err().map(|error| DeckProblem::of_the_whole(error.to_string())));
    }
    // The rest is not drawn: nobody could play with it.
    let mut cards = draft.cards;
    cards.truncate(MAX_CARDS);
    CardsCheck { ok, problems, title, cards: drawn(text, cards, known) }
}

/// The cards of a file as players see them.
pub fn pages(own: &OwnCards, known: &KnownNames) -> Vec<OwnCard> {
    drawn(&own.text, own.homebrew.set.cards.clone(), known)
}

fn drawn(text: &str, cards: Vec<Card>, known: &KnownNames) -> Vec<OwnCard> {
    let set = Set { code: String::new(), title: String::new(), cards };
    let Ok(db) = CardDb::build(std::slice::from_ref(&set)) else { return Vec::new() };
    let mut line = Lines { text, at: 0, number: 1 };
    let card = |(card, (id, def)): (&Card, (cards::code::DefId, &cards::db::Def))| OwnCard {
        page: CardPage {
            card: CardText { copies: def.copies, own: true, ..CardText::of(id.0, def, db.classes) },
            rulings: card.rulings.clone(),
            provenance: card.fields.provenance.in_words().into(),
            source: card.to_string(),
        },
        line: line.of(card.span.start as usize),
        replaces: known.0.get(&folded(&card.name)).cloned(),
    };
    set.cards.iter().zip(db.cards()).map(card).collect()
}

/// Counts lines once, since cards come in the order of the text.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    number: u32,
}

impl Lines<'_> {
    fn of(&mut self, start: usize) -> u32 {
        let passed = self.text.as_bytes().get(self.at..start).unwrap_or_default();
        self.number += passed.iter().filter(|byte| **byte == b'\n').count() as u32;
        self.at = self.at.max(start);
        self.number
    }
}

/// Without the mark that some editors put before a text.
fn bounded(text: &str) -> Result<&str, OwnCardsError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MAX_BYTES { Err(OwnCardsError::Large(text.len())) } else { Ok(text) }
}

fn numbered(cards: usize) -> Result<(), OwnCardsError> {
    match cards {
        0 => Err(OwnCardsError::Empty),
        1..=MAX_CARDS => Ok(()),
        _ => Err(OwnCardsError::Many(cards)),
    }
}

fn refused(error: &OwnCardsError) -> CardsCheck {
    let problems = vec![DeckProblem::of_the_whole(error.to_string())];
    CardsCheck { ok: false, problems, title: String::new(), cards: Vec::new() }
}

impl DeckProblem {
    pub fn of_the_whole(message: String) -> DeckProblem {
        DeckProblem { line: None, column: None, message, reason: None, help: None, warning: false }
    }
}

impl From<&cards::report::Problem> for DeckProblem {
    fn from(problem: &cards::report::Problem) -> DeckProblem {
        DeckProblem {
            line: Some(problem.line),
            column: Some(problem.column),
            message: problem.message(),
            reason: problem.reason(),
            help: problem.suggestion(),
            warning: problem.severity() == Severity::Warning,
        }
    }
}
