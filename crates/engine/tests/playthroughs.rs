//! Stored games, told in sentences. A change in rules, cards or wording shows up as a diff.
//! `UPDATE_EXPECT=1` rewrites them.

mod common;

use std::fmt::Write as _;
use std::path::PathBuf;

use common::{BOXES, Dice, box_game, game};
use engine::tell::{Numbers, Reader, action, question, sentence};
use engine::{Actions, Event, Game};

fn tell(name: &str, seed: u64, start: impl FnOnce(&mut Vec<Event>) -> Game<'static>) -> String {
    let mut out = String::new();
    let mut dice = Dice::new(seed);
    let mut events: Vec<Event> = Vec::new();
    let mut game = start(&mut events);
    let mut actions = Actions::new();
    let rules = game.state.rules();
    let variants: Vec<&str> = rules.variants().map(|variant| variant.name()).collect();
    let _ = writeln!(out, "# game {name}: {} players, variants: {}", rules.players, variants.join(", "));
    loop {
        for event in events.drain(..) {
            if let Some(told) = sentence(game.db, &Numbers, Reader::Replay, event) {
                let _ = writeln!(out, "{told}");
            }
        }
        let Some(decision) = game.decision() else { break };
        game.legal(&mut actions);
        let reader = Reader::Seat(decision.seat);
        let chosen = dice.pick_eager(&actions);
        let told: Vec<String> = actions.iter().map(|a| action(&game, &Numbers, reader, *a)).collect();
        let _ = writeln!(
            out,
            "  ? {}: {} [{}]",
            decision.seat,
            question(&game, &Numbers, reader),
            told.join(" | ")
        );
        let _ = writeln!(out, "  > {}", action(&game, &Numbers, reader, chosen));
        game.apply(chosen, &mut events).expect("it is legal");
    }
    let _ = writeln!(out, "# {}", score(&game));
    out
}

fn score(game: &Game) -> String {
    let seats = (0..game.state.rules().players).map(engine::Seat);
    let scores = seats.map(|seat| format!("{seat} {} souls {} wounds", game.souls(seat), game.wounds(seat)));
    scores.collect::<Vec<_>>().join(", ")
}

fn compare(name: &str, found: &str) {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, found).expect("the game can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let first = found.lines().zip(expected.lines()).position(|(a, b)| a != b);
    assert!(found == expected, "{} differs, first in line {:?}", path.display(), first.map(|i| i + 1));
}

#[test]
fn stored_games_are_played_as_they_were() {
    // Two, three and four players; none, one and all of the variants.
    for seed in [0, 1, 2, 13, 14, 47] {
        compare(&format!("{seed:02}"), &tell(&seed.to_string(), seed, |events| game(seed, events)));
    }
}

#[test]
fn stored_games_of_the_other_boxes_are_played_as_they_were() {
    for (which, (name, ..)) in BOXES.iter().enumerate() {
        compare(name, &tell(name, 1, |events| box_game(which, 1, events)));
    }
}
