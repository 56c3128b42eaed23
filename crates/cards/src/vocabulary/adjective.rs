//! What narrows a noun down. A class or a subtype is an adjective by being one.

use std::fmt;
use std::sync::LazyLock;

use super::{Class, Subtype, set_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Adjective {
    /// Has an icon of the class.
    Class(Class),
    Subtype(Subtype),
    Advanced,
    Another,
    /// A spell that you cast this turn.
    Cast,
    /// Under another room of its stack, which is active.
    Covered,
    /// A hero entered the room this turn.
    Entered,
    /// A hero that counts twice.
    Epic,
    Facedown,
    /// An item that is not face down.
    Faceup,
    /// A room with two icons or more, alike or not.
    MultiTreasure,
    /// A wound whose hero survived the dungeon this turn, a miniboss revealed this turn.
    New,
    Ordinary,
    /// A room with an ability about its own building or uncovering.
    Triggered,
}

set_of!(Adjectives(u64) of Adjective);

/// Adjectives that are neither a class nor a subtype.
const OTHERS: [Adjective; 12] = {
    use Adjective::*;
    [
        Advanced,
        Another,
        Cast,
        Covered,
        Entered,
        Epic,
        Facedown,
        Faceup,
        MultiTreasure,
        New,
        Ordinary,
        Triggered,
    ]
};

// The classes come first, then the subtypes; the set has room for twice as many adjectives as there are.
const FIRST_SUBTYPE: u32 = 8;
const FIRST_OTHER: u32 = FIRST_SUBTYPE + 4;
const _: () = assert!(Class::COUNT <= FIRST_SUBTYPE as usize && Subtype::COUNT <= 4);
const _: () = assert!(FIRST_OTHER as usize + OTHERS.len() <= 32);

impl Adjective {
    /// Every adjective as card files have it, sorted.
    pub fn words() -> &'static [(&'static str, Adjective)] {
        static WORDS: LazyLock<Vec<(&'static str, Adjective)>> = LazyLock::new(|| {
            let mut words: Vec<_> = Adjective::all().map(|adjective| (adjective.word(), adjective)).collect();
            words.sort_unstable_by_key(|(word, _)| *word);
            words
        });
        &WORDS
    }

    pub fn all() -> impl Iterator<Item = Adjective> {
        let classes = Class::ALL.into_iter().map(Adjective::Class);
        classes.chain(Subtype::ALL.into_iter().map(Adjective::Subtype)).chain(OTHERS)
    }

    pub const fn word(self) -> &'static str {
        match self {
            Adjective::Class(class) => class.word(),
            Adjective::Subtype(subtype) => subtype.word(),
            Adjective::Advanced => "advanced",
            Adjective::Another => "another",
            Adjective::Cast => "cast",
            Adjective::Covered => "covered",
            Adjective::Entered => "entered",
            Adjective::Epic => "epic",
            Adjective::Facedown => "facedown",
            Adjective::Faceup => "faceup",
            Adjective::MultiTreasure => "multi-treasure",
            Adjective::New => "new",
            Adjective::Ordinary => "ordinary",
            Adjective::Triggered => "triggered",
        }
    }

    pub(super) const fn index(self) -> u32 {
        match self {
            Adjective::Class(class) => class as u32,
            Adjective::Subtype(subtype) => FIRST_SUBTYPE + subtype as u32,
            Adjective::Advanced => FIRST_OTHER,
            Adjective::Another => FIRST_OTHER + 1,
            Adjective::Cast => FIRST_OTHER + 2,
            Adjective::Entered => FIRST_OTHER + 3,
            Adjective::Facedown => FIRST_OTHER + 4,
            Adjective::Ordinary => FIRST_OTHER + 5,
            Adjective::Covered => FIRST_OTHER + 6,
            Adjective::New => FIRST_OTHER + 7,
            Adjective::Triggered => FIRST_OTHER + 8,
            Adjective::Epic => FIRST_OTHER + 9,
            Adjective::MultiTreasure => FIRST_OTHER + 10,
            Adjective::Faceup => FIRST_OTHER + 11,
        }
    }
}

impl Adjectives {
    /// Adjectives that depend on the game; all others are printed on the card.
    pub const OF_TABLE: Adjectives = Adjectives(0)
        .with(Adjective::Another)
        .with(Adjective::Cast)
        .with(Adjective::Covered)
        .with(Adjective::Entered)
        .with(Adjective::Facedown)
        .with(Adjective::Faceup)
        .with(Adjective::MultiTreasure)
        .with(Adjective::New);

    pub const fn and(self, others: Adjectives) -> Adjectives {
        Adjectives(self.0 & others.0)
    }

    pub const fn without(self, others: Adjectives) -> Adjectives {
        Adjectives(self.0 & !others.0)
    }
}

impl fmt::Display for Adjective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_adjective_has_its_own_bit() {
        let all: Adjectives = Adjective::all().collect();
        assert_eq!(all.0.count_ones() as usize, Adjective::all().count());
    }
}
