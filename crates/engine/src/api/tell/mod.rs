//! The game in sentences: events, questions and answers in the game's words, addressed to their reader. Text
//! only; nothing here is needed to play.

mod phrase;
mod question;
mod sentence;
mod why_not;

use std::borrow::Cow;

use cards::db::CardDb;
use cards::vocabulary::Zone;

use crate::model::id::*;
use crate::{Event, Shown};

pub use question::{action, choice_note, question};
pub use sentence::{Told, sentence, sentences, story};
pub use why_not::why_not;

/// Who reads: decides what may be told, and who is "you".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    Seat(Seat),
    Spectator,
    /// A reader of a finished game: every card is named, nobody is "you".
    Replay,
}

impl Reader {
    /// The event as this reader may see it.
    pub fn sees(self, db: &CardDb, event: Event) -> Event {
        match self {
            Reader::Seat(seat) => event.for_viewer(db, Some(seat)),
            Reader::Spectator => event.for_viewer(db, None),
            Reader::Replay => event,
        }
    }

    pub fn is(self, seat: Seat) -> bool {
        self == Reader::Seat(seat)
    }
}

/// A seat, or a spectator.
impl From<Option<Seat>> for Reader {
    fn from(viewer: Option<Seat>) -> Reader {
        viewer.map_or(Reader::Spectator, Reader::Seat)
    }
}

/// The names of the players.
pub trait Names {
    fn player(&self, seat: Seat) -> Cow<'_, str>;
}

/// p1, p2, ...
pub struct Numbers;

impl Names for Numbers {
    fn player(&self, seat: Seat) -> Cow<'_, str> {
        seat.to_string().into()
    }
}

impl Names for [String] {
    fn player(&self, seat: Seat) -> Cow<'_, str> {
        self.get(seat.index()).map_or_else(|| seat.to_string().into(), |name| name.as_str().into())
    }
}

/// Where a card is, in words, for a reader without a seat.
pub fn place_name(names: &(impl Names + ?Sized), place: Place) -> String {
    Voice { names, reader: Reader::Replay }.place(place)
}

/// Players and their things as the reader calls them.
struct Voice<'a, N: ?Sized> {
    names: &'a N,
    reader: Reader,
}

impl<'a, N: Names + ?Sized> Voice<'a, N> {
    /// `you`, `Anna`
    fn player(&self, seat: Seat) -> Cow<'a, str> {
        if self.reader.is(seat) { "you".into() } else { self.names.player(seat) }
    }

    /// `your`, `Anna's`
    fn whose(&self, seat: Seat) -> Cow<'a, str> {
        if self.reader.is(seat) { "your".into() } else { format!("{}'s", self.names.player(seat)).into() }
    }

    /// A card of the player's: `your …`, `Anna's …`
    fn theirs(&self, seat: Seat, name: &str) -> String {
        format!("{} {}", self.whose(seat), name.strip_prefix("The ").unwrap_or(name))
    }

    /// The same at the beginning of a sentence.
    fn theirs_first(&self, seat: Seat, name: &str) -> String {
        format!("{} {}", self.whose_first(seat), name.strip_prefix("The ").unwrap_or(name))
    }

    /// `your` at the beginning of a sentence.
    fn whose_first(&self, seat: Seat) -> Cow<'a, str> {
        if self.reader.is(seat) { "Your".into() } else { self.whose(seat) }
    }

    /// A sentence begins: `You draw`, `Anna draws`.
    fn does(&self, seat: Seat, verb: &str) -> String {
        if self.reader.is(seat) {
            format!("You {verb}")
        } else {
            format!("{} {verb}s", self.names.player(seat))
        }
    }

    /// Within a sentence: `you win`, `Anna wins`.
    fn then_does(&self, seat: Seat, verb: &str) -> String {
        if self.reader.is(seat) { format!("you {verb}") } else { self.does(seat, verb) }
    }

    /// A sentence begins: `You are`, `Anna is`.
    fn is(&self, seat: Seat) -> String {
        if self.reader.is(seat) { "You are".into() } else { format!("{} is", self.names.player(seat)) }
    }

    /// A sentence begins: `You have`, `Anna has`.
    fn has(&self, seat: Seat) -> String {
        if self.reader.is(seat) { "You have".into() } else { format!("{} has", self.names.player(seat)) }
    }

    /// Within a sentence: `you are`, `Anna is`.
    fn then_is(&self, seat: Seat) -> String {
        if self.reader.is(seat) { "you are".into() } else { self.is(seat) }
    }

    fn place(&self, place: Place) -> String {
        let zone = place.zone();
        match zone {
            Zone::Town => zone.name().into(),
            _ if zone.is_per_seat() => format!("{} {}", self.whose(place.seat()), zone.name()),
            _ => format!("the {}", zone.name()),
        }
    }
}

/// A card by name, or by its back if it is unseen.
fn card_name(db: &CardDb, card: Option<Shown>) -> &str {
    card.map_or("a card", |card| db.name(card.def))
}

/// `a`, `a and b`, `a, b and c`
fn list(items: &[String]) -> String {
    list_with(items, "and")
}

fn list_with(items: &[String], word: &str) -> String {
    match items {
        [] => "nothing".into(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} {word} {last}", most.join(", ")),
    }
}

fn plural(n: impl Into<u32>, noun: &str) -> String {
    match n.into() {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}
