//! Sets up the position of a scenario: names become cards, sections become an engine position.

use std::collections::HashSet;

use cards::CardDb;
use cards::code::DefId;
use cards::vocabulary::Kind;
use engine::id::SEATS;
use engine::position::{
    Attached, ItemPosition, MinionPosition, On, Pieces, Position, RoomPosition, SeatPosition, Start, Walker,
};
use engine::script::{Pick, Script, Shuffle};
use engine::{Rules, Ruleset, Seat, Variant};

use crate::error::{Problem, ScenarioError};
use crate::names::meant;
use crate::parse::{Bearer, Marked, MarkedItem, Miniboss, Name, Picked, Scenario, Section};

/// The position, and the scripted chance.
pub(crate) fn lay_out(db: &CardDb, scenario: &Scenario) -> Result<(Position, Script), ScenarioError> {
    let mut builder = Builder::new(db, scenario);
    for (line, setup) in &scenario.setup {
        builder.add(setup).map_err(|problem| problem.at(&scenario.file, *line))?;
    }
    builder.finish(scenario.start).map_err(|problem| problem.at(&scenario.file, scenario.start_line))
}

pub(crate) struct Builder<'a> {
    db: &'a CardDb,
    position: Position,
    players: usize,
    ruleset: Ruleset,
    variants: Vec<Variant>,
    turns: u16,
    script: Script,
    walker: Option<(DefId, Name, u8)>,
    /// Minions on rooms.
    minions: Vec<(Seat, Name)>,
    /// Cards in use: two heroes of the same class and health should be different cards.
    used: HashSet<DefId>,
}

