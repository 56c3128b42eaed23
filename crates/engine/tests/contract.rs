//! Random games as a contract: whatever happens, these things hold at every step.

mod common;

use std::collections::BTreeMap;

use common::{BOUND, Dice, any_game, game, mixed_game, super_game};
use contract::{Kept, step};
use engine::{Actions, Ending, Event, Game, State};

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
    let kept = |kept: Kept| kept.unwrap_or_else(|broken| panic!("game {seed}: {broken}"));
    while silent.decision().is_some() {
        steps += 1;
        assert!(steps < BOUND, "game {seed} does not end");
        silent.legal(&mut actions);
        kept(step::asked(&silent, &actions));
        kept(step::every_answer(&silent, &actions));
        if steps % 7 == 0 {
            kept(step::refusals(&silent, &actions, 60, &mut dice));
            kept(step::bytes(&silent));
        }
        let action = if seed.is_multiple_of(2) { dice.pick(&actions) } else { dice.pick_eager(&actions) };
        silent.apply(action, &mut ()).expect("it is legal");
        logged.apply(action, &mut events).expect("it is legal");
        assert!(silent.state == logged.state, "game {seed}: the log changes the game");
        kept(step::sound(&silent));
    }
    let outcome = step::over(&silent, &events).unwrap_or_else(|broken| panic!("game {seed}: {broken}"));
    *endings.entry(outcome.reason.name()).or_default() += 1;
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
