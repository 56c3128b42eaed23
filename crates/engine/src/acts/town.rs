//! The market and the landmarks: what happens to cards and heroes there (rules 14.3 and 14.4).

use cards::vocabulary::{Back, Kind, Landmark};

use crate::acts::Runner;
use crate::api::event::{Log, What, Where};
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    /// The top card of a deck is laid out in the market.
    pub fn stock(&mut self, back: Back) {
        let deck = match back {
            Back::Room => Place::ROOM_DECK,
            Back::Spell => Place::SPELL_DECK,
        };
        if self.s.pile_len(deck) == 0 {
            self.refill();
        }
        let Some(card) = self.s.pile(deck).next() else { return };
        self.carry(card, Place::MARKET);
        self.show_all(card);
        self.tell(|t| What::Stocks.on(t.shown(card)).moved(Where::pile(deck), t.at(card)));
        if self.s.pile_len(deck) == 0 {
            self.refill();
        }
    }

    /// A card from the market into a hand; everybody knows it there.
    pub fn take_from_market(&mut self, card: CardId, seat: Seat) {
        let from = self.at(card);
        let spell = self.board().def(card).kind == Kind::Spell;
        self.carry(card, if spell { Place::spells(seat) } else { Place::rooms(seat) });
        self.tell(|t| What::Takes.by(seat).on(t.shown(card)).moved(from, t.at(card)));
    }

    /// The hero is pushed out of town.
    pub fn push_out(&mut self, hero: CardId) {
        let from = self.at(hero);
        self.enter_landmark(hero);
        self.tell(|t| What::PushedOut.on(t.shown(hero)).moved(from, t.at(hero)));
    }

    /// An effect sends the hero to its landmark; without a town board, to town.
    pub fn send_to_landmark(&mut self, hero: CardId) {
        if self.s.rules.edition().town_places(self.s.rules.players).is_none() {
            // A hero that is there already stays where it is.
            if self.s.card(hero).place != Place::TOWN {
                self.send_hero(hero, Place::TOWN);
            }
            return;
        }
        let from = self.at(hero);
        self.s.card_mut(hero).flags.clear(Flags::WALKED);
        self.enter_landmark(hero);
        self.tell(|t| What::Goes.on(t.shown(hero)).moved(from, t.at(hero)));
    }

    fn enter_landmark(&mut self, hero: CardId) {
        if self.s.card(hero).place == Place::LANDMARK {
            self.leave_landmark(hero);
        }
        let landmark = self.board().landmark_for(hero);
        self.relocate(hero, Place::LANDMARK);
        self.show_all(hero);
        if landmark != Landmark::Tavern {
            self.s.town.landmarks[landmark as usize] = hero;
        } else if self.s.rules.edition().tavern_ends {
            self.s.frames.put(Frame::Step(Step::TavernEnds));
        }
        self.refresh_heroes();
    }

    /// The hero is no longer at its landmark.
    pub fn leave_landmark(&mut self, hero: CardId) {
        if let Some(there) = self.s.town.landmarks.iter_mut().find(|there| **there == hero) {
            *there = CardId::NONE;
        }
        self.refresh_heroes();
    }

    /// The rooms of a stack change their order at random (14.4). The room that was on top loses
    /// what lies on it if it is covered.
    pub fn shuffle_stack(&mut self, top: CardId) {
        let seat = self.s.card(top).place.seat();
        let Some(slot) = self.board().slot_of(top) else { return };
        let mut rooms = [Ref::NOTHING; MAX_CARDS];
        let mut left = 0;
        for room in self.s.stack(top) {
            (rooms[left], left) = (self.s.ref_of(room), left + 1);
        }
        // From the bottom up: each card drawn goes on top of those before it.
        let mut new_top = CardId::NONE;
        while left > 0 {
            let drawn = self.pick_random(&rooms[..left]);
            let at = rooms[..left].iter().position(|room| *room == drawn).unwrap_or(0);
            left -= 1;
            rooms.swap(at, left);
            let Some(room) = drawn.as_card() else { continue };
            self.restack(seat, slot, room, new_top);
            new_top = room;
        }
        if new_top != top {
            let flags = &mut self.s.card_mut(top).flags;
            *flags = flags.renewed();
            self.clear_pieces(top);
            if !self.s.attached.is_empty() {
                self.pass_on(top, new_top);
            }
        }
        self.refresh_dungeon(seat);
        if L::ON {
            self.tell_new_order(new_top);
        }
        if new_top != top {
            self.uncover(Some(new_top));
        }
    }

    /// The new order of a stack, from the bottom up.
    fn tell_new_order(&mut self, top: CardId) {
        for depth in (0..self.s.stack(top).count()).rev() {
            let Some(room) = self.s.stack(top).nth(depth) else { continue };
            let last = depth == 0;
            self.tell(|t| What::StackShuffled { last }.on(t.shown(room)).moved(t.at(room), t.at(room)));
        }
    }

    /// Everybody sees the hand.
    pub fn show_hand(&mut self, seat: Seat) {
        for place in [Place::rooms(seat), Place::spells(seat)] {
            let mut next = self.s.pile(place).next();
            while let Some(card) = next {
                self.reveal_card(card);
                next = Some(self.s.card(card).next).filter(|id| id.exists());
            }
        }
    }
}
