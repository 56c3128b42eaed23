//! A game record: setup, seed and every answer, enough to replay it to the same bytes on any
//! machine. Fingerprints along the way show where two replays diverge.

mod fairness;

use std::fmt;
use std::str::FromStr;

use cards::db::CardDb;
use cards::deck::{Deck, DeckId};
use cards::homebrew::{Homebrew, HomebrewError};
use cards::tree::Set;
use cards::{CompileError, Errors, library};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::model::id::*;
use crate::setup::line::{Seed, Setup};
use crate::setup::{Rules, SetupError};
use crate::{Action, Event, Game, Illegal};

pub use fairness::{Contribution, Fairness, player_commitment, server_commitment};

/// The version of the file format.
pub const VERSION: u32 = 4;
/// Decisions between two fingerprints.
pub const FINGERPRINT_EVERY: u32 = 32;
/// No game comes near this; a file that claims more is refused.
const MAX_ACTIONS: usize = 100_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Always "lair game".
    pub format: String,
    pub version: u32,
    /// Players, deck, variants and seed, in one line.
    pub setup: Setup,
    /// The text of the deck, unless it comes with the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deck: Option<String>,
    /// Homebrew card files that were loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub homebrew: Vec<HomebrewText>,
    /// SHA-256 of the cards of the deck.
    pub cards: Hex<32>,
    pub seats: Vec<SeatText>,
    /// What proves that nobody chose the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    pub actions: Vec<ActionText>,
    /// Before the deal, then after 32, 64, ... decisions. Each covers setup, cards and the players' names, too.
    pub fingerprints: Vec<Hex<8>>,
    /// Absent while the game is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultText>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatText {
    pub name: String,
    /// "person", or the kind of bot.
    pub kind: String,
}

/// Identifies a card file, so that a reader knows what to load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HomebrewText {
    /// The file name without its folder.
    pub file: String,
    pub set: String,
    pub title: String,
    /// SHA-256 of its cards.
    pub cards: Hex<32>,
    /// The file itself, if the record holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl From<&Homebrew> for HomebrewText {
    fn from(homebrew: &Homebrew) -> HomebrewText {
        let name = homebrew.file.rsplit(['/', '\\']).next().unwrap_or_default();
        HomebrewText {
            file: name.into(),
            set: homebrew.set.code.clone(),
            title: homebrew.set.title.clone(),
            cards: Hex(homebrew.hash()),
            text: None,
        }
    }
}

impl fmt::Display for HomebrewText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} \"{}\" ({})", cut(&self.set), cut(&self.title), cut(&self.file))
    }
}

fn listed(sets: &[HomebrewText]) -> String {
    sets.iter().map(HomebrewText::to_string).collect::<Vec<_>>().join(", ")
}

