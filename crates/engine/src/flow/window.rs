//! Windows: who may act, what a declared action waits for, and which one takes effect next (rules 4.5 to 4.8).

use cards::code::{Facts, Hooks, KEPT, Op, OperandCode, Slot, UnitId, UnitKind};
use cards::vocabulary::{EventWord, Status};

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::ask::Action;
use crate::code::occurrence::Occurrence;
use crate::code::query::Board;
use crate::flow::edition::Priority;
use crate::model::id::*;
use crate::model::state::*;

/// What happens to an action once it is declared.
enum Timing {
    /// It takes effect at once, unless it is cancelled.
    Now,
    /// It waits until everybody has passed.
    Waits,
}

impl Board<'_> {
    /// With the active player first, that player's actions and all cancels take effect at once, the
    /// others' wait (4.5, 4.7); on a stack, all wait and can be answered (4.6).
    fn timing(&self, code: &Code) -> Timing {
        match self.s.rules.edition().priority {
            Priority::ActiveFirst if code.you == self.s.active || self.db.unit(code.unit).cancels => {
                Timing::Now
            }
            Priority::ActiveFirst | Priority::LastInFirstOut => Timing::Waits,
        }
    }

    /// The waiting action that takes effect next: in player order, each player's own in the order declared, or the
    /// newest.
    #[inline]
    fn next_to_resolve(&self) -> Option<usize> {
        if self.s.pending.is_empty() {
            return None;
        }
        let waits = |entry: &Pending| entry.waiting && !entry.cancelled;
        match self.s.rules.edition().priority {
            Priority::ActiveFirst => self.s.order().iter().find_map(|seat| {
                self.s.pending.iter().position(|entry| waits(entry) && entry.code.you == *seat)
            }),
            Priority::LastInFirstOut => self.s.pending.iter().rposition(waits),
        }
    }

    /// Rule 4.6: what is declared can be answered by actions only, so no room is placed meanwhile.
    pub fn answers_go_on_a_stack(&self) -> bool {
        self.s.rules.edition().priority == Priority::LastInFirstOut
    }

    /// Does a hero leave a destroyed room at once (10.6)? Not while a stack of actions takes effect (4.6).
    fn lets_heroes_fall(&self) -> bool {
        self.s.rules.edition().priority == Priority::ActiveFirst || self.next_to_resolve().is_none()
    }
}

impl Window {
    /// The player asked passes; the next one is asked.
    #[inline]
    fn pass(&mut self, players: u8) {
        self.passes += 1;
        self.pos += 1;
        if self.pos >= players {
            self.pos = 0;
        }
    }
}

/// From this number on an ability is not printed on its card: it is one of those that last.
pub(crate) const OFFERED: u8 = 128;
/// Declared actions that can wait at one time.
pub(crate) const PENDING: usize = 12;

