//! Chance: shuffles, random picks and dice. Ids stay and what they are is permuted, so that an id
//! says nothing of its card.

use cards::code::DefId;

use crate::acts::Runner;
use crate::api::event::{Event, Log, What, Where};
use crate::model::id::*;
use crate::model::rng::Stream;
use crate::model::state::*;
use crate::setup::script::Misfit;

impl<L: Log> Runner<'_, L> {
    /// Permutes the definitions of a pile's cards; the ids stay in place, so an id reveals nothing.
    /// `keep` are cards that are being taken out.
    pub fn shuffle(&mut self, place: Place, keep: &[Ref]) {
        let mut stream = self.s.rng.stream();
        self.shuffle_from(&mut stream, place, keep);
        self.s.rng.advance(&stream);
    }

    /// Shuffles several piles from one random stream.
    pub fn shuffle_all(&mut self, places: &[Place]) {
        let mut stream = self.s.rng.stream();
        for place in places {
            self.shuffle_from(&mut stream, *place, &[]);
        }
        self.s.rng.advance(&stream);
    }

    fn shuffle_from(&mut self, stream: &mut Stream, place: Place, keep: &[Ref]) {
        match self.run_of_ids(place).filter(|_| keep.is_empty()) {
            Some(cards) => {
                stream.permute(cards.len(), |i, j| {
                    let def = cards[i].def;
                    cards[i].def = cards[j].def;
                    cards[j].def = def;
                });
                cards.iter_mut().for_each(|card| card.seen = SeatSet::EMPTY);
            }
            None => self.shuffle_list(stream, place, keep),
        }
        if self.script.is_some() {
            self.follow_script(place, keep);
        }
        self.tell(|_| Event::from(What::Shuffled).at(Where::pile(place)));
    }

    /// The cards of a pile, if their ids are still consecutive.
    fn run_of_ids(&mut self, place: Place) -> Option<&mut [CardState]> {
        let Pile { head, len, .. } = self.s.piles[usize::from(place.0) % Place::PILES];
        let cards = self.s.cards.get_mut(head.index()..head.index() + usize::from(len))?;
        let (last, others) = cards.split_last()?;
        let follows = |(id, card): (u16, &CardState)| card.next.0 == id;
        let one_run = !last.next.exists() && (head.0 + 1..).zip(others).all(follows);
        if one_run { Some(cards) } else { None }
    }

    #[inline(never)]
    fn shuffle_list(&mut self, stream: &mut Stream, place: Place, keep: &[Ref]) {
        let (mut ids, mut defs) = ([CardId::NONE; MAX_CARDS], [DefId(0); MAX_CARDS]);
        let kept = |id: CardId| keep.iter().any(|r| r.as_card() == Some(id));
        let cards = self.s.pile(place).filter(|id| keep.is_empty() || !kept(*id));
        let mut len = 0;
        for ((at, def), id) in ids.iter_mut().zip(defs.iter_mut()).zip(cards) {
            (*at, *def) = (id, self.s.card(id).def);
            len += 1;
        }
        stream.shuffle(&mut defs[..len]);
        for (id, def) in ids[..len].iter().zip(&defs) {
            let card = self.s.card_mut(*id);
            card.def = *def;
            card.seen = SeatSet::EMPTY;
        }
    }

    /// Brings the scripted cards to the top of a deck just shuffled.
    #[cold]
    fn follow_script(&mut self, deck: Place, keep: &[Ref]) {
        let Some(script) = self.script.as_deref_mut() else { return };
        let Some(top) = script.shuffle(deck) else { return };
        let kept = |id: &CardId| keep.iter().any(|r| r.as_card() == Some(*id));
        let ids: Vec<CardId> = self.s.pile(deck).filter(|id| !kept(id)).collect();
        for (at, wanted) in top.iter().enumerate() {
            let rest = ids.get(at..).unwrap_or_default();
            let Some(found) = rest.iter().find(|id| wanted.contains(&self.s.card(**id).def)) else {
                script.misfit.get_or_insert(Misfit::Shuffle { deck, wanted: wanted.clone() });
                return;
            };
            let (here, there) = (self.s.card(ids[at]).def, self.s.card(*found).def);
            self.s.card_mut(*found).def = here;
            self.s.card_mut(ids[at]).def = there;
        }
    }

    #[cold]
    fn scripted_pick(&mut self, candidates: &[Ref]) -> Option<Ref> {
        let cards = &self.s.cards;
        self.script.as_deref_mut()?.pick(candidates, |id| cards[id.index()].def)
    }

    pub fn pick_random(&mut self, candidates: &[Ref]) -> Ref {
        let scripted =
            if self.script.is_some() && candidates.len() > 1 { self.scripted_pick(candidates) } else { None };
        scripted.unwrap_or_else(|| candidates[self.s.rng.below(candidates.len())])
    }

    /// Takes a room that is about to be placed face down out of the hand, after shuffling it with
    /// the other rooms there: the id on the table must not reveal when it was drawn or who had seen
    /// it. One pass through the hand, without unpredictable branches.
    pub fn take_shuffled(&mut self, seat: Seat, room: CardId) -> CardId {
        let rooms = Place::rooms(seat);
        let picked = self.s.rng.below(self.s.pile_len(rooms));
        let (mut taken, mut before, mut last) = (room, CardId::NONE, CardId::NONE);
        let mut next = self.s.piles[usize::from(rooms.0)].head;
        let mut at = 0;
        while next.exists() {
            let is_it = at == picked;
            (taken, before) = (if is_it { next } else { taken }, if is_it { last } else { before });
            last = next;
            let card = self.s.card_mut(next);
            card.seen = SeatSet::only(seat);
            next = card.next;
            at += 1;
        }
        let def = self.s.card(room).def;
        self.s.card_mut(room).def = self.s.card(taken).def;
        self.s.card_mut(taken).def = def;
        self.unlink_after(before, taken, rooms);
        taken
    }

    /// Takes a card out of a pile, given the card before it.
    #[inline]
    fn unlink_after(&mut self, before: CardId, id: CardId, place: Place) {
        let (first, next) = (!before.exists(), self.s.card(id).next);
        let pile = &mut self.s.piles[usize::from(place.0) % Place::PILES];
        pile.head = if first { next } else { pile.head };
        pile.tail = if pile.tail == id { before } else { pile.tail };
        pile.len -= 1;
        // The first card has none before it; writing its own link is harmless.
        self.s.card_mut(if first { id } else { before }).next = next;
    }
}
