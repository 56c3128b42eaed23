//! Which abilities an event triggers, and the order in which they run (rule 4.10).
//!
//! Triggered abilities queue in `State::triggers` until the code that caused them is done: every
//! piece of code runs on top of a `Frame::Triggers`, which then runs what was added since.

use cards::code::{Hooks, Op, PatternCode, Query, Slot, UnitId, UnitKind};
use cards::vocabulary::{EventWord, Kind, Limit, Phase, Status};

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::code::occurrence::Occurrence;
use crate::code::query::{Board, Ctx};
use crate::model::id::*;
use crate::model::state::*;

/// A loop of triggers is cut off after this many in a row (docs/rules.md 4.10).
pub(crate) const MAX_TRIGGERS: u8 = 200;
/// With fewer free frames than this, no further ability triggers.
const FRAMES_KEPT_FREE: usize = 6;

impl<L: Log> Runner<'_, L> {
    /// Queues every ability that waits for this. Called before the event changes anything, so that
    /// cards leaving play can still be matched.
    #[inline(always)]
    pub fn queue_triggers(&mut self, what: &Occurrence) {
        if self.s.hooks.has(Hooks::triggered_by(what.word)) {
            self.queue_from_sources(what);
        }
    }

    fn queue_from_sources(&mut self, what: &Occurrence) {
        let before = self.s.triggers.len();
        self.gather(Hooks::triggered_by(what.word), |board, trigger, regs| {
            board.is_triggered(trigger, what, regs).then_some(what.then)
        });
        if self.db.names_rooms {
            let db = self.db;
            let own = |trigger: &&mut Trigger| db.unit(trigger.unit).hook.is_empty();
            self.s.triggers[before..].iter_mut().filter(own).for_each(|trigger| trigger.kept[0] = what.room);
        }
    }

    /// Queues the `when end of turn` abilities.
    pub fn wake_end_of_turn(&mut self) {
        self.gather(Hooks::END_OF_TURN, |board, trigger, _| {
            board.waits_for(trigger, PatternCode::EndOfTurn).then_some(Ref::NOTHING)
        });
    }

    /// Queues the `when start of build` abilities.
    pub fn wake_start_of_build(&mut self) {
        self.gather(Hooks::START_OF_BUILD, |board, trigger, _| {
            board.waits_for(trigger, PatternCode::StartOfBuild).then_some(Ref::NOTHING)
        });
    }

    /// Checks every ability with the hook: active rooms and bosses, heroes, and what lasts until
    /// end of turn. `subject_of` returns the subject of an ability that triggers.
    fn gather(&mut self, hook: Hooks, subject_of: impl Fn(&Board, &Trigger, &[Ref]) -> Option<Ref>) {
        for at in 0..usize::from(self.s.alive) {
            let seat = self.s.order[at];
            let player = self.s.player(seat);
            if !player.hooks.has(hook) {
                continue;
            }
            let boss = player.boss;
            for slot in Slots(self.board().slots_hooked(seat, hook)) {
                self.gather_from(seat, self.s.at(seat, slot), &subject_of);
            }
            if self.board().boss_hooked(seat, hook) {
                self.gather_from(seat, boss, &subject_of);
            }
        }
        if self.s.hero_hooks.has(hook) {
            self.gather_from_heroes(hook, &subject_of);
        }
        if self.s.attached_hooks.has(hook) {
            self.gather_from_attached(hook, &subject_of);
        }
        for at in 0..self.s.lasting.len() {
            let Lasting { source, kept, you, .. } = self.s.lasting[at];
            let unit = self.s.lasting[at].unit();
            let Some(unit) = unit.filter(|unit| self.db.unit(*unit).hook.has(hook)) else { continue };
            let trigger = Trigger { unit, source, kept, you, ..Trigger::EMPTY };
            if let Some(subject) = subject_of(&self.board(), &trigger, &trigger.code().regs) {
                // If the list is full, the rest is cut off like a loop.
                let _ = self.s.triggers.push(Trigger { subject, ..trigger });
            }
        }
    }

    // Inlined where rooms and bosses are looked at, which is nearly always.
    #[inline(always)]
    fn gather_from(
        &mut self,
        seat: Seat,
        card: CardId,
        subject_of: &impl Fn(&Board, &Trigger, &[Ref]) -> Option<Ref>,
    ) {
        if self.board().has_status(card, Status::Blank) {
            return;
        }
        let (db, source) = (self.db, self.s.ref_of(card));
        for unit in &self.s.text(db, card).when {
            let trigger = Trigger { unit: *unit, source, you: seat, ..Trigger::EMPTY };
            if let Some(subject) = subject_of(&self.board(), &trigger, &[]) {
                let _ = self.s.triggers.push(Trigger { subject, ..trigger });
            }
        }
    }

    /// Heroes in town, who have no owner, then those at each dungeon.
    #[cold]
    fn gather_from_heroes(
        &mut self,
        hook: Hooks,
        subject_of: &impl Fn(&Board, &Trigger, &[Ref]) -> Option<Ref>,
    ) {
        self.gather_from_pile(Seat::NONE, Place::TOWN, hook, subject_of);
        for seat in self.s.order.into_iter().take(usize::from(self.s.alive)) {
            for place in [Place::entrance(seat), Place::inside(seat)] {
                self.gather_from_pile(seat, place, hook, subject_of);
            }
        }
    }

    /// Cards attached to rooms and heroes, oldest first.
    #[cold]
    fn gather_from_attached(
        &mut self,
        hook: Hooks,
        subject_of: &impl Fn(&Board, &Trigger, &[Ref]) -> Option<Ref>,
    ) {
        for at in 0..self.s.attached.len() {
            let attachment = self.s.attached[at];
            let board = self.board();
            if board.text_of(&attachment).hooks.has(hook) && board.is_in_play(&attachment) {
                let owner = self.s.card(attachment.host).place.seat();
                self.gather_from_other(owner, attachment.card, subject_of);
            }
        }
    }

    fn gather_from_pile(
        &mut self,
        seat: Seat,
        place: Place,
        hook: Hooks,
        subject_of: &impl Fn(&Board, &Trigger, &[Ref]) -> Option<Ref>,
    ) {
        let mut next = self.s.pile(place).next();
        while let Some(hero) = next {
            if self.board().def(hero).hooks.has(hook) {
                self.gather_from_other(seat, hero, subject_of);
            }
            next = Some(self.s.card(hero).next).filter(|id| id.exists());
        }
    }

    #[inline(never)]
    fn gather_from_other(
        &mut self,
        seat: Seat,
        card: CardId,
        subject_of: &impl Fn(&Board, &Trigger, &[Ref]) -> Option<Ref>,
    ) {
        self.gather_from(seat, card, subject_of);
    }

    /// The room does once more what it does when built or uncovered; nothing has happened to it, so
    /// no other card takes notice.
    pub fn trigger_own(&mut self, room: CardId, built: bool, uncovered: bool) {
        if let Some(trigger) = self.board().own_trigger(room, built, uncovered) {
            let _ = self.s.triggers.push(trigger);
        }
    }

    /// Does an `instead of` replace this? Then it has been started, and the event does not happen.
    pub fn is_replaced(&mut self, what: &Occurrence) -> bool {
        if !self.s.hooks.has(replacing(what.word)) {
            return false;
        }
        let Some(trigger) = self.board().replacement(what) else { return false };
        let queued = self.s.triggers.push(trigger);
        if queued {
            self.use_up(trigger.unit, trigger.source, trigger.subject);
        }
        queued
    }

    /// Runs the triggers from `from` on: one now, the rest after it.
    pub fn run_triggers(&mut self, from: u8) {
        let first = usize::from(from);
        self.drop_lost_triggers(first);
        let waiting = self.s.triggers.len().saturating_sub(first);
        if waiting == 0 {
            return;
        }
        let full = self.s.frames.len() + FRAMES_KEPT_FREE > FRAMES;
        if full || self.s.trigger_count >= MAX_TRIGGERS {
            self.s.triggers.truncate(first);
            return;
        }
        // The last one's collector handles what follows, so that a long chain needs no frames.
        if waiting == 1 {
            return self.start_trigger(first);
        }
        // What may cancel a spell as it takes effect comes before everything that waits for its casting.
        let cancels = |t: &Trigger| self.db.unit(t.unit).cancels;
        let cancel = self.s.triggers[first..].iter().position(cancels);
        if let Some(index) = cancel {
            self.s.frames.put(Frame::Triggers(from));
            return self.start_trigger(first + index);
        }
        let seat = self.next_seat(first);
        let board = self.board();
        let mine = self.s.triggers[first..].iter().filter(|t| board.may_begin(first, seat, t)).count();
        self.s.frames.put(Frame::Triggers(from));
        if mine > 1 && seat.exists() && !self.all_alike(first, seat) {
            self.ask_anyway(seat, AskKind::Order);
        } else {
            let all = self.s.triggers[first..].iter();
            let board = self.board();
            let index = all.enumerate().find(|(_, t)| board.may_begin(first, seat, t)).map_or(0, |(i, _)| i);
            self.start_trigger(first + index);
        }
    }

    /// Rule 4.10: drops the triggers whose card has lost its ability while they waited. A "when
    /// built" ability is postponed if its room has been deactivated (7.2).
    fn drop_lost_triggers(&mut self, first: usize) {
        let mut index = first;
        while let Some(trigger) = self.s.triggers.get(index).copied() {
            if self.board().still_works(&trigger) {
                index += 1;
                continue;
            }
            self.s.triggers.remove(index);
            if self.board().is_put_off(&trigger) {
                self.begin_lasting(Lasting {
                    source: trigger.source,
                    kept: trigger.kept,
                    you: trigger.you,
                    kind: LastingKind::PutOff(trigger.unit),
                });
            }
        }
    }

    /// Can a postponed ability of the seat run now?
    pub fn has_put_off(&self, seat: Seat) -> bool {
        self.s.phase == Phase::End
            && self.s.lasting.iter().any(|l| matches!(l.kind, LastingKind::PutOff(_)) && l.you == seat)
    }

    /// Queues what was postponed until the seat's rooms are active again.
    pub fn wake_put_off(&mut self, seat: Seat) {
        if !self.has_put_off(seat) {
            return;
        }
        for index in (0..self.s.lasting.len()).rev() {
            let Lasting { source, kept, you, kind } = self.s.lasting[index];
            if let LastingKind::PutOff(unit) = kind
                && you == seat
            {
                self.s.lasting.remove(index);
                let trigger = Trigger { unit, source, subject: source, kept, you };
                let _ = self.s.triggers.push(trigger);
            }
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

    /// The same ability of the same card several times, or set up by several copies of a spell:
    /// their order does not matter.
    fn all_alike(&self, first: usize, seat: Seat) -> bool {
        let board = self.board();
        let mut mine = self.s.triggers[first..].iter().filter(|t| board.may_begin(first, seat, t));
        let one = mine.next();
        let set_up = |t: &Trigger| !self.db.unit(t.unit).hook.is_empty();
        mine.all(|t| one.is_some_and(|one| t.unit == one.unit && (t.source == one.source || set_up(t))))
    }

    /// Runs the trigger at this index, on top of its own collector.
    pub fn start_trigger(&mut self, index: usize) {
        let trigger = self.s.triggers.remove(index);
        self.s.trigger_count += 1;
        let replaces = matches!(self.db.unit(trigger.unit).kind, UnitKind::InsteadOf(_));
        if let Some(source) = trigger.source.as_card() {
            self.tell(|t| What::Triggers.by(trigger.you).on(t.shown(source)).at(t.at(source)));
        }
        let code = trigger.code();
        if !replaces && !self.asks_first(trigger.unit) {
            self.use_up(trigger.unit, trigger.source, trigger.subject);
        }
        self.launch(code);
    }

    /// Does the body begin with a `may`, after what it requires? Then only a yes uses up its limit.
    pub fn asks_first(&self, unit: UnitId) -> bool {
        let start = usize::from(self.db.unit(unit).start);
        matches!(self.db.ops[start + usize::from(self.first_op(unit))], Op::May { .. })
    }

    /// The first op that does something.
    pub fn first_op(&self, unit: UnitId) -> u16 {
        let start = usize::from(self.db.unit(unit).start);
        self.db.ops[start..].iter().take_while(|op| matches!(op, Op::Require(_))).count() as u16
    }

    /// Marks a limited ability as used.
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
                let kind = LastingKind::Used { unit, hero: subject };
                self.begin_lasting(Lasting { source, kind, ..Lasting::EMPTY });
            }
        }
    }

    /// Runs a piece of code on top of a collector for the triggers it will cause. The caller must
    /// return right after this.
    pub fn launch(&mut self, code: Code) {
        self.s.frames.put(self.collector());
        self.run_code(code);
    }

    /// The frame that runs the triggers collected from now on.
    pub fn collector(&self) -> Frame {
        Frame::Triggers(self.s.triggers.len() as u8)
    }

    /// Does something and collects what it triggers. If anything triggered, that runs next and
    /// `then` after it, last frame first; otherwise nothing is pushed, and the result is `false`.
    #[inline(always)]
    pub fn triggers_follow(&mut self, act: impl FnOnce(&mut Self), then: &[Frame]) -> bool {
        let collected = self.s.triggers.len();
        act(self);
        let triggered = self.s.triggers.len() > collected;
        if triggered {
            then.iter().for_each(|frame| self.s.frames.put(*frame));
            self.s.frames.put(Frame::Triggers(collected as u8));
        }
        triggered
    }

    pub fn code(&self, unit: UnitId, source: Ref, you: Seat) -> Code {
        Code { unit, source, you, ..Code::EMPTY }
    }
}