impl<'a> Builder<'a> {
    fn new(db: &'a CardDb, scenario: &Scenario) -> Builder<'a> {
        let seats = vec![SeatPosition::default(); SEATS];
        let position = Position::bare(Rules::classic(2), seats, scenario.start);
        Builder {
            db,
            position,
            players: 0,
            ruleset: Ruleset::default(),
            variants: Vec::new(),
            turns: 1,
            script: Script::default(),
            walker: None,
            minions: Vec::new(),
            used: HashSet::new(),
        }
    }

    fn add(&mut self, setup: &Section) -> Result<(), Problem> {
        match setup {
            Section::Ruleset(ruleset) => self.ruleset = *ruleset,
            Section::Variant(variant) => self.variants.push(*variant),
            Section::TableNumber(set, n) => set(self, *n)?,
            Section::PlayerNumber(seat, set, n) => set(self, *seat, *n)?,
            Section::PlayerMark(seat, set) => set(self.seat(*seat)),
            Section::PlayerCards(seat, of, names) => *of(self.seat(*seat)) = self.all(names)?,
            Section::TableCards(of, names) => {
                let cards = self.all(names)?;
                of(&mut self.position).extend(cards);
            }
            Section::Dungeon(seat, stacks) => {
                for (at, top) in
                    stacks.iter().enumerate().filter_map(|(at, stack)| Some((at, stack.first()?)))
                {
                    let attached = match &top.miniboss {
                        Some(Miniboss { name, level, new }) => {
                            let def = self.one(name)?;
                            Some(Attached { def, level: *level, facedown: None, new: *new })
                        }
                        None => None,
                    };
                    let Marked { counters, coins, .. } = *top;
                    if counters > 0 || coins > 0 || attached.is_some() {
                        let on = Pieces::on(On::Room(*seat, at));
                        self.position.pieces.push(Pieces { counters, coins, attached, ..on });
                    }
                }
                let stacks: Result<Vec<Vec<RoomPosition>>, Problem> =
                    stacks.iter().map(|stack| stack.iter().map(|room| self.room(room)).collect()).collect();
                self.seat(*seat).dungeon = stacks?;
            }
            Section::Mixed => self.position.mixed = true,
            Section::Entrance(seat, heroes) => {
                for bearer in heroes {
                    let hero = self.one(&bearer.hero)?;
                    let entrance = &mut self.seat(*seat).entrance;
                    entrance.push(hero);
                    let on = On::Entrance(*seat, entrance.len() - 1);
                    self.carries(on, bearer)?;
                }
            }
            Section::Items(seat, items) => {
                for MarkedItem { name, facedown, new } in items {
                    let (def, facedown, new) = (self.one(name)?, *facedown, *new);
                    self.seat(*seat).items.push(ItemPosition { def, facedown, new });
                }
            }
            Section::HeroInTown(bearer, token) => {
                let hero = self.one(&bearer.hero)?;
                if *token != 0 {
                    let on = On::Town(self.position.town.len());
                    self.position.pieces.push(Pieces { token: *token, ..Pieces::on(on) });
                }
                self.position.town.push(hero);
                self.carries(On::Town(self.position.town.len() - 1), bearer)?;
            }
            Section::HeroAt(name, landmark) => {
                let hero = self.one(name)?;
                self.position.landmarks.push((*landmark, hero));
            }
            Section::First(seat) => self.position.first = Some(*seat),
            Section::MinionAt(seat, space) => self.seat(*seat).minion = Some(MinionPosition::Space(*space)),
            Section::MinionOn(seat, card) => self.minions.push((*seat, card.clone())),
            Section::HeroInRoom { hero, room, damage } => {
                self.carries(On::Walker, hero)?;
                let hero = self.one(&hero.hero)?;
                if self.walker.replace((hero, room.clone(), *damage)).is_some() {
                    return Err(Problem::Table("only one hero at a time can be in a room".into()));
                }
            }
            Section::Random(picks) => {
                for pick in picks {
                    let pick = self.pick(pick)?;
                    self.script.picks.push_back(pick);
                }
            }
            Section::Shuffle(deck, names) => {
                let top = names.iter().map(|name| meant(self.db, name)).collect::<Result<_, _>>()?;
                self.script.shuffles.push_back(Shuffle { deck: *deck, top });
            }
        }
        Ok(())
    }

    fn carries(&mut self, on: On, bearer: &Bearer) -> Result<(), Problem> {
        if let Some(item) = &bearer.item {
            let attached = Attached { def: self.one(item)?, level: 0, facedown: None, new: false };
            self.position.pieces.push(Pieces { attached: Some(attached), ..Pieces::on(on) });
        }
        Ok(())
    }

    // ---- what the words of `parse_setup` do ----

    pub(crate) fn players(&mut self, n: u16) -> Result<(), Problem> {
        self.players = self.players.max(usize::from(n));
        if self.players > SEATS {
            return Err(Problem::Table(format!("{n} are too many players: at most {SEATS}")));
        }
        Ok(())
    }

    pub(crate) fn coins(&mut self, seat: Seat, n: u16) -> Result<(), Problem> {
        self.seat(seat).coins = n;
        Ok(())
    }

    pub(crate) fn turns(&mut self, n: u16) -> Result<(), Problem> {
        self.turns = n;
        Ok(())
    }

    pub(crate) fn boss_by_xp(&mut self, seat: Seat, xp: u16) -> Result<(), Problem> {
        let boss = self.db.cards().find(|(_, def)| def.kind == Kind::Boss && def.xp == xp);
        let (boss, _) =
            boss.ok_or_else(|| Problem::Table(format!("no boss has {xp} XP: write `boss NAME`")))?;
        self.seat(seat).bosses = vec![boss];
        self.used.insert(boss);
        Ok(())
    }

    pub(crate) fn soul_points(&mut self, seat: Seat, n: u16) -> Result<(), Problem> {
        self.seat(seat).souls = self.ordinary_heroes(n)?;
        Ok(())
    }

    pub(crate) fn wound_points(&mut self, seat: Seat, n: u16) -> Result<(), Problem> {
        self.seat(seat).wounds = self.ordinary_heroes(n)?;
        Ok(())
    }

    fn pick(&self, pick: &Picked) -> Result<Pick, Problem> {
        Ok(match pick {
            Picked::Card(name) => Pick::Card(meant(self.db, name)?),
            Picked::Player(seat) => Pick::Player(*seat),
            Picked::Number(number) => Pick::Number(*number),
        })
    }

    fn finish(mut self, start: Start) -> Result<(Position, Script), Problem> {
        self.players = self.players.max(usize::from(self.ruleset.usual_players()));
        let mut rules = Rules::new(self.ruleset, self.players as u8);
        (rules.last_turn, rules.ask_all) = (self.turns.max(1), true);
        self.position.rules = self.variants.iter().fold(rules, |rules, variant| rules.with(*variant));
        self.position.seats.truncate(self.players);
        self.hand_out_bosses()?;
        if start == Start::Deal && !self.position.rules.edition().easy_heroes {
            let db = self.db;
            self.position.hero_deck.retain(|hero| db.def(*hero).health != 4);
        }
        for (seat, room) in std::mem::take(&mut self.minions) {
            let bosses = self.seat(seat).bosses.clone();
            let on_boss = meant(self.db, &room)?.iter().any(|def| bosses.contains(def));
            let at = if on_boss {
                MinionPosition::Boss
            } else {
                MinionPosition::Room(self.stack_of(seat, &room)?)
            };
            self.seat(seat).minion = Some(at);
        }
        if let Some((hero, room, damage)) = self.walker.take() {
            self.position.walker = Some(self.walker_in(hero, &room, damage, start)?);
        }
        Ok((self.position, self.script))
    }

    /// Players without a boss get one that nobody has.
    fn hand_out_bosses(&mut self) -> Result<(), Problem> {
        for seat in &mut self.position.seats {
            if seat.bosses.is_empty() {
                let mut bosses = self.db.cards().filter(|(_, def)| def.kind == Kind::Boss);
                let free = bosses.find(|(id, _)| !self.used.contains(id));
                let (boss, _) = free.ok_or_else(|| Problem::Table("there are not enough bosses".into()))?;
                self.used.insert(boss);
                seat.bosses.push(boss);
            }
        }
        Ok(())
    }

    fn walker_in(&self, hero: DefId, room: &Name, damage: u8, start: Start) -> Result<Walker, Problem> {
        let active = match start {
            Start::Window { active, .. } => active,
            _ => return Err(Problem::Table("a hero is in a room only in a `window adventure`".into())),
        };
        let seat = room.owner.unwrap_or(active);
        if seat != active {
            return Err(Problem::Table(format!("the hero must be in a room of the active player, {active}")));
        }
        Ok(Walker { def: hero, seat, stack: self.stack_of(seat, room)?, damage })
    }

    /// Where the room is in the dungeon, counted from the left.
    fn stack_of(&self, seat: Seat, room: &Name) -> Result<usize, Problem> {
        let wanted = meant(self.db, room)?;
        let stacks = self.position.seats.get(seat.index()).map(|seat| &seat.dungeon[..]).unwrap_or_default();
        let is_there = |stack: &Vec<RoomPosition>| stack.first().is_some_and(|top| wanted.contains(&top.def));
        let found: Vec<usize> = (0..stacks.len()).filter(|at| is_there(&stacks[*at])).collect();
        let stack = found.get(room.which.map_or(0, |which| which.index(found.len()))).copied();
        let missing = || {
            let room = Name { owner: None, ..room.clone() };
            Problem::Table(format!("{room} is not in the dungeon of {seat}"))
        };
        stack.ok_or_else(missing)
    }

    fn seat(&mut self, seat: Seat) -> &mut SeatPosition {
        self.players = self.players.max(seat.index() + 1);
        &mut self.position.seats[seat.index()]
    }

    fn all(&mut self, names: &[Name]) -> Result<Vec<DefId>, Problem> {
        names.iter().map(|name| self.one(name)).collect()
    }

    fn one(&mut self, name: &Name) -> Result<DefId, Problem> {
        if let Some(which) = name.which {
            let text = format!("`the {}` points at a card on the table: leave it out here", which.word());
            return Err(Problem::Table(text));
        }
        let meant = meant(self.db, name)?;
        let fresh = meant.iter().copied().find(|def| !self.used.contains(def));
        let def = fresh.unwrap_or(meant[0]);
        self.used.insert(def);
        Ok(def)
    }

    fn room(&mut self, room: &Marked) -> Result<RoomPosition, Problem> {
        let def = self.one(&room.name)?;
        let Marked { deactivated, facedown, used, .. } = *room;
        Ok(RoomPosition { def, deactivated, facedown, used })
    }

    fn ordinary_heroes(&self, points: u16) -> Result<Vec<DefId>, Problem> {
        let ordinary = self.db.cards().filter(|(_, def)| def.kind == Kind::Hero);
        let ordinary: Vec<DefId> = ordinary.map(|(id, _)| id).collect();
        if ordinary.is_empty() {
            return Err(Problem::Table("there are no ordinary heroes".into()));
        }
        Ok(ordinary.into_iter().cycle().take(usize::from(points)).collect())
    }
}
