//! What happened, one step at a time, as one viewer may know it: for those who show it, or tell it.

use cards::db::CardDb;
use engine::tell::{self, Names};
use engine::{Event, PlaceKind, Seat};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::card::Card;
use super::seat_number;
use super::table::Phase;

/// An event, for programs and in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Happening {
    #[serde(flatten)]
    pub what: What,
    /// As people read it.
    pub words: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What {
    TurnBegins {
        turn: u16,
    },
    PhaseBegins {
        phase: Phase,
    },
    /// A player's time to place, or to process heroes, begins.
    Active {
        seat: u8,
    },
    BossChosen {
        seat: u8,
        card: Card,
    },
    HandDealt {
        seat: u8,
        rooms: u8,
        spells: u8,
    },
    Mulligan {
        seat: u8,
    },
    /// A hero comes to town.
    Arrives {
        card: Card,
    },
    Draws {
        seat: u8,
        card: Card,
    },
    /// The discard pile went back into the decks.
    Reshuffled,
    Shuffled {
        at: Where,
    },
    /// Face down, in a dungeon, at this place from the boss.
    Places {
        seat: u8,
        card: Card,
        dungeon: u8,
        place: u8,
    },
    /// A face-down room is turned up.
    Reveals {
        seat: u8,
        card: Card,
    },
    /// Built face up by an effect.
    Builds {
        seat: u8,
        card: Card,
        place: u8,
    },
    LevelsUp {
        seat: u8,
        card: Card,
    },
    /// A spell is cast or an ability used; its targets and costs follow.
    Uses {
        seat: u8,
        card: Card,
    },
    Chooses {
        seat: u8,
        card: Card,
    },
    ChoosesPlayer {
        seat: u8,
        player: u8,
    },
    ChoosesType {
        seat: u8,
        class: String,
    },
    /// A declared action waits for the active player and the others.
    Waits {
        seat: u8,
        card: Card,
    },
    Cancelled {
        card: Card,
    },
    /// The target is gone: no effect.
    Fizzles {
        card: Card,
    },
    Triggers {
        seat: u8,
        card: Card,
    },
    /// Picked at random.
    Random {
        card: Card,
    },
    Looks {
        seat: u8,
        at: Where,
    },
    Discards {
        seat: u8,
        card: Card,
    },
    Takes {
        seat: u8,
        card: Card,
        at: Where,
    },
    /// Shown to all, and back into the hand.
    Shows {
        seat: u8,
        card: Card,
    },
    /// A hero has lost its damage.
    Recovers {
        card: Card,
    },
    Destroyed {
        seat: u8,
        card: Card,
    },
    Deactivated {
        card: Card,
    },
    Upright {
        card: Card,
    },
    Removed {
        card: Card,
    },
    Swapped {
        seat: u8,
        card: Card,
        other: Card,
    },
    Healed {
        seat: u8,
        card: Card,
    },
    Lured {
        seat: u8,
        card: Card,
    },
    StaysInTown {
        card: Card,
    },
    HeroGoes {
        card: Card,
        at: Where,
    },
    HeroWaits {
        card: Card,
    },
    Enters {
        card: Card,
        room: Card,
    },
    Damaged {
        card: Card,
        amount: u8,
    },
    Dies {
        seat: u8,
        card: Card,
    },
    Wounds {
        seat: u8,
        card: Card,
    },
    Eliminated {
        seat: u8,
    },
    GameOver {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        winner: Option<u8>,
        reason: String,
    },
}

/// A place on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Where {
    pub place: Site,
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Site {
    RoomDeck,
    SpellDeck,
    HeroDeck,
    EpicDeck,
    Discard,
    Removed,
    Town,
    Table,
    Box,
    Hand,
    Entrance,
    Scoring,
    Inside,
    Boss,
    Dungeon,
}

impl Happening {
    /// For a viewer; `None` is a spectator.
    pub fn of(db: &CardDb, names: &(impl Names + ?Sized), event: Event, viewer: Option<Seat>) -> Happening {
        Happening::open(db, names, event.for_viewer(db, viewer))
    }

    /// With every card it names, for those who look back at a game that is over.
    pub fn open(db: &CardDb, names: &(impl Names + ?Sized), event: Event) -> Happening {
        Happening { what: What::of(db, event), words: tell::sentence(db, names, event) }
    }
}

