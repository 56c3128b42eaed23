//! The checks of `fuzz/` in the normal test run: the same functions, fed with random input for a
//! few seconds instead of guided by coverage for hours.

#[path = "../../../fuzz/src/checks.rs"]
mod checks;
#[path = "../../../fuzz/src/house.rs"]
mod house;

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn bytes(seed: u64, most: usize) -> Vec<u8> {
    let mut dice = Pcg64Mcg::seed_from_u64(seed);
    let mut bytes = vec![0; dice.next_u32() as usize % most];
    dice.fill_bytes(&mut bytes);
    bytes
}

/// `text` with a few parts cut, doubled, moved or overwritten.
fn edited(text: &[u8], seed: u64) -> Vec<u8> {
    let mut dice = Pcg64Mcg::seed_from_u64(seed);
    let mut below = |n: usize| dice.next_u32() as usize % n.max(1);
    let mut out = text.to_vec();
    for _ in 0..1 + below(3) {
        let from = below(out.len());
        let to = (from + 1 + below(12)).min(out.len());
        match below(4) {
            0 => drop(out.drain(from..to)),
            1 => out.splice(from..from, out[from..to].to_vec()).for_each(drop),
            2 => out[from..to].rotate_left(1),
            _ => out[from] = b" \n\"=():x0129az#"[below(15)],
        }
    }
    out
}

#[test]
fn card_files_made_of_noise_and_of_edited_cards() {
    let base = cards::library::SETS[0].1;
    let cards: Vec<&str> = base.split("\n\n").skip(1).collect();
    for seed in 0..1_500 {
        checks::card_text(&bytes(seed, 200));
        let card = cards[seed as usize % cards.len()];
        checks::card_text(&edited(format!("set T \"T\"\n{card}\n").as_bytes(), seed));
    }
    checks::card_text(base.as_bytes());
}

#[test]
fn deck_files_made_of_noise_and_of_edited_decks() {
    for seed in 0..300 {
        checks::deck_text(&bytes(seed, 200));
        let (_, deck) = cards::library::DECKS[seed as usize % cards::library::DECKS.len()];
        checks::deck_text(&edited(deck.as_bytes(), seed));
        checks::deck_text(deck.as_bytes());
    }
}

#[test]
fn records_made_of_noise_and_edited_records() {
    for seed in 0..400 {
        let mut noise = bytes(seed, 400);
        checks::record(&noise);
        if let Some(first) = noise.first_mut() {
            *first |= 128;
        }
        checks::record(&noise);
    }
    // No edits: a genuine record of 120 answers.
    checks::record(&[[128, 1, 3, 9, 9, 120].as_slice(), &[77; 120]].concat());
}

#[test]
fn answers_legal_and_illegal() {
    for seed in 0..360 {
        checks::actions(&bytes(seed, 1_200));
    }
}

#[test]
fn randomly_generated_cards_are_played() {
    for seed in 0..250 {
        checks::house(&bytes(seed, 700));
    }
}

/// Every example of the card language can be played, and none of them leaks hidden information.
#[test]
fn cards_of_the_reference_are_played() {
    let page = include_str!("../../../docs/card-language.md");
    let examples: Vec<&str> =
        page.split("```cards\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
    assert!(examples.len() > 10);
    for example in examples {
        let text = match example.starts_with("set ") {
            true => format!("{example}\n"),
            false => format!("set DOC \"Docs\"\n{example}\n"),
        };
        assert!(cards::load("docs.cards", &text).is_ok(), "{text}");
        for seed in 0..12 {
            checks::play(&text, &mut checks::Input(&[seed, 0, seed, 7]));
        }
    }
}

type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 5] = [
    ("actions", checks::actions),
    ("card_text", checks::card_text),
    ("deck_text", checks::deck_text),
    ("house", checks::house),
    ("record", checks::record),
];

#[test]
fn every_fuzz_target_has_a_twin() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/fuzz_targets");
    let files = std::fs::read_dir(folder).expect("the fuzz targets");
    let mut found: Vec<String> =
        files.map(|file| file.expect("a file").file_name().to_string_lossy().replace(".rs", "")).collect();
    found.sort();
    assert_eq!(found, TARGETS.map(|(name, _)| name));
    for (name, check) in TARGETS {
        let target = std::fs::read_to_string(format!("{folder}/{name}.rs")).expect("a target");
        assert!(target.contains(&format!("checks::{name}(bytes)")), "{name} fuzzes another check");
        check(&bytes(1, 300));
    }
}

/// Replays an input that a fuzz target found, on stable Rust: `FUZZ_TARGET=house FUZZ_INPUT=path
/// cargo test ...`.
#[test]
fn the_input_named_by_the_environment() {
    let (Ok(target), Ok(path)) = (std::env::var("FUZZ_TARGET"), std::env::var("FUZZ_INPUT")) else { return };
    let bytes = std::fs::read(path).expect("the input");
    let (_, check) =
        TARGETS.into_iter().find(|(name, _)| *name == target).expect("FUZZ_TARGET names a target");
    check(&bytes);
}
