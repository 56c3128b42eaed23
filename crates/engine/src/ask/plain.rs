//! The legal answers, the plain way: every card, ability and place is checked by itself, straight
//! from the rules. Too slow to play with. The engine uses the fast paths in `fast/`, and
//! `tests/plain.rs` compares the two at every decision of many games.

use cards::code::{KEPT, MINIBOSS_LEVELS, Op, OperandCode, Slot, UnitId};
use cards::vocabulary::{EventWord, Kind, Phase, Status, Verb};

use crate::ask::Action;
use crate::code::occurrence::Occurrence;
use crate::code::query::Board;
use crate::flow::window::OFFERED;
use crate::model::id::*;
use crate::model::state::*;

impl Board<'_> {
    /// All legal answers, sorted.
    pub fn plain_legal(&self) -> Vec<Action> {
        let (Some(ask), Some(frame)) = (self.s.ask, self.s.frames.last()) else { return Vec::new() };
        let mut actions = Vec::new();
        match (ask.kind, frame) {
            (AskKind::Priority, Frame::Step(_)) => {
                actions.push(Action::Pass);
                self.plain_items(ask.seat, false, &mut actions);
            }
            (AskKind::Priority, frame) => {
                let cancel_only = !matches!(frame, Frame::Window(_));
                actions.push(Action::Pass);
                if self.room_to_declare(0) {
                    self.plain_uses(ask.seat, cancel_only, &mut actions);
                }
                if !cancel_only && self.may_place_now(ask.seat) {
                    self.plain_builds(ask.seat, &mut actions);
                }
                if !cancel_only && self.s.phase == Phase::Build {
                    self.plain_trades(ask.seat, &mut actions);
                }
            }
            (AskKind::Place(may_pass), frame) => {
                if may_pass {
                    actions.push(Action::Pass);
                }
                self.plain_placements(ask.seat, frame, &mut actions);
                if actions.is_empty() {
                    actions.push(Action::Pass);
                }
            }
            // Yes and no, picks and orders have no fast path.
            _ => self.each_legal(&mut |action| {
                actions.push(action);
                true
            }),
        }
        actions.sort_unstable();
        actions.dedup();
        actions
    }

    // ---- coins and portable rooms (rules 6.6, 6.7, 16.3) ----

    fn plain_trades(&self, seat: Seat, actions: &mut Vec<Action>) {
        for card in self.s.card_ids() {
            let CardState { place, flags, .. } = *self.s.card(card);
            let kind = self.def(card).kind;
            let sells = self.s.trade.open && !self.s.trade.sold.has(seat);
            if sells && kind == Kind::Room && place == Place::rooms(seat) {
                actions.push(Action::Sell { card });
            }
            let promotes =
                seat == self.s.active && self.s.coins(seat) > 0 && !self.s.trade.promoted.has(seat);
            let attachment = self.s.attachment(card).filter(|_| promotes && kind == Kind::Miniboss);
            if attachment.is_some_and(|a| {
                let host = self.s.card(a.host);
                let there = host.place == Place::dungeon(seat) && !host.flags.has(Flags::DEACTIVATED);
                there && (1..MINIBOSS_LEVELS).contains(&a.level) && !flags.has(Flags::NEW)
            }) {
                actions.push(Action::Promote { card });
            }
            let portable = self.def(card).portable && !self.has_status(card, Status::Blank)
                || self.has_status(card, Status::Portable);
            let mine = seat == self.s.active && place == Place::dungeon(seat) && self.is_active_room(card);
            if mine && portable && !self.s.has_minion(card) && !self.s.trade.took_back.has(seat) {
                actions.push(Action::TakeBack { card });
            }
        }
    }

    // ---- spells and abilities (rules 4.3, 4.4) ----

    fn plain_uses(&self, seat: Seat, cancel_only: bool, actions: &mut Vec<Action>) {
        self.plain_items(seat, cancel_only, actions);
        for (index, lasting) in self.s.lasting.iter().enumerate() {
            let Lasting { source, kept, you, kind: LastingKind::Offer(unit) } = *lasting else { continue };
            let mut code = Code { unit, source, you, ..Code::EMPTY };
            code.regs[..KEPT].copy_from_slice(&kept);
            if let Some(card) = source.as_card().filter(|_| you == seat && !cancel_only)
                && matches!(self.s.phase, Phase::Build | Phase::Adventure)
                && self.plain_can_finish(code)
            {
                actions.push(Action::Use { ability: OFFERED + index as u8, card });
            }
        }
        for card in self.s.card_ids() {
            let def = self.def(card);
            if def.kind == Kind::Spell {
                let in_hand = self.s.card(card).place == Place::spells(seat);
                let cast = Occurrence::new(EventWord::Cast, self.s.ref_of(card), seat);
                let can = |unit: &UnitId| self.plain_can_declare(*unit, seat, card, cancel_only);
                let in_time = def.castable_in(self.s.phase);
                if in_hand && in_time && def.play.iter().any(can) && !self.forbidden(&cast) {
                    actions.push(Action::Use { ability: 0, card });
                }
            }
            for (index, id) in self.text(card).activated.iter().enumerate() {
                let unit = self.db.unit(*id);
                let ability = index as u8;
                let can = |unit: &UnitId| self.plain_can_declare(*unit, seat, card, cancel_only);
                // The first alternative stands for all of them.
                let begins = unit.option.is_none_or(|option| option == 0);
                let alternatives = self.alternatives(card, ability);
                if begins && self.works(seat, card, unit) && alternatives.iter().any(can) {
                    actions.push(Action::Use { ability, card });
                }
            }
        }
    }

    /// Items that are face up since an earlier turn (rule 8.5).
    fn plain_items(&self, seat: Seat, cancel_only: bool, actions: &mut Vec<Action>) {
        for card in self.s.card_ids().filter(|card| self.def(*card).kind == Kind::Item) {
            let CardState { place, flags, .. } = *self.s.card(card);
            let ready = !flags.has(Flags(Flags::FACEDOWN.0 | Flags::NEW.0 | Flags::DUE.0));
            let can = |unit: &UnitId| self.plain_can_declare(*unit, seat, card, cancel_only);
            let def = self.def(card);
            let in_time = def.castable_in(self.s.phase);
            if place == Place::scoring(seat) && ready && in_time && def.play.iter().any(can) {
                actions.push(Action::Use { ability: 0, card });
            }
        }
    }

    /// The timing is right, the limit is not used up, requirements hold, targets exist, costs can
    /// be paid.
    fn plain_can_declare(&self, id: UnitId, seat: Seat, card: CardId, cancel_only: bool) -> bool {
        let unit = self.db.unit(id);
        let answers_it = !cancel_only
            || match self.s.pending.last() {
                Some(newest) if !self.is_spell(&newest.code) => unit.blanks && seat == self.s.active,
                _ => unit.cancels,
            };
        let this = self.s.ref_of(card);
        let in_time = matches!(self.s.phase, Phase::Build | Phase::Adventure)
            && unit.phase.is_none_or(|phase| phase == self.s.phase);
        let unused = unit.limit.is_none() || self.has_use(id, this, Ref::NOTHING);
        let code = Code { unit: id, source: this, you: seat, ..Code::EMPTY };
        answers_it && in_time && unused && self.plain_can_finish(code)
    }

    /// Can targets be chosen, one after the other, so that the declaration can be completed?
    fn plain_can_finish(&self, mut code: Code) -> bool {
        loop {
            match self.op(&code) {
                Op::Declare | Op::End => return true,
                Op::Require(cond) if !self.cond(cond, &code.ctx()) => return false,
                Op::Act { verb: Verb::Destroy, on: OperandCode { slot: Slot::This, .. } }
                    if !self
                        .s
                        .present(code.source)
                        .is_some_and(|room| self.is_active_room(room) && !self.s.has_minion(room)) =>
                {
                    return false;
                }
                Op::Choose { reg, count, query, .. } | Op::Random { reg, count, query } => {
                    let mut candidates = Vec::new();
                    self.select(query, &code.ctx(), |r: Ref| {
                        candidates.push(r);
                        true
                    });
                    if candidates.len() < usize::from(count) {
                        return false;
                    }
                    code.pc += 1;
                    if count == 1 {
                        for candidate in candidates {
                            code.regs[usize::from(reg)] = candidate;
                            if self.plain_can_finish(code) {
                                return true;
                            }
                        }
                        return false;
                    }
                }
                _ => code.pc += 1,
            }
        }
    }

    // ---- rooms (rules 2.3, 6.1) ----

    fn plain_builds(&self, seat: Seat, actions: &mut Vec<Action>) {
        for card in self.s.pile(Place::rooms(seat)) {
            self.plain_places(seat, card, &|_| true, actions);
            for at in self.s.seats() {
                for slot in 0..self.s.slots(at).len() {
                    if self.allowing(seat, card, at, slot).is_some() {
                        actions.push(Action::Build { spot: Spot::at(seat, at, slot), card });
                    }
                }
            }
        }
    }

    fn plain_placements(&self, seat: Seat, frame: &Frame, actions: &mut Vec<Action>) {
        let Frame::Code(code) = frame else {
            let rooms = self.s.pile(Place::rooms(seat));
            return rooms.for_each(|card| self.plain_places(seat, card, &|_| true, actions));
        };
        let Op::Build { query, on, .. } = self.op(code) else { return };
        let ctx = code.ctx();
        let fits = |top: Option<CardId>| {
            on.is_none_or(|on| top.is_some_and(|top| self.matches(on, &ctx, self.s.ref_of(top))))
        };
        self.select(query, &ctx, |r: Ref| {
            if let Some(card) = r.as_card() {
                self.plain_places(seat, card, &fits, actions);
                for (slot, top) in self.s.slots(seat).iter().enumerate() {
                    if fits(Some(*top)) && self.allowed_at_once(seat, card, slot) {
                        actions.push(Action::Build { spot: Spot::at(seat, seat, slot), card });
                    }
                }
            }
            true
        });
    }

    /// The places in the player's own dungeon where the room may go.
    fn plain_places(
        &self,
        seat: Seat,
        card: CardId,
        fits: &dyn Fn(Option<CardId>) -> bool,
        actions: &mut Vec<Action>,
    ) {
        let stacks = self.s.slots(seat);
        for slot in 0..SLOTS.min(stacks.len() + 1) {
            let top = stacks.get(slot).copied();
            if fits(top) && self.plain_may_build(seat, card, top, slot) {
                actions.push(Action::Build { spot: Spot::at(seat, seat, slot), card });
            }
        }
    }

    /// On that room, or, with `None`, as a new stack at the far left.
    fn plain_may_build(&self, seat: Seat, card: CardId, on: Option<CardId>, slot: usize) -> bool {
        let def = self.def(card);
        let matches = match on {
            Some(top) => {
                let shares = !def.classes.and(self.classes(top)).is_empty();
                let fits = !def.advanced || shares || self.allows_itself(seat, card, top);
                self.is_active_room(top) && !self.s.has_minion(top) && fits
            }
            None => !def.advanced,
        };
        let mut built = Occurrence::new(EventWord::Built, self.s.ref_of(card), seat);
        built.room = on.map_or(Ref::NOTHING, |top| self.s.ref_of(top));
        (built.dungeon, built.slot) = (seat, Some(slot as u8));
        let fits = match def.kind {
            Kind::Room => matches,
            Kind::Miniboss => on.is_some() && matches && self.plain_is_apart(seat, slot),
            _ => false,
        };
        fits && !self.forbidden(&built)
    }

    /// Neither this stack nor one next to it has a miniboss (16.1).
    pub(super) fn plain_is_apart(&self, seat: Seat, slot: usize) -> bool {
        let has = |slot: usize| {
            let top = self.s.slots(seat).get(slot);
            let attached =
                |top: CardId| self.s.attached_to(top).any(|a| self.def(a.card).kind == Kind::Miniboss);
            top.is_some_and(|top| self.def(*top).kind == Kind::Miniboss || attached(*top))
        };
        !has(slot) && !has(slot + 1) && !slot.checked_sub(1).is_some_and(has)
    }
}
