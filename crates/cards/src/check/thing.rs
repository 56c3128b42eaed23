//! What a term can stand for, which adjectives go with it, and in which order values are computed.

use crate::tree::*;

/// What a reference or a selector stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    Boss,
    Card,
    Class,
    Hero,
    Item,
    Miniboss,
    /// A number with a name.
    Number,
    Player,
    Room,
    Soul,
    Spell,
    Wound,
    /// Already reported.
    Unknown,
}

impl Thing {
    pub fn word(self) -> &'static str {
        match self {
            Thing::Boss => "a boss",
            Thing::Card => "a card of either back",
            Thing::Item => "an item",
            Thing::Miniboss => "a miniboss",
            Thing::Number => "a number",
            Thing::Class => "a treasure type",
            Thing::Hero => "a hero",
            Thing::Player => "a player",
            Thing::Room => "a room",
            Thing::Soul => "a soul",
            Thing::Spell => "a spell",
            Thing::Wound => "a wound",
            Thing::Unknown => "this",
        }
    }

    /// The noun for it.
    pub(super) fn noun(self) -> Option<Noun> {
        Some(match self {
            Thing::Boss => Noun::Boss,
            Thing::Card => Noun::Card,
            Thing::Item => Noun::Item,
            Thing::Miniboss => Noun::Miniboss,
            Thing::Class => Noun::Class,
            Thing::Hero => Noun::Hero,
            Thing::Player => Noun::Player,
            Thing::Room => Noun::Room,
            Thing::Soul => Noun::Soul,
            Thing::Spell => Noun::Spell,
            Thing::Wound => Noun::Wound,
            Thing::Number | Thing::Unknown => return None,
        })
    }

    /// What it is attached to.
    pub(super) fn host(self) -> Option<Thing> {
        match self {
            Thing::Miniboss => Some(Thing::Room),
            Thing::Item => Some(Thing::Hero),
            _ => None,
        }
    }

    pub(super) fn of(noun: Noun) -> Thing {
        match noun {
            Noun::Boss => Thing::Boss,
            Noun::Card => Thing::Card,
            Noun::Item => Thing::Item,
            Noun::Miniboss => Thing::Miniboss,
            Noun::Class => Thing::Class,
            Noun::Hero => Thing::Hero,
            Noun::Opponent | Noun::Player => Thing::Player,
            Noun::Room => Thing::Room,
            Noun::Soul => Thing::Soul,
            Noun::Spell => Thing::Spell,
            Noun::Wound => Thing::Wound,
        }
    }
}

pub(super) fn goes_with(adjective: Adjective, thing: Thing) -> bool {
    use Adjective::*;
    match adjective {
        Advanced | Covered | Entered | MultiTreasure | Subtype(_) | Triggered => thing == Thing::Room,
        Facedown => matches!(thing, Thing::Item | Thing::Room),
        Faceup => thing == Thing::Item,
        New => matches!(thing, Thing::Miniboss | Thing::Wound),
        Class(_) => matches!(thing, Thing::Room | Thing::Hero | Thing::Soul | Thing::Wound),
        Epic => matches!(thing, Thing::Hero | Thing::Soul | Thing::Wound),
        Cast => thing == Thing::Spell,
        Ordinary => matches!(thing, Thing::Room | Thing::Hero | Thing::Soul | Thing::Wound),
        Another => !matches!(thing, Thing::Class | Thing::Player),
    }
}

/// What a rule changes. Values are computed in this order, and a rule may only read values that
/// come before its own, so no number can depend on itself, through however many cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changed {
    /// Souls and wounds.
    Score,
    Blank,
    Icon,
    Health,
    Damage,
    Stunned,
}

impl Changed {
    /// Nothing reads what the others change.
    pub fn by(rule: &RuleKind) -> Option<Changed> {
        match rule {
            RuleKind::Has { stat: Stat::Souls | Stat::Wounds, .. } => Some(Changed::Score),
            RuleKind::Has { stat: Stat::Icon, .. } => Some(Changed::Icon),
            RuleKind::Has { stat: Stat::Health, .. } => Some(Changed::Health),
            RuleKind::Has { stat: Stat::Damage, .. } => Some(Changed::Damage),
            RuleKind::Is { status: Status::Blank, .. } => Some(Changed::Blank),
            RuleKind::Is { status: Status::Stunned, .. } => Some(Changed::Stunned),
            RuleKind::Is { status: Status::Portable, .. }
            | RuleKind::Has { stat: Stat::Builds | Stat::Minion, .. }
            | RuleKind::Forbid { .. }
            | RuleKind::Allow { .. } => None,
        }
    }

    pub fn may_read(self, value: Value) -> bool {
        match value {
            Value::Health | Value::Life => self > Changed::Health,
            Value::Level => true,
            // A stunned room deals no damage, so its damage cannot decide whether it is stunned.
            Value::Damage => false,
        }
    }

    pub fn may_count_icons(self) -> bool {
        self > Changed::Icon
    }

    pub fn word(self) -> &'static str {
        match self {
            Changed::Score => "souls` or `wounds",
            Changed::Blank => Status::Blank.word(),
            Changed::Icon => Stat::Icon.word(),
            Changed::Health => Stat::Health.word(),
            Changed::Damage => Stat::Damage.word(),
            Changed::Stunned => Status::Stunned.word(),
        }
    }
}
