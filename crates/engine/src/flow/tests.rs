//! Single values of an edition, tested in combinations that no available ruleset has yet.

use cards::code::DefId;
use cards::{CardDb, library, load};

use crate::flow::classic::CLASSIC;
use crate::flow::edition::*;
use crate::flow::rules::{RULESETS, Ruleset, VARIANTS};
use crate::position::{Position, RoomPosition, SeatPosition, Start, Walker};
use crate::setup::PLAYERS;
use crate::{
    Action, Actions, CardId, Ending, Event, Game, Phase, Place, Question, Rules, Seat, SetupError, What,
};

const CARDS: &str = r#"set H "House"
boss "Low"
  -  xp 100  house

boss "Middle"
  -  xp 200  house

boss "Twin"
  -  xp 200  house

boss "High"
  -  xp 300  house

room "Cell" x9
  -  trap  damage 0  mage  house

room "Pitfall" x3
  -  trap  damage 0  mage  house
  ability
    target h = hero in this
    cost destroy this
    kill h

spell "Slay" x3
  -  adventure  house
  play
    target h = hero in dungeon of any
    kill h

spell "Rescue" x3
  -  adventure  house
  play
    target h = hero in dungeon of any
    move h to town

spell "Denial" x3
  -  build adventure  house
  play
    target s = spell in pending of any
    cancel s

spell "Dread" x3
  -  build  house
  play
    target h = hero in town
    until end of turn: forbid h lured

hero "Wanderer" x12
  -  mage  health 4  star  house

epic "Giant" x2
  -  mage  health 11  star  house
"#;

const P1: Seat = Seat(0);
const P2: Seat = Seat(1);
const P3: Seat = Seat(2);

/// Everything that Classic does not have, at once.
const OTHER: Edition = Edition {
    least_players: 1,
    most_players: 6,
    bosses_dealt: 2,
    player_order: PlayerOrder::Clockwise,
    priority: Priority::LastInFirstOut,
    souls_to_win: Some(10),
    contest: Contest::Everybody,
    wounds_to_lose: None,
    last_hero: LastHero::Revealed,
    tie_break: TieBreak::HighestXp,
    ..CLASSIC
};

fn db() -> CardDb {
    let set = load("house.cards", CARDS).unwrap_or_else(|errors| panic!("{errors}")).0;
    CardDb::build(&[set]).unwrap_or_else(|error| panic!("{error}"))
}

fn def(db: &CardDb, name: &str) -> DefId {
    let found = db.cards().find(|(_, def)| def.face.name == name);
    found.unwrap_or_else(|| panic!("there is no {name}")).0
}

fn seat(db: &CardDb, boss: &str, dungeon: &[&str], hand: &[&str]) -> SeatPosition {
    let room = |name: &&str| {
        let room = def(db, name);
        vec![RoomPosition { def: room, deactivated: false, facedown: false, used: false }]
    };
    SeatPosition {
        bosses: vec![def(db, boss)],
        dungeon: dungeon.iter().map(room).collect(),
        hand: hand.iter().map(|name| def(db, name)).collect(),
        ..SeatPosition::default()
    }
}

/// A window of the active player, with the hero in the first room.
fn in_window<'a>(db: &'a CardDb, edition: Edition, seats: Vec<SeatPosition>, active: Seat) -> Game<'a> {
    let mut rules = Rules::by_hand(edition, seats.len() as u8);
    rules.last_turn = 1;
    let start = Start::Window { phase: Phase::Adventure, active, asked: active };
    let mut position = Position::bare(rules, seats, start);
    position.walker = Some(Walker { def: def(db, "Wanderer"), seat: active, stack: 0, damage: 0 });
    Game::from_position(db, &position, &mut ()).unwrap_or_else(|error| panic!("{error}"))
}

fn asked(game: &Game) -> Option<Seat> {
    game.decision().map(|decision| decision.seat)
}

