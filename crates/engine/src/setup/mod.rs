//! A new game: which rules, how many players, which cards, and the deal (section 3).

pub mod edit;
pub(crate) mod line;
pub mod offer;
pub mod position;
pub mod script;

use std::ops::RangeInclusive;

use cards::code::DefId;
use cards::db::{CardDb, Def};
use cards::vocabulary::{Class, Classes, Kind};
use thiserror::Error;

use crate::Game;
use crate::acts::Runner;
use crate::api::event::Log;
pub use crate::flow::edition;
pub use crate::flow::rules::{
    RULESETS, Rules, Ruleset, RulesetRow, UnknownRuleset, UnknownVariant, VARIANTS, Variant, VariantRow,
};
use crate::model::id::*;
use crate::model::rng::Rng;
use crate::model::state::*;
pub use offer::{Offer, Tables, offers, surprise};

/// The number of players of all rulesets together.
pub const PLAYERS: RangeInclusive<u8> = 1..=SEATS as u8;
/// Around one table.
pub const TABLES: RangeInclusive<u8> = 2..=SEATS as u8;

/// Why a game cannot be set up.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SetupError {
    #[error("a game of {0} cannot be played: {least} to {SEATS} can play", least = TABLES.start())]
    Players(u8),
    #[error(
        "{0} players need the variant `unlimited-lives` (rule 12.7), \
         or the ruleset `crash` with a deck of Crash Landing: fewer can play without"
    )]
    NeedsLives(u8),
    #[error("the ruleset `{}` is for {least} to {most} players, not {players}", .ruleset.name())]
    RulesetPlayers { ruleset: Ruleset, players: u8, least: u8, most: u8 },
    #[error("the ruleset `{}` needs cards of the set {set}, and this deck has none", .ruleset.name())]
    NeedsSet { ruleset: Ruleset, set: &'static str },
    #[error(
        "{players} players need cards of the set {set} in the ruleset `{}`, and this deck has none: \
         up to four can play without",
        .ruleset.name()
    )]
    NeedsSetForMore { ruleset: Ruleset, players: u8, set: &'static str },
    #[error(
        "{0} players need the rooms of two base games, and this deck has those of one at most: \
         take another deck, such as Mash-up (rule 12.7)"
    )]
    OneSet(u8),
    #[error("{players} players need {needed} bosses, and there are {there}: add bosses to the deck")]
    Bosses { players: u8, needed: usize, there: usize },
    #[error("there is no ordinary room, so nobody could ever build: add ordinary rooms to the deck")]
    NoOrdinaryRoom,
    #[error("there is no hero, so nobody could ever score: add heroes to the deck")]
    NoHero,
    #[error("{0} cards are too many: a game holds at most {MAX_CARDS}")]
    TooManyCards(usize),
    #[error("{0}")]
    Position(String),
}

/// The cards of a game with these rules (rules 3.1, 3.2), each with its number of copies.
pub fn contents<'a>(db: &'a CardDb, rules: &'a Rules) -> impl Iterator<Item = DefId> + 'a {
    let used = |(_, def): &(DefId, &Def)| match def.kind {
        Kind::Hero | Kind::Epic => {
            let easy = def.kind == Kind::Hero && def.health == 4;
            let edition = rules.edition();
            edition.includes_hero(def.kind == Kind::Epic, def.players, rules.players)
                && (!easy || edition.easy_heroes)
        }
        _ => true,
    };
    let replaced = replaced(db, rules);
    let copies = move |id: DefId, def: &Def| {
        usize::from(def.copies) - replaced.iter().filter(|gone| **gone == id).count()
    };
    db.cards()
        .filter(used)
        .flat_map(move |(id, def)| std::iter::repeat_n(id, copies(id, def)))
        .chain(more_heroes(db, rules))
}

/// How far the health of two heroes may differ for one to replace the other (13.6).
const LIKE_HEALTH: u8 = 2;

