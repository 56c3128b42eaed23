//! Decks: which cards a game is played with, and how many of each (docs/decks.md).
//!
//! Invariant: a deck's counts stand beside the cards of the sets it was read with, one each, in their order.

mod balance;
mod fault;
mod read;

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

pub use balance::{Advice, Balance, HeroShare};
pub use fault::DeckFault;

use crate::CardDb;
use crate::compile::CompileError;
use crate::report::{Errors, short};
use crate::tree::{Card, Kind, Set};

/// A deck file is no longer than this.
pub const MAX_BYTES: usize = 64 * 1024;
/// Copies of one card.
pub const MAX_COPIES: u8 = 99;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    pub id: DeckId,
    pub title: String,
    pub notes: Vec<String>,
    /// As it was written.
    pub text: String,
    counts: Vec<u8>,
}

/// What a deck is called: one that comes with the program by its name, any other also by its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckId {
    name: String,
    content: Option<[u8; 8]>,
}

impl Deck {
    /// Reads a deck file. `name` is what the deck will be called.
    pub fn read(name: &str, file: &str, text: &str, sets: &[Set]) -> Result<Deck, Errors> {
        let mut deck = read::read(text, sets).map_err(|found| Errors::new(file, text, found))?;
        deck.id = DeckId { name: slug(name), content: Some(deck.content(sets)) };
        Ok(deck)
    }

    /// As one that comes with the program: its name says it all. It says nothing of cards of somebody's own, and
    /// so has them all.
    pub(crate) fn preset(mut self, own: &[Set]) -> Deck {
        self.id.content = None;
        self.counts.extend(own.iter().flat_map(|set| &set.cards).map(|card| card.copies));
        self
    }

    /// Every card of the deck with its set and its number of copies, in the order of the sets.
    pub fn cards<'a>(&self, sets: &'a [Set]) -> impl Iterator<Item = (&'a Set, &'a Card, u8)> {
        let all = sets.iter().flat_map(|set| set.cards.iter().map(move |card| (set, card)));
        let counted = all.zip(&self.counts).map(|((set, card), count)| (set, card, *count));
        counted.filter(|(.., count)| *count > 0)
    }

    /// The sets cut down to the deck. Heroes that it leaves out stay, with no copy, if their set lends rooms:
    /// five and six players take more heroes from there (rule 3.2).
    pub fn pick(&self, sets: &[Set]) -> Vec<Set> {
        let mut counts = &self.counts[..];
        let mut picked = Vec::new();
        for set in sets {
            let (mine, rest) = counts.split_at(set.cards.len().min(counts.len()));
            counts = rest;
            let counted = || set.cards.iter().zip(mine);
            let lends = counted().any(|(card, count)| card.kind == Kind::Room && *count > 0);
            let stays = |card: &Card, count| count > 0 || lends && is_hero(card.kind);
            let cards = counted()
                .filter(|(card, count)| stays(card, **count))
                .map(|(card, count)| Card { copies: *count, ..card.clone() });
            picked.push(Set { code: set.code.clone(), title: set.title.clone(), cards: cards.collect() });
        }
        picked.retain(|set| !set.cards.is_empty());
        picked
    }

    /// The cards of the deck, ready to be played.
    pub fn compile(&self, sets: &[Set]) -> Result<CardDb, CompileError> {
        CardDb::build(&self.pick(sets))
    }

    /// Names the cards and their counts, and nothing else of the file.
    fn content(&self, sets: &[Set]) -> [u8; 8] {
        let mut hasher = Sha256::new();
        for (set, card, count) in self.cards(sets) {
            hasher.update(format!("{} {} x{count}\n", set.code, card.name));
        }
        let hash = hasher.finalize();
        std::array::from_fn(|i| hash[i])
    }
}

fn is_hero(kind: Kind) -> bool {
    matches!(kind, Kind::Hero | Kind::Epic)
}

impl DeckId {
    /// A deck that comes with the program.
    pub fn preset(name: &str) -> DeckId {
        DeckId { name: name.into(), content: None }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn is_preset(&self) -> bool {
        self.content.is_none()
    }
}

impl fmt::Display for DeckId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let Some(content) = self.content else { return Ok(()) };
        f.write_str("@")?;
        content.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` names no deck: write the name of one that comes with the program, or NAME@ and 16 hexadecimal digits"
)]
pub struct NotADeckId(String);

impl FromStr for DeckId {
    type Err = NotADeckId;

    fn from_str(text: &str) -> Result<DeckId, NotADeckId> {
        let wrong = || NotADeckId(short(text));
        let (name, content) = match text.split_once('@') {
            Some((name, digits)) => (name, Some(digits)),
            None => (text, None),
        };
        let content = match content {
            Some(digits) if digits.len() == 16 => {
                let value = u64::from_str_radix(digits, 16).map_err(|_| wrong())?;
                Some(value.to_be_bytes())
            }
            Some(_) => return Err(wrong()),
            None => None,
        };
        let id = DeckId { name: slug(name), content };
        // The one way to write it: no sign before the digits, no capitals.
        if id.to_string() == text { Ok(id) } else { Err(wrong()) }
    }
}

/// A name as one word: small letters, digits and hyphens.
fn slug(name: &str) -> String {
    let fold = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let words: String = name.chars().map(fold).collect();
    let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).collect();
    let mut slug = words.join("-");
    slug.truncate(40);
    if slug.is_empty() { "deck".into() } else { slug }
}