/// Long names are cut.
fn cut(name: &str) -> String {
    name.chars().take(60).collect()
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultText {
    /// The winner's seat, counted from 1.
    pub winner: u8,
    pub reason: String,
    pub turns: u16,
    pub souls: Vec<i32>,
    pub wounds: Vec<i32>,
}

#[derive(Debug, Error)]
pub enum RecordError {
    #[error("this is not a valid game record: {0}")]
    NotARecord(#[from] serde_json::Error),
    #[error("this is a \"{0}\" file, not a \"lair game\"")]
    Foreign(String),
    #[error(
        "the record has version {0}, from another version of the program; this one reads version {VERSION}"
    )]
    Version(u32),
    #[error("the record was played with other cards ({recorded}, here {here}): load the same card files")]
    OtherCards { recorded: Hex<32>, here: Hex<32> },
    #[error(
        "the record was played with cards that do not come with the program: {}; load them with{}",
        listed(.0),
        .0.iter().map(|what| format!(" --cards {}", cut(&what.file))).collect::<String>()
    )]
    MissingCards(Vec<HomebrewText>),
    #[error(
        "{file}: these are not the cards of {what} that the record was played with: load them as they were"
    )]
    ChangedCards { what: String, file: String },
    #[error("the record was played without the cards of {file}: leave it out")]
    ForeignCards { file: String },
    #[error("the record's deck `{0}` does not come with this program, and the record does not hold it")]
    NoDeck(DeckId),
    #[error("the record holds the deck `{here}`, but its setup names `{named}`")]
    OtherDeck { here: DeckId, named: DeckId },
    #[error("the record's deck cannot be read:\n{0}")]
    Deck(#[from] Errors),
    #[error("the record's own cards cannot be read:\n{0}")]
    OwnCards(Errors),
    #[error("the record's own cards cannot be used: {0}")]
    Homebrew(#[from] HomebrewError),
    #[error("the record's deck cannot be used: {0}")]
    Cards(#[from] CompileError),
    #[error("the record has {seats} seats for {players} players")]
    Seats { seats: usize, players: u8 },
    #[error("the record's game cannot be set up: {0}")]
    Setup(#[from] SetupError),
    #[error("the record claims {0} actions; no game has more than {MAX_ACTIONS}")]
    TooLong(usize),
    #[error("step {step}: the action `{action}` is not possible there: {reason}")]
    Action { step: usize, action: String, reason: Illegal },
    #[error(
        "step {step}: the game stands differently here than in the record ({recorded} recorded, {here} here)"
    )]
    Differs { step: usize, recorded: Hex<8>, here: Hex<8> },
    #[error(
        "the setup, the cards or the players' names were changed after the game ({recorded} recorded, {here} here)"
    )]
    OtherGame { recorded: Hex<8>, here: Hex<8> },
    #[error("the record has {there} fingerprints for {steps} steps; there should be {needed}")]
    Fingerprints { steps: usize, there: usize, needed: usize },
    #[error("the shuffle is not the one that was promised: the secret's hash is {here}, shown was {shown}")]
    Commitment { shown: Hex<32>, here: Hex<32> },
    #[error("what player {seat} added to the shuffle is not what they committed to")]
    Contribution { seat: usize },
    #[error(
        "the seed does not follow from the server's secret and what the players added: somebody chose it"
    )]
    Unfair,
    #[error(
        "the record does not prove its shuffle: it has no fairness part, so nothing in it matches the \
         commitment {asked}"
    )]
    NoFairness { asked: Hex<32> },
    #[error(
        "this is not the shuffle you were promised: the record's commitment is {recorded}, you were shown {asked}"
    )]
    OtherCommitment { asked: Hex<32>, recorded: Hex<32> },
    #[error("the record says the game ended with {recorded}; here it ends with {here}")]
    Result { recorded: String, here: String },
}

impl Record {
    /// The record of a game about to begin: `db` holds the cards of the deck.
    pub fn new(rules: Rules, seed: Seed, deck: &Deck, db: &CardDb, seats: Vec<SeatText>) -> Record {
        let mut record = Record {
            format: "lair game".into(),
            version: VERSION,
            setup: Setup { rules, deck: deck.id.clone(), seed },
            deck: (!deck.id.is_preset()).then(|| deck.text.clone()),
            homebrew: Vec::new(),
            cards: Hex(db.hash),
            seats,
            fairness: None,
            actions: Vec::new(),
            fingerprints: Vec::new(),
            result: None,
        };
        record.fingerprints.push(record.fingerprint(None));
        record
    }

