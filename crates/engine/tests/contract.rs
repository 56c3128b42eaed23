//! Random games as a contract: whatever happens, these things hold at every step.

mod common;

use std::collections::BTreeMap;

use common::{BOUND, Dice, any_game, game, mixed_game, super_game};
use engine::{Action, Actions, CardId, Ending, Event, Game, Ref, Seat, State, What};

#[test]
fn every_step_of_2_400_random_games_keeps_the_contract() {
    let mut endings = BTreeMap::new();
    for seed in 0..2_400 {
        let mut events = Vec::new();
        play(seed, game(seed, &mut ()), game(seed, &mut events), events, &mut endings);
    }
    for ending in [Ending::Souls, Ending::LastStanding, Ending::AllLost, Ending::Stalled] {
        assert!(endings.contains_key(ending.name()), "no game ended by {ending:?}: {endings:?}");
    }
}

#[test]
fn every_step_of_720_games_of_two_to_six_players_with_mixed_decks_keeps_the_contract() {
    let mut endings = BTreeMap::new();
    for seed in 0..720 {
        let mut events = Vec::new();
        play(seed, mixed_game(seed, &mut ()), mixed_game(seed, &mut events), events, &mut endings);
    }
    for ending in [Ending::Stalled, Ending::Compared] {
        assert!(endings.contains_key(ending.name()), "no game ended by {ending:?}: {endings:?}");
    }
}

#[test]
fn every_step_of_800_games_on_the_town_board_keeps_the_contract() {
    let mut endings = BTreeMap::new();
    for seed in 0..800 {
        let mut events = Vec::new();
        play(seed, super_game(seed, &mut ()), super_game(seed, &mut events), events, &mut endings);
    }
    for ending in [Ending::Compared, Ending::Stalled, Ending::Wounds, Ending::Tavern] {
        assert!(endings.contains_key(ending.name()), "no game ended by {ending:?}: {endings:?}");
    }
}

type Endings = BTreeMap<&'static str, u32>;

/// Plays the same game twice, with and without a log, to its end.
fn play(seed: u64, mut silent: Game, mut logged: Game, mut events: Vec<Event>, endings: &mut Endings) {
    let mut dice = Dice::new(seed);
    let mut actions = Actions::new();
    let mut steps = 0;
    while let Some(decision) = silent.decision() {
        steps += 1;
        assert!(steps < BOUND, "game {seed} does not end");
        silent.legal(&mut actions);
        check_list(seed, &silent, &actions);
        if steps % 7 == 0 {
            refuses_what_is_not_legal(seed, &silent, &actions, &mut dice);
            bytes_round_trip(seed, &silent);
        }
        let action = if seed.is_multiple_of(2) { dice.pick(&actions) } else { dice.pick_eager(&actions) };
        assert!(silent.state.in_game(decision.seat), "game {seed}: an eliminated player is asked");
        silent.apply(action, &mut ()).expect("it is legal");
        logged.apply(action, &mut events).expect("it is legal");
        assert!(silent.state == logged.state, "game {seed}: the log changes the game");
        silent.state.check(silent.db).unwrap_or_else(|error| panic!("game {seed}: {error}"));
    }
    let outcome = silent.outcome().expect("a game without questions is over");
    assert!(silent.state.pending().is_empty(), "game {seed}: something is left declared");
    assert!(matches!(events.last(), Some(Event { what: What::GameOver { .. }, .. })), "game {seed}");
    *endings.entry(outcome.reason.name()).or_default() += 1;
}

/// Every action of the list applies on a copy; the list is sorted and has no duplicates.
fn check_list(seed: u64, game: &Game, actions: &Actions) {
    assert!(!actions.is_empty(), "game {seed}: a question without answers");
    assert!(actions.len() > 1, "game {seed}: a question with one answer is asked: {actions:?}");
    assert!(actions.windows(2).all(|pair| pair[0] < pair[1]), "game {seed}: {actions:?}");
    for action in actions.iter() {
        let mut copy = game.clone();
        copy.apply(*action, &mut ()).unwrap_or_else(|_| panic!("game {seed}: {action:?} is refused"));
        assert!(copy.state != game.state, "game {seed}: {action:?} changes nothing");
    }
}

