//! Cards that nobody would print: whatever they say, the game stays within bounds and goes on.

mod common;

use cards::{CardDb, load};
use common::{BOUND, Dice, key};
use engine::{Actions, Game, Rules};

const BASE: &str = include_str!("../../../cards/bmr.cards");

/// Plays random games with the base set and these cards; returns the number of answers given.
fn play(cards: &str, games: u64) -> usize {
    let text = format!("{BASE}\n{cards}");
    let (set, _) = load("house.cards", &text).unwrap_or_else(|errors| panic!("{errors}"));
    let db = CardDb::build(&[set]).unwrap_or_else(|error| panic!("{error}"));
    let mut answers = 0;
    for seed in 0..games {
        let mut dice = Dice::new(seed);
        let rules = Rules::classic(2 + (seed % 3) as u8);
        let mut game = Game::new(&db, rules, key(seed), &mut ()).unwrap_or_else(|error| panic!("{error}"));
        let mut actions = Actions::new();
        let mut steps = 0;
        while game.decision().is_some() && steps < BOUND {
            game.legal(&mut actions);
            game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
            steps += 1;
        }
        game.state.check(&db).unwrap_or_else(|error| panic!("game {seed}: {error}"));
        assert!(game.outcome().is_some(), "game {seed} does not end");
        answers += steps;
    }
    answers
}

/// Twenty rooms that multiply each other stay within the numbers a table can show.
#[test]
fn multipliers_of_multipliers_do_not_overflow() {
    let room = "room \"Echo Hall\" x20\n  -  trap  damage 9  mage  house\n  always: room in dungeon has damage x255\n";
    assert!(play(room, 90) > 1_000);
}

/// A trigger that wakes another of its kind is cut off by rule (docs/rules.md 4.10), never by a hang.
#[test]
fn rooms_that_destroy_each_other_end() {
    let room = "room \"Domino Hall\" x20\n  -  trap  damage 1  thief  house\n  when another room in dungeon destroyed\n    may\n      destroy another room in dungeon\n";
    assert!(play(room, 60) > 500);
}
