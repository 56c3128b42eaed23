//! The Adventure phase: a hero walks from the entrance through the rooms to its death or to the
//! boss (rules 10.1 to 10.8). The hero's position is `State::walk`; the steps below only read and
//! move it. While nobody can act, they call each other directly, at most once for each room and
//! hero.

use cards::code::Hooks;
use cards::vocabulary::EventWord;

use crate::acts::Runner;
use crate::api::event::{Log, What, Where};
use crate::code::occurrence::Occurrence;
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    /// Players become active one after the other, with or without heroes (10.1); from this one on.
    pub fn adventure(&mut self, mut next: Option<Seat>) {
        while let Some(seat) = next {
            self.s.frames.put(Frame::Step(Step::AdventureDone(seat)));
            self.s.active = seat;
            self.s.walk = Walk::NONE;
            self.tell(|_| What::PlayerBegins.by(seat));
            self.next_hero();
            if !self.comes_next(Step::AdventureDone(seat)) {
                return;
            }
            next = self.end_adventure(seat);
        }
        self.next_phase();
    }

    /// The player's heroes have walked; whose turn it is next.
    pub fn end_adventure(&mut self, seat: Seat) -> Option<Seat> {
        self.s.player_mut(seat).done = true;
        self.s.next_after(seat)
    }

    /// Pops the step if it is on top; usually nothing has come between.
    fn comes_next(&mut self, step: Step) -> bool {
        let quiet = self.s.ask.is_none() && self.s.claims == SeatSet::EMPTY;
        let next = quiet && matches!(self.s.frames.last(), Some(Frame::Step(next)) if *next == step);
        if next {
            self.s.frames.drop_last();
        }
        next
    }

    /// The first hero in line gets its window; without heroes there is one window (10.1, 10.2).
    pub fn next_hero(&mut self) {
        loop {
            let waits = |id: &CardId| !self.s.card(*id).flags.has(Flags::WALKED) && !self.is_barred(*id);
            let hero = self.s.pile(Place::entrance(self.s.active)).find(waits);
            let windowed = self.s.walk.windowed;
            self.s.walk = Walk { windowed: true, ..Walk::NONE };
            let Some(hero) = hero else {
                if windowed || !self.open_window(Step::NextHero) {
                    self.let_wait();
                }
                return;
            };
            self.s.walk.hero = self.s.ref_of(hero);
            if self.open_window(Step::EnterDungeon) {
                return;
            }
            self.enter_dungeon();
            if !self.comes_next(Step::NextHero) {
                return;
            }
        }
    }

    /// Does a rule in force keep the hero from going into the active player's dungeon? Then no window is opened
    /// for it.
    fn is_barred(&self, hero: CardId) -> bool {
        if !self.s.hooks.has(Hooks::forbids(EventWord::Enters)) {
            return false;
        }
        let mut what = Occurrence::new(EventWord::Enters, self.s.ref_of(hero), self.s.active);
        what.dungeon = self.s.active;
        self.board().forbidden(&what)
    }

    /// Heroes left at the entrance were not allowed in.
    fn let_wait(&mut self) {
        if !self.s.hooks.has(Hooks::forbids(EventWord::Enters)) {
            return;
        }
        let mut next = self.s.pile(Place::entrance(self.s.active)).next();
        while let Some(hero) = next {
            let card = self.s.card_mut(hero);
            next = Some(card.next).filter(|id| id.exists());
            if !card.flags.has(Flags::WALKED) {
                card.flags.set(Flags::WALKED);
                self.tell(|t| What::StaysOut.on(t.shown(hero)).at(t.at(hero)));
            }
        }
    }

    pub fn enter_dungeon(&mut self) {
        let seat = self.s.active;
        self.s.frames.put(Frame::Step(Step::NextHero));
        let Some(hero) = self.s.present(self.s.walk.hero) else { return };
        if self.s.card(hero).place != Place::entrance(seat) {
            return;
        }
        if self.is_barred(hero) {
            return;
        }
        self.s.card_mut(hero).flags.set(Flags::WALKED);
        let mut what = Occurrence::new(EventWord::Enters, self.s.walk.hero, seat);
        what.dungeon = seat;
        self.send_hero(hero, Place::inside(seat));
        let player = self.s.player_mut(seat);
        player.entered = player.entered.saturating_add(1);
        self.s.walk.slot = self.s.player(seat).stacks;
        self.on_after(&what, false);
    }

    /// Runs the abilities triggered by it, then the next room.
    pub fn on_after(&mut self, what: &Occurrence, in_window: bool) {
        let next = Frame::Step(Step::NextRoom { in_window });
        if !self.triggers_follow(|t| t.queue_triggers(what), &[next]) {
            self.next_room(in_window);
        }
    }

    /// The walking hero, while it is in the active player's dungeon.
    fn walker(&self) -> Option<CardId> {
        let hero = self.s.present(self.s.walk.hero)?;
        (self.s.card(hero).place == Place::inside(self.s.active)).then_some(hero)
    }

    /// On to the next active room on the right, or to the boss (10.4, 10.5). A hero whose room was destroyed within a
    /// window stays in that window afterwards (10.6).
    pub fn next_room(&mut self, in_window: bool) {
        let seat = self.s.active;
        let Some(hero) = self.walker() else { return };
        if self.s.walk.moved {
            return self.enter_room(hero, in_window);
        }
        if std::mem::take(&mut self.s.walk.fallen) {
            return self.leave_fallen(hero, in_window);
        }
        let next = self.next_open_room(seat);
        match next {
            Some(slot) => {
                self.s.walk.slot = slot as u8;
                self.s.walk.room = self.s.ref_of(self.s.slots(seat)[slot]);
                self.enter_room(hero, in_window);
            }
            // It may have been hurt enough without entering a room (10.5).
            None if self.s.walk.room.is_nothing() && self.board().is_lethal(hero) => self.hero_dies(hero),
            None => {
                self.triggers_follow(|t| t.wound(hero, seat), &[]);
            }
        }
    }

    /// The slot of the next room that the hero enters.
    fn next_open_room(&mut self, seat: Seat) -> Option<usize> {
        let (walk, board) = (&self.s.walk, self.board());
        let (slots, here) = (self.s.slots(seat), usize::from(walk.slot));
        let stands_there = self.s.ref_of(self.s.at(seat, here)) == walk.room;
        let here = if walk.room.is_nothing() | stands_there {
            here
        } else {
            self.s.present(walk.room).and_then(|room| board.slot_of(room)).unwrap_or(here)
        };
        let mut ahead = Slots(self.s.active_slots(seat) & ((1u16 << here.min(8)) - 1) as u8);
        if walk.skip == 0 && !self.s.hooks.has(Hooks::forbids(EventWord::Enters)) {
            return ahead.next_back();
        }
        let mut skip = walk.skip;
        let next = ahead.rev().find(|slot| {
            let mut what = Occurrence::new(EventWord::Enters, walk.hero, seat);
            what.room = self.s.ref_of(slots[*slot]);
            let open = !board.forbidden(&what);
            let passed = open && skip > 0;
            skip -= u8::from(passed);
            open && !passed
        });
        self.s.walk.skip = skip;
        next
    }

    /// Was the walking hero's room destroyed, so that it leaves at once (10.6)?
    pub fn has_fallen_hero(&self) -> bool {
        self.s.walk.fallen && self.walker().is_some()
    }

    /// A hero moved into another room by an effect enters it at once (10.7).
    pub fn moved_hero(&self) -> Option<CardId> {
        if self.s.walk.moved { self.walker() } else { None }
    }

    /// Abilities triggered by entering, then the damage; nothing comes between (10.3). Moved within
    /// a window, the hero stays in that window afterwards. It passes by a room it may not enter.
    pub fn enter_room(&mut self, hero: CardId, in_window: bool) {
        let Some(room) = self.s.present(self.s.walk.room) else {
            // It was moved into a room that is gone again.
            self.s.walk.moved = false;
            return self.next_room(in_window);
        };
        let mut what = Occurrence::new(EventWord::Enters, self.s.walk.hero, self.s.active);
        what.room = self.s.walk.room;
        if std::mem::take(&mut self.s.walk.moved) && self.board().forbidden(&what) {
            return self.next_room(in_window);
        }
        self.s.card_mut(room).flags.set(Flags::ENTERED);
        self.tell(|t| {
            let (from, to) = (Where { slot: None, ..t.at(hero) }, t.at(hero));
            What::Enters.on(t.shown(hero)).in_room(Some(t.shown(room))).moved(from, to)
        });
        let damage = Frame::Step(Step::RoomDamage { in_window });
        if !self.triggers_follow(|t| t.queue_triggers(&what), &[damage]) {
            self.room_damage(in_window);
        }
    }

    pub fn room_damage(&mut self, in_window: bool) {
        let Some(hero) = self.walker() else { return };
        if self.s.walk.moved {
            return self.enter_room(hero, in_window);
        }
        if self.s.walk.fallen && !in_window {
            return self.next_room(false);
        }
        if let Some(room) = self.s.present(self.s.walk.room) {
            let damage = self.board().damage_to(hero, room);
            self.damage(hero, damage);
        }
        if !in_window && !self.open_window(Step::LeaveRoom) {
            self.leave_room();
        }
    }

    /// The window is over: the hero dies here, or goes on (10.4).
    pub fn leave_room(&mut self) {
        let Some(hero) = self.walker() else { return };
        if self.board().is_lethal(hero) {
            return self.hero_dies(hero);
        }
        let mut what = Occurrence::new(EventWord::Survives, self.s.walk.hero, self.s.active);
        match self.s.present(self.s.walk.room).filter(|room| self.board().is_active_room(*room)) {
            Some(room) => {
                what.room = self.s.ref_of(room);
                self.on_after(&what, false);
            }
            None => self.next_room(false),
        }
    }

    /// Its room is gone: the hero dies, or has survived that room (10.6), which cannot notice any more.
    fn leave_fallen(&mut self, hero: CardId, in_window: bool) {
        if self.board().is_lethal(hero) {
            return self.hero_dies(hero);
        }
        let mut what = Occurrence::new(EventWord::Survives, self.s.walk.hero, self.s.active);
        what.room = self.s.walk.room;
        self.on_after(&what, in_window);
    }

    fn hero_dies(&mut self, hero: CardId) {
        self.triggers_follow(|t| t.kill(hero, t.s.active), &[]);
    }
}
