//! Random games for the tests, of every kind, reproducible by number.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use cards::tree::Set;
use cards::vocabulary::Kind;
use cards::{CardDb, Deck, library};
#[allow(unused_imports)]
pub use contract::Dice;
use engine::{Game, Log, Rules, Ruleset, Variant};

pub static SETS: LazyLock<Vec<Set>> = LazyLock::new(library::sets);

/// The box alone.
pub static DB: LazyLock<CardDb> = LazyLock::new(library::base);

pub fn deck(name: &str) -> Deck {
    library::deck(name, &SETS).unwrap_or_else(|| panic!("there is no deck {name}"))
}

pub fn compiled(deck: &Deck) -> CardDb {
    deck.compile(&SETS).unwrap_or_else(|error| panic!("{error}"))
}

/// Every set alone, every two of them together, all at once, and the makers' own choice of cards.
/// What cannot be played alone, such as a pack of items, joins the original box.
static MIXED: LazyLock<Vec<(String, CardDb)>> = LazyLock::new(|| {
    let codes: Vec<&str> = SETS.iter().map(|set| set.code.as_str()).collect();
    let pairs = codes.iter().enumerate().flat_map(|(i, one)| codes[i..].iter().map(move |two| (*one, *two)));
    let pairs = pairs.map(|(one, two)| if one == two { one.into() } else { format!("{one} {two}") });
    let mixes = pairs.chain([codes.join(" ")]).map(|mix| {
        let read = |sets: &str| Deck::read("mix", "mix.deck", &format!("deck Mix\nset {sets}\n"), &SETS);
        let mixed = |sets: &str| compiled(&read(sets).unwrap_or_else(|errors| panic!("{errors}")));
        let db = mixed(&mix);
        match Game::new(&db, Rules::classic(4), key(0), &mut ()) {
            Ok(_) => (mix, db),
            Err(_) => (format!("BMR {mix}"), mixed(&format!("BMR {mix}"))),
        }
    });
    let chosen = ["official-combo", "e-rated-combo", "combo-crl", "combo-crl-thk"];
    mixes.chain(chosen.map(|name| (name.to_uppercase(), compiled(&deck(name))))).collect()
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

/// Two to six players with any mix of sets, and every combination of variants allowed there: by the
/// classic rules, those of Crash Landing, and now and then those of the town board.
pub fn mixed_game(seed: u64, log: &mut impl Log) -> Game<'static> {
    let (mix, round) = (seed % MIXED.len() as u64, seed / MIXED.len() as u64);
    let (name, db) = &MIXED[mix as usize];
    let of = |kind: Kind| db.cards().filter(move |(_, def)| def.kind == kind);
    let bases: BTreeSet<_> =
        of(Kind::Hero).filter(|(_, def)| def.players > 0).map(|(_, def)| &def.face.set).collect();
    let rooms = of(Kind::Room).map(|(_, def)| &def.face.set);
    let two_sets = rooms.filter(|set| bases.contains(set)).collect::<BTreeSet<_>>().len() > 1;
    // Five and six need the rooms of two base games, or of one and Crash Landing.
    let bosses = db.cards().filter(|(_, def)| def.kind == Kind::Boss).map(|(_, def)| def.copies).sum::<u8>();
    let players = (2 + ((mix + round) % if two_sets { 5 } else { 3 }) as u8).min(bosses);
    let crowd = players > 4;
    let explorers = name.split([' ', '-']).any(|set| set == "CRL");
    let two_each = bosses >= 2 * players;
    let ruleset = match round % 3 {
        2 if two_each && (!crowd || explorers) => Ruleset::Super,
        _ if crowd && explorers => Ruleset::Crash,
        _ => Ruleset::Classic,
    };
    let fits = |variant: Variant| match variant {
        Variant::ChooseBoss => two_each,
        Variant::UnlimitedLives => ruleset == Ruleset::Classic,
        _ => true,
    };
    let wanted = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let must = |variant| variant == Variant::UnlimitedLives && crowd;
    let picked = Variant::ALL.into_iter().enumerate();
    let picked = picked.filter(|(i, variant)| fits(*variant) && (wanted >> i & 1 == 1 || must(*variant)));
    let rules = picked.fold(Rules::new(ruleset, players), |rules, (_, variant)| rules.with(variant));
    Game::new(db, rules, key(seed), log).unwrap_or_else(|error| panic!("game {seed}, {name}: {error}"))
}

/// Games of the other boxes that are counted and told: a name, the deck, and the rules.
pub static BOXES: LazyLock<Vec<(&str, CardDb, Rules)>> = LazyLock::new(|| {
    let crash = Rules::classic(6).with_ruleset(Ruleset::Crash);
    let tables = [
        ("crash-six", "bmr-crl", crash),
        ("crash-landing", "tnl-crl", Rules::classic(4)),
        ("paper-and-pixels", "bmr-dbm", Rules::classic(2)),
        ("minibosses", "rmb", Rules::classic(2)),
        ("minibosses-mixed", "bmr-rmb", Rules::classic(3)),
        ("tools", "bmr-thk", Rules::classic(2)),
        ("promos", "tnl-promo", Rules::classic(3).with(Variant::Stars)),
        ("super", "sbm", Rules::new(Ruleset::Super, 2)),
        ("super-solo", "sbm-solo", Rules::new(Ruleset::Solo, 1)),
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

/// Games of the original box, of any mix and on the town board in turn.
pub fn any_game(seed: u64, log: &mut impl Log) -> Game<'static> {
    match seed % 3 {
        0 => game(seed / 3, log),
        1 => mixed_game(seed / 3, log),
        _ => super_game(seed / 3, log),
    }
}
