//! Where a card can be: one row for each zone says everything about it.

use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Noun, set_of};

/// Who can see which cards lie in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    Nobody,
    Owner,
    Everyone,
    /// Some cards lie face up, others face down.
    ByCard,
}

/// Who owns the cards in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// One zone for all players.
    Nobody,
    /// Every player has one.
    Seat,
    /// One zone for all, but each card there belongs to the player who declared it.
    Declarer,
}

struct Row {
    /// What card files call it; `None` for zones they cannot name.
    word: Option<&'static str>,
    /// What people call it.
    name: &'static str,
    owner: Owner,
    deck: bool,
    sight: Sight,
    /// What a selector can look for there.
    nouns: &'static [Noun],
}

macro_rules! zones {
    ($($(#[$doc:meta])* $zone:ident $(= $word:literal)?, $name:literal, $whose:ident, $pile:ident, $sight:ident,
       [$($noun:ident)*];)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
        #[serde(rename_all = "snake_case")]
        pub enum Zone {
            $($(#[$doc])* $zone),*
        }

        impl Zone {
            pub const COUNT: usize = Self::ALL.len();
            pub const ALL: &'static [Zone] = &[$(Zone::$zone),*];
            /// Every zone that card files can name.
            pub const WORDS: &'static [(&'static str, Zone)] = &[$($(($word, Zone::$zone),)?)*];

            const fn row(self) -> Row {
                match self {
                    $(Zone::$zone => Row {
                        word: zones!(@word $($word)?),
                        name: $name,
                        owner: zones!(@owner $whose),
                        deck: zones!(@deck $pile),
                        sight: Sight::$sight,
                        nouns: &[$(Noun::$noun),*],
                    }),*
                }
            }
        }
    };
    (@word) => { None };
    (@word $word:literal) => { Some($word) };
    (@owner shared) => { Owner::Nobody };
    (@owner owned) => { Owner::Seat };
    (@owner declared) => { Owner::Declarer };
    (@deck deck) => { true };
    (@deck open) => { false };
}

zones! {
    RoomDeck = "room deck", "room deck", shared, deck, Nobody, [Card Room Miniboss];
    SpellDeck = "spell deck", "spell deck", shared, deck, Nobody, [Card Spell];
    HeroDeck = "hero deck", "hero deck", shared, deck, Nobody, [Hero];
    EpicDeck = "epic deck", "epic deck", shared, deck, Nobody, [Hero];
    Discard = "discard", "discard pile", shared, open, Everyone, [Card Room Miniboss Spell];
    /// Out of the game.
    Removed, "cards out of the game", shared, open, Everyone, [];
    Town = "town", "town", shared, open, Everyone, [Hero Item];
    /// A spell from its declaration until it has resolved. In card files it includes declared
    /// abilities of rooms.
    Pending = "pending", "table", declared, open, Everyone, [Card Room Spell];
    /// Bosses that were not kept.
    Box, "box", shared, open, Nobody, [Boss];
    Hand = "hand", "hand", owned, open, Owner, [Card Room Miniboss Spell];
    Entrance = "entrance", "entrance", owned, open, Everyone, [Hero];
    Scoring = "scoring", "scoring area", owned, open, Everyone, [Soul Wound Item];
    /// Heroes walking in a dungeon; card files find them in the dungeon.
    Inside, "dungeon", owned, open, Everyone, [];
    Boss, "boss", owned, open, Everyone, [Boss];
    Dungeon = "dungeon", "dungeon", owned, open, ByCard, [Card Room Miniboss Hero];
    /// Cards attached to others: items to heroes, minibosses to stacks.
    Attached, "attached cards", shared, open, ByCard, [];
    ItemDeck, "item deck", shared, deck, Nobody, [Item];
    /// Cards on offer until the end of the Minion phase (rule 14.3).
    Market = "market", "market", shared, open, Everyone, [Card Room Miniboss Spell];
    /// Heroes at the landmarks, oldest first; the state's town board says who is at which.
    Landmark = "landmark", "landmarks", shared, open, Everyone, [Hero];
    /// Items that wait for a hero; card files find them in town.
    TownItems, "town", shared, open, Everyone, [];
}

set_of!(Zones(u64) of Zone);

// Room for twice as many zones.
const _: () = assert!(Zone::COUNT <= 32);

impl Zone {
    /// The word in card files, or what people call it if there is none.
    pub const fn word(self) -> &'static str {
        match self.row().word {
            Some(word) => word,
            None => self.row().name,
        }
    }

    /// What people call it, without an article.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The cards there belong to a player, so card files may say whose.
    pub const fn is_owned(self) -> bool {
        !matches!(self.row().owner, Owner::Nobody)
    }

    /// Every player has one.
    pub const fn is_per_seat(self) -> bool {
        matches!(self.row().owner, Owner::Seat)
    }

    pub const fn is_deck(self) -> bool {
        self.row().deck
    }

    pub const fn sight(self) -> Sight {
        self.row().sight
    }

    /// Can a selector find such a thing there?
    pub fn holds(self, noun: Noun) -> bool {
        self.row().nouns.contains(&noun)
    }

    pub const fn index(self) -> u32 {
        self as u32
    }
}

impl Zones {
    pub const DECKS: Zones = {
        let (mut decks, mut i) = (Zones(0), 0);
        while i < Zone::ALL.len() {
            if Zone::ALL[i].is_deck() {
                decks = decks.with(Zone::ALL[i]);
            }
            i += 1;
        }
        decks
    };

    /// Zones whose cards have no owner.
    pub const SHARED: Zones = {
        let (mut shared, mut i) = (Zones(0), 0);
        while i < Zone::ALL.len() {
            if !Zone::ALL[i].is_owned() {
                shared = shared.with(Zone::ALL[i]);
            }
            i += 1;
        }
        shared
    };

    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Zone> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let zone = Zone::ALL.get(left.trailing_zeros() as usize).copied()?;
            left &= left - 1;
            Some(zone)
        })
    }

    pub const fn only(zone: Zone) -> Zones {
        Zones(0).with(zone)
    }

    pub const fn and(self, others: Zones) -> Zones {
        Zones(self.0 & others.0)
    }

    pub const fn without(self, others: Zones) -> Zones {
        Zones(self.0 & !others.0)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
