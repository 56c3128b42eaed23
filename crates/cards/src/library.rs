//! The sets that come with the program, as text: the same text anybody could load.

use crate::{CardDb, load};

/// File name and text of each set.
pub const SETS: [(&str, &str); 1] = [("cards/bmr.cards", include_str!("../../../cards/bmr.cards"))];

/// The built-in sets, compiled. They are part of the program, so a fault in them is a fault of ours; the
/// tests load them.
pub fn builtin() -> CardDb {
    let sets: Vec<_> = SETS
        .iter()
        .map(|(name, text)| match load(name, text) {
            Ok((set, _)) => set,
            Err(errors) => panic!("{errors}"),
        })
        .collect();
    CardDb::build(&sets).unwrap_or_else(|error| panic!("{error}"))
}
