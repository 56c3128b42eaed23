//! Flat code: what the engine runs. Made from a checked tree by `compile`, never by hand.
//!
//! Everything here is a small `Copy` value; things that can nest (queries, numbers, conditions)
//! stand in tables of the `CardDb` and are named by index. Code is only ever as long as its text,
//! so whoever can read a card can read its code.

mod facts;

use crate::tree::{Adjective, Back, Class, Comparison, Limit, Noun, Points, Stat, Status, Value, Word, Zone};
pub use facts::{Check, Facts, Whose};

/// Registers of a running ability; a name of the card is one register (or up to four in a row).
pub const REGS: usize = 8;
/// Registers that a lasting rule goes on using.
pub const KEPT: usize = 2;
/// Abilities of one card that can be limited to once per turn: each has a mark of its own.
pub const MARKS: usize = 3;

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u16);

        impl $name {
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        }
    )*};
}

index! {
    /// A printed card: index into `CardDb::defs`.
    DefId,
    /// One ability's code.
    UnitId,
    QueryId,
    NumId,
    CondId,
    RuleId,
    PatternId,
}

/// What a piece of code may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Reg(u8),
    This,
    It,
    You,
}

/// Whose: a player or several, worked out when the code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhoCode {
    You,
    /// Everybody but you.
    Opponents,
    Everyone,
    /// The player in a slot.
    Player(Slot),
    /// The owner of the card in a slot.
    OwnerOf(Slot),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Goes on if the condition holds, else ends the ability.
    Require(CondId),
    /// Asks `by` for `count` things out of `query`, into `reg` and those after it.
    Choose {
        reg: u8,
        count: u8,
        query: QueryId,
        by: WhoCode,
    },
    /// Takes `count` things out of `query` at random.
    Random {
        reg: u8,
        count: u8,
        query: QueryId,
    },
    /// The action is declared: what stands before was targets and costs.
    Declare,
    Draw {
        back: Back,
        count: NumId,
        who: WhoCode,
    },
    /// You see the cards of `query`.
    Look {
        query: QueryId,
    },
    Act {
        verb: ActVerb,
        on: Operand,
    },
    Take {
        on: Operand,
        who: WhoCode,
    },
    /// To a place of `who` (nobody's, such as the town: the place alone counts).
    MoveTo {
        on: Operand,
        zone: Zone,
        who: WhoCode,
        facedown: bool,
    },
    /// Into the room in register `room`.
    MoveInto {
        on: Operand,
        room: Slot,
    },
    Swap {
        a: Slot,
        b: Slot,
    },
    Damage {
        on: Operand,
        amount: NumId,
    },
    /// The hero passes the next rooms it would enter.
    Skip {
        on: Operand,
        rooms: NumId,
    },
    /// Asks you for a card out of `query` and a place, and builds it there at once; `on` narrows the place.
    Build {
        query: QueryId,
        on: Option<QueryId>,
    },
    /// Yes or no; on no, or when the block could do nothing, jumps to `no`.
    May {
        by: WhoCode,
        no: u16,
    },
    /// One of the blocks named by the `count` following `Option` ops.
    Either {
        by: WhoCode,
        count: u8,
    },
    /// Table entry of `Either`: where a block begins.
    Option(u16),
    Jump(u16),
    /// Jumps unless the condition holds.
    Unless {
        cond: CondId,
        to: u16,
    },
    /// Empties a register before a loop over it.
    Clear {
        reg: u8,
    },
    /// Binds the next thing of `query` to `reg`, or jumps to `done`.
    Each {
        reg: u8,
        query: QueryId,
        done: u16,
    },
    /// The rule holds until end of turn; `keep` are the registers it goes on using.
    Until {
        rule: RuleId,
        keep: [Option<u8>; KEPT],
        /// It is used up by the first time it serves.
        once: bool,
    },
    /// The ability waits for its event until end of turn.
    Listen {
        unit: UnitId,
        keep: [Option<u8>; KEPT],
    },
    End,
}

/// Verbs of `Op::Act`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActVerb {
    Cancel,
    Deactivate,
    Destroy,
    Discard,
    Flip,
    Heal,
    Kill,
    Remove,
    Reveal,
}

/// What a verb acts on: a slot, or `count` registers beginning with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    pub slot: Slot,
    pub count: u8,
}

