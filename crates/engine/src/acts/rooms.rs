//! What happens to rooms: placed, revealed, built, destroyed, deactivated, swapped.

use cards::vocabulary::{EventWord, Kind};

use crate::acts::Runner;
use crate::api::event::{Log, What, Where};
use crate::code::occurrence::Occurrence;
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    /// Rule 6.1: face down, from the hand.
    pub fn place_facedown(&mut self, seat: Seat, room: CardId, spot: Spot) {
        let at = spot.dungeon(seat);
        let room = self.take_shuffled(seat, room);
        self.put_on(at, room, spot.slot(), Flags::FACEDOWN);
        self.tell(|t| {
            What::Places.by(seat).on(t.shown(room)).moved(Where::pile(Place::rooms(seat)), t.at(room))
        });
    }

    /// A face-down room is turned up and is now built (rule 6.4).
    pub fn reveal(&mut self, seat: Seat, slot: usize) {
        let room = self.s.at(seat, slot);
        let from = self.at(room);
        let flags = &mut self.s.card_mut(room).flags;
        flags.clear(Flags::FACEDOWN);
        flags.set(Flags::DUE);
        self.forget_beneath(room);
        // One more active room; the room beneath was covered when it was placed.
        if self.board().is_active_room(room) {
            let db = self.db;
            let def = db.def(self.s.card(room).def);
            self.s.active_rooms[seat.index()] |= 1 << slot;
            self.s.offers[seat.index()].put_room(slot, room, def, true);
            self.s.player_mut(seat).hooks.add(def.hooks);
            self.s.hooks.add(def.hooks);
            // What belongs to the stack works again.
            if !self.s.attached.is_empty() {
                self.refresh_dungeon(seat);
            }
        }
        self.show_all(room);
        self.tell(|t| {
            let damage = t.board().damage(room);
            What::Reveals { damage }.by(seat).on(t.shown(room)).moved(from, t.at(room))
        });
    }

    /// The room has been built over: effects on it until end of turn are over, even if it is
    /// uncovered again, and the pieces on it are lost (rule 2.6).
    fn forget_beneath(&mut self, room: CardId) {
        let beneath = self.s.card(room).next;
        if beneath.exists() {
            let flags = &mut self.s.card_mut(beneath).flags;
            *flags = flags.renewed();
            self.clear_pieces(beneath);
        }
    }

    /// Built by an effect: at once, face up (rule 6.5).
    pub fn build(&mut self, seat: Seat, room: CardId, slot: usize, attach: bool) {
        if self.board().def(room).kind == Kind::Miniboss {
            return self.build_miniboss(seat, room, slot, attach);
        }
        // A stack is one room: a hero in it stands in its top card (2.2).
        let stood_in = self.board().hero_in(self.s.ref_of(self.s.at(seat, slot))).is_some();
        let from = self.at(room);
        self.stack_on(seat, room, slot, Flags::default());
        if stood_in {
            self.s.walk.room = self.s.ref_of(room);
        }
        self.forget_beneath(room);
        self.show_all(room);
        self.tell(|t| {
            let damage = t.board().damage(room);
            What::Builds { damage }.by(seat).on(t.shown(room)).moved(from, t.at(room))
        });
        self.built(seat, room);
    }

    /// Queues the abilities that wait for the room to be built.
    pub fn built(&mut self, seat: Seat, room: CardId) {
        self.s.card_mut(room).flags.clear(Flags::DUE);
        self.queue_triggers(&Occurrence::new(EventWord::Built, self.s.ref_of(room), seat));
    }

    /// A room of a position set up by hand.
    pub fn put_room(&mut self, seat: Seat, room: CardId, slot: usize) {
        self.stack_on(seat, room, slot, Flags::default());
    }

    /// Rule 2.4.
    pub fn destroy(&mut self, room: CardId) {
        if !self.board().is_active_room(room) || self.s.has_minion(room) {
            return;
        }
        let seat = self.s.card(room).place.seat();
        let by = if self.cause.you.exists() { self.cause.you } else { seat };
        let mut what = Occurrence::new(EventWord::Destroyed, self.s.ref_of(room), by);
        what.then = self.moved_ref(room);
        what.cause = self.cause;
        self.queue_triggers(&what);
        let (beneath, from) = (self.beneath(room), self.at(room));
        self.carry(room, Place::DISCARD);
        let player = self.s.player_mut(seat);
        player.destroyed = player.destroyed.saturating_add(1);
        self.tell(|t| What::Destroyed.on(t.shown(room)).moved(from, t.at(room)));
        self.uncover(beneath);
    }

    /// The room beneath, if this one is the top of its stack.
    pub fn beneath(&self, room: CardId) -> Option<CardId> {
        let card = self.s.card(room);
        let top = card.place.is_dungeon() && !card.flags.has(Flags::COVERED);
        Some(card.next).filter(|beneath| top && beneath.exists())
    }

    /// The room is uncovered (2.4), which is not building it.
    pub fn uncover(&mut self, room: Option<CardId>) {
        let Some(room) = room.filter(|room| self.board().is_active_room(*room)) else { return };
        let seat = self.s.card(room).place.seat();
        let mut what = Occurrence::new(EventWord::Uncovered, self.s.ref_of(room), seat);
        what.cause = self.cause;
        self.queue_triggers(&what);
    }

    /// A covered room comes to the top of its stack, and is uncovered by that (2.4).
    pub fn bring_up(&mut self, room: CardId) {
        let Some(top) = self.board().top_above(room) else { return };
        let Some(slot) = self.board().slot_of(top) else { return };
        let seat = self.s.card(room).place.seat();
        // A stack is one room: a hero in it stands in its top card (2.2).
        let stood_in = self.board().hero_in(self.s.ref_of(top)).is_some();
        let from = self.at(room);
        self.unstack(room, seat);
        self.put_on(seat, room, slot, Flags::default());
        if stood_in {
            self.s.walk.room = self.s.ref_of(room);
        }
        self.forget_beneath(room);
        self.tell(|t| {
            let damage = t.board().damage(room);
            What::ComesUp { damage }.on(t.shown(room)).moved(from, t.at(room))
        });
        self.uncover(Some(room));
    }

    pub fn deactivate(&mut self, room: CardId) {
        if self.board().is_active_room(room) {
            self.s.card_mut(room).flags.set(Flags::DEACTIVATED);
            if self.s.rules.edition().deactivation_clears {
                self.clear_pieces(room);
            }
            self.refresh_dungeon(self.s.card(room).place.seat());
            self.tell(|t| What::Deactivated.on(t.shown(room)).at(t.at(room)));
        }
    }
}
