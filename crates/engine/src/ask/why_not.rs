//! Why a player cannot use or build one of their own cards now. Worked out when somebody asks; `legal` knows nothing
//! of it.
//!
//! Invariant: there is a reason exactly for what `legal` does not list, and it follows from what the player sees.

use cards::code::{CondId, MINIBOSS_LEVELS, Op, OperandCode, QueryId, Slot, UnitId, UnitKind, User};
use cards::vocabulary::{Classes, EventWord, Kind, Phase, Phases, Status, Verb, Zone};

use crate::Game;
use crate::api::view::View;
use crate::ask::{Action, Actions, Question};
use crate::code::occurrence::Occurrence;
use crate::code::query::{Board, Ctx};
use crate::model::id::*;
use crate::model::state::*;

/// Why not; `tell::why_not` has the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNot {
    GameOver,
    /// Somebody else is asked.
    NotAsked(Seat),
    /// The player is asked something else.
    OtherQuestion,
    /// Something was declared, and only what cancels or blanks it can answer.
    CannotAnswer(Option<CardId>),

    // ---- rooms of the hand ----
    NotBuildPhase,
    /// It is another player's time to build.
    NotYourBuild {
        /// The player had theirs.
        over: bool,
    },
    AlreadyBuilt,
    /// An advanced room, and no room in the dungeon with such treasure.
    NoTreasure(Classes),
    /// There are such rooms, but none that can be built on.
    TreasureHidden(Classes),
    /// All five places are taken, and none can be built on.
    NoPlace,
    /// A miniboss, and every room has one or is next to one that has.
    MinibossNear,
    /// A miniboss, and no room that can be built on.
    NoRoomForMiniboss,

    // ---- promoting ----
    /// Only in the player's own time to build.
    NotYourTimeToPromote,
    HasPromoted,
    /// It was revealed this turn.
    MinibossNew,
    /// Promoting costs one.
    NoCoin,

    // ---- spells and abilities ----
    WrongPhase(Phases),
    /// Its use for this turn is gone.
    UsedUp,
    /// It is used from the hand.
    FromHand,
    /// Only the others may use it.
    ForOthers,
    FaceDown,
    Deactivated,
    /// Another card has switched its text off.
    SwitchedOff,
    NotLevelledUp,
    /// Under another room.
    Covered,
    /// An item that has been used, or that came with a survivor.
    ItemTurned,
    /// An item that was claimed this turn.
    ItemNew,
    /// It has nothing to use: it works by itself, or does nothing.
    Passive,
    /// Not enough candidates; `at` is the code that looks for them.
    NoCandidates {
        query: QueryId,
        count: u8,
        at: Code,
    },
    Condition(CondId),
    /// A rule in force, of this card if it is known.
    Forbidden(Option<CardId>),
    /// Too many actions wait already.
    TooMuch,
}

impl View<'_> {
    /// Why the viewer cannot use, build or choose this card of theirs; `None` if they can, or if it is not theirs.
    pub fn why_not(&self, card: CardId) -> Option<WhyNot> {
        let exists = card.index() < self.state().card_count();
        exists.then(|| self.table().why_not(self.viewer()?, card))?
    }
}

impl Game<'_> {
    fn why_not(&self, seat: Seat, card: CardId) -> Option<WhyNot> {
        let place = self.state.card(card).place;
        let lodged = self.def(card).kind == Kind::Miniboss
            && self.state.host(card).is_some_and(|host| self.state.card(host).place == Place::dungeon(seat));
        let theirs = lodged
            || place.seat() == seat
                && match place.zone() {
                    Zone::Hand | Zone::Dungeon | Zone::Boss => true,
                    Zone::Scoring => self.def(card).kind == Kind::Item,
                    _ => false,
                };
        if !theirs {
            return None;
        }
        let Some(decision) = self.decision() else { return Some(WhyNot::GameOver) };
        if decision.seat != seat {
            return Some(WhyNot::NotAsked(decision.seat));
        }
        let mut legal = Actions::new();
        self.legal(&mut legal);
        let means = |action: &Action| match action {
            Action::Use { card: used, .. } | Action::Build { card: used, .. } => *used == card,
            Action::Promote { card: promoted } => *promoted == card,
            Action::Pick(r) => r.as_card() == Some(card),
            _ => false,
        };
        if legal.iter().any(means) {
            return None;
        }
        let board = self.board();
        Some(match decision.question {
            Question::Act | Question::Cancel => {
                let cancel_only = decision.question == Question::Cancel;
                let from_hand = cancel_only && !board.def(card).activated.is_empty();
                if lodged {
                    board.why_not_promoted(seat, card, cancel_only)
                } else if place == Place::rooms(seat) && !from_hand {
                    board.why_not_built(seat, card, cancel_only)
                } else {
                    board.why_not_used(seat, card, cancel_only)
                }
            }
            Question::FirstRoom | Question::BuildNow if place == Place::rooms(seat) => {
                board.why_no_place(seat, card)
            }
            _ => WhyNot::OtherQuestion,
        })
    }
}

