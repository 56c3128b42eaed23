//! What players work out in their heads: how a hero's walk would go if nobody acted, and what the
//! game would look like with your own face-down rooms revealed. Played on a copy by the game's own
//! steps, so abilities that affect heroes are included. Invariant: nothing depends on the generator
//! or on cards the asker may not see.

use cards::vocabulary::{EventWord, Kind, Landmark, Phase};

use crate::Game;
use crate::acts::Runner;
use crate::api::event::{Event, Log, What};
use crate::ask::Action;
use crate::code::occurrence::Occurrence;
use crate::fast::answers::Answers;
use crate::model::id::*;
use crate::model::state::*;

/// A walk in which nobody acts. A room is listed each time it is entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    pub rooms: Vec<Visit>,
    pub fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    pub room: CardId,
    /// What the hero takes in this room.
    pub damage: i32,
    /// All it has taken when it leaves the room or dies in it.
    pub taken: i32,
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
        self.walk_on(&mut self.state.clone(), hero, seat)
    }

    /// As `forecast`, reusing the memory of another state for the copy.
    pub fn forecast_in(&self, state: &mut State, hero: CardId, seat: Seat) -> Forecast {
        state.clone_from(&self.state);
        self.walk_on(state, hero, seat)
    }

    fn walk_on(&self, state: &mut State, hero: CardId, seat: Seat) -> Forecast {
        let taken = self.hero_damage(hero);
        let mut walk = Walked { hero, taken, rooms: Vec::new(), fate: None };
        state.frames.clear();
        state.triggers.clear();
        state.pending.clear();
        (state.ask, state.answers) = (None, Answers::NONE);
        state.phase = Phase::Adventure;
        state.active = seat;
        let inside = state.card(hero).place == Place::inside(seat);
        let mut runner = Runner::new(self.db, state, &mut walk);
        if inside && runner.s.walk.hero == runner.s.ref_of(hero) {
            runner.s.frames.put(Frame::Step(Step::LeaveRoom));
        } else {
            let mut what = Occurrence::new(EventWord::Enters, runner.s.ref_of(hero), seat);
            what.dungeon = seat;
            if runner.board().forbidden(&what) {
                return Forecast { rooms: Vec::new(), fate: Fate::StaysOut };
            }
            runner.send_hero(hero, Place::inside(seat));
            let (hero, slot) = (runner.s.ref_of(hero), runner.s.player(seat).stacks);
            runner.s.walk = Walk { hero, slot, ..Walk::NONE };
            runner.on_after(&what, false);
        }
        runner.run();
        while runner.s.ask.is_some() && runner.log.fate.is_none() {
            let mut answer = Action::Pass;
            runner.board().each_legal(&mut |action| {
                answer = action;
                !matches!(action, Action::Pass | Action::No)
            });
            runner.answer(answer);
        }
        Forecast { rooms: walk.rooms, fate: walk.fate.unwrap_or(Fate::StaysOut) }
    }

    /// The health of the hero whom a minion would summon from this landmark, with its token, and how
    /// it would fare in the dungeon of `seat`.
    pub fn forecast_summoned(&self, landmark: Landmark, seat: Seat) -> Option<(i32, Forecast)> {
        let hero = self.state.hero_to_summon(landmark)?;
        let token = self.summon_token(landmark);
        let mut game = self.clone();
        let mut quiet = ();
        let mut runner = Runner::new(game.db, &mut game.state, &mut quiet);
        runner.put_token(hero, token);
        runner.refresh_heroes();
        Some((game.hero_health(hero), game.forecast(hero, seat)))
    }

    /// Heroes who will be pushed out of town in the next Town phase, and where they will go, if
    /// nothing but the bait and new heroes moves them.
    pub fn next_pushed(&self) -> Vec<(CardId, Landmark)> {
        let rules = self.state.rules();
        let Some(places) = rules.edition().town_places(rules.players) else { return Vec::new() };
        let mut game = self.clone();
        let coming = usize::from(rules.edition().heroes_a_turn(rules.players));
        let coming =
            coming.min(self.state.pile_len(Place::HERO_DECK) + self.state.pile_len(Place::EPIC_DECK));
        let stays = |hero: &CardId| self.board().lured_to(*hero).is_none();
        let staying: Vec<CardId> = self.state.pile(Place::TOWN).filter(stays).collect();
        let pushed = (staying.len() + coming).saturating_sub(usize::from(places)).min(staying.len());
        let push = |hero: CardId| {
            Runner::new(game.db, &mut game.state, &mut ()).push_out(hero);
            Some((hero, game.state.landmark_of(hero)?))
        };
        staying.into_iter().take(pushed).filter_map(push).collect()
    }

    /// What this hero counts in the seat's dungeon: treasure, or whatever its card says.
    pub fn pull(&self, hero: CardId, seat: Seat) -> i32 {
        self.board().pull(hero, seat)
    }

    /// A copy in which what is under way is finished and nothing comes after it.
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

    /// A copy in which the seat has built this room there and revealed its rooms, and nothing else
    /// has happened.
    pub fn if_built(&self, seat: Seat, room: CardId, spot: Spot) -> Game<'a> {
        let mut game = self.clone();
        game.build_and_reveal(seat, room, spot);
        game
    }

    /// The same, reusing the memory of another game.
    pub fn if_built_in(&self, game: &mut Game<'a>, seat: Seat, room: CardId, spot: Spot) {
        game.clone_from(self);
        game.build_and_reveal(seat, room, spot);
    }

    fn build_and_reveal(&mut self, seat: Seat, room: CardId, spot: Spot) {
        let (at, slot) = (spot.dungeon(seat), spot.slot());
        if at.exists() && slot < SLOTS && slot <= self.state.slots(at).len() {
            let mut quiet = ();
            let mut runner = Runner::new(self.db, &mut self.state, &mut quiet);
            // A miniboss that cannot be paid for does nothing.
            if runner.board().def(room).kind == Kind::Miniboss {
                if slot < runner.s.slots(at).len() && runner.pay(at, 1) {
                    runner.build_miniboss(at, room, slot, false);
                }
            } else {
                runner.put_room(at, room, slot);
                runner.refresh_dungeon(at);
            }
        }
        self.turn_up(seat);
    }

    /// A copy in which the seat's face-down rooms are revealed, and nothing else has happened.
    pub fn if_revealed(&self, seat: Seat) -> Game<'a> {
        let mut game = self.clone();
        game.turn_up(seat);
        game
    }

    /// The same, reusing the memory of another game.
    pub fn if_revealed_in(&self, game: &mut Game<'a>, seat: Seat) {
        game.clone_from(self);
        game.turn_up(seat);
    }

    fn turn_up(&mut self, seat: Seat) {
        let mut quiet = ();
        let mut runner = Runner::new(self.db, &mut self.state, &mut quiet);
        let waiting = runner.s.triggers.len();
        for slot in 0..runner.s.slots(seat).len() {
            let room = runner.s.at(seat, slot);
            let placed = runner.s.card(room).flags.has(Flags::FACEDOWN);
            if placed && runner.board().def(room).kind == Kind::Miniboss && runner.s.card(room).next.exists()
            {
                runner.reveal_miniboss(seat, slot);
            } else {
                runner.s.card_mut(room).flags.clear(Flags::FACEDOWN);
            }
        }
        // Those that wait already are what the open question may be about.
        runner.s.triggers.truncate(waiting);
        runner.refresh_dungeon(seat);
        self.state.answers = self.board().answers();
    }
}

/// A log that follows one hero.
struct Walked {
    hero: CardId,
    taken: i32,
    rooms: Vec<Visit>,
    fate: Option<Fate>,
}

impl Walked {
    fn takes(&mut self, amount: i32, taken: i32) {
        self.taken = taken;
        if let Some(visit) = self.rooms.last_mut() {
            visit.damage += amount;
            visit.taken = taken;
        }
    }
}

impl Log for Walked {
    const ON: bool = true;

    fn event(&mut self, event: Event) {
        if event.card.map(|card| card.card) != Some(self.hero) {
            return;
        }
        match event.what {
            What::Enters => {
                let taken = self.taken;
                self.rooms.extend(event.room.map(|room| Visit { room: room.card, damage: 0, taken }));
            }
            What::Damaged { amount, taken, .. } => self.takes(amount.into(), taken.into()),
            What::Recovers => self.takes(0, 0),
            What::Dies { .. } => self.fate = Some(Fate::Dies),
            What::Wounds { .. } => self.fate = Some(Fate::Wounds),
            _ => {}
        }
    }
}
