//! A cache of what each player could declare, next to the facts it needs: one branch-free pass
//! finds what the current facts allow. Must agree with `Board::offers_of`, which lists it from
//! scratch.
//!
//! Invariant: updated with every spell that enters or leaves a hand and every change of a dungeon
//! (`State::check`). It follows from the rest of the state, so the encoding leaves it out, and
//! comparing states ignores it.

use cards::code::{Facts, Hooks};
use cards::db::{CardDb, Def};

use crate::code::query::Board;
use crate::model::id::*;
use crate::model::state::Core;

const NEVER: u32 = Facts::NEVER.common();

/// Rooms by place, then the boss, then up to six spells in no order.
const BOSS: usize = SLOTS;
const SPELLS: usize = BOSS + 1;
const ALL: usize = SPELLS + 6;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Offers {
    /// The common facts that each entry needs.
    needs: [u32; ALL],
    cards: [CardId; ALL],
    /// Spells of the hand that did not fit.
    more: u16,
}

impl PartialEq for Offers {
    fn eq(&self, _: &Offers) -> bool {
        true
    }
}
impl Eq for Offers {}

impl Offers {
    pub const NONE: Offers = Offers { needs: [NEVER; ALL], cards: [CardId::NONE; ALL], more: 0 };

    /// The entries whose needs the facts meet.
    #[inline]
    pub fn open(&self, facts: Facts) -> Open {
        let facts = facts.common();
        let meets = |at: usize| u16::from(self.needs[at] & !facts == 0) << at;
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
        (self.cards[slot], self.needs[slot]) = (room, def.needs.and_if(!usable, Facts::NEVER).common());
    }

    #[inline]
    pub fn add_spell(&mut self, spell: CardId, def: &Def) {
        match self.place_of(CardId::NONE) {
            Some(free) => (self.cards[free], self.needs[free]) = (spell, def.needs.common()),
            None => self.more += 1,
        }
    }

    #[inline]
    pub fn remove_spell(&mut self, spell: CardId) {
        match self.place_of(spell) {
            Some(at) => (self.cards[at], self.needs[at]) = (CardId::NONE, NEVER),
            None => self.more -= 1,
        }
    }

    #[inline]
    fn place_of(&self, spell: CardId) -> Option<usize> {
        let is_it = |at: usize| u16::from(self.cards[at] == spell) << at;
        let found = (SPELLS..ALL).fold(0, |found, at| found | is_it(at));
        (found != 0).then_some(found.trailing_zeros() as usize % ALL)
    }

    /// The same offers, in whatever order the spells stand? If there are too many, the listed ones
    /// depend on the order in which they arrived.
    pub fn agree(&self, other: &Offers) -> bool {
        let spells = |offers: &Offers| {
            let mut spells: [(u16, u32); ALL - SPELLS] =
                std::array::from_fn(|i| (offers.cards[SPELLS + i].0, offers.needs[SPELLS + i]));
            spells.sort_unstable();
            spells
        };
        let listed = |offers: &Offers| offers.cards[SPELLS..].iter().filter(|card| card.exists()).count();
        let count = |offers: &Offers| listed(offers) + usize::from(offers.more);
        let never = |needs: u32| needs & NEVER != 0;
        let same = |at: usize| {
            let (one, two) = (self.needs[at], other.needs[at]);
            one == two || never(one) && never(two)
        };
        (0..SPELLS).all(same)
            && count(self) == count(other)
            && (self.more > 0 || spells(self) == spells(other))
    }
}

/// The entries that can be declared now, one bit each.
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
    /// The seat's offers, from scratch.
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
        offers.put_room(BOSS, boss, self.boss_text(seat), player.levelled & boss.exists());
    }
}

impl Core {
    /// Recomputes what is cached, after definitions of cards have changed.
    pub(crate) fn rebuild_caches(&mut self, db: &CardDb) {
        for seat in (0..SEATS as u8).map(Seat) {
            self.active_rooms[seat.index()] = self.count_active(seat);
            self.offers[seat.index()] = Board { db, s: self }.offers_of(seat);
        }
        self.attached_hooks = Board { db, s: self }.attached_hooks(|_| true);
    }
}
