//! The built-in sets and decks, as the same kind of text anyone could load. A fault in them is a
//! bug, hence the panics; the tests load them all.

use crate::deck::Deck;
use crate::mix::{Mix, PLUS};
use crate::tree::Set;
use crate::{CardDb, load};

/// File name and text of each set, in the order of publication.
pub const SETS: &[(&str, &str)] = &[
    ("cards/bmr.cards", include_str!("../../../cards/bmr.cards")),
    ("cards/tnl.cards", include_str!("../../../cards/tnl.cards")),
    ("cards/crl.cards", include_str!("../../../cards/crl.cards")),
    ("cards/dbm.cards", include_str!("../../../cards/dbm.cards")),
    ("cards/rmb.cards", include_str!("../../../cards/rmb.cards")),
    ("cards/promo.cards", include_str!("../../../cards/promo.cards")),
    ("cards/thk.cards", include_str!("../../../cards/thk.cards")),
    ("cards/sbm.cards", include_str!("../../../cards/sbm.cards")),
    ("cards/iod.cards", include_str!("../../../cards/iod.cards")),
    ("cards/pop.cards", include_str!("../../../cards/pop.cards")),
    ("cards/lst.cards", include_str!("../../../cards/lst.cards")),
    ("cards/kng.cards", include_str!("../../../cards/kng.cards")),
    ("cards/vov.cards", include_str!("../../../cards/vov.cards")),
];

/// Name and text of each deck. The first is the default.
pub const DECKS: &[(&str, &str)] = &[
    ("bmr", include_str!("../../../decks/bmr.deck")),
    ("tnl", include_str!("../../../decks/tnl.deck")),
    ("rmb", include_str!("../../../decks/rmb.deck")),
    ("mash-up", include_str!("../../../decks/mash-up.deck")),
    ("three-boxes", include_str!("../../../decks/three-boxes.deck")),
    ("bmr-rmb", include_str!("../../../decks/bmr-rmb.deck")),
    ("tnl-rmb", include_str!("../../../decks/tnl-rmb.deck")),
    ("official-combo", include_str!("../../../decks/official-combo.deck")),
    ("e-rated-combo", include_str!("../../../decks/e-rated-combo.deck")),
    ("bmr-crl", include_str!("../../../decks/bmr-crl.deck")),
    ("tnl-crl", include_str!("../../../decks/tnl-crl.deck")),
    ("everything", include_str!("../../../decks/everything.deck")),
    ("rmb-crl", include_str!("../../../decks/rmb-crl.deck")),
    ("combo-crl", include_str!("../../../decks/combo-crl.deck")),
    ("bmr-dbm", include_str!("../../../decks/bmr-dbm.deck")),
    ("tnl-dbm", include_str!("../../../decks/tnl-dbm.deck")),
    ("bmr-promo", include_str!("../../../decks/bmr-promo.deck")),
    ("tnl-promo", include_str!("../../../decks/tnl-promo.deck")),
    ("rmb-promo", include_str!("../../../decks/rmb-promo.deck")),
    ("bmr-thk", include_str!("../../../decks/bmr-thk.deck")),
    ("tnl-thk", include_str!("../../../decks/tnl-thk.deck")),
    ("rmb-thk", include_str!("../../../decks/rmb-thk.deck")),
    ("bmr-crl-thk", include_str!("../../../decks/bmr-crl-thk.deck")),
    ("tnl-crl-thk", include_str!("../../../decks/tnl-crl-thk.deck")),
    ("rmb-crl-thk", include_str!("../../../decks/rmb-crl-thk.deck")),
    ("combo-crl-thk", include_str!("../../../decks/combo-crl-thk.deck")),
    ("bmr-kng", include_str!("../../../decks/bmr-kng.deck")),
    ("tnl-kng", include_str!("../../../decks/tnl-kng.deck")),
    ("bmr-lst", include_str!("../../../decks/bmr-lst.deck")),
    ("bmr-pop", include_str!("../../../decks/bmr-pop.deck")),
    ("tnl-pop", include_str!("../../../decks/tnl-pop.deck")),
    ("bmr-iod", include_str!("../../../decks/bmr-iod.deck")),
    ("tnl-iod", include_str!("../../../decks/tnl-iod.deck")),
    ("bmr-crl-iod", include_str!("../../../decks/bmr-crl-iod.deck")),
    ("every-item", include_str!("../../../decks/every-item.deck")),
    ("bmr-vov", include_str!("../../../decks/bmr-vov.deck")),
    ("tnl-vov", include_str!("../../../decks/tnl-vov.deck")),
    ("rmb-vov", include_str!("../../../decks/rmb-vov.deck")),
    ("bmr-crl-vov", include_str!("../../../decks/bmr-crl-vov.deck")),
    ("sbm", include_str!("../../../decks/sbm.deck")),
    ("sbm-solo", include_str!("../../../decks/sbm-solo.deck")),
    ("sbm-crl", include_str!("../../../decks/sbm-crl.deck")),
    ("sbm-vov", include_str!("../../../decks/sbm-vov.deck")),
];

/// The built-in sets, read and checked.
pub fn sets() -> Vec<Set> {
    let read = |(name, text): &(&str, &str)| match load(name, text) {
        Ok((set, _)) => set,
        Err(errors) => panic!("{errors}"),
    };
    SETS.iter().map(read).collect()
}

/// Every card of the built-in sets, compiled, for lookups. A game is played with the cards of a
/// deck.
pub fn builtin() -> CardDb {
    CardDb::build(&sets()).unwrap_or_else(|error| panic!("{error}"))
}

/// The cards of the default deck.
pub fn base() -> CardDb {
    let sets = sets();
    let deck = deck(DECKS[0].0, &sets).unwrap_or_else(|| panic!("the first deck is in the list"));
    deck.compile(&sets).unwrap_or_else(|error| panic!("{error}"))
}

/// A built-in deck by its name, or a mix of boxes. Homebrew cards among the sets are shuffled in.
pub fn deck(name: &str, sets: &[Set]) -> Option<Deck> {
    let (known, own) = sets.split_at(sets.len().min(SETS.len()));
    let (name, text) = match DECKS.iter().find(|(known, _)| *known == name) {
        Some((name, text)) => ((*name).to_owned(), (*text).to_owned()),
        None if name.contains(PLUS) => {
            let mix = Mix::read(name, known).ok()?;
            (mix.name(known), mix.text(known))
        }
        None => return None,
    };
    match Deck::read(&name, &format!("decks/{name}.deck"), &text, known) {
        Ok(deck) => Some(deck.preset(&name, own)),
        Err(errors) => panic!("{errors}"),
    }
}
