//! Coins, counters, health tokens and attached cards, as the rules have them. No available box has
//! them, so positions are set up by hand: a spell stands for an item, a room for a miniboss.

mod common;

use cards::CardDb;
use cards::code::DefId;
use cards::vocabulary::Kind;
use common::DB;
use engine::position::{Attached, On, Pieces, Position, RoomPosition, SeatPosition, Start, Walker};
use engine::{Action, Actions, CardId, Edit, Game, Phase, Place, Rules, Seat, State};

const P1: Seat = Seat(0);
const P2: Seat = Seat(1);

fn def(name: &str) -> DefId {
    match DB.find(name)[..] {
        [only] => only,
        _ => panic!("{name} is not the name of one card"),
    }
}

fn room(name: &str) -> RoomPosition {
    RoomPosition { def: def(name), deactivated: false, facedown: false, used: false }
}

/// Stacks from left to right, of one room each.
fn dungeon(names: &[&str]) -> Vec<Vec<RoomPosition>> {
    names.iter().map(|name| vec![room(name)]).collect()
}

/// A hero of the box with this much health.
fn hero(health: u8) -> DefId {
    let found =
        DB.cards().find(|(_, def)| matches!(def.kind, Kind::Hero | Kind::Epic) && def.health == health);
    found.unwrap_or_else(|| panic!("there is no hero of {health} health")).0
}

/// Two players, the first of whom has this dungeon and hand.
fn position(start: Start, stacks: Vec<Vec<RoomPosition>>, hand: &[&str]) -> Position {
    let mut seats = vec![SeatPosition::default(), SeatPosition::default()];
    seats[0].dungeon = stacks;
    seats[0].hand = hand.iter().map(|name| def(name)).collect();
    let deck = vec![def("Dragon Hatchery"); 8];
    let heroes = vec![hero(11); 8];
    // Every question is asked, so that the tests can stop anywhere.
    let mut rules = Rules::classic(2);
    rules.cover = true;
    Position { room_deck: deck, epic_deck: heroes, ..Position::bare(rules, seats, start) }
}

fn window(phase: Phase) -> Start {
    Start::Window { phase, active: P1, asked: P1 }
}

fn lay_out(position: &Position) -> Game<'static> {
    let game = Game::from_position(&DB, position, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    check(&game);
    game
}

fn check(game: &Game) {
    game.state.check(game.db).unwrap_or_else(|error| panic!("{error}"));
}

/// Gives the wanted answer, which must be legal.
fn give(game: &mut Game, wanted: impl Fn(&Game, Action) -> bool) {
    let mut actions = Actions::new();
    game.legal(&mut actions);
    let found = actions.iter().copied().find(|action| wanted(game, *action));
    let action = found.unwrap_or_else(|| panic!("not among {actions:?}"));
    game.apply(action, &mut ()).expect("it is legal");
    check(game);
}

fn use_card(game: &mut Game, name: &str) {
    give(game, |game, action| matches!(action, Action::Use { card, .. } if game.name(card) == name));
}

fn pick(game: &mut Game, card: CardId) {
    give(game, |_, action| matches!(action, Action::Pick(r) if r.as_card() == Some(card)));
}

/// Everybody passes until the condition holds.
fn pass_until(game: &mut Game, so: impl Fn(&Game) -> bool) {
    for _ in 0..200 {
        if so(game) {
            return;
        }
        let idle = |_: &Game, action: Action| matches!(action, Action::Pass | Action::No);
        give(game, idle);
    }
    panic!("the condition never held");
}

fn the(game: &Game, name: &str) -> CardId {
    let mut found = game.state.card_ids().filter(|card| game.name(*card) == name);
    let card = found.next().unwrap_or_else(|| panic!("there is no {name}"));
    assert!(found.next().is_none(), "there are several of {name}");
    card
}

fn place(game: &Game, name: &str) -> Place {
    game.state.card(the(game, name)).place
}

