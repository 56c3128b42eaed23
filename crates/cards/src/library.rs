//! The sets and decks that come with the program, as text: the same text anybody could load. They are part of
//! the program, so a fault in them is a fault of ours; the tests load them all.

use crate::tree::Set;
use crate::{CardDb, load};

/// File name and text of each set, in the order of publication.
pub const SETS: &[(&str, &str)] = &[
    ("cards/bmr.cards", include_str!("../../../cards/bmr.cards")),
    ("cards/tnl.cards", include_str!("../../../cards/tnl.cards")),
];

/// The built-in sets, read and checked.
pub fn sets() -> Vec<Set> {
    let read = |(name, text): &(&str, &str)| match load(name, text) {
        Ok((set, _)) => set,
        Err(errors) => panic!("{errors}"),
    };
    SETS.iter().map(read).collect()
}

/// Every card of the built-in sets, compiled: to look things up in. A game is played with the cards of a deck.
pub fn builtin() -> CardDb {
    CardDb::build(&sets()).unwrap_or_else(|error| panic!("{error}"))
}
