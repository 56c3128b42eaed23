//! Playing costs no allocation: neither `legal` nor `apply` nor copying a game touches the heap.

mod common;

use allocation_counter::measure;
use common::{DB, Dice, any_game, key, rules};
use engine::{Actions, Game};

#[test]
fn legal_and_apply_and_copying_do_not_allocate() {
    let mut actions = Actions::new();
    let mut decisions = 0;
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let mut game = any_game(seed, &mut ());
        while game.decision().is_some() {
            let used = measure(|| {
                game.legal(&mut actions);
                let action = dice.pick_eager(&actions);
                let mut copy = game.clone();
                copy.apply(action, &mut ()).expect("it is legal");
                game = copy;
            });
            assert_eq!(used.count_total, 0, "game {seed} allocates {} bytes", used.bytes_total);
            decisions += 1;
        }
    }
    assert!(decisions > 10_000, "{decisions}");
}

#[test]
fn dealing_a_game_does_not_allocate() {
    let db = &*DB;
    let used = measure(|| {
        let _ = Game::new(db, rules(0), key(7), &mut ());
    });
    assert_eq!(used.count_total, 0);
}