fn counters(game: &Game, name: &str) -> u8 {
    game.state.marks(the(game, name)).counters
}

fn with_counters(seat: Seat, stack: usize, counters: u8) -> Pieces {
    Pieces { counters, ..Pieces::on(On::Room(seat, stack)) }
}

fn with_attached(on: On, name: &str, level: u8) -> Pieces {
    Pieces {
        attached: Some(Attached { def: def(name), level, facedown: None, new: false }),
        ..Pieces::on(on)
    }
}

// ---- counters (rules 1.7, 2.6) ----

#[test]
fn each_counter_is_one_more_damage() {
    let stacks = dungeon(&["Golem Factory", "Goblin Armory"]);
    let mut layout = position(window(Phase::Build), stacks, &[]);
    layout.pieces = vec![with_counters(P1, 0, 3)];
    let mut game = lay_out(&layout);
    let factory = the(&game, "Golem Factory");
    // Printed 2, three counters, and one more beside the armory.
    assert_eq!(game.room_damage(factory), 2 + 3 + 1);
    game.edit(Edit::RemoveCounters { room: factory, counters: 2 }).expect("two of three");
    assert_eq!(game.room_damage(factory), 2 + 1 + 1);
    game.edit(Edit::PutCounters { room: factory, counters: 4 }).expect("it is active");
    assert_eq!(game.room_damage(factory), 2 + 5 + 1);
    check(&game);
}

#[test]
fn a_hero_takes_the_damage_of_the_counters() {
    let mut layout = position(Start::Adventure(Some(P1)), dungeon(&["Golem Factory"]), &[]);
    layout.seats[0].entrance = vec![hero(6)];
    layout.pieces = vec![with_counters(P1, 0, 4)];
    let mut game = lay_out(&layout);
    pass_until(&mut game, |game| game.souls(P1) == 1);
    assert_eq!(game.wounds(P1), 0);
}

#[test]
fn counters_and_coins_are_lost_with_a_destroyed_room() {
    let stacks = dungeon(&["Golem Factory", "The Crushinator"]);
    let mut layout = position(window(Phase::Build), stacks, &[]);
    layout.pieces = vec![Pieces { coins: 2, ..with_counters(P1, 0, 3) }];
    let mut game = lay_out(&layout);
    use_card(&mut game, "The Crushinator");
    pass_until(&mut game, |game| place(game, "Golem Factory") == Place::DISCARD);
    let factory = the(&game, "Golem Factory");
    assert_eq!((game.state.marks(factory).counters, game.state.marks(factory).coins), (0, 0));
    assert_eq!(game.coins(P1), 0);
}

#[test]
fn counters_are_lost_when_the_room_is_built_over_not_when_a_card_is_placed_on_it() {
    let mut layout = position(Start::Build(Some(P1)), dungeon(&["Golem Factory"]), &["Open Grave"]);
    layout.pieces = vec![with_counters(P1, 0, 2)];
    let mut game = lay_out(&layout);
    give(&mut game, |_, action| matches!(action, Action::Build { spot, .. } if spot.slot() == 0));
    assert_eq!(counters(&game, "Golem Factory"), 2);
    assert_eq!(game.room_damage(the(&game, "Golem Factory")), 0);
    pass_until(&mut game, |game| !game.is_facedown(the(game, "Open Grave")));
    assert_eq!(counters(&game, "Golem Factory"), 0);
    assert_eq!(counters(&game, "Open Grave"), 0);
}

#[test]
fn in_classic_a_deactivated_room_loses_its_counters_and_coins() {
    let mut layout = position(window(Phase::Build), dungeon(&["Golem Factory"]), &["Freeze"]);
    layout.pieces = vec![Pieces { coins: 1, ..with_counters(P1, 0, 2) }];
    let mut game = lay_out(&layout);
    let factory = the(&game, "Golem Factory");
    use_card(&mut game, "Freeze");
    pass_until(&mut game, |game| game.is_deactivated(factory));
    assert_eq!((game.state.marks(factory).counters, game.state.marks(factory).coins), (0, 0));
    pass_until(&mut game, |game| !game.is_deactivated(factory));
    assert_eq!(game.room_damage(factory), 2);
}

