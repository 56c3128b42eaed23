//! Windows: who may act, what a declared action waits for, and which one takes effect next. This is the
//! one place where the rulesets differ in order and resolution (rules 4.5 to 4.8).

use cards::code::{Check, Facts, Hooks, Op, Operand, Slot, Unit, UnitId, UnitKind, User, Whose};
use cards::db::{Def, DefKind};
use cards::tree::{Status, Word};

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
        let (pos, active) = (usize::from(pos), self.s.active);
        if pos == 0 {
            return Some(active);
        }
        // The active player's own place in the order is left out.
        let order = &self.s.order[..usize::from(self.s.alive).min(SEATS)];
        let left_out = order[..pos.min(order.len())].contains(&active);
        order.get(if left_out { pos } else { pos - 1 }).copied()
    }

    /// What the card's spell or abilities are.
    fn units_of(&self, card: CardId) -> &[UnitId] {
        let def = self.def(card);
        if def.kind == DefKind::Spell { &def.play } else { &def.activated }
    }

    /// The alternatives of the ability that begins there; mostly it is alone.
    fn alternatives(&self, card: CardId, ability: u8) -> &[UnitId] {
        let units = self.units_of(card).get(usize::from(ability)..).unwrap_or_default();
        let begins = |unit: &UnitId| self.db.unit(*unit).option.is_none_or(|option| option == 0);
        let rest = units.iter().skip(1).position(begins).map_or(units.len(), |at| at + 1);
        if units.first().is_some_and(begins) { &units[..rest] } else { &[] }
    }

    /// Which of the alternatives are possible, one bit each.
    fn open_alternatives(&self, seat: Seat, card: CardId, ability: u8, cancel_only: bool) -> u8 {
        let facts = self.facts(seat, self.time(seat, cancel_only));
        let can = |id: UnitId| self.can_use(id, seat, card, facts);
        let units = self.alternatives(card, ability).iter().take(8).enumerate();
        units.fold(0, |open, (i, unit)| open | u8::from(can(*unit)) << i)
    }

    /// Nothing further can be declared while very much is under way.
    #[inline]
    fn room_to_declare(&self, above: usize) -> bool {
        self.s.frames.len() + above + FRAMES_KEPT_FREE <= FRAMES && self.s.pending.len() < PENDING
    }

    /// Might the seat have a spell to cast or an ability to use?
    #[inline]
    pub fn has_uses(&self, seat: Seat) -> bool {
        self.s.pile_len(Place::spells(seat)) > 0
            || self.s.player(seat).hooks.has(Hooks::USED)
            || self.s.hooks.has(Hooks::OPEN)
            || self.db.hand_abilities && self.s.pile_len(Place::rooms(seat)) > 0
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
        if !self.room_to_declare(above) {
            return true;
        }
        let time = self.time(seat, cancel_only);
        let mut known = None;
        // What the table shows is looked at only where the time is right.
        let mut meeting = |needs: Facts| {
            let facts =
                time.meet(needs.of_time()).then(|| *known.get_or_insert_with(|| self.facts(seat, time)));
            facts.filter(|facts| facts.meet(needs))
        };
        for card in self.s.pile(Place::spells(seat)) {
            let def = self.def(card);
            if let Some(facts) = meeting(def.needs)
                && self.can_cast(seat, card, def, facts)
                && !each(Action::Use { ability: 0, card })
            {
                return false;
            }
        }
        let player = self.s.player(seat);
        if player.hooks.has(Hooks::USED) {
            let boss = Some(player.boss).filter(|boss| player.levelled && boss.exists());
            for card in self.s.slots(seat).iter().copied().chain(boss) {
                let def = self.def(card);
                if def.hooks.has(Hooks::USED)
                    && let Some(facts) = meeting(def.needs)
                    && !self.each_ability(seat, card, def, facts, &mut each)
                {
                    return false;
                }
            }
        }
        if self.db.hand_abilities {
            for card in self.s.pile(Place::rooms(seat)) {
                let def = self.def(card);
                if def.hooks.has(Hooks::FROM_HAND)
                    && let Some(facts) = meeting(def.needs)
                    && !self.each_ability(seat, card, def, facts, &mut each)
                {
                    return false;
                }
            }
        }
        !self.s.hooks.has(Hooks::OPEN) || self.each_open_use(seat, self.facts(seat, time), &mut each)
    }

    /// Abilities of other players' cards, and of heroes, that the seat may use.
    #[inline(never)]
    fn each_open_use(&self, seat: Seat, facts: Facts, each: &mut impl FnMut(Action) -> bool) -> bool {
        let mut go_on = true;
        self.sources(Hooks::OPEN, |_, card, def| {
            let place = self.s.card(card).place;
            let own = place == Place::dungeon(seat) || place == Place::boss(seat);
            go_on = go_on && (own || self.each_ability(seat, card, def, facts, each));
        });
        go_on
    }

    /// A spell of the seat's hand, in one of its alternatives.
    fn can_cast(&self, seat: Seat, card: CardId, def: &Def, facts: Facts) -> bool {
        let can = |id: &UnitId| self.can_use(*id, seat, card, facts);
        def.play.iter().any(can) && !self.forbidden(&Happening::new(Word::Cast, self.s.ref_of(card), seat))
    }

    /// The abilities of one card; of alternatives the first is named.
    fn each_ability(
        &self,
        seat: Seat,
        card: CardId,
        def: &Def,
        facts: Facts,
        each: &mut impl FnMut(Action) -> bool,
    ) -> bool {
        let can = |id: &UnitId| self.can_use(*id, seat, card, facts);
        for (ability, id) in def.activated.iter().enumerate() {
            let (ability, unit) = (ability as u8, self.db.unit(*id));
            let possible = self.works(seat, card, unit)
                && match unit.option {
                    None => can(id),
                    Some(0) => self.alternatives(card, ability).iter().any(can),
                    Some(_) => false,
                };
            if possible && !each(Action::Use { ability, card }) {
                return false;
            }
        }
        true
    }

    /// Is it an ability of an active room, of a boss that has levelled up, of a hero at a dungeon, or of a card
    /// in hand that says so, and may the seat use it?
    #[inline]
    fn works(&self, seat: Seat, card: CardId, unit: &Unit) -> bool {
        let place = self.s.card(card).place;
        if unit.from_hand {
            return place == Place::rooms(seat);
        }
        let owner = place.seat();
        let in_play = if place.is_dungeon() {
            self.is_active_room(card) && !self.has_status(card, Status::Blank)
        } else {
            match place.kind() {
                PlaceKind::Boss => self.s.player(owner).levelled && self.s.player(owner).boss == card,
                PlaceKind::Entrance | PlaceKind::Inside => true,
                _ => false,
            }
        };
        in_play
            && match unit.user {
                User::Owner => owner == seat,
                User::Opponents => owner != seat,
                User::Anybody => true,
            }
    }

    /// The facts about the time. In a round of cancels a declared spell is answered by a cancel; a room's ability
    /// that would take effect at once by whatever blanks the room, if it is the active player's.
    #[inline]
    fn time(&self, you: Seat, cancel_only: bool) -> Facts {
        let phase = match self.s.phase {
            Phase::Build => Facts::A_TIME_TO_ACT.and(Facts::BUILD),
            Phase::Adventure => Facts::A_TIME_TO_ACT.and(Facts::ADVENTURE),
            _ => return Facts::default(),
        };
        if !cancel_only {
            return phase.and(Facts::NO_SPELL_TO_ANSWER).and(Facts::NO_ROOM_TO_ANSWER);
        }
        match self.s.pending.last() {
            Some(newest) if !self.is_spell(&newest.code) && you == self.s.active => {
                phase.and(Facts::NO_SPELL_TO_ANSWER)
            }
            Some(newest) if !self.is_spell(&newest.code) => Facts::default(),
            _ => phase.and(Facts::NO_ROOM_TO_ANSWER),
        }
    }

    /// All that the seat can tell at a glance.
    fn facts(&self, you: Seat, time: Facts) -> Facts {
        const ROOMS: [Facts; 3] = [Facts(0), Facts::A_ROOM, Facts::A_ROOM.and(Facts::TWO_ROOMS)];
        const SPELLS: [Facts; 3] = [Facts(0), Facts::A_SPELL, Facts::A_SPELL.and(Facts::TWO_SPELLS)];
        let s = self.s;
        let facts = ROOMS[s.pile_len(Place::rooms(you)).min(2)]
            .and(SPELLS[s.pile_len(Place::spells(you)).min(2)])
            .and(Facts::your_room(s.player(you).hooks))
            .and(Facts::room(s.hooks))
            .and(time)
            .and_if(s.pile_len(Place::TOWN) > 0, Facts::HERO_IN_TOWN)
            .and_if(!s.pending.is_empty(), Facts::DECLARED)
            .and_if(s.pile_len(Place::DISCARD) > 0, Facts::CARD_IN_DISCARD);
        if s.active.exists() && s.pile_len(Place::inside(s.active)) > 0 {
            let whose = if s.active == you { Whose::Yours } else { Whose::Others };
            return facts.and(Facts::hero_inside(whose)).and(Facts::hero_inside(Whose::Anyones));
        }
        facts
    }

    fn is_spell(&self, code: &Code) -> bool {
        self.db.unit(code.unit).kind == UnitKind::Play
    }

    /// May it be declared?
    #[inline]
    fn can_use(&self, id: UnitId, seat: Seat, card: CardId, facts: Facts) -> bool {
        let unit = self.db.unit(id);
        facts.meet(unit.needs) && (unit.needs_tell_all() || self.can_declare(id, seat, card))
    }

    /// Its limit is not used up, every requirement holds, every target has a candidate, every cost can be paid;
    /// what can be told at a glance has been looked at.
    fn can_declare(&self, id: UnitId, seat: Seat, card: CardId) -> bool {
        let (unit, this) = (self.db.unit(id), self.s.ref_of(card));
        let ctx = Ctx::of(seat, this);
        (unit.limit.is_none() || self.has_use(id, this, Ref::NOTHING))
            && unit.checks.iter().all(|check| self.passes(check, &ctx))
            && (!unit.chained || self.can_finish(&Code { unit: id, source: this, you: seat, ..Code::EMPTY }))
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

impl Window {
    /// The player asked passes; the next one's turn comes.
    #[inline]
    fn pass(&mut self, players: u8) {
        self.passes += 1;
        self.pos += 1;
        if self.pos >= players {
            self.pos = 0;
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
        let players = self.s.alive;
        while window.passes < players {
            if let Some(seat) = self.board().seat_at(window.pos)
                && let Some(moves) = self.board().moves(seat, false, 1)
            {
                self.s.frames.put(Frame::Window(window));
                return self.ask_among(seat, AskKind::Priority, moves);
            }
            window.pass(players);
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
        if window.resolved > 0 && self.board().is_spell(&entry.code) {
            self.s.frames.put(Frame::CancelRound(Window::default()));
        }
    }

    /// A round in which everybody may cancel the newest declared spell.
    pub fn cancel_round(&mut self, mut window: Window) {
        let settled = self.s.pending.last().is_none_or(|entry| entry.cancelled);
        let players = self.s.alive;
        while !settled && window.passes < players {
            if let Some(seat) = self.board().seat_at(window.pos)
                && let Some(moves) = self.board().moves(seat, true, 1)
            {
                self.s.frames.put(Frame::CancelRound(window));
                return self.ask_among(seat, AskKind::Priority, moves);
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
        self.s.frames.put(if cancel { Frame::CancelRound(window) } else { Frame::Window(window) });
        match action {
            Action::Use { card, ability } => self.begin_use(seat, card, ability, cancel),
            Action::Build { card, spot } => {
                let (at, slot) = (spot.dungeon(seat), spot.slot());
                let board = self.board();
                let by_rule = || at == seat && board.lot(seat).places(card) >> slot & 1 == 1;
                let allowed = if self.s.hooks.has(Hooks::ALLOWS) && !by_rule() {
                    board.allowing(seat, card, at, slot)
                } else {
                    None
                };
                self.place_facedown(seat, card, spot);
                if let Some(Some(lasting)) = allowed {
                    self.served(lasting);
                }
                self.s.player_mut(seat).placed += 1;
            }
            _ => {}
        }
    }

    /// A spell or ability is announced; which alternative it is, its targets and costs come next.
    fn begin_use(&mut self, seat: Seat, card: CardId, ability: u8, cancel: bool) {
        if self.board().alternatives(card, ability).len() == 1 {
            return self.begin_unit(seat, card, ability);
        }
        let open = self.board().open_alternatives(seat, card, ability, cancel);
        if open.count_ones() > 1 || self.s.rules.ask_all {
            let card = self.s.ref_of(card);
            self.s.frames.put(Frame::Options { card, you: seat, ability, open });
            self.ask_anyway(seat, AskKind::Pick);
        } else {
            self.begin_unit(seat, card, ability + open.trailing_zeros() as u8);
        }
    }

    pub fn begin_unit(&mut self, seat: Seat, card: CardId, unit: u8) {
        let Some(unit) = self.board().units_of(card).get(usize::from(unit)).copied() else { return };
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
        if self.board().is_spell(&code) || code.you != self.s.active {
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
        // A room whose text has been blanked meanwhile does nothing, wherever the card lies now.
        let blank = code.source.as_card().is_some_and(|card| self.board().has_status(card, Status::Blank));
        let lost = blank || self.lost_targets(&mut code);
        if lost {
            if let Some(card) = code.source.as_card() {
                self.tell(|t| Event::Fizzles(t.shown(card)));
                if self.board().is_spell(&code) {
                    self.put_away(card);
                }
            }
            return;
        }
        if self.board().is_spell(&code) {
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
}
