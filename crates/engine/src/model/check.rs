//! The invariants of a state, checked the slow way: for tests, and for bytes that are read back.

use cards::db::CardDb;

use crate::code::query::Board;
use crate::model::id::*;
use crate::model::state::*;

impl State {
    /// Recounts everything: each card is in one place, lists and stacks are consistent, and no
    /// cache is stale.
    pub fn check(&self, db: &CardDb) -> Result<(), String> {
        self.check_places(db)?;
        self.check_kept(db)?;
        if self.answers.kept().is_some() && self.answers != (Board { db, s: self }).answers() {
            return Err("the answers kept are stale".into());
        }
        Ok(())
    }
}

impl Core {
    pub(crate) fn check_places(&self, db: &CardDb) -> Result<(), String> {
        if let Some(id) = self.card_ids().find(|id| self.card(*id).def.index() >= db.defs.len()) {
            return Err(format!("card {} is not a known card", id.0));
        }
        if self.players.iter().any(|player| usize::from(player.stacks) > SLOTS) {
            return Err(format!("a dungeon has more than {SLOTS} stacks"));
        }
        let mut places = [0u8; MAX_CARDS];
        let mut visit = |id: CardId, place: Place| {
            if id.index() >= self.card_count() {
                return Err(format!("{place:?} holds the unknown card {}", id.0));
            }
            if self.card(id).place != place {
                return Err(format!("card {} is in {place:?} but says {:?}", id.0, self.card(id).place));
            }
            places[id.index()] += 1;
            if places[id.index()] > 1 {
                return Err(format!("card {} is in two places", id.0));
            }
            Ok(())
        };
        for index in 0..Place::PILES {
            let place = Place(index as u8);
            let pile = &self.piles[index];
            let (mut count, mut last) = (0, CardId::NONE);
            let mut next = pile.head;
            while next.exists() {
                visit(next, place)?;
                (count, last) = (count + 1, next);
                next = self.card(next).next;
            }
            if count != pile.len || last != pile.tail {
                return Err(format!("{place:?} has {count} cards but says {}", pile.len));
            }
        }
        for seat in 0..SEATS as u8 {
            for top in self.slots(Seat(seat)) {
                let mut next = *top;
                while next.exists() {
                    visit(next, Place::dungeon(Seat(seat)))?;
                    if self.card(next).flags.has(Flags::COVERED) != (next != *top) {
                        return Err(format!("card {} has the wrong covered mark", next.0));
                    }
                    next = self.card(next).next;
                }
            }
        }
        if let Some(id) = self.card_ids().find(|id| places[id.index()] != 1) {
            return Err(format!("card {} is nowhere", id.0));
        }
        self.check_pieces()
    }

    /// Attached cards have one host in play each, and pieces lie only on cards in play.
    fn check_pieces(&self) -> Result<(), String> {
        if self.attached.len() != self.pile_len(Place::ATTACHED) {
            return Err(format!(
                "{} attachments, {} cards",
                self.attached.len(),
                self.pile_len(Place::ATTACHED)
            ));
        }
        for Attachment { card, host, .. } in self.attached.iter() {
            if self.card(*card).place != Place::ATTACHED || self.attached_count(*card) != 1 {
                return Err(format!("card {} is not attached once", card.0));
            }
            if host.index() >= self.card_count() || !self.can_host(*host) {
                return Err(format!("card {} is attached to card {}, which is not in play", card.0, host.0));
            }
        }
        for id in self.card_ids() {
            let (Marks { damage: _, counters, coins, token }, place) = (self.marks(id), self.card(id).place);
            let in_play = place.is_dungeon() || place.is_roaming() || place == Place::ATTACHED;
            if *counters > 0 && !place.is_dungeon()
                || *token != 0 && !place.is_roaming()
                || *coins > 0 && !in_play
            {
                return Err(format!("card {} has pieces on it in {place:?}", id.0));
            }
        }
        Ok(())
    }

    fn attached_count(&self, id: CardId) -> usize {
        self.attached.iter().filter(|attachment| attachment.card == id).count()
    }

    fn check_kept(&self, db: &CardDb) -> Result<(), String> {
        let board = Board { db, s: self };
        for seat in (0..SEATS as u8).map(Seat) {
            if self.player(seat).hooks != board.hooks_of(seat) || !self.hooks.contains(board.hooks_of(seat)) {
                return Err(format!("{seat}'s hooks are stale"));
            }
        }
        let listed = |seat: Seat| {
            self.active_slots(seat) == self.count_active(seat)
                && self.offers[seat.index()].agree(&board.offers_of(seat))
        };
        if let Some(seat) = (0..SEATS as u8).map(Seat).find(|seat| !listed(*seat)) {
            return Err(format!("what {seat} could declare is stale"));
        }
        let counted = |seat: Seat| {
            let Score { souls, .. } = board.count_score(seat);
            self.scores[seat.index()] == board.count_score(seat) && self.scorers.has(seat) == (souls > 0)
        };
        if let Some(seat) = (0..SEATS as u8).map(Seat).find(|seat| !counted(*seat)) {
            return Err(format!("{seat}'s score is stale"));
        }
        if self.hero_hooks != board.hooks_of_heroes() || !self.hooks.contains(self.hero_hooks) {
            return Err("the heroes' hooks are stale".into());
        }
        if self.attached_hooks != board.attached_hooks(|_| true) || !self.hooks.contains(self.attached_hooks)
        {
            return Err("the hooks of attached cards are stale".into());
        }
        Ok(())
    }
}
