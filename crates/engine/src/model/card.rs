//! What is kept for each card: which one it is, where it lies, and what lies on it.

use cards::code::DefId;

use crate::model::id::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardState {
    pub def: DefId,
    /// The next card of the pile, or the card beneath in a stack.
    pub(crate) next: CardId,
    pub(crate) flags: Flags,
    pub place: Place,
    /// Who has seen what it is.
    pub(crate) seen: SeatSet,
}

impl CardState {
    pub(crate) const EMPTY: CardState = CardState {
        def: DefId(0),
        next: CardId::NONE,
        flags: Flags(0),
        place: Place::REMOVED,
        seen: SeatSet::EMPTY,
    };
}

/// Pieces on a card in play, and the damage a hero has taken. All of it is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Marks {
    /// Damage the hero has taken this turn (rule 10.10).
    pub damage: u8,
    /// On a room: +1 damage each (rule 1.7).
    pub counters: u8,
    pub coins: u8,
    /// What a token adds to the hero's health, or takes from it (rule 14.4).
    pub token: i8,
}

impl Marks {
    pub(crate) const NONE: Marks = Marks { damage: 0, counters: 0, coins: 0, token: 0 };

    /// What is left when the card leaves play: damage stays to the end of the turn.
    pub(crate) fn without_pieces(self) -> Marks {
        Marks { damage: self.damage, ..Marks::NONE }
    }
}

/// One bit each; the top bits count visits (see `Ref`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flags(pub u16);

impl Flags {
    /// A room placed and not yet revealed; in a scoring area a dead hero.
    pub const FACEDOWN: Flags = Flags(1);
    pub const DEACTIVATED: Flags = Flags(1 << 1);
    /// Under another card of its stack.
    pub const COVERED: Flags = Flags(1 << 2);
    /// Built, and its "when built" abilities have not run yet.
    pub const DUE: Flags = Flags(1 << 3);
    /// A hero that has walked, or tried to, this turn; in a scoring area, one that survived.
    pub const WALKED: Flags = Flags(1 << 4);
    /// Part of a secret answer that takes effect later.
    pub const CHOSEN: Flags = Flags(1 << 5);
    /// Once-per-turn abilities used: three bits from here.
    pub const USED: Flags = Flags(1 << 6);
    /// A hero entered the room this turn.
    pub const ENTERED: Flags = Flags(1 << 9);
    /// A miniboss or an item that came to its place this turn.
    pub const NEW: Flags = Flags(1 << 10);
    /// A card of a dungeon with any of these is not an active room.
    pub(crate) const OFF: Flags = Flags(Flags::FACEDOWN.0 | Flags::DEACTIVATED.0 | Flags::COVERED.0);
    const VISIT: u32 = u16::BITS - VISIT_BITS;
    const VISITS: u16 = u16::MAX << Flags::VISIT;

    pub fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }
    pub(crate) fn set(&mut self, flag: Flags) {
        self.0 |= flag.0;
    }
    pub(crate) fn clear(&mut self, flag: Flags) {
        self.0 &= !flag.0;
    }
    pub(crate) fn used(mark: u8) -> Flags {
        Flags(Flags::USED.0 << mark)
    }
    pub(crate) fn visit(self) -> u8 {
        (self.0 >> Flags::VISIT) as u8
    }
    /// What is left when the card begins a new visit somewhere.
    pub(crate) fn new_visit(self) -> Flags {
        Flags((self.0 & Flags::VISITS).wrapping_add(1 << Flags::VISIT))
    }
    /// A new visit, though nothing else has changed.
    pub(crate) fn renewed(self) -> Flags {
        Flags(self.0.wrapping_add(1 << Flags::VISIT))
    }
    /// What is left when a turn begins. Postponed abilities at the end of a turn still count for
    /// that turn.
    pub(crate) fn begin_turn(self) -> Flags {
        Flags(self.0 & !((Flags::USED.0 * 7) | Flags::ENTERED.0 | Flags::NEW.0))
    }
}
