//! Items beyond what the box has: a treasure that is not in play, and two that are claimed at once.

mod common;

use cards::code::DefId;
use cards::{CardDb, load};
use common::SETS;
use engine::position::{Attached, ItemPosition, On, Pieces, Position, SeatPosition, Start};
use engine::{Action, Actions, Game, Phase, Place, Question, Rules, Seat};

const P1: Seat = Seat(0);

const CARDS: &str = r#"set HOUSE "House"

item "Star Chart"
  -  explorer  house
  always: host has health +3

item "Lantern"
  -  house
  always: host has health +1
  play
    draw room 1

item "Rope"
  -  house
  play
    draw spell 1

spell "Landslip"
  -  build adventure  house
  play
    kill all hero in town
"#;

fn db() -> CardDb {
    let (set, _) = load("house.cards", CARDS).unwrap_or_else(|errors| panic!("{errors}"));
    CardDb::build(&[SETS[0].clone(), set]).unwrap_or_else(|error| panic!("{error}"))
}

fn def(db: &CardDb, name: &str) -> DefId {
    match db.find(name)[..] {
        [only] => only,
        _ => panic!("{name} is not the name of one card"),
    }
}

fn position(start: Start) -> Position {
    let mut rules = Rules::classic(2);
    rules.last_turn = 1;
    Position::bare(rules, vec![SeatPosition::default(), SeatPosition::default()], start)
}

#[test]
fn rule_8_3_an_item_of_a_treasure_that_is_not_in_play_is_replaced() {
    let db = db();
    let mut position = position(Start::Begin);
    position.item_deck = vec![def(&db, "Star Chart"), def(&db, "Lantern"), def(&db, "Rope")];
    let game = Game::from_position(&db, &position, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    let names = |place| -> Vec<&str> { game.state.pile(place).map(|card| game.name(card)).collect() };
    assert_eq!(names(Place::REMOVED), ["Star Chart"]);
    assert_eq!(names(Place::TOWN_ITEMS), ["Lantern"]);
    assert_eq!(game.state.pile_len(Place::ITEM_DECK), 1);
    assert_eq!(game.state.check(&db), Ok(()));
}

/// Two bearers die at once, and an item was face up already: three are, until one is left.
#[test]
fn several_items_claimed_at_once_are_settled_one_after_the_other() {
    let db = db();
    let mut position = position(Start::Window { phase: Phase::Adventure, active: P1, asked: P1 });
    position.seats[0].hand = vec![def(&db, "Landslip")];
    let star = def(&db, "Star Chart");
    position.seats[0].items = vec![ItemPosition { def: star, facedown: false, new: false }];
    let heroes = db.cards().filter(|(_, def)| def.kind.is_hero() && def.players == 2);
    position.town = heroes.take(2).map(|(id, _)| id).collect();
    for (at, name) in ["Lantern", "Rope"].into_iter().enumerate() {
        let attached = Some(Attached { def: def(&db, name), level: 0, facedown: None, new: false });
        position.pieces.push(Pieces { attached, ..Pieces::on(On::Town(at)) });
    }
    let mut game = Game::from_position(&db, &position, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    let mut asked = Vec::new();
    let mut legal = Actions::new();
    while let Some(decision) = game.decision() {
        game.legal(&mut legal);
        assert_eq!(game.plain_legal(), legal.to_vec());
        asked.push((decision.question, legal.len()));
        let action = legal.iter().copied().find(|action| *action != Action::Pass);
        game.apply(action.unwrap_or(Action::Pass), &mut ()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(game.state.check(&db), Ok(()));
    }
    let down: Vec<_> = asked.iter().filter(|(question, _)| *question == Question::TurnDown).collect();
    assert_eq!(down, [&(Question::TurnDown, 3), &(Question::TurnDown, 2)]);
    let faceup = |card: &engine::CardId| !game.is_facedown(*card);
    assert_eq!(game.state.pile(Place::scoring(P1)).filter(faceup).count(), 1);
    assert_eq!(game.souls(P1), 2);
}
