//! What a worker needs to know to play a run: everything, since its machine may have no files.

use bots::{BotSpec, UnknownBot};
use cards::homebrew::{Homebrew, add};
use cards::{CardDb, Deck, library};
use engine::Setup;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::numbers::hex;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spec {
    /// In a few words.
    pub title: String,
    pub kind: Kind,
    /// Card files: name and text.
    pub cards: Vec<(String, String)>,
    pub decks: Vec<DeckSpec>,
    pub cells: Vec<CellSpec>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// So many games of each cell.
    Lab { games: u64 },
    /// So many deals at each table, which has a cell for each version of the cards, without the first jobs.
    Study { games: u64, versions: usize, from: u64 },
    /// So many deals of the one cell, without those that are known: ranges of deals.
    Arena { rounds: u64, known: Vec<(u64, u64)> },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DeckSpec {
    /// Of a built-in deck.
    pub name: String,
    /// Of any other.
    pub text: Option<String>,
    /// The hash of its cards.
    pub hash: String,
    /// Which of the card files are in it.
    pub cards: Vec<usize>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CellSpec {
    pub deck: usize,
    pub setup: String,
    pub bots: Vec<String>,
}

/// A run as a worker has it.
pub(crate) struct Opened {
    pub decks: Vec<CardDb>,
    /// The deck's number, the setup and the bots.
    pub cells: Vec<(usize, Setup, Vec<BotSpec>)>,
}

#[derive(Debug, Error)]
pub(crate) enum SpecError {
    #[error("its card files cannot be read here: {0}")]
    Cards(String),
    #[error("its deck `{0}` cannot be read here")]
    Deck(String),
    #[error(
        "the cards of its deck `{deck}` are others here: the program of this worker was built with other cards. \
         Install the same program on both machines"
    )]
    OtherCards { deck: String },
    #[error("its setup `{0}` cannot be played here")]
    Setup(String),
    #[error(transparent)]
    Bot(#[from] UnknownBot),
}

impl DeckSpec {
    pub fn of(deck: &Deck, db: &CardDb, cards: Vec<usize>) -> DeckSpec {
        let text = (!deck.id.is_preset()).then(|| deck.text.clone());
        DeckSpec { name: deck.id.name().into(), text, hash: hex(&db.hash), cards }
    }
}

impl Spec {
    pub(crate) fn open(&self) -> Result<Opened, SpecError> {
        let read = |(file, text): &(String, String)| match cards::load(file, text) {
            Ok((set, _)) => Ok(Homebrew { file: file.clone(), set }),
            Err(errors) => Err(SpecError::Cards(errors.to_string())),
        };
        let own = self.cards.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let compile = |DeckSpec { name, text, hash, cards }: &DeckSpec| {
            let unknown = || SpecError::Deck(name.clone());
            let own = cards.iter().map(|at| own.get(*at).cloned()).collect::<Option<Vec<_>>>();
            let sets = add(library::sets(), &own.ok_or_else(unknown)?);
            let sets = sets.map_err(|error| SpecError::Cards(error.to_string()))?;
            let deck = match text {
                None => library::deck(name, &sets).ok_or_else(unknown)?,
                Some(text) => Deck::read(name, name, text, &sets).map_err(|_| unknown())?,
            };
            let db = deck.compile(&sets).map_err(|_| unknown())?;
            if hex(&db.hash) != *hash || super::pretends("cards") {
                return Err(SpecError::OtherCards { deck: name.clone() });
            }
            Ok(db)
        };
        let decks = self.decks.iter().map(compile).collect::<Result<Vec<_>, _>>()?;
        let cell = |CellSpec { deck, setup, bots }: &CellSpec| {
            let wrong = || SpecError::Setup(setup.clone());
            decks.get(*deck).ok_or_else(wrong)?;
            let bots = bots.iter().map(|bot| bot.parse()).collect::<Result<Vec<BotSpec>, _>>()?;
            Ok((*deck, setup.parse().map_err(|_| wrong())?, bots))
        };
        let cells = self.cells.iter().map(cell).collect::<Result<Vec<_>, SpecError>>()?;
        Ok(Opened { decks, cells })
    }
}
