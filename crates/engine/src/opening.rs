//! Before the first turn: bosses, hands, mulligans, first rooms (rules 3.3 to 3.6).

use cards::tree::Back;

use crate::acts::Table;
use crate::event::Log;
use crate::id::*;
use crate::setup::Variant;
use crate::state::*;

impl<L: Log> Table<'_, L> {
    pub fn choose_boss(&mut self, index: u8) {
        if let Some(seat) = self.seat_of(index) {
            if self.s.pile_len(Place::boss(seat)) > 1 {
                self.s.frames.put(Frame::Step(Step::ChooseBoss, index));
                return self.ask(seat, AskKind::Pick);
            }
            if let Some(boss) = self.s.pile(Place::boss(seat)).next() {
                self.s.card_mut(boss).flags.set(Flags::CHOSEN);
            }
            return self.s.frames.put(Frame::Step(Step::ChooseBoss, index + 1));
        }
        for seat in (0..self.s.rules.players).map(Seat) {
            while let Some(boss) = self.s.pile(Place::boss(seat)).find(|b| !self.is_chosen(*b)) {
                self.set_aside(boss, Place::REMOVED);
                self.show_all(boss);
            }
            if let Some(boss) = self.s.pile(Place::boss(seat)).next() {
                self.s.card_mut(boss).flags.clear(Flags::CHOSEN);
                self.install_boss(boss, seat);
            }
        }
        self.s.frames.put(Frame::Step(Step::Deal, 0));
    }

    fn is_chosen(&self, id: CardId) -> bool {
        self.s.card(id).flags.has(Flags::CHOSEN)
    }

    /// Rule 4.1: highest XP first; equal XP in the order of the deal.
    pub fn sort_players(&mut self) {
        let n = usize::from(self.s.rules.players);
        let db = self.db;
        let s = &mut *self.s;
        let (players, cards) = (&s.players, &s.cards);
        let xp = |seat: Seat| {
            let boss = players[seat.index()].boss;
            if boss.exists() { db.def(cards[boss.index()].def).xp } else { 0 }
        };
        s.order[..n].sort_by_key(|seat| (std::cmp::Reverse(xp(*seat)), seat.0));
    }

    pub fn deal(&mut self) {
        self.sort_players();
        if !self.s.rules.has(Variant::Classic) {
            for (deck, count) in [(Place::ROOM_DECK, 4), (Place::SPELL_DECK, 2)] {
                for _ in 0..count {
                    if let Some(top) = self.s.pile(deck).next() {
                        self.discard(top);
                    }
                }
            }
        }
        for seat in self.s.order {
            if seat.exists() {
                self.deal_hand(seat);
            }
        }
        self.s.frames.put(Frame::Step(Step::Mulligan, 0));
    }

    pub fn deal_hand(&mut self, seat: Seat) {
        (0..5).for_each(|_| self.draw(seat, Back::Room));
        (0..2).for_each(|_| self.draw(seat, Back::Spell));
    }

    pub fn mulligan(&mut self, index: u8) {
        let Some(seat) = self.seat_of(index) else {
            let next = if self.s.rules.has(Variant::Classic) { Step::DiscardTwo } else { Step::FirstRoom };
            return self.s.frames.put(Frame::Step(next, 0));
        };
        if self.may_mulligan(seat) {
            self.s.frames.put(Frame::Step(Step::Mulligan, index));
            self.ask_anyway(seat, AskKind::YesNo);
        } else {
            self.s.frames.put(Frame::Step(Step::Mulligan, index + 1));
        }
    }

    /// Four advanced rooms, or four cards with one treasure type in common (rule 3.5).
    fn may_mulligan(&self, seat: Seat) -> bool {
        let (mut advanced, mut types) = (0, [0; cards::db::CLASSES]);
        for id in self.s.hand(seat) {
            let def = self.board().def(id);
            advanced += u8::from(def.advanced);
            for (count, icon) in types.iter_mut().zip(&def.icons) {
                *count += u8::from(*icon > 0);
            }
        }
        advanced >= 4 || types.iter().any(|count| *count >= 4)
    }

    /// Rule 12.1: chosen one after the other, discarded together.
    pub fn discard_two(&mut self, index: u8) {
        if let Some(seat) = self.seat_of(index) {
            let hand = self.s.hand(seat);
            let (mut chosen, mut left) = (0, 0);
            for id in hand {
                if self.is_chosen(id) { chosen += 1 } else { left += 1 }
            }
            if chosen < 2 && left > 0 {
                self.s.frames.put(Frame::Step(Step::DiscardTwo, index));
                return self.ask(seat, AskKind::Pick);
            }
            return self.s.frames.put(Frame::Step(Step::DiscardTwo, index + 1));
        }
        for seat in self.s.order {
            if seat.exists() {
                let chosen = |t: &Self| t.s.hand(seat).find(|id| t.is_chosen(*id));
                while let Some(id) = chosen(self) {
                    self.discard(id);
                }
            }
        }
        self.s.frames.put(Frame::Step(Step::FirstRoom, 0));
    }

    pub fn first_room(&mut self, index: u8) {
        match self.seat_of(index) {
            Some(seat) => {
                self.s.frames.put(Frame::Step(Step::FirstRoom, index));
                self.ask(seat, AskKind::Place(true));
            }
            None => self.s.frames.put(Frame::Step(Step::Reveal, 0)),
        }
    }
}
