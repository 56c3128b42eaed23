//! Which abilities an event wakes, and in which order they take their turn (rule 4.10).
//!
//! Woken abilities queue in `State::triggers` until the code that caused them is done: every piece of code
//! runs on top of a `Frame::Triggers` that looks after what was added since.

use cards::code::{Hooks, Op, PatternCode, UnitId, UnitKind};
use cards::tree::{Limit, Status};

use crate::acts::Table;
use crate::event::{Event, Log};
use crate::id::*;
use crate::query::{Board, Ctx};
use crate::state::*;
use crate::stats::Happening;

/// A loop of triggers is cut off after so many in a row (docs/rules.md 4.10).
pub(crate) const MAX_TRIGGERS: u8 = 200;
/// With fewer free frames than this no further trigger is woken.
const FRAMES_KEPT_FREE: usize = 6;

impl<L: Log> Table<'_, L> {
    /// Queues every ability that waits for this. Called before the event changes the table, so that what
    /// leaves play is still there to be matched.
    #[inline]
    pub fn wake(&mut self, what: &Happening) {
        if self.s.hooks.has(Hooks::wakes(what.word)) {
            self.wake_sources(what);
        }
    }

    fn wake_sources(&mut self, what: &Happening) {
        self.gather(Hooks::wakes(what.word), |board, trigger, regs| {
            board.wakes(trigger, what, regs).then_some(what.then)
        });
    }

    /// Queues the `when end of turn` abilities.
    pub fn wake_end_of_turn(&mut self) {
        self.gather(Hooks::END_OF_TURN, |board, trigger, _| {
            board.waits_for_end(trigger).then_some(Ref::NOTHING)
        });
    }

    /// Looks at every ability with the hook: active rooms and bosses, heroes, and what lasts until end of
    /// turn. `woken` gives what a woken one is about.
    fn gather(&mut self, hook: Hooks, woken: impl Fn(&Board, &Trigger, &[Ref]) -> Option<Ref>) {
        for seat in self.s.order.into_iter().take(usize::from(self.s.alive)) {
            let player = self.s.player(seat);
            if !player.hooks.has(hook) {
                continue;
            }
            let boss = player.boss;
            for slot in Slots(self.board().slots_hooked(seat, hook)) {
                self.gather_from(seat, self.s.at(seat, slot), &woken);
            }
            if self.board().boss_hooked(seat, hook) {
                self.gather_from(seat, boss, &woken);
            }
        }
        if self.s.hero_hooks.has(hook) {
            self.gather_from_heroes(hook, &woken);
        }
        for at in 0..self.s.lasting.len() {
            let Lasting { source, kept, you, .. } = self.s.lasting[at];
            let unit = self.s.lasting[at].unit();
            let Some(unit) = unit.filter(|unit| self.db.unit(*unit).hook.has(hook)) else { continue };
            let trigger = Trigger { unit, source, kept, you, ..Trigger::EMPTY };
            if let Some(subject) = woken(&self.board(), &trigger, &trigger.code().regs) {
                // More than the list holds is cut off like a loop.
                let _ = self.s.triggers.push(Trigger { subject, ..trigger });
            }
        }
    }

    #[inline]
    fn gather_from(
        &mut self,
        seat: Seat,
        card: CardId,
        woken: &impl Fn(&Board, &Trigger, &[Ref]) -> Option<Ref>,
    ) {
        if self.board().has_status(card, Status::Blank) {
            return;
        }
        let (db, source) = (self.db, self.s.ref_of(card));
        for unit in &db.def(self.s.card(card).def).when {
            let trigger = Trigger { unit: *unit, source, you: seat, ..Trigger::EMPTY };
            if let Some(subject) = woken(&self.board(), &trigger, &[]) {
                let _ = self.s.triggers.push(Trigger { subject, ..trigger });
            }
        }
    }

    /// Those of town, who are nobody's, then those at each dungeon.
    #[cold]
    fn gather_from_heroes(&mut self, hook: Hooks, woken: &impl Fn(&Board, &Trigger, &[Ref]) -> Option<Ref>) {
        self.gather_from_pile(Seat::NONE, Place::TOWN, hook, woken);
        for seat in self.s.order.into_iter().take(usize::from(self.s.alive)) {
            for place in [Place::entrance(seat), Place::inside(seat)] {
                self.gather_from_pile(seat, place, hook, woken);
            }
        }
    }

    fn gather_from_pile(
        &mut self,
        seat: Seat,
        place: Place,
        hook: Hooks,
        woken: &impl Fn(&Board, &Trigger, &[Ref]) -> Option<Ref>,
    ) {
        let mut next = self.s.pile(place).next();
        while let Some(hero) = next {
            if self.board().def(hero).hooks.has(hook) {
                self.gather_from(seat, hero, woken);
            }
            next = Some(self.s.card(hero).next).filter(|id| id.exists());
        }
    }

    /// Does an `instead of` take the place of this? Then it is on its way, and the event does not happen.
    pub fn is_replaced(&mut self, what: &Happening) -> bool {
        if !self.s.hooks.has(Hooks::REPLACES_DISCARD) {
            return false;
        }
        let board = self.board();
        let mut found = None;
        board.sources(Hooks::REPLACES_DISCARD, |seat, source, def| {
            for unit in &def.instead {
                let source = self.s.ref_of(source);
                let trigger =
                    Trigger { unit: *unit, source, subject: what.subject, you: seat, ..Trigger::EMPTY };
                if found.is_none() && board.replaces(&trigger, what) {
                    found = Some(trigger);
                }
            }
        });
        let Some(trigger) = found else { return false };
        let queued = self.s.triggers.push(trigger);
        if queued {
            self.use_up(trigger.unit, trigger.source, trigger.subject);
        }
        queued
    }

    /// The triggers from `from` on take their turn: one of them now, the rest after it.
    pub fn run_triggers(&mut self, from: u8) {
        let first = usize::from(from);
        let waiting = self.s.triggers.len().saturating_sub(first);
        if waiting == 0 {
            return;
        }
        let full = self.s.frames.len() + FRAMES_KEPT_FREE > FRAMES;
        if full || self.s.trigger_count >= MAX_TRIGGERS {
            self.s.triggers.truncate(first);
            return;
        }
        let seat = self.next_seat(first);
        let mine = self.s.triggers[first..].iter().filter(|t| t.you == seat).count();
        // The last one's own collector looks after what follows, so that a long chain needs no room.
        if waiting > 1 {
            self.s.frames.put(Frame::Triggers(from));
        }
        if mine > 1 && seat.exists() && !self.all_alike(first, seat) {
            self.ask_anyway(seat, AskKind::Order);
        } else {
            let all = self.s.triggers[first..].iter();
            let index = all.enumerate().find(|(_, t)| t.you == seat).map_or(0, |(i, _)| i);
            self.start_trigger(first + index);
        }
    }

    /// The active player's triggers come first, then the others' in player order.
    fn next_seat(&self, first: usize) -> Seat {
        let has = |seat: Seat| self.s.triggers[first..].iter().any(|t| t.you == seat);
        let active = self.s.active;
        if active.exists() && has(active) {
            return active;
        }
        self.s.seats().find(|seat| has(*seat)).unwrap_or(self.s.triggers[first].you)
    }

    /// The same ability of the same card several times, or what several copies of a spell have set up: the order
    /// is all one.
    fn all_alike(&self, first: usize, seat: Seat) -> bool {
        let mut mine = self.s.triggers[first..].iter().filter(|t| t.you == seat);
        let one = mine.next();
        let set_up = |t: &Trigger| !self.db.unit(t.unit).hook.is_empty();
        mine.all(|t| one.is_some_and(|one| t.unit == one.unit && (t.source == one.source || set_up(t))))
    }

    /// Runs the trigger at this index, on top of its own collector.
    pub fn start_trigger(&mut self, index: usize) {
        let trigger = self.s.triggers.remove(index);
        self.s.trigger_count += 1;
        let replaces = matches!(self.db.unit(trigger.unit).kind, UnitKind::InsteadOf(_));
        if !replaces && !self.board().still_wakes(&trigger) {
            return;
        }
        if let Some(source) = trigger.source.as_card() {
            self.tell(|t| Event::Triggers { seat: trigger.you, card: t.shown(source) });
        }
        let code = trigger.code();
        if !replaces && !self.asks_first(trigger.unit) {
            self.use_up(trigger.unit, trigger.source, trigger.subject);
        }
        self.launch(code);
    }

    /// Is the body one `may`? Then only a yes uses up its limit.
    pub fn asks_first(&self, unit: UnitId) -> bool {
        matches!(self.db.ops[usize::from(self.db.unit(unit).start)], Op::May { .. })
    }

    /// Notes that a limited ability was used.
    pub fn use_up(&mut self, unit: UnitId, source: Ref, subject: Ref) {
        let db = self.db;
        let info = db.unit(unit);
        match info.limit {
            None => {}
            Some(Limit::Turn) => {
                if let Some(card) = self.s.present(source) {
                    self.s.card_mut(card).flags.set(Flags::used(info.mark));
                }
            }
            Some(Limit::Hero) => {
                self.begin_lasting(Lasting {
                    rule: cards::code::RuleId(unit.0),
                    source,
                    kept: [subject, Ref::NOTHING],
                    amount: 0,
                    you: Seat::NONE,
                    kind: LastingKind::UsedOnHero,
                });
            }
        }
    }

    /// Runs a piece of code on top of a collector for the triggers it will cause. Nothing may come after this but
    /// the next frame.
    pub fn launch(&mut self, code: Code) {
        let collected = self.s.triggers.len() as u8;
        self.s.frames.put(Frame::Triggers(collected));
        self.run_code(code);
    }

    pub fn code(&self, unit: UnitId, source: Ref, you: Seat) -> Code {
        Code { unit, source, you, ..Code::EMPTY }
    }
}

