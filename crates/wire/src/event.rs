//! What happened, one step at a time, as one reader may see it.

use cards::db::CardDb;
use engine::tell::{self, Names, Reader};
use engine::{Score, What, Zone};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::card::Card;
use super::seat_number;

/// An event: what happened, who did it and why, which card it happened to, and where that card went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(rename = "GameEvent", optional_fields)]
pub struct Event {
    #[serde(flatten)]
    pub what: What,
    /// Who does it; absent if the rules or a hero do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<u8>,
    /// The card that causes it; absent if the rules do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Card>,
    /// The card it happens to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Card>,
    /// The room the hero is in, or the other room of two that change places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<Card>,
    /// The player it happens to: chosen, eliminated, or the winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<u8>,
    /// Where the card was; for an event about a whole pile, that pile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Where>,
    /// Where the card is now; absent if it stays where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Where>,
    /// The sentence for the reader; empty if another event tells it.
    pub words: String,
}

/// A place on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Where {
    pub zone: Zone,
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// In a dungeon: the stack, counted from 0 at the boss. For a hero inside: the stack of its
    /// room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u8>,
    /// A room not yet revealed; in a scoring area, a soul.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub facedown: bool,
    /// In a scoring area: what it counts after the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
}

impl Event {
    /// What happened in one step, as this reader may see it; related events share a sentence.
    pub fn all(
        db: &CardDb,
        names: &(impl Names + ?Sized),
        reader: Reader,
        events: &[engine::Event],
    ) -> Vec<Event> {
        let told = tell::sentences(db, names, reader, events);
        events.iter().zip(told).map(|(event, words)| Event::told(db, reader, *event, words)).collect()
    }

    fn told(db: &CardDb, reader: Reader, event: engine::Event, words: String) -> Event {
        let seen = reader.sees(db, event);
        let card = |shown| Card::shown(db, shown);
        Event {
            what: seen.what,
            actor: Some(seen.actor).filter(|seat| seat.exists()).map(seat_number),
            cause: seen.cause.map(card),
            card: seen.card.map(card),
            room: seen.room.map(card),
            player: seen.player.map(seat_number),
            from: seen.from.map(Where::from),
            to: seen.to.map(Where::from),
            words,
        }
    }
}

impl From<engine::Where> for Where {
    fn from(at: engine::Where) -> Where {
        let seat = Some(at.place.seat()).filter(|seat| seat.exists());
        Where {
            zone: at.place.zone(),
            seat: seat.map(seat_number),
            slot: at.slot,
            facedown: at.facedown,
            score: at.score,
        }
    }
}
