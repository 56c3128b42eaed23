//! The Adventure phase: a hero's way from the entrance through the rooms to its death or to the boss (rules
//! 10.1 to 10.8). The hero's position is `State::walk`; the steps below only read and move it. As long as
//! nobody can act, they follow each other directly, at most once for each room and hero.

use cards::code::Hooks;
use cards::tree::Word;

use crate::acts::Table;
use crate::event::{Event, Log};
use crate::id::*;
use crate::state::*;
use crate::stats::Happening;

impl<L: Log> Table<'_, L> {
    /// One player after the other is active, with or without heroes (10.1).
    pub fn adventure(&mut self, mut index: u8) {
        loop {
            if index == 0 {
                self.enter_phase(Phase::Adventure);
            } else {
                self.s.player_mut(self.s.order[usize::from(index) - 1]).done = true;
            }
            let Some(seat) = self.seat_of(index) else {
                return self.end_turn();
            };
            index += 1;
            self.s.frames.put(Frame::Step(Step::Adventure, index));
            self.s.active = seat;
            self.s.walk = Walk::NONE;
            self.tell(|_| Event::Active(seat));
            self.next_hero();
            if !self.comes_next(Step::Adventure) {
                return;
            }
        }
    }

    /// Takes the step off the stack if it is what comes next; mostly nothing has come between.
    fn comes_next(&mut self, step: Step) -> bool {
        let top = self.s.frames.last();
        let next = self.s.ask.is_none() && matches!(top, Some(Frame::Step(top, _)) if *top == step);
        if next {
            self.s.frames.drop_last();
        }
        next
    }

    /// The first hero in line gets its window; without heroes there is one window (10.1, 10.2).
    pub fn next_hero(&mut self) {
        loop {
            let waits = |id: &CardId| !self.s.card(*id).flags.has(Flags::WALKED);
            let hero = self.s.pile(Place::entrance(self.s.active)).find(waits);
            let windowed = self.s.walk.windowed;
            self.s.walk = Walk { windowed: true, ..Walk::NONE };
            let Some(hero) = hero else {
                if !windowed {
                    self.open_window(Step::NextHero, 0);
                }
                return;
            };
            self.s.walk.hero = self.s.ref_of(hero);
            if self.open_window(Step::EnterDungeon, 0) {
                return;
            }
            self.enter_dungeon();
            if !self.comes_next(Step::NextHero) {
                return;
            }
        }
    }

    pub fn enter_dungeon(&mut self) {
        let seat = self.s.active;
        self.s.frames.put(Frame::Step(Step::NextHero, 0));
        let Some(hero) = self.s.present(self.s.walk.hero) else { return };
        if self.s.card(hero).place != Place::entrance(seat) {
            return;
        }
        self.s.card_mut(hero).flags.set(Flags::WALKED);
        let mut what = Happening::new(Word::Enters, self.s.walk.hero, seat);
        what.dungeon = seat;
        if self.board().forbidden(&what) {
            return self.tell(|t| Event::HeroWaits(t.shown(hero)));
        }
        self.send_hero(hero, Place::inside(seat));
        let player = self.s.player_mut(seat);
        player.entered = player.entered.saturating_add(1);
        self.s.walk.slot = self.s.player(seat).stacks;
        self.on_after(&what);
    }

    /// The abilities that wait for it, then the next room.
    fn on_after(&mut self, what: &Happening) {
        let collected = self.s.triggers.len() as u8;
        self.wake(what);
        if self.s.triggers.len() > usize::from(collected) {
            self.s.frames.put(Frame::Step(Step::NextRoom, 0));
            self.s.frames.put(Frame::Triggers(collected));
        } else {
            self.next_room(false);
        }
    }

    /// The hero on its way, as long as it is in the active player's dungeon.
    fn walker(&self) -> Option<CardId> {
        let hero = self.s.present(self.s.walk.hero)?;
        (self.s.card(hero).place == Place::inside(self.s.active)).then_some(hero)
    }

    /// On to the next active room on the right, or to the boss (10.4, 10.5). A hero whose room was destroyed within a
    /// window stays in that window afterwards (10.6).
    pub fn next_room(&mut self, in_window: bool) {
        let seat = self.s.active;
        let Some(hero) = self.walker() else { return };
        if std::mem::take(&mut self.s.walk.fallen) && self.board().is_lethal(hero) {
            return self.hero_dies(hero);
        }
        let next = self.next_open_room(seat);
        match next {
            Some(slot) => {
                self.s.walk.slot = slot as u8;
                self.s.walk.room = self.s.ref_of(self.s.slots(seat)[slot]);
                self.enter_room(hero, in_window);
            }
            None => {
                let collected = self.s.triggers.len() as u8;
                self.wound(hero, seat);
                if self.s.triggers.len() > usize::from(collected) {
                    self.s.frames.put(Frame::Triggers(collected));
                }
            }
        }
    }

    /// The place of the next room that the hero enters.
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
        if walk.skip == 0 && !self.s.hooks.has(Hooks::forbids(Word::Enters)) {
            return ahead.next_back();
        }
        let mut skip = walk.skip;
        let next = ahead.rev().find(|slot| {
            let mut what = Happening::new(Word::Enters, walk.hero, seat);
            what.room = self.s.ref_of(slots[*slot]);
            let open = !board.forbidden(&what);
            let passed = open && skip > 0;
            skip -= u8::from(passed);
            open && !passed
        });
        self.s.walk.skip = skip;
        next
    }

    /// Was the room of the hero on its way destroyed, so that the hero leaves it at once (10.6)?
    pub fn has_fallen_hero(&self) -> bool {
        self.s.walk.fallen && self.walker().is_some()
    }

    /// The hero an effect has moved into another room, which it enters at once (10.7).
    pub fn moved_hero(&self) -> Option<CardId> {
        if self.s.walk.moved { self.walker() } else { None }
    }

    /// Abilities that wait for it, then the damage; nothing comes between (10.3). Moved within a window,
    /// the hero stays in that window afterwards. A room that it may not enter it passes by.
    pub fn enter_room(&mut self, hero: CardId, in_window: bool) {
        let Some(room) = self.s.present(self.s.walk.room) else { return };
        let mut what = Happening::new(Word::Enters, self.s.walk.hero, self.s.active);
        what.room = self.s.walk.room;
        if std::mem::take(&mut self.s.walk.moved) && self.board().forbidden(&what) {
            return self.next_room(in_window);
        }
        self.s.card_mut(room).flags.set(Flags::ENTERED);
        self.tell(|t| Event::Enters { hero: t.shown(hero), room: t.shown(room) });
        let collected = self.s.triggers.len() as u8;
        self.wake(&what);
        if self.s.triggers.len() > usize::from(collected) {
            self.s.frames.put(Frame::Step(Step::RoomDamage, u8::from(in_window)));
            self.s.frames.put(Frame::Triggers(collected));
        } else {
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
            let damage = self.board().damage(room);
            self.damage(hero, damage);
        }
        if !in_window && !self.open_window(Step::LeaveRoom, 0) {
            self.leave_room();
        }
    }

    /// The window is over: the hero dies here, or goes on (10.4).
    pub fn leave_room(&mut self) {
        let Some(hero) = self.walker() else { return };
        if self.board().is_lethal(hero) {
            return self.hero_dies(hero);
        }
        let mut what = Happening::new(Word::Survives, self.s.walk.hero, self.s.active);
        match self.s.present(self.s.walk.room).filter(|room| self.board().is_active_room(*room)) {
            Some(room) => {
                what.room = self.s.ref_of(room);
                self.on_after(&what);
            }
            None => self.next_room(false),
        }
    }

    fn hero_dies(&mut self, hero: CardId) {
        let collected = self.s.triggers.len() as u8;
        self.kill(hero, self.s.active);
        if self.s.triggers.len() > usize::from(collected) {
            self.s.frames.put(Frame::Triggers(collected));
        }
    }
}
