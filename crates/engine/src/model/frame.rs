//! What is under way: steps of a turn, windows, running abilities, declared actions, queued
//! triggers and lasting rules. All of it is small plain data inside `State`; together it is the
//! only continuation.

use cards::code::{KEPT, REGS, RuleId, UnitId};
use cards::db::Def;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::id::*;
use cards::vocabulary::{Class, Phase};

/// What the engine continues with: the top frame is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    Step(Step),
    Window(Window),
    /// A round in which any player may cancel the newest declared action.
    CancelRound(Window),
    /// A card with alternatives is announced and one has to be chosen; `open` has a bit for each
    /// possible one.
    Options {
        card: Ref,
        you: Seat,
        ability: u8,
        open: u8,
    },
    /// The newest declared action takes effect.
    Resolve,
    /// The triggers from this index on run.
    Triggers(u8),
    Code(Code),
}

/// The steps of a game, of a turn and of a hero's walk. What players do one after the other is a
/// step of one seat, which continues with the next seat in player order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    ChooseBoss(Seat),
    Deal,
    Mulligan(Seat),
    DiscardTwo(Seat),
    FirstRoom(Seat),
    BeginTurn,
    /// The heroes of the turn are in town: players draw.
    Arrived,
    /// A phase of the turn begins.
    Phase(Phase),
    /// The seat's draw at the beginning of the turn is over.
    DrawDone(Seat),
    /// The seat may place a room.
    Build(Seat),
    BuildDone(Seat),
    Reveal,
    /// What the reveal triggered is done: level up and "when you build" come next.
    Revealed,
    LevelUp(Seat),
    /// "When you build".
    BuiltAbilities(Seat),
    /// The seat has levelled up and had its "when you build", where they were due.
    BuildEffectsDone(Seat),
    /// The seat's heroes walk.
    Adventure(Seat),
    AdventureDone(Seat),
    NextHero,
    EnterDungeon,
    RoomDamage {
        /// The hero was moved there in a window, which goes on afterwards.
        in_window: bool,
    },
    LeaveRoom,
    /// On from a room it survived, or from the entrance.
    NextRoom {
        /// The room was destroyed in a window, which goes on afterwards.
        in_window: bool,
    },
    Machinations(Seat),
    /// The seat has two items face up: one may be used at once, or one goes face down (8.4).
    Claim(Seat),
    /// Has anyone won?
    Check,
    /// A hero has come to town: whoever finds no place there is pushed out; that many are still to
    /// come.
    Settle {
        left: u8,
    },
    /// The seat takes a card from the market.
    Draft(Seat),
    PlaceMinion(Seat),
    /// What the seat's minion stands on takes effect, once.
    MinionActs(Seat),
    /// The choice that its space asks for.
    MinionAsks(Seat),
    MinionDone(Seat),
    /// All minions have acted: what is left of the market is discarded.
    MinionsDone,
    /// Rule 15.5: a hero in the Tavern ends the game.
    TavernEnds,
}

impl Step {
    /// Whose step it is.
    pub(crate) fn seat(self) -> Option<Seat> {
        use Step::*;
        match self {
            ChooseBoss(seat)
            | Mulligan(seat)
            | DiscardTwo(seat)
            | FirstRoom(seat)
            | DrawDone(seat)
            | Build(seat)
            | BuildDone(seat)
            | LevelUp(seat)
            | BuiltAbilities(seat)
            | BuildEffectsDone(seat)
            | Adventure(seat)
            | AdventureDone(seat)
            | Machinations(seat)
            | Claim(seat)
            | Draft(seat)
            | PlaceMinion(seat)
            | MinionActs(seat)
            | MinionAsks(seat)
            | MinionDone(seat) => Some(seat),
            Deal
            | BeginTurn
            | Arrived
            | Phase(_)
            | Reveal
            | Revealed
            | NextHero
            | EnterDungeon
            | RoomDamage { .. }
            | LeaveRoom
            | NextRoom { .. }
            | Check
            | Settle { .. }
            | MinionsDone
            | TavernEnds => None,
        }
    }
}

impl From<Step> for Frame {
    fn from(step: Step) -> Frame {
        Frame::Step(step)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Window {
    /// Who is asked: this many seats after the active player, who comes first.
    pub pos: u8,
    /// Players who passed in a row.
    pub passes: u8,
    /// Everybody has passed and the waiting actions resolve; how many have resolved.
    pub resolved: u8,
}

/// A running ability: where it is in its code, whose it is, what it has bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    pub unit: UnitId,
    pub pc: u16,
    pub source: Ref,
    pub you: Seat,
    /// How many things the present choice has chosen so far.
    pub picked: u8,
    pub regs: [Ref; REGS],
}

/// A declared action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    pub code: Code,
    /// Waits until everybody has passed; otherwise it resolves next.
    pub waiting: bool,
    pub cancelled: bool,
}

