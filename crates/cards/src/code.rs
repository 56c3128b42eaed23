//! Flat code, which the engine runs. `compile` makes it from a checked tree.
//!
//! Everything here is a small `Copy` value; things that can nest (queries, numbers, conditions) are
//! stored in tables of the `CardDb` and named by index. Code follows the card text line by line, so
//! it is easy to read beside it.

mod facts;
mod hooks;
mod select;

use crate::vocabulary::{
    Adjective, Back, Class, Comparison, EventWords, Lifetime, Limit, Noun, Phase, Points, Side, Stat, Status,
    Value, Verb, Zone, Zones,
};
pub use facts::{Check, Facts, Whose};
pub use hooks::Hooks;
pub use select::{Asked, PickCode, Query, SelectorCode, SiteCode, Traits};

/// Registers of a running ability; a name of the card is one register (or up to four in a row).
pub const REGS: usize = 8;
/// Registers that a lasting rule keeps.
pub const KEPT: usize = 2;
/// Levels of a miniboss (rule 1.6).
pub const MINIBOSS_LEVELS: u8 = 3;
/// Abilities of one card that can be limited to once per turn: each needs its own mark.
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
    /// What `this` is attached to.
    Host,
    /// What `it` is attached to.
    HostOfIt,
    /// What the card in a register is attached to.
    HostOf(u8),
}

impl Slot {
    /// The register it depends on.
    pub fn register(self) -> Option<u8> {
        match self {
            Slot::Reg(reg) | Slot::HostOf(reg) => Some(reg),
            Slot::This | Slot::It | Slot::You | Slot::Host | Slot::HostOfIt => None,
        }
    }
}

/// One or more players, evaluated when the code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhoCode {
    You,
    /// Everyone but you.
    Opponents,
    Everyone,
    /// The player in a slot.
    Player(Slot),
    /// The owner of the card in a slot.
    OwnerOf(Slot),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Continues if the condition holds, else ends the ability.
    Require(CondId),
    /// Asks `by` for `count` things out of `query`, into consecutive registers from `reg` on.
    Choose {
        reg: u8,
        count: u8,
        query: QueryId,
        by: WhoCode,
    },
    /// Asks you for a number.
    Number {
        reg: u8,
        from: NumId,
        to: NumId,
    },
    /// Keeps a number as it is now.
    Let {
        reg: u8,
        num: NumId,
    },
    /// Keeps the cards on top of a deck.
    Top {
        reg: u8,
        count: u8,
        deck: Zone,
    },
    /// Keeps what a slot stands for.
    Bind {
        reg: u8,
        slot: Slot,
    },
    /// Takes `count` things out of `query` at random.
    Random {
        reg: u8,
        count: u8,
        query: QueryId,
    },
    /// The action is declared: everything before was targets and costs.
    Declare,
    Draw {
        back: Back,
        count: NumId,
        who: WhoCode,
        /// Where the card drawn last is kept.
        reg: Option<u8>,
    },
    /// Coins from the supply, or out of a hoard to the supply, to a player or onto a room.
    Coins {
        pay: bool,
        amount: NumId,
        who: WhoCode,
        to: Option<WhoCode>,
        on: Option<Slot>,
    },
    /// You and that player change hoards.
    SwapHoards {
        who: WhoCode,
    },
    /// You see the cards of `query`.
    Look {
        query: QueryId,
    },
    Act {
        verb: Verb,
        on: OperandCode,
    },
    Take {
        on: OperandCode,
        who: WhoCode,
    },
    /// To a zone of `who`, which is ignored for shared zones such as the town.
    MoveTo {
        on: OperandCode,
        zone: Zone,
        who: WhoCode,
        side: Option<Side>,
    },
    /// Into the room in register `room`.
    MoveInto {
        on: OperandCode,
        room: Slot,
    },
    /// The ability of the boss's own card gives way to that of another boss.
    Copy {
        on: OperandCode,
    },
    /// A room's own ability about being built or uncovered.
    Trigger {
        on: OperandCode,
        built: bool,
        uncovered: bool,
    },
    Swap {
        a: Slot,
        b: Slot,
    },
    /// Asks you for the stacks of a dungeon, one after the other from the left, or reverses them.
    Arrange {
        who: WhoCode,
        reversed: bool,
    },
    Damage {
        on: OperandCode,
        amount: NumId,
    },
    /// Rolls a die; `NumCode::Rolled` is what it shows.
    Roll {
        sides: u8,
    },
    /// Counters onto a room, or off it.
    Counters {
        gain: bool,
        amount: NumId,
        on: OperandCode,
    },
    /// The hero passes the next rooms it would enter.
    Skip {
        on: OperandCode,
        rooms: NumId,
    },
    /// Asks you for a card out of `query` and a place, and builds it there at once; `on` narrows the place.
    Build {
        query: QueryId,
        on: Option<QueryId>,
        /// A miniboss that comes from elsewhere keeps its level.
        attach: bool,
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
    /// The rule holds until end of turn or of the game; `keep` are the registers it keeps.
    Until {
        rule: RuleId,
        lifetime: Lifetime,
        keep: [Option<u8>; KEPT],
        /// It is used up the first time it applies.
        once: bool,
    },
    /// The ability waits for its event until end of turn.
    Listen {
        unit: UnitId,
        keep: [Option<u8>; KEPT],
    },
    /// You may use the ability once until end of turn.
    Offer {
        unit: UnitId,
        keep: [Option<u8>; KEPT],
    },
    End,
}

