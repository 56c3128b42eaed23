//! The checks of `fuzz/` in the normal test run: the same functions, fed by dice for a few seconds instead of
//! by coverage for hours.

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

/// `text` with a few stretches cut, doubled, moved or overwritten.
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
    // No edits: a true record of 120 answers.
    checks::record(&[[128, 1, 3, 9, 9, 120].as_slice(), &[77; 120]].concat());
}

#[test]
fn answers_legal_and_illegal() {
    for seed in 0..120 {
        checks::actions(&bytes(seed, 1_200));
    }
}

#[test]
fn cards_put_together_by_dice_are_played() {
    for seed in 0..250 {
        checks::house(&bytes(seed, 700));
    }
}

/// Every example of the card language is playable, and none of them tells a secret.
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

/// An input that a fuzz target found, on stable Rust: `FUZZ_TARGET=house FUZZ_INPUT=path cargo test ...`.
#[test]
fn the_input_named_outside() {
    let (Ok(target), Ok(path)) = (std::env::var("FUZZ_TARGET"), std::env::var("FUZZ_INPUT")) else { return };
    let bytes = std::fs::read(path).expect("the input");
    match target.as_str() {
        "card_text" => checks::card_text(&bytes),
        "deck_text" => checks::deck_text(&bytes),
        "record" => checks::record(&bytes),
        "actions" => checks::actions(&bytes),
        "house" => checks::house(&bytes),
        other => panic!("there is no target {other}"),
    }
}
