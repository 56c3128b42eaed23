//! Homebrew card files, as nasty as possible: each is refused with a reason, or its games keep the
//! usual contract (consistent after every step, exactly the listed answers possible, an end) and
//! leak no hidden information.

mod common;

use cards::homebrew::{Homebrew, add};
use cards::{CardDb, load};
use common::{BOUND, Dice, SETS, key, rules};
use engine::position::{Position, RoomPosition, SeatPosition, Start};
use engine::{Action, Actions, Event, Game, Rules, Seat, SetupError};

/// Answers in a turn after which the players of these games only pass.
const PATIENCE: usize = 300;

/// The box with these files, each a separate set.
fn db(files: &[&str]) -> CardDb {
    let builtin = SETS[..1].to_vec();
    let file = |(i, text): (usize, &&str)| {
        let code = ["HOUSEA", "HOUSEB", "HOUSEC"][i];
        let (file, text) = (format!("{code}.cards"), format!("set {code} \"House\"\n{text}"));
        let (set, _) = load(&file, &text).unwrap_or_else(|errors| panic!("{errors}"));
        Homebrew { file, set }
    };
    let own: Vec<Homebrew> = files.iter().enumerate().map(file).collect();
    let sets = add(builtin, &own).unwrap_or_else(|error| panic!("{error}"));
    CardDb::build(&sets).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays this many games with the box and these files, checking everything; returns the number of
/// answers.
fn survives(files: &[&str], games: u64) -> usize {
    let db = db(files);
    let mut answers = 0;
    for seed in 0..games {
        let mut game =
            Game::new(&db, rules(seed), key(seed), &mut ()).unwrap_or_else(|error| panic!("{error}"));
        answers += plays_on(&mut game, seed);
    }
    answers
}

fn plays_on(game: &mut Game, seed: u64) -> usize {
    let mut dice = Dice::new(seed);
    let mut actions = Actions::new();
    let mut events: Vec<Event> = Vec::new();
    let (mut turn, mut patience) = (0, PATIENCE);
    for step in 0..BOUND {
        let Some(decision) = game.decision() else {
            assert!(game.outcome().is_some(), "game {seed}: nothing is asked and nobody has won");
            return step;
        };
        game.legal(&mut actions);
        assert!(actions.windows(2).all(|pair| pair[0] < pair[1]), "game {seed}: {actions:?}");
        if step % 5 == 0 {
            listed_and_no_other(game, &actions, &mut dice);
            keeps_secrets(game, decision.seat, seed << 16 | step as u64);
            can_be_shown(game);
        }
        events.clear();
        // No player goes on forever: what a player can repeat, a player can also stop doing.
        if (turn, 0) != (game.state.turn(), patience) {
            (turn, patience) =
                (game.state.turn(), if turn == game.state.turn() { patience - 1 } else { PATIENCE });
        }
        let action = match actions[0] {
            Action::Pass if patience == 0 => Action::Pass,
            _ => dice.pick_eager(&actions),
        };
        game.apply(action, &mut events).expect("it is legal");
        game.state.check(game.db).unwrap_or_else(|error| panic!("game {seed}: {error}"));
        tells_no_secret(game, &events);
    }
    panic!("game {seed} does not end: turn {}", game.state.turn());
}

/// Listed answers are accepted; all others are refused and change nothing.
fn listed_and_no_other(game: &Game, actions: &Actions, dice: &mut Dice) {
    for action in actions.iter() {
        game.clone().apply(*action, &mut ()).unwrap_or_else(|error| panic!("{action:?}: {error}"));
    }
    for _ in 0..20 {
        let card = engine::CardId(dice.below(game.state.card_count() + 2) as u16);
        let ability = dice.below(4) as u8;
        for action in [Action::Use { card, ability }, Action::Build { card, spot: engine::Spot(ability) }] {
            let mut copy = game.clone();
            assert_eq!(copy.apply(action, &mut ()).is_ok(), actions.contains(&action), "{action:?}");
            assert!(actions.contains(&action) || copy.state == game.state, "{action:?} changed something");
        }
    }
}

/// Two worlds that look alike to a viewer: the view is the same, and so is what the asked player may do.
fn keeps_secrets(game: &Game, asked: Seat, seed: u64) {
    let (mut here, mut there) = (Actions::new(), Actions::new());
    for viewer in (0..game.state.rules().players).map(|seat| Some(Seat(seat))).chain([None]) {
        let view = game.view(viewer);
        let sample = view.sample(seed);
        sample.state.check(game.db).unwrap_or_else(|error| panic!("a sample: {error}"));
        assert!(sample.view(viewer) == view, "the sample looks different to {viewer:?}");
        if viewer == Some(asked) {
            game.legal(&mut here);
            sample.legal(&mut there);
            assert_eq!(here[..], there[..], "what {asked} may do depends on hidden cards");
        }
    }
}

/// What is shown beside the table can be worked out at every question: rooms turned up, how heroes would fare, why a
/// card cannot be used.
fn can_be_shown(game: &Game) {
    for seat in (0..game.state.rules().players).map(Seat) {
        let view = game.view(Some(seat));
        let revealed = view.table().if_revealed(seat);
        for card in (0..game.state.card_count()).map(|card| engine::CardId(card as u16)) {
            let place = game.state.card(card).place;
            if game.def(card).kind.is_hero() && (place.is_roaming() || place.is_inside()) {
                let rooms = revealed.forecast(card, seat).rooms.len();
                assert!(rooms <= BOUND, "{rooms} rooms");
            }
            if view.table().state.card(card).place.seat() == seat {
                let _ = view.why_not(card);
            }
        }
    }
}

/// No event names a card to a viewer who has not seen it.
fn tells_no_secret(game: &Game, events: &[Event]) {
    for viewer in (0..game.state.rules().players).map(|seat| Some(Seat(seat))).chain([None]) {
        for event in events {
            for shown in event.for_viewer(game.db, viewer).cards() {
                let hidden = game.db.is_blank(shown.def);
                assert!(hidden || shown.seen.shows(viewer), "{event:?} shows {viewer:?} too much");
            }
        }
    }
}

/// Three rooms in a ring: what one does triggers the next.
#[test]
fn triggers_in_a_ring() {
    let rooms = r#"
room "Paper" x20
  -  trap  damage 1  thief cleric mage fighter  house
  when card in discard taken by you
    discard card in hand

room "Scissors" x20
  -  trap  damage 1  thief cleric mage fighter  house
  when card discarded by you
    draw room 1
    destroy another room in dungeon

room "Stone" x20
  -  monster  damage 1  thief cleric mage fighter  house
  when room in dungeon of any destroyed or uncovered
    take card in discard
"#;
    assert!(survives(&[rooms], 60) > 500);
}

/// Triggers across the table: each destruction is answered by one in the other dungeon.
#[test]
fn triggers_that_trigger_the_opponents() {
    let rooms = r#"
room "Tit" x20
  -  trap  damage 1  thief mage  house
  when trap room in dungeon destroyed because of opponent
    may
      choose r = monster room in dungeon of opponent
      destroy r

room "Tet" x20
  -  monster  damage 1  thief mage  house
  when monster room in dungeon destroyed because of opponent
    may
      choose r = trap room in dungeon of opponent
      destroy r

room "Tat" x20
  -  trap  damage 1  cleric fighter  house
  when this built or uncovered
    each p = opponent
      destroy all room in dungeon of p
"#;
    assert!(survives(&[rooms], 60) > 300);
}

/// Uncovering triggers covering, and the other way round.
#[test]
fn rooms_that_uncover_and_cover_endlessly() {
    let rooms = r#"
room "Jack in the Box" x20
  -  trap  damage 1  thief mage cleric fighter  house
  when this uncovered
    build room in hand on room in dungeon

room "Lid" x20
  -  monster  damage 1  thief mage cleric fighter  house
  when this built
    take this
  when trap room in dungeon uncovered
    may
      destroy another monster room in dungeon
"#;
    assert!(survives(&[rooms], 60) > 300);
}

/// Everything, everybody's, whenever anything happens.
#[test]
fn storms_of_all() {
    let cards = r#"
room "Storm" x20
  -  trap  damage 1  thief mage cleric fighter  house
  when hero enters room in dungeon of any
    each p = player
      discard all card in hand of p
      draw room 20 for p
      draw spell 20 for p
  when end of turn
    each p = player
      take all card in discard for p

spell "Great Tidy" x20
  -  build adventure  house
  play
    take all card in room deck or spell deck or discard
    deactivate all room in dungeon of any
    damage all hero 50
    each h = hero in town
      move h to entrance
"#;
    assert!(survives(&[cards], 12) > 200);
}

/// Ten cards in twenty copies are two hundred; with the box that is nearly all a game can hold.
#[test]
fn two_hundred_copies() {
    let room = |i: usize| {
        format!(
            "room \"Hall {i}\" x20\n  -  trap  damage {i}  thief mage  house\n  always: room in dungeon has damage x255\n  always: hero has health +50\n\n"
        )
    };
    let text: String = (0..10).map(room).collect();
    assert!(survives(&[&text], 6) > 100);
}

/// One more set of them is too many, and refused up front.
#[test]
fn more_cards_than_a_game_holds_are_refused() {
    let text: String =
        (0..60).map(|i| format!("room \"Hall {i}\" x20\n  -  trap  damage 1  thief  house\n\n")).collect();
    let db = db(&[&text]);
    let refused = Game::new(&db, rules(0), key(0), &mut ()).err();
    assert!(matches!(refused, Some(SetupError::TooManyCards(_))), "{refused:?}");
}

#[test]
fn a_boss_without_xp_is_refused_by_the_checker() {
    for (boss, reason) in [
        ("boss \"Nobody\"\n  -  mage  house\n", "a boss needs `xp`"),
        ("boss \"Nobody\"\n  -  xp 0  mage  house\n", "xp"),
        ("boss \"Nobody\"\n  -  xp 99999  mage  house\n", "xp"),
    ] {
        let errors = load("house.cards", &format!("set H \"H\"\n{boss}")).expect_err("it is refused");
        assert!(errors.to_string().contains(reason), "{errors}");
    }
    // Without treasure, without anything, and with the XP of an existing boss.
    assert!(
        survives(&["boss \"Nobody\"\n  -  xp 900  house\n\nboss \"Noone\"\n  -  xp 900  house\n"], 60) > 500
    );
}

/// A set alone, without the box.
#[test]
fn sets_in_which_something_is_missing_are_refused() {
    let refused = |text: &str| {
        let (set, _) = load("house.cards", &format!("set H \"H\"\n{text}")).expect("it is sound");
        let db = CardDb::build(&[set]).expect("it compiles");
        Game::new(&db, rules(0), key(0), &mut ()).err()
    };
    let bosses = "boss \"A\"\n  -  xp 1  house\n\nboss \"B\"\n  -  xp 2  house\n\n";
    let hero = "hero \"H\"\n  -  mage  health 1  star  house\n\n";
    let room = |rank| format!("room \"R\"\n  -  trap  {rank}  damage 1  mage  house\n\n");
    assert!(matches!(refused(""), Some(SetupError::Bosses { .. })));
    assert_eq!(refused(&format!("{bosses}{hero}")), Some(SetupError::NoOrdinaryRoom));
    assert_eq!(refused(&format!("{bosses}{hero}{}", room("advanced"))), Some(SetupError::NoOrdinaryRoom));
    assert_eq!(refused(&format!("{bosses}{}", room(""))), Some(SetupError::NoHero));
    assert_eq!(refused(&format!("{bosses}{hero}{}", room(""))), None);
}

/// A handful of cards and nothing to draw: the game still ends.
#[test]
fn the_smallest_set_there_is() {
    let text = "set H \"H\"\nboss \"A\"\n  -  xp 1  house\n\nboss \"B\"\n  -  xp 2  house\n\nhero \"H\"\n  -  mage  health 1  star  house\n\nroom \"R\"\n  -  trap  damage 1  mage  house\n";
    let db = CardDb::build(&[load("house.cards", text).expect("it is sound").0]).expect("it compiles");
    for seed in 0..20 {
        let rules = engine::Rules::classic(2);
        plays_on(&mut Game::new(&db, rules, key(seed), &mut ()).expect("it can be dealt"), seed);
    }
}

/// Heroes that are sent home, to the entrance or to the first room again and again: every walk,
/// every turn and the game end by rule (docs/rules.md 4.10, 11.5), even when no player has a card
/// left and nobody is asked any more.
#[test]
fn heroes_that_never_stay_dead() {
    for (damage, ability) in [
        (1, "when hero survives dungeon\n    move wound in scoring to town"),
        (1, "when hero survives dungeon\n    move wound in scoring to entrance"),
        (9, "when hero killed by you\n    move soul in scoring to town"),
        (9, "when hero killed by you\n    move soul in scoring to entrance"),
        (0, "when h = hero survives this\n    move h to first room in dungeon"),
        (0, "when h = hero survives this\n    move h to entrance"),
        (0, "when h = hero survives this\n    choose p = opponent\n    move h to entrance of p"),
        (0, "when h = hero survives this\n    heal h\n    move h to town"),
    ] {
        let text = format!(
            "set H \"H\"\nboss \"A\"\n  -  xp 1  mage  house\n\nboss \"B\"\n  -  xp 2  house\n\nhero \"Boomerang\" x2\n  -  mage  health 9  star  house\n\nroom \"Turnstile\" x9\n  -  trap  damage {damage}  mage  house\n  {ability}\n"
        );
        let set = load("house.cards", &text).unwrap_or_else(|errors| panic!("{errors}")).0;
        let db = CardDb::build(&[set]).expect("it compiles");
        for seed in 0..20 {
            let rules = engine::Rules::classic(2);
            plays_on(&mut Game::new(&db, rules, key(seed), &mut ()).expect("it can be dealt"), seed);
        }
    }
}

/// The same with the box, where players are asked on the way: games of players who only pass end.
#[test]
fn walks_that_never_end() {
    for (damage, ability) in [
        (0, "when hero survives dungeon\n    move wound in scoring to entrance"),
        (20, "when hero killed by you\n    move soul in scoring to entrance"),
        (0, "when h = hero survives this\n    move h to first room in dungeon"),
        (0, "when h = hero survives this\n    choose p = opponent\n    move h to entrance of p"),
    ] {
        let room = format!(
            "room \"Roundabout\" x20\n  -  trap  damage {damage}  mage thief cleric fighter  house\n  {ability}\n"
        );
        survives(&[&room], 60);
    }
}

/// A card with the name of a card of the box replaces it, whatever its kind; nothing else is lost.
#[test]
fn cards_that_replace_cards_of_the_box() {
    let cards = r#"
spell "Dark Altar" x3
  -  build  house
  play
    draw room 1

room "Freeze" x4
  -  trap  damage 20  thief  house

hero "draculord, hypnotic vampire"
  -  mage  health 30  star  house

boss "Somebody Else"
  -  xp 20  thief  house
"#;
    let (base, own) = (db(&[]), db(&[cards]));
    assert_eq!(base.cards().count() + 1, own.cards().count());
    let kind = |name: &str| own.def(own.find(name)[0]).kind;
    use cards::vocabulary::Kind::{Hero, Room, Spell};
    assert_eq!((kind("Dark Altar"), kind("Freeze"), kind("Draculord")), (Spell, Room, Hero));
    assert_ne!(base.hash, own.hash);
    assert!(survives(&[cards], 60) > 500);
}

/// Opponents who help and hinder heroes, even those not lured yet.
#[test]
fn heroes_with_abilities_for_everybody() {
    let heroes = r#"
hero "Everybody's Friend" x8
  -  cleric thief  health 4  star  dark  house
  ability by opponent once per turn
    cost discard card in hand
    until end of turn: this has health +5
  ability by any
    cost discard card in hand
    damage this 1
  when this killed
    each p = player
      draw spell 1 for p
  when end of turn
    require this in town
    each p = player
      discard random card in hand of p

epic "Everybody's Nightmare" x8
  -  mage fighter  health 12  star  dark  house
  always: room in dungeon is stunned
  always: forbid spell cast by opponent
  ability in adventure by opponent once per turn
    cost discard room in hand
    destroy room in dungeon of any
"#;
    assert!(survives(&[heroes], 60) > 500);
}

/// Hands looked at, taken from and given away: who has seen what stays right.
#[test]
fn hands_that_go_round() {
    let cards = r#"
spell "Peep" x20
  -  build adventure  house
  play
    choose p = opponent
    look hand of p
    may
      take card in hand of p

room "Draughty Hall" x20
  -  trap  damage 1  thief mage cleric fighter  house
  ability from hand
    cost discard this
    each p = player
      take random card in hand of p
  instead of c = card discarded by opponent because of you once per turn
    take c

room "Crystal Ball" x20
  -  trap  damage 1  thief mage cleric fighter  house
  instead of turn draw
    look room deck
    draw room 2
"#;
    assert!(survives(&[cards], 60) > 500);
}

/// Files by different authors, together.
#[test]
fn files_of_several_people() {
    let first = "room \"Mine\" x20\n  -  trap  damage 1  thief mage  house\n  when card in discard taken by opponent\n    draw room 1\n";
    let second = "room \"Yours\" x20\n  -  monster  damage 1  thief mage  house\n  when this built\n    each p = player\n      take card in discard for p\n";
    assert!(survives(&[first, second], 60) > 500);
}

/// The example set keeps the contract too.
#[test]
fn the_example_set() {
    let text = include_str!("../../../examples/leftover-pixels.cards");
    let cards = text.split_once("set PXL \"Leftover Pixels\"\n").expect("the set line is there").1;
    assert!(survives(&[cards], 36) > 1_000);
}

/// Circular numbers, which the checker refuses: a value being computed reads as printed, so every
/// evaluation ends, however many such cards there are.
#[test]
fn circular_values_are_bounded() {
    let rooms = "always: this has damage + damage of this
always: room beside this has damage + damage of this
always: room in dungeon where damage of it > 2 has damage +1
always: room in dungeon of any has damage + count hero where life of it > damage of this
always: hero in dungeon of any has health + damage of this
always: hero has health +1 while some hero where health of it > 3
always: room in dungeon of any where damage of it > 3 is blank
always: another room in dungeon is stunned while damage of this > 1";
    let mut text = "set HOUSEA \"House\"\n".to_string();
    for (number, rule) in rooms.lines().enumerate() {
        text += &format!("room \"Ouroboros {number}\" x12\n  -  trap  damage 1  mage  house\n  {rule}\n\n");
    }
    assert!(load("house.cards", &text).is_err(), "the checker refuses them");
    let set = cards::parse("house.cards", &text).unwrap_or_else(|errors| panic!("{errors}"));
    let sets = [SETS[..1].to_vec(), vec![set]].concat();
    let db = CardDb::build(&sets).unwrap_or_else(|error| panic!("{error}"));
    for seed in 0..6 {
        let mut game =
            Game::new(&db, rules(seed), key(seed), &mut ()).unwrap_or_else(|error| panic!("{error}"));
        plays_on(&mut game, seed);
    }
}

/// Meanwhile the printed number is read: 3, and 3 again.
#[test]
fn a_circular_value_reads_what_is_printed() {
    let text = "set HOUSEA \"House\"\nroom \"Ouroboros\"\n  -  trap  damage 3  mage  house\n  always: this has damage + damage of this\n";
    let set = cards::parse("house.cards", text).unwrap_or_else(|errors| panic!("{errors}"));
    let sets = [SETS[..1].to_vec(), vec![set]].concat();
    let db = CardDb::build(&sets).unwrap_or_else(|error| panic!("{error}"));
    let def = db.find("Ouroboros")[0];
    let mut seats = vec![SeatPosition::default(); 2];
    seats[0].dungeon = vec![vec![RoomPosition { def, deactivated: false, facedown: false, used: false }]];
    let position = Position::bare(Rules::classic(2), seats, Start::Adventure(Some(Seat(0))));
    let game = Game::from_position(&db, &position, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.room_damage(game.state.slots(Seat(0))[0]), 6);
}

/// Cards that a table of strangers may be played with are quick, even if a whole deck is made of the dearest ones:
/// rules that look through piles, rules that read what those change, and abilities that read what those change.
#[test]
fn what_strangers_may_play_with_is_quick() {
    const FACTS: &str = "  -  trap  damage 0  mage thief cleric fighter  house\n";
    let each = |name: &str| {
        format!(
            "    each {name} = room in dungeon of any\n      if damage of {name} > 99\n        draw room 1\n"
        )
    };
    let looks =
        "  always: room in dungeon of any has mage icon +1 while some room in discard where it is monster\n";
    let reads = "  always: room in dungeon of any has damage + count icon on it\n  when this built\n    each p = player\n      draw room 20 for p\n      discard all card in hand of p\n";
    let acts = format!("  when hero enters room in dungeon of any\n{}{}", each("r"), each("q"));
    let mut text = "set HOUSEA \"House\"\n".to_string();
    for n in 0..3 {
        for (name, lines) in [("Mirror", looks), ("Echo", reads), ("Bell", acts.as_str())] {
            text += &format!("room \"{name} {n}\" x20\n{FACTS}{lines}");
        }
    }
    let (set, _) = cards::load_shared("house.cards", &text).unwrap_or_else(|errors| panic!("{errors}"));
    let base = &SETS[0];
    let others: Vec<_> =
        base.cards.iter().filter(|card| card.kind != cards::tree::Kind::Room).cloned().collect();
    let sets = [cards::tree::Set { cards: others, ..base.clone() }, set];
    let db = CardDb::build(&sets).unwrap_or_else(|error| panic!("{error}"));
    let (mut longest, mut all, mut actions) =
        (std::time::Duration::ZERO, std::time::Duration::ZERO, Actions::new());
    for seed in 0..6 {
        let rules = Rules::classic(4).with(engine::Variant::UnlimitedLives);
        let mut game = Game::new(&db, rules, key(seed), &mut ()).unwrap_or_else(|error| panic!("{error}"));
        let mut dice = Dice::new(seed);
        for _ in 0..2_000 {
            if game.decision().is_none() {
                break;
            }
            let began = std::time::Instant::now();
            game.legal(&mut actions);
            let action = dice.pick_eager(&actions);
            game.apply(action, &mut ()).expect("it is legal");
            longest = longest.max(began.elapsed());
            all += began.elapsed();
        }
    }
    // A fortieth of a second, on a machine with nothing else to do.
    assert!(longest < std::time::Duration::from_secs(2), "an answer took {longest:?}, all of them {all:?}");
}
