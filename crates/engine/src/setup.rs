//! A new game: which rules, how many players, which cards, and the deal (section 3).

use std::ops::RangeInclusive;

use cards::code::DefId;
use cards::db::{CardDb, Def, DefKind};
use cards::tree::Class;
use thiserror::Error;

use crate::Game;
use crate::acts::Table;
use crate::event::Log;
use crate::id::*;
use crate::rng::Rng;
use crate::state::*;

/// How many can play. More than four only as rule 12.7 has it.
pub const PLAYERS: RangeInclusive<u8> = 2..=SEATS as u8;
/// So many need nothing else.
const USUAL: u8 = 4;

/// Editions and variants are values, never build flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    pub ruleset: Ruleset,
    pub players: u8,
    pub(crate) variants: u8,
    /// Stop after this turn; 0 plays on to the end.
    pub last_turn: u16,
    /// Also ask questions that have only one answer, as scenarios do.
    pub ask_all: bool,
    /// In a window, also ask those who could have an answer for all that the others can see. Otherwise who is
    /// asked shows that there is something to answer with.
    pub cover: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruleset {
    Classic,
}

impl Ruleset {
    pub const ALL: [Ruleset; 1] = [Ruleset::Classic];

    pub fn name(self) -> &'static str {
        match self {
            Ruleset::Classic => "classic",
        }
    }
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error("there is no ruleset `{0}`: there is classic")]
pub struct UnknownRuleset(String);

impl std::str::FromStr for Ruleset {
    type Err = UnknownRuleset;

    fn from_str(name: &str) -> Result<Ruleset, UnknownRuleset> {
        let found = Ruleset::ALL.into_iter().find(|ruleset| ruleset.name() == name);
        found.ok_or_else(|| UnknownRuleset(name.into()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// 12.1: no cards start the discard pile; every player discards two.
    Classic,
    /// 12.2: no heroes with 4 health.
    Hard,
    /// 12.3: two bosses are dealt, one is kept.
    ChooseBoss,
    /// 12.4: no soul this turn, draw a card.
    Machinations,
    /// 12.5: wounds eliminate nobody, and the game ends with the hero decks.
    UnlimitedLives,
}

impl Variant {
    pub const ALL: [Variant; 5] = [
        Variant::Classic,
        Variant::Hard,
        Variant::ChooseBoss,
        Variant::Machinations,
        Variant::UnlimitedLives,
    ];

    /// All of them, as messages list them.
    pub const NAMES: &str = "classic, hard, choose-boss, machinations and unlimited-lives";

    pub fn name(self) -> &'static str {
        match self {
            Variant::Classic => "classic",
            Variant::Hard => "hard",
            Variant::ChooseBoss => "choose-boss",
            Variant::Machinations => "machinations",
            Variant::UnlimitedLives => "unlimited-lives",
        }
    }
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum UnknownVariant {
    #[error("there is no variant `{0}`: there are {all}", all = Variant::NAMES)]
    Name(String),
    /// Rule 12.6.
    #[error(
        "`crash-split` belongs to the set Crash Landing, which is not in yet: \
         five and six players can take `unlimited-lives` (rule 12.7)"
    )]
    CrashSplit,
}

impl std::str::FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Variant, UnknownVariant> {
        let found = Variant::ALL.into_iter().find(|variant| variant.name() == name);
        match name {
            "crash-split" => Err(UnknownVariant::CrashSplit),
            _ => found.ok_or_else(|| UnknownVariant::Name(name.into())),
        }
    }
}

impl Rules {
    pub fn classic(players: u8) -> Rules {
        Rules { ruleset: Ruleset::Classic, players, variants: 0, last_turn: 0, ask_all: false, cover: false }
    }

    pub fn with(mut self, variant: Variant) -> Rules {
        self.variants |= 1 << variant as u8;
        self
    }

    pub fn has(&self, variant: Variant) -> bool {
        self.variants >> variant as u8 & 1 == 1
    }

    pub fn variants(&self) -> impl Iterator<Item = Variant> + use<'_> {
        Variant::ALL.into_iter().filter(|variant| self.has(*variant))
    }
}

/// Why a game cannot be set up.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SetupError {
    #[error("{0} players cannot play: the game is for {least} to {SEATS}", least = PLAYERS.start())]
    Players(u8),
    #[error("{0} players need the variant `unlimited-lives`: at most {USUAL} play without it (rule 12.7)")]
    NeedsLives(u8),
    #[error(
        "{0} players need the rooms of two sets, and this deck has those of one: \
         take another deck, such as `mash-up` (rule 12.7)"
    )]
    OneSet(u8),
    #[error("{players} players need {needed} bosses, and there are {there}: add bosses to the deck")]
    Bosses { players: u8, needed: usize, there: usize },
    #[error("there is no ordinary room: nobody could ever build")]
    NoOrdinaryRoom,
    #[error("there is no hero: nobody could ever score")]
    NoHero,
    #[error("{0} cards are too many: a game holds at most {MAX_CARDS}")]
    TooManyCards(usize),
    #[error("{0}")]
    Position(String),
}

