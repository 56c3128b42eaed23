//! A position set up by hand, for scenarios and puzzles. Anything can be asked for; what cannot be
//! played is refused with the reason.

use cards::code::{DefId, PatternCode, Unit, UnitId, UnitKind};
use cards::db::CardDb;
use cards::vocabulary::{EventWord, Kind, Landmark, Limit, Phase, Zone};

use crate::Game;
use crate::acts::Runner;
use crate::api::event::Log;
use crate::api::tell::{Numbers, place_name};
use crate::model::id::*;
use crate::model::rng::Rng;
use crate::model::state::*;
use crate::setup::script::Script;
use crate::setup::{Rules, SetupError, TABLES};

/// The position to set up. Lists are in the order people write: dungeons left to right, decks top
/// first.
#[derive(Clone, Debug)]
pub struct Position {
    pub rules: Rules,
    pub seats: Vec<SeatPosition>,
    pub town: Vec<DefId>,
    pub room_deck: Vec<DefId>,
    pub spell_deck: Vec<DefId>,
    pub hero_deck: Vec<DefId>,
    pub epic_deck: Vec<DefId>,
    pub item_deck: Vec<DefId>,
    /// Items waiting in town, oldest first.
    pub town_items: Vec<DefId>,
    pub discard: Vec<DefId>,
    /// Cards laid out in the market.
    pub market: Vec<DefId>,
    /// Heroes at landmarks, oldest first.
    pub landmarks: Vec<(Landmark, DefId)>,
    /// Who has the first-player marker; `None`: who comes first by XP.
    pub first: Option<Seat>,
    /// The hero standing in a room of the active player.
    pub walker: Option<Walker>,
    /// Pieces on the cards, and what is attached to them.
    pub pieces: Vec<Pieces>,
    pub start: Start,
    /// Decides what is random.
    pub seed: u64,
    /// Rooms may be discarded for coins (rule 6.6).
    pub mixed: bool,
}

#[derive(Clone, Debug, Default)]
pub struct SeatPosition {
    /// One boss, or those to choose from.
    pub bosses: Vec<DefId>,
    pub levelled: bool,
    /// Eliminated before play starts (rule 11.4): what the player has is removed from the game.
    pub out: bool,
    /// Stacks from left to right, each with its top card first.
    pub dungeon: Vec<Vec<RoomPosition>>,
    pub hand: Vec<DefId>,
    pub souls: Vec<DefId>,
    pub wounds: Vec<DefId>,
    pub entrance: Vec<DefId>,
    pub items: Vec<ItemPosition>,
    pub coins: u16,
    pub minion: Option<MinionPosition>,
}

/// Where a minion stands that is not at home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MinionPosition {
    Space(Space),
    /// On the top room of a stack, counted from the left.
    Room(usize),
    Boss,
}

/// An item in a scoring area.
#[derive(Clone, Copy, Debug)]
pub struct ItemPosition {
    pub def: DefId,
    pub facedown: bool,
    /// Claimed this turn.
    pub new: bool,
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

/// The pieces on one card of the layout.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    pub on: On,
    pub counters: u8,
    pub coins: u8,
    pub token: i8,
    pub attached: Option<Attached>,
}

impl Pieces {
    pub fn on(on: On) -> Pieces {
        Pieces { on, counters: 0, coins: 0, token: 0, attached: None }
    }
}

/// A card of the layout, by where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// The top room of a stack, counted from the left.
    Room(Seat, usize),
    /// A hero in town, oldest first.
    Town(usize),
    /// A hero at a landmark, oldest first.
    Landmark(usize),
    /// A hero at an entrance, first in line first.
    Entrance(Seat, usize),
    Walker,
}

/// A card attached to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attached {
    pub def: DefId,
    pub level: u8,
    /// Face down, and seen by this player only.
    pub facedown: Option<Seat>,
    /// It came there this turn.
    pub new: bool,
}

