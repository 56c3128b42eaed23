//! What each player has to declare, side by side with what it needs: one look, without a branch for each card, tells
//! what the facts allow.
//!
//! Invariant: kept up to date with every spell that comes to a hand or leaves it and with every change of a dungeon
//! (`State::check`). It follows from the rest of the state, so bytes leave it out and no two states differ by it.

use cards::code::{Facts, Hooks};
use cards::db::{CardDb, Def};

use crate::id::*;
use crate::query::Board;
use crate::state::Core;

/// Rooms by their place, the boss, and so many spells in no order.
const BOSS: usize = SLOTS;
const SPELLS: usize = BOSS + 1;
const ALL: usize = SPELLS + 6;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Offers {
    needs: [Facts; ALL],
    cards: [CardId; ALL],
    /// Spells of the hand that have found no place here.
    more: u16,
}

impl PartialEq for Offers {
    fn eq(&self, _: &Offers) -> bool {
        true
    }
}
impl Eq for Offers {}

impl Offers {
    pub const NONE: Offers = Offers { needs: [Facts::NEVER; ALL], cards: [CardId::NONE; ALL], more: 0 };

    /// Those whose needs the facts meet.
    #[inline]
    pub fn open(&self, facts: Facts) -> Open {
        let meets = |at: usize| u16::from(facts.meet(self.needs[at])) << at;
        Open((0..ALL).fold(0, |open, at| open | meets(at)))
    }

    #[inline]
    pub fn card(&self, at: usize) -> CardId {
        self.cards[at % ALL]
    }

    /// Are there spells that are not listed here?
    #[inline]
    pub fn has_more(&self) -> bool {
        self.more > 0
    }

    #[inline]
    pub fn put_room(&mut self, slot: usize, room: CardId, def: &Def, active: bool) {
        let usable = active & def.hooks.has(Hooks::USED);
        (self.cards[slot], self.needs[slot]) = (room, def.needs.and_if(!usable, Facts::NEVER));
    }

    #[inline]
    pub fn add_spell(&mut self, spell: CardId, def: &Def) {
        match self.place_of(CardId::NONE) {
            Some(free) => (self.cards[free], self.needs[free]) = (spell, def.needs),
            None => self.more += 1,
        }
    }

    #[inline]
    pub fn remove_spell(&mut self, spell: CardId) {
        match self.place_of(spell) {
            Some(at) => (self.cards[at], self.needs[at]) = (CardId::NONE, Facts::NEVER),
            None => self.more -= 1,
        }
    }

    #[inline]
    fn place_of(&self, spell: CardId) -> Option<usize> {
        let is_it = |at: usize| u16::from(self.cards[at] == spell) << at;
        let found = (SPELLS..ALL).fold(0, |found, at| found | is_it(at));
        (found != 0).then_some(found.trailing_zeros() as usize % ALL)
    }

    /// The same offers, wherever the spells stand? Which of too many are listed depends on how they came.
    pub fn agree(&self, other: &Offers) -> bool {
        let spells = |offers: &Offers| {
            let mut spells: [(u16, u32); ALL - SPELLS] =
                std::array::from_fn(|i| (offers.cards[SPELLS + i].0, offers.needs[SPELLS + i].0));
            spells.sort_unstable();
            spells
        };
        let listed = |offers: &Offers| offers.cards[SPELLS..].iter().filter(|card| card.exists()).count();
        let count = |offers: &Offers| listed(offers) + usize::from(offers.more);
        let never = |needs: Facts| needs.meet(Facts::NEVER);
        let same = |at: usize| {
            let (one, two) = (self.needs[at], other.needs[at]);
            one == two || never(one) && never(two)
        };
        (0..SPELLS).all(same)
            && count(self) == count(other)
            && (self.more > 0 || spells(self) == spells(other))
    }
}

/// What is open at the moment, one bit each.
#[derive(Clone, Copy)]
pub(crate) struct Open(u16);

impl Open {
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub fn spells(self) -> Open {
        Open(self.0 >> SPELLS << SPELLS)
    }

    #[inline]
    pub fn rooms(self) -> Open {
        Open(self.0 & ((1 << SPELLS) - 1))
    }
}

impl Iterator for Open {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let at = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (at < ALL).then_some(at)
    }
}

impl Board<'_> {
    /// All that the seat has, looked through anew.
    pub fn offers_of(&self, seat: Seat) -> Offers {
        let mut offers = Offers::NONE;
        self.offer_rooms(seat, &mut offers);
        for spell in self.s.pile(Place::spells(seat)) {
            offers.add_spell(spell, self.def(spell));
        }
        offers
    }

    /// The rooms of the dungeon and the boss.
    pub fn offer_rooms(&self, seat: Seat, offers: &mut Offers) {
        let player = self.s.player(seat);
        let active = self.s.active_slots(seat);
        for (slot, room) in player.slots.into_iter().enumerate() {
            offers.put_room(slot, room, self.def(room), active >> slot & 1 == 1);
        }
        let boss = player.boss;
        offers.put_room(BOSS, boss, self.def(boss), player.levelled & boss.exists());
    }
}

impl Core {
    /// Everything that is kept for each player anew, after cards have become others.
    pub(crate) fn look_through(&mut self, db: &CardDb) {
        for seat in (0..SEATS as u8).map(Seat) {
            self.active_rooms[seat.index()] = self.count_active(seat);
            self.offers[seat.index()] = Board { db, s: self }.offers_of(seat);
        }
    }
}
