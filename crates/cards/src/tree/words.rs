//! How the small kinds of the tree are written in card files: one table, for reading and for printing.

use std::fmt;

use super::*;

macro_rules! words {
    ($($type:ident { $($variant:ident => $word:literal),* $(,)? })*) => {$(
        impl $type {
            /// Every word of this kind, as written in card files.
            pub const WORDS: &'static [(&'static str, $type)] = &[$(($word, $type::$variant)),*];

            pub fn word(self) -> &'static str {
                match self { $($type::$variant => $word),* }
            }
        }
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }
    )*};
}

words! {
    Kind { Boss => "boss", Room => "room", Spell => "spell", Hero => "hero", Epic => "epic" }
    Subtype { Monster => "monster", Trap => "trap" }
    Class { Cleric => "cleric", Fighter => "fighter", Mage => "mage", Thief => "thief" }
    Phase { Build => "build", Adventure => "adventure" }
    Confidence { A => "A", B => "B", C => "C" }
    Limit { Turn => "once per turn", Hero => "once per hero" }
    Back { Room => "room", Spell => "spell" }
    Verb {
        Cancel => "cancel", Deactivate => "deactivate", Destroy => "destroy", Discard => "discard",
        Flip => "flip", Heal => "heal", Kill => "kill", Remove => "remove", Reveal => "reveal",
    }
    Adjective {
        Advanced => "advanced", Another => "another", Cast => "cast", Cleric => "cleric",
        Entered => "entered", Facedown => "facedown", Fighter => "fighter", Mage => "mage",
        Monster => "monster", Ordinary => "ordinary", Thief => "thief", Trap => "trap",
    }
    Noun {
        Card => "card", Class => "class", Hero => "hero", Opponent => "opponent", Player => "player",
        Room => "room", Soul => "soul", Spell => "spell", Wound => "wound",
    }
    Zone {
        Discard => "discard", Dungeon => "dungeon", Entrance => "entrance",
        EpicDeck => "epic deck", Hand => "hand", HeroDeck => "hero deck",
        Pending => "pending", RoomDeck => "room deck", Scoring => "scoring",
        SpellDeck => "spell deck", Town => "town",
    }
    Points {
        DestroyedThisTurn => "destroyed-this-turn", EnteredThisTurn => "entered-this-turn",
        LuredThisTurn => "lured-this-turn", Souls => "souls", SoulsThisTurn => "souls-this-turn",
        Wounds => "wounds",
    }
    Value { Damage => "damage", Health => "health", Life => "life" }
    Status { Blank => "blank", Stunned => "stunned" }
    Comparison { Equal => "=", Less => "<", More => ">", AtMost => "<=", AtLeast => ">=" }
    Stat { Builds => "builds", Damage => "damage", Health => "health", Icon => "icon" }
    Word {
        Built => "built", Cast => "cast", Destroyed => "destroyed", Discarded => "discarded",
        Enters => "enters", Killed => "killed", Lured => "lured", Survives => "survives",
        Taken => "taken", Uncovered => "uncovered", Wins => "wins",
    }
}
