//! What is under way: the parts of a turn, windows, running abilities, declared actions, woken triggers and
//! rules that last. All of it is small plain data inside `State`; together it is the only continuation.

use cards::code::{KEPT, REGS, RuleId, UnitId};

use crate::id::*;

/// What the engine goes on with: the top frame is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    Step(Step, u8),
    Window(Window),
    /// A round in which anybody may cancel the newest declared action.
    CancelRound(Window),
    /// A card with alternatives is announced: which of them it is; `open` has a bit for each possible one.
    Options {
        card: Ref,
        you: Seat,
        ability: u8,
        open: u8,
    },
    /// The newest declared action takes effect.
    Resolve,
    /// The triggers from this index on take their turn.
    Triggers(u8),
    Code(Code),
}

/// The parts of a game and of a turn; the number beside it in the frame is mostly an index into the
/// player order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    ChooseBoss,
    Deal,
    Mulligan,
    DiscardTwo,
    FirstRoom,
    Reveal,
    /// Level up and "when you build" of one player after the reveal.
    AfterReveal,
    /// "When you build" of the seat given.
    BuiltAbilities,
    Begin,
    TurnDraw,
    Build,
    /// Closes a player's time to place.
    BuildDone,
    Bait,
    Adventure,
    NextHero,
    EnterDungeon,
    RoomDamage,
    LeaveRoom,
    /// On from a room it survived, or from the entrance.
    NextRoom,
    End,
    Upright,
    /// "When end of turn".
    EndAbilities,
    Machinations,
    Check,
    /// Level up of the seat given, if it is due.
    LevelUp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Window {
    /// Who is asked: so many seats after the active player, who comes first.
    pub pos: u8,
    /// Players who passed in a row.
    pub passes: u8,
    /// All passed: the waiting actions are resolving; how many have.
    pub resolved: u8,
}

/// An ability on its way: where it is, whose it is, what it has bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    pub unit: UnitId,
    pub pc: u16,
    pub source: Ref,
    pub you: Seat,
    /// How many of the things now being chosen are chosen.
    pub picked: u8,
    pub regs: [Ref; REGS],
}

/// A declared action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    pub code: Code,
    /// Waits for the window to be passed through; otherwise it resolves next.
    pub waiting: bool,
    pub cancelled: bool,
}

/// A "when" ability that has been woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trigger {
    pub unit: UnitId,
    pub source: Ref,
    pub subject: Ref,
    /// What a lasting ability goes on using.
    pub kept: [Ref; KEPT],
    pub you: Seat,
}

/// What holds until end of turn: a rule, an ability, or the mark that a "once per hero" ability was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lasting {
    pub rule: RuleId,
    pub source: Ref,
    pub kept: [Ref; KEPT],
    pub amount: i16,
    pub you: Seat,
    pub kind: LastingKind,
}

impl Lasting {
    pub(crate) fn is_rule(&self) -> bool {
        matches!(self.kind, LastingKind::Rule | LastingKind::RuleOnce)
    }

    /// The ability that waits.
    pub(crate) fn unit(&self) -> Option<UnitId> {
        (self.kind == LastingKind::Ability).then_some(UnitId(self.rule.0))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastingKind {
    Rule,
    /// A rule that is gone once it has served.
    RuleOnce,
    /// `rule` holds the unit of the ability.
    Ability,
    /// `source` has done its once-per-hero ability (`rule` holds the unit) to `kept[0]`.
    UsedOnHero,
}

/// The hero on its way through the active player's dungeon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    pub hero: Ref,
    /// The room it is in, or was in until that room was destroyed.
    pub room: Ref,
    /// The place of that room, counted from the boss.
    pub slot: u8,
    /// An effect moved it into `room`, which it has yet to enter.
    pub moved: bool,
    /// Its room was destroyed under it.
    pub fallen: bool,
    /// The active player has had a window this phase.
    pub windowed: bool,
    /// Rooms it passes without entering.
    pub skip: u8,
}

impl Walk {
    pub(crate) const NONE: Walk = Walk {
        hero: Ref::NOTHING,
        room: Ref::NOTHING,
        slot: 0,
        moved: false,
        fallen: false,
        windowed: false,
        skip: 0,
    };
}

/// Who must answer what. The details are in the top frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    pub seat: Seat,
    pub kind: AskKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskKind {
    Priority,
    /// Where to build; `true`: it may be declined.
    Place(bool),
    Pick,
    YesNo,
    Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub winner: Seat,
    pub reason: Ending,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Ten souls (rule 11.2).
    Souls,
    /// The others are eliminated (11.4).
    LastStanding,
    /// Everybody left lost together (11.3).
    AllLost,
    /// No hero is left to come (11.5, 11.6).
    Stalled,
    /// The run was set to stop here; nobody has won.
    Stopped,
}

impl Ending {
    /// In a few words, as records and counts write it.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Souls => "ten souls",
            Ending::LastStanding => "last standing",
            Ending::AllLost => "all lost",
            Ending::Stalled => "no heroes left",
            Ending::Stopped => "stopped",
        }
    }
}

impl Trigger {
    pub(crate) const EMPTY: Trigger = Trigger {
        unit: UnitId(0),
        source: Ref::NOTHING,
        subject: Ref::NOTHING,
        kept: [Ref::NOTHING; KEPT],
        you: Seat::NONE,
    };

    /// Its code as it begins: what the event happened to is in the first register, what a lasting ability
    /// keeps in those after it.
    pub(crate) fn code(&self) -> Code {
        let mut code = Code { unit: self.unit, source: self.source, you: self.you, ..Code::EMPTY };
        code.regs[0] = self.subject;
        code.regs[1..=KEPT].copy_from_slice(&self.kept);
        code
    }
}

impl Code {
    pub(crate) const EMPTY: Code = Code {
        unit: UnitId(0),
        pc: 0,
        source: Ref::NOTHING,
        you: Seat::NONE,
        picked: 0,
        regs: [Ref::NOTHING; REGS],
    };
}
