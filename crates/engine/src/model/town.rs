//! The town board of Super Boss Monster: which hero is at which landmark, and where the minions
//! stand (rules 14.3 to 14.6). Empty in every other game.

use cards::vocabulary::Landmark;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::id::*;
use crate::model::state::Core;

/// Landmarks with room for one hero; the Tavern holds any number.
pub(crate) const HOUSES: usize = Landmark::COUNT - 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TownBoard {
    /// By seat: an action space of the board as a number, or the room or boss it stands on; nothing
    /// while it is at home.
    pub(crate) minions: [Ref; SEATS],
    /// The hero at each landmark but the Tavern.
    pub(crate) landmarks: [CardId; HOUSES],
}

impl TownBoard {
    pub(crate) const EMPTY: TownBoard =
        TownBoard { minions: [Ref::NOTHING; SEATS], landmarks: [CardId::NONE; HOUSES] };
}

/// What a minion on the board does (rule 14.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Errand {
    /// Your boss gains the landmark's treasure.
    Treasure,
    /// What only this landmark offers.
    Service,
    /// The hero there is sent to an entrance.
    Summon,
}

/// An action space of the town board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub struct Space {
    pub landmark: Landmark,
    pub errand: Errand,
}

impl Errand {
    pub const ALL: [Errand; 3] = [Errand::Treasure, Errand::Service, Errand::Summon];

    pub const fn word(self) -> &'static str {
        match self {
            Errand::Treasure => "treasure",
            Errand::Service => "service",
            Errand::Summon => "summon",
        }
    }
}

impl Space {
    /// Every space, landmark by landmark. The Tavern only summons.
    pub fn all() -> impl Iterator<Item = Space> {
        let spaces =
            |landmark: Landmark| Errand::ALL.into_iter().map(move |errand| Space { landmark, errand });
        let exists = |space: &Space| space.landmark != Landmark::Tavern || space.errand == Errand::Summon;
        Landmark::ALL.into_iter().flat_map(spaces).filter(exists)
    }

    /// As answers and the state have it.
    pub fn to_ref(self) -> Ref {
        Ref::number(self.landmark as u8 * Errand::ALL.len() as u8 + self.errand as u8)
    }

    pub fn of_ref(r: Ref) -> Option<Space> {
        let number = usize::from(r.as_number()?);
        let landmark = *Landmark::ALL.get(number / Errand::ALL.len())?;
        Some(Space { landmark, errand: Errand::ALL[number % Errand::ALL.len()] })
    }
}

impl Core {
    /// Where the seat's minion stands; nothing while it is at home.
    pub fn minion(&self, seat: Seat) -> Ref {
        self.town.minions[seat.index()]
    }

    /// The landmark at which a hero is.
    pub fn landmark_of(&self, hero: CardId) -> Option<Landmark> {
        if self.card(hero).place != Place::LANDMARK {
            return None;
        }
        let at = self.town.landmarks.iter().position(|there| *there == hero);
        Some(at.map_or(Landmark::Tavern, |at| Landmark::ALL[at]))
    }

    /// Heroes at a landmark, oldest first.
    pub fn heroes_at(&self, landmark: Landmark) -> impl Iterator<Item = CardId> + '_ {
        self.pile(Place::LANDMARK).filter(move |hero| self.landmark_of(*hero) == Some(landmark))
    }

    /// The hero whom a minion would summon: in the Tavern the newest.
    pub fn hero_to_summon(&self, landmark: Landmark) -> Option<CardId> {
        self.heroes_at(landmark).last()
    }

    /// Does a minion stand on the card? Then it can be neither covered nor destroyed (14.5).
    #[inline]
    pub(crate) fn has_minion(&self, card: CardId) -> bool {
        self.town.minions.contains(&self.ref_of(card))
    }
}