// ---- tokens (14.4) ----

#[test]
fn a_token_changes_health_while_the_hero_is_in_play() {
    for (token, dies) in [(1, false), (-1, true), (0, true)] {
        let mut layout = position(Start::Adventure(Some(P1)), dungeon(&["Beast Menagerie"]), &["Freeze"]);
        layout.seats[0].entrance = vec![hero(4)];
        layout.pieces = vec![Pieces { token, ..Pieces::on(On::Entrance(P1, 0)) }];
        let mut game = lay_out(&layout);
        let id = game.state.pile(Place::entrance(P1)).next().expect("it waits");
        assert_eq!(game.hero_health(id), 4 + i32::from(token));
        pass_until(&mut game, |game| game.state.card(id).place == Place::scoring(P1));
        assert_eq!(game.souls(P1) == 1, dies, "token {token}");
        assert_eq!(game.state.marks(id).token, 0);
    }
}

#[test]
fn a_hero_sent_to_town_keeps_its_token_and_its_item() {
    let mut layout = position(window(Phase::Adventure), dungeon(&["Golem Factory"]), &["Fear"]);
    layout.walker = Some(Walker { def: hero(8), seat: P1, stack: 0, damage: 2 });
    layout.pieces = vec![Pieces { token: 2, ..with_attached(On::Walker, "Soul Harvest", 0) }];
    let mut game = lay_out(&layout);
    let id = game.state.pile(Place::inside(P1)).next().expect("it walks");
    assert_eq!(game.owner(the(&game, "Soul Harvest")), P1);
    use_card(&mut game, "Fear");
    pass_until(&mut game, |game| game.state.card(id).place == Place::TOWN);
    assert_eq!(game.hero_health(id), 8 + 2);
    assert_eq!(game.host(the(&game, "Soul Harvest")), Some(id));
    assert!(!game.owner(the(&game, "Soul Harvest")).exists());
}

// ---- items (8.4) ----

#[test]
fn the_killer_claims_the_item_of_a_hero_face_up_and_a_surviving_hero_leaves_it_face_down() {
    for (health, dies) in [(4, true), (11, false)] {
        let mut layout = position(Start::Adventure(Some(P1)), dungeon(&["Beast Menagerie"]), &[]);
        layout.seats[0].entrance = vec![hero(health)];
        layout.pieces = vec![with_attached(On::Entrance(P1, 0), "Soul Harvest", 0)];
        let mut game = lay_out(&layout);
        let item = the(&game, "Soul Harvest");
        pass_until(&mut game, |game| game.host(item).is_none());
        assert_eq!(game.state.card(item).place, Place::scoring(P1));
        assert_eq!(game.is_facedown(item), !dies);
        // The item itself counts nothing; a hero of 11 health is an epic one.
        assert_eq!((game.souls(P1), game.wounds(P1)), if dies { (1, 0) } else { (0, 2) });
    }
}

#[test]
fn a_hero_killed_in_town_leaves_its_item_to_the_killer() {
    let mut layout = position(Start::Reveal, dungeon(&["Golem Factory"; 4]), &[]);
    layout.seats[0].dungeon.push(vec![RoomPosition { facedown: true, ..room("Open Grave") }]);
    layout.seats[0].bosses = vec![def("Gorgona, Queen of Medusia")];
    layout.seats[1].bosses = vec![def("Robobo, Angry Golem")];
    layout.town = vec![hero(4)];
    layout.pieces = vec![with_attached(On::Town(0), "Soul Harvest", 0)];
    let game = lay_out(&layout);
    assert_eq!(place(&game, "Soul Harvest"), Place::scoring(P1));
    assert!(!game.is_facedown(the(&game, "Soul Harvest")));
}

// ---- minibosses (16.4) ----

