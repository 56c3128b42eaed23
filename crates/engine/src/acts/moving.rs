//! Moving a card: out of its pile or stack, to the end of another, on top of a room. Everything that
//! follows from where a card lies (hooks, offers, points) is kept right here.

use cards::code::DefId;

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    /// Takes a card out of its pile or stack. Usually it is the first of a pile.
    #[inline(always)]
    fn unlink(&mut self, id: CardId) {
        let CardState { place, next, .. } = *self.s.card(id);
        if place.is_spells() {
            self.s.offers[place.seat().index()].remove_spell(id);
        }
        if place == Place::ATTACHED {
            self.forget_host(id);
        }
        let pile = &mut self.s.piles[usize::from(place.0) % Place::PILES];
        if place.is_dungeon() || pile.head != id {
            return self.unlink_within(id);
        }
        pile.head = next;
        if !next.exists() {
            pile.tail = CardId::NONE;
        }
        pile.len -= 1;
    }

    #[inline(never)]
    fn unlink_within(&mut self, id: CardId) {
        let CardState { place, next, .. } = *self.s.card(id);
        if place.is_dungeon() {
            self.unstack(id, place.seat());
            return self.refresh_dungeon(place.seat());
        }
        let index = usize::from(place.0) % Place::PILES;
        let mut previous = self.s.piles[index].head;
        while self.s.card(previous).next != id {
            previous = self.s.card(previous).next;
        }
        self.s.card_mut(previous).next = next;
        let pile = &mut self.s.piles[index];
        if pile.tail == id {
            pile.tail = previous;
        }
        pile.len -= 1;
    }

    /// Takes a room out of its stack; an empty place closes up toward the boss. A hero in it has to
    /// leave, whatever happened to the room (10.6).
    pub(super) fn unstack(&mut self, id: CardId, seat: Seat) {
        self.s.walk.fallen |= self.board().hero_in(self.s.ref_of(id)).is_some();
        let beneath = self.s.card(id).next;
        let stacks = usize::from(self.s.player(seat).stacks);
        self.clear_pieces(id);
        if let Some(slot) = self.s.slots(seat).iter().position(|top| *top == id) {
            if beneath.exists() {
                self.s.card_mut(beneath).flags.clear(Flags::COVERED);
                self.s.player_mut(seat).slots[slot] = beneath;
            } else {
                let player = self.s.player_mut(seat);
                player.slots.copy_within(slot + 1..stacks, slot);
                player.slots[stacks - 1] = CardId::NONE;
                player.stacks -= 1;
                self.close_gap(seat, slot);
            }
            if !self.s.attached.is_empty() {
                self.pass_on(id, beneath);
            }
        } else {
            // A covered card, as when a player is eliminated.
            for slot in 0..stacks {
                let mut above = self.s.slots(seat)[slot];
                while above.exists() {
                    if self.s.card(above).next == id {
                        self.s.card_mut(above).next = beneath;
                        return;
                    }
                    above = self.s.card(above).next;
                }
            }
        }
    }

    /// Keeps the walking hero's slot right when a stack nearer to the boss disappears.
    fn close_gap(&mut self, seat: Seat, slot: usize) {
        if self.s.active == seat && usize::from(self.s.walk.slot) > slot {
            self.s.walk.slot -= 1;
        }
    }

    /// Puts a card at the end of a pile, with these flags. The caller computes them before anything
    /// is written: reading part of a card right after writing another part stalls.
    #[inline(always)]
    pub(super) fn append(&mut self, id: CardId, place: Place, flags: Flags) {
        if place.is_spells() {
            self.s.offers[place.seat().index()].add_spell(id, self.db.def(self.s.card(id).def));
        }
        let card = self.s.card_mut(id);
        *card = CardState { next: CardId::NONE, flags, place, ..*card };
        let pile = &mut self.s.piles[usize::from(place.0) % Place::PILES];
        let tail = pile.tail;
        pile.tail = id;
        pile.len += 1;
        if tail.exists() {
            self.s.card_mut(tail).next = id;
        } else {
            pile.head = id;
        }
    }

    /// Moves a card to the end of a pile. A hero moving between town, entrances and rooms stays on
    /// the same visit; every other move begins a new one. Damage stays until end of turn (rule
    /// 10.10).
    pub fn relocate(&mut self, id: CardId, place: Place) {
        self.move_card(id, place);
    }

    /// `relocate`, inlined: where a call site always makes the same kind of move, its branches
    /// become predictable.
    #[inline(always)]
    pub fn move_card(&mut self, id: CardId, place: Place) {
        let CardState { place: from, flags, .. } = *self.s.card(id);
        let (roamed, roams) = (from.is_roaming(), place.is_roaming());
        if from.is_scoring() {
            self.count_point(id, false);
        }
        self.unlink(id);
        self.append(id, place, if roamed && roams { flags } else { flags.new_visit() });
        self.s.left_town |= from == Place::TOWN;
        if roamed != roams {
            self.clear_pieces(id);
            let carried = !self.s.attached.is_empty() && self.next_attached(id).is_some();
            if carried {
                self.part_with(id, Place::REMOVED);
            }
            if carried || !self.board().def(id).hooks.is_empty() {
                self.refresh_heroes();
            }
        }
    }

    /// `relocate` for cards that are not heroes.
    #[inline(always)]
    pub fn carry(&mut self, id: CardId, place: Place) {
        let flags = self.s.card(id).flags.new_visit();
        self.unlink(id);
        self.append(id, place, flags);
    }

    /// The reference the card will have after its next move, so that an ability triggered before
    /// the move can follow it.
    pub fn moved_ref(&self, id: CardId) -> Ref {
        Ref::card(id, self.s.card(id).flags.new_visit().visit())
    }

    /// Creates a card of the given definition, unseen unless the place is public.
    pub fn create(&mut self, def: DefId, place: Place) -> CardId {
        let id = CardId(self.s.n_cards);
        self.s.n_cards += 1;
        self.s.cards[id.index()] = CardState { def, ..CardState::EMPTY };
        self.append(id, place, Flags::default());
        if place.is_roaming() {
            self.refresh_heroes();
        }
        id
    }

    pub fn show_all(&mut self, id: CardId) {
        self.s.card_mut(id).seen = SeatSet::PUBLIC;
    }

    // ---- stacks ----

    /// A room from a hand onto a stack of a dungeon.
    pub fn stack_on(&mut self, seat: Seat, room: CardId, slot: usize, flags: Flags) {
        self.unlink(room);
        self.put_on(seat, room, slot, flags);
    }

    /// As `stack_on`, for a room already taken out of the hand.
    #[inline(always)]
    pub fn put_on(&mut self, seat: Seat, room: CardId, slot: usize, flags: Flags) {
        let mut new_flags = self.s.card(room).flags.new_visit();
        new_flags.set(flags);
        let player = self.s.player_mut(seat);
        let beneath = player.slots[slot];
        player.slots[slot] = room;
        player.stacks = player.stacks.max(slot as u8 + 1);
        if beneath.exists() {
            // A room covered before its "when built" ability ran loses it.
            self.s.card_mut(beneath).flags.clear(Flags::DUE);
            self.s.card_mut(beneath).flags.set(Flags::COVERED);
            if !self.s.attached.is_empty() {
                self.pass_on(beneath, room);
            }
        }
        let card = self.s.card_mut(room);
        *card = CardState { next: beneath, flags: new_flags, place: Place::dungeon(seat), ..*card };
        // A face-down room in a new place changes nothing yet.
        if beneath.exists() || !flags.has(Flags::FACEDOWN) {
            self.refresh_dungeon(seat);
        }
    }

    /// A room of a stack that is put in a new order comes to lie on this one.
    pub(super) fn restack(&mut self, seat: Seat, slot: usize, room: CardId, beneath: CardId) {
        if beneath.exists() {
            self.s.card_mut(beneath).flags.set(Flags::COVERED);
        }
        let card = self.s.card_mut(room);
        card.next = beneath;
        card.flags.clear(Flags::COVERED);
        self.s.player_mut(seat).slots[slot] = room;
    }

    /// Two stacks of one dungeon change places.
    pub fn swap(&mut self, a: CardId, b: CardId) {
        let seat = self.s.card(a).place.seat();
        let board = self.board();
        let (Some(i), Some(j)) = (board.slot_of(a), board.slot_of(b)) else { return };
        if self.s.card(b).place.seat() == seat {
            self.s.player_mut(seat).slots.swap(i, j);
            self.refresh_dungeon(seat);
            self.tell(|t| What::Swapped.on(t.shown(a)).in_room(Some(t.shown(b))).moved(t.at(b), t.at(a)));
        }
    }

    /// The first room becomes the last, and so on.
    pub fn reverse(&mut self, seat: Seat) {
        let stacks = self.s.slots(seat).len();
        for slot in 0..stacks / 2 {
            self.swap(self.s.at(seat, slot), self.s.at(seat, stacks - 1 - slot));
        }
    }
}