    pub fn from_json(text: &str) -> Result<Record, RecordError> {
        #[derive(Deserialize)]
        struct Kind {
            format: Option<String>,
            version: Option<u32>,
        }
        let kind: Kind = serde_json::from_str(text)?;
        match (kind.format, kind.version) {
            (Some(format), _) if format != "lair game" => return Err(RecordError::Foreign(format)),
            (Some(_), Some(version)) if version != VERSION => return Err(RecordError::Version(version)),
            _ => {}
        }
        let record: Record = serde_json::from_str(text)?;
        if record.actions.len() > MAX_ACTIONS {
            return Err(RecordError::TooLong(record.actions.len()));
        }
        Ok(record)
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Adds an answer just given; `game` is the game after it.
    pub fn push(&mut self, action: Action, game: &Game) {
        self.actions.push(ActionText(action));
        if (self.actions.len() as u32).is_multiple_of(FINGERPRINT_EVERY) {
            self.fingerprints.push(self.fingerprint(Some(game)));
        }
        self.result = ResultText::of(game);
    }

    /// The card files that it holds.
    pub fn own_cards(&self) -> Result<Vec<Homebrew>, RecordError> {
        let held = self.homebrew.iter().filter_map(|what| Some((what, what.text.as_ref()?)));
        held.map(|(what, text)| match cards::load(&what.file, text) {
            Ok((set, _)) => Ok(Homebrew { file: what.file.clone(), set }),
            Err(errors) => Err(RecordError::OwnCards(errors)),
        })
        .collect()
    }

    /// Checks that these are the card files it was played with.
    pub fn check_homebrew(&self, own: &[Homebrew]) -> Result<(), RecordError> {
        let here: Vec<HomebrewText> = own.iter().map(HomebrewText::from).collect();
        let lacks =
            |all: &[HomebrewText], one: &HomebrewText| all.iter().all(|other| other.cards != one.cards);
        let missing: Vec<HomebrewText> =
            self.homebrew.iter().filter(|what| lacks(&here, what)).cloned().collect();
        let mut foreign = own.iter().zip(&here).filter(|(_, text)| lacks(&self.homebrew, text));
        match (foreign.next(), missing.is_empty()) {
            (None, true) => Ok(()),
            (Some((other, text)), _) => {
                let same = |what: &&HomebrewText| what.file == text.file || what.set == text.set;
                let file = other.file.clone();
                Err(match missing.iter().find(same) {
                    Some(what) => RecordError::ChangedCards { what: what.to_string(), file },
                    None => RecordError::ForeignCards { file },
                })
            }
            (None, false) => Err(RecordError::MissingCards(missing)),
        }
    }

    /// The deck it was played with, found among these sets.
    pub fn deck(&self, sets: &[Set]) -> Result<Deck, RecordError> {
        let named = &self.setup.deck;
        let deck = match &self.deck {
            Some(text) => Deck::read(named.name(), "deck of the record", text, sets)?,
            None => library::deck(named.name(), sets).ok_or_else(|| RecordError::NoDeck(named.clone()))?,
        };
        if deck.id != *named {
            return Err(RecordError::OtherDeck { here: deck.id, named: named.clone() });
        }
        Ok(deck)
    }

    /// The cards to replay it with.
    pub fn db(&self, sets: &[Set]) -> Result<CardDb, RecordError> {
        Ok(self.deck(sets)?.compile(sets)?)
    }

    pub fn names(&self) -> Vec<String> {
        self.seats.iter().map(|seat| seat.name.clone()).collect()
    }

    /// Replays the record and passes every step to `each`: the game before it, the action (none for
    /// the deal), what happened, and the game after it. Stops at the first step that differs.
    pub fn replay<'a>(
        &self,
        db: &'a CardDb,
        mut each: impl FnMut(Option<(&Game<'a>, Action)>, &[Event], &Game<'a>),
    ) -> Result<Game<'a>, RecordError> {
        if self.cards.0 != db.hash {
            return Err(RecordError::OtherCards { recorded: self.cards, here: Hex(db.hash) });
        }
        let Setup { rules, seed, .. } = &self.setup;
        if self.seats.len() != usize::from(rules.players) {
            return Err(RecordError::Seats { seats: self.seats.len(), players: rules.players });
        }
        if let Some(fairness) = &self.fairness {
            fairness.check(*seed, self.seats.len())?;
        }
        self.compare(0, self.fingerprint(None))?;
        let mut events = Vec::new();
        let mut game = Game::new(db, *rules, seed.0, &mut events)?;
        each(None, &events, &game);
        let mut before = game.clone();
        for (i, action) in self.actions.iter().enumerate() {
            let step = i + 1;
            events.clear();
            before.clone_from(&game);
            game.apply(action.0, &mut events).map_err(|reason| RecordError::Action {
                step,
                action: action.to_string(),
                reason,
            })?;
            each(Some((&before, action.0)), &events, &game);
            if step.is_multiple_of(FINGERPRINT_EVERY as usize) {
                self.compare(step, self.fingerprint(Some(&game)))?;
            }
        }
        let (steps, there) = (self.actions.len(), self.fingerprints.len());
        let needed = steps / FINGERPRINT_EVERY as usize + 1;
        if there != needed {
            return Err(RecordError::Fingerprints { steps, there, needed });
        }
        let here = ResultText::of(&game);
        if self.result != here {
            let text = |result: &Option<ResultText>| match result {
                None => "no result".into(),
                Some(result) => result.to_string(),
            };
            return Err(RecordError::Result { recorded: text(&self.result), here: text(&here) });
        }
        Ok(game)
    }

