//! The puzzles that come with the program.
//!
//! Invariant: every file of the folder `puzzles` is listed, which a test checks.

use std::sync::LazyLock;

use crate::file::File;
use crate::puzzle::Puzzle;

/// File name and text, one for each deck.
pub const FILES: &[(&str, &str)] = &[];

/// All of them, in the order of the files. Files that cannot be read are a bug, which a test finds.
pub static ALL: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| match text.parse::<File>() {
        Ok(file) => file.puzzles,
        Err(error) => panic!("puzzles/{name}, {error}"),
    };
    FILES.iter().flat_map(read).collect()
});

pub fn find(name: &str) -> Option<&'static Puzzle> {
    ALL.iter().find(|puzzle| puzzle.name() == name)
}
