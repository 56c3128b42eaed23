//! Reasons: small positions where it is obvious what an answer does, and every answer in many games.

mod common;

use std::sync::LazyLock;

use bots::{effects, outlook, reasons};
use cards::CardDb;
use cards::code::DefId;
use common::deal;
use engine::position::{Position, RoomPosition, SeatPosition, Start, Walker};
use engine::tell::{self, Numbers, Reader};
use engine::view::View;
use engine::{Action, Actions, Game, Phase, Rules, Seat};

const CARDS: &str = r#"
set TST "Reasons"

boss "First"
  -  xp 900  fighter
  level up
    draw room 1

boss "Second"
  -  xp 100  thief
  level up
    draw room 1

room "Club" x9
  -  monster  damage 2  fighter

room "Chapel" x9
  -  trap  damage 1  cleric cleric

room "Cathedral" x9
  -  trap  damage 1  cleric cleric cleric

room "Hole" x9
  -  trap  damage 1  thief
  ability
    target h = hero in this
    cost destroy this
    kill h

spell "Growth" x2
  -  adventure
  play
    target r = room in dungeon
    until end of turn: r has damage +3

spell "Fetch" x2
  -  build adventure
  play
    draw spell 1
    draw room 2

spell "Stop" x2
  -  build adventure
  play
    target s = spell in pending of any
    cancel s

spell "Away" x2
  -  adventure
  play
    target h = hero in dungeon of any
    move h to town

hero "Sir Pious, Who Kneels"
  -  health 4  cleric  players 2

hero "Grim"
  -  health 6  fighter  players 2

epic "Great Grim"
  -  health 11  fighter  players 2
"#;

static DB: LazyLock<CardDb> = LazyLock::new(|| {
    let (set, _) = cards::load("test.cards", CARDS).unwrap_or_else(|errors| panic!("{errors}"));
    CardDb::build(&[set]).unwrap_or_else(|error| panic!("{error}"))
});

fn def(name: &str) -> DefId {
    let found = DB.find(name);
    assert_eq!(found.len(), 1, "{name}");
    found[0]
}

fn defs(names: &[&str]) -> Vec<DefId> {
    names.iter().map(|name| def(name)).collect()
}

/// A dungeon from left to right, and a hand.
fn seat(boss: &str, dungeon: &[&str], hand: &[&str]) -> SeatPosition {
    let room =
        |name: &&str| vec![RoomPosition { def: def(name), deactivated: false, facedown: false, used: false }];
    SeatPosition {
        bosses: defs(&[boss]),
        dungeon: dungeon.iter().map(room).collect(),
        hand: defs(hand),
        ..SeatPosition::default()
    }
}

fn position(first: SeatPosition, second: SeatPosition, phase: Phase, asked: Seat) -> Position {
    let start = Start::Window { phase, active: Seat(0), asked };
    Position {
        room_deck: defs(&["Club"; 8]),
        spell_deck: defs(&["Stop"; 4]),
        hero_deck: defs(&["Grim"; 6]),
        seed: 1,
        ..Position::bare(Rules::classic(2), vec![first, second], start)
    }
}

fn laid(position: &Position) -> Game<'static> {
    Game::from_position(&DB, position, &mut ()).unwrap_or_else(|error| panic!("{error}"))
}

/// Why one would answer like this.
#[track_caller]
fn why(game: &Game, words: &str) -> String {
    of_answer(game, words, |view, action| reasons(view, &Numbers, action))
}

/// What the answer that reads like this does.
#[track_caller]
fn what(game: &Game, words: &str) -> Option<String> {
    of_answer(game, words, |view, action| effects(view, &Numbers, action))
}

#[track_caller]
fn of_answer<T>(game: &Game, words: &str, said: impl Fn(&View, Action) -> T) -> T {
    let seat = game.decision().expect("there is a question").seat;
    let view = game.view(Some(seat));
    let mut legal = Actions::new();
    view.legal(&mut legal);
    let table = view.table();
    let action = legal.iter().find(|action| tell::action(table, &Numbers, Reader::Replay, **action) == words);
    let known: Vec<String> =
        legal.iter().map(|action| tell::action(table, &Numbers, Reader::Replay, *action)).collect();
    let action = action.unwrap_or_else(|| panic!("`{words}` is not among {known:?}"));
    said(&view, *action)
}

fn walker(hero: &str, stack: usize, damage: u8) -> Option<Walker> {
    Some(Walker { def: def(hero), seat: Seat(0), stack, damage })
}