/// Where play starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Bosses are chosen if there are several, hands are dealt.
    Deal,
    FirstRoom,
    Begin,
    /// The Town phase; `Draft` is its second half, when the cards lie in the market.
    Town,
    Draft,
    /// From this player on; `None` is the first in order.
    Build(Option<Seat>),
    Reveal,
    Minion,
    Bait,
    Adventure(Option<Seat>),
    End,
    /// Within a window of the active player; the players before `asked` have passed.
    Window {
        phase: Phase,
        active: Seat,
        asked: Seat,
    },
}

impl Position {
    /// An empty position.
    pub fn bare(rules: Rules, seats: Vec<SeatPosition>, start: Start) -> Position {
        Position {
            rules,
            seats,
            town: Vec::new(),
            room_deck: Vec::new(),
            spell_deck: Vec::new(),
            hero_deck: Vec::new(),
            epic_deck: Vec::new(),
            item_deck: Vec::new(),
            town_items: Vec::new(),
            discard: Vec::new(),
            market: Vec::new(),
            landmarks: Vec::new(),
            first: None,
            walker: None,
            pieces: Vec::new(),
            start,
            seed: 0,
            mixed: false,
        }
    }
}

impl<'a> Game<'a> {
    /// Sets the position up and runs it to its first question.
    pub fn from_position(
        db: &'a CardDb,
        position: &Position,
        log: &mut impl Log,
    ) -> Result<Game<'a>, SetupError> {
        Game::from_position_scripted(db, position, log, &mut Script::default())
    }

    /// As `from_position`, with scripted chance.
    pub fn from_position_scripted(
        db: &'a CardDb,
        position: &Position,
        log: &mut impl Log,
        script: &mut Script,
    ) -> Result<Game<'a>, SetupError> {
        let players = position.seats.len();
        let least = usize::from(position.rules.edition().least_players.min(*TABLES.start()));
        if !(least..=SEATS).contains(&players) || players != usize::from(position.rules.players) {
            return Err(SetupError::Players(players as u8));
        }
        let mut game = Game { db, state: State::empty(position.rules) };
        game.state.rng = Rng::from_seed(position.seed);
        game.state.trade.open = position.mixed;
        let quiet = &mut ();
        let mut runner = Runner::new(db, &mut game.state, quiet);
        runner.lay_out(position)?;
        let mut runner = Runner::new(db, &mut game.state, log).with_script(script);
        runner.start(position.start)?;
        if db.names_entrances {
            runner.triggers_follow(Runner::wait_at_entrances, &[]);
        }
        runner.run();
        Ok(game)
    }
}