/// The list and the check of one action agree on everything that could be written.
fn refuses_what_is_not_legal(seed: u64, game: &Game, actions: &Actions, dice: &mut Dice) {
    let cards = game.state.card_count() as u16;
    let mut tried = vec![Action::Pass, Action::Yes, Action::No];
    for _ in 0..60 {
        let card = CardId(dice.below(usize::from(cards) + 3) as u16);
        let small = dice.below(9) as u8;
        tried.push(Action::Use { card, ability: small });
        tried.push(Action::Build { card, spot: engine::Spot(small) });
        tried.push(Action::Pick(Ref::card(card, small)));
        if card.0 < cards {
            tried.push(Action::Pick(game.state.ref_of(card)));
        }
        tried.push(Action::Pick(Ref::seat(Seat(small))));
        tried.push(Action::Pick(Ref::number(small)));
        tried.push(Action::Pick(Ref(dice.below(65_536) as u16)));
    }
    for action in tried {
        let listed = actions.contains(&action);
        assert_eq!(game.is_legal(action), listed, "game {seed}: {action:?}");
        if !listed {
            let mut copy = game.clone();
            assert!(copy.apply(action, &mut ()).is_err());
            assert!(copy.state == game.state, "game {seed}: a refused {action:?} changed something");
        }
    }
}

fn bytes_round_trip(seed: u64, game: &Game) {
    let bytes = game.state.to_bytes();
    let back = State::from_bytes(game.db, &bytes).unwrap_or_else(|error| panic!("game {seed}: {error}"));
    assert!(back == game.state, "game {seed}: bytes do not round-trip");
}

/// Corrupted bytes are refused or decode to another state that can be read, and never panic.
#[test]
fn corrupted_bytes_never_panic() {
    let mut dice = Dice::new(7);
    let (mut refused, mut read) = (0, 0);
    for seed in 0..48 {
        let mut game = any_game(seed, &mut ());
        let mut actions = Actions::new();
        for _ in 0..seed * 3 {
            game.legal(&mut actions);
            if !actions.is_empty() {
                game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
            }
        }
        let bytes = game.state.to_bytes();
        for _ in 0..250 {
            let mut scratched = bytes.clone();
            scratched[dice.below(bytes.len())] = dice.below(256) as u8;
            let Ok(state) = State::from_bytes(game.db, &scratched) else {
                refused += 1;
                continue;
            };
            read += 1;
            let other = Game { db: game.db, state };
            other.legal(&mut actions);
            assert!(actions.iter().all(|action| other.is_legal(*action)));
            assert_eq!(other.view(None).decision(), other.decision());
        }
    }
    assert!(refused > 1_000 && read > 1_000, "{refused} refused, {read} read");
}

#[test]
fn after_the_end_nothing_is_asked_and_no_answer_is_accepted() {
    let mut dice = Dice::new(9);
    let mut game = game(9, &mut ());
    let mut actions = Actions::new();
    while game.decision().is_some() {
        game.legal(&mut actions);
        game.apply(dice.pick(&actions), &mut ()).expect("it is legal");
    }
    game.legal(&mut actions);
    assert!(actions.is_empty());
    assert_eq!(game.apply(Action::Pass, &mut ()), Err(engine::Illegal::GameOver));
}

/// Any earlier decision can be restored, generator included, and leads to the same game again.
#[test]
fn any_earlier_decision_can_be_restored() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let mut game = any_game(seed, &mut ());
        let mut actions = Actions::new();
        let mut past = Vec::new();
        while game.decision().is_some() {
            game.legal(&mut actions);
            let action = dice.pick_eager(&actions);
            past.push((game.clone(), action));
            game.apply(action, &mut ()).expect("it is legal");
        }
        for (i, (earlier, _)) in past.iter().enumerate().step_by(5) {
            let mut again = earlier.clone();
            for (_, action) in &past[i..] {
                again.apply(*action, &mut ()).expect("it was legal");
            }
            assert!(again.state == game.state, "game {seed} from step {i}");
        }
    }
}
