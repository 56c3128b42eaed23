//! The words of the game. What the card language, the engine, the wire and the client have in
//! common is declared here, once: `kind.rs` has the kinds of cards, `phase.rs` the parts of a turn,
//! `zone.rs` the places a card can be in, `class.rs` what is kept per treasure class.

mod adjective;
mod class;
mod kind;
mod landmark;
mod phase;
mod zone;

use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use adjective::{Adjective, Adjectives};
pub use class::{ByClass, Classes};
pub use phase::Phases;
pub use zone::{Sight, Zone, Zones};

macro_rules! words {
    ($($(#[$doc:meta])* $type:ident { $($(#[$note:meta])* $variant:ident => $word:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
        #[serde(rename_all = "snake_case")]
        pub enum $type {
            $($(#[$note])* $variant),*
        }

        impl $type {
            pub const COUNT: usize = Self::WORDS.len();
            pub const ALL: [$type; Self::COUNT] = [$($type::$variant),*];
            /// Every word of this kind, as card files have it.
            pub const WORDS: &'static [(&'static str, $type)] = &[$(($word, $type::$variant)),*];

            pub const fn word(self) -> &'static str {
                match self { $($type::$variant => $word),* }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }
    )*};
}

words! {
    /// The kind of a card.
    Kind {
        Boss => "boss", Room => "room", Spell => "spell", Hero => "hero", Epic => "epic", Item => "item",
        /// From the room deck, but no room.
        Miniboss => "miniboss",
    }

    Subtype { Monster => "monster", Trap => "trap" }

    /// A treasure type, and the heroes who seek it.
    Class {
        Cleric => "cleric", Fighter => "fighter", Mage => "mage", Thief => "thief", Explorer => "explorer",
    }

    /// The parts of a turn, in order, and the setup before the first.
    Phase {
        Setup => "setup", Begin => "begin", Build => "build", Bait => "bait",
        Adventure => "adventure", End => "end",
        // Of Super Boss Monster. Last: states remember phases by number.
        Town => "town", Minion => "minion",
    }

    /// A building under the town (rule 14.3), from left to right.
    Landmark {
        Temple => "temple", Stadium => "stadium", Library => "library", Hideout => "hideout",
        Launchpad => "launchpad", Tavern => "tavern",
    }

    /// How well a published card is attested.
    Confidence { A => "A", B => "B", C => "C" }

    Limit { Turn => "once per turn", Hero => "once per hero" }

    /// How long something lasts that an effect has begun.
    Lifetime { Turn => "turn", Game => "game" }

    /// Which side of a card is up in a scoring area.
    Side { Facedown => "facedown", Faceup => "faceup" }

    /// The two backs a card in a hand can have.
    Back { Room => "room", Spell => "spell" }

    /// Verbs that need nothing but what they act on.
    Verb {
        Cancel => "cancel",
        /// A boss gets the text of another.
        Copy => "copy",
        Deactivate => "deactivate", Destroy => "destroy", Discard => "discard",
        Flip => "flip", Heal => "heal", Kill => "kill",
        /// A miniboss goes up by a level.
        Promote => "promote",
        Remove => "remove", Reveal => "reveal",
        /// A covered room comes to the top of its stack.
        Uncover => "uncover",
    }

    Noun {
        Boss => "boss",
        Card => "card",
        /// A treasure class, not a card.
        Class => "class",
        Hero => "hero", Item => "item", Miniboss => "miniboss", Opponent => "opponent",
        Player => "player", Room => "room",
        Soul => "soul", Spell => "spell", Wound => "wound",
    }

    /// What is counted for a player.
    Points {
        /// In the hoard.
        Coins => "coins",
        DestroyedThisTurn => "destroyed-this-turn", EnteredThisTurn => "entered-this-turn",
        LuredThisTurn => "lured-this-turn", Souls => "souls", SoulsThisTurn => "souls-this-turn",
        Wounds => "wounds",
    }

    /// A number of a card.
    Value {
        Damage => "damage", Health => "health",
        /// Of a miniboss.
        Level => "level",
        /// Health less damage taken.
        Life => "life",
    }

    Status {
        /// Its text does nothing.
        Blank => "blank",
        /// Its owner may take it back into hand (rule 6.7).
        Portable => "portable",
        /// It deals no damage.
        Stunned => "stunned",
    }

    Comparison { Equal => "=", Less => "<", More => ">", AtMost => "<=", AtLeast => ">=" }

    /// What a rule can change.
    Stat {
        Builds => "builds", Damage => "damage", Health => "health", Icon => "icon",
        Souls => "souls", Wounds => "wounds",
        /// How often a minion acts.
        Minion => "minion",
    }

    /// What can happen to a thing, as `when`, `instead of`, `forbid` and `allow` say it.
    EventWord {
        Built => "built", Cast => "cast", Destroyed => "destroyed", Discarded => "discarded",
        Enters => "enters", Killed => "killed", Lured => "lured", Survives => "survives",
        Taken => "taken", Uncovered => "uncovered", Wins => "wins",
        /// A hero comes from its deck to town. The newest come last: states remember what cards wait
        /// for by number.
        Revealed => "revealed",
        /// A miniboss has gone up by a level.
        Promoted => "promoted",
        /// Coins have come into a hoard.
        Gained => "gained",
        /// At the end of a turn, with too many wounds.
        Loses => "loses",
    }
}

/// A set of these words, one bit each.
macro_rules! set_of {
    ($(#[$doc:meta])* $name:ident($bits:ty) of $item:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub struct $name(pub $bits);

        impl $name {
            pub const fn with(self, item: $item) -> Self {
                Self(self.0 | 1 << item.index())
            }
            pub const fn has(self, item: $item) -> bool {
                self.0 >> item.index() & 1 == 1
            }
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }
        }

        impl FromIterator<$item> for $name {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> Self {
                items.into_iter().fold(Self(0), Self::with)
            }
        }
    };
}
use set_of;

set_of!(EventWords(u64) of EventWord);

impl EventWord {
    pub const fn index(self) -> u32 {
        self as u32
    }
}