#[test]
fn a_room_built_over_a_miniboss_takes_it_on() {
    let mut layout = position(Start::Build(Some(P1)), dungeon(&["Golem Factory"]), &["Open Grave"]);
    layout.pieces = vec![with_attached(On::Room(P1, 0), "Witch's Kitchen", 2)];
    let mut game = lay_out(&layout);
    let miniboss = the(&game, "Witch's Kitchen");
    assert_eq!(game.host(miniboss), Some(the(&game, "Golem Factory")));
    give(&mut game, |_, action| matches!(action, Action::Build { spot, .. } if spot.slot() == 0));
    pass_until(&mut game, |game| !game.is_facedown(the(game, "Open Grave")));
    assert_eq!(game.host(miniboss), Some(the(&game, "Open Grave")));
    assert_eq!(level(&game, miniboss), 2);
    assert_eq!(game.owner(miniboss), P1);
}

fn level(game: &Game, miniboss: CardId) -> u8 {
    let host = game.host(miniboss).expect("it is attached");
    let attached = game.state.attached_to(host).find(|attachment| attachment.card == miniboss);
    attached.expect("it goes with its host").level
}

#[test]
fn a_miniboss_goes_to_the_uncovered_room_and_is_discarded_with_the_last_one() {
    let stacks = vec![vec![room("Golem Factory"), room("Open Grave")], vec![room("The Crushinator")]];
    let mut layout = position(window(Phase::Build), stacks, &[]);
    layout.pieces = vec![with_attached(On::Room(P1, 0), "Witch's Kitchen", 1)];
    let mut game = lay_out(&layout);
    let miniboss = the(&game, "Witch's Kitchen");
    use_card(&mut game, "The Crushinator");
    pass_until(&mut game, |game| place(game, "Golem Factory") == Place::DISCARD);
    assert_eq!(game.host(miniboss), Some(the(&game, "Open Grave")));
    use_card(&mut game, "The Crushinator");
    pass_until(&mut game, |game| place(game, "Open Grave") == Place::DISCARD);
    assert_eq!((game.host(miniboss), game.state.card(miniboss).place), (None, Place::DISCARD));
}

#[test]
fn a_miniboss_moves_with_its_stack() {
    let mut stacks = dungeon(&["Golem Factory", "Open Grave"]);
    stacks.insert(0, vec![RoomPosition { facedown: true, ..room("Centipede Tunnel") }]);
    let mut layout = position(Start::Reveal, stacks, &[]);
    layout.pieces = vec![with_attached(On::Room(P1, 1), "Witch's Kitchen", 1)];
    let mut game = lay_out(&layout);
    let (factory, grave) = (the(&game, "Golem Factory"), the(&game, "Open Grave"));
    give(&mut game, |_, action| action == Action::Yes);
    pick(&mut game, factory);
    pick(&mut game, grave);
    assert_eq!(game.state.slots(P1)[..2], [factory, grave]);
    assert_eq!(game.host(the(&game, "Witch's Kitchen")), Some(factory));
}

#[test]
fn an_eliminated_player_takes_attached_cards_out_of_the_game() {
    let mut layout = position(Start::End, dungeon(&["Golem Factory"]), &[]);
    let seats = [P1, P2, Seat(2)];
    layout.rules = Rules::classic(3);
    layout.seats.push(SeatPosition::default());
    layout.seats[0].wounds = vec![hero(4); 5];
    layout.pieces = vec![Pieces { coins: 3, ..with_attached(On::Room(P1, 0), "Witch's Kitchen", 1) }];
    let game = lay_out(&layout);
    assert_eq!(seats.map(|seat| game.state.in_game(seat)), [false, true, true]);
    assert_eq!(place(&game, "Witch's Kitchen"), Place::REMOVED);
    assert_eq!(game.state.marks(the(&game, "Golem Factory")).coins, 0);
}