/// What a verb acts on: a slot, or `count` registers beginning with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandCode {
    pub slot: Slot,
    pub count: u8,
}

/// One ability. What is checked before it is declared comes first, in one cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Unit {
    /// Facts that must hold for it to be declared.
    pub needs: Facts,
    pub kind: UnitKind,
    /// First op in `CardDb::ops`.
    pub start: u16,
    /// One past `Declare`, counted from `start`; 0 if nothing is declared.
    pub declared: u16,
    /// What must be checked beyond `needs`, cheap things first. Usually empty.
    pub checks: Vec<Check>,
    pub limit: Option<Limit>,
    /// Which once-per-turn mark of the card it uses, if `limit` is `Turn`.
    pub mark: u8,
    pub user: User,
    /// The only phase in which it may be used, if it says so.
    pub phase: Option<Phase>,
    /// Used from the hand, not in play.
    pub from_hand: bool,
    /// Which of the card's alternatives it is, if one is chosen when the action is declared.
    pub option: Option<u8>,
    /// A room without a minion has to be chosen, so facts about rooms are not enough where there are
    /// minions.
    pub vacant: bool,
    /// A target depends on an earlier one, so looking for candidates is not enough.
    pub chained: bool,
    /// Contains a `cancel`, so it follows the timing of cancels.
    pub cancels: bool,
    /// Can blank a room, so it can answer a room's declared ability.
    pub blanks: bool,
    /// The highest level of a miniboss: declaring it sends the card back to the first (rule 16.3).
    pub resets: bool,
    /// How its event finds it, if it is a lasting ability.
    pub hook: Hooks,
    /// That alternative in words; empty if there is none.
    pub words: String,
    /// The targets that acts of the effect need, a bit for the first register of each: one set of them must be
    /// left when it takes effect (rule 4.8).
    pub about: Vec<u8>,
}

impl Unit {
    /// Are its needs all there is to check before it is declared?
    #[inline]
    pub fn needs_tell_all(&self) -> bool {
        self.checks.is_empty() && self.limit.is_none() && !self.chained && !self.vacant
    }
}

/// Who may activate an ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    Owner,
    /// Everyone but the owner.
    Opponents,
    Anybody,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    Activated,
    Play,
    /// Using a claimed item.
    Item,
    When(PatternId),
    InsteadOf(PatternId),
    LevelUp,
    Minion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumCode {
    Int(i16),
    Count(QueryId),
    Points(Points, WhoCode),
    Value {
        printed: bool,
        value: Value,
        of: Slot,
    },
    /// What the die showed last.
    Rolled,
    /// The number in a register.
    Reg(u8),
    Times(u8, NumId),
    Coins(Slot),
    Counters(Slot),
    /// Icons on a room or a boss.
    IconsOn(IconCode, Slot),
    /// Icons of a player's dungeon, the boss's included.
    IconsOf(IconCode, WhoCode),
    Add(NumId, NumId),
    Sub(NumId, NumId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CondCode {
    Some(QueryId),
    No(QueryId),
    Compare(NumId, Comparison, NumId),
    Is(Slot, Adjective),
    IsA(Slot, Noun),
    In(Slot, Zones, WhoCode),
    Done,
    Active,
    Promoted,
    Not(CondId),
    And(CondId, CondId),
    Or(CondId, CondId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleCode {
    pub kind: RuleKindCode,
    pub during: Option<CondId>,
    /// The number depends on `it`, so it cannot be fixed in advance.
    pub live: bool,
    pub hook: Hooks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKindCode {
    Has {
        query: QueryId,
        stat: Stat,
        icon: IconCode,
        change: ChangeCode,
        /// Only when the damage is for one of these heroes.
        against: Option<QueryId>,
    },
    Is {
        query: QueryId,
        status: Status,
        against: Option<QueryId>,
    },
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

/// What an event must look like to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternCode {
    TurnDraw,
    EndOfTurn,
    StartOfBuild,
    /// Coins come into a hoard of these players.
    CoinGained(Option<WhoCode>),
    Happens {
        words: EventWords,
        subject: QueryId,
        object: Option<ObjectCode>,
        by: Option<WhoCode>,
        because: Option<CauseCode>,
    },
}

/// What caused it: a card of these players, or one of these cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseCode {
    Who(WhoCode),
    Card(QueryId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectCode {
    Room(QueryId),
    /// Directly left or right of it.
    Beside(Slot),
    DungeonOf(WhoCode),
    EntranceOf(WhoCode),
}