impl What {
    fn of(db: &CardDb, event: Event) -> What {
        let c = |shown| Card::shown(db, shown);
        let n = seat_number;
        match event {
            Event::TurnBegins(turn) => What::TurnBegins { turn },
            Event::PhaseBegins(phase) => What::PhaseBegins { phase: phase.into() },
            Event::Active(seat) => What::Active { seat: n(seat) },
            Event::BossChosen { seat, boss } => What::BossChosen { seat: n(seat), card: c(boss) },
            Event::HandDealt { seat, rooms, spells } => What::HandDealt { seat: n(seat), rooms, spells },
            Event::Mulligan(seat) => What::Mulligan { seat: n(seat) },
            Event::Arrives(hero) => What::Arrives { card: c(hero) },
            Event::Draws { seat, card } => What::Draws { seat: n(seat), card: c(card) },
            Event::Reshuffled => What::Reshuffled,
            Event::Shuffled(place) => What::Shuffled { at: place.into() },
            Event::Places { seat, card, at, slot } => {
                What::Places { seat: n(seat), card: c(card), dungeon: n(at), place: slot }
            }
            Event::Reveals { seat, card } => What::Reveals { seat: n(seat), card: c(card) },
            Event::Builds { seat, card, slot } => What::Builds { seat: n(seat), card: c(card), place: slot },
            Event::LevelsUp { seat, boss } => What::LevelsUp { seat: n(seat), card: c(boss) },
            Event::Uses { seat, card } => What::Uses { seat: n(seat), card: c(card) },
            Event::Chooses { seat, card } => What::Chooses { seat: n(seat), card: c(card) },
            Event::ChoosesPlayer { seat, player } => What::ChoosesPlayer { seat: n(seat), player: n(player) },
            Event::ChoosesType { seat, class } => {
                What::ChoosesType { seat: n(seat), class: class.to_string() }
            }
            Event::Waits { seat, card } => What::Waits { seat: n(seat), card: c(card) },
            Event::Cancelled(card) => What::Cancelled { card: c(card) },
            Event::Fizzles(card) => What::Fizzles { card: c(card) },
            Event::Triggers { seat, card } => What::Triggers { seat: n(seat), card: c(card) },
            Event::Random(card) => What::Random { card: c(card) },
            Event::Looks { seat, at } => What::Looks { seat: n(seat), at: at.into() },
            Event::Discards { seat, card } => What::Discards { seat: n(seat), card: c(card) },
            Event::Takes { seat, card, from } => {
                What::Takes { seat: n(seat), card: c(card), at: from.into() }
            }
            Event::Shows { seat, card } => What::Shows { seat: n(seat), card: c(card) },
            Event::Recovers(hero) => What::Recovers { card: c(hero) },
            Event::Destroyed { seat, card } => What::Destroyed { seat: n(seat), card: c(card) },
            Event::Deactivated(card) => What::Deactivated { card: c(card) },
            Event::Upright(card) => What::Upright { card: c(card) },
            Event::Removed(card) => What::Removed { card: c(card) },
            Event::Swapped { seat, a, b } => What::Swapped { seat: n(seat), card: c(a), other: c(b) },
            Event::Healed { seat, hero } => What::Healed { seat: n(seat), card: c(hero) },
            Event::Lured { seat, hero } => What::Lured { seat: n(seat), card: c(hero) },
            Event::StaysInTown(hero) => What::StaysInTown { card: c(hero) },
            Event::HeroGoes { hero, to } => What::HeroGoes { card: c(hero), at: to.into() },
            Event::HeroWaits(hero) => What::HeroWaits { card: c(hero) },
            Event::Enters { hero, room } => What::Enters { card: c(hero), room: c(room) },
            Event::Damaged { hero, amount } => What::Damaged { card: c(hero), amount },
            Event::Dies { seat, hero } => What::Dies { seat: n(seat), card: c(hero) },
            Event::Wounds { seat, hero } => What::Wounds { seat: n(seat), card: c(hero) },
            Event::Eliminated(seat) => What::Eliminated { seat: n(seat) },
            Event::GameOver { winner, reason } => What::GameOver {
                winner: Some(winner).filter(|seat| seat.exists()).map(n),
                reason: reason.name().into(),
            },
        }
    }
}

impl From<engine::Place> for Where {
    fn from(place: engine::Place) -> Where {
        let seat = Some(place.seat()).filter(|seat| seat.exists());
        Where { place: place.kind().into(), seat: seat.map(seat_number) }
    }
}

impl From<PlaceKind> for Site {
    fn from(kind: PlaceKind) -> Site {
        match kind {
            PlaceKind::RoomDeck => Site::RoomDeck,
            PlaceKind::SpellDeck => Site::SpellDeck,
            PlaceKind::HeroDeck => Site::HeroDeck,
            PlaceKind::EpicDeck => Site::EpicDeck,
            PlaceKind::Discard => Site::Discard,
            PlaceKind::Removed => Site::Removed,
            PlaceKind::Town => Site::Town,
            PlaceKind::Table => Site::Table,
            PlaceKind::Box => Site::Box,
            PlaceKind::Hand => Site::Hand,
            PlaceKind::Entrance => Site::Entrance,
            PlaceKind::Scoring => Site::Scoring,
            PlaceKind::Inside => Site::Inside,
            PlaceKind::Boss => Site::Boss,
            PlaceKind::Dungeon => Site::Dungeon,
        }
    }
}