#[test]
fn nothing_is_attached_to_what_is_attached_or_not_in_play() {
    let mut layout = position(window(Phase::Build), dungeon(&["Golem Factory"]), &["Freeze"]);
    layout.pieces = vec![with_attached(On::Room(P1, 0), "Witch's Kitchen", 1)];
    let mut game = lay_out(&layout);
    let (freeze, factory) = (the(&game, "Freeze"), the(&game, "Golem Factory"));
    let miniboss = the(&game, "Witch's Kitchen");
    let before = game.state.clone();
    for (card, host) in [(freeze, miniboss), (factory, freeze), (factory, factory)] {
        assert!(game.edit(Edit::Attach { card, host, level: 1 }).is_err());
        assert!(game.state == before);
    }
    game.edit(Edit::SetLevel { card: miniboss, level: 3 }).expect("it is attached");
    assert_eq!(level(&game, miniboss), 3);
    game.edit(Edit::Detach { card: miniboss, to: Place::DISCARD }).expect("it is attached");
    assert!(game.host(miniboss).is_none());
    assert!(game.edit(Edit::SetLevel { card: miniboss, level: 1 }).is_err());
    check(&game);
}

// ---- coins ----

#[test]
fn coins_are_paid_in_full_or_not_at_all() {
    let mut layout = position(window(Phase::Build), dungeon(&["Golem Factory"]), &[]);
    layout.seats[0].coins = 3;
    layout.pieces = vec![Pieces { coins: 2, ..Pieces::on(On::Room(P1, 0)) }];
    let mut game = lay_out(&layout);
    assert_eq!((game.coins(P1), game.coins(P2)), (3, 0));
    game.edit(Edit::Pay { seat: P1, coins: 1 }).expect("three are there");
    assert!(game.edit(Edit::Pay { seat: P1, coins: 3 }).is_err());
    assert_eq!(game.coins(P1), 2);
    let factory = the(&game, "Golem Factory");
    game.edit(Edit::CollectCoins { card: factory, seat: P2 }).expect("two lie there");
    game.edit(Edit::GainCoins { seat: P2, coins: 1 }).expect("there is always a coin");
    assert_eq!((game.coins(P1), game.coins(P2)), (2, 3));
    assert_eq!(game.state.marks(factory).coins, 0);
    check(&game);
}

#[test]
fn a_die_shows_every_side() {
    let mut game = lay_out(&position(window(Phase::Build), Vec::new(), &["Freeze"]));
    assert_eq!(game.state.last_roll(), None);
    let mut seen = [false; 6];
    for _ in 0..200 {
        game.edit(Edit::Roll { sides: 6 }).expect("a die can always be rolled");
        seen[usize::from(game.state.last_roll().expect("it was rolled")) - 1] = true;
    }
    assert_eq!(seen, [true; 6]);
}

// ---- views, bytes, copies ----

/// A game with a little of everything.
fn crowded() -> Game<'static> {
    let mut layout = position(window(Phase::Build), dungeon(&["Golem Factory", "Open Grave"]), &["Freeze"]);
    layout.town = vec![hero(4)];
    layout.seats[0].coins = 300;
    let facedown = Some(P1);
    let miniboss = Attached { def: def("Witch's Kitchen"), level: 0, facedown, new: false };
    layout.pieces = vec![
        Pieces { token: -2, coins: 1, ..with_attached(On::Town(0), "Soul Harvest", 0) },
        Pieces { attached: Some(miniboss), ..with_counters(P1, 1, 2) },
    ];
    let mut game = lay_out(&layout);
    game.edit(Edit::Roll { sides: 6 }).expect("a die can always be rolled");
    game
}

