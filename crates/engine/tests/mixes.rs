//! Mixes of boxes: what is offered can be dealt and played, what cannot is refused with a reason.

mod common;

use cards::deck::{Balance, Brings, brings};
use cards::mix::{MixError, built_in, is_base};
use cards::{CardDb, Mix, library};
use common::{Dice, SETS, compiled, key};
use engine::setup::{Offer, offers, surprise};
use engine::{Actions, Game, Ruleset, Variant};

fn mix(name: &str) -> CardDb {
    compiled(&library::deck(name, &SETS).unwrap_or_else(|| panic!("there is no mix {name}")))
}

/// Every base game with every other box, and some larger mixes.
fn mixes() -> Vec<String> {
    let (bases, _): (Vec<usize>, Vec<usize>) = (0..SETS.len()).partition(|at| is_base(&SETS[*at]));
    let pairs = bases.iter().flat_map(|base| (0..SETS.len()).map(move |other| vec![*base, other]));
    let mut dice = Dice::new(13);
    let drawn = (0..40).map(|_| {
        let mut boxes = vec![dice.among(&bases)];
        boxes.extend((0..SETS.len()).filter(|_| dice.one_in(3)));
        boxes
    });
    let all = (0..SETS.len()).collect::<Vec<_>>();
    let named = |mut boxes: Vec<usize>| {
        let heroes = boxes.remove(0);
        boxes.retain(|at| *at != heroes);
        boxes.insert(0, heroes);
        Mix::of(&boxes, &SETS).unwrap_or_else(|error| panic!("{error}")).name(&SETS)
    };
    pairs.chain(drawn.collect::<Vec<_>>()).chain([all]).map(named).collect()
}

#[test]
fn what_is_offered_deals_and_plays_and_the_rest_says_why_not() {
    let mut dice = Dice::new(5);
    let mut actions = Actions::new();
    let (mut played, mut refused) = (0, 0);
    for name in mixes() {
        let db = mix(&name);
        for (ruleset, players, offer) in offers(&db) {
            let Ok(Offer { rules, heroes, epics }) = offer else {
                let why = offer.expect_err("it is refused").to_string();
                assert!(why.contains(&players.to_string()) || why.contains("deck"), "{name}: {why}");
                refused += 1;
                continue;
            };
            assert_eq!((rules.ruleset(), rules.players), (ruleset, players));
            assert!(heroes + epics > 20, "{name}: {heroes} and {epics} heroes");
            let mut game = Game::new(&db, rules, key(played), &mut ()).expect("it is offered");
            for _ in 0..60 {
                if game.decision().is_none() {
                    break;
                }
                game.legal(&mut actions);
                game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
            }
            game.state.check(&db).unwrap_or_else(|error| panic!("{name}, {players} players: {error}"));
            played += 1;
        }
    }
    assert!(played > 800 && refused > 200, "{played} played, {refused} refused");
}

/// Rules 3.1 and 12.7: a base game is for four, also with small boxes; another one or Crash Landing brings five and six.
#[test]
fn how_many_can_play_follows_from_the_boxes() {
    let most = |name: &str, wanted: Ruleset| {
        let offered =
            offers(&mix(name)).into_iter().filter(|(ruleset, _, offer)| *ruleset == wanted && offer.is_ok());
        offered.map(|(_, players, _)| players).max().unwrap_or(0)
    };
    for (name, classic, crash, on_the_board) in [
        ("bmr", 4, 0, 4),
        ("bmr+tnl", 6, 0, 4),
        ("bmr+thk", 4, 0, 4),
        ("bmr+pop+thk", 4, 0, 4),
        ("bmr+rmb", 6, 0, 4),
        ("bmr+iod", 4, 0, 4),
        ("tnl+crl", 6, 6, 6),
        ("sbm+crl", 6, 6, 6),
    ] {
        let found = [Ruleset::Classic, Ruleset::Crash, Ruleset::Super].map(|ruleset| most(name, ruleset));
        assert_eq!(found, [classic, crash, on_the_board], "{name}");
    }
}

/// Rule 13.5.
#[test]
fn what_a_mix_brings_follows_from_its_boxes() {
    use Brings::*;
    for (name, what) in [
        ("bmr", vec![]),
        ("bmr+vov", vec![Coins, Minibosses]),
        ("bmr+iod", vec![Items]),
        ("bmr+pop", vec![Portable]),
        ("bmr+crl", vec![Explorer]),
        ("bmr+kng", vec![Hybrids, StarHeroes]),
        ("bmr+crl+iod+vov", vec![Coins, Minibosses, Items, Explorer]),
    ] {
        assert_eq!(brings(&mix(name)), what, "{name}");
    }
    assert!(brings(&mix("sbm")).contains(&Board) && brings(&mix("tnl")).contains(&DarkHeroes));
    assert!(Brings::ALL.iter().all(|brings| brings.means().ends_with('.') && !brings.title().is_empty()));
}

#[test]
fn a_mix_has_one_name_whatever_the_order() {
    let deck = |name: &str| library::deck(name, &SETS).unwrap_or_else(|| panic!("{name}"));
    assert_eq!(deck("vov+crl+bmr").id.to_string(), "bmr+crl+vov");
    assert_eq!(deck("TNL+bmr").id.to_string(), "tnl+bmr");
    assert_ne!(deck("bmr+tnl").compile(&SETS).unwrap().hash, deck("tnl+bmr").compile(&SETS).unwrap().hash);
    let id: cards::deck::DeckId = "bmr+crl+vov".parse().expect("it names a mix");
    assert!(id.is_preset());
    assert!("bmr+crl@0011223344556677".parse::<cards::deck::DeckId>().is_err());
    for (name, wrong) in [
        ("bmr+xyz", "there is no box `xyz`"),
        ("bmr+crl+bmr", "`bmr` is in the mix twice"),
        ("crl+vov", "needs the heroes of a base game: add bmr, tnl, rmb or sbm"),
        ("bmr+", "there is no box ``"),
    ] {
        let error: MixError = Mix::read(name, &SETS).expect_err(name);
        assert!(error.to_string().contains(wrong), "{error}");
        assert!(library::deck(name, &SETS).is_none());
    }
    assert_eq!(built_in(&SETS).len(), SETS.len());
}

#[test]
fn a_surprise_is_fair_and_can_be_played_by_so_many() {
    let mut names = std::collections::BTreeSet::new();
    for players in 1..=6 {
        for seed in 0..12 {
            let (deck, offer) = surprise(players, seed, &SETS).expect("so many can play");
            let (again, _) = surprise(players, seed, &SETS).expect("the same");
            assert_eq!((&deck.id, offer.rules.players), (&again.id, players));
            assert!(Balance::of(&deck, &SETS).unfairness() <= 1, "{} for {players}", deck.id);
            assert_eq!(
                offer.rules.has(Variant::UnlimitedLives),
                offer.rules.ruleset() == Ruleset::Classic && players > 4
            );
            let db = compiled(&deck);
            assert!(Game::new(&db, offer.rules, key(seed), &mut ()).is_ok(), "{}", deck.id);
            names.insert(deck.id.to_string());
        }
    }
    assert!(names.len() > 20, "{names:?}");
    assert!(surprise(0, 1, &SETS).is_none() && surprise(7, 1, &SETS).is_none());
}
