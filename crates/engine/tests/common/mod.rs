//! Random games for the tests, of every kind, reproducible by number.
#![allow(dead_code)]

use std::sync::LazyLock;

use cards::tree::Set;
use cards::vocabulary::Kind;
use cards::{CardDb, Deck, library};
use engine::{Action, Actions, Game, Log, Rules, Ruleset, Variant};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub static SETS: LazyLock<Vec<Set>> = LazyLock::new(library::sets);

/// The box alone.
pub static DB: LazyLock<CardDb> = LazyLock::new(library::base);

pub fn deck(name: &str) -> Deck {
    library::deck(name, &SETS).unwrap_or_else(|| panic!("there is no deck {name}"))
}

pub fn compiled(deck: &Deck) -> CardDb {
    deck.compile(&SETS).unwrap_or_else(|error| panic!("{error}"))
}

/// Decks of several sets.
static MIXED: LazyLock<Vec<CardDb>> = LazyLock::new(|| {
    let names = [
        "mash-up",
        "official-combo",
        "e-rated-combo",
        "bmr-crl",
        "tnl-crl",
        "combo-crl",
        "bmr-dbm",
        "bmr-promo",
        "tnl-promo",
        "bmr-thk",
        "bmr-kng",
        "bmr-lst",
        "bmr-pop",
        "bmr-crl-iod",
        "bmr-vov",
        "bmr-crl-vov",
        "tnl-crl-thk",
        "combo-crl-thk",
    ];
    names.map(|name| compiled(&deck(name))).into()
});

/// Decks for the town board, its own and others.
static BOARD: LazyLock<Vec<CardDb>> = LazyLock::new(|| {
    ["sbm", "sbm-crl", "sbm-solo", "bmr", "mash-up"].map(|name| compiled(&deck(name))).into()
});

/// Super Boss Monster for one to six, alone and as a challenge, with its own box and with others,
/// and with every variant that changes something there.
pub fn super_game(seed: u64, log: &mut impl Log) -> Game<'static> {
    let (ruleset, players, at) = match seed % 8 {
        0 => (Ruleset::Solo, 1, 2),
        1 => (Ruleset::Challenge, 1, 2),
        n @ 2..=4 => (Ruleset::Super, n as u8, 0),
        n @ 5..=6 => (Ruleset::Super, n as u8, 1),
        _ => (Ruleset::Super, 2 + (seed / 8 % 3) as u8, 3 + (seed / 24 % 2) as usize),
    };
    let picked = [Variant::Hard, Variant::Machinations].into_iter().enumerate();
    let picked = picked.filter(|(i, _)| (seed / 8) >> (2 + i) & 1 == 1);
    let rules = picked.fold(Rules::new(ruleset, players), |rules, (_, variant)| rules.with(variant));
    Game::new(&BOARD[at], rules, key(seed), log).unwrap_or_else(|error| panic!("game {seed}: {error}"))
}

/// No game may need more answers than this.
pub const BOUND: usize = 5_000;

pub fn key(seed: u64) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key
}

/// 2, 3 and 4 players in turn, with every combination of variants.
pub fn rules(seed: u64) -> Rules {
    let players = 2 + (seed % 3) as u8;
    let picked = Variant::ALL.into_iter().enumerate().filter(|(i, _)| (seed / 3) >> i & 1 == 1);
    picked.fold(Rules::classic(players), |rules, (_, variant)| rules.with(variant))
}

/// Two to six players with the cards of several sets, and every combination of variants allowed
/// there; five and six play with the cards of Crash Landing by its rules.
pub fn mixed_game(seed: u64, log: &mut impl Log) -> Game<'static> {
    let db = &MIXED[(seed % MIXED.len() as u64) as usize];
    let has = |set: &str| db.cards().any(|(_, def)| def.copies > 0 && def.face.set == set);
    let bosses: usize =
        db.cards().filter(|(_, def)| def.kind == Kind::Boss).map(|(_, def)| usize::from(def.copies)).sum();
    let mut rooms = db.cards().filter(|(_, def)| def.kind == Kind::Room).map(|(_, def)| &def.face.set);
    let first = rooms.next();
    // Rooms of one box are for four (rule 12.7).
    let most = if has("CRL") || rooms.any(|set| Some(set) != first) { 5 } else { 3 };
    let players = 2 + (seed % most) as u8;
    let crash = players > 4 && has("CRL");
    let fits = |variant: Variant| match variant {
        Variant::ChooseBoss => 2 * usize::from(players) <= bosses,
        Variant::UnlimitedLives => !crash,
        _ => true,
    };
    let picked = Variant::ALL.into_iter().enumerate();
    let picked = picked.filter(|(i, variant)| (seed / 5) >> i & 1 == 1 && fits(*variant));
    let mut rules = picked.fold(Rules::classic(players), |rules, (_, variant)| rules.with(variant));
    if crash {
        rules = rules.with_ruleset(Ruleset::Crash);
    } else if players > 4 {
        rules = rules.with(Variant::UnlimitedLives);
    }
    Game::new(db, rules, key(seed), log).unwrap_or_else(|error| panic!("game {seed}: {error}"))
}

/// Games of the other boxes that are counted and told: a name, the deck, and the rules.
pub static BOXES: LazyLock<Vec<(&str, CardDb, Rules)>> = LazyLock::new(|| {
    let crash = Rules::classic(6).with_ruleset(Ruleset::Crash);
    let tables = [
        ("crash-six", "bmr-crl", crash),
        ("crash-landing", "tnl-crl", Rules::classic(4)),
        ("paper-and-pixels", "bmr-dbm", Rules::classic(2)),
    ];
    tables.into_iter().map(|(name, cards, rules)| (name, compiled(&deck(cards)), rules)).collect()
});

pub fn box_game(which: usize, seed: u64, log: &mut impl Log) -> Game<'static> {
    let (name, db, rules) = &BOXES[which];
    Game::new(db, *rules, key(seed), log).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub fn game(seed: u64, log: &mut impl Log) -> Game<'static> {
    Game::new(&DB, rules(seed), key(seed), log).expect("the base set can be played")
}

/// A player who picks at random; passing is as likely as anything else.
pub struct Dice(Pcg64Mcg);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Pcg64Mcg::seed_from_u64(seed))
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    pub fn pick(&mut self, actions: &Actions) -> Action {
        actions[self.below(actions.len())]
    }

    /// Uniformly random games are short, because such players build too little. This one passes
    /// less, so that games last longer and exercise more of the rules.
    pub fn pick_eager(&mut self, actions: &Actions) -> Action {
        let action = self.pick(actions);
        if action == Action::Pass && actions.len() > 1 && self.below(4) > 0 {
            return actions[1 + self.below(actions.len() - 1)];
        }
        action
    }
}
