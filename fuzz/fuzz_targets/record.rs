//! Any bytes as a game record, and genuine records with a few bytes changed.
#![no_main]

#[path = "../src/checks.rs"]
#[allow(dead_code)]
mod checks;
#[path = "../src/house.rs"]
#[allow(dead_code)]
mod house;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::record(bytes));
