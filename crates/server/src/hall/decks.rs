//! Decks with their cards compiled, shared by all tables that play with the same.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use cards::deck::Deck;
use cards::mix::{Mix, PLUS};
use cards::tree::Set;
use cards::{CardDb, library};
use engine::{Rules, Seat};
use sha2::{Digest, Sha256};
use wire::Start;

use super::{Hall, NewTableError, is_id, locked};
use crate::frame::Frame;
use crate::own_cards::OwnCards;
use crate::store::StoreError;
use crate::wire::{DeckText, Settings};

/// A deck with its cards compiled.
pub struct PlayableDeck {
    pub deck: Deck,
    pub db: CardDb,
    /// The card file that came with the table.
    pub own: Option<OwnCards>,
    /// The messages that describe the cards to a viewer: long, and the same for every game with these rules.
    messages: Mutex<Vec<(Rules, Option<Seat>, Frame)>>,
}

/// Those that some table plays with.
pub type KnownDecks = Mutex<HashMap<DeckKey, Weak<PlayableDeck>>>;

/// A deck as settings name it, with the hashes of its text and of the card file, if they are a player's own.
type DeckKey = (String, Option<[u8; 32]>, Option<[u8; 32]>);

impl Hall {
    /// The deck that the settings name, compiled.
    pub async fn cards(&self, settings: &Settings) -> Result<Arc<PlayableDeck>, NewTableError> {
        if let Some(cards) = self.known_cards(&key(settings)) {
            return Ok(cards);
        }
        let (hall, settings) = (self.clone(), settings.clone());
        self.work("deck", move || hall.read_cards(&settings)).await?
    }

    /// The deck that a table is played with, as it was written; `None` if there is no such table.
    pub async fn deck(&self, id: &str) -> Result<Option<DeckText>, NewTableError> {
        let row = match is_id(id) {
            true => self.0.store.table_row(id).await?.filter(|row| row.state.is_some()),
            false => None,
        };
        let Some(Settings { deck: name, deck_text, .. }) = row.map(|row| row.settings) else {
            return Ok(None);
        };
        let text = match deck_text {
            Some(text) => text,
            None => {
                self.cards(&Settings { deck: name.clone(), ..Settings::default() }).await?.deck.text.clone()
            }
        };
        Ok(Some(DeckText { name, text }))
    }

    /// The text of the cards of its own that a table is played with; `None` if there is no such table.
    pub async fn own_cards(&self, id: &str) -> Result<Option<Option<String>>, StoreError> {
        if !is_id(id) {
            return Ok(None);
        }
        let row = self.0.store.table_row(id).await?.filter(|row| row.state.is_some());
        Ok(row.map(|row| row.settings.cards_text))
    }

    fn known_cards(&self, key: &DeckKey) -> Option<Arc<PlayableDeck>> {
        locked(&self.0.decks).get(key).and_then(Weak::upgrade)
    }

    /// The same, for the work pool: reading a deck takes time.
    pub(super) fn read_cards(&self, settings: &Settings) -> Result<Arc<PlayableDeck>, NewTableError> {
        let key = key(settings);
        if let Some(cards) = self.known_cards(&key) {
            return Ok(cards);
        }
        let cards = Arc::new(PlayableDeck::read(settings, self.sets())?);
        let mut decks = locked(&self.0.decks);
        decks.retain(|_, cards| cards.strong_count() > 0);
        decks.insert(key, Arc::downgrade(&cards));
        Ok(cards)
    }
}

fn key(settings: &Settings) -> DeckKey {
    let hash = |text: &Option<String>| text.as_ref().map(|text| Sha256::digest(text).into());
    (settings.deck.clone(), hash(&settings.deck_text), hash(&settings.cards_text))
}

impl PlayableDeck {
    /// The deck that the settings name, compiled. That takes time.
    pub fn read(settings: &Settings, sets: &[Set]) -> Result<PlayableDeck, NewTableError> {
        let own = settings.cards_text.as_deref().map(OwnCards::read).transpose()?;
        let sets = match &own {
            Some(own) => Cow::Owned(own.added_to(sets)?),
            None => Cow::Borrowed(sets),
        };
        let deck = match &settings.deck_text {
            None => library::deck(&settings.deck, &sets).ok_or_else(|| {
                match Mix::read(&settings.deck, &sets) {
                    Err(error) if settings.deck.contains(PLUS) => NewTableError::Deck(error.to_string()),
                    _ => NewTableError::NoDeck(settings.deck.chars().take(60).collect()),
                }
            })?,
            Some(text) => Deck::read(&settings.deck, "the deck", text, &sets)
                .map_err(|errors| NewTableError::Deck(errors.to_string()))?,
        };
        let db = deck.compile(&sets).map_err(|error| NewTableError::Deck(error.to_string()))?;
        Ok(PlayableDeck { deck, db, own, messages: Mutex::default() })
    }

    /// Tells the viewer of a game which cards are the table's own.
    pub fn mark(&self, start: &mut Start) {
        if let Some(own) = &self.own {
            own.mark(start);
        }
    }

    /// The message that describes the cards to this viewer, written on first use.
    pub fn message(&self, rules: Rules, viewer: Option<Seat>, write: impl FnOnce() -> Frame) -> Frame {
        let mut messages = locked(&self.messages);
        let known = messages.iter().find(|(of, to, _)| (*of, *to) == (rules, viewer));
        if let Some((_, _, frame)) = known {
            return frame.clone();
        }
        let frame = write();
        messages.push((rules, viewer, frame.clone()));
        frame
    }
}
