//! A game on paper: setup, seed and every answer, enough to play it again to the same bytes on any machine.
//! Fingerprints on the way tell where two replays part.

use std::fmt;
use std::str::FromStr;

use cards::db::CardDb;
use cards::deck::{Deck, DeckId};
use cards::homebrew::Homebrew;
use cards::tree::Set;
use cards::{CompileError, Errors, library};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::id::*;
use crate::setup::{Rules, SetupError};
use crate::setup_line::{Seed, Setup};
use crate::{Action, Event, Game, Illegal};

/// The form of the file; a later form gets another number.
pub const VERSION: u32 = 2;
/// A fingerprint is taken after so many decisions each.
pub const FINGERPRINT_EVERY: u32 = 32;
/// No game comes near; a file that claims more is not played.
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
    /// Card files of somebody's own that were loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub homebrew: Vec<HomebrewText>,
    /// SHA-256 of the cards of the deck.
    pub cards: Hex<32>,
    pub seats: Vec<SeatText>,
    /// What proves that nobody chose the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    pub actions: Vec<ActionText>,
    /// After 32, 64, ... decisions.
    pub fingerprints: Vec<Hex<8>>,
    /// Absent while the game goes on.
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

/// Names a card file, so that a reader knows what to load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HomebrewText {
    /// Its name without the folder it was in.
    pub file: String,
    pub set: String,
    pub title: String,
    /// SHA-256 of its cards.
    pub cards: Hex<32>,
}

impl From<&Homebrew> for HomebrewText {
    fn from(homebrew: &Homebrew) -> HomebrewText {
        let name = homebrew.file.rsplit(['/', '\\']).next().unwrap_or_default();
        HomebrewText {
            file: name.into(),
            set: homebrew.set.code.clone(),
            title: homebrew.set.title.clone(),
            cards: Hex(homebrew.hash()),
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

/// Nobody reads a long name.
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

/// How the seed came about: the server fixed its secret and showed its hash, the players' clients added bytes of
/// their own, and the seed is the hash of all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fairness {
    /// SHA-256 of the secret, shown before the first card.
    pub commitment: Hex<32>,
    pub secret: Hex<32>,
    /// By seat; zeros of those who added nothing.
    pub entropy: Vec<Hex<32>>,
}

impl Fairness {
    pub fn seed(&self) -> Seed {
        let mut hasher = Sha256::new();
        hasher.update(b"lair shuffle 1");
        hasher.update(self.secret.0);
        self.entropy.iter().for_each(|part| hasher.update(part.0));
        Seed(hasher.finalize().into())
    }

    /// Does the secret fit what was shown, and the seed what was added?
    fn check(&self, seed: Seed) -> Result<(), RecordError> {
        let shown: [u8; 32] = Sha256::digest(self.secret.0).into();
        if shown != self.commitment.0 {
            return Err(RecordError::Commitment { shown: self.commitment, here: Hex(shown) });
        }
        if self.seed() != seed {
            return Err(RecordError::Unfair);
        }
        Ok(())
    }
}

#[derive(Debug, Error)]
pub enum RecordError {
    #[error("this is no record: {0}")]
    NotARecord(#[from] serde_json::Error),
    #[error("this is a file of the kind \"{0}\", not a \"lair game\"")]
    Foreign(String),
    #[error("the record has version {0}; this program reads version {VERSION}")]
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
    #[error("the record's deck is `{here}`, and its setup names `{named}`")]
    OtherDeck { here: DeckId, named: DeckId },
    #[error("the record's deck cannot be read:\n{0}")]
    Deck(#[from] Errors),
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
    #[error("the record has {there} fingerprints for {steps} steps; there should be {needed}")]
    Fingerprints { steps: usize, there: usize, needed: usize },
    #[error("the shuffle is not the one that was promised: the secret's hash is {here}, shown was {shown}")]
    Commitment { shown: Hex<32>, here: Hex<32> },
    #[error(
        "the seed does not follow from the server's secret and what the players added: somebody chose it"
    )]
    Unfair,
    #[error("the record says the game ended with {recorded}; here it ends with {here}")]
    Result { recorded: String, here: String },
}

impl Record {
    /// Of a game about to begin: `db` holds the cards of the deck.
    pub fn new(rules: Rules, seed: Seed, deck: &Deck, db: &CardDb, seats: Vec<SeatText>) -> Record {
        Record {
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
        }
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

    /// Notes an answer just given; `game` stands after it.
    pub fn push(&mut self, action: Action, game: &Game) {
        self.actions.push(ActionText(action));
        if (self.actions.len() as u32).is_multiple_of(FINGERPRINT_EVERY) {
            self.fingerprints.push(fingerprint(game));
        }
        self.result = ResultText::of(game);
    }

    /// Whether these are the card files it was played with.
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

    /// Plays the record again, and gives every step to `each`: the game before it, the action (none for the
    /// deal), what happened, and the game after it. Stops at the first step that differs.
    pub fn replay<'a>(
        &self,
        db: &'a CardDb,
        mut each: impl FnMut(Option<(&Game<'a>, Action)>, &[Event], &Game<'a>),
    ) -> Result<Game<'a>, RecordError> {
        if self.cards.0 != db.hash {
            return Err(RecordError::OtherCards { recorded: self.cards, here: Hex(db.hash) });
        }
        let Setup { rules, seed, .. } = &self.setup;
        if let Some(fairness) = &self.fairness {
            fairness.check(*seed)?;
        }
        if self.seats.len() != usize::from(rules.players) {
            return Err(RecordError::Seats { seats: self.seats.len(), players: rules.players });
        }
        let mut events = Vec::new();
        let mut game = Game::new(db, *rules, seed.0, &mut events)?;
        each(None, &events, &game);
        for (i, action) in self.actions.iter().enumerate() {
            let step = i + 1;
            events.clear();
            let before = game.clone();
            game.apply(action.0, &mut events).map_err(|reason| RecordError::Action {
                step,
                action: action.to_string(),
                reason,
            })?;
            each(Some((&before, action.0)), &events, &game);
            let every = FINGERPRINT_EVERY as usize;
            if step.is_multiple_of(every)
                && let Some(recorded) = self.fingerprints.get(step / every - 1)
                && *recorded != fingerprint(&game)
            {
                return Err(RecordError::Differs { step, recorded: *recorded, here: fingerprint(&game) });
            }
        }
        let (steps, there) = (self.actions.len(), self.fingerprints.len());
        let needed = steps / FINGERPRINT_EVERY as usize;
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

    /// Plays the record again and says whether everything agrees.
    pub fn verify<'a>(&self, db: &'a CardDb) -> Result<Game<'a>, RecordError> {
        self.replay(db, |_, _, _| {})
    }
}

fn fingerprint(game: &Game) -> Hex<8> {
    Hex(game.state.fingerprint().to_be_bytes())
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
#[error("`{0}` is no action: write pass, yes, no, use CARD.ABILITY, build CARD at PLACE, or pick ...")]
pub struct NotAnAction(String);

impl fmt::Display for ActionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Action::Pass => f.write_str("pass"),
            Action::Yes => f.write_str("yes"),
            Action::No => f.write_str("no"),
            Action::Use { card, ability } => write!(f, "use {}.{ability}", card.0),
            Action::Build { card, spot } => write!(f, "build {} at {}", card.0, spot.0),
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
