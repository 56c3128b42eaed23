//! Selectors as code: which things, where, and what must be printed on them.

use super::{CondId, Slot, WhoCode};
use crate::vocabulary::{Adjective, Adjectives, Kind, Noun, Zone, Zones};

/// A selector: which things, where, and which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Exactly what is in the slot.
    Slot(Slot),
    Selector(SelectorCode),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectorCode {
    pub noun: Noun,
    pub adjectives: Adjectives,
    pub site: SiteCode,
    /// Only the backs are known there: a miniboss passes for a room.
    pub backs: bool,
    pub but: Option<Slot>,
    pub cond: Option<CondId>,
    pub pick: PickCode,
    pub asked: Asked,
}

/// What the act asks of a room, beyond what the selector says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Asked {
    #[default]
    Nothing,
    /// It will be destroyed, taken or covered, so no minion may stand on it (rule 14.5).
    Vacant,
    /// It can take another counter (15.4).
    TakesCounter,
    /// It has that many counters.
    Counters(u8),
    /// The item may be used in the present phase.
    InTime,
}

impl Query {
    /// What the place of the selected things depends on: the thing itself, a room it is in or
    /// beside, or its owner.
    pub fn place(&self) -> Option<Slot> {
        match self {
            Query::Slot(slot) => Some(*slot),
            Query::Selector(selector) => match selector.site {
                SiteCode::Anywhere => None,
                SiteCode::In { who: WhoCode::Player(slot) | WhoCode::OwnerOf(slot), .. } => Some(slot),
                SiteCode::In { .. } => None,
                SiteCode::Among { reg, .. } => Some(Slot::Reg(reg)),
                SiteCode::InRoom(slot) | SiteCode::On(slot) | SiteCode::Beside(slot) => Some(slot),
                SiteCode::LeftOf(slot) | SiteCode::RightOf(slot) | SiteCode::Under(slot) => Some(slot),
            },
        }
    }
}

impl SelectorCode {
    /// Can what it selects lie in this zone?
    pub fn may_be_in(&self, zone: Zone) -> bool {
        match self.site {
            SiteCode::In { zones, .. } => zones.has(zone),
            _ => zone == Zone::Dungeon,
        }
    }

    /// What must be printed on the card.
    #[inline]
    pub fn wanted(&self) -> Traits {
        let wanted = Traits::wanted(self.noun, self.adjectives);
        if self.backs { Traits { nouns: Traits::ROOM_BACK, ..wanted } } else { wanted }
    }

    /// Has no adjective, no `but`, no `where`, no `first`.
    pub fn is_plain(&self) -> bool {
        self.adjectives.is_empty() && self.narrows_by_kind()
    }

    /// Is narrowed only by printed adjectives and `another`.
    pub fn narrows_by_kind(&self) -> bool {
        let marks = Adjectives::OF_TABLE.without(Adjectives(0).with(Adjective::Another));
        self.but.is_none()
            && self.cond.is_none()
            && self.pick == PickCode::Any
            && matches!(self.asked, Asked::Nothing | Asked::Vacant)
            && self.adjectives.0 & marks.0 == 0
    }
}

/// The nouns and adjectives that always apply to a printed card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Traits {
    nouns: u32,
    adjectives: Adjectives,
}

// Room for twice as many nouns.
const _: () = assert!(Noun::COUNT <= 16);

impl Traits {
    /// Beside the nouns: it has the back of a room.
    const ROOM_BACK: u32 = 1 << 31;

    pub(crate) fn of(kind: Kind, adjectives: impl IntoIterator<Item = Adjective>) -> Traits {
        let back = if kind.backed() == Kind::Room { Traits::ROOM_BACK } else { 0 };
        Traits {
            nouns: kind.nouns().iter().fold(back, |bits, noun| bits | 1 << *noun as u32),
            adjectives: adjectives.into_iter().collect(),
        }
    }

    /// A card that could be either.
    pub(crate) fn or(self, other: Traits) -> Traits {
        Traits {
            nouns: self.nouns | other.nouns,
            adjectives: Adjectives(self.adjectives.0 | other.adjectives.0),
        }
    }

    /// The part of a selector that is printed on the card. Souls and wounds are heroes.
    #[inline]
    pub fn wanted(noun: Noun, adjectives: Adjectives) -> Traits {
        let noun = if matches!(noun, Noun::Soul | Noun::Wound) { Noun::Hero } else { noun };
        Traits { nouns: 1 << noun as u32, ..Traits::adjectives(adjectives) }
    }

    /// What the adjectives ask of a printed card of any kind.
    #[inline]
    pub fn adjectives(adjectives: Adjectives) -> Traits {
        Traits { nouns: 0, adjectives: adjectives.without(Adjectives::OF_TABLE) }
    }

    pub fn is_none(self) -> bool {
        self.nouns == 0 && self.adjectives.is_empty()
    }

    #[inline]
    pub fn include(self, wanted: Traits) -> bool {
        (wanted.nouns & !self.nouns == 0) & wanted.adjectives.without(self.adjectives).is_empty()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickCode {
    Any,
    First,
    /// So many from the left.
    Leading(u8),
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteCode {
    /// Where such things usually are.
    Anywhere,
    In {
        zones: Zones,
        who: WhoCode,
    },
    InRoom(Slot),
    /// One of the cards in these registers.
    Among {
        reg: u8,
        count: u8,
    },
    /// Attached to it.
    On(Slot),
    LeftOf(Slot),
    RightOf(Slot),
    Beside(Slot),
    /// Below it in its stack.
    Under(Slot),
}
