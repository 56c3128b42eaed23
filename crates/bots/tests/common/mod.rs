//! Games for the tests: any deck and number of players, reproducible by number.
#![allow(dead_code)]

use std::sync::LazyLock;

use bots::Bot;
use cards::{CardDb, library};
use engine::{Actions, Game, Rules, Ruleset, Seat, Seed, Variant};

pub const DECKS: [&str; 6] = ["bmr", "tnl", "mash-up", "official-combo", "e-rated-combo", "bmr-crl"];

/// For the town board, and with coins, minibosses and items.
const OTHERS: [&str; 3] = ["sbm", "sbm-solo", "rmb-crl-thk"];

static DBS: LazyLock<Vec<CardDb>> = LazyLock::new(|| {
    let sets = library::sets();
    let compiled = |name: &str| {
        let deck = library::deck(name, &sets).unwrap_or_else(|| panic!("there is no deck {name}"));
        deck.compile(&sets).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    DECKS.into_iter().chain(OTHERS).map(compiled).collect()
});

/// Two to six players, four decks, both rulesets, all combinations of variants; every other game with `cover`, so that
/// players who can only pass are asked as well.
pub fn deal(number: u64) -> Game<'static> {
    let players = 2 + (number % 5) as u8;
    // The deck of Crash Landing has eleven bosses: too few for six to choose from.
    let fits = |variant| players < 6 || variant != Variant::ChooseBoss;
    let picked = Variant::ALL.into_iter().enumerate();
    let picked = picked.filter(|(i, variant)| (number / 5) >> i & 1 == 1 && fits(*variant));
    let mut rules = picked.fold(Rules::classic(players), |rules, (_, variant)| rules.with(variant));
    let mut deck = if number % 7 == 3 { 5 } else { (number % 3) as usize };
    if players > 4 && number % 4 < 2 {
        (rules, deck) = (rules.with_ruleset(Ruleset::Crash), 5);
    } else if players > 4 {
        (rules, deck) = (rules.with(Variant::UnlimitedLives), 2);
    }
    rules.cover = number % 2 == 1;
    deal_with(number, rules, DECKS[deck])
}

pub fn deal_with(seed: u64, rules: Rules, deck: &str) -> Game<'static> {
    let mut names = DECKS.into_iter().chain(OTHERS);
    let index = names.position(|name| name == deck).expect("a deck of the lists");
    Game::new(&DBS[index], rules, Seed::from(seed).0, &mut ()).unwrap_or_else(|error| panic!("{error}"))
}

/// No game needs more answers than this.
const BOUND: usize = 5_000;

/// Plays to the end; every answer must be legal.
pub fn play(game: &mut Game, bots: &mut [Box<dyn Bot>]) {
    let mut legal = Actions::new();
    for _ in 0..BOUND {
        let Some(decision) = game.decision() else {
            for (seat, bot) in bots.iter_mut().enumerate() {
                bot.game_over(&game.view(Some(Seat(seat as u8))));
            }
            return;
        };
        game.legal(&mut legal);
        let view = game.view(Some(decision.seat));
        let action = bots[decision.seat.index()].choose(&view, &legal);
        assert!(legal.contains(&action), "{} answered {action:?} to {:?}", decision.seat, decision.question);
        game.apply(action, &mut ()).expect("it is legal");
    }
    panic!("the game does not end");
}
