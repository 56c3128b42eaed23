//! The fast paths and the plain rules list the same legal answers at every decision.

mod common;

use common::{Dice, game, mixed_game, super_game};
use contract::step;
use engine::{Actions, Game};

fn compare(seed: u64, mut game: Game) -> usize {
    let mut dice = Dice::new(seed);
    let mut quick = Actions::new();
    let mut decisions = 0;
    while let Some(decision) = game.decision() {
        game.legal(&mut quick);
        let kept = step::plain(&game, &quick);
        kept.unwrap_or_else(|broken| panic!("game {seed}, decision {decisions}: {decision:?}: {broken}"));
        decisions += 1;
        let action = if seed.is_multiple_of(2) { dice.pick(&quick) } else { dice.pick_eager(&quick) };
        game.apply(action, &mut ()).expect("it is legal");
    }
    decisions
}

#[test]
fn fast_and_plain_lists_agree_in_600_games() {
    let decisions: usize = (0..600).map(|seed| compare(seed, game(seed, &mut ()))).sum();
    assert!(decisions > 20_000, "only {decisions} decisions were compared");
}

#[test]
fn fast_and_plain_lists_agree_with_mixed_decks_and_up_to_six_players() {
    let decisions: usize = (0..200).map(|seed| compare(seed, mixed_game(seed, &mut ()))).sum();
    assert!(decisions > 10_000, "only {decisions} decisions were compared");
}

#[test]
fn fast_and_plain_lists_agree_on_the_town_board() {
    let decisions: usize = (0..400).map(|seed| compare(seed, super_game(seed, &mut ()))).sum();
    assert!(decisions > 20_000, "only {decisions} decisions were compared");
}
