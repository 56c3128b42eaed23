//! Cards that go from one hand to another: only these two players may know which (rule 1.9).
//!
//! Others may have known cards of that hand. Which of them is gone, and so which are left, they can
//! no longer tell; an id they remember must not tell them either.

use crate::acts::Runner;
use crate::api::event::Log;
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    /// Before the card `r` goes secretly to `taker`: the hand it comes from is shuffled with all
    /// cards of the same back, and only giver and taker keep what they knew. The registers and what
    /// waits to run follow their cards, and so does `r`, which is returned. Nothing happens if nobody else knew a card,
    /// or if there is no other card that could have gone.
    pub fn conceal(&mut self, code: &mut Code, r: Ref, taker: Seat) -> Ref {
        let Some(id) = self.s.present(r) else { return r };
        let hand = self.s.card(id).place;
        let giver = hand.seat();
        let secret = hand.is_hand_of(giver) && giver != taker && self.s.pile_len(hand) > 1;
        let both = SeatSet::only(giver).with(taker);
        let known_outside = |id: CardId| self.s.card(id).seen.and(both) != self.s.card(id).seen;
        if !secret || !self.s.pile(hand).any(known_outside) {
            return r;
        }
        self.shuffle_hand(hand, both, code, r, taker)
    }

    #[cold]
    fn shuffle_hand(&mut self, hand: Place, both: SeatSet, code: &mut Code, r: Ref, taker: Seat) -> Ref {
        let (mut ids, mut len) = ([CardId::NONE; MAX_CARDS], 0);
        for (at, id) in ids.iter_mut().zip(self.s.pile(hand)) {
            *at = id;
            len += 1;
        }
        let ids = &ids[..len];
        // Which card now lies where, by the reference it had.
        let mut lies = [Ref::NOTHING; MAX_CARDS];
        for (was, id) in lies.iter_mut().zip(ids) {
            *was = self.s.ref_of(*id);
        }
        let spells = hand.is_spells();
        for id in ids.iter().filter(|_| spells) {
            self.s.offers[hand.seat().index()].remove_spell(*id);
        }
        for last in (1..len).rev() {
            let other = self.s.rng.below(last + 1);
            lies.swap(last, other);
            let (a, b) = (*self.s.card(ids[last]), *self.s.card(ids[other]));
            let card = self.s.card_mut(ids[last]);
            (card.def, card.seen) = (b.def, b.seen);
            let card = self.s.card_mut(ids[other]);
            (card.def, card.seen) = (a.def, a.seen);
        }
        for id in ids {
            let card = self.s.card_mut(*id);
            card.seen = card.seen.and(both);
            // What still points to one of them must not come to mean another card. All are renewed,
            // so that the visits do not tell which were swapped.
            card.flags = card.flags.renewed();
            let def = card.def;
            if spells {
                self.s.offers[hand.seat().index()].add_spell(*id, self.db.def(def));
            }
        }
        let s = &mut *self.s;
        let follow = |cards: &[CardState], r: Ref| match lies[..len].iter().position(|was| *was == r) {
            Some(at) => Ref::card(ids[at], cards[ids[at].index()].flags.visit()),
            None => r,
        };
        for reg in &mut code.regs {
            *reg = follow(&s.cards, *reg);
        }
        for trigger in s.triggers.iter_mut() {
            trigger.subject = follow(&s.cards, trigger.subject);
        }
        let moved = follow(&s.cards, r);
        if let Some(id) = moved.as_card() {
            self.look(taker, id);
        }
        moved
    }
}
