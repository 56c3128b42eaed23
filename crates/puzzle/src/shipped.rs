//! The puzzles that come with the program.
//!
//! Invariant: every file of the folder `puzzles` is listed, which a test checks.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::file::File;
use crate::puzzle::Puzzle;

/// File name and text, one for each deck.
pub const FILES: &[(&str, &str)] = &[
    ("bmr.puzzles", include_str!("../../../puzzles/bmr.puzzles")),
    ("tnl.puzzles", include_str!("../../../puzzles/tnl.puzzles")),
    ("rmb.puzzles", include_str!("../../../puzzles/rmb.puzzles")),
    ("mash-up.puzzles", include_str!("../../../puzzles/mash-up.puzzles")),
    ("three-boxes.puzzles", include_str!("../../../puzzles/three-boxes.puzzles")),
    ("bmr-dbm.puzzles", include_str!("../../../puzzles/bmr-dbm.puzzles")),
    ("bmr-promo.puzzles", include_str!("../../../puzzles/bmr-promo.puzzles")),
    ("tnl-promo.puzzles", include_str!("../../../puzzles/tnl-promo.puzzles")),
    ("bmr-crl-thk.puzzles", include_str!("../../../puzzles/bmr-crl-thk.puzzles")),
    ("tnl-crl-thk.puzzles", include_str!("../../../puzzles/tnl-crl-thk.puzzles")),
    ("rmb-crl.puzzles", include_str!("../../../puzzles/rmb-crl.puzzles")),
    ("rmb-thk.puzzles", include_str!("../../../puzzles/rmb-thk.puzzles")),
    ("bmr-iod.puzzles", include_str!("../../../puzzles/bmr-iod.puzzles")),
    ("bmr-kng.puzzles", include_str!("../../../puzzles/bmr-kng.puzzles")),
    ("bmr-lst.puzzles", include_str!("../../../puzzles/bmr-lst.puzzles")),
    ("bmr-pop.puzzles", include_str!("../../../puzzles/bmr-pop.puzzles")),
    ("rmb-vov.puzzles", include_str!("../../../puzzles/rmb-vov.puzzles")),
    ("sbm.puzzles", include_str!("../../../puzzles/sbm.puzzles")),
    ("sbm-crl.puzzles", include_str!("../../../puzzles/sbm-crl.puzzles")),
    ("sbm-vov.puzzles", include_str!("../../../puzzles/sbm-vov.puzzles")),
    ("sbm-solo.puzzles", include_str!("../../../puzzles/sbm-solo.puzzles")),
];

/// All of them, in the order of the files. Files that cannot be read are a bug, which a test finds.
pub static ALL: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| match text.parse::<File>() {
        Ok(file) => file.puzzles,
        Err(error) => panic!("puzzles/{name}, {error}"),
    };
    FILES.iter().flat_map(read).collect()
});

/// By name.
static NAMES: LazyLock<BTreeMap<String, &'static Puzzle>> =
    LazyLock::new(|| ALL.iter().map(|puzzle| (puzzle.name(), puzzle)).collect());

pub fn find(name: &str) -> Option<&'static Puzzle> {
    NAMES.get(name).copied()
}