#[test]
fn building_tells_whom_it_lures_and_how_it_grows() {
    let second = || seat("Second", &["Chapel"], &[]);
    let mut table = position(seat("First", &["Club"], &["Chapel", "Club"]), second(), Phase::Build, Seat(0));
    table.town = defs(&["Sir Pious"]);
    let game = laid(&table);
    // Two clerics each: nobody is ahead, so it only takes him away from p2.
    assert_eq!(why(&game, "build Chapel at the left end"), "a new room: 2 of 5 to level up");
    assert_eq!(why(&game, "build Club at the left end"), "a new room: 2 of 5 to level up");
    assert_eq!(why(&game, "pass"), "nothing better to do");

    table.seats[0] = seat("First", &["Chapel", "Club"], &["Chapel", "Club"]);
    let game = laid(&table);
    assert_eq!(
        why(&game, "build Chapel at the left end"),
        "lures Sir Pious to die in Club (4 cleric treasures to 2); a new room: 3 of 5 to level up; otherwise Sir Pious stays in town"
    );
    assert_eq!(why(&game, "build Club on Chapel"), "+1 damage for Club");

    table.seats[1] = seat("Second", &["Chapel", "Chapel"], &[]);
    table.seats[0] = seat("First", &["Chapel", "Chapel", "Club", "Club"], &["Chapel"]);
    let game = laid(&table);
    assert_eq!(
        why(&game, "build Chapel at the left end"),
        "lures Sir Pious to die in Club (6 cleric treasures to 4); your fifth room: level up; otherwise Sir Pious stays in town"
    );
}

#[test]
fn a_hero_is_taken_from_another() {
    let second = || seat("Second", &["Cathedral"], &[]);
    let mut table =
        position(seat("First", &["Chapel", "Club"], &["Chapel"]), second(), Phase::Build, Seat(0));
    table.town = defs(&["Sir Pious"]);
    assert_eq!(
        why(&laid(&table), "build Chapel at the left end"),
        "lures Sir Pious away from p2 to die in Club (4 cleric treasures to 3); a new room: 3 of 5 to level up; otherwise Sir Pious gets through to p2"
    );
    // Not every hero is welcome.
    table.seats[0] = seat("First", &["Chapel"], &["Chapel"]);
    assert_eq!(
        why(&laid(&table), "build Chapel at the left end"),
        "a new room: 2 of 5 to level up, but lures Sir Pious, who gets through"
    );
    table.seats[0] = seat("First", &["Chapel", "Chapel"], &["Club"]);
    assert_eq!(why(&laid(&table), "build Club on Chapel"), "leaves Sir Pious to p2; +1 damage for Club");
}

#[test]
fn spells_and_abilities_tell_what_becomes_of_the_hero() {
    let second = || seat("Second", &["Club"], &[]);
    let hand = ["Growth", "Away", "Fetch"];
    let mut table = position(seat("First", &["Hole", "Club"], &hand), second(), Phase::Adventure, Seat(0));
    // Two to come, and six health: it will get through.
    table.walker = walker("Grim", 0, 1);
    let game = laid(&table);
    assert_eq!(why(&game, "use Hole"), "kills Grim, but costs Hole; otherwise Grim gets through to you");
    assert_eq!(
        why(&game, "cast Growth"),
        "kills Grim in Club; +3 damage for Club; otherwise Grim gets through to you"
    );
    assert_eq!(why(&game, "cast Away"), "saves a wound: Grim goes back to town");
    assert_eq!(why(&game, "cast Fetch"), "draws a spell; draws 2 rooms");
    assert_eq!(why(&game, "pass"), "nothing better to do");

    table.walker = walker("Grim", 0, 5);
    let game = laid(&table);
    assert_eq!(why(&game, "pass"), "Grim dies in Club anyway");
    assert_eq!(why(&game, "cast Away"), "lets Grim escape");
    assert_eq!(why(&game, "cast Growth"), "+3 damage for Club");

    table.walker = walker("Great Grim", 1, 7);
    assert_eq!(why(&laid(&table), "cast Away"), "saves two wounds: Great Grim goes back to town");
}

#[test]
fn the_others_are_called_by_their_names() {
    let first = seat("First", &["Hole", "Club"], &["Fetch"]);
    let second = seat("Second", &["Club"], &["Away", "Stop"]);
    let mut table = position(first, second, Phase::Adventure, Seat(1));
    table.walker = walker("Grim", 0, 5);
    let mut game = laid(&table);
    assert_eq!(why(&game, "cast Away"), "takes Grim from p1");
    table.start = Start::Window { phase: Phase::Adventure, active: Seat(0), asked: Seat(0) };
    game = laid(&table);
    let mut legal = Actions::new();
    game.legal(&mut legal);
    let fetch =
        legal.iter().find(|action| tell::action(&game, &Numbers, Reader::Replay, **action) == "cast Fetch");
    game.apply(*fetch.expect("it can be cast"), &mut ()).expect("it is legal");
    assert_eq!(why(&game, "cast Stop"), "cancels Fetch");
}

