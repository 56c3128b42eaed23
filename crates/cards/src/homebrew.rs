//! Cards of one's own, added to the sets that are there: a card with a known name takes that card's place,
//! any other is new (docs/homebrew.md).

use thiserror::Error;

use crate::tree::{Card, Set};

/// A card file of somebody's own, read and checked.
#[derive(Clone, Debug)]
pub struct Homebrew {
    /// How messages call it.
    pub file: String,
    pub set: Set,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HomebrewError {
    #[error(
        "{file}: the set {code} comes with the program; call yours something else in its first line, such as `set HOME \"My own cards\"`"
    )]
    KnownSet { file: String, code: String },
    #[error("{file} is named twice: name it once")]
    FileTwice { file: String },
    #[error("\"{card}\" is in {first} and in {second}: rename one of the two, or leave one file out")]
    CardTwice { card: String, first: String, second: String },
}

/// The sets with these cards. Sets of one's own stand behind the others, files of the same code together.
pub fn add(mut sets: Vec<Set>, files: &[Homebrew]) -> Result<Vec<Set>, HomebrewError> {
    let known = sets.len();
    for (i, Homebrew { file, set }) in files.iter().enumerate() {
        if sets[..known].iter().any(|other| other.code == set.code) {
            return Err(HomebrewError::KnownSet { file: file.clone(), code: set.code.clone() });
        }
        for earlier in &files[..i] {
            distinct(earlier, file, set)?;
        }
        let own = match sets[known..].iter().position(|other| other.code == set.code) {
            Some(at) => known + at,
            None => {
                sets.push(Set { cards: Vec::new(), ..set.clone() });
                sets.len() - 1
            }
        };
        for card in &set.cards {
            let mut replaced = false;
            for old in sets[..known].iter_mut().flat_map(|set| &mut set.cards) {
                if same_name(old, card) {
                    *old = card.clone();
                    replaced = true;
                }
            }
            if !replaced {
                sets[own].cards.push(card.clone());
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

fn same_name(a: &Card, b: &Card) -> bool {
    crate::db::fold(&a.name) == crate::db::fold(&b.name)
}