/// A "when" ability that has triggered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trigger {
    pub unit: UnitId,
    pub source: Ref,
    pub subject: Ref,
    /// The registers a lasting ability keeps.
    pub kept: [Ref; KEPT],
    pub you: Seat,
}

/// What holds until end of turn, or of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lasting {
    pub source: Ref,
    pub kept: [Ref; KEPT],
    pub you: Seat,
    pub kind: LastingKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastingKind {
    /// `amount` is what it adds, if that was fixed when it began. With `once` it is removed after
    /// its first use, with `game` it never ends.
    Rule { rule: RuleId, amount: i16, once: bool, game: bool },
    /// An ability that waits for its event.
    Ability(UnitId),
    /// The source has used its once-per-hero ability on this hero.
    Used { unit: UnitId, hero: Ref },
    /// An ability that its player may use once.
    Offer(UnitId),
    /// A "when built" of the deactivated room `source`, postponed until the room is active again.
    PutOff(UnitId),
    /// The player's boss has one more icon (rule 14.4).
    Treasure(Class),
    /// The last room of the player's dungeon deals more (14.4).
    LastRoom { bonus: u8 },
}

impl Lasting {
    pub(crate) const EMPTY: Lasting = Lasting {
        source: Ref::NOTHING,
        kept: [Ref::NOTHING; KEPT],
        you: Seat::NONE,
        kind: LastingKind::Ability(UnitId(0)),
    };

    /// It holds for the game, or waits for a room to be active again.
    pub(crate) fn outlives_turn(&self) -> bool {
        matches!(self.kind, LastingKind::PutOff(_) | LastingKind::Rule { game: true, .. })
    }

    /// The rule that holds.
    #[inline]
    pub(crate) fn rule(&self) -> Option<RuleId> {
        match self.kind {
            LastingKind::Rule { rule, .. } => Some(rule),
            _ => None,
        }
    }

    /// The ability that waits.
    pub(crate) fn unit(&self) -> Option<UnitId> {
        match self.kind {
            LastingKind::Ability(unit) => Some(unit),
            _ => None,
        }
    }
}

/// A spell that was cast this turn, and who cast it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cast {
    pub spell: Ref,
    pub by: Seat,
}

/// A card attached to another: an item to its hero, a miniboss to the top room of its stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment {
    pub card: CardId,
    pub host: CardId,
    /// From 1 for a miniboss; 0 for an item.
    pub level: u8,
}

impl Attachment {
    /// The card's text at its level.
    #[inline]
    pub(crate) fn text<'d>(&self, card: &'d Def) -> &'d Def {
        usize::from(self.level).checked_sub(1).and_then(|at| card.levels.get(at)).unwrap_or(card)
    }
}

/// The hero walking through the active player's dungeon.
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
    /// The active player has already had a window this phase.
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

/// Who is asked, and what kind of question. The details are in the top frame.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Ten souls (rule 11.2).
    Souls,
    /// The others are eliminated (11.4).
    LastStanding,
    /// Everybody left lost together (11.3).
    AllLost,
    /// No hero is left to come (11.5, 11.6).
    Stalled,
    /// The game was set to stop here; nobody has won.
    Stopped,
    /// Somebody has ten souls, and all are compared (11.6).
    Compared,
    /// Alone: the last hero has come (15.5).
    LastEpic,
    /// Alone: too many wounds (15.5).
    Wounds,
    /// Alone: a hero was pushed into the Tavern (15.5).
    Tavern,
}

impl Ending {
    pub const ALL: [Ending; 9] = [
        Ending::Souls,
        Ending::LastStanding,
        Ending::AllLost,
        Ending::Stalled,
        Ending::Stopped,
        Ending::Compared,
        Ending::LastEpic,
        Ending::Wounds,
        Ending::Tavern,
    ];

    /// In a few words, as records and counts write it.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Souls => "ten souls",
            Ending::LastStanding => "last standing",
            Ending::AllLost => "all lost",
            Ending::Stalled => "no heroes left",
            Ending::Stopped => "stopped",
            Ending::Compared => "compared at ten souls",
            Ending::LastEpic => "last hero",
            Ending::Wounds => "five wounds",
            Ending::Tavern => "a hero in the tavern",
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

    /// Its code at the start: the subject of the event is in the first register, what a lasting
    /// ability keeps in the next ones.
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