/// One ability. What is asked before it is declared stands first, in one line of the cache.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Unit {
    /// What must be so for it to be declared, as far as it can be told at a glance,
    pub needs: Facts,
    pub kind: UnitKind,
    /// First op in `CardDb::ops`.
    pub start: u16,
    /// One past `Declare`, counted from `start`; 0 where nothing is declared.
    pub declared: u16,
    /// and what must be looked into: cheap things first. Mostly that is nothing.
    pub checks: Vec<Check>,
    pub limit: Option<Limit>,
    /// Which once-per-turn mark of the card it uses, where `limit` is `Turn`.
    pub mark: u8,
    pub user: User,
    /// Used from the hand, not from the table.
    pub from_hand: bool,
    /// Which of the card's alternatives it is, where one is chosen as the action is declared.
    pub option: Option<u8>,
    /// A target depends on an earlier one, so candidates alone do not tell.
    pub chained: bool,
    /// Holds a `cancel`, so it is used by the timing of cancels.
    pub cancels: bool,
    /// Can blank a room, so it answers a declared ability of one.
    pub blanks: bool,
    /// By which its event finds it, where it is a lasting ability.
    pub hook: Hooks,
    /// That alternative in words; empty where there is none.
    pub words: String,
}

impl Unit {
    /// Are its needs all there is to be asked before it is declared?
    #[inline]
    pub fn needs_tell_all(&self) -> bool {
        self.checks.is_empty() && self.limit.is_none() && !self.chained
    }
}

/// Who may activate an ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    Owner,
    /// Everybody but the owner.
    Opponents,
    Anybody,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    Activated,
    Play,
    When(PatternId),
    InsteadOf(PatternId),
    LevelUp,
}

/// A selector: which things, where, and which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Exactly the thing in the slot.
    Slot(Slot),
    Those(Those),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Those {
    pub noun: Noun,
    pub adjectives: Adjectives,
    pub site: SiteCode,
    pub but: Option<Slot>,
    pub cond: Option<CondId>,
    pub pick: PickCode,
}

impl Those {
    /// Nothing narrows it: no adjective, no `but`, no `where`, no `first`.
    pub fn is_plain(&self) -> bool {
        self.adjectives.is_empty() && self.narrows_by_kind()
    }

    /// Nothing but adjectives of the card's kind, and `another`, narrows it.
    pub fn narrows_by_kind(&self) -> bool {
        let marks = Adjectives(Traits::OF_TABLE & !(1 << Adjective::Another as u16));
        self.but.is_none()
            && self.cond.is_none()
            && self.pick == PickCode::Any
            && self.adjectives.0 & marks.0 == 0
    }
}

/// The nouns and adjectives that a printed card always answers to, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Traits(u32);

impl Traits {
    const NOUNS: u32 = 16;
    /// The adjectives that depend on the table.
    const OF_TABLE: u16 = 1 << Adjective::Another as u16
        | 1 << Adjective::Cast as u16
        | 1 << Adjective::Entered as u16
        | 1 << Adjective::Facedown as u16;

    pub(crate) fn of(nouns: &[Noun], adjectives: &[Adjective]) -> Traits {
        let nouns = nouns.iter().fold(0, |bits, noun| bits | 1 << *noun as u32);
        Traits(nouns << Traits::NOUNS | u32::from(adjectives.iter().copied().collect::<Adjectives>().0))
    }

    /// What of a selector is printed on the card. A soul or a wound is any card.
    #[inline]
    pub fn wanted(noun: Noun, adjectives: Adjectives) -> Traits {
        let printed = Traits::adjectives(adjectives);
        match noun {
            Noun::Soul | Noun::Wound => printed,
            noun => Traits(printed.0 | 1 << (Traits::NOUNS + noun as u32)),
        }
    }

    /// What the adjectives ask of the printed card, whatever it is.
    #[inline]
    pub fn adjectives(adjectives: Adjectives) -> Traits {
        Traits(u32::from(adjectives.0 & !Traits::OF_TABLE))
    }

