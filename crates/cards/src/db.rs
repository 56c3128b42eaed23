//! The cards of a game, ready to be played: facts, printed text and flat code, read-only.
//!
//! Invariant: the first definitions, one for each back, are card backs, not cards; a view holds the
//! back's definition in place of an unseen card.

use crate::code::*;
use crate::tree::{
    Ability, AbilityKind, Card, EventKind, EventWord, Fields, Players, Provenance, Ref, Sel, Set,
};
use crate::vocabulary::{Adjective, ByClass, Classes, Kind, Phase, Phases, Subtype};

/// Different printed cards that one game can hold, card backs included.
pub const MAX_DEFS: usize = 1024;

#[derive(Clone, Debug)]
pub struct CardDb {
    pub defs: Vec<Def>,
    /// How many of them are card backs.
    pub(crate) backs: u16,
    pub units: Vec<Unit>,
    pub ops: Vec<Op>,
    pub queries: Vec<Query>,
    pub nums: Vec<NumCode>,
    pub conds: Vec<CondCode>,
    pub rules: Vec<RuleCode>,
    pub patterns: Vec<PatternCode>,
    /// The classes in play: no other is ever offered or shown.
    pub classes: Classes,
    /// Whether any card has an ability used from the hand.
    pub hand_abilities: bool,
    /// Whether any card asks which wounds are of this turn.
    pub tells_new: bool,
    /// Whether a card with a room's back may be a miniboss.
    pub minibosses: bool,
    /// Whether the game is played with coins (rule 13.5).
    pub coins: bool,
    /// Whether it is, and some set whose cards players hold has none (rule 6.6).
    pub mixes_coins: bool,
    /// Whether any spell has rules that hold while it lies in a scoring area.
    pub scored_spells: bool,
    /// Whether any card names the room that an event happens in.
    pub names_rooms: bool,
    /// An ability waits for heroes that come to an entrance.
    pub names_entrances: bool,
    /// Whether a room can be taken back into hand (rule 6.7).
    pub portable: bool,
    /// Whether there are items.
    pub items: bool,
    /// Whether anything can be used besides spells and what rooms and bosses in play offer: cards in
    /// hand, minibosses, items, coins.
    pub extras: bool,
    /// SHA-256 of the canonical text of all sets: identifies the cards a record was played with.
    pub hash: [u8; 32],
}

/// One printed card. What the engine reads most comes first, in one cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Def {
    pub hooks: Hooks,
    pub traits: Traits,
    /// What everything that can be declared with the card needs.
    pub needs: Facts,
    pub icons: ByClass<u8>,
    /// The classes the card has an icon of.
    pub classes: Classes,
    pub damage: u8,
    pub health: u8,
    pub kind: Kind,
    pub advanced: bool,
    /// A spell for which `needs` is all there is to check.
    pub needs_tell_all: bool,
    /// A room that may be taken back into hand (rule 6.7).
    pub portable: bool,
    pub subtype: Option<Subtype>,
    pub(crate) phases: Phases,
    pub xp: u16,
    /// Used from this many players on; 0 means always.
    pub players: u8,
    pub copies: u8,
    /// Abilities that the owner may activate.
    pub activated: Vec<UnitId>,
    /// Casting the spell, one unit for each alternative.
    pub play: Vec<UnitId>,
    pub when: Vec<UnitId>,
    pub rules: Vec<RuleId>,
    /// Where it may be built besides the usual places.
    pub own_building: Vec<RuleId>,
    pub instead: Vec<UnitId>,
    pub level_up: Option<UnitId>,
    /// What a minion on the card does, if it has an action space.
    pub minion: Option<UnitId>,
    pub lure: Option<LureCode>,
    /// What a miniboss does at each of its levels; empty for every other card.
    pub levels: Vec<Def>,
    pub face: Box<Face>,
}

