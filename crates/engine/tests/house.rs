//! Absurd cards: whatever they say, the game stays within bounds and goes on.

mod common;

use cards::{CardDb, load};
use common::{BOUND, Dice, key};
use engine::position::{Position, RoomPosition, SeatPosition, Start};
use engine::{Action, Actions, Game, Rules, Seat, What};

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

/// Twenty rooms that multiply each other stay within the limit.
#[test]
fn multipliers_of_multipliers_do_not_overflow() {
    let room = "room \"Echo Hall\" x20\n  -  trap  damage 9  mage  house\n  always: room in dungeon has damage x255\n";
    assert!(play(room, 90) > 1_000);
}

/// A trigger that triggers another of its kind is cut off by rule (docs/rules.md 4.10) and does not
/// hang.
#[test]
fn rooms_that_destroy_each_other_end() {
    let room = "room \"Domino Hall\" x20\n  -  trap  damage 1  thief  house\n  when another room in dungeon destroyed\n    may\n      destroy another room in dungeon\n";
    assert!(play(room, 60) > 500);
}

/// How often a room's trigger begins while one hero walks through it and the rooms right of it. Every offer is
/// taken up.
fn triggers_of(card: &str, right: &[&str]) -> usize {
    let text = format!("{BASE}\nroom \"Post\" x2\n  -  monster  damage 1  fighter  house\n{card}");
    let (set, _) = load("house.cards", &text).unwrap_or_else(|errors| panic!("{errors}"));
    let db = CardDb::build(&[set]).unwrap_or_else(|error| panic!("{error}"));
    let find = |name: &str| db.find(name)[0];
    let room =
        |name: &str| vec![RoomPosition { def: find(name), deactivated: false, facedown: false, used: false }];
    let hero = db.cards().find(|(_, def)| def.health >= 11).expect("there are epic heroes").0;
    let mut seats = vec![SeatPosition::default(); 2];
    seats[0].dungeon = std::iter::once("Post").chain(right.iter().copied()).map(room).collect();
    seats[0].entrance = vec![hero];
    let mut rules = Rules::classic(2);
    rules.last_turn = 1;
    let bare = Position::bare(rules, seats, Start::Adventure(Some(Seat(0))));
    let position = Position { epic_deck: vec![hero], ..bare };
    let mut log = Vec::new();
    let mut game = Game::from_position(&db, &position, &mut log).unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..BOUND {
        let answer = [Action::Yes, Action::Pass].into_iter().find(|answer| game.is_legal(*answer));
        match answer {
            Some(answer) => game.apply(answer, &mut log).expect("it is legal"),
            None => break,
        }
    }
    log.iter().filter(|event| event.what == What::Triggers).count()
}

/// A leading `require` is part of the condition, and may refer to the subject of the event.
#[test]
fn a_require_knows_the_name_of_the_event() {
    let holds =
        "  when h = hero enters this\n    require some room in dungeon of owner of h\n    damage h 1\n";
    let fails = "  when h = hero enters this\n    require no room in dungeon of owner of h\n    damage h 1\n";
    assert_eq!((triggers_of(holds, &[]), triggers_of(fails, &[])), (1, 0));
}

/// `once per hero` counts heroes whether the event names them or not.
#[test]
fn once_per_hero_needs_no_name() {
    let card =
        "  when hero enters first room in dungeon once per hero\n    may\n      move hero in this to this\n";
    assert_eq!(triggers_of(card, &["Golem Factory"]), 1);
}

/// Two cards that trigger each other forever: one rebuilds what the other destroys. Neither is
/// refused alone; the loop is cut off after two hundred triggers in a row (docs/rules.md 4.10).
#[test]
fn two_cards_that_trigger_each_other_forever_are_cut_off() {
    let rooms = "room \"Phoenix Hall\"\n  -  monster  damage 1  thief  house\n  when trap room in dungeon destroyed\n    take trap room in discard\n    build trap room in hand\n\nroom \"Wrecking Hall\"\n  -  monster  damage 1  thief  house\n  when trap room built by you\n    destroy trap room in dungeon\n";
    let text = format!("{BASE}\n{rooms}");
    let (set, _) = load("house.cards", &text).unwrap_or_else(|errors| panic!("{errors}"));
    let db = CardDb::build(&[set]).unwrap_or_else(|error| panic!("{error}"));
    let room = |name: &str, facedown| {
        vec![RoomPosition { def: db.find(name)[0], deactivated: false, facedown, used: false }]
    };
    let mut seats = vec![SeatPosition::default(); 2];
    seats[0].dungeon =
        vec![room("Dizzygas Hallway", true), room("Phoenix Hall", false), room("Wrecking Hall", false)];
    let mut rules = Rules::classic(2);
    rules.last_turn = 1;
    let position = Position::bare(rules, seats, Start::Reveal);
    let mut log = Vec::new();
    let mut game = Game::from_position(&db, &position, &mut log).unwrap_or_else(|error| panic!("{error}"));
    let mut actions = Actions::new();
    for _ in 0..BOUND {
        if game.decision().is_none() {
            break;
        }
        // Rebuilt at the left end, where it covers neither of the two.
        game.legal(&mut actions);
        game.apply(actions[actions.len() - 1], &mut log).expect("it is legal");
    }
    assert!(game.outcome().is_some(), "the turn does not end");
    assert_eq!(log.iter().filter(|event| event.what == What::Triggers).count(), 200);
}
