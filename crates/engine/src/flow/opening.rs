//! Before the first turn: bosses, hands, mulligans, first rooms (rules 3.3 to 3.6).

use cards::vocabulary::{Back, Class};

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::code::query::Board;
use crate::flow::edition::Cards;
use crate::model::id::*;
use crate::model::state::*;

/// Coins in a hoard at the start (rule 3.7).
const OPENING_COINS: u16 = 3;

/// By set of classes: a byte for each class, 1 if it is in the set.
const COUNTED: [u64; 1 << Class::COUNT] = {
    let mut counted = [0; 1 << Class::COUNT];
    let mut set = 0;
    while set < counted.len() {
        let mut class = 0;
        while class < Class::COUNT {
            counted[set] |= ((set >> class & 1) as u64) << (8 * class);
            class += 1;
        }
        set += 1;
    }
    counted
};

impl Board<'_> {
    /// Four advanced rooms, or four cards with one treasure type in common (rule 3.5).
    pub fn may_mulligan(&self, seat: Seat) -> bool {
        let (mut advanced, mut types) = (0, 0);
        for id in self.s.hand(seat) {
            let def = self.def(id);
            advanced += u8::from(def.advanced);
            types += COUNTED[usize::from(def.classes.0) % COUNTED.len()];
        }
        advanced >= 4 || (0..Class::COUNT).any(|class| types >> (8 * class) & 0xff >= 4)
    }
}

impl<L: Log> Runner<'_, L> {
    /// Players dealt several bosses keep one; from this seat on.
    pub fn choose_boss(&mut self, mut next: Option<Seat>) {
        while let Some(seat) = next {
            if self.s.pile_len(Place::boss(seat)) > 1 {
                self.s.frames.put(Frame::Step(Step::ChooseBoss(seat)));
                return self.ask(seat, AskKind::Pick);
            }
            next = self.s.next_after(seat);
        }
        for seat in (0..self.s.rules.players).map(Seat) {
            while self.s.pile_len(Place::boss(seat)) > 1
                && let Some(boss) = self.s.pile(Place::boss(seat)).find(|b| !self.is_chosen(*b))
            {
                let from = self.at(boss);
                self.set_aside(boss, Place::REMOVED);
                self.show_all(boss);
                self.tell(|t| What::SetsAside.by(seat).on(t.shown(boss)).moved(from, t.at(boss)));
            }
            if let Some(boss) = self.s.pile(Place::boss(seat)).next() {
                self.s.card_mut(boss).flags.clear(Flags::CHOSEN);
                self.install_boss(boss, seat);
            }
        }
        self.s.frames.put(Frame::Step(Step::Deal));
    }

    fn is_chosen(&self, id: CardId) -> bool {
        self.s.card(id).flags.has(Flags::CHOSEN)
    }

    pub fn deal(&mut self) {
        self.sort_players();
        let Cards { rooms, spells } = self.s.rules.edition().opening_discard;
        for (deck, count) in [(Place::ROOM_DECK, rooms), (Place::SPELL_DECK, spells)] {
            for _ in 0..count {
                if let Some(top) = self.s.pile(deck).next() {
                    self.discard(top);
                }
            }
        }
        for seat in self.s.order {
            if seat.exists() {
                self.deal_hand(seat);
                if self.db.coins {
                    self.earn(seat, OPENING_COINS);
                }
            }
        }
        self.s.frames.put(Frame::Step(Step::Mulligan(self.s.first_player())));
    }

    pub fn deal_hand(&mut self, seat: Seat) {
        let Cards { rooms, spells } = self.s.rules.edition().opening_hand;
        (0..rooms).for_each(|_| self.draw(seat, Back::Room));
        (0..spells).for_each(|_| self.draw(seat, Back::Spell));
    }

    /// Players with a poor hand may take another; from this seat on.
    pub fn mulligan(&mut self, mut next: Option<Seat>) {
        while let Some(seat) = next {
            if self.s.rules.cover || self.board().may_mulligan(seat) {
                self.s.frames.put(Frame::Step(Step::Mulligan(seat)));
                return self.ask_anyway(seat, AskKind::YesNo);
            }
            next = self.s.next_after(seat);
        }
        let first = self.s.first_player();
        let pays = self.s.rules.edition().opening_cost > 0;
        self.s.frames.put(Frame::Step(if pays { Step::DiscardTwo(first) } else { Step::FirstRoom(first) }));
    }

    /// Rule 12.1: chosen one after the other, discarded together.
    pub fn discard_two(&mut self, mut next: Option<Seat>) {
        while let Some(seat) = next {
            let (mut chosen, mut left) = (0, 0);
            for id in self.s.hand(seat) {
                if self.is_chosen(id) { chosen += 1 } else { left += 1 }
            }
            if chosen < self.s.rules.edition().opening_cost && left > 0 {
                self.s.frames.put(Frame::Step(Step::DiscardTwo(seat)));
                return self.ask(seat, AskKind::Pick);
            }
            next = self.s.next_after(seat);
        }
        for seat in self.s.order {
            if seat.exists() {
                let chosen = |t: &Self| t.s.hand(seat).find(|id| t.is_chosen(*id));
                while let Some(id) = chosen(self) {
                    self.discard(id);
                }
            }
        }
        self.s.frames.put(Frame::Step(Step::FirstRoom(self.s.first_player())));
    }

    /// Each player may place a first room; from this seat on.
    pub fn first_room(&mut self, next: Option<Seat>) {
        match next {
            Some(seat) => {
                self.s.frames.put(Frame::Step(Step::FirstRoom(seat)));
                self.ask(seat, AskKind::Place(true));
            }
            None => self.s.frames.put(Frame::Step(Step::Reveal)),
        }
    }
}