/// Rule 13.6: the heroes whose places are taken by star heroes of packs that have no heroes of
/// their own. A star hero like no other takes nobody's place.
fn replaced(db: &CardDb, rules: &Rules) -> Vec<DefId> {
    let mut replaced = Vec::new();
    if !rules.edition().stars_replace {
        return replaced;
    }
    let heroes = || db.cards().filter(|(_, def)| def.kind.is_hero() && def.copies > 0);
    let has_heroes = |set: &str| db.cards().any(|(_, def)| def.face.set == set && def.players == 2);
    for (_, star) in heroes().filter(|(_, def)| def.players == 0 && !has_heroes(&def.face.set)) {
        let is_like = |def: &Def| {
            def.kind == star.kind
                && (1..=rules.players).contains(&def.players)
                && (star.shares_icon(def) || star.classes == def.classes)
                && star.health.abs_diff(def.health) <= LIKE_HEALTH
        };
        for _ in 0..star.copies {
            let left = |id: DefId, def: &Def| {
                usize::from(def.copies) > replaced.iter().filter(|gone| **gone == id).count()
            };
            let like = heroes().filter(|(id, def)| is_like(def) && left(*id, def));
            let nearest =
                |(_, def): &(DefId, &Def)| (star.health.abs_diff(def.health), star.classes != def.classes);
            replaced.extend(like.min_by_key(nearest).map(|(id, _)| id));
        }
    }
    replaced
}

/// Rule 3.2: more heroes of each class for five and six players. Heroes that the deck leaves out
/// come first; if there are too few, one of the deck is added again.
fn more_heroes<'a>(db: &'a CardDb, rules: &Rules) -> impl Iterator<Item = DefId> + 'a {
    let edition = rules.edition();
    let heroes = usize::from(edition.easy_heroes);
    let (heroes, epics) = match rules.players {
        5 if edition.extra_heroes => (heroes, 1),
        6 if edition.extra_heroes => (heroes, 2),
        _ => (0, 0),
    };
    let of_class = move |kind, health, class: Class, left_out| {
        let fits = move |def: &Def| {
            def.kind == kind && def.health == health && def.classes == Classes(0).with(class)
        };
        db.cards().filter(move |(_, def)| fits(def) && (def.copies == 0) == left_out).map(|(id, _)| id)
    };
    let each = move |kind, health, n| {
        let some =
            move |class| of_class(kind, health, class, true).chain(of_class(kind, health, class, false));
        Classes::CORE.iter().filter(move |_| n > 0).flat_map(move |class| some(class).take(n))
    };
    each(Kind::Hero, 4, heroes).chain(each(Kind::Epic, 11, epics))
}

impl<'a> Game<'a> {
    /// Deals a game and runs it to its first question. The key decides every shuffle.
    pub fn new(
        db: &'a CardDb,
        rules: Rules,
        key: [u8; 32],
        log: &mut impl Log,
    ) -> Result<Game<'a>, SetupError> {
        Ok(Dealer::new(db, rules)?.deal(key, log))
    }
}

/// Deals many games by the same rules.
pub struct Dealer<'a> {
    db: &'a CardDb,
    undealt: State,
}

impl<'a> Dealer<'a> {
    pub fn new(db: &'a CardDb, rules: Rules) -> Result<Dealer<'a>, SetupError> {
        Ok(Dealer { db, undealt: undealt(db, rules)? })
    }

    /// Deals a game and runs it to its first question.
    pub fn deal(&self, key: [u8; 32], log: &mut impl Log) -> Game<'a> {
        let mut game = Game { db: self.db, state: self.undealt.clone() };
        start(&mut game, key, log);
        game
    }

    /// The same, reusing the memory of a finished game: cheaper than a new one.
    pub fn deal_again(&self, game: &mut Game<'a>, key: [u8; 32], log: &mut impl Log) {
        game.db = self.db;
        game.state.clone_from(&self.undealt);
        start(game, key, log);
    }
}

// A separate function, so that the game is dealt in place.
#[inline(never)]
fn start(game: &mut Game, key: [u8; 32], log: &mut impl Log) {
    game.state.rng = Rng::new(key);
    let mut runner = Runner::new(game.db, &mut game.state, log);
    runner.deal_bosses();
    runner.run();
}

