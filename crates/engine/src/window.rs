//! Windows: who may act, what a declared action waits for, and which one takes effect next. This is the
//! one place where the rulesets differ in order and resolution (rules 4.5 to 4.8).

use cards::code::{Check, Facts, Hooks, Op, Operand, Slot, Unit, UnitId, UnitKind, Whose};
use cards::tree::{self, Word};

use crate::acts::Table;
use crate::ask::Action;
use crate::event::{Event, Log};
use crate::id::*;
use crate::query::{Board, Ctx};
use crate::setup::Ruleset;
use crate::state::*;
use crate::stats::Happening;

/// With fewer free frames than this nothing further can be declared.
const FRAMES_KEPT_FREE: usize = 12;

/// What becomes of an action once it is declared.
enum Timing {
    /// It takes effect at once, unless somebody cancels it.
    Now,
    /// It waits until everybody has passed.
    Waits,
}

impl Board<'_> {
    /// The switch between rulesets. Classic: the active player's actions and all cancels take effect at
    /// once, the others' wait (4.5, 4.7).
    fn timing(&self, code: &Code) -> Timing {
        match self.s.rules.ruleset {
            Ruleset::Classic if code.you == self.s.active || self.db.unit(code.unit).cancels => Timing::Now,
            Ruleset::Classic => Timing::Waits,
        }
    }

    /// The waiting action that takes effect next: player order, each player's own in the order declared.
    fn next_to_resolve(&self) -> Option<usize> {
        match self.s.rules.ruleset {
            Ruleset::Classic => self.s.order().iter().find_map(|seat| {
                self.s.pending.iter().position(|e| e.waiting && !e.cancelled && e.code.you == *seat)
            }),
        }
    }

    /// The seat asked `pos` places after the active player, in player order.
    fn seat_at(&self, pos: u8) -> Option<Seat> {
        if pos == 0 {
            return Some(self.s.active);
        }
        self.s.seats().filter(|seat| *seat != self.s.active).nth(usize::from(pos) - 1)
    }

    fn unit_of(&self, card: CardId, ability: u8) -> Option<UnitId> {
        let def = self.def(card);
        if def.play.is_some() {
            def.play.filter(|_| ability == 0)
        } else {
            def.activated.get(usize::from(ability)).copied()
        }
    }

    /// Nothing further can be declared while very much is under way.
    #[inline]
    fn room_to_declare(&self, above: usize) -> bool {
        self.s.frames.len() + above + FRAMES_KEPT_FREE <= FRAMES && self.s.pending.len() < PENDING
    }

    /// Might the seat have a spell to cast or an ability to use?
    #[inline]
    pub fn has_uses(&self, seat: Seat) -> bool {
        self.s.pile_len(Place::spells(seat)) > 0 || self.s.player(seat).hooks.has(Hooks::ACTIVATED)
    }

    /// The spells the seat may cast and the abilities it may use now (rules 4.3, 4.4); `false` if `each`
    /// had enough.
    #[inline]
    pub fn each_use(
        &self,
        seat: Seat,
        cancel_only: bool,
        above: usize,
        mut each: impl FnMut(Action) -> bool,
    ) -> bool {
        let phase = match self.s.phase {
            Phase::Build => tree::Phase::Build,
            Phase::Adventure => tree::Phase::Adventure,
            _ => return true,
        };
        if !self.has_uses(seat) || !self.room_to_declare(above) {
            return true;
        }
        let mut facts = None;
        let mut offered = |unit: &Unit| {
            (!cancel_only || unit.cancels) && facts.get_or_insert_with(|| self.facts(seat)).meet(unit.needs)
        };
        for card in self.s.pile(Place::spells(seat)) {
            let def = self.def(card);
            if def.castable_in(phase)
                && let Some(unit) = def.play.map(|unit| self.db.unit(unit))
                && offered(unit)
                && self.can_cast(seat, card, unit)
                && !each(Action::Use { ability: 0, card })
            {
                return false;
            }
        }
        let player = self.s.player(seat);
        if player.hooks.has(Hooks::ACTIVATED) {
            let boss = Some(player.boss).filter(|boss| player.levelled && boss.exists());
            for card in self.s.slots(seat).iter().copied().chain(boss) {
                for (ability, id) in self.def(card).activated.iter().enumerate() {
                    let ability = ability as u8;
                    if offered(self.db.unit(*id))
                        && self.can_activate(seat, card, *id)
                        && !each(Action::Use { ability, card })
                    {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// A spell of the seat's hand, of which all is known at a glance but its checks.
    fn can_cast(&self, seat: Seat, card: CardId, unit: &Unit) -> bool {
        let this = self.s.ref_of(card);
        self.can_declare(unit, &Ctx::of(seat, this))
            && !self.forbidden(&Happening::new(Word::Cast, this, seat))
    }

    /// An ability of an active room, or of a boss that has levelled up.
    fn can_activate(&self, seat: Seat, card: CardId, id: UnitId) -> bool {
        let place = self.s.card(card).place;
        let works = place == Place::boss(seat) || self.is_active_room(card);
        let this = self.s.ref_of(card);
        works
            && self.has_use(id, this, Ref::NOTHING)
            && self.can_declare(self.db.unit(id), &Ctx::of(seat, this))
    }

    /// What the seat can tell at a glance.
    fn facts(&self, you: Seat) -> Facts {
        let s = self.s;
        let (rooms, spells) = (s.pile_len(Place::rooms(you)), s.pile_len(Place::spells(you)));
        let facts = Facts::default()
            .and_if(s.pile_len(Place::TOWN) > 0, Facts::HERO_IN_TOWN)
            .and_if(!s.pending.is_empty(), Facts::DECLARED)
            .and_if(s.pile_len(Place::DISCARD) > 0, Facts::CARD_IN_DISCARD)
            .and_if(rooms > 0, Facts::A_ROOM)
            .and_if(rooms > 1, Facts::TWO_ROOMS)
            .and_if(spells > 0, Facts::A_SPELL)
            .and(Facts::your_room(s.player(you).hooks))
            .and(Facts::room(s.hooks));
        let hero = s.active.exists() && s.pile_len(Place::inside(s.active)) > 0;
        let whose = if s.active == you { Whose::Yours } else { Whose::Others };
        facts.and_if(hero, Facts::hero_inside(whose).and(Facts::hero_inside(Whose::Anyones)))
    }

    /// Every requirement holds, every target has a candidate, every cost can be paid.
    #[inline]
    fn can_declare(&self, unit: &Unit, ctx: &Ctx) -> bool {
        unit.checks.iter().all(|check| self.passes(check, ctx))
    }

    fn passes(&self, check: &Check, ctx: &Ctx) -> bool {
        let s = self.s;
        match *check {
            Check::ThisActive => s.present(ctx.this).is_some_and(|room| self.is_active_room(room)),
            Check::HeroInThis => self.hero_in(ctx.this).is_some(),
            Check::Rooms { adjectives, who, count } => {
                self.has_rooms(adjectives, self.who(ctx, who), ctx.this, usize::from(count))
            }
            Check::Soul(who) => {
                let seats = self.who(ctx, who);
                let dead = |id: CardId| s.card(id).flags.has(Flags::FACEDOWN);
                s.seats().any(|seat| seats.has(seat) && s.pile(Place::scoring(seat)).any(dead))
            }
            Check::Require(cond) => self.cond(cond, ctx),
            Check::Candidates { query, count } => self.at_least(query, ctx, usize::from(count)),
        }
    }
}

/// Declared actions that can wait at one time.
pub(crate) const PENDING: usize = 12;

impl<L: Log> Table<'_, L> {
    /// Opens a window of the active player, after which `then` comes; `false`, and nothing is done, if
    /// nobody could do anything in it.
    #[inline]
    pub fn open_window(&mut self, then: Step, index: u8) -> bool {
        for pos in 0..self.s.alive {
            if let Some(seat) = self.board().seat_at(pos)
                && let Some(moves) = self.board().moves(seat, false, 2)
            {
                self.s.frames.put(Frame::Step(then, index));
                self.s.frames.put(Frame::Window(Window { pos, passes: pos, resolved: 0 }));
                self.ask_among(seat, AskKind::Priority, moves);
                return true;
            }
        }
        false
    }

    pub fn window(&mut self, mut window: Window) {
        if let Some(hero) = self.fallen_hero() {
            let collected = self.s.triggers.len() as u8;
            self.s.frames.put(Frame::Window(window));
            self.kill(hero, self.s.active);
            self.s.frames.put(Frame::Triggers(collected));
            return;
        }
        if let Some(hero) = self.moved_hero() {
            self.s.frames.put(Frame::Window(window));
            return self.enter_room(hero, true);
        }
        if window.resolved > 0 {
            return self.resolve_waiting(window);
        }
        let players = self.s.seats().count() as u8;
        while window.passes < players {
            if let Some(seat) = self.board().seat_at(window.pos)
                && let Some(moves) = self.board().moves(seat, false, 1)
            {
                self.s.frames.put(Frame::Window(window));
                return self.ask_among(seat, AskKind::Priority, moves);
            }
            window.pos = (window.pos + 1) % players;
            window.passes += 1;
        }
        if self.board().next_to_resolve().is_some() {
            self.resolve_waiting(window);
        }
    }

    /// Rule 10.6: a hero whose room was destroyed under it leaves as soon as the action is done, and dies
    /// then if it has taken enough.
    fn fallen_hero(&self) -> Option<CardId> {
        if !self.s.walk.fallen {
            return None;
        }
        let hero = self.s.present(self.s.walk.hero)?;
        let inside = self.s.card(hero).place.kind() == PlaceKind::Inside;
        (inside && self.board().is_lethal(hero)).then_some(hero)
    }

    /// Everybody has passed: the waiting actions take effect one after the other, then the window begins
    /// anew (4.5d).
    fn resolve_waiting(&mut self, window: Window) {
        let Some(index) = self.board().next_to_resolve() else {
            self.s.frames.put(Frame::Window(Window::default()));
            return;
        };
        let mut entry = self.s.pending.remove(index);
        entry.waiting = false;
        self.s.pending.put(entry);
        self.s.frames.put(Frame::Window(Window { resolved: window.resolved + 1, ..window }));
        self.s.frames.put(Frame::Resolve);
        // The first had its chance to be cancelled; for the others the table has changed since.
        if window.resolved > 0 && self.is_spell(&entry.code) {
            self.s.frames.put(Frame::CancelRound(Window::default()));
        }
    }

    /// A round in which everybody may cancel the newest declared spell.
    pub fn cancel_round(&mut self, mut window: Window) {
        let settled = self.s.pending.last().is_none_or(|entry| entry.cancelled);
        let players = self.s.seats().count() as u8;
        while !settled && window.passes < players {
            if let Some(seat) = self.board().seat_at(window.pos)
                && let Some(moves) = self.board().moves(seat, true, 1)
            {
                self.s.frames.put(Frame::CancelRound(window));
                return self.ask_among(seat, AskKind::Priority, moves);
            }
            window.pos = (window.pos + 1) % players;
            window.passes += 1;
        }
    }

    pub fn answer_window(&mut self, mut window: Window, seat: Seat, action: Action, cancel: bool) {
        if action == Action::Pass {
            window.pos = (window.pos + 1) % self.s.alive;
            window.passes += 1;
            return if cancel { self.cancel_round(window) } else { self.window(window) };
        }
        let window = Window::default();
        self.s.frames.put(if cancel { Frame::CancelRound(window) } else { Frame::Window(window) });
        match action {
            Action::Use { card, ability } => self.begin_use(seat, card, ability),
            Action::Build { card, slot } => {
                self.place_facedown(seat, card, usize::from(slot));
                self.s.player_mut(seat).placed += 1;
            }
            _ => {}
        }
    }

    /// A spell or ability is announced; its targets and costs come next.
    fn begin_use(&mut self, seat: Seat, card: CardId, ability: u8) {
        let Some(unit) = self.board().unit_of(card, ability) else { return };
        if self.db.unit(unit).kind == UnitKind::Play {
            self.put_on_table(card);
        }
        self.tell(|t| Event::Uses { seat, card: t.shown(card) });
        let source = self.s.ref_of(card);
        self.use_up(unit, source, Ref::NOTHING);
        let code = self.code(unit, source, seat);
        self.launch(code);
    }

    /// Targets are chosen and costs paid: the action is declared.
    pub fn declare(&mut self, mut code: Code) {
        code.pc = self.db.unit(code.unit).declared;
        let waiting = matches!(self.board().timing(&code), Timing::Waits);
        self.s.pending.put(Pending { code, waiting, cancelled: false });
        if waiting {
            if let Some(card) = code.source.as_card() {
                self.tell(|t| Event::Waits { seat: code.you, card: t.shown(card) });
            }
            return;
        }
        // What the costs woke comes first, so its collector stays on top.
        let collector = self.s.frames.pop();
        self.s.frames.put(Frame::Resolve);
        if self.is_spell(&code) {
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
        let lost = self.lost_targets(&mut code);
        if lost {
            if let Some(card) = code.source.as_card() {
                self.tell(|t| Event::Fizzles(t.shown(card)));
                if self.is_spell(&code) {
                    self.discard(card);
                }
            }
            return;
        }
        if self.is_spell(&code) {
            // Abilities that wait for the spell come before its effect.
            self.launch(code);
            let collected = self.s.triggers.len() as u8;
            self.wake(&Happening::new(Word::Cast, code.source, code.you));
            if self.s.triggers.len() > usize::from(collected) {
                self.s.frames.put(Frame::Triggers(collected));
            }
        } else {
            self.launch(code);
        }
    }

    /// Rule 4.8. Blanks the targets that are gone; true if none of several is left.
    fn lost_targets(&self, code: &mut Code) -> bool {
        let info = self.db.unit(code.unit);
        let start = usize::from(info.start);
        let declaration = &self.db.ops[start..start + usize::from(info.declared)];
        // Targets stand before costs; what a cost chose is gone by intent.
        let targets = declaration.iter().take_while(|op| matches!(op, Op::Require(_) | Op::Choose { .. }));
        let (mut chosen, mut left) = (0, 0);
        for op in targets {
            let Op::Choose { reg, count, query, .. } = *op else { continue };
            if self.is_cost_choice(code.unit, reg) {
                continue;
            }
            for reg in usize::from(reg)..usize::from(reg + count) {
                let r = code.regs[reg];
                chosen += 1;
                let there =
                    r.as_seat().is_some_and(|seat| self.s.in_game(seat)) || self.s.present(r).is_some();
                if there && self.board().still_matches(query, &code.ctx(), r) {
                    left += 1;
                } else {
                    code.regs[reg] = Ref::NOTHING;
                }
            }
        }
        chosen > 0 && left == 0
    }

    /// Was the register chosen to pay with? Then a cost of the declaration acts on it.
    fn is_cost_choice(&self, unit: UnitId, reg: u8) -> bool {
        let info = self.db.unit(unit);
        let start = usize::from(info.start);
        self.db.ops[start..start + usize::from(info.declared)]
            .iter()
            .any(|op| matches!(op, Op::Act { on: Operand { slot: Slot::Reg(r), .. }, .. } if *r == reg))
    }

    fn is_spell(&self, code: &Code) -> bool {
        self.db.unit(code.unit).kind == UnitKind::Play
    }
}
