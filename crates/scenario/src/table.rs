//! Lays the table of a scenario out: names become cards, sections become a position of the engine.

use std::collections::HashSet;

use cards::CardDb;
use cards::code::DefId;
use cards::db::DefKind;
use engine::id::SEATS;
use engine::position::{Position, RoomPosition, SeatPosition, Start, Walker};
use engine::{Rules, Seat, Variant};

use crate::fault::{Fault, Why};
use crate::names::meant;
use crate::parse::{Marked, Name, Pile, Scenario, Setup};

/// The position, and the random picks that are to happen.
pub(crate) fn lay_out(db: &CardDb, scenario: &Scenario) -> Result<(Position, Vec<Name>), Fault> {
    let mut builder = Builder::new(db, scenario);
    for (line, setup) in &scenario.setup {
        builder.add(setup).map_err(|why| why.at(&scenario.file, *line))?;
    }
    builder.finish(scenario.start).map_err(|why| why.at(&scenario.file, scenario.start_line))
}

struct Builder<'a> {
    db: &'a CardDb,
    position: Position,
    players: usize,
    variants: Vec<Variant>,
    turns: u16,
    random: Vec<Name>,
    walker: Option<(DefId, Name, u8)>,
    /// Cards in use: two heroes of one class and health should be two different ones.
    used: HashSet<DefId>,
}