/// Plays the card of this name, which must be the only answer with that name.
fn play(game: &mut Game, who: Seat, name: &str) -> Vec<Event> {
    assert_eq!(asked(game), Some(who), "asked for {name}");
    let mut actions = Actions::new();
    game.legal(&mut actions);
    let is_it = |action: &Action| matches!(action, Action::Use { card, .. } if game.name(*card) == name);
    let action = actions.iter().copied().find(is_it).unwrap_or_else(|| panic!("{name}: {actions:?}"));
    answer(game, action)
}

fn pass(game: &mut Game, who: Seat) -> Vec<Event> {
    assert_eq!(asked(game), Some(who), "asked to pass");
    answer(game, Action::Pass)
}

fn answer(game: &mut Game, action: Action) -> Vec<Event> {
    let mut events = Vec::new();
    game.apply(action, &mut events).unwrap_or_else(|error| panic!("{error}"));
    game.state.check(game.db).unwrap_or_else(|error| panic!("{error}"));
    events
}

#[test]
fn rule_4_6_the_last_action_declared_takes_effect_first() {
    let db = db();
    let table = |priority| {
        let seats = vec![seat(&db, "High", &["Cell"], &["Slay"]), seat(&db, "Low", &[], &["Rescue"])];
        let mut game = in_window(&db, Edition { priority, ..CLASSIC }, seats, P1);
        play(&mut game, P1, "Slay");
        game
    };
    // The active player's action takes effect at once: the hero is dead before anyone can answer.
    let game = table(Priority::ActiveFirst);
    assert_eq!(game.souls(P1), 1);
    // On a stack it waits for the answer, which comes first, and its target is gone.
    let mut game = table(Priority::LastInFirstOut);
    assert_eq!((game.souls(P1), game.state.pending().len()), (0, 1));
    play(&mut game, P2, "Rescue");
    assert_eq!((game.souls(P1), game.wounds(P1), game.state.pile_len(Place::TOWN)), (0, 0, 1));
}

#[test]
fn rule_4_6_all_may_answer_from_the_active_player_clockwise_who_acted_included() {
    let db = db();
    let two = &["Slay", "Rescue"];
    let seats = ["Low", "High", "Middle"].map(|boss| seat(&db, boss, &["Cell"], two)).to_vec();
    let mut game = in_window(&db, OTHER, seats, P2);
    for who in [P2, P3, P1] {
        assert_eq!(asked(&game), Some(who));
        pass(&mut game, who);
        if who == P3 {
            break;
        }
    }
    play(&mut game, P1, "Slay");
    for who in [P2, P3, P1] {
        assert_eq!(game.state.pending().len(), 1);
        pass(&mut game, who);
    }
    assert_eq!(game.souls(P2), 1, "the dungeon's owner gets the soul");
}

#[test]
fn rule_4_6_after_one_action_of_the_stack_the_rest_can_be_answered() {
    let db = db();
    let seats = vec![seat(&db, "High", &["Cell"], &["Slay"]), seat(&db, "Low", &[], &["Denial", "Denial"])];
    let mut game = in_window(&db, OTHER, seats, P1);
    play(&mut game, P1, "Slay");
    // A cancel of a cancel: the newest counts, and the spell beneath is not cancelled.
    play(&mut game, P2, "Denial");
    let mut actions = Actions::new();
    game.legal(&mut actions);
    assert_eq!(asked(&game), Some(P2));
    play(&mut game, P2, "Denial");
    let mut picks = Actions::new();
    game.legal(&mut picks);
    assert_eq!(picks.len(), 2, "either spell can be cancelled: {picks:?}");
    let denial = picks.iter().find(
        |pick| matches!(pick, Action::Pick(r) if r.as_card().is_some_and(|card| game.name(card) == "Denial")),
    );
    let denial = *denial.expect("the first Denial");
    answer(&mut game, denial);
    assert_eq!(game.souls(P1), 1, "the second Denial cancelled the first");
    assert!(game.state.pending().is_empty());
}

#[test]
fn rule_4_6_a_hero_leaves_a_destroyed_room_when_the_stack_is_empty() {
    let db = db();
    let seats = vec![seat(&db, "High", &["Pitfall", "Cell"], &[]), seat(&db, "Low", &[], &["Rescue"])];
    let mut game = in_window(&db, OTHER, seats, P1);
    let declared = play(&mut game, P1, "Pitfall");
    assert!(!declared.iter().any(|event| event.what == What::Enters), "{declared:?}");
    pass(&mut game, P2);
    assert_eq!((game.souls(P1), game.wounds(P1)), (1, 0), "who destroys the room acts on the hero in it");
}