impl<L: Log> Runner<'_, L> {
    /// Opens a window of the active player, followed by `then`. Returns `false`, doing nothing, if
    /// nobody could act in it.
    #[inline]
    pub fn open_window(&mut self, then: Step) -> bool {
        let shared = self.board().shared_facts();
        for pos in 0..self.s.alive {
            if let Some(seat) = self.board().seat_at(pos)
                && self.has_moves(seat, false, shared, 2)
            {
                self.s.frames.put(Frame::Step(then));
                self.s.frames.put(Frame::Window(Window { pos, passes: pos, resolved: 0 }));
                self.ask_collected(seat, AskKind::Priority);
                return true;
            }
        }
        false
    }

    /// Could the seat do anything in a window? If so, its answers are collected.
    #[inline(always)]
    fn has_moves(&mut self, seat: Seat, cancel_only: bool, shared: Facts, above: usize) -> bool {
        Board { db: self.db, s: self.s }.moves(seat, cancel_only, shared, above, self.answers)
    }

    pub fn window(&mut self, mut window: Window) {
        if self.has_fallen_hero() && self.board().lets_heroes_fall() {
            self.s.frames.put(Frame::Window(window));
            return self.next_room(true);
        }
        if let Some(hero) = self.moved_hero() {
            self.s.frames.put(Frame::Window(window));
            return self.enter_room(hero, true);
        }
        if window.resolved > 0 {
            return self.resolve_waiting(window);
        }
        let (players, shared) = (self.s.alive, self.board().shared_facts());
        while window.passes < players {
            if let Some(seat) = self.board().seat_at(window.pos)
                && self.has_moves(seat, false, shared, 1)
            {
                self.s.frames.put(Frame::Window(window));
                return self.ask_collected(seat, AskKind::Priority);
            }
            window.pass(players);
        }
        if self.board().next_to_resolve().is_some() {
            self.resolve_waiting(window);
        }
    }

    /// Everybody has passed: the waiting actions take effect one after the other, then the window
    /// starts again (4.5d).
    fn resolve_waiting(&mut self, window: Window) {
        let Some(index) = self.board().next_to_resolve() else {
            self.s.frames.put(Frame::Window(Window::default()));
            return;
        };
        let mut entry = self.s.pending.remove(index);
        entry.waiting = false;
        self.s.pending.put(entry);
        // One action of the stack takes effect; then all may answer again.
        let on_stack = self.s.rules.edition().priority == Priority::LastInFirstOut;
        let resolving = Window { resolved: window.resolved + 1, ..window };
        self.s.frames.put(Frame::Window(if on_stack { Window::default() } else { resolving }));
        self.s.frames.put(Frame::Resolve);
        // The first has already had its cancel round; since then things have changed for the
        // others.
        if window.resolved > 0 && self.board().is_spell(&entry.code) {
            self.s.frames.put(Frame::CancelRound(Window::default()));
        }
    }

    /// A round in which everybody may cancel the newest declared spell.
    pub fn cancel_round(&mut self, mut window: Window) {
        let settled = self.s.pending.last().is_none_or(|entry| entry.cancelled);
        let (players, shared) = (self.s.alive, self.board().shared_facts());
        while !settled && window.passes < players {
            if let Some(seat) = self.board().seat_at(window.pos)
                && self.has_moves(seat, true, shared, 1)
            {
                self.s.frames.put(Frame::CancelRound(window));
                return self.ask_collected(seat, AskKind::Priority);
            }
            window.pass(players);
        }
    }

    pub fn answer_window(&mut self, mut window: Window, seat: Seat, action: Action, cancel: bool) {
        if action == Action::Pass {
            window.pass(self.s.alive);
            return if cancel { self.cancel_round(window) } else { self.window(window) };
        }
        let window = Window::default();
        match action {
            Action::Use { card, ability } => {
                self.s.frames.put(if cancel { Frame::CancelRound(window) } else { Frame::Window(window) });
                self.begin_use(seat, card, ability, cancel);
            }
            Action::Build { card, spot } => {
                let (at, slot) = (spot.dungeon(seat), spot.slot());
                let board = self.board();
                let by_rule = || at == seat && board.build_sites(seat).places(card) >> slot & 1 == 1;
                let allowed = if self.s.hooks.has(Hooks::ALLOWS) && !by_rule() {
                    board.allowing(seat, card, at, slot)
                } else {
                    None
                };
                self.place_facedown(seat, card, spot);
                if let Some(Some(lasting)) = allowed {
                    self.use_up_lasting(lasting);
                }
                self.s.player_mut(seat).placed += 1;
                self.window(window);
            }
            Action::Promote { card } => {
                self.spend(seat, 1);
                self.acts_at_once(|t| t.promote(card));
            }
            Action::Sell { card } => self.acts_at_once(|t| t.sell(seat, card)),
            Action::TakeBack { card } => self.acts_at_once(|t| t.take_back(seat, card)),
            _ => {}
        }
    }

    /// Something that cannot be answered; what it triggers comes next, then the window begins again.
    fn acts_at_once(&mut self, act: impl FnOnce(&mut Self)) {
        let window = Window::default();
        if !self.triggers_follow(act, &[Frame::Window(window)]) {
            self.window(window);
        }
    }

    /// A spell or ability is announced; its alternative, targets and costs come next.
    pub fn begin_use(&mut self, seat: Seat, card: CardId, ability: u8, cancel: bool) {
        if let Some(lasting) = ability.checked_sub(OFFERED) {
            return self.begin_offered(seat, usize::from(lasting));
        }
        if self.board().alternatives(card, ability).len() == 1 {
            return self.begin_unit(seat, card, ability);
        }
        let open = self.board().open_alternatives(seat, card, ability, cancel);
        let seems_open =
            |board: &Board| board.open_alternatives(seat, card, ability, cancel).count_ones() > 1;
        if open.count_ones() > 1 || self.s.rules.ask_all || self.seems(Some(card), seems_open) {
            let card = self.s.ref_of(card);
            self.s.frames.put(Frame::Options { card, you: seat, ability, open });
            self.ask_anyway(seat, AskKind::Pick);
        } else {
            self.begin_unit(seat, card, ability + open.trailing_zeros() as u8);
        }
    }

    /// An ability that lasts until end of turn is used, and thereby used up.
    fn begin_offered(&mut self, seat: Seat, index: usize) {
        let Some(Lasting { source, kept, kind: LastingKind::Offer(unit), .. }) =
            self.s.lasting.get(index).copied()
        else {
            return;
        };
        self.end_one(index);
        if let Some(card) = source.as_card() {
            self.tell(|t| What::Uses { ability: OFFERED }.by(seat).on(t.shown(card)).at(t.at(card)));
        }
        let mut code = self.code(unit, source, seat);
        code.regs[..KEPT].copy_from_slice(&kept);
        self.launch(code);
    }

    pub fn begin_unit(&mut self, seat: Seat, card: CardId, ability: u8) {
        let Some(unit) = self.board().units_of(card).get(usize::from(ability)).copied() else { return };
        if self.db.unit(unit).kind == UnitKind::Play {
            self.put_on_table(card);
        } else {
            self.tell(|t| What::Uses { ability }.by(seat).on(t.shown(card)).at(t.at(card)));
        }
        // An item is used up as it is declared.
        if self.db.unit(unit).kind == UnitKind::Item {
            self.turn_item(card, false);
        }
        let source = self.s.ref_of(card);
        self.use_up(unit, source, Ref::NOTHING);
        let code = self.code(unit, source, seat);
        self.launch(code);
    }

    /// Targets are chosen and costs paid: the action is declared.
    pub fn declare(&mut self, mut code: Code) {
        let info = self.db.unit(code.unit);
        code.pc = info.declared;
        if info.resets
            && let Some(card) = self.s.present(code.source)
        {
            self.fall_back(card);
        }
        let claiming = self.db.items && self.is_claiming();
        let waiting = !claiming && matches!(self.board().timing(&code), Timing::Waits);
        self.s.pending.put(Pending { code, waiting, cancelled: false });
        if waiting {
            if let Some(card) = code.source.as_card() {
                self.tell(|t| What::Waits.by(code.you).on(t.shown(card)).at(t.at(card)));
            }
            return;
        }
        // What the costs triggered comes first, so its collector stays on top.
        let collector = self.s.frames.pop();
        self.s.frames.put(Frame::Resolve);
        if !claiming && (self.board().is_spell(&code) || code.you != self.s.active) {
            self.s.frames.put(Frame::CancelRound(Window::default()));
        }
        if let Some(collector) = collector {
            self.s.frames.put(collector);
        }
    }

    /// The newest declared action takes effect, unless it was cancelled or its target is gone.
    pub fn resolve(&mut self) {
        let Some(entry) = self.s.pending.pop() else { return };
        if entry.cancelled {
            return;
        }
        let mut code = entry.code;
        // A room blanked in the meantime does nothing, wherever the card is now.
        let blank = code.source.as_card().is_some_and(|card| self.board().has_status(card, Status::Blank));
        let lost = blank || self.lost_targets(&mut code);
        if lost {
            if let Some(card) = code.source.as_card() {
                self.tell(|t| What::Fizzles.by(code.you).on(t.shown(card)).at(t.at(card)));
                if self.board().is_spell(&code) {
                    self.put_away_resolved(card);
                }
            }
            return;
        }
        // Abilities triggered by the spell, or by using an item, come before its effect.
        if self.board().is_spell(&code) || self.db.unit(code.unit).kind == UnitKind::Item {
            let what = Occurrence::new(EventWord::Cast, code.source, code.you);
            if self.triggers_follow(|t| t.queue_triggers(&what), &[self.collector(), Frame::Code(code)]) {
                return;
            }
        }
        self.launch(code);
    }

    /// Rule 4.8. Blanks the targets that are gone; true if the effect can do nothing with those that are left.
    fn lost_targets(&self, code: &mut Code) -> bool {
        let info = self.db.unit(code.unit);
        let start = usize::from(info.start);
        let declaration = &self.db.ops[start..start + usize::from(info.declared)];
        // Targets come before costs; what a cost chose is gone on purpose.
        let targets = declaration
            .iter()
            .take_while(|op| matches!(op, Op::Require(_) | Op::Choose { .. } | Op::Number { .. }));
        let (mut chosen, mut left) = (0, 0_u8);
        for op in targets {
            let Op::Choose { reg, count, query, .. } = *op else { continue };
            if self.is_cost_choice(code.unit, reg) {
                continue;
            }
            // Its place depends on a card that the cost has removed: not checked again.
            let place = self.db.queries[query.index()].place();
            let paid_with = matches!(place, Some(Slot::Reg(place)) if self.is_cost_choice(code.unit, place));
            let name = 1 << reg;
            for reg in usize::from(reg)..usize::from(reg + count) {
                let r = code.regs[reg];
                chosen += 1;
                let there =
                    r.as_seat().is_some_and(|seat| self.s.in_game(seat)) || self.s.present(r).is_some();
                if there && (paid_with || self.board().still_matches(query, &code.ctx(), r)) {
                    left |= name;
                } else {
                    code.regs[reg] = Ref::NOTHING;
                }
            }
        }
        let works = |needed: &u8| needed & !left == 0;
        chosen > 0 && (left == 0 || !info.about.is_empty() && !info.about.iter().any(works))
    }

    /// Was the register chosen as a payment, so that a cost of the declaration acts on it?
    fn is_cost_choice(&self, unit: UnitId, reg: u8) -> bool {
        let info = self.db.unit(unit);
        let start = usize::from(info.start);
        self.db.ops[start..start + usize::from(info.declared)].iter().any(|op| {
            matches!(op,
                    Op::Act { on: OperandCode { slot: Slot::Reg(r), .. }, .. }
                    | Op::Counters { on: OperandCode { slot: Slot::Reg(r), .. }, .. } if *r == reg)
        })
    }
}
