//! Questions and answers: what a player is asked, what the legal answers are, and what an answer
//! does. Listing legal actions and checking one use the same code, so they cannot disagree.

pub(crate) mod building;
mod cover;
mod plain;
pub(crate) mod uses;
mod why_not;

use cards::vocabulary::{Kind, Verb};
use std::fmt;

use cards::code::{KEPT, NumId, Op, OperandCode, QueryId, Slot};
use cards::tree;
use thiserror::Error;

use crate::acts::Runner;
use crate::api::event::Log;
use crate::code::query::{Board, Ctx};
use crate::fast::answers::Answers;
use crate::model::id::*;
use crate::model::state::*;

pub use why_not::WhyNot;

/// An answer. Four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Pass,
    /// Cast a spell, or use the given activated ability of a card.
    Use {
        ability: u8,
        card: CardId,
    },
    /// Build there; one past the last stack of your own dungeon is a new stack.
    Build {
        spot: Spot,
        card: CardId,
    },
    Pick(Ref),
    Yes,
    No,
    /// Pay a coin to promote a miniboss.
    Promote {
        card: CardId,
    },
    /// Discard a room for a coin.
    Sell {
        card: CardId,
    },
    /// Take a portable room back into hand (rule 6.7).
    TakeBack {
        card: CardId,
    },
}

const _: () = assert!(size_of::<Action>() == 4);

impl Action {
    /// Its position in the order of actions, as a number.
    #[inline]
    pub(crate) fn rank(self) -> u32 {
        let kind = match self {
            Action::Pass => 0,
            Action::Use { .. } => 1,
            Action::Build { .. } => 2,
            Action::Pick(_) => 3,
            Action::Yes => 4,
            Action::No => 5,
            Action::Promote { .. } => 6,
            Action::Sell { .. } => 7,
            Action::TakeBack { .. } => 8,
        };
        let detail = match self {
            Action::Use { ability: detail, .. } | Action::Build { spot: Spot(detail), .. } => detail,
            _ => 0,
        };
        let card = match self {
            Action::Use { card: CardId(n), .. } | Action::Build { card: CardId(n), .. } => n,
            Action::Promote { card: CardId(n) } | Action::Sell { card: CardId(n) } => n,
            Action::TakeBack { card: CardId(n) } => n,
            Action::Pick(Ref(n)) => n,
            _ => 0,
        };
        kind << 24 | u32::from(detail) << 16 | u32::from(card)
    }
}

/// Who must answer which question, because of which card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    pub seat: Seat,
    pub kind: AskKind,
    pub question: Question,
    /// The card whose ability asks.
    pub source: Option<CardId>,
}

/// What exactly is asked, for people and for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Act, place a room in the Build phase, or pass.
    Act,
    /// Cancel the newest declared spell, or pass.
    Cancel,
    FirstRoom,
    /// Where to build, by an effect.
    BuildNow,
    /// One of the things a selector selects.
    Choose(QueryId),
    /// Which stack of the dungeon comes next, from the left.
    Arrange(Seat),
    /// A number from which to which.
    Number {
        from: u8,
        to: u8,
    },
    /// One of a card's alternatives.
    Option,
    /// Use the item that is face up before another one is claimed, or pass (rule 8.4).
    UseItem,
    /// Which of the items goes face down.
    TurnDown,
    /// Use the card's "may"?
    May,
    WhichFirst,
    KeepBoss,
    Mulligan,
    DiscardTwo,
    /// Draw at end of turn without a soul (rule 12.4)?
    Machinations,
    /// Which deck to draw from.
    MachinationsDeck,
    /// A card from the market.
    Draft,
    PlaceMinion,
    /// What the minion's space asks: a card of the market, a spell to discard, a stack, or whose
    /// entrance.
    MinionAsks(Space),
}

/// The action is not among the legal ones; nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    #[error("the game is over: no more actions are possible")]
    GameOver,
    #[error("{0} may not do that now")]
    NotAllowed(Seat),
}

