//! Stored games, told in sentences. A change in rules, cards or wording shows up as a diff.
//! `UPDATE_EXPECT=1` rewrites them.

mod common;

use std::fmt::Write as _;
use std::path::PathBuf;

use common::{DB, Dice, game};
use engine::tell::{Numbers, Reader, action, question, sentence};
use engine::{Actions, Event, Game};

fn tell(seed: u64) -> String {
    let mut out = String::new();
    let mut dice = Dice::new(seed);
    let mut events: Vec<Event> = Vec::new();
    let mut game = game(seed, &mut events);
    let mut actions = Actions::new();
    let rules = game.state.rules();
    let variants: Vec<&str> = rules.variants().map(|variant| variant.name()).collect();
    let _ = writeln!(out, "# game {seed}: {} players, variants: {}", rules.players, variants.join(", "));
    loop {
        for event in events.drain(..) {
            if let Some(told) = sentence(&DB, &Numbers, Reader::Replay, event) {
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

#[test]
fn stored_games_are_played_as_they_were() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    // Two, three and four players; none, one and all of the variants.
    for seed in [0, 1, 2, 13, 14, 47] {
        let path = folder.join(format!("{seed:02}.txt"));
        let found = tell(seed);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &found).expect("the game can be written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        let first = found.lines().zip(expected.lines()).position(|(a, b)| a != b);
        assert!(found == expected, "{} differs, first in line {:?}", path.display(), first.map(|i| i + 1));
    }
}
