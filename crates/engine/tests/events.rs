//! Events are complete: following them alone tells where every card is.

mod common;

use common::{Dice, game, mixed_game, super_game};
use contract::follow::Follower;
use engine::{Actions, Event, Game};

fn follow_to_the_end(mut game: Game<'static>, seed: u64) {
    let mut dice = Dice::new(seed);
    let mut actions = Actions::new();
    let mut follower = Follower::of(&game);
    while game.decision().is_some() {
        game.legal(&mut actions);
        let mut events: Vec<Event> = Vec::new();
        game.apply(dice.pick_eager(&actions), &mut events).expect("it is legal");
        follower.follow(&events, &game).unwrap_or_else(|broken| panic!("game {seed}: {broken}"));
    }
}

#[test]
fn events_alone_tell_where_every_card_is() {
    (0..300).for_each(|seed| follow_to_the_end(game(seed, &mut ()), seed));
}

#[test]
fn events_alone_tell_where_every_card_is_with_mixed_decks() {
    (0..164).for_each(|seed| follow_to_the_end(mixed_game(seed, &mut ()), seed));
    (0..64).for_each(|seed| follow_to_the_end(super_game(seed, &mut ()), seed));
}