impl<L: Log> Runner<'_, L> {
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
            (Place::ITEM_DECK, &position.item_deck, SeatSet::EMPTY),
            (Place::TOWN_ITEMS, &position.town_items, SeatSet::PUBLIC),
            (Place::DISCARD, &position.discard, SeatSet::PUBLIC),
            (Place::MARKET, &position.market, SeatSet::PUBLIC),
        ];
        for (place, defs, seen) in piles {
            self.lay_out_pile(place, defs, seen)?;
        }
        self.sort_players();
        self.lay_out_board(position)?;
        self.lay_out_eliminated(position)?;
        if let Some(walker) = position.walker {
            let slots = self.s.slots(walker.seat);
            let slot = slots.len().checked_sub(walker.stack + 1);
            let slot = slot.ok_or_else(|| wrong("the hero stands in a room that is not there"))?;
            let room = self.s.ref_of(slots[slot]);
            let hero = self.lay_card(walker.def, Place::inside(walker.seat), SeatSet::PUBLIC)?;
            self.expect_hero(walker.def)?;
            self.s.marks_mut(hero).damage = walker.damage;
            self.s.card_mut(hero).flags.set(Flags::WALKED);
            let hero = self.s.ref_of(hero);
            self.s.walk = Walk { hero, room, slot: slot as u8, windowed: true, ..Walk::NONE };
            self.note_entered(walker.seat);
        }
        position.pieces.iter().try_for_each(|pieces| self.lay_out_pieces(pieces))
    }

    /// Landmarks, minions and the first-player marker.
    fn lay_out_board(&mut self, position: &Position) -> Result<(), SetupError> {
        let edition = *self.s.rules.edition();
        let laid = position.first.is_some()
            || !position.market.is_empty()
            || !position.landmarks.is_empty()
            || position.seats.iter().any(|seat| seat.minion.is_some());
        let Some(places) = edition.town_places(self.s.rules.players) else {
            return match laid {
                true => {
                    Err(wrong("a market, landmarks, minions and a first player are of the ruleset super"))
                }
                false => Ok(()),
            };
        };
        if position.town.len() > usize::from(places) {
            return Err(wrong(&format!("town has {places} places")));
        }
        for (landmark, def) in &position.landmarks {
            self.expect_hero(*def)?;
            if !self.board().has_landmark(*landmark) {
                return Err(wrong("the Launchpad is there from five players on"));
            }
            let hero = self.lay_card(*def, Place::LANDMARK, SeatSet::PUBLIC)?;
            if *landmark != Landmark::Tavern {
                let there = &mut self.s.town.landmarks[*landmark as usize];
                if there.exists() {
                    return Err(wrong(&format!("the {} has room for one hero", landmark.name())));
                }
                *there = hero;
            }
        }
        for (seat, laid) in (0..).map(Seat).zip(&position.seats) {
            let Some(minion) = laid.minion else { continue };
            let missing = || wrong(&format!("the minion of {seat} stands where nothing is"));
            let at = match minion {
                MinionPosition::Space(space) => space.to_ref(),
                MinionPosition::Boss => self.s.ref_of(self.s.player(seat).boss),
                MinionPosition::Room(stack) => {
                    let room = self.s.slots(seat).iter().rev().nth(stack).copied();
                    self.s.ref_of(room.ok_or_else(missing)?)
                }
            };
            if self.s.town.minions.contains(&at) {
                return Err(wrong("two minions stand on one space"));
            }
            self.s.town.minions[seat.index()] = at;
        }
        if let Some(first) = position.first {
            self.expect_player(first)?;
            while self.s.first_player() != first {
                let players = usize::from(self.s.rules.players);
                self.s.order[..players].rotate_left(1);
            }
        }
        self.refresh_heroes();
        Ok(())
    }

    /// The walker has entered this dungeon and its room this turn.
    fn note_entered(&mut self, seat: Seat) {
        let (db, Walk { hero, room, .. }) = (self.db, self.s.walk);
        self.s.player_mut(seat).entered += 1;
        let Some(card) = self.s.present(room) else { return };
        self.s.card_mut(card).flags.set(Flags::ENTERED);
        let on_entering = |unit: &&UnitId| {
            let Unit { kind: UnitKind::When(pattern), limit: Some(Limit::Hero), .. } = db.unit(**unit) else {
                return false;
            };
            matches!(db.patterns[pattern.index()],
                PatternCode::Happens { words, .. } if words.has(EventWord::Enters))
        };
        for unit in db.def(self.s.card(card).def).when.iter().filter(on_entering) {
            self.use_up(*unit, room, hero);
        }
    }

    fn lay_out_pieces(&mut self, pieces: &Pieces) -> Result<(), SetupError> {
        let on = match pieces.on {
            On::Room(seat, stack) => self.s.slots(seat).iter().rev().nth(stack).copied(),
            On::Town(index) => self.s.pile(Place::TOWN).nth(index),
            On::Landmark(index) => self.s.pile(Place::LANDMARK).nth(index),
            On::Entrance(seat, index) => self.s.pile(Place::entrance(seat)).nth(index),
            On::Walker => self.s.present(self.s.walk.hero),
        };
        let on = on.ok_or_else(|| wrong("something lies on a card that is not there"))?;
        if pieces.counters > 0 && !self.put_counters(on, pieces.counters) {
            return Err(wrong("counters lie on active rooms only"));
        }
        if pieces.coins > 0 && !self.put_coins(on, pieces.coins) {
            return Err(wrong("coins lie on cards in play only"));
        }
        if pieces.token != 0 && !self.put_token(on, pieces.token) {
            return Err(wrong("tokens lie on heroes in play only"));
        }
        if let Some(attached) = pieces.attached {
            let seen = attached.facedown.map_or(SeatSet::PUBLIC, SeatSet::only);
            let card = self.lay_card(attached.def, Place::BOX, seen)?;
            if !self.attach(card, on, attached.level, attached.facedown.is_some()) {
                return Err(wrong("nothing more can be attached there"));
            }
            if attached.new {
                self.s.card_mut(card).flags.set(Flags::NEW);
            }
        }
        Ok(())
    }

    fn lay_out_eliminated(&mut self, position: &Position) -> Result<(), SetupError> {
        let out: Vec<Seat> =
            (0..).map(Seat).zip(&position.seats).filter(|(_, laid)| laid.out).map(|(seat, _)| seat).collect();
        let Some(first) = out.first() else { return Ok(()) };
        if matches!(position.start, Start::Deal | Start::FirstRoom) {
            return Err(wrong(&format!("{first} cannot be out before the first turn")));
        }
        if position.seats.len() - out.len() < 2 {
            return Err(wrong("at least two players must still be in the game"));
        }
        if let Some(seat) = out.iter().find(|seat| !position.seats[seat.index()].entrance.is_empty()) {
            return Err(wrong(&format!("{seat} is out and can have no hero at the entrance")));
        }
        for seat in out {
            self.eliminate(seat);
        }
        Ok(())
    }

    fn lay_out_seat(&mut self, seat: Seat, laid: &SeatPosition, start: Start) -> Result<(), SetupError> {
        for boss in &laid.bosses {
            if self.db.def(*boss).kind != Kind::Boss {
                return Err(wrong(&format!("{} is not a boss", self.db.name(*boss))));
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
        self.gain_coins(seat, laid.coins);
        if laid.dungeon.len() > SLOTS {
            return Err(wrong(&format!("{seat} has more than {SLOTS} stacks of rooms")));
        }
        for stack in laid.dungeon.iter().rev() {
            let slot = usize::from(self.s.player(seat).stacks);
            for room in stack.iter().rev() {
                let placed = room.facedown && self.db.def(room.def).kind == Kind::Miniboss;
                if self.db.def(room.def).kind != Kind::Room && !placed {
                    return Err(wrong(&format!("{} is not a room", self.db.name(room.def))));
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
        self.refresh_dungeon(seat);
        for def in &laid.hand {
            let hand = match self.db.def(*def).kind {
                Kind::Spell => Place::spells(seat),
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
        for item in &laid.items {
            if self.db.def(item.def).kind != Kind::Item {
                return Err(wrong(&format!("{} is not an item", self.db.name(item.def))));
            }
            let id = self.lay_card(item.def, Place::scoring(seat), SeatSet::PUBLIC)?;
            let card = self.s.card_mut(id);
            for (_, mark) in
                [(item.facedown, Flags::FACEDOWN), (item.new, Flags::NEW)].into_iter().filter(|(is, _)| *is)
            {
                card.flags.set(mark);
            }
        }
        if self.board().faceup_items(seat).count() > 1 {
            return Err(wrong(&format!("{seat} has two items face up: one at most can be")));
        }
        self.rescore(seat);
        self.lay_out_pile(Place::entrance(seat), &laid.entrance, SeatSet::PUBLIC)
    }

    fn lay_out_pile(&mut self, place: Place, defs: &[DefId], seen: SeatSet) -> Result<(), SetupError> {
        for def in defs {
            let kind = self.db.def(*def).kind;
            let zone = place.zone();
            let fits = match zone {
                Zone::Town | Zone::Entrance => kind.is_hero(),
                Zone::TownItems => kind == Kind::Item,
                _ if zone.is_deck() => kind.home() == zone,
                _ => kind.is_held(),
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
        let is_hero = self.db.def(def).kind.is_hero();
        is_hero.then_some(()).ok_or_else(|| wrong(&format!("{} is not a hero", self.db.name(def))))
    }

    fn start(&mut self, start: Start) -> Result<(), SetupError> {
        self.s.turn = u16::from(!matches!(start, Start::Deal | Start::FirstRoom | Start::Begin));
        let first = self.s.first_player();
        let step = match start {
            Start::Deal => Step::ChooseBoss(first),
            Start::FirstRoom => Step::FirstRoom(first),
            Start::Begin => Step::BeginTurn,
            Start::Build(None) => Step::Phase(Phase::Build),
            Start::Build(Some(seat)) => self.step_of(seat, Phase::Build, Step::Build)?,
            Start::Reveal => Step::Reveal,
            Start::Town | Start::Draft | Start::Minion
                if self.s.rules.edition().town_places(self.s.rules.players).is_none() =>
            {
                return Err(wrong(
                    "there is a Town and a Minion phase only in the rulesets super, solo and challenge",
                ));
            }
            Start::Town => Step::Phase(Phase::Town),
            Start::Draft => Step::Draft(first),
            Start::Minion => Step::Phase(Phase::Minion),
            Start::Bait => Step::Phase(Phase::Bait),
            Start::Adventure(None) => Step::Phase(Phase::Adventure),
            Start::Adventure(Some(seat)) => self.step_of(seat, Phase::Adventure, Step::Adventure)?,
            Start::End => Step::Phase(Phase::End),
            Start::Window { phase, active, asked } => {
                return self.start_in_window(phase, active, asked);
            }
        };
        let phase = match start {
            Start::Build(_) | Start::Reveal => Phase::Build,
            Start::Adventure(_) => Phase::Adventure,
            Start::Draft => Phase::Town,
            _ => Phase::Setup,
        };
        self.s.phase = phase;
        if let Some(seat) = step.seat() {
            self.players_before_are_done(seat);
        }
        self.s.frames.put(Frame::Step(step));
        Ok(())
    }

    /// The step of a phase in which this seat comes next: the beginning of the phase if it is the first player.
    fn step_of(&self, seat: Seat, phase: Phase, step: fn(Seat) -> Step) -> Result<Step, SetupError> {
        self.expect_player(seat)?;
        Ok(if seat == self.s.first_player() { Step::Phase(phase) } else { step(seat) })
    }

    fn expect_player(&self, seat: Seat) -> Result<(), SetupError> {
        let there = self.s.seats().any(|other| other == seat);
        if there { Ok(()) } else { Err(wrong(&format!("{seat} is not in the game"))) }
    }

    fn players_before_are_done(&mut self, first: Seat) {
        for seat in self.s.order.into_iter().take_while(|seat| *seat != first) {
            self.s.players[seat.index()].done = true;
        }
    }

    fn start_in_window(&mut self, phase: Phase, active: Seat, asked: Seat) -> Result<(), SetupError> {
        self.expect_player(active)?;
        self.s.phase = phase;
        self.s.active = active;
        self.players_before_are_done(active);
        let pos = (0..self.s.alive).find(|pos| self.board().seat_at(*pos) == Some(asked));
        let pos = pos.ok_or_else(|| wrong(&format!("{asked} is not in the game")))?;
        let frames = &mut self.s.frames;
        match phase {
            Phase::Build => frames.put(Frame::Step(Step::BuildDone(active))),
            Phase::Adventure => {
                frames.put(Frame::Step(Step::AdventureDone(active)));
                if self.s.walk.hero.is_nothing() {
                    self.s.walk.windowed = true;
                    self.s.frames.put(Frame::Step(Step::NextHero));
                    let first = self.s.pile(Place::entrance(active)).next();
                    if let Some(hero) = first {
                        self.s.frames.pop();
                        self.s.walk.hero = self.s.ref_of(hero);
                        self.s.frames.put(Frame::Step(Step::EnterDungeon));
                    }
                } else {
                    frames.put(Frame::Step(Step::NextHero));
                    frames.put(Frame::Step(Step::LeaveRoom));
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
