//! What attached cards do: a miniboss by its level, an item on a hero; and what stops them.

mod common;

use cards::code::DefId;
use cards::{CardDb, load};
use common::SETS;
use engine::position::{Attached, On, Pieces, Position, RoomPosition, SeatPosition, Start, Walker};
use engine::{Action, Actions, CardId, Game, Phase, Place, Rules, Seat};

const P1: Seat = Seat(0);

const CARDS: &str = r#"set HOUSE "House"

miniboss "Porter"
  -  house
  level 1
    always: host has damage +1
  level 2
    when hero killed in host
      draw room 1
    ability once per turn
      cost discard room in hand
      draw spell 1
  level 3
    ability
      target h = hero in host
      kill h
    ability
      until end of turn: host has damage +5

item "Shield"
  -  fighter  house
  always: host has health +3
  when host enters first room in dungeon
    damage host 1
"#;

fn db() -> CardDb {
    let (set, _) = load("house.cards", CARDS).unwrap_or_else(|errors| panic!("{errors}"));
    let sets = [SETS[0].clone(), set];
    CardDb::build(&sets).unwrap_or_else(|error| panic!("{error}"))
}

fn def(db: &CardDb, name: &str) -> DefId {
    match db.find(name)[..] {
        [only] => only,
        _ => panic!("{name} is not the name of one card"),
    }
}

/// The fighter stands in the only room of the first player, which has a miniboss of this level.
fn position(db: &CardDb, level: u8) -> Position {
    let room =
        RoomPosition { def: def(db, "Golem Factory"), deactivated: false, facedown: false, used: false };
    let mut seats = vec![SeatPosition::default(), SeatPosition::default()];
    seats[0].dungeon = vec![vec![room]];
    seats[0].hand = vec![def(db, "Dark Altar")];
    let start = Start::Window { phase: Phase::Adventure, active: P1, asked: P1 };
    let mut rules = Rules::classic(2);
    // Every question is asked, so that the tests can stop anywhere.
    rules.cover = true;
    let hero = db.cards().find(|(_, def)| def.kind.is_hero() && def.health == 6).expect("there is one").0;
    let attached = |on, def, level| Pieces {
        attached: Some(Attached { def, level, facedown: None, new: false }),
        ..Pieces::on(on)
    };
    Position {
        room_deck: vec![def(db, "Dark Altar"); 4],
        spell_deck: vec![def(db, "Freeze"); 4],
        walker: Some(Walker { def: hero, seat: P1, stack: 0, damage: 0 }),
        pieces: vec![
            attached(On::Room(P1, 0), def(db, "Porter"), level),
            attached(On::Walker, def(db, "Shield"), 0),
        ],
        ..Position::bare(rules, seats, start)
    }
}

fn lay_out(db: &CardDb, level: u8) -> Game<'_> {
    let game =
        Game::from_position(db, &position(db, level), &mut ()).unwrap_or_else(|error| panic!("{error}"));
    game.state.check(db).unwrap_or_else(|error| panic!("{error}"));
    game
}

fn the(game: &Game, name: &str) -> CardId {
    game.state
        .card_ids()
        .find(|card| game.name(*card) == name)
        .unwrap_or_else(|| panic!("there is no {name}"))
}

/// The abilities of the miniboss that may be used now.
fn offered(game: &Game) -> Vec<u8> {
    let mut actions = Actions::new();
    game.legal(&mut actions);
    assert_eq!(actions[..], game.plain_legal()[..]);
    let porter = the(game, "Porter");
    let ability = |action: &Action| match action {
        Action::Use { card, ability } if *card == porter => Some(*ability),
        _ => None,
    };
    actions.iter().filter_map(ability).collect()
}

fn use_porter(game: &mut Game, ability: u8) {
    let card = the(game, "Porter");
    game.apply(Action::Use { ability, card }, &mut ()).expect("it is legal");
    game.state.check(game.db).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_miniboss_has_the_abilities_of_its_level_and_below() {
    let db = db();
    for (level, abilities) in [(1, vec![]), (2, vec![0]), (3, vec![0, 1, 2])] {
        let game = lay_out(&db, level);
        assert_eq!(game.room_damage(the(&game, "Golem Factory")), 3, "level {level}");
        assert_eq!(offered(&game), abilities, "level {level}");
    }
}

#[test]
fn using_the_third_level_sends_it_back_to_the_first() {
    let db = db();
    let mut game = lay_out(&db, 3);
    use_porter(&mut game, 2);
    let (porter, room) = (the(&game, "Porter"), the(&game, "Golem Factory"));
    assert_eq!(game.state.attached_to(room).map(|a| (a.card, a.level)).collect::<Vec<_>>(), [(porter, 1)]);
    assert_eq!(game.room_damage(room), 8);
    assert_eq!(offered(&game), [] as [u8; 0]);
}

#[test]
fn nothing_works_under_a_deactivated_room() {
    let db = db();
    let mut laid = position(&db, 3);
    laid.walker = None;
    laid.pieces.truncate(1);
    laid.seats[0].dungeon[0][0].deactivated = true;
    let game = Game::from_position(&db, &laid, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.room_damage(the(&game, "Golem Factory")), 0);
}

#[test]
fn an_item_gives_its_hero_what_it_says_and_only_there() {
    let db = db();
    let game = lay_out(&db, 1);
    let hero = game.state.pile(Place::inside(P1)).next().expect("it stands there");
    assert_eq!(game.hero_health(hero), 9);
}