/// Who is active in the Build phase of each turn, with nothing to do.
fn active_players(edition: Edition, turns: u16) -> Vec<Vec<Seat>> {
    let db = db();
    let seats = ["Low", "High", "Middle"].map(|boss| seat(&db, boss, &[], &[])).to_vec();
    let mut rules = Rules::by_hand(edition, 3);
    rules.last_turn = turns;
    let mut position = Position::bare(rules, seats, Start::Begin);
    position.hero_deck = vec![def(&db, "Wanderer"); 20];
    let mut events: Vec<Event> = Vec::new();
    let game = Game::from_position(&db, &position, &mut events).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.outcome().map(|outcome| outcome.reason), Some(Ending::Stopped));
    let mut found = Vec::new();
    let mut phase = Phase::Setup;
    for event in events {
        match event.what {
            What::PhaseBegins { phase: begins } => {
                phase = begins;
                if phase == Phase::Build {
                    found.push(Vec::new());
                }
            }
            What::PlayerBegins if phase == Phase::Build => {
                found.last_mut().expect("a turn").push(event.actor)
            }
            _ => {}
        }
    }
    found
}

#[test]
fn rule_4_1_player_order_is_by_xp_or_from_the_first_player_clockwise() {
    let by_xp = [P2, P3, P1].to_vec();
    assert_eq!(active_players(CLASSIC, 3), [by_xp.clone(), by_xp.clone(), by_xp.clone()]);
    let clockwise = Edition { player_order: PlayerOrder::Clockwise, ..CLASSIC };
    let expected = [vec![P2, P3, P1], vec![P3, P1, P2], vec![P1, P2, P3], vec![P2, P3, P1]];
    assert_eq!(active_players(clockwise, 4), expected);
}

