//! What happens to rooms: placed, revealed, built, destroyed, deactivated, swapped.

use cards::tree::Word;

use crate::acts::Table;
use crate::event::{Event, Log};
use crate::id::*;
use crate::state::*;
use crate::stats::Happening;

impl<L: Log> Table<'_, L> {
    /// Rule 6.1: face down, from the hand.
    pub fn place_facedown(&mut self, seat: Seat, room: CardId, spot: Spot) {
        let at = spot.dungeon(seat);
        let room = self.take_mixed(seat, room);
        self.put_on(at, room, spot.slot(), Flags::FACEDOWN);
        self.tell(|t| Event::Places { seat, card: t.shown(room), at, slot: spot.slot() as u8 });
    }

    /// A face-down room is turned up and is now built (rule 6.4).
    pub fn reveal(&mut self, seat: Seat, slot: usize) {
        let room = self.s.at(seat, slot);
        let flags = &mut self.s.card_mut(room).flags;
        flags.clear(Flags::FACEDOWN);
        flags.set(Flags::DUE);
        self.forget_beneath(room);
        // One more active room; what it lies on has been covered before.
        if self.board().is_active_room(room) {
            let db = self.db;
            let def = db.def(self.s.card(room).def);
            self.s.active_rooms[seat.index()] |= 1 << slot;
            self.s.offers[seat.index()].put_room(slot, room, def, true);
            self.s.player_mut(seat).hooks.add(def.hooks);
            self.s.hooks.add(def.hooks);
        }
        self.show_all(room);
        self.tell(|t| Event::Reveals { seat, card: t.shown(room) });
    }

    /// The room has been built over: what held for it until end of turn is over, even if it is uncovered again.
    fn forget_beneath(&mut self, room: CardId) {
        let beneath = self.s.card(room).next;
        if beneath.exists() {
            let flags = &mut self.s.card_mut(beneath).flags;
            *flags = flags.renewed();
        }
    }

    /// Built by an effect: at once, face up (rule 6.5).
    pub fn build(&mut self, seat: Seat, room: CardId, slot: usize) {
        // A stack is one room: whoever stands in it stands in its top card (2.2).
        let stood_in = self.board().hero_in(self.s.ref_of(self.s.at(seat, slot))).is_some();
        self.stack_on(seat, room, slot, Flags::default());
        if stood_in {
            self.s.walk.room = self.s.ref_of(room);
        }
        self.forget_beneath(room);
        self.show_all(room);
        self.tell(|t| Event::Builds { seat, card: t.shown(room), slot: slot as u8 });
        self.built(seat, room);
    }

    /// Wakes what waits for the room to be built.
    pub fn built(&mut self, seat: Seat, room: CardId) {
        self.s.card_mut(room).flags.clear(Flags::DUE);
        self.wake(&Happening::new(Word::Built, self.s.ref_of(room), seat));
    }

    /// A room as part of a table laid out by hand.
    pub fn put_room(&mut self, seat: Seat, room: CardId, slot: usize) {
        self.stack_on(seat, room, slot, Flags::default());
    }

    /// Rule 2.4.
    pub fn destroy(&mut self, room: CardId) {
        if !self.board().is_active_room(room) {
            return;
        }
        let seat = self.s.card(room).place.seat();
        let by = if self.cause.you.exists() { self.cause.you } else { seat };
        let mut what = Happening::new(Word::Destroyed, self.s.ref_of(room), by);
        what.then = self.moved_ref(room);
        what.cause = self.cause;
        self.wake(&what);
        if self.board().hero_in(what.subject).is_some() {
            self.s.walk.fallen = true;
        }
        let beneath = self.beneath(room);
        self.carry(room, Place::DISCARD);
        let player = self.s.player_mut(seat);
        player.destroyed = player.destroyed.saturating_add(1);
        self.tell(|t| Event::Destroyed { seat, card: t.shown(room) });
        self.uncover(beneath);
    }

    /// What a room of a dungeon lies on, if it is the top of its stack.
    pub fn beneath(&self, room: CardId) -> Option<CardId> {
        let card = self.s.card(room);
        let top = card.place.is_dungeon() && !card.flags.has(Flags::COVERED);
        Some(card.next).filter(|beneath| top && beneath.exists())
    }

    /// The room has come to light again (2.4): that is not building it.
    pub fn uncover(&mut self, room: Option<CardId>) {
        let Some(room) = room.filter(|room| self.board().is_active_room(*room)) else { return };
        let seat = self.s.card(room).place.seat();
        let mut what = Happening::new(Word::Uncovered, self.s.ref_of(room), seat);
        what.cause = self.cause;
        self.wake(&what);
    }

    pub fn deactivate(&mut self, room: CardId) {
        if self.board().is_active_room(room) {
            self.s.card_mut(room).flags.set(Flags::DEACTIVATED);
            self.rehook(self.s.card(room).place.seat());
            self.tell(|t| Event::Deactivated(t.shown(room)));
        }
    }
}