/// For how many players these cards can be dealt: more than four with unlimited lives, if not otherwise.
#[derive(Debug, Default)]
pub struct Tables {
    /// Players with the number of ordinary and epic heroes.
    pub heroes: Vec<(u8, usize, usize)>,
    pub refusals: Vec<(u8, SetupError)>,
}

impl Tables {
    pub fn of(db: &CardDb) -> Tables {
        let mut tables = Tables::default();
        for players in PLAYERS {
            let usual = Rules::classic(players);
            let tried = [usual, usual.with(Variant::UnlimitedLives)]
                .map(|rules| Dealer::new(db, rules).map(|_| rules));
            match tried {
                [Ok(rules), _] | [_, Ok(rules)] => {
                    let count = |kind| contents(db, &rules).filter(|id| db.def(*id).kind == kind).count();
                    tables.heroes.push((players, count(DefKind::Hero), count(DefKind::Epic)));
                }
                [_, Err(error)] => tables.refusals.push((players, error)),
            }
        }
        tables
    }
}

/// The cards a game with these rules is played with (rules 3.1, 3.2), each as often as it is in.
pub fn contents<'a>(db: &'a CardDb, rules: &'a Rules) -> impl Iterator<Item = DefId> + 'a {
    let used = |(_, def): &(DefId, &Def)| match def.kind {
        DefKind::Hero | DefKind::Epic => {
            let easy = def.kind == DefKind::Hero && def.health == 4;
            def.players <= rules.players && !(easy && rules.has(Variant::Hard))
        }
        _ => true,
    };
    db.cards()
        .filter(used)
        .flat_map(|(id, def)| std::iter::repeat_n(id, usize::from(def.copies)))
        .chain(more_heroes(db, rules))
}

/// Rule 3.2: heroes for five and six players, of each class. Those that the deck leaves out come first; when there
/// are too few of them, one of the deck is in once more.
fn more_heroes<'a>(db: &'a CardDb, rules: &Rules) -> impl Iterator<Item = DefId> + 'a {
    let hard = rules.has(Variant::Hard);
    let (heroes, epics) = match rules.players {
        0..=USUAL => (0, 0),
        5 => (usize::from(!hard), 1),
        _ => (usize::from(!hard), 2),
    };
    let of_class = move |kind, health, class: Class, left_out| {
        let fits =
            move |def: &Def| def.kind == kind && def.health == health && def.icon_mask == 1 << class as u8;
        db.cards().filter(move |(_, def)| fits(def) && (def.copies == 0) == left_out).map(|(id, _)| id)
    };
    let each = move |kind, health, n| {
        let some =
            move |class| of_class(kind, health, class, true).chain(of_class(kind, health, class, false));
        Class::ALL.into_iter().filter(move |_| n > 0).flat_map(move |class| some(class).take(n))
    };
    each(DefKind::Hero, 4, heroes).chain(each(DefKind::Epic, 11, epics))
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

    /// The same in the place of another game, which is over: a game is large to be handed over.
    pub fn deal_again(&self, game: &mut Game<'a>, key: [u8; 32], log: &mut impl Log) {
        game.db = self.db;
        game.state = self.undealt.clone();
        start(game, key, log);
    }
}

// By itself, so that the game is dealt where it will stand.
#[inline(never)]
fn start(game: &mut Game, key: [u8; 32], log: &mut impl Log) {
    game.state.rng = Rng::new(key);
    let mut table = Table::new(game.db, &mut game.state, log);
    table.deal_bosses();
    table.run();
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
    let mut table = Table::new(db, &mut state, quiet);
    for def in contents(db, &rules) {
        let place = match db.def(def).kind {
            DefKind::Boss => Place::BOX,
            DefKind::Room => Place::ROOM_DECK,
            DefKind::Spell => Place::SPELL_DECK,
            DefKind::Hero => Place::HERO_DECK,
            DefKind::Epic => Place::EPIC_DECK,
        };
        table.create(def, place);
    }
    let each = bosses_each(&rules);
    let needed = each * usize::from(rules.players);
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
    let players = rules.players;
    if !PLAYERS.contains(&players) {
        return Err(SetupError::Players(players));
    }
    if players <= USUAL {
        return Ok(());
    }
    if !rules.has(Variant::UnlimitedLives) {
        return Err(SetupError::NeedsLives(players));
    }
    let rooms = || db.cards().filter(|(_, def)| def.kind == DefKind::Room && def.copies > 0);
    let mut sets = rooms().map(|(_, def)| &def.face.set);
    let first = sets.next();
    if sets.all(|set| Some(set) == first) { Err(SetupError::OneSet(players)) } else { Ok(()) }
}

fn bosses_each(rules: &Rules) -> usize {
    if rules.has(Variant::ChooseBoss) { 2 } else { 1 }
}

impl<L: Log> Table<'_, L> {
    /// Shuffles everything and deals the bosses (rule 3.3).
    fn deal_bosses(&mut self) {
        let decks = [Place::BOX, Place::ROOM_DECK, Place::SPELL_DECK, Place::HERO_DECK, Place::EPIC_DECK];
        self.shuffle_all(&decks);
        let each = bosses_each(&self.s.rules);
        for seat in (0..self.s.rules.players).map(Seat) {
            for _ in 0..each {
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
        self.s.frames.put(Frame::Step(Step::ChooseBoss, 0));
    }
}