    /// Replays the record and checks that everything agrees.
    pub fn verify<'a>(&self, db: &'a CardDb) -> Result<Game<'a>, RecordError> {
        self.replay(db, |_, _, _| {})
    }

    /// Whether its shuffle is the one that the server committed to with this hash.
    pub fn check_commitment(&self, asked: Hex<32>) -> Result<(), RecordError> {
        match self.fairness.as_ref().map(|fairness| fairness.commitment) {
            None => Err(RecordError::NoFairness { asked }),
            Some(recorded) if recorded != asked => Err(RecordError::OtherCommitment { asked, recorded }),
            Some(_) => Ok(()),
        }
    }

    /// Of who plays what with which cards and, once it is dealt, of the game as it stands.
    fn fingerprint(&self, game: Option<&Game>) -> Hex<8> {
        let mut hasher = Sha256::new();
        let setup = self.setup.to_string();
        let texts = self.seats.iter().flat_map(|seat| [&seat.name, &seat.kind]);
        for text in [&setup].into_iter().chain(texts) {
            hasher.update((text.len() as u64).to_be_bytes());
            hasher.update(text);
        }
        hasher.update(self.cards.0);
        hasher.update(game.map_or(0, |game| game.state.fingerprint()).to_be_bytes());
        let mut short = [0; 8];
        short.copy_from_slice(&hasher.finalize()[..8]);
        Hex(short)
    }

    fn compare(&self, step: usize, here: Hex<8>) -> Result<(), RecordError> {
        match self.fingerprints.get(step / FINGERPRINT_EVERY as usize) {
            Some(recorded) if *recorded != here => match step {
                0 => Err(RecordError::OtherGame { recorded: *recorded, here }),
                _ => Err(RecordError::Differs { step, recorded: *recorded, here }),
            },
            _ => Ok(()),
        }
    }
}

impl ResultText {
    pub fn of(game: &Game) -> Option<ResultText> {
        let outcome = game.outcome()?;
        let seats = || (0..game.state.rules().players).map(Seat);
        Some(ResultText {
            winner: outcome.winner.0 + 1,
            reason: outcome.reason.name().into(),
            turns: game.state.turn(),
            souls: seats().map(|seat| game.souls(seat)).collect(),
            wounds: seats().map(|seat| game.wounds(seat)).collect(),
        })
    }
}

impl fmt::Display for ResultText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{} winning in turn {} ({})", self.winner, self.turns, self.reason)
    }
}

/// Bytes written as hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hex<const N: usize>(pub [u8; N]);

#[derive(Debug, Error)]
#[error("`{0}` is not {1} hexadecimal digits")]
pub struct NotHex(String, usize);

