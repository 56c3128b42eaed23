//! What a deck brings to the game besides bosses, rooms, spells and heroes (rule 13.5).

use crate::db::{CardDb, Def};
use crate::vocabulary::Class;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brings {
    Coins,
    Minibosses,
    Items,
    Explorer,
    Portable,
    Board,
    DarkHeroes,
    Hybrids,
    StarHeroes,
}

impl Brings {
    pub const ALL: [Brings; 9] = [
        Brings::Coins,
        Brings::Minibosses,
        Brings::Items,
        Brings::Explorer,
        Brings::Portable,
        Brings::Board,
        Brings::DarkHeroes,
        Brings::Hybrids,
        Brings::StarHeroes,
    ];

    /// In one or two words.
    pub fn title(self) -> &'static str {
        match self {
            Brings::Coins => "Coins",
            Brings::Minibosses => "Minibosses",
            Brings::Items => "Items",
            Brings::Explorer => "Explorer",
            Brings::Portable => "Portable rooms",
            Brings::Board => "Action spaces",
            Brings::DarkHeroes => "Dark heroes",
            Brings::Hybrids => "Hybrid heroes",
            Brings::StarHeroes => "Star heroes",
        }
    }

    /// What it means for the players, in a sentence.
    pub fn means(self) -> &'static str {
        match self {
            Brings::Coins => "Everybody starts with 3 coins and has a hoard.",
            Brings::Minibosses => "Minibosses are among the rooms: a coin puts one to work in your dungeon.",
            Brings::Items => "Items come to town. Heroes carry them, and you can claim them.",
            Brings::Explorer => "A fifth treasure, the explorer's.",
            Brings::Portable => "Some rooms can be taken back into your hand.",
            Brings::Board => {
                "Some cards have spaces for minions: they are for the town board of Super Boss Monster."
            }
            Brings::DarkHeroes => "Some heroes have abilities of their own.",
            Brings::Hybrids => "Some heroes seek two treasures.",
            Brings::StarHeroes => {
                "Some heroes come however many play. With Star Heroes they replace heroes like them."
            }
        }
    }

    fn is_in(self, db: &CardDb) -> bool {
        let some = |fits: fn(&Def) -> bool| db.cards().any(|(_, def)| def.copies > 0 && fits(def));
        match self {
            Brings::Coins => db.coins,
            Brings::Minibosses => db.minibosses,
            Brings::Items => db.items,
            Brings::Explorer => db.classes.has(Class::Explorer),
            Brings::Portable => db.portable,
            Brings::Board => some(|def| def.minion.is_some()),
            Brings::DarkHeroes => some(|def| def.face.dark),
            Brings::Hybrids => some(|def| def.kind.is_hero() && def.classes.iter().count() > 1),
            Brings::StarHeroes => some(|def| def.kind.is_hero() && def.players == 0),
        }
    }
}

/// What these cards bring.
pub fn brings(db: &CardDb) -> Vec<Brings> {
    Brings::ALL.into_iter().filter(|brings| brings.is_in(db)).collect()
}
