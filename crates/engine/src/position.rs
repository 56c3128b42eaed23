//! A table laid out by hand, for scenarios and puzzles: anything can be asked for; what cannot be played is
//! refused with the reason.

use cards::code::DefId;
use cards::db::{CardDb, DefKind};

use crate::Game;
use crate::acts::Table;
use crate::event::Log;
use crate::id::*;
use crate::rng::Rng;
use crate::setup::{Rules, SetupError};
use crate::state::*;
use crate::tell::{Numbers, place_name};

/// The table to lay out. Lists are in the order people write: dungeons left to right, decks top first.
#[derive(Clone, Debug)]
pub struct Position {
    pub rules: Rules,
    pub seats: Vec<SeatPosition>,
    pub town: Vec<DefId>,
    pub room_deck: Vec<DefId>,
    pub spell_deck: Vec<DefId>,
    pub hero_deck: Vec<DefId>,
    pub epic_deck: Vec<DefId>,
    pub discard: Vec<DefId>,
    /// The hero standing in a room of the active player.
    pub walker: Option<Walker>,
    pub start: Start,
    /// Decides what is random.
    pub seed: u64,
}

#[derive(Clone, Debug, Default)]
pub struct SeatPosition {
    /// One boss, or those to choose from.
    pub bosses: Vec<DefId>,
    pub levelled: bool,
    /// Stacks from left to right, each with its top card first.
    pub dungeon: Vec<Vec<RoomPosition>>,
    pub hand: Vec<DefId>,
    pub souls: Vec<DefId>,
    pub wounds: Vec<DefId>,
    pub entrance: Vec<DefId>,
}

#[derive(Clone, Copy, Debug)]
pub struct RoomPosition {
    pub def: DefId,
    pub deactivated: bool,
    pub facedown: bool,
    pub used: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Walker {
    pub def: DefId,
    pub seat: Seat,
    /// The stack it stands in, counted from the left.
    pub stack: usize,
    pub damage: u8,
}

/// Where play starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Bosses are chosen where there are several, hands are dealt.
    Deal,
    FirstRoom,
    Begin,
    /// From this player on; `None` is the first in order.
    Build(Option<Seat>),
    Reveal,
    Bait,
    Adventure(Option<Seat>),
    End,
    /// Within a window of the active player; those before `asked` have passed.
    Window {
        phase: Phase,
        active: Seat,
        asked: Seat,
    },
}

impl Position {
    /// A table with nothing in the middle.
    pub fn bare(rules: Rules, seats: Vec<SeatPosition>, start: Start) -> Position {
        Position {
            rules,
            seats,
            town: Vec::new(),
            room_deck: Vec::new(),
            spell_deck: Vec::new(),
            hero_deck: Vec::new(),
            epic_deck: Vec::new(),
            discard: Vec::new(),
            walker: None,
            start,
            seed: 0,
        }
    }
}

impl<'a> Game<'a> {
    /// Lays the table out and runs it to its first question.
    pub fn from_position(
        db: &'a CardDb,
        position: &Position,
        log: &mut impl Log,
    ) -> Result<Game<'a>, SetupError> {
        let players = position.seats.len();
        if !(2..=SEATS).contains(&players) || players != usize::from(position.rules.players) {
            return Err(SetupError::Players(players as u8));
        }
        let mut game = Game { db, state: State::empty(position.rules) };
        game.state.rng = Rng::from_seed(position.seed);
        let quiet = &mut ();
        let mut table = Table::new(db, &mut game.state, quiet);
        table.lay_out(position)?;
        let mut table = Table::new(db, &mut game.state, log);
        table.start(position.start)?;
        table.run();
        Ok(game)
    }

    /// From here on chance takes another course.
    pub fn reseed(&mut self, seed: u64) {
        self.state.rng = Rng::from_seed(seed);
    }
}