impl Board<'_> {
    fn wakes(&self, trigger: &Trigger, what: &Happening, regs: &[Ref]) -> bool {
        let unit = self.db.unit(trigger.unit);
        let UnitKind::When(pattern) = unit.kind else { return false };
        let about = Trigger { subject: what.subject, ..*trigger };
        self.is_meant(pattern, &Ctx { regs, ..Ctx::of(trigger.you, trigger.source) }, what)
            && self.has_use(trigger.unit, trigger.source, what.subject)
            && self.requires_hold(trigger.unit, &about.code().ctx())
    }

    fn waits_for_end(&self, trigger: &Trigger) -> bool {
        let unit = self.db.unit(trigger.unit);
        let UnitKind::When(pattern) = unit.kind else { return false };
        self.db.patterns[pattern.index()] == PatternCode::EndOfTurn
            && self.has_use(trigger.unit, trigger.source, Ref::NOTHING)
            && self.requires_hold(trigger.unit, &trigger.code().ctx())
    }

    fn replaces(&self, trigger: &Trigger, what: &Happening) -> bool {
        let UnitKind::InsteadOf(pattern) = self.db.unit(trigger.unit).kind else { return false };
        self.is_meant(pattern, &Ctx::of(trigger.you, trigger.source), what)
            && self.has_use(trigger.unit, trigger.source, what.subject)
    }

    /// Between waking and its turn the limit may have been used up.
    fn still_wakes(&self, trigger: &Trigger) -> bool {
        self.has_use(trigger.unit, trigger.source, trigger.subject)
    }

    /// Is the ability's limit not used up yet?
    pub fn has_use(&self, unit: UnitId, source: Ref, subject: Ref) -> bool {
        let info = self.db.unit(unit);
        match info.limit {
            None => true,
            Some(Limit::Turn) => {
                source.as_card().is_some_and(|card| !self.s.card(card).flags.has(Flags::used(info.mark)))
            }
            Some(Limit::Hero) => !self.s.lasting.iter().any(|lasting| {
                lasting.kind == LastingKind::UsedOnHero
                    && lasting.rule.0 == unit.0
                    && lasting.source == source
                    && lasting.kept[0].as_card() == subject.as_card()
            }),
        }
    }

    /// Leading `require`s belong to a trigger's condition.
    fn requires_hold(&self, unit: UnitId, ctx: &Ctx) -> bool {
        let start = usize::from(self.db.unit(unit).start);
        self.db.ops[start..]
            .iter()
            .map_while(|op| match op {
                Op::Require(cond) => Some(*cond),
                _ => None,
            })
            .all(|cond| self.cond(cond, ctx))
    }
}