/// The parts of a card that people read.
#[derive(Clone, Debug)]
pub struct Face {
    pub name: String,
    /// The name without its epithet: "Ann" for "Ann, Queen of Slimes".
    pub short_name: Option<String>,
    /// A dark hero.
    pub dark: bool,
    /// The printed damage is `*`: the card's own rule supplies the number.
    pub damage_varies: bool,
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

impl Kind {
    /// The definition that stands for an unseen card of this kind.
    pub const fn blank(self) -> DefId {
        DefId(self.backed() as u16)
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

    #[inline]
    pub fn is_blank(&self, id: DefId) -> bool {
        id.0 < self.backs
    }

    /// All cards, backs left out.
    pub fn cards(&self) -> impl Iterator<Item = (DefId, &Def)> {
        let first = usize::from(self.backs);
        self.defs.iter().enumerate().skip(first).map(|(i, def)| (DefId(i as u16), def))
    }

    /// The cards whose name is `name` or begins with it up to a comma or a space, or whose
    /// collector number it is; an exact match excludes the others.
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

impl Face {
    /// What it is called where space is tight: without its epithet, if it has one.
    pub fn short(&self) -> &str {
        self.short_name.as_deref().unwrap_or(&self.name)
    }
}

impl Def {
    pub fn castable_in(&self, phase: Phase) -> bool {
        self.phases.has(phase)
    }

    pub fn souls(&self) -> u8 {
        self.kind.souls()
    }

    pub fn shares_icon(&self, other: &Def) -> bool {
        !self.classes.and(other.classes).is_empty()
    }

    pub fn icon_count(&self) -> u8 {
        self.icons.0.iter().sum()
    }

    /// The kinds of room it is, as hooks.
    pub(crate) fn kinds(&self) -> Hooks {
        let mut kinds = Hooks::default();
        if self.kind == Kind::Room {
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

    /// The back of a card, which could be anything of its kind.
    pub(crate) fn back(kind: Kind, minibosses: bool) -> Def {
        let blank = Def::blank(kind);
        match kind {
            Kind::Room if minibosses => {
                Def { traits: blank.traits.or(Traits::of(Kind::Miniboss, Adjective::all())), ..blank }
            }
            _ => blank,
        }
    }

    pub(crate) fn blank(kind: Kind) -> Def {
        Def {
            kind,
            subtype: None,
            advanced: false,
            needs_tell_all: false,
            portable: false,
            // It could be anything of its kind.
            traits: Traits::of(kind, Adjective::all()),
            damage: 0,
            health: 0,
            icons: ByClass::default(),
            classes: Classes::default(),
            xp: 0,
            players: 0,
            copies: 0,
            phases: Phases(0),
            needs: Facts::default(),
            activated: Vec::new(),
            play: Vec::new(),
            level_up: None,
            minion: None,
            when: Vec::new(),
            instead: Vec::new(),
            rules: Vec::new(),
            own_building: Vec::new(),
            lure: None,
            levels: Vec::new(),
            hooks: Hooks::default(),
            face: Box::new(Face {
                name: kind.unseen().into(),
                short_name: None,
                dark: false,
                damage_varies: false,
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
        let mut icons = ByClass::<u8>::default();
        for class in &fields.icons {
            icons[*class] += 1;
        }
        let damage = match fields.damage {
            Some(crate::tree::Damage::Fixed(n)) => n,
            _ => 0,
        };
        Def {
            subtype: fields.subtype,
            advanced: fields.advanced,
            portable: fields.portable,
            traits: traits(card),
            damage,
            health: fields.health.unwrap_or(0),
            icons,
            classes: fields.icons.iter().copied().collect(),
            xp: fields.xp.unwrap_or(0),
            players: match fields.players {
                Some(Players::From(n)) => n,
                _ => 0,
            },
            copies: card.copies,
            // An item can be used whenever spells are cast, unless it says otherwise.
            phases: match fields.phases[..] {
                [] if card.kind == Kind::Item => Phase::OF_ACTIONS.iter().map(|(_, phase)| *phase).collect(),
                _ => fields.phases.iter().copied().collect(),
            },
            face: Box::new(Face {
                name: card.name.clone(),
                short_name: short_name(card),
                dark: fields.dark,
                damage_varies: fields.damage == Some(crate::tree::Damage::Star),
                set: set.code.clone(),
                number: fields.number.clone(),
                provenance: fields.provenance,
                rulings: card.rulings.clone(),
                facts: crate::english::facts_line(card),
                text: crate::english::card_text(card),
            }),
            ..Def::blank(card.kind)
        }
    }
}

fn traits(card: &Card) -> Traits {
    let Fields { subtype, advanced, icons, .. } = &card.fields;
    let epic = card.kind == Kind::Epic;
    let triggered = card.abilities.iter().any(is_own_trigger);
    let printed = [
        (*advanced, Adjective::Advanced),
        (!epic && !advanced, Adjective::Ordinary),
        (epic, Adjective::Epic),
        (triggered, Adjective::Triggered),
    ];
    let printed = printed.into_iter().filter(|(is, _)| *is).map(|(_, adjective)| adjective);
    let classes = icons.iter().copied().map(Adjective::Class);
    let subtype = subtype.map(Adjective::Subtype);
    Traits::of(card.kind, subtype.into_iter().chain(printed).chain(classes))
}

/// Is the ability about the card's own building or uncovering?
fn is_own_trigger(ability: &Ability) -> bool {
    let AbilityKind::When { event, .. } = &ability.kind else { return false };
    matches!(&event.kind, EventKind::Happens { subject: Sel::Ref(Ref::This), words, .. }
        if words.iter().any(|word| matches!(word, EventWord::Built | EventWord::Uncovered)))
}

/// Bosses and heroes have a name and perhaps an epithet.
fn short_name(card: &Card) -> Option<String> {
    let titled = card.kind == Kind::Boss || card.kind.is_hero();
    let (name, _) = card.name.split_once(',').filter(|_| titled)?;
    Some(name.to_string())
}

/// A name normalized for comparison: case and the kind of apostrophe do not matter.
pub(crate) fn fold(name: &str) -> String {
    name.trim().to_lowercase().replace('’', "'")
}