#[test]
fn effects_are_not_advice() {
    let hand = ["Growth", "Away", "Fetch"];
    let first = seat("First", &["Hole", "Club"], &hand);
    let second = seat("Second", &["Club"], &[]);
    let mut table = position(first, second, Phase::Adventure, Seat(0));
    table.walker = walker("Grim", 0, 1);
    let game = laid(&table);
    assert_eq!(what(&game, "pass"), None);
    // There is one hero to send away, but the room that grows is still to be chosen.
    assert_eq!(what(&game, "cast Away").as_deref(), Some("saves a wound: Grim goes back to town"));
    let growth = what(&game, "cast Growth");
    assert_eq!(growth.as_deref(), Some("for example: kills Grim in Club; +3 damage for Club"));
    assert_eq!(what(&game, "cast Fetch").as_deref(), Some("draws a spell; draws 2 rooms"));
    // What a hand or a boss is worth would be advice.
    let mut game = deal(1);
    let mut legal = Actions::new();
    while game.state.turn() == 0 {
        let view = game.view(game.decision().map(|decision| decision.seat));
        game.legal(&mut legal);
        for action in legal.iter().filter(|action| !matches!(action, Action::Build { .. })) {
            assert_eq!(effects(&view, &Numbers, *action), None);
        }
        game.apply(legal[0], &mut ()).expect("it is legal");
    }
}

/// Every answer gets a reason: one short line, the same in all worlds that look alike.
#[test]
fn every_answer_has_a_reason() {
    let (mut said, mut telling) = (0, 0);
    for number in 0..25 {
        let mut game = deal(number);
        let mut rng = bots::BotRng::new(number);
        let mut legal = Actions::new();
        while let Some(decision) = game.decision() {
            game.legal(&mut legal);
            if legal.len() > 1 && rng.below(4) == 0 {
                let view = game.view(Some(decision.seat));
                let world = view.sample(rng.seed()).view(Some(decision.seat));
                for action in legal.iter().copied() {
                    let words = reasons(&view, &Numbers, action);
                    assert_eq!(words, reasons(&world, &Numbers, action));
                    assert!(!words.is_empty() && words.chars().count() < 240, "{words}");
                    assert!(words.matches("; ").count() < 3, "{words}");
                    said += 1;
                    telling += u32::from(action != Action::Pass && words != "nothing better to do");
                }
            }
            let from = usize::from(legal.len() > 1 && rng.below(3) > 0);
            game.apply(legal[from + rng.below(legal.len() - from)], &mut ()).expect("it is legal");
        }
    }
    assert!(telling * 3 > said * 2, "{telling} of {said} answers have a specific reason");
}

/// What is told before the answer is given, and the warning.
#[track_caller]
fn before(game: &Game, words: &str) -> (String, Option<String>) {
    let names: Vec<String> = ["Anna", "Ben"].map(String::from).into();
    of_answer(game, words, |view, action| {
        let outlook = outlook(view, &names[..], action).expect("something to tell");
        (outlook.words, outlook.warning)
    })
}

#[test]
fn what_an_ability_will_do_is_told_with_its_only_target_and_its_price() {
    let mut table =
        position(seat("First", &["Hole"], &[]), seat("Second", &[], &[]), Phase::Adventure, Seat(0));
    table.walker = walker("Grim", 0, 1);
    let (words, warning) = before(&laid(&table), "use Hole");
    assert_eq!(
        words,
        "You use Hole, choosing Grim. Your Hole is destroyed. Grim is killed by Hole: 1 soul for you."
    );
    assert_eq!(warning.as_deref(), Some("This destroys your own Hole."));
}

#[test]
fn a_choice_to_come_ends_what_is_told() {
    let mut table = position(
        seat("First", &["Club", "Club"], &["Growth"]),
        seat("Second", &[], &[]),
        Phase::Adventure,
        Seat(0),
    );
    table.walker = walker("Grim", 0, 2);
    let (words, warning) = before(&laid(&table), "cast Growth");
    assert_eq!(words, "Next: give a room in your dungeon +3 damage.");
    assert_eq!(warning, None);
}

#[test]
fn what_another_players_action_does_anyway_is_not_told() {
    let mut table = position(
        seat("First", &["Club", "Club"], &["Growth", "Fetch"]),
        seat("Second", &[], &["Away"]),
        Phase::Adventure,
        Seat(1),
    );
    table.walker = walker("Grim", 0, 2);
    let mut game = laid(&table);
    let mut legal = Actions::new();
    game.legal(&mut legal);
    let away = legal.iter().copied().find(|action| matches!(action, Action::Use { .. }));
    game.apply(away.expect("Away can be cast"), &mut ()).expect("it is legal");
    assert!(game.state.pending().iter().any(|action| action.waiting), "it waits for the active player");
    let (words, _) = before(&game, "cast Fetch");
    assert!(words.starts_with("You draw"), "{words}");
    assert!(!words.contains("town"), "{words}");
}

#[test]
fn a_build_tells_the_sums_of_those_who_will_come() {
    let mut table = position(
        seat("First", &["Chapel", "Club"], &["Chapel", "Club"]),
        seat("Second", &["Chapel"], &[]),
        Phase::Build,
        Seat(0),
    );
    table.town = defs(&["Sir Pious"]);
    let (words, _) = before(&laid(&table), "build Chapel at the left end");
    assert_eq!(
        words,
        "Lures Sir Pious to die in Club (4 cleric treasures to 2); a new room: 3 of 5 to level up. \
         Sir Pious: 1 damage in Chapel, 1 damage in Chapel, dies in Club."
    );
}