impl<const N: usize> fmt::Display for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl<const N: usize> fmt::Debug for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<const N: usize> FromStr for Hex<N> {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Self, NotHex> {
        let wrong = || NotHex(text.chars().take(80).collect(), 2 * N);
        let digits = text.as_bytes();
        if digits.len() != 2 * N || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(wrong());
        }
        let mut bytes = [0; N];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
        }
        Ok(Hex(bytes))
    }
}

/// An answer as written in a record: `pass`, `use 12.0`, `build 33 at 2`, `pick card 12.3`, `pick p2`,
/// `pick 1`, `yes`, `no`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionText(pub Action);

#[derive(Debug, Error)]
#[error(
    "`{0}` is not a valid action: write pass, yes, no, use CARD.ABILITY, build CARD at PLACE, promote CARD, \
     sell CARD, take-back CARD, or pick ..."
)]
pub struct NotAnAction(String);

impl fmt::Display for ActionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Action::Pass => f.write_str("pass"),
            Action::Yes => f.write_str("yes"),
            Action::No => f.write_str("no"),
            Action::Use { card, ability } => write!(f, "use {}.{ability}", card.0),
            Action::Build { card, spot } => write!(f, "build {} at {}", card.0, spot.0),
            Action::Promote { card } => write!(f, "promote {}", card.0),
            Action::Sell { card } => write!(f, "sell {}", card.0),
            Action::TakeBack { card } => write!(f, "take-back {}", card.0),
            Action::Pick(r) => match (r.as_card(), r.as_seat()) {
                (Some(card), _) => write!(f, "pick card {}.{}", card.0, r.visit()),
                (_, Some(seat)) => write!(f, "pick {seat}"),
                _ => write!(f, "pick {}", r.as_number().unwrap_or(0)),
            },
        }
    }
}

impl FromStr for ActionText {
    type Err = NotAnAction;

    fn from_str(text: &str) -> Result<Self, NotAnAction> {
        let words: Vec<&str> = text.split(' ').collect();
        let dotted = |word: &str| {
            let (a, b) = word.split_once('.')?;
            Some((card_id(a)?, b.parse::<u8>().ok()?))
        };
        let action = match words[..] {
            ["pass"] => Some(Action::Pass),
            ["yes"] => Some(Action::Yes),
            ["no"] => Some(Action::No),
            ["use", word] => dotted(word).map(|(card, ability)| Action::Use { card, ability }),
            ["build", card, "at", slot] => card_id(card)
                .zip(slot.parse().ok())
                .map(|(card, slot)| Action::Build { card, spot: Spot(slot) }),
            ["promote", card] => card_id(card).map(|card| Action::Promote { card }),
            ["sell", card] => card_id(card).map(|card| Action::Sell { card }),
            ["take-back", card] => card_id(card).map(|card| Action::TakeBack { card }),
            ["pick", "card", word] => dotted(word)
                .filter(|(_, visit)| *visit < 16)
                .map(|(card, visit)| Action::Pick(Ref::card(card, visit))),
            ["pick", word] => match word.strip_prefix('p') {
                Some(seat) => {
                    let seat = seat.parse::<u8>().ok().filter(|n| (1..=SEATS as u8).contains(n));
                    seat.map(|n| Action::Pick(Ref::seat(Seat(n - 1))))
                }
                None => word.parse().ok().map(|n| Action::Pick(Ref::number(n))),
            },
            _ => None,
        };
        action.map(ActionText).ok_or_else(|| NotAnAction(text.chars().take(80).collect()))
    }
}

fn card_id(text: &str) -> Option<CardId> {
    text.parse().ok().filter(|n| usize::from(*n) < MAX_CARDS).map(CardId)
}

macro_rules! serde_as_text {
    ($([$($generics:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($generics)*> Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de, $($generics)*> Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}
serde_as_text!([const N: usize] Hex<N>, [] ActionText, [] Setup);
