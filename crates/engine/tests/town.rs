//! Super Boss Monster beyond what scenarios can show: deep stacks, and what everybody sees.

mod common;

use cards::library;
use common::{Dice, super_game};
use engine::position::{Position, SeatPosition, Start};
use engine::{Action, Actions, Game, Phase, Place, Question, Rules, Ruleset, Seat, Zone};

/// Rule 4.6: answers on answers, twelve deep; then nobody can add another until one has taken effect.
#[test]
fn answers_on_answers_twelve_deep_do_not_break_the_stack() {
    let db = library::builtin();
    let card = |name: &str| db.find(name)[0];
    let seat = |boss: &str| SeatPosition {
        bosses: vec![card(boss)],
        hand: vec![card("Stealth"); 10],
        ..SeatPosition::default()
    };
    let start = Start::Window { phase: Phase::Build, active: Seat(0), asked: Seat(0) };
    let mut rules = Rules::new(Ruleset::Super, 2);
    rules.last_turn = 1;
    let seats = vec![seat("Count Chompchest"), seat("Chuck Knuckle")];
    let mut game =
        Game::from_position(&db, &Position::bare(rules, seats, start), &mut ()).expect("it is legal");
    let mut actions = Actions::new();
    let mut deepest = 0;
    // Everybody answers as long as possible. The active player's Stealth forbids the others' spells once it has
    // taken effect, not while it waits.
    while game.state.phase() == Phase::Build {
        let Some(decision) = game.decision() else { break };
        game.legal(&mut actions);
        let waiting = game.state.pending().len();
        deepest = deepest.max(waiting);
        let cast = actions.iter().copied().find(|action| matches!(action, Action::Use { .. }));
        assert!(waiting < 12, "{:?} could declare a thirteenth action", decision.seat);
        // The first to be asked passes now and then, so that both players add to the stack.
        let answers = decision.seat == Seat(1) || game.state.decisions().is_multiple_of(2);
        let action = cast.filter(|_| answers).unwrap_or(Action::Pass);
        game.apply(action, &mut ()).expect("it is legal");
        game.state.check(&db).expect("the state stays whole");
    }
    // Nobody can answer the twelfth, so it takes effect at once: a player is asked with eleven waiting at most.
    assert_eq!(deepest, 11);
    assert_eq!(game.state.pile_len(Place::PENDING), 0);
    assert!(game.state.pending().is_empty());
}

/// Everything about the town board is public: market, landmarks, minions, and what was drafted.
#[test]
fn the_town_board_is_the_same_for_everybody() {
    let mut drafts = 0;
    for seed in 0..64 {
        let mut dice = Dice::new(seed);
        let mut game = super_game(seed, &mut ());
        let mut actions = Actions::new();
        while let Some(decision) = game.decision() {
            let players = game.state.rules().players;
            for viewer in (0..players).map(|seat| Some(Seat(seat))).chain([None]) {
                let view = game.view(viewer);
                for place in [Place::MARKET, Place::LANDMARK] {
                    let seen =
                        view.state().pile(place).all(|card| view.table().def_id(card) == game.def_id(card));
                    assert!(seen, "game {seed}: {viewer:?} does not see {place:?}");
                }
                (0..players).map(Seat).for_each(|seat| {
                    assert_eq!(view.state().minion(seat), game.state.minion(seat));
                });
            }
            game.legal(&mut actions);
            let action = dice.pick_eager(&actions);
            let drafted = match action {
                Action::Pick(r) if decision.question == Question::Draft => r.as_card(),
                _ => None,
            };
            game.apply(action, &mut ()).expect("it is legal");
            if let Some(card) = drafted {
                drafts += 1;
                assert_eq!(game.state.card(card).place.zone(), Zone::Hand);
                assert!(game.has_seen(card, None), "game {seed}: a drafted card was seen by all");
            }
        }
    }
    assert!(drafts > 500, "only {drafts} cards were drafted");
}
