//! Any bytes as a card that the checker accepts, and a game with it.
#![no_main]

#[path = "../src/checks.rs"]
#[allow(dead_code)]
mod checks;
#[path = "../src/house.rs"]
#[allow(dead_code)]
mod house;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::house(bytes));