impl Board<'_> {
    fn why_not_built(&self, seat: Seat, card: CardId, cancel_only: bool) -> WhyNot {
        if cancel_only {
            return WhyNot::CannotAnswer(self.declared());
        }
        if self.s.phase != Phase::Build {
            return WhyNot::NotBuildPhase;
        }
        let player = self.s.player(seat);
        if self.s.active != seat {
            return WhyNot::NotYourBuild { over: player.done };
        }
        if i32::from(player.placed) >= self.builds(seat) {
            return WhyNot::AlreadyBuilt;
        }
        self.why_no_place(seat, card)
    }

    /// A miniboss with its room: why it cannot be promoted, or why what its level gives cannot be used.
    fn why_not_promoted(&self, seat: Seat, card: CardId, cancel_only: bool) -> WhyNot {
        let level = self.s.attachment(card).map_or(0, |attachment| attachment.level);
        let own_time = self.s.phase == Phase::Build && self.s.active == seat;
        let uses = !self.units_of(card).is_empty();
        if let Some(why) = self.why_off(seat, card) {
            why
        } else if level >= MINIBOSS_LEVELS || uses && (cancel_only || !own_time) {
            self.why_not_used(seat, card, cancel_only)
        } else if cancel_only || !own_time {
            WhyNot::NotYourTimeToPromote
        } else if self.s.trade.promoted.has(seat) {
            WhyNot::HasPromoted
        } else if self.s.card(card).flags.has(Flags::NEW) {
            WhyNot::MinibossNew
        } else {
            WhyNot::NoCoin
        }
    }

    fn why_no_place(&self, seat: Seat, card: CardId) -> WhyNot {
        let def = self.def(card);
        let tops = self.s.slots(seat);
        if def.kind == Kind::Miniboss {
            let free =
                |(slot, top): (usize, &CardId)| self.is_active_room(*top) && self.plain_is_apart(seat, slot);
            if !tops.iter().any(|top| self.is_active_room(*top)) {
                return WhyNot::NoRoomForMiniboss;
            }
            if !tops.iter().enumerate().any(free) {
                return WhyNot::MinibossNear;
            }
        }
        let mut built = Occurrence::new(EventWord::Built, self.s.ref_of(card), seat);
        let forbidden = |room: Ref, built: &mut Occurrence| {
            built.room = room;
            self.forbidden(built).then(|| self.forbidding(built))
        };
        let shares = |top: &&CardId| !def.classes.and(self.classes(**top)).is_empty();
        let fits = |top: &&CardId| self.is_active_room(**top) && (!def.advanced || shares(top));
        for top in tops.iter().filter(fits) {
            if let Some(by) = forbidden(self.s.ref_of(*top), &mut built) {
                return WhyNot::Forbidden(by);
            }
        }
        if !def.advanced {
            return match forbidden(Ref::NOTHING, &mut built) {
                Some(by) => WhyNot::Forbidden(by),
                None => WhyNot::NoPlace,
            };
        }
        match tops.iter().any(|top| shares(&top)) {
            true => WhyNot::TreasureHidden(def.classes),
            false => WhyNot::NoTreasure(def.classes),
        }
    }

    fn why_not_used(&self, seat: Seat, card: CardId, cancel_only: bool) -> WhyNot {
        if let Some(why) = self.why_off(seat, card) {
            return why;
        }
        if !self.room_to_declare(0) {
            return WhyNot::TooMuch;
        }
        let def = self.def(card);
        let spell = self.s.card(card).place == Place::spells(seat);
        if spell && !def.castable_in(self.s.phase) {
            let phases = Phase::OF_ACTIONS.iter().map(|(_, phase)| *phase);
            return WhyNot::WrongPhase(phases.filter(|phase| def.castable_in(*phase)).collect());
        }
        let units = self.units_of(card);
        let why = units.iter().find_map(|unit| self.why_not_declared(*unit, seat, card, cancel_only));
        match why {
            Some(why) => why,
            None if units.is_empty() => WhyNot::Passive,
            None => {
                let cast = Occurrence::new(EventWord::Cast, self.s.ref_of(card), seat);
                WhyNot::Forbidden(self.forbidding(&cast))
            }
        }
    }

    /// The card itself is out of action.
    fn why_off(&self, seat: Seat, card: CardId) -> Option<WhyNot> {
        let state = self.s.card(card);
        match state.place.zone() {
            Zone::Attached => {
                let host = self.s.host(card)?;
                match self.s.card(host).flags {
                    flags if flags.has(Flags::DEACTIVATED) => Some(WhyNot::Deactivated),
                    _ if self.has_status(host, Status::Blank) => Some(WhyNot::SwitchedOff),
                    _ => None,
                }
            }
            Zone::Dungeon if !self.s.slots(seat).contains(&card) => Some(WhyNot::Covered),
            Zone::Dungeon if state.flags.has(Flags::FACEDOWN) => Some(WhyNot::FaceDown),
            Zone::Dungeon if state.flags.has(Flags::DEACTIVATED) => Some(WhyNot::Deactivated),
            Zone::Dungeon if self.has_status(card, Status::Blank) => Some(WhyNot::SwitchedOff),
            Zone::Boss if !self.s.player(seat).levelled => Some(WhyNot::NotLevelledUp),
            Zone::Scoring if state.flags.has(Flags::FACEDOWN) => Some(WhyNot::ItemTurned),
            Zone::Scoring if self.usable_items(seat).all(|item| item != card) => Some(WhyNot::ItemNew),
            _ => None,
        }
    }

    fn why_not_declared(&self, id: UnitId, seat: Seat, card: CardId, cancel_only: bool) -> Option<WhyNot> {
        let unit = self.db.unit(id);
        if unit.from_hand != self.s.card(card).place.is_hand_of(seat) && unit.kind == UnitKind::Activated {
            return Some(WhyNot::FromHand);
        }
        if unit.user == User::Opponents {
            return Some(WhyNot::ForOthers);
        }
        let answers = match self.s.pending.last() {
            Some(newest) if !self.is_spell(&newest.code) => unit.blanks && seat == self.s.active,
            _ => unit.cancels,
        };
        if cancel_only && !answers {
            return Some(WhyNot::CannotAnswer(self.declared()));
        }
        if let Some(phase) = unit.phase.filter(|phase| *phase != self.s.phase) {
            return Some(WhyNot::WrongPhase([phase].into_iter().collect()));
        }
        let this = self.s.ref_of(card);
        if unit.limit.is_some() && !self.has_use(id, this, Ref::NOTHING) {
            return Some(WhyNot::UsedUp);
        }
        self.why_unfinished(Code { unit: id, source: this, you: seat, ..Code::EMPTY })
    }

    /// What stops the declaration that stands here; `None` if it can be completed.
    fn why_unfinished(&self, mut code: Code) -> Option<WhyNot> {
        loop {
            match self.op(&code) {
                Op::Declare | Op::End => return None,
                Op::Require(cond) if !self.cond(cond, &code.ctx()) => return Some(WhyNot::Condition(cond)),
                Op::Act { verb: Verb::Destroy, on: OperandCode { slot: Slot::This, .. } }
                    if !self.s.present(code.source).is_some_and(|room| self.is_active_room(room)) =>
                {
                    return Some(WhyNot::Deactivated);
                }
                Op::Choose { reg, count, query, .. } | Op::Random { reg, count, query } => {
                    let mut candidates = Vec::new();
                    self.select(query, &code.ctx(), |r: Ref| {
                        candidates.push(r);
                        true
                    });
                    if candidates.len() < usize::from(count) {
                        return Some(WhyNot::NoCandidates { query, count, at: code });
                    }
                    code.pc += 1;
                    if count > 1 {
                        continue;
                    }
                    // With every candidate something later is missing.
                    let mut why = None;
                    for candidate in candidates {
                        code.regs[usize::from(reg)] = candidate;
                        why = Some(self.why_unfinished(code)?);
                    }
                    return why;
                }
                _ => code.pc += 1,
            }
        }
    }

    /// The card of the newest declared action.
    fn declared(&self) -> Option<CardId> {
        self.s.pending.last().and_then(|newest| newest.code.source.as_card())
    }

    /// The card whose rule forbids it.
    fn forbidding(&self, what: &Occurrence) -> Option<CardId> {
        let mut by = None;
        self.sources(cards::code::Hooks::forbids(what.word), |seat, source, def| {
            let ctx = Ctx::of(seat, self.s.ref_of(source));
            if def.rules.iter().any(|rule| self.rule_forbids(*rule, &ctx, what)) {
                by = Some(source);
            }
        });
        by.or_else(|| {
            let lasting = self.s.lasting.iter().find(|lasting| {
                let ctx = Ctx { regs: &lasting.kept, ..Ctx::of(lasting.you, lasting.source) };
                lasting.rule().is_some_and(|rule| self.rule_forbids(rule, &ctx, what))
            });
            lasting?.source.as_card()
        })
    }
}
