//! Any bytes as the answers of the players of one game.
#![no_main]

#[path = "../src/checks.rs"]
#[allow(dead_code)]
mod checks;
#[path = "../src/house.rs"]
#[allow(dead_code)]
mod house;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::actions(bytes));
