//! The cards of a game, ready to be played: facts, printed text and flat code, read-only.
//!
//! Invariant: the first definitions, one for each `DefKind`, are card backs, not cards; a position in which
//! somebody may not see a card holds the back's definition instead.

use crate::code::*;
use crate::tree::{Adjective, Card, Class, Kind, Noun, Phase, Players, Provenance, Set, Subtype};

/// Treasure types a counter is kept for; the fifth is reserved for the explorer.
pub const CLASSES: usize = 5;

/// Different printed cards that one game can hold, card backs included.
pub const MAX_DEFS: usize = 1024;

#[derive(Clone, Debug)]
pub struct CardDb {
    pub defs: Vec<Def>,
    pub units: Vec<Unit>,
    pub ops: Vec<Op>,
    pub queries: Vec<Query>,
    pub nums: Vec<NumCode>,
    pub conds: Vec<CondCode>,
    pub rules: Vec<RuleCode>,
    pub patterns: Vec<PatternCode>,
    /// Some card has an ability that is used from the hand.
    pub hand_abilities: bool,
    /// SHA-256 of the canonical text of all sets: names the cards a record was played with.
    pub hash: [u8; 32],
}

/// One printed card and everything the engine asks of it often. What it asks most stands first, in one line of
/// the cache.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Def {
    pub hooks: Hooks,
    pub traits: Traits,
    /// What all that can be declared with the card needs.
    pub needs: Facts,
    pub icons: [u8; CLASSES],
    /// One bit for each treasure type the card has.
    pub icon_mask: u8,
    pub damage: u8,
    pub health: u8,
    pub kind: DefKind,
    pub advanced: bool,
    /// A spell for whose casting nothing else must be looked at than `needs`.
    pub needs_tell_all: bool,
    pub subtype: Option<Subtype>,
    phases: u8,
    pub xp: u16,
    /// Used from this many players on; 0 is always.
    pub players: u8,
    pub copies: u8,
    /// Abilities that the owner may activate.
    pub activated: Vec<UnitId>,
    /// Casting the spell, one unit for each alternative.
    pub play: Vec<UnitId>,
    pub when: Vec<UnitId>,
    pub rules: Vec<RuleId>,
    pub instead: Vec<UnitId>,
    pub level_up: Option<UnitId>,
    pub lure: Option<LureCode>,
    pub face: Box<Face>,
}

/// What people read of a card.
#[derive(Clone, Debug)]
pub struct Face {
    pub name: String,
    pub set: String,
    pub number: Option<String>,
    pub provenance: Provenance,
    pub rulings: Vec<String>,
    pub facts: String,
    pub text: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LureCode {
    pub most: bool,
    pub num: NumId,
}

/// What kind of card, or which back if the card may not be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefKind {
    Boss,
    Room,
    Spell,
    Hero,
    Epic,
}

impl DefKind {
    pub const ALL: [DefKind; 5] =
        [DefKind::Boss, DefKind::Room, DefKind::Spell, DefKind::Hero, DefKind::Epic];

    /// The definition that stands for an unseen card of this kind.
    pub const fn blank(self) -> DefId {
        DefId(self as u16)
    }
}

impl From<Kind> for DefKind {
    fn from(kind: Kind) -> DefKind {
        match kind {
            Kind::Boss => DefKind::Boss,
            Kind::Room => DefKind::Room,
            Kind::Spell => DefKind::Spell,
            Kind::Hero => DefKind::Hero,
            Kind::Epic => DefKind::Epic,
        }
    }
}

impl CardDb {
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.index()]
    }

    pub fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.index()]
    }

    pub fn name(&self, id: DefId) -> &str {
        &self.def(id).face.name
    }

    pub fn is_blank(id: DefId) -> bool {
        id.index() < DefKind::ALL.len()
    }

    /// All cards, backs left out.
    pub fn cards(&self) -> impl Iterator<Item = (DefId, &Def)> {
        let first = DefKind::ALL.len();
        self.defs.iter().enumerate().skip(first).map(|(i, def)| (DefId(i as u16), def))
    }

    /// The cards whose name is `name` or begins with it up to a comma or a space, or whose collector
    /// number it is; an exact match stands alone.
    pub fn find(&self, name: &str) -> Vec<DefId> {
        let wanted = fold(name);
        let begins = |full: &str| {
            full.strip_prefix(wanted.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',']))
        };
        let exact = |def: &Def| {
            fold(&def.face.name) == wanted || def.face.number.as_ref().is_some_and(|n| fold(n) == wanted)
        };
        if let Some((id, _)) = self.cards().find(|(_, def)| exact(def)) {
            return vec![id];
        }
        self.cards().filter(|(_, def)| begins(&fold(&def.face.name))).map(|(id, _)| id).collect()
    }
}