/// Who wins at the end of a turn, with these souls and wounds and no hero left to come.
fn winner(edition: Edition, bosses: &[&str], points: &[(usize, usize)]) -> Option<(Seat, Ending)> {
    let db = db();
    let heroes = |n| vec![def(&db, "Wanderer"); n];
    let seats: Vec<SeatPosition> = bosses
        .iter()
        .zip(points)
        .map(|(boss, (souls, wounds))| SeatPosition {
            souls: heroes(*souls),
            wounds: heroes(*wounds),
            ..seat(&db, boss, &[], &[])
        })
        .collect();
    let mut rules = Rules::by_hand(edition, seats.len() as u8);
    rules.last_turn = 1;
    let mut position = Position::bare(rules, seats, Start::End);
    position.town = heroes(1);
    let game = Game::from_position(&db, &position, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    game.outcome().map(|outcome| (outcome.winner, outcome.reason))
}

#[test]
fn rules_11_3_and_14_8_ties_are_broken_by_the_lowest_or_by_the_highest_xp() {
    let end = Edition { last_hero: LastHero::Revealed, ..CLASSIC };
    let by = |tie_break| Edition { tie_break, ..end };
    let bosses = &["Middle", "High", "Low"];
    let tied = &[(4, 1), (4, 1), (4, 1)];
    assert_eq!(winner(by(TieBreak::LowestXp), bosses, tied), Some((P3, Ending::Stalled)));
    assert_eq!(winner(by(TieBreak::HighestXp), bosses, tied), Some((P2, Ending::Stalled)));
    // Equal XP: the earlier in the order of the deal has the higher place (14.1).
    let twins = &["Low", "Twin", "Middle"];
    assert_eq!(winner(by(TieBreak::HighestXp), twins, tied), Some((P2, Ending::Stalled)));
    let best = &[(4, 1), (4, 1), (5, 1)];
    assert_eq!(winner(by(TieBreak::HighestXp), bosses, best), Some((P3, Ending::Stalled)));
}

#[test]
fn rule_11_6_without_elimination_the_best_score_wins_when_somebody_has_ten_souls() {
    let bosses = &["High", "Low"];
    let points = &[(10, 5), (9, 1)];
    assert_eq!(winner(CLASSIC, bosses, points), Some((P2, Ending::LastStanding)));
    assert_eq!(winner(OTHER, bosses, points), Some((P2, Ending::Compared)));
    assert_eq!(winner(OTHER, bosses, &[(10, 5), (9, 6)]), Some((P1, Ending::Compared)));
    // Five wounds alone do not end the game.
    let goes_on = Edition { last_hero: LastHero::Settled, ..OTHER };
    assert_eq!(winner(goes_on, bosses, &[(3, 7), (3, 0)]).map(|(_, ending)| ending), Some(Ending::Stalled));
}

#[test]
fn rule_11_6_the_game_ends_with_the_hero_decks_though_heroes_are_in_town() {
    let db = db();
    for (last_hero, ending) in [(LastHero::Revealed, Ending::Stalled), (LastHero::Settled, Ending::Stopped)] {
        let seats = ["High", "Low"].map(|boss| seat(&db, boss, &["Cell"], &[])).to_vec();
        let mut rules = Rules::by_hand(Edition { last_hero, ..CLASSIC }, 2);
        rules.last_turn = 1;
        let mut position = Position::bare(rules, seats, Start::End);
        position.seats[0].entrance = vec![def(&db, "Wanderer")];
        let game = Game::from_position(&db, &position, &mut ()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(game.outcome().map(|outcome| outcome.reason), Some(ending), "{last_hero:?}");
    }
}

#[test]
fn two_bosses_are_dealt_and_one_is_kept() {
    let db = db();
    let rules = Rules::by_hand(Edition { bosses_dealt: 2, ..CLASSIC }, 2);
    let mut game = Game::new(&db, rules, [1; 32], &mut ()).unwrap_or_else(|error| panic!("{error}"));
    for who in [P1, P2] {
        assert_eq!(game.decision().map(|decision| decision.question), Some(Question::KeepBoss));
        let mut actions = Actions::new();
        game.legal(&mut actions);
        assert_eq!((asked(&game), actions.len()), (Some(who), 2));
        answer(&mut game, actions[1]);
    }
    assert_eq!(game.state.pile_len(Place::REMOVED), 2);
    assert_eq!(
        Game::new(&db, Rules::by_hand(Edition { bosses_dealt: 2, ..CLASSIC }, 3), [1; 32], &mut ()).err(),
        Some(SetupError::Bosses { players: 3, needed: 6, there: 4 })
    );
}

#[test]
fn a_hero_that_cannot_be_lured_is_expected_to_stay_whoever_leads() {
    let db = db();
    // With a second spell the player is asked again, and the phase is not over at once.
    let hand = &["Dread", "Dread"];
    let seats = vec![seat(&db, "High", &["Cell", "Cell"], hand), seat(&db, "Low", &["Cell"], &[])];
    let mut rules = Rules::by_hand(CLASSIC, 2);
    rules.last_turn = 1;
    let start = Start::Window { phase: Phase::Build, active: P1, asked: P1 };
    let mut position = Position::bare(rules, seats, start);
    position.town = vec![def(&db, "Wanderer"), def(&db, "Wanderer")];
    let mut game = Game::from_position(&db, &position, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    let town: Vec<CardId> = game.state.pile(Place::TOWN).collect();
    let [feared, other] = town[..] else { panic!("{town:?}") };
    assert_eq!([feared, other].map(|hero| game.lured_to(hero)), [Some(P1), Some(P1)]);
    play(&mut game, P1, "Dread");
    let target = Action::Pick(game.state.ref_of(feared));
    answer(&mut game, target);
    assert_eq!([feared, other].map(|hero| game.lured_to(hero)), [None, Some(P1)]);
    let mut events = Vec::new();
    while game.state.phase() == Phase::Build
        && let Some(who) = asked(&game)
    {
        events.extend(pass(&mut game, who));
    }
    let stay = events.iter().filter(|event| matches!(event.what, What::StaysInTown { .. }));
    let stay: Vec<CardId> = stay.filter_map(|event| event.card).map(|shown| shown.card).collect();
    assert_eq!(stay, [feared], "the Bait phase agrees");
}

#[test]
fn a_turn_has_the_phases_of_its_edition_and_brings_what_it_says() {
    let db = db();
    let phases = [Phase::Begin, Phase::Bait, Phase::Adventure, Phase::End];
    let edition = Edition {
        phases: Phases::new(&phases),
        arrivals: Arrivals::InAll(3),
        rooms_drawn: 2,
        least_players: 1,
        ..CLASSIC
    };
    let mut rules = Rules::by_hand(edition, 1);
    rules.last_turn = 1;
    let mut position = Position::bare(rules, vec![seat(&db, "High", &[], &[])], Start::Begin);
    position.hero_deck = vec![def(&db, "Wanderer"); 5];
    position.room_deck = vec![def(&db, "Cell"); 5];
    let mut events: Vec<Event> = Vec::new();
    let game = Game::from_position(&db, &position, &mut events).unwrap_or_else(|error| panic!("{error}"));
    let begun = events.iter().filter_map(|event| match event.what {
        What::PhaseBegins { phase } => Some(phase),
        _ => None,
    });
    assert_eq!(begun.collect::<Vec<_>>(), phases);
    assert_eq!((game.state.pile_len(Place::TOWN), game.state.hand(P1).count()), (3, 2));
}

/// A real box under rules it was not made for, played at random to the end.
#[test]
fn random_games_by_other_values_keep_the_state_sound() {
    let db = library::base();
    for seed in 0..40u8 {
        let players = 2 + seed % 3;
        let bait_ties = if seed % 2 == 0 { BaitTies::Split } else { BaitTies::Stay };
        let rules = Rules::by_hand(Edition { bait_ties, ..OTHER }, players);
        let mut game = Game::new(&db, rules, [seed; 32], &mut ()).unwrap_or_else(|error| panic!("{error}"));
        let mut actions = Actions::new();
        let mut dice = u64::from(seed) + 1;
        let mut answers = 0;
        while game.decision().is_some() {
            game.legal(&mut actions);
            dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let action = actions[(dice >> 33) as usize % actions.len()];
            game.apply(action, &mut ()).unwrap_or_else(|error| panic!("game {seed}: {error}"));
            answers += 1;
            if answers % 8 == 0 {
                game.state.check(&db).unwrap_or_else(|error| panic!("game {seed}: {error}"));
            }
            assert!(answers < 5_000, "game {seed} does not end");
        }
        assert!(game.outcome().is_some_and(|outcome| outcome.winner.exists()), "game {seed}");
    }
}

#[test]
fn every_name_is_one_thing_and_every_variant_changes_something() {
    let names: Vec<&str> = RULESETS.iter().map(|row| row.name).collect();
    assert!(names.iter().all(|name| names.iter().filter(|other| *other == name).count() == 1));
    for row in &VARIANTS {
        let plain = Rules::classic(2);
        assert_eq!(row.name.parse(), Ok(row.variant));
        assert_ne!(plain.with(row.variant).edition(), plain.edition(), "{}", row.name);
    }
    assert_eq!("crash".parse(), Ok(Ruleset::Crash));
    assert_eq!(Ruleset::names(), "classic, crash, super, solo and challenge");
}

#[test]
fn player_counts_match_the_rulesets() {
    for players in 0..=9 {
        let by_some = RULESETS.iter().any(|row| {
            let rules = Rules::new(row.ruleset, players);
            let varied = VARIANTS.iter().map(|variant| rules.with(variant.variant));
            varied.chain([rules]).any(|rules| rules.edition().takes(players))
        });
        assert_eq!(PLAYERS.contains(&players), by_some, "{players}");
    }
}

#[test]
fn a_ruleset_asks_for_its_set_and_its_number_of_players() {
    let db = library::base();
    let refused = |players| Game::new(&db, Rules::new(Ruleset::Crash, players), [1; 32], &mut ()).err();
    let error = refused(5).map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("`crash`") && error.contains("CRL"), "{error}");
    let error = refused(4).map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("5 to 6 players, not 4"), "{error}");
}