/// All cards in their decks, in the order of the sets, before anything is shuffled.
fn undealt(db: &CardDb, rules: Rules) -> Result<State, SetupError> {
    fits_players(db, &rules)?;
    let mut state = State::empty(rules);
    let count = contents(db, &rules).count();
    if count > MAX_CARDS {
        return Err(SetupError::TooManyCards(count));
    }
    let quiet = &mut ();
    let mut runner = Runner::new(db, &mut state, quiet);
    for def in contents(db, &rules) {
        runner.create(def, Place::shared(db.def(def).kind.home()));
    }
    state.trade.open = db.mixes_coins;
    let needed = usize::from(rules.edition().bosses_dealt) * usize::from(rules.players);
    let there = state.pile_len(Place::BOX);
    if there < needed {
        return Err(SetupError::Bosses { players: rules.players, needed, there });
    }
    if !state.pile(Place::ROOM_DECK).any(|id| !db.def(state.card(id).def).advanced) {
        return Err(SetupError::NoOrdinaryRoom);
    }
    if state.pile_len(Place::HERO_DECK) + state.pile_len(Place::EPIC_DECK) == 0 {
        return Err(SetupError::NoHero);
    }
    Ok(state)
}

/// Rules 3.1 and 12.7.
fn fits_players(db: &CardDb, rules: &Rules) -> Result<(), SetupError> {
    let (ruleset, edition, players) = (rules.ruleset(), rules.edition(), rules.players);
    if !TABLES.contains(&players) && !edition.takes(players) {
        return Err(SetupError::Players(players));
    }
    if !edition.takes(players) {
        let alone = players < edition.least_players || edition.most_players == 1;
        if !alone && rules.with(Variant::UnlimitedLives).edition().takes(players) {
            return Err(SetupError::NeedsLives(players));
        }
        let (least, most) = (edition.least_players, edition.most_players);
        return Err(SetupError::RulesetPlayers { ruleset, players, least, most });
    }
    let has = |needed: &&str| db.cards().any(|(_, def)| def.copies > 0 && def.face.set == **needed);
    if let Some(set) = ruleset.row().set.filter(|needed| !has(needed)) {
        return Err(SetupError::NeedsSet { ruleset, set });
    }
    if let Some(set) = ruleset.row().set_for_five.filter(|needed| players > 4 && !has(needed)) {
        return Err(SetupError::NeedsSetForMore { ruleset, players, set });
    }
    if players <= 4 || !edition.extra_heroes {
        return Ok(());
    }
    // Base games and Crash Landing have heroes with a player icon, the small boxes none.
    let hosts = |set: &String| {
        db.cards().any(|(_, def)| def.kind == Kind::Hero && def.players > 0 && def.face.set == *set)
    };
    let rooms = db.cards().filter(|(_, def)| def.kind == Kind::Room && def.copies > 0);
    let mut sets = rooms.map(|(_, def)| &def.face.set).filter(|set| hosts(set));
    let first = sets.next();
    if sets.all(|set| Some(set) == first) { Err(SetupError::OneSet(players)) } else { Ok(()) }
}

impl<L: Log> Runner<'_, L> {
    /// Shuffles everything and deals the bosses (rule 3.3).
    fn deal_bosses(&mut self) {
        let always = [Kind::Boss, Kind::Room, Kind::Spell, Kind::Hero, Kind::Epic];
        self.shuffle_all(&always.map(|kind| Place::shared(kind.home())));
        let items = Place::shared(Kind::Item.home());
        if self.s.pile_len(items) > 0 {
            self.shuffle(items, &[]);
        }
        for seat in (0..self.s.rules.players).map(Seat) {
            for _ in 0..self.s.rules.edition().bosses_dealt {
                if let Some(boss) = self.s.pile(Place::BOX).next() {
                    self.give_boss(boss, seat);
                }
            }
        }
        self.start_setup();
    }

    /// A boss to keep or to choose from; face up.
    pub fn give_boss(&mut self, boss: CardId, seat: Seat) {
        self.set_aside(boss, Place::boss(seat));
        self.show_all(boss);
    }

    /// The bosses are dealt: choose, or keep the only one.
    pub fn start_setup(&mut self) {
        self.s.frames.put(Frame::Step(Step::ChooseBoss(self.s.first_player())));
    }
}