impl Def {
    pub fn castable_in(&self, phase: Phase) -> bool {
        self.phases >> phase as u8 & 1 == 1
    }

    pub fn souls(&self) -> u8 {
        if self.kind == DefKind::Epic { 2 } else { 1 }
    }

    pub fn shares_icon(&self, other: &Def) -> bool {
        self.icon_mask & other.icon_mask != 0
    }

    pub fn icon_count(&self) -> u8 {
        self.icons.iter().sum()
    }

    /// The kinds of room it is, as hooks.
    pub(crate) fn kinds(&self) -> Hooks {
        let mut kinds = Hooks::default();
        if self.kind == DefKind::Room {
            kinds.add(Hooks::ROOM);
            kinds.add(if self.advanced { Hooks::ADVANCED } else { Hooks::ORDINARY });
            match self.subtype {
                Some(Subtype::Monster) => kinds.add(Hooks::MONSTER),
                Some(Subtype::Trap) => kinds.add(Hooks::TRAP),
                None => {}
            }
        }
        kinds
    }

    pub(crate) fn blank(kind: DefKind) -> Def {
        let name = match kind {
            DefKind::Boss => "a boss",
            DefKind::Room => "a room card",
            DefKind::Spell => "a spell",
            DefKind::Hero => "a hero",
            DefKind::Epic => "an epic hero",
        };
        Def {
            kind,
            subtype: None,
            advanced: false,
            needs_tell_all: false,
            traits: traits(kind, None, false, &[]),
            damage: 0,
            health: 0,
            icons: [0; CLASSES],
            icon_mask: 0,
            xp: 0,
            players: 0,
            copies: 0,
            phases: 0,
            needs: Facts::default(),
            activated: Vec::new(),
            play: Vec::new(),
            level_up: None,
            when: Vec::new(),
            instead: Vec::new(),
            rules: Vec::new(),
            lure: None,
            hooks: Hooks::default(),
            face: Box::new(Face {
                name: name.into(),
                set: String::new(),
                number: None,
                provenance: Provenance::House,
                rulings: Vec::new(),
                facts: String::new(),
                text: Vec::new(),
            }),
        }
    }

    /// The facts of a card, without its abilities.
    pub(crate) fn of(set: &Set, card: &Card) -> Def {
        let fields = &card.fields;
        let mut icons = [0; CLASSES];
        for class in &fields.icons {
            icons[*class as usize] += 1;
        }
        let damage = match fields.damage {
            Some(crate::tree::Damage::Fixed(n)) => n,
            _ => 0,
        };
        Def {
            subtype: fields.subtype,
            advanced: fields.advanced,
            traits: traits(card.kind.into(), fields.subtype, fields.advanced, &fields.icons),
            damage,
            health: fields.health.unwrap_or(0),
            icons,
            icon_mask: fields.icons.iter().fold(0, |mask, class| mask | 1 << *class as u8),
            xp: fields.xp.unwrap_or(0),
            players: match fields.players {
                Some(Players::From(n)) => n,
                _ => 0,
            },
            copies: card.copies,
            phases: fields.phases.iter().fold(0, |bits, phase| bits | 1 << *phase as u8),
            face: Box::new(Face {
                name: card.name.clone(),
                set: set.code.clone(),
                number: fields.number.clone(),
                provenance: fields.provenance,
                rulings: card.rulings.clone(),
                facts: crate::english::facts_line(card),
                text: crate::english::card_text(card),
            }),
            ..Def::blank(card.kind.into())
        }
    }
}

fn traits(kind: DefKind, subtype: Option<Subtype>, advanced: bool, icons: &[Class]) -> Traits {
    let nouns: &[Noun] = match kind {
        DefKind::Room => &[Noun::Room, Noun::Card],
        DefKind::Spell => &[Noun::Spell, Noun::Card],
        DefKind::Hero | DefKind::Epic => &[Noun::Hero],
        DefKind::Boss => &[],
    };
    let subtype = subtype.map(|subtype| match subtype {
        Subtype::Monster => Adjective::Monster,
        Subtype::Trap => Adjective::Trap,
    });
    let ordinary = kind != DefKind::Epic && !advanced;
    let others = [(advanced, Adjective::Advanced), (ordinary, Adjective::Ordinary)];
    let others = others.into_iter().filter(|(is, _)| *is).map(|(_, adjective)| adjective);
    let icons = icons.iter().map(|class| match class {
        Class::Cleric => Adjective::Cleric,
        Class::Fighter => Adjective::Fighter,
        Class::Mage => Adjective::Mage,
        Class::Thief => Adjective::Thief,
    });
    Traits::of(nouns, &subtype.into_iter().chain(others).chain(icons).collect::<Vec<_>>())
}

/// A name as it is compared: neither capitals nor the kind of apostrophe matter.
pub(crate) fn fold(name: &str) -> String {
    name.trim().to_lowercase().replace('’', "'")
}