impl<L: Log> Table<'_, L> {
    fn lay_out(&mut self, position: &Position) -> Result<(), SetupError> {
        for (seat, laid) in (0..).map(Seat).zip(&position.seats) {
            self.lay_out_seat(seat, laid, position.start)?;
        }
        let piles = [
            (Place::TOWN, &position.town, SeatSet::PUBLIC),
            (Place::ROOM_DECK, &position.room_deck, SeatSet::EMPTY),
            (Place::SPELL_DECK, &position.spell_deck, SeatSet::EMPTY),
            (Place::HERO_DECK, &position.hero_deck, SeatSet::EMPTY),
            (Place::EPIC_DECK, &position.epic_deck, SeatSet::EMPTY),
            (Place::DISCARD, &position.discard, SeatSet::PUBLIC),
        ];
        for (place, defs, seen) in piles {
            self.lay_out_pile(place, defs, seen)?;
        }
        self.sort_players();
        if let Some(walker) = position.walker {
            let slots = self.s.slots(walker.seat);
            let slot = slots.len().checked_sub(walker.stack + 1);
            let slot = slot.ok_or_else(|| wrong("the hero stands in a room that is not there"))?;
            let room = self.s.ref_of(slots[slot]);
            let hero = self.lay_card(walker.def, Place::inside(walker.seat), SeatSet::PUBLIC)?;
            self.expect_hero(walker.def)?;
            *self.s.damage_mut(hero) = walker.damage;
            self.s.card_mut(hero).flags.set(Flags::WALKED);
            let hero = self.s.ref_of(hero);
            self.s.walk = Walk { hero, room, slot: slot as u8, windowed: true, ..Walk::NONE };
        }
        Ok(())
    }

    fn lay_out_seat(&mut self, seat: Seat, laid: &SeatPosition, start: Start) -> Result<(), SetupError> {
        for boss in &laid.bosses {
            if self.db.def(*boss).kind != DefKind::Boss {
                return Err(wrong(&format!("{} is no boss", self.db.name(*boss))));
            }
            let id = self.lay_card(*boss, Place::boss(seat), SeatSet::PUBLIC)?;
            if laid.bosses.len() == 1 && start != Start::Deal {
                self.s.player_mut(seat).boss = id;
            }
        }
        if laid.levelled && start == Start::Deal {
            return Err(wrong(&format!("the boss of {seat} cannot have levelled up before the deal")));
        }
        self.s.player_mut(seat).levelled = laid.levelled;
        if laid.dungeon.len() > SLOTS {
            return Err(wrong(&format!("{seat} has more than {SLOTS} stacks of rooms")));
        }
        for stack in laid.dungeon.iter().rev() {
            let slot = usize::from(self.s.player(seat).stacks);
            for room in stack.iter().rev() {
                if self.db.def(room.def).kind != DefKind::Room {
                    return Err(wrong(&format!("{} is no room", self.db.name(room.def))));
                }
                let id = self.lay_card(room.def, Place::rooms(seat), SeatSet::PUBLIC)?;
                self.put_room(seat, id, slot);
                let card = self.s.card_mut(id);
                let marks = [
                    (room.deactivated, Flags::DEACTIVATED),
                    (room.facedown, Flags::FACEDOWN),
                    (room.used, Flags::used(0)),
                ];
                for (_, mark) in marks.into_iter().filter(|(wanted, _)| *wanted) {
                    card.flags.set(mark);
                }
                if room.facedown {
                    card.seen = SeatSet::only(seat);
                    self.s.player_mut(seat).placed += 1;
                }
            }
        }
        self.rehook(seat);
        for def in &laid.hand {
            let hand = match self.db.def(*def).kind {
                DefKind::Spell => Place::spells(seat),
                _ => Place::rooms(seat),
            };
            self.lay_out_pile(hand, &[*def], SeatSet::only(seat))?;
        }
        for (heroes, dead) in [(&laid.souls, true), (&laid.wounds, false)] {
            for def in heroes {
                self.expect_hero(*def)?;
                let id = self.lay_card(*def, Place::scoring(seat), SeatSet::PUBLIC)?;
                if dead {
                    self.s.card_mut(id).flags.set(Flags::FACEDOWN);
                }
            }
        }
        self.rescore(seat);
        self.lay_out_pile(Place::entrance(seat), &laid.entrance, SeatSet::PUBLIC)
    }

    fn lay_out_pile(&mut self, place: Place, defs: &[DefId], seen: SeatSet) -> Result<(), SetupError> {
        for def in defs {
            let kind = self.db.def(*def).kind;
            let hero = matches!(kind, DefKind::Hero | DefKind::Epic);
            let fits = match place.kind() {
                PlaceKind::RoomDeck => kind == DefKind::Room,
                PlaceKind::SpellDeck => kind == DefKind::Spell,
                PlaceKind::HeroDeck => kind == DefKind::Hero,
                PlaceKind::EpicDeck => kind == DefKind::Epic,
                PlaceKind::Town | PlaceKind::Entrance => hero,
                _ => matches!(kind, DefKind::Room | DefKind::Spell),
            };
            if !fits {
                let (name, there) = (self.db.name(*def), place_name(&Numbers, place));
                return Err(wrong(&format!("{name} cannot be in {there}")));
            }
            self.lay_card(*def, place, seen)?;
        }
        Ok(())
    }

    fn lay_card(&mut self, def: DefId, place: Place, seen: SeatSet) -> Result<CardId, SetupError> {
        if self.s.card_count() == MAX_CARDS {
            return Err(SetupError::TooManyCards(MAX_CARDS + 1));
        }
        let id = self.create(def, place);
        self.s.card_mut(id).seen = seen;
        Ok(id)
    }

    fn expect_hero(&self, def: DefId) -> Result<(), SetupError> {
        match self.db.def(def).kind {
            DefKind::Hero | DefKind::Epic => Ok(()),
            _ => Err(wrong(&format!("{} is no hero", self.db.name(def)))),
        }
    }

    fn start(&mut self, start: Start) -> Result<(), SetupError> {
        self.s.turn = u16::from(!matches!(start, Start::Deal | Start::FirstRoom | Start::Begin));
        let index = |seat: Option<Seat>| {
            let order = self.s.order();
            seat.map_or(Some(0), |seat| order.iter().position(|other| *other == seat))
                .map(|index| index as u8)
                .ok_or_else(|| wrong("there is no such player"))
        };
        let step = match start {
            Start::Deal => (Step::ChooseBoss, 0),
            Start::FirstRoom => (Step::FirstRoom, 0),
            Start::Begin => (Step::Begin, 0),
            Start::Build(seat) => (Step::Build, index(seat)?),
            Start::Reveal => (Step::Reveal, 0),
            Start::Bait => (Step::Bait, 0),
            Start::Adventure(seat) => (Step::Adventure, index(seat)?),
            Start::End => (Step::End, 0),
            Start::Window { phase, active, asked } => {
                let index = index(Some(active))?;
                return self.start_in_window(phase, active, asked, index);
            }
        };
        let phase = match start {
            Start::Build(_) | Start::Reveal => Phase::Build,
            Start::Adventure(_) => Phase::Adventure,
            _ => Phase::Setup,
        };
        self.s.phase = phase;
        self.players_before_are_done(step.1);
        self.s.frames.put(Frame::Step(step.0, step.1));
        Ok(())
    }

    fn players_before_are_done(&mut self, index: u8) {
        for seat in &self.s.order[..usize::from(index)] {
            self.s.players[seat.index()].done = true;
        }
    }

    fn start_in_window(
        &mut self,
        phase: Phase,
        active: Seat,
        asked: Seat,
        index: u8,
    ) -> Result<(), SetupError> {
        self.s.phase = phase;
        self.s.active = active;
        self.players_before_are_done(index);
        let asked_first = std::iter::once(active);
        let others = self.s.seats().filter(|seat| *seat != active);
        let pos = asked_first.chain(others).position(|seat| seat == asked);
        let pos = pos.ok_or_else(|| wrong("there is no such player"))? as u8;
        let frames = &mut self.s.frames;
        match phase {
            Phase::Build => frames.put(Frame::Step(Step::BuildDone, index)),
            Phase::Adventure => {
                frames.put(Frame::Step(Step::Adventure, index + 1));
                if self.s.walk.hero.is_nothing() {
                    self.s.walk.windowed = true;
                    self.s.frames.put(Frame::Step(Step::NextHero, 0));
                    let first = self.s.pile(Place::entrance(active)).next();
                    if let Some(hero) = first {
                        self.s.frames.pop();
                        self.s.walk.hero = self.s.ref_of(hero);
                        self.s.frames.put(Frame::Step(Step::EnterDungeon, 0));
                    }
                } else {
                    frames.put(Frame::Step(Step::NextHero, 0));
                    frames.put(Frame::Step(Step::LeaveRoom, 0));
                }
            }
            _ => return Err(wrong("windows are in the Build and the Adventure phase")),
        }
        self.s.frames.put(Frame::Window(Window { pos, passes: pos, resolved: 0 }));
        Ok(())
    }
}

fn wrong(what: &str) -> SetupError {
    SetupError::Position(what.into())
}
