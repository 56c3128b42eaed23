//! What a card can be: one row for each kind says everything about it.

use super::{Kind, Noun, Zone};

struct Row {
    /// What people call one of them, with its article and without, and several.
    one: &'static str,
    name: &'static str,
    plural: &'static str,
    /// What people call one of which they see only the back, with its article and without.
    unseen: &'static str,
    back: &'static str,
    /// What card files call it, the narrowest word first.
    nouns: &'static [Noun],
    /// Where it lies before the game begins.
    home: Zone,
    /// What it counts in a scoring area.
    souls: u8,
}

impl Noun {
    /// What a card that players hold can be.
    pub const OF_CARDS: &'static [(&'static str, Noun)] = &[
        (Noun::Miniboss.word(), Noun::Miniboss),
        (Noun::Room.word(), Noun::Room),
        (Noun::Spell.word(), Noun::Spell),
    ];
}

impl Kind {
    #[inline]
    const fn row(self) -> Row {
        match self {
            Kind::Boss => Row {
                one: "a boss",
                name: "boss",
                plural: "bosses",
                unseen: "a boss",
                back: "boss",
                nouns: &[Noun::Boss],
                home: Zone::Box,
                souls: 0,
            },
            Kind::Room => Row {
                one: "a room",
                name: "room",
                plural: "rooms",
                unseen: "a room card",
                back: "room card",
                nouns: &[Noun::Room, Noun::Card],
                home: Zone::RoomDeck,
                souls: 0,
            },
            Kind::Spell => Row {
                one: "a spell",
                name: "spell",
                plural: "spells",
                unseen: "a spell",
                back: "spell",
                nouns: &[Noun::Spell, Noun::Card],
                home: Zone::SpellDeck,
                souls: 0,
            },
            Kind::Hero => Row {
                one: "a hero",
                name: "hero",
                plural: "heroes",
                unseen: "a hero",
                back: "hero",
                nouns: &[Noun::Hero],
                home: Zone::HeroDeck,
                souls: 1,
            },
            Kind::Epic => Row {
                one: "an epic hero",
                name: "epic hero",
                plural: "epic heroes",
                unseen: "an epic hero",
                back: "epic hero",
                nouns: &[Noun::Hero],
                home: Zone::EpicDeck,
                souls: 2,
            },
            Kind::Item => Row {
                one: "an item",
                name: "item",
                plural: "items",
                unseen: "an item",
                back: "item",
                nouns: &[Noun::Item],
                home: Zone::ItemDeck,
                souls: 0,
            },
            Kind::Miniboss => Row {
                one: "a miniboss",
                name: "miniboss",
                plural: "minibosses",
                unseen: Kind::Room.row().unseen,
                back: Kind::Room.row().back,
                nouns: &[Noun::Miniboss, Noun::Card],
                home: Kind::Room.row().home,
                souls: 0,
            },
        }
    }

    /// What people call one, with its article.
    pub const fn one(self) -> &'static str {
        self.row().one
    }

    /// What people call it, without an article.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    pub const fn plural(self) -> &'static str {
        self.row().plural
    }

    /// The same without its article.
    pub const fn back(self) -> &'static str {
        self.row().back
    }

    /// What people call one of which they see only the back, with its article.
    pub const fn unseen(self) -> &'static str {
        self.row().unseen
    }

    /// What card files call it, the narrowest word first.
    pub const fn nouns(self) -> &'static [Noun] {
        self.row().nouns
    }

    /// The narrowest word card files have for it.
    pub fn noun(self) -> Option<Noun> {
        self.nouns().first().copied()
    }

    /// The kind that its back shows: a miniboss looks like a room until it is seen.
    #[inline]
    pub const fn backed(self) -> Kind {
        match self {
            Kind::Miniboss => Kind::Room,
            kind => kind,
        }
    }

    pub fn is_hero(self) -> bool {
        self.noun() == Some(Noun::Hero)
    }

    /// Players draw it and hold it in their hands.
    pub fn is_held(self) -> bool {
        self.nouns().contains(&Noun::Card)
    }

    /// Where such cards lie before the game begins.
    pub const fn home(self) -> Zone {
        self.row().home
    }

    /// What it counts in a scoring area.
    #[inline]
    pub const fn souls(self) -> u8 {
        self.row().souls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_home_that_takes_it() {
        for kind in Kind::ALL {
            let others = Kind::ALL.into_iter().filter(|other| other.backed() != kind.backed());
            assert!(others.into_iter().all(|other| other.home() != kind.home()), "{kind}");
            assert!(kind.noun().is_none_or(|noun| kind.home().holds(noun)), "{kind}");
        }
    }
}
