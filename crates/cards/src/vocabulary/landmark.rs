//! The landmarks of the town board: whose treasure each stands for, and what people call it.

use super::{Class, Landmark};

impl Landmark {
    /// The treasure it gives, and the heroes who are pushed there; none for the Tavern.
    pub const fn class(self) -> Option<Class> {
        match self {
            Landmark::Temple => Some(Class::Cleric),
            Landmark::Stadium => Some(Class::Fighter),
            Landmark::Library => Some(Class::Mage),
            Landmark::Hideout => Some(Class::Thief),
            Landmark::Launchpad => Some(Class::Explorer),
            Landmark::Tavern => None,
        }
    }

    pub const fn of(class: Class) -> Landmark {
        match class {
            Class::Cleric => Landmark::Temple,
            Class::Fighter => Landmark::Stadium,
            Class::Mage => Landmark::Library,
            Class::Thief => Landmark::Hideout,
            Class::Explorer => Landmark::Launchpad,
        }
    }

    /// As people write it: "Temple".
    pub const fn name(self) -> &'static str {
        match self {
            Landmark::Temple => "Temple",
            Landmark::Stadium => "Stadium",
            Landmark::Library => "Library",
            Landmark::Hideout => "Hideout",
            Landmark::Launchpad => "Launchpad",
            Landmark::Tavern => "Tavern",
        }
    }
}