/// Legal actions, sorted, in a list of fixed size, so that asking does not allocate.
#[derive(Clone)]
pub struct Actions {
    items: [Action; Actions::MAX],
    len: usize,
}

impl Actions {
    /// Every card of the game could be a candidate, with room to spare for passing.
    pub const MAX: usize = MAX_CARDS + 64;

    pub const fn new() -> Actions {
        Actions { items: [Action::Pass; Actions::MAX], len: 0 }
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) fn push(&mut self, action: Action) {
        if self.len < Actions::MAX {
            self.items[self.len] = action;
            self.len += 1;
        }
    }

    fn sort(&mut self) {
        self.items[..self.len].sort_unstable();
    }
}

impl Default for Actions {
    fn default() -> Self {
        Actions::new()
    }
}

impl std::ops::Deref for Actions {
    type Target = [Action];
    fn deref(&self) -> &[Action] {
        &self.items[..self.len]
    }
}

impl fmt::Debug for Actions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Board<'_> {
    pub fn decision(&self) -> Option<Decision> {
        let ask = self.s.ask?;
        let frame = *self.s.frames.last()?;
        let (question, source) = match frame {
            Frame::Window(_) => (Question::Act, None),
            Frame::CancelRound(_) => {
                (Question::Cancel, self.s.pending.last().and_then(|e| e.code.source.as_card()))
            }
            Frame::Triggers(_) => (Question::WhichFirst, None),
            Frame::Step(step) => {
                let question = match step {
                    Step::ChooseBoss(_) => Question::KeepBoss,
                    Step::Mulligan(_) => Question::Mulligan,
                    Step::DiscardTwo(_) => Question::DiscardTwo,
                    Step::FirstRoom(_) => Question::FirstRoom,
                    Step::Draft(_) => Question::Draft,
                    Step::PlaceMinion(_) => Question::PlaceMinion,
                    Step::MinionAsks(seat) => Question::MinionAsks(Space::of_ref(self.s.minion(seat))?),
                    Step::Claim(_) if ask.kind == AskKind::Priority => Question::UseItem,
                    Step::Claim(_) => Question::TurnDown,
                    _ if ask.kind == AskKind::YesNo => Question::Machinations,
                    _ => Question::MachinationsDeck,
                };
                (question, None)
            }
            Frame::Code(code) => {
                let question = match self.op(&code) {
                    Op::Choose { query, .. } => Question::Choose(query),
                    Op::Number { from, to, .. } => {
                        let (from, to) = self.range(&code, from, to);
                        Question::Number { from, to }
                    }
                    Op::Build { .. } => Question::BuildNow,
                    Op::Arrange { who, .. } => {
                        Question::Arrange(self.one(&code.ctx(), who).unwrap_or(Seat::NONE))
                    }
                    Op::Either { .. } => Question::Option,
                    _ => Question::May,
                };
                (question, code.source.as_card())
            }
            Frame::Options { card, .. } => (Question::Option, card.as_card()),
            Frame::Resolve => return None,
        };
        Some(Decision { seat: ask.seat, kind: ask.kind, question, source })
    }

    /// The answers to the present question, copied from the cache if they are in it.
    pub fn legal(&self, kept: &Answers, out: &mut Actions) {
        if let Some(len) = kept.copy_to(&mut out.items) {
            out.len = len;
            return;
        }
        out.clear();
        self.each_legal(&mut |action| {
            out.push(action);
            true
        });
        out.sort();
    }

    /// Is the action one that `legal` lists?
    pub fn is_legal(&self, kept: &Answers, action: Action) -> bool {
        if let Some(found) = kept.hold(action) {
            return found;
        }
        let mut found = false;
        self.each_legal(&mut |legal| {
            found = legal == action;
            !found
        });
        found
    }

    /// Passes every legal action to `each`, until it returns `false`.
    pub fn each_legal(&self, each: &mut dyn FnMut(Action) -> bool) {
        let (Some(ask), Some(frame)) = (self.s.ask, self.s.frames.last()) else { return };
        match (ask.kind, frame) {
            (AskKind::Priority, Frame::Window(_)) => self.each_priority(ask.seat, false, each),
            (AskKind::Priority, Frame::Step(_)) if !each(Action::Pass) => {}
            (AskKind::Priority, Frame::Step(_)) => self.each_item_use(ask.seat, each),
            (AskKind::Priority, _) => self.each_priority(ask.seat, true, each),
            (AskKind::YesNo, frame) => {
                let _ = (!self.may_say_yes(ask.seat, frame) || each(Action::Yes)) && each(Action::No);
            }
            (AskKind::Order, Frame::Triggers(from)) => {
                let first = usize::from(*from);
                for (i, trigger) in self.s.triggers[first..].iter().enumerate() {
                    let mine = self.may_begin(first, ask.seat, trigger);
                    if mine && !each(Action::Pick(Ref::number(i as u8))) {
                        return;
                    }
                }
            }
            (AskKind::Place(may_pass), frame) => {
                if may_pass && !each(Action::Pass) {
                    return;
                }
                let mut some = may_pass;
                self.each_placement(ask.seat, frame, &mut |action| {
                    some = true;
                    each(action)
                });
                // Asked for cover only.
                if !some {
                    each(Action::Pass);
                }
            }
            (AskKind::Pick, Frame::Code(code)) => match self.op(code) {
                Op::Either { count, .. } => {
                    for option in 0..count {
                        if self.option_possible(code, option) && !each(Action::Pick(Ref::number(option))) {
                            return;
                        }
                    }
                }
                Op::Arrange { who, .. } => {
                    let seat = self.one(&code.ctx(), who);
                    let stacks = seat.map_or(&[][..], |seat| self.s.slots(seat));
                    let left = stacks.len().saturating_sub(usize::from(code.picked));
                    for top in &stacks[..left] {
                        if !each(Action::Pick(self.s.ref_of(*top))) {
                            return;
                        }
                    }
                }
                Op::Number { from, to, .. } => {
                    let (from, to) = self.range(code, from, to);
                    let _ = (from..=to).all(|n| each(Action::Pick(Ref::number(n))));
                }
                _ => self.each_choice(code, |r| each(Action::Pick(r))),
            },
            (AskKind::Pick, Frame::Options { open, .. }) => {
                (0..8).all(|option| open >> option & 1 == 0 || each(Action::Pick(Ref::number(option))));
            }
            (AskKind::Pick, Frame::Step(step)) => {
                self.each_step_pick(*step, ask.seat, &mut |r| each(Action::Pick(r)));
            }
            _ => {}
        }
    }

    /// Not if the player is asked for cover only.
    fn may_say_yes(&self, seat: Seat, frame: &Frame) -> bool {
        match frame {
            Frame::Code(code) => self.possible(&Code { pc: code.pc + 1, ..*code }),
            Frame::Step(Step::Mulligan(_)) => self.may_mulligan(seat),
            _ => true,
        }
    }

    // ---- picks of running code ----

    pub fn op(&self, code: &Code) -> Op {
        self.db.ops[usize::from(self.db.unit(code.unit).start) + usize::from(code.pc)]
    }

    /// From which to which number.
    fn range(&self, code: &Code, from: NumId, to: NumId) -> (u8, u8) {
        let number = |num| self.num(num, &code.ctx()).clamp(0, i32::from(u8::MAX)) as u8;
        (number(from), number(to).max(number(from)))
    }

    /// What the `Choose` at which the code stands can still pick.
    pub fn each_choice(&self, code: &Code, mut each: impl FnMut(Ref) -> bool) {
        let Op::Choose { reg, query, .. } = self.op(code) else { return };
        self.select(query, &code.ctx(), |r: Ref| {
            self.picked_already(code, reg, r) || !self.leaves_targets(code, reg, r) || each(r)
        });
    }

    /// With this chosen, do the later targets of the declaration still have candidates?
    fn leaves_targets(&self, code: &Code, reg: u8, r: Ref) -> bool {
        let unit = self.db.unit(code.unit);
        if !unit.chained || code.pc >= unit.declared {
            return true;
        }
        let mut next = Code { pc: code.pc + 1, ..*code };
        next.regs[usize::from(reg + code.picked)] = r;
        self.can_finish(&next)
    }

    /// Can the rest of the declaration be completed? Matters where a target depends on an earlier
    /// one.
    pub fn can_finish(&self, code: &Code) -> bool {
        let mut at = *code;
        loop {
            match self.op(&at) {
                Op::Require(cond) if !self.cond(cond, &at.ctx()) => return false,
                Op::Choose { reg, count, query, .. } | Op::Random { reg, count, query } => {
                    if count > 1 {
                        return self.at_least(query, &at.ctx(), usize::from(count));
                    }
                    let mut next = Code { pc: at.pc + 1, picked: 0, ..at };
                    let mut found = false;
                    self.select(query, &at.ctx(), |r: Ref| {
                        next.regs[usize::from(reg)] = r;
                        found = self.can_finish(&next);
                        !found
                    });
                    return found;
                }
                Op::Declare | Op::End => return true,
                // Rule 14.5.
                Op::Act { verb: Verb::Destroy, on: OperandCode { slot: Slot::This, .. } }
                    if self.s.present(at.source).is_some_and(|room| self.s.has_minion(room)) =>
                {
                    return false;
                }
                _ => at.pc += 1,
            }
        }
    }

    #[inline]
    fn picked_already(&self, code: &Code, reg: u8, r: Ref) -> bool {
        let first = usize::from(reg);
        code.picked > 0 && code.regs[first..first + usize::from(code.picked)].contains(&r)
    }

    fn option_possible(&self, code: &Code, option: u8) -> bool {
        let entry = Code { pc: code.pc + 1 + u16::from(option), ..*code };
        match self.op(&entry) {
            Op::Option(to) => self.possible(&Code { pc: to, ..*code }),
            _ => false,
        }
    }

    /// Could the block that begins here do its first act? Checked before a `may` or an option is
    /// offered.
    pub fn possible(&self, code: &Code) -> bool {
        let ctx = code.ctx();
        let mut at = *code;
        loop {
            let acts_on = match self.op(&at) {
                Op::Require(cond) => {
                    if !self.cond(cond, &ctx) {
                        return false;
                    }
                    at.pc += 1;
                    continue;
                }
                Op::Choose { reg, query, .. } => return self.possible_with(&at, reg, query),
                Op::Random { query, .. } => return self.any(query, &ctx),
                Op::Either { count, .. } => {
                    return (0..count).any(|option| self.option_possible(&at, option));
                }
                Op::Build { query, on, .. } => return self.can_build_any(query, on, &ctx),
                // What is paid for has to be possible, too.
                Op::Coins { pay: true, .. } => {
                    at.pc += 1;
                    continue;
                }
                Op::Draw { back, .. } => return self.can_draw(back),
                Op::Act { verb: Verb::Destroy, on: OperandCode { slot: Slot::This, .. } }
                    if self.s.present(at.source).is_some_and(|room| self.s.has_minion(room)) =>
                {
                    return false;
                }
                Op::Arrange { who, .. } => {
                    return self.one(&ctx, who).is_some_and(|seat| self.s.slots(seat).len() > 1);
                }
                Op::Act { on, .. }
                | Op::Counters { on, .. }
                | Op::Take { on, .. }
                | Op::MoveTo { on, .. }
                | Op::Skip { on, .. }
                | Op::Damage { on, .. } => [on.slot; 2],
                Op::MoveInto { on, room } => [on.slot, room],
                Op::Swap { a, b } => [a, b],
                _ => return true,
            };
            return acts_on.iter().all(|slot| self.is_there(self.slot(&ctx, *slot)));
        }
    }

    /// Is the thing still where it was when it was chosen?
    fn is_there(&self, r: Ref) -> bool {
        if r.as_card().is_some() { self.s.present(r).is_some() } else { !r.is_nothing() }
    }

    /// Is there a choice with which the rest is possible?
    fn possible_with(&self, code: &Code, reg: u8, query: QueryId) -> bool {
        let mut next = Code { pc: code.pc + 1, ..*code };
        let (mut candidates, mut found) = (false, false);
        self.select(query, &code.ctx(), |r: Ref| {
            candidates = true;
            next.regs[usize::from(reg)] = r;
            found = self.possible(&next);
            !found
        });
        next.regs[usize::from(reg)] = Ref::NOTHING;
        found || !candidates && self.possible(&next)
    }

    pub fn can_draw(&self, back: tree::Back) -> bool {
        let (deck, kind) = match back {
            tree::Back::Room => (Place::ROOM_DECK, Kind::Room),
            tree::Back::Spell => (Place::SPELL_DECK, Kind::Spell),
        };
        self.s.pile_len(deck) > 0 || self.s.pile(Place::DISCARD).any(|id| self.def(id).kind.backed() == kind)
    }

    // ---- setup and end of turn ----

    fn each_step_pick(&self, step: Step, seat: Seat, each: &mut dyn FnMut(Ref) -> bool) {
        match step {
            Step::ChooseBoss(_) => {
                self.s.pile(Place::boss(seat)).all(|boss| each(self.s.ref_of(boss)));
            }
            Step::Claim(_) => {
                self.faceup_items(seat).all(|item| each(self.s.ref_of(item)));
            }
            Step::DiscardTwo(_) => {
                let chosen = |id: &CardId| self.s.card(*id).flags.has(Flags::CHOSEN);
                let mut hand = self.s.hand(seat).filter(|id| !chosen(id));
                hand.all(|id| each(self.s.ref_of(id)));
            }
            Step::Draft(_) => drop(self.s.pile(Place::MARKET).all(|card| each(self.s.ref_of(card)))),
            Step::PlaceMinion(_) => self.each_space(seat, each),
            Step::MinionAsks(_) => self.each_minion_choice(seat, each),
            _ => {
                for (i, back) in [tree::Back::Room, tree::Back::Spell].into_iter().enumerate() {
                    if self.can_draw(back) && !each(Ref::number(i as u8)) {
                        return;
                    }
                }
            }
        }
    }
}