    #[inline]
    pub fn include(self, wanted: Traits) -> bool {
        wanted.0 & !self.0 == 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickCode {
    Any,
    First,
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteCode {
    /// Wherever such things usually are.
    Anywhere,
    In {
        zones: Zones,
        who: WhoCode,
    },
    InRoom(Slot),
    LeftOf(Slot),
    RightOf(Slot),
    Beside(Slot),
}

macro_rules! bits {
    ($name:ident of $item:ty) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub struct $name(pub u16);

        impl $name {
            pub const fn with(self, item: $item) -> Self {
                Self(self.0 | 1 << item as u16)
            }
            pub const fn has(self, item: $item) -> bool {
                self.0 >> item as u16 & 1 == 1
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

bits!(Adjectives of Adjective);
bits!(Zones of Zone);
bits!(Words of Word);

/// What a card in play may have to do with, one bit each: an event or a reading that meets no bit in play
/// costs one test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Hooks(pub u64);

// Sixteen bits for each sort of event hook, eight for the stats, and no word or zone beyond the bits of its
// set: one more would silently mean another.
const _: () = assert!(Word::WORDS.len() <= 16 && Stat::WORDS.len() <= 8);
const _: () = assert!(Adjective::WORDS.len() <= 16 && Zone::WORDS.len() <= 16);

impl Hooks {
    /// Has abilities that its owner may activate.
    pub const ACTIVATED: Hooks = Hooks(1 << 40);
    /// Has abilities that somebody else may activate.
    pub const OPEN: Hooks = Hooks(1 << 41);
    /// Either of the two.
    pub const USED: Hooks = Hooks(Hooks::ACTIVATED.0 | Hooks::OPEN.0);
    /// Has an ability used from the hand.
    pub const FROM_HAND: Hooks = Hooks(1 << 42);
    /// Has an `instead of turn draw`.
    pub const REPLACES_DRAW: Hooks = Hooks(1 << 43);
    /// Has an `instead of .. discarded`.
    pub const REPLACES_DISCARD: Hooks = Hooks(1 << 44);
    /// Has a `when end of turn`.
    pub const END_OF_TURN: Hooks = Hooks(1 << 45);
    /// Has a rule that allows building elsewhere.
    pub const ALLOWS: Hooks = Hooks(1 << 46);

    // The kinds of rooms: a room in play always has to do with what asks for rooms.
    const FIRST_KIND: u32 = 56;
    const KINDS: u32 = 5;
    pub const ROOM: Hooks = Hooks(1 << Hooks::FIRST_KIND);
    pub const MONSTER: Hooks = Hooks(1 << (Hooks::FIRST_KIND + 1));
    pub const TRAP: Hooks = Hooks(1 << (Hooks::FIRST_KIND + 2));
    pub const ADVANCED: Hooks = Hooks(1 << (Hooks::FIRST_KIND + 3));
    pub const ORDINARY: Hooks = Hooks(1 << (Hooks::FIRST_KIND + 4));

    const fn kinds(self) -> u32 {
        (self.0 >> Hooks::FIRST_KIND) as u32 & ((1 << Hooks::KINDS) - 1)
    }

    /// Has an ability that the event may wake.
    pub const fn wakes(word: Word) -> Hooks {
        Hooks(1 << word as u64)
    }
    /// Has a rule that may forbid the event.
    pub const fn forbids(word: Word) -> Hooks {
        Hooks(1 << (16 + word as u64))
    }
    /// Has a rule that may change the stat.
    pub const fn changes(stat: Stat) -> Hooks {
        Hooks(1 << (32 + stat as u64))
    }
    /// Has a rule that may give the status.
    pub const fn gives(status: Status) -> Hooks {
        Hooks(1 << (48 + status as u64))
    }
    pub const fn has(self, hook: Hooks) -> bool {
        self.0 & hook.0 != 0
    }
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    pub const fn contains(self, hooks: Hooks) -> bool {
        self.0 & hooks.0 == hooks.0
    }
    pub fn add(&mut self, hook: Hooks) {
        self.0 |= hook.0;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumCode {
    Int(i16),
    Count(QueryId),
    Points(Points, WhoCode),
    Value { printed: bool, value: Value, of: Slot },
    Add(NumId, NumId),
    Sub(NumId, NumId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CondCode {
    Some(QueryId),
    No(QueryId),
    Compare(NumId, Comparison, NumId),
    Is(Slot, Adjective),
    In(Slot, Zones, WhoCode),
    Done,
    Active,
    Not(CondId),
    And(CondId, CondId),
    Or(CondId, CondId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleCode {
    pub kind: RuleKindCode,
    pub during: Option<CondId>,
    /// The number depends on the thing looked at (`it`), so it cannot be fixed beforehand.
    pub live: bool,
    pub hook: Hooks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKindCode {
    Has { query: QueryId, stat: Stat, icon: IconCode, change: ChangeCode },
    Is { query: QueryId, status: Status },
    Forbid(PatternId),
    Allow(PatternId),
}

/// Which treasure type a change of icons is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IconCode {
    /// Whatever the room has.
    Any,
    Class(Class),
    /// The type chosen into a slot.
    Chosen(Slot),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeCode {
    Plus(NumId),
    Minus(NumId),
    Times(u8),
    Zero,
}

/// What an event must look like to be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternCode {
    TurnDraw,
    EndOfTurn,
    Happens {
        words: Words,
        subject: QueryId,
        object: Option<ObjectCode>,
        by: Option<WhoCode>,
        because: Option<CauseCode>,
    },
}

/// What made it happen: a card of these players, or one of these cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseCode {
    Who(WhoCode),
    Card(QueryId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectCode {
    Room(QueryId),
    DungeonOf(WhoCode),
}