impl<'a> Builder<'a> {
    fn new(db: &'a CardDb, scenario: &Scenario) -> Builder<'a> {
        let seats = vec![SeatPosition::default(); SEATS];
        let position = Position::bare(Rules::classic(2), seats, scenario.start);
        Builder {
            db,
            position,
            players: 2,
            variants: Vec::new(),
            turns: 1,
            random: Vec::new(),
            walker: None,
            used: HashSet::new(),
        }
    }

    fn add(&mut self, setup: &Setup) -> Result<(), Why> {
        match setup {
            Setup::Players(n) => {
                self.players = self.players.max(usize::from(*n));
                if self.players > SEATS {
                    return Err(Why::Table(format!("{n} are too many players: at most {SEATS}")));
                }
            }
            Setup::Variant(variant) => self.variants.push(*variant),
            Setup::Turns(n) => self.turns = *n,
            Setup::Xp(seat, xp) => {
                let boss = self.db.cards().find(|(_, def)| def.kind == DefKind::Boss && def.xp == *xp);
                let (boss, _) =
                    boss.ok_or_else(|| Why::Table(format!("no boss has {xp} XP: write `boss NAME`")))?;
                self.seat(*seat).bosses = vec![boss];
                self.used.insert(boss);
            }
            Setup::Bosses(seat, names) => self.seat(*seat).bosses = self.all(names)?,
            Setup::Levelled(seat) => self.seat(*seat).levelled = true,
            Setup::Dungeon(seat, stacks) => {
                let stacks: Result<Vec<Vec<RoomPosition>>, Why> =
                    stacks.iter().map(|stack| stack.iter().map(|room| self.room(room)).collect()).collect();
                self.seat(*seat).dungeon = stacks?;
            }
            Setup::Hand(seat, names) => self.seat(*seat).hand = self.all(names)?,
            Setup::Souls(seat, names) => self.seat(*seat).souls = self.all(names)?,
            Setup::Wounds(seat, names) => self.seat(*seat).wounds = self.all(names)?,
            Setup::SoulPoints(seat, n) => self.seat(*seat).souls = self.ordinary_heroes(*n)?,
            Setup::WoundPoints(seat, n) => self.seat(*seat).wounds = self.ordinary_heroes(*n)?,
            Setup::Entrance(seat, names) => self.seat(*seat).entrance = self.all(names)?,
            Setup::HeroInTown(name) => {
                let hero = self.one(name)?;
                self.position.town.push(hero);
            }
            Setup::HeroInRoom { hero, room, damage } => {
                let hero = self.one(hero)?;
                if self.walker.replace((hero, room.clone(), *damage)).is_some() {
                    return Err(Why::Table("only one hero at a time can be in a room".into()));
                }
            }
            Setup::Pile(pile, names) => {
                let cards = self.all(names)?;
                let place = match pile {
                    Pile::Rooms => &mut self.position.room_deck,
                    Pile::Spells => &mut self.position.spell_deck,
                    Pile::Heroes => &mut self.position.hero_deck,
                    Pile::Epics => &mut self.position.epic_deck,
                    Pile::Discard => &mut self.position.discard,
                };
                place.extend(cards);
            }
            Setup::Random(names) => self.random.extend(names.iter().cloned()),
        }
        Ok(())
    }

    fn finish(mut self, start: Start) -> Result<(Position, Vec<Name>), Why> {
        let mut rules = Rules::classic(self.players as u8);
        (rules.last_turn, rules.ask_all) = (self.turns.max(1), true);
        self.position.rules = self.variants.iter().fold(rules, |rules, variant| rules.with(*variant));
        self.position.seats.truncate(self.players);
        self.hand_out_bosses()?;
        if start == Start::Deal && self.position.rules.has(Variant::Hard) {
            let db = self.db;
            self.position.hero_deck.retain(|hero| db.def(*hero).health != 4);
        }
        if let Some((hero, room, damage)) = self.walker.take() {
            self.position.walker = Some(self.walker_in(hero, &room, damage, start)?);
        }
        Ok((self.position, self.random))
    }

    /// Players without a boss of their own get one that nobody has.
    fn hand_out_bosses(&mut self) -> Result<(), Why> {
        for seat in &mut self.position.seats {
            if seat.bosses.is_empty() {
                let mut bosses = self.db.cards().filter(|(_, def)| def.kind == DefKind::Boss);
                let free = bosses.find(|(id, _)| !self.used.contains(id));
                let (boss, _) = free.ok_or_else(|| Why::Table("there are not enough bosses".into()))?;
                self.used.insert(boss);
                seat.bosses.push(boss);
            }
        }
        Ok(())
    }

    fn walker_in(&self, hero: DefId, room: &Name, damage: u8, start: Start) -> Result<Walker, Why> {
        let active = match start {
            Start::Window { active, .. } => active,
            _ => return Err(Why::Table("a hero is in a room only in a `window adventure`".into())),
        };
        let seat = room.owner.unwrap_or(active);
        if seat != active {
            return Err(Why::Table(format!("the hero must be in a room of the active player, {active}")));
        }
        let wanted = meant(self.db, room)?;
        let stacks = self.position.seats.get(seat.index()).map(|seat| &seat.dungeon[..]).unwrap_or_default();
        let is_there = |stack: &Vec<RoomPosition>| stack.first().is_some_and(|top| wanted.contains(&top.def));
        let stack = stacks.iter().position(is_there);
        let stack =
            stack.ok_or_else(|| Why::Table(format!("there is no {} in the dungeon of {seat}", room.text)))?;
        Ok(Walker { def: hero, seat, stack, damage })
    }

    fn seat(&mut self, seat: Seat) -> &mut SeatPosition {
        self.players = self.players.max(seat.index() + 1);
        &mut self.position.seats[seat.index()]
    }

    fn all(&mut self, names: &[Name]) -> Result<Vec<DefId>, Why> {
        names.iter().map(|name| self.one(name)).collect()
    }

    fn one(&mut self, name: &Name) -> Result<DefId, Why> {
        let meant = meant(self.db, name)?;
        let fresh = meant.iter().copied().find(|def| !self.used.contains(def));
        let def = fresh.unwrap_or(meant[0]);
        self.used.insert(def);
        Ok(def)
    }

    fn room(&mut self, room: &Marked) -> Result<RoomPosition, Why> {
        let def = self.one(&room.name)?;
        let Marked { deactivated, facedown, used, .. } = *room;
        Ok(RoomPosition { def, deactivated, facedown, used })
    }

    fn ordinary_heroes(&self, points: u16) -> Result<Vec<DefId>, Why> {
        let ordinary = self.db.cards().filter(|(_, def)| def.kind == DefKind::Hero);
        let ordinary: Vec<DefId> = ordinary.map(|(id, _)| id).collect();
        if ordinary.is_empty() {
            return Err(Why::Table("there are no ordinary heroes".into()));
        }
        Ok(ordinary.into_iter().cycle().take(usize::from(points)).collect())
    }
}
