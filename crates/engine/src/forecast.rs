//! The sums that people do by hand: how a hero's walk would go if nobody acted, and how the table would
//! look with one's own face-down rooms turned up. Played on a copy by the same steps as the game itself,
//! so abilities that work on heroes count.
//! Invariant: nothing depends on the generator or on cards the asker may not see.

use cards::tree::Word;

use crate::Game;
use crate::acts::Table;
use crate::answers::Answers;
use crate::ask::Action;
use crate::event::{Event, Log};
use crate::id::*;
use crate::query::Ctx;
use crate::state::*;
use crate::stats::Happening;

/// A walk that nobody disturbs. Rooms are listed as often as they are entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    pub rooms: Vec<(CardId, i32)>,
    pub fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// In the last of the rooms.
    Dies,
    /// It reaches the boss.
    Wounds,
    /// It may not go in, or is sent elsewhere.
    StaysOut,
}

impl<'a> Game<'a> {
    /// How this hero would fare in the dungeon of `seat`, from the entrance or from the room it is in.
    pub fn forecast(&self, hero: CardId, seat: Seat) -> Forecast {
        let mut state = self.state.clone();
        let mut walk = Walked { hero, rooms: Vec::new(), fate: None };
        state.frames.clear();
        state.triggers.clear();
        state.pending.clear();
        (state.ask, state.answers) = (None, Answers::NONE);
        state.phase = Phase::Adventure;
        state.active = seat;
        let inside = state.card(hero).place == Place::inside(seat);
        let mut table = Table::new(self.db, &mut state, &mut walk);
        if inside && table.s.walk.hero == table.s.ref_of(hero) {
            table.s.frames.put(Frame::Step(Step::LeaveRoom, 0));
        } else {
            let mut what = Happening::new(Word::Enters, table.s.ref_of(hero), seat);
            what.dungeon = seat;
            if table.board().forbidden(&what) {
                return Forecast { rooms: Vec::new(), fate: Fate::StaysOut };
            }
            table.send_hero(hero, Place::inside(seat));
            let (hero, slot) = (table.s.ref_of(hero), table.s.player(seat).stacks);
            table.s.walk = Walk { hero, slot, ..Walk::NONE };
            table.next_room(false);
        }
        table.run();
        while table.s.ask.is_some() && table.log.fate.is_none() {
            let mut answer = Action::Pass;
            table.board().each_legal(&mut |action| {
                answer = action;
                !matches!(action, Action::Pass | Action::No)
            });
            table.answer(answer);
        }
        Forecast { rooms: walk.rooms, fate: walk.fate.unwrap_or(Fate::StaysOut) }
    }

    /// What this hero counts in the seat's dungeon: its treasure, or what its own card says.
    pub fn pull(&self, hero: CardId, seat: Seat) -> i32 {
        let board = self.board();
        let def = self.def(hero);
        match def.lure {
            Some(lure) => {
                let ctx = Ctx { it: Ref::seat(seat), ..Ctx::of(Seat::NONE, self.state.ref_of(hero)) };
                board.num(lure.num, &ctx)
            }
            None => {
                let icons = def.icons.iter().zip(board.treasure(seat));
                icons.filter(|(icon, _)| **icon > 0).map(|(_, count)| count).sum()
            }
        }
    }

    /// A copy in which time stands still: what is under way is finished, and nothing comes after it.
    pub fn if_time_stops(&self) -> Game<'a> {
        let mut game = self.clone();
        let frames = &mut game.state.frames;
        let below =
            frames.iter().rposition(|frame| matches!(frame, Frame::Step(..))).map_or(0, |step| step + 1);
        // A question of the step itself has nothing above it.
        for _ in 0..below.min(frames.len().saturating_sub(1)) {
            frames.remove(0);
        }
        game
    }

    /// A copy in which the seat has built this room there, its own rooms are turned up, and nothing else has
    /// happened.
    pub fn if_built(&self, seat: Seat, room: CardId, spot: Spot) -> Game<'a> {
        let (at, slot) = (spot.dungeon(seat), spot.slot());
        let mut game = self.clone();
        if at.exists() && slot < SLOTS && slot <= game.state.slots(at).len() {
            let mut quiet = ();
            let mut table = Table::new(game.db, &mut game.state, &mut quiet);
            table.put_room(at, room, slot);
            table.rehook(at);
        }
        game.if_revealed(seat)
    }

    /// A copy in which the seat's own face-down rooms are turned up, and nothing else has happened.
    pub fn if_revealed(&self, seat: Seat) -> Game<'a> {
        let mut game = self.clone();
        for slot in 0..game.state.slots(seat).len() {
            let room = game.state.slots(seat)[slot];
            game.state.card_mut(room).flags.clear(Flags::FACEDOWN);
        }
        Table::new(game.db, &mut game.state, &mut ()).rehook(seat);
        game.state.answers = game.board().answers();
        game
    }
}

/// Listens to one hero.
struct Walked {
    hero: CardId,
    rooms: Vec<(CardId, i32)>,
    fate: Option<Fate>,
}

impl Log for Walked {
    const ON: bool = true;

    fn event(&mut self, event: Event) {
        match event {
            Event::Enters { hero, room } if hero.card == self.hero => self.rooms.push((room.card, 0)),
            Event::Damaged { hero, amount } if hero.card == self.hero => {
                if let Some((_, dealt)) = self.rooms.last_mut() {
                    *dealt += i32::from(amount);
                }
            }
            Event::Dies { hero, .. } if hero.card == self.hero => self.fate = Some(Fate::Dies),
            Event::Wounds { hero, .. } if hero.card == self.hero => self.fate = Some(Fate::Wounds),
            _ => {}
        }
    }
}
