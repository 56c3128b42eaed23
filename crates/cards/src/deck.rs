//! Decks: which cards a game is played with, and how many of each (docs/decks.md).
//!
//! Invariant: a deck has one count for each card of the sets it was read with, in their order.

mod balance;
mod brings;
mod fault;
mod read;

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

pub use balance::{Advice, Balance, HeroShare};
pub use brings::{Brings, brings};
pub use fault::DeckFault;
pub use read::PARTS;

use crate::CardDb;
use crate::compile::CompileError;
use crate::mix::PLUS;
use crate::report::{Errors, short};
use crate::tree::{Card, Kind, Set};

/// The largest deck file, in bytes.
pub const MAX_BYTES: usize = 32 * 1024;
/// Copies of one card.
pub const MAX_COPIES: u8 = 99;
/// Letters of a custom deck's name, and of a mix of all boxes.
const MAX_NAME: usize = 40;
const MAX_MIX: usize = 60;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    pub id: DeckId,
    pub title: String,
    pub notes: Vec<String>,
    /// As it was written.
    pub text: String,
    counts: Vec<u8>,
}

/// The identity of a deck: a built-in one has a name, any other also the hash of its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckId {
    name: String,
    content: Option<[u8; 8]>,
}

impl Deck {
    /// Reads a deck file. `name` is what the deck will be called.
    pub fn read(name: &str, file: &str, text: &str, sets: &[Set]) -> Result<Deck, Errors> {
        let mut deck = read::read(text, sets).map_err(|found| Errors::new(file, text, found))?;
        deck.id = DeckId::named(name, deck.content(sets));
        Ok(deck)
    }

    /// A built-in deck, identified by its name alone. It does not mention homebrew cards, and so
    /// includes them all.
    pub(crate) fn preset(mut self, name: &str, own: &[Set]) -> Deck {
        self.id = DeckId::preset(name);
        self.counts.extend(own.iter().flat_map(|set| &set.cards).map(|card| card.copies));
        self
    }

    /// Every card of the deck with its set and its number of copies, in the order of the sets.
    pub fn cards<'a>(&self, sets: &'a [Set]) -> impl Iterator<Item = (&'a Set, &'a Card, u8)> {
        let all = sets.iter().flat_map(|set| set.cards.iter().map(move |card| (set, card)));
        let counted = all.zip(&self.counts).map(|((set, card), count)| (set, card, *count));
        counted.filter(|(.., count)| *count > 0)
    }

    /// The sets cut down to the deck. Heroes it leaves out stay with 0 copies if the deck uses
    /// rooms of their set: five and six players take more heroes from there (rule 3.2).
    pub fn pick(&self, sets: &[Set]) -> Vec<Set> {
        let mut counts = &self.counts[..];
        let mut picked = Vec::new();
        for set in sets {
            let (mine, rest) = counts.split_at(set.cards.len().min(counts.len()));
            counts = rest;
            let counted = || set.cards.iter().zip(mine);
            let lends = counted().any(|(card, count)| card.kind == Kind::Room && *count > 0);
            let stays = |card: &Card, count| count > 0 || lends && card.kind.is_hero();
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

    /// A hash of the cards and their counts, and of nothing else in the file.
    fn content(&self, sets: &[Set]) -> [u8; 8] {
        let mut hasher = Sha256::new();
        for (set, card, count) in self.cards(sets) {
            hasher.update(format!("{} {} x{count}\n", set.code, card.name));
        }
        let hash = hasher.finalize();
        std::array::from_fn(|i| hash[i])
    }
}

impl DeckId {
    /// The id of a custom deck: one word, whatever its title.
    pub fn named(name: &str, content: [u8; 8]) -> DeckId {
        DeckId { name: slug(name), content: Some(content) }
    }

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
    "`{0}` is not a deck name: write the name of a deck that comes with the program, boxes joined as in bmr+crl, or NAME@ and 16 hexadecimal digits"
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
        let id = DeckId { name: name.into(), content };
        // Only the canonical form: no sign, no capitals.
        if is_name(name, id.is_preset()) && id.to_string() == text { Ok(id) } else { Err(wrong()) }
    }
}

/// A name as one word. It is made once, when a deck is read; afterwards names are only checked.
fn slug(name: &str) -> String {
    let fold = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let words: String = name.chars().map(fold).collect();
    let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).collect();
    let mut slug = words.join("-");
    slug.truncate(MAX_NAME);
    // The cut may have been made right after a hyphen.
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "deck".into() } else { slug.into() }
}

/// Small letters, digits and hyphens, beginning with a letter or digit; a built-in deck may be a mix.
fn is_name(text: &str, built_in: bool) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let most = if built_in { MAX_MIX } else { MAX_NAME };
    (1..=most).contains(&text.len())
        && text.starts_with(is_plain)
        && text.chars().all(|c| is_plain(c) || c == '-' || built_in && c == PLUS)
}