impl Code {
    /// The registers that a lasting effect keeps.
    pub(crate) fn kept(&self, keep: [Option<u8>; KEPT]) -> [Ref; KEPT] {
        keep.map(|reg| reg.map_or(Ref::NOTHING, |reg| self.regs[usize::from(reg)]))
    }

    pub(crate) fn ctx(&self) -> Ctx<'_> {
        Ctx { regs: &self.regs, ..Ctx::of(self.you, self.source) }
    }
}

impl<L: Log> Runner<'_, L> {
    /// Takes a legal answer and runs until the next question.
    pub fn answer(&mut self, action: Action) {
        let Some(ask) = self.withdraw_question() else { return };
        let Some(frame) = self.s.frames.last() else { return };
        self.s.decisions += 1;
        let acts = (ask.kind == AskKind::Priority) & (action != Action::Pass);
        self.s.trigger_count = if acts { 0 } else { self.s.trigger_count };
        match *frame {
            Frame::Window(window) => {
                self.s.frames.drop_last();
                self.answer_window(window, ask.seat, action, false);
            }
            Frame::CancelRound(window) => {
                self.s.frames.drop_last();
                self.answer_window(window, ask.seat, action, true);
            }
            Frame::Triggers(from) => {
                if let Action::Pick(r) = action {
                    self.start_trigger(usize::from(from) + usize::from(r.as_number().unwrap_or(0)));
                }
            }
            Frame::Options { card, you, ability, .. } => {
                self.s.frames.drop_last();
                if let (Some(card), Action::Pick(r)) = (card.as_card(), action) {
                    self.begin_unit(you, card, ability.saturating_add(r.as_number().unwrap_or(0)));
                }
            }
            Frame::Code(code) => {
                self.s.frames.drop_last();
                self.answer_code(code, ask.seat, action);
            }
            Frame::Step(step) => {
                self.s.frames.drop_last();
                self.answer_step(step, ask.seat, action);
            }
            Frame::Resolve => self.s.frames.drop_last(),
        }
        self.run();
    }
}