#[test]
fn everybody_sees_what_lies_on_the_table_but_not_a_card_face_down() {
    let game = crowded();
    let (miniboss, item) = (the(&game, "Witch's Kitchen"), the(&game, "Soul Harvest"));
    for viewer in [Some(P1), Some(P2), None] {
        let view = game.view(viewer);
        let state = view.state();
        assert_eq!(state.card(item).def, game.def_id(item));
        assert_eq!(state.card(miniboss).def == game.def_id(miniboss), viewer == Some(P1));
        assert_eq!(state.host(miniboss), game.host(miniboss));
        assert_eq!(state.coins(P1), 300);
        for card in game.state.card_ids() {
            assert_eq!(state.marks(card), game.state.marks(card));
        }
        for seed in 0..20 {
            let sample = view.sample(seed);
            check(&sample);
            assert!(sample.view(viewer) == view);
        }
    }
}

#[test]
fn bytes_keep_everything() {
    let game = crowded();
    let bytes = game.state.to_bytes();
    let again = State::from_bytes(&DB, &bytes).unwrap_or_else(|error| panic!("{error}"));
    assert!(again == game.state);
    assert_eq!(again.last_roll(), game.state.last_roll());
    let mut other = game.clone();
    other.edit(Edit::GainCoins { seat: P2, coins: 1 }).expect("there is always a coin");
    assert!(other.state != game.state && other.state.fingerprint() != game.state.fingerprint());
}

#[test]
fn bytes_of_another_layout_are_refused_as_such() {
    let mut bytes = crowded().state.to_bytes();
    bytes[0] = bytes[0].wrapping_sub(1);
    let error = State::from_bytes(&DB, &bytes).expect_err("it is another layout");
    assert!(error.to_string().contains("layout"), "{error}");
}

/// However much larger or smaller the previous game was.
#[test]
fn a_copy_over_another_game_is_that_game() {
    let (small, usual, six) = (crowded(), common::game(1, &mut ()), common::mixed_game(4, &mut ()));
    assert_eq!(six.state.rules().players, 6);
    let games = [&small, &usual, &six];
    for from in games {
        for over in games {
            let mut copy = over.clone();
            copy.clone_from(from);
            assert!(copy.state == from.state);
            check(&copy);
            assert_eq!(copy.state.to_bytes(), from.state.to_bytes());
            let mut actions = Actions::new();
            copy.legal(&mut actions);
            let mut expected = Actions::new();
            from.legal(&mut expected);
            assert_eq!(actions[..], expected[..]);
        }
    }
}

// ---- 1,024 cards ----

/// The box with extra rooms, so that the game has this number of cards.
fn box_of(cards: usize) -> CardDb {
    let mut db = cards::library::base();
    let rules = Rules::classic(4);
    let count = |db: &CardDb| engine::setup::contents(db, &rules).count();
    let mut more = cards - count(&db);
    let rooms: Vec<DefId> = db.cards().filter(|(_, def)| def.kind == Kind::Room).map(|(id, _)| id).collect();
    for id in rooms {
        let added = more.min(usize::from(u8::MAX - db.defs[id.index()].copies));
        db.defs[id.index()].copies += added as u8;
        more -= added;
    }
    assert_eq!(count(&db), cards);
    db
}

#[test]
fn a_game_can_have_1_024_cards_and_no_more() {
    let db = box_of(1024);
    let mut dice = common::Dice::new(5);
    let mut actions = Actions::new();
    for seed in 0..6 {
        let mut game = Game::new(&db, Rules::classic(4), common::key(seed), &mut ()).expect("they fit");
        assert_eq!(game.state.card_count(), 1024);
        while game.decision().is_some() {
            game.legal(&mut actions);
            let action = dice.pick_eager(&actions);
            let mut copy = common::game(seed, &mut ());
            copy.db = &db;
            copy.clone_from(&game);
            copy.apply(action, &mut ()).expect("it is legal");
            game.apply(action, &mut ()).expect("it is legal");
            assert!(copy.state == game.state);
        }
        check(&game);
        let bytes = game.state.to_bytes();
        assert!(State::from_bytes(&db, &bytes).is_ok_and(|state| state == game.state));
    }
    let db = box_of(1025);
    let refused = Game::new(&db, Rules::classic(4), common::key(1), &mut ());
    assert!(refused.is_err_and(|error| error.to_string().contains("at most 1024")));
}
