//! Counts of positions some answers deep, from fixed games: an unintended change of the rules moves
//! a number. `UPDATE_EXPECT=1` rewrites the counts; the change is then reviewed like any other.

mod common;

use std::fmt::Write as _;
use std::path::PathBuf;

use common::{BOXES, Dice, box_game, game};
use engine::{Actions, Game};

fn count(game: &Game, depth: u32) -> u64 {
    let mut actions = Actions::new();
    game.legal(&mut actions);
    if depth == 1 || actions.is_empty() {
        return actions.len() as u64;
    }
    let after = |action: &engine::Action| {
        let mut next = game.clone();
        next.apply(*action, &mut ()).expect("it is legal");
        count(&next, depth - 1)
    };
    actions.iter().map(after).sum()
}

/// The counts of a game, from its start and some answers into it.
fn counts(found: &mut String, name: &str, seed: u64, start: impl Fn() -> Game<'static>) {
    for into in [0, 9, 25] {
        let mut dice = Dice::new(seed);
        let mut game = start();
        let mut actions = Actions::new();
        for _ in 0..into {
            if game.decision().is_some() {
                game.legal(&mut actions);
                game.apply(dice.pick_eager(&actions), &mut ()).expect("it is legal");
            }
        }
        let counts: Vec<String> = (1..=4).map(|depth| count(&game, depth).to_string()).collect();
        let _ = writeln!(found, "{name} {into}: {}", counts.join(" "));
    }
}

#[test]
fn the_number_of_positions_is_as_stored() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/perft.txt");
    let mut found = String::from("# game, answers into it: positions 1, 2, 3 and 4 answers deep\n");
    for seed in 0..12 {
        counts(&mut found, &seed.to_string(), seed, || game(seed, &mut ()));
    }
    for (which, (name, ..)) in BOXES.iter().enumerate() {
        for seed in 0..6 {
            counts(&mut found, &format!("{name}-{seed}"), seed, || box_game(which, seed, &mut ()));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &found).expect("the counts can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "positions differ from tests/perft.txt");
}