/// What an ability has that replaces such an event.
fn replacing(word: EventWord) -> Hooks {
    if word == EventWord::Killed { Hooks::REPLACES_KILL } else { Hooks::REPLACES_DISCARD }
}

impl Board<'_> {
    /// The first ability of the room about being built or uncovered that can be used now.
    fn own_trigger(&self, room: CardId, built: bool, uncovered: bool) -> Option<Trigger> {
        let (you, source) = (self.s.card(room).place.seat(), self.s.ref_of(room));
        if !self.has_ability(source) {
            return None;
        }
        let triggers = self.def(room).when.iter().map(|unit| Trigger {
            unit: *unit,
            source,
            subject: source,
            you,
            ..Trigger::EMPTY
        });
        let mut wanted = triggers.filter(|trigger| {
            let UnitKind::When(pattern) = self.db.unit(trigger.unit).kind else { return false };
            let PatternCode::Happens { words, subject, .. } = self.db.patterns[pattern.index()] else {
                return false;
            };
            let about = built && words.has(EventWord::Built) || uncovered && words.has(EventWord::Uncovered);
            about && self.db.queries[subject.index()] == Query::Slot(Slot::This)
        });
        wanted.find(|trigger| {
            self.has_use(trigger.unit, source, source)
                && self.requires_hold(trigger.unit, &trigger.code().ctx())
        })
    }

    #[inline(always)]
    fn is_triggered(&self, trigger: &Trigger, what: &Occurrence, regs: &[Ref]) -> bool {
        let unit = self.db.unit(trigger.unit);
        let UnitKind::When(pattern) = unit.kind else { return false };
        let about = Trigger { subject: what.subject, ..*trigger };
        self.is_meant(pattern, &Ctx { regs, ..Ctx::of(trigger.you, trigger.source) }, what)
            && self.has_use(trigger.unit, trigger.source, what.subject)
            && self.requires_hold(trigger.unit, &about.code().ctx())
    }

    fn waits_for(&self, trigger: &Trigger, moment: PatternCode) -> bool {
        let unit = self.db.unit(trigger.unit);
        let UnitKind::When(pattern) = unit.kind else { return false };
        self.db.patterns[pattern.index()] == moment
            && self.has_use(trigger.unit, trigger.source, Ref::NOTHING)
            && self.requires_hold(trigger.unit, &trigger.code().ctx())
    }

    /// The `instead of` that would replace this.
    pub fn replacement(&self, what: &Occurrence) -> Option<Trigger> {
        let mut found = None;
        self.sources(replacing(what.word), |seat, source, def| {
            for unit in &def.instead {
                let source = self.s.ref_of(source);
                let trigger =
                    Trigger { unit: *unit, source, subject: what.subject, you: seat, ..Trigger::EMPTY };
                if found.is_none() && self.replaces(&trigger, what) {
                    found = Some(trigger);
                }
            }
        });
        found
    }

    fn replaces(&self, trigger: &Trigger, what: &Occurrence) -> bool {
        let UnitKind::InsteadOf(pattern) = self.db.unit(trigger.unit).kind else { return false };
        self.is_meant(pattern, &Ctx::of(trigger.you, trigger.source), what)
            && self.has_use(trigger.unit, trigger.source, what.subject)
    }

    /// May a trigger that has waited still run? Its limit may have been used up, and its card may
    /// have left play or lost its text. A replacement always runs, since the event it replaced did
    /// not happen. So does what an effect has set up, and an ability triggered by the event that
    /// took its own card out of play.
    fn still_works(&self, trigger: &Trigger) -> bool {
        let unit = self.db.unit(trigger.unit);
        let set_up = !unit.hook.is_empty();
        let left_by_event =
            trigger.subject != trigger.source && trigger.subject.as_card() == trigger.source.as_card();
        if self.was_cancelled(trigger) {
            return false;
        }
        // An item leaves its hero as that reaches a scoring area.
        let item =
            |card: CardId| self.def(card).kind == Kind::Item && self.s.present(trigger.source).is_none();
        let left_with_host = trigger.source.as_card().is_some_and(item)
            && trigger.subject.as_card().is_some_and(|hero| self.s.card(hero).place.is_scoring());
        matches!(unit.kind, UnitKind::InsteadOf(_) | UnitKind::Item)
            || left_with_host
            || self.has_use(trigger.unit, trigger.source, trigger.subject)
                && (set_up || left_by_event || self.has_ability(trigger.source) && self.has_level(trigger))
    }

    /// A spell that is cancelled after all was not cast (4.7).
    fn was_cancelled(&self, trigger: &Trigger) -> bool {
        let UnitKind::When(pattern) = self.db.unit(trigger.unit).kind else { return false };
        let cast = matches!(self.db.patterns[pattern.index()],
            PatternCode::Happens { words, .. } if words.has(EventWord::Cast));
        cast && trigger.subject.as_card().is_some_and(|spell| {
            self.def(spell).kind == Kind::Spell && self.s.card(spell).place != Place::PENDING
        })
    }

    /// A miniboss may have fallen back meanwhile.
    fn has_level(&self, trigger: &Trigger) -> bool {
        let attached = |card: &CardId| self.s.card(*card).place == Place::ATTACHED;
        let card = trigger.source.as_card().filter(attached);
        card.is_none_or(|card| self.text(card).when.contains(&trigger.unit))
    }

    /// Is the card in play as it was, face up, on top, active and with its text?
    fn has_ability(&self, source: Ref) -> bool {
        let is_active = |card: &CardId| {
            let place = self.s.card(*card).place;
            if place.is_dungeon() {
                self.is_active_room(*card)
            } else if place == Place::ATTACHED {
                self.is_attached_in_play(*card)
            } else {
                place.is_roaming() || place.is_boss()
            }
        };
        let active = self.s.present(source).filter(is_active);
        active.is_some_and(|card| !self.has_status(card, Status::Blank))
    }

    /// Of the triggers from `first` on, may this one of the seat come next? As a hero enters, what the
    /// hero and its item do comes before what the room does (rule 10.3).
    pub fn may_begin(&self, first: usize, seat: Seat, trigger: &Trigger) -> bool {
        trigger.you == seat
            && (self.is_arrival(trigger)
                || !self.s.triggers[first..].iter().any(|t| t.you == seat && self.is_arrival(t)))
    }

    /// An ability of a hero or an item about entering.
    fn is_arrival(&self, trigger: &Trigger) -> bool {
        let of_hero = |card: CardId| {
            let kind = self.def(card).kind;
            kind.is_hero() || kind == Kind::Item
        };
        trigger.source.as_card().is_some_and(of_hero)
            && matches!(self.db.unit(trigger.unit).kind, UnitKind::When(pattern)
                if matches!(self.db.patterns[pattern.index()],
                    PatternCode::Happens { words, .. } if words.has(EventWord::Enters)))
    }

    /// Is it the "when built" of a room that was deactivated before it could run (7.2)?
    fn is_put_off(&self, trigger: &Trigger) -> bool {
        let deactivated = |card: CardId| self.s.card(card).flags.has(Flags::DEACTIVATED);
        let when_built = || match self.db.unit(trigger.unit).kind {
            UnitKind::When(pattern) => matches!(self.db.patterns[pattern.index()],
                PatternCode::Happens { words, .. } if words.has(EventWord::Built)),
            _ => false,
        };
        trigger.subject == trigger.source
            && self.s.present(trigger.source).is_some_and(deactivated)
            && when_built()
    }

    /// Does the ability's limit allow another use?
    pub fn has_use(&self, unit: UnitId, source: Ref, subject: Ref) -> bool {
        let info = self.db.unit(unit);
        match info.limit {
            None => true,
            Some(Limit::Turn) => {
                source.as_card().is_some_and(|card| !self.s.card(card).flags.has(Flags::used(info.mark)))
            }
            Some(Limit::Hero) => !self.s.lasting.iter().any(|lasting| {
                lasting.source == source
                    && matches!(lasting.kind, LastingKind::Used { unit: used, hero }
                        if used == unit && hero.as_card() == subject.as_card())
            }),
        }
    }

    /// Leading `require`s are part of a trigger's condition.
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
