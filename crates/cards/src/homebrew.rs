//! Homebrew cards, added to the built-in sets: a card with a known name replaces that card, any
//! other is new (docs/homebrew.md).
//!
//! Invariant: the built-in sets come first and keep the order and names of their cards, so that
//! decks find them. The order in which files are named makes no difference.

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::db::fold;
use crate::tree::{Card, Set};

/// A homebrew card file, read and checked.
#[derive(Clone, Debug)]
pub struct Homebrew {
    /// Its name in messages.
    pub file: String,
    pub set: Set,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HomebrewError {
    #[error(
        "{file}: the set {code} comes with the program: call yours something else in its first line, such as `set HOME \"My own cards\"`"
    )]
    KnownSet { file: String, code: String },
    #[error("{file} is named twice: name it once")]
    FileTwice { file: String },
    #[error("\"{card}\" is in {first} and in {second}: rename one of the two, or leave one file out")]
    CardTwice { card: String, first: String, second: String },
}

impl Homebrew {
    /// A hash of the cards: comments and spaces in the file make no difference.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.set.to_string()).into()
    }
}

/// The sets with these cards added. Homebrew sets come last, files with the same set code together.
pub fn add(mut sets: Vec<Set>, files: &[Homebrew]) -> Result<Vec<Set>, HomebrewError> {
    let known = sets.len();
    for (i, Homebrew { file, set }) in files.iter().enumerate() {
        if sets.iter().any(|other| other.code == set.code) {
            return Err(HomebrewError::KnownSet { file: file.clone(), code: set.code.clone() });
        }
        files[..i].iter().try_for_each(|earlier| distinct(earlier, file, set))?;
    }
    let mut own: Vec<&Set> = files.iter().map(|homebrew| &homebrew.set).collect();
    own.sort_by_key(|set| (&set.code, set.to_string()));
    for set in own {
        if sets.last().is_none_or(|last| last.code != set.code) {
            sets.push(Set { cards: Vec::new(), ..set.clone() });
        }
        for card in &set.cards {
            if !replace(&mut sets[..known], card)
                && let Some(last) = sets.last_mut()
            {
                last.cards.push(card.clone());
            }
        }
    }
    Ok(sets)
}

fn distinct(earlier: &Homebrew, file: &str, set: &Set) -> Result<(), HomebrewError> {
    if earlier.file == file {
        return Err(HomebrewError::FileTwice { file: file.into() });
    }
    let shared = set.cards.iter().find(|card| earlier.set.cards.iter().any(|other| same_name(card, other)));
    match shared {
        None => Ok(()),
        Some(card) => Err(HomebrewError::CardTwice {
            card: card.name.clone(),
            first: earlier.file.clone(),
            second: file.into(),
        }),
    }
}

/// Replaces the cards with its name; false if there are none.
fn replace(sets: &mut [Set], card: &Card) -> bool {
    let mut found = false;
    for old in sets.iter_mut().flat_map(|set| &mut set.cards).filter(|old| same_name(old, card)) {
        *old = card.clone();
        found = true;
    }
    found
}

/// Whether one would replace the other.
pub fn same_name(a: &Card, b: &Card) -> bool {
    folded(&a.name) == folded(&b.name)
}

/// A name as names are compared.
pub fn folded(name: &str) -> String {
    fold(name)
}
