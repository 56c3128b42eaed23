//! Damage, health, treasure and points after all modifiers. Computed on reading: nothing is cached, so
//! nothing can be stale.

use cards::code::*;
use cards::db::{CLASSES, Def};
use cards::tree::{Class, Stat, Status, Word};

use crate::id::*;
use crate::query::{Board, Ctx};
use crate::state::*;

/// No number on the table goes beyond this, whatever cards multiply.
const MOST: i32 = 10_000;

/// What an event would be, for rules that forbid it and abilities that wait for it.
#[derive(Clone, Copy)]
pub(crate) struct Happening {
    pub word: Word,
    pub subject: Ref,
    /// The room it happens in or on.
    pub room: Ref,
    /// The owner of the dungeon entered or survived.
    pub dungeon: Seat,
    pub actor: Seat,
    pub cause: Cause,
    /// The subject as it will be afterwards, where the event moves it.
    pub then: Ref,
}

/// Whose card made something happen.
#[derive(Clone, Copy)]
pub(crate) struct Cause {
    pub card: Ref,
    pub you: Seat,
}

impl Cause {
    pub const NONE: Cause = Cause { card: Ref::NOTHING, you: Seat::NONE };
}

impl Happening {
    pub fn new(word: Word, subject: Ref, actor: Seat) -> Happening {
        let cause = Cause::NONE;
        Happening { word, subject, room: Ref::NOTHING, dungeon: Seat::NONE, actor, cause, then: subject }
    }
}

impl Board<'_> {
    /// What the room deals to a hero entering it now.
    pub fn damage(&self, room: CardId) -> i32 {
        if !self.is_active_room(room) {
            return 0;
        }
        if self.has_status(room, Status::Stunned) {
            return 0;
        }
        let printed = i32::from(self.def(room).damage);
        self.modified(Stat::Damage, self.s.ref_of(room), printed).max(0)
    }

    pub fn health(&self, hero: CardId) -> i32 {
        let printed = i32::from(self.def(hero).health);
        self.modified(Stat::Health, self.s.ref_of(hero), printed)
    }

    /// Has the hero taken as much damage as it has health?
    pub fn is_lethal(&self, hero: CardId) -> bool {
        i32::from(self.s.damage(hero)) >= self.health(hero)
    }

    /// Rooms the player may place this turn.
    pub fn builds(&self, seat: Seat) -> i32 {
        self.modified(Stat::Builds, Ref::seat(seat), 1)
    }

    /// The dungeon's treasure of each type, boss included.
    pub fn treasure(&self, seat: Seat) -> [i32; CLASSES] {
        let mut total = [0; CLASSES];
        self.add_treasure(seat, &mut total);
        total
    }

    fn add_treasure(&self, seat: Seat, total: &mut [i32; CLASSES]) {
        let mut add = |icons: [i32; CLASSES]| {
            for (sum, icon) in total.iter_mut().zip(icons) {
                *sum += icon;
            }
        };
        let boss = self.s.player(seat).boss;
        if boss.exists() {
            add(self.def(boss).icons.map(i32::from));
        }
        let changed = self.s.hooks.has(Hooks::changes(Stat::Icon));
        for slot in Slots(self.s.active_slots(seat)) {
            let room = self.s.at(seat, slot);
            add(if changed { self.icons(room) } else { self.def(room).icons.map(i32::from) });
        }
    }

    /// The treasure types the room has now, one bit each.
    pub fn icon_mask(&self, room: CardId) -> u8 {
        if !self.s.hooks.has(Hooks::changes(Stat::Icon)) {
            return self.def(room).icon_mask;
        }
        let icons = self.icons(room);
        icons.iter().enumerate().fold(0, |mask, (class, icon)| mask | u8::from(*icon > 0) << class)
    }

    /// A room's icons after all changes, in the order of time: `= 0` wipes what was there before it.
    fn icons(&self, room: CardId) -> [i32; CLASSES] {
        let subject = self.s.ref_of(room);
        let mut icons = self.def(room).icons.map(i32::from);
        let mut times = 1i32;
        self.each_change(Stat::Icon, subject, |icon, change, amount, regs| {
            let amount = match change {
                ChangeCode::Times(n) => return times = times.saturating_mul(i32::from(n)).min(MOST),
                ChangeCode::Zero => return icons = [0; CLASSES],
                ChangeCode::Plus(_) => amount,
                ChangeCode::Minus(_) => -amount,
            };
            let chosen = match icon {
                IconCode::Any => None,
                IconCode::Class(class) => Some(class as usize),
                IconCode::Chosen(Slot::Reg(reg)) => {
                    let r = regs.get(usize::from(reg)).and_then(|r: &Ref| r.as_number());
                    Some(r.map_or(CLASSES, usize::from))
                }
                IconCode::Chosen(_) => return,
            };
            for (class, icon) in icons.iter_mut().enumerate() {
                if chosen.map_or(*icon > 0, |chosen| chosen == class) {
                    *icon = (*icon + amount).clamp(0, MOST);
                }
            }
        });
        icons.map(|icon| icon.saturating_mul(times).min(MOST))
    }

    pub fn treasure_of(&self, seat: Seat, class: Class) -> i32 {
        self.treasure(seat)[class as usize]
    }

    /// Every dungeon's treasure, by seat.
    pub fn treasures(&self) -> [[i32; CLASSES]; SEATS] {
        let mut all = [[0; CLASSES]; SEATS];
        for seat in self.s.seats() {
            self.add_treasure(seat, &mut all[seat.index()]);
        }
        all
    }

    /// The one player ahead for this hero, if there is one (rules 9.1 to 9.4).
    pub fn lured_to(&self, hero: CardId) -> Option<Seat> {
        self.pulled_to(hero, &self.treasures())
    }

    pub fn pulled_to(&self, hero: CardId, treasure: &[[i32; CLASSES]; SEATS]) -> Option<Seat> {
        let def = self.def(hero);
        let pull = |seat: Seat| match def.lure {
            Some(lure) => {
                let ctx = Ctx { it: Ref::seat(seat), ..Ctx::of(Seat::NONE, self.s.ref_of(hero)) };
                let value = self.num(lure.num, &ctx);
                if lure.most { value } else { -value }
            }
            None => {
                let mut pull = 0;
                each_class(def.icon_mask, |class| pull += treasure[seat.index()][class]);
                pull
            }
        };
        let (mut best, mut most, mut tied) = (Seat::NONE, i32::MIN, false);
        for seat in self.s.seats() {
            let pull = pull(seat);
            if pull > most {
                (best, most, tied) = (seat, pull, false);
            } else {
                tied |= pull == most;
            }
        }
        (!tied && (def.lure.is_some() || most > 0)).then_some(best)
    }

    pub fn souls(&self, seat: Seat) -> i32 {
        i32::from(self.s.scores[seat.index()].souls)
    }

    pub fn wounds(&self, seat: Seat) -> i32 {
        i32::from(self.s.scores[seat.index()].wounds)
    }

    /// Souls and wounds, counted anew.
    pub fn count_score(&self, seat: Seat) -> Score {
        let mut score = Score::default();
        for id in self.s.pile(Place::scoring(seat)) {
            let points = u16::from(self.def(id).souls());
            let dead = self.s.card(id).flags.has(Flags::FACEDOWN);
            score.souls += if dead { points } else { 0 };
            score.wounds += if dead { 0 } else { points };
        }
        score
    }

    /// Face-up active rooms in the dungeon.
    pub fn room_count(&self, seat: Seat) -> usize {
        self.s.active_slots(seat).count_ones() as usize
    }

    fn modified(&self, stat: Stat, subject: Ref, printed: i32) -> i32 {
        let (plus, times) = self.changes_to(stat, subject);
        (printed + plus).saturating_mul(times).clamp(-MOST, MOST)
    }

    /// The sum of all plus and minus, and the product of all multipliers.
    #[inline]
    fn changes_to(&self, stat: Stat, subject: Ref) -> (i32, i32) {
        if self.s.hooks.has(Hooks::changes(stat)) { self.sum_changes(stat, subject) } else { (0, 1) }
    }

    fn sum_changes(&self, stat: Stat, subject: Ref) -> (i32, i32) {
        let (mut plus, mut times) = (0i32, 1i32);
        self.each_change(stat, subject, |_, change, amount, _| match change {
            ChangeCode::Plus(_) => plus = (plus + amount).min(MOST),
            ChangeCode::Minus(_) => plus = (plus - amount).max(-MOST),
            ChangeCode::Times(n) => times = times.saturating_mul(i32::from(n)).min(MOST),
            ChangeCode::Zero => {}
        });
        (plus, times)
    }

    /// Every change of the stat in force for the subject: those of the cards in play first, then those that
    /// last until end of turn, oldest first.
    fn each_change(&self, stat: Stat, subject: Ref, mut each: impl FnMut(IconCode, ChangeCode, i32, &[Ref])) {
        self.sources(Hooks::changes(stat), |seat, source, def| {
            let ctx = Ctx { it: subject, ..Ctx::of(seat, self.s.ref_of(source)) };
            for rule in &def.rules {
                let rule = &self.db.rules[rule.index()];
                if let RuleKindCode::Has { query, stat: changed, icon, change } = rule.kind
                    && changed == stat
                    && self.matches(query, &ctx, subject)
                    && rule.during.is_none_or(|cond| self.cond(cond, &ctx))
                {
                    each(icon, change, self.amount(change, &ctx), &[]);
                }
            }
        });
        for lasting in self.s.lasting.iter().filter(|l| l.is_rule()) {
            let rule = &self.db.rules[lasting.rule.index()];
            let ctx = Ctx { it: subject, regs: &lasting.kept, ..Ctx::of(lasting.you, lasting.source) };
            if let RuleKindCode::Has { query, stat: changed, icon, change } = rule.kind
                && changed == stat
                && self.matches(query, &ctx, subject)
                && rule.during.is_none_or(|cond| self.cond(cond, &ctx))
            {
                let amount = if rule.live { self.amount(change, &ctx) } else { i32::from(lasting.amount) };
                each(icon, change, amount, &lasting.kept);
            }
        }
    }

    /// Does some rule give the room this status? A room's own text may not ask that of itself.
    #[inline]
    pub fn has_status(&self, room: CardId, status: Status) -> bool {
        self.s.hooks.has(Hooks::gives(status)) && self.is_given(room, status)
    }

    fn is_given(&self, room: CardId, status: Status) -> bool {
        let subject = self.s.ref_of(room);
        let gives = |rule: RuleId, ctx: &Ctx| {
            let rule = &self.db.rules[rule.index()];
            matches!(rule.kind, RuleKindCode::Is { query, status: given }
                if given == status
                    && self.matches(query, ctx, subject)
                    && rule.during.is_none_or(|cond| self.cond(cond, ctx)))
        };
        let mut given = self
            .s
            .lasting
            .iter()
            .filter(|l| l.is_rule())
            .any(|l| gives(l.rule, &Ctx { it: subject, regs: &l.kept, ..Ctx::of(l.you, l.source) }));
        self.visible_sources(Hooks::gives(status), |seat, source, def| {
            let ctx = Ctx { it: subject, ..Ctx::of(seat, self.s.ref_of(source)) };
            given |= def.rules.iter().any(|rule| gives(*rule, &ctx));
        });
        given
    }

    pub fn amount(&self, change: ChangeCode, ctx: &Ctx) -> i32 {
        match change {
            ChangeCode::Plus(num) | ChangeCode::Minus(num) => self.num(num, ctx),
            ChangeCode::Times(n) => i32::from(n),
            ChangeCode::Zero => 0,
        }
    }

    /// Every card in play whose abilities work and that has the hook: active rooms that are not blank, bosses
    /// that have levelled up, and heroes, who belong to the dungeon they are at or in.
    #[inline]
    pub fn sources(&self, hook: Hooks, mut each: impl FnMut(Seat, CardId, &Def)) {
        self.visible_sources(hook, |seat, source, def| {
            if !self.has_status(source, Status::Blank) {
                each(seat, source, def);
            }
        });
    }

    #[inline]
    fn visible_sources(&self, hook: Hooks, mut each: impl FnMut(Seat, CardId, &Def)) {
        for seat in self.s.seats() {
            let player = self.s.player(seat);
            if !player.hooks.has(hook) {
                continue;
            }
            for slot in Slots(self.slots_hooked(seat, hook)) {
                let room = self.s.at(seat, slot);
                each(seat, room, self.def(room));
            }
            if self.boss_hooked(seat, hook) {
                each(seat, player.boss, self.def(player.boss));
            }
        }
        if self.s.hero_hooks.has(hook) {
            self.heroes(|seat, hero| {
                if self.def(hero).hooks.has(hook) {
                    each(seat, hero, self.def(hero));
                }
            });
        }
    }

    /// The active rooms of a dungeon with the hook. All places are looked at, without a branch for each.
    #[inline]
    pub fn slots_hooked(&self, seat: Seat, hook: Hooks) -> u8 {
        let slots = self.s.player(seat).slots;
        let hooked = |slot: usize| u8::from(self.def(slots[slot]).hooks.has(hook)) << slot;
        (0..SLOTS).fold(0, |places, slot| places | hooked(slot)) & self.s.active_slots(seat)
    }

    /// Has the player's boss levelled up, and the hook?
    #[inline]
    pub fn boss_hooked(&self, seat: Seat, hook: Hooks) -> bool {
        let player = self.s.player(seat);
        player.levelled && player.boss.exists() && self.def(player.boss).hooks.has(hook)
    }

    /// Heroes in town, who are nobody's, at the entrances and in the dungeons.
    pub fn heroes(&self, mut each: impl FnMut(Seat, CardId)) {
        self.s.pile(Place::TOWN).for_each(|hero| each(Seat::NONE, hero));
        for seat in self.s.seats() {
            for place in [Place::entrance(seat), Place::inside(seat)] {
                self.s.pile(place).for_each(|hero| each(seat, hero));
            }
        }
    }

    pub fn hooks_of_heroes(&self) -> Hooks {
        let mut hooks = Hooks::default();
        self.heroes(|_, hero| hooks.add(self.def(hero).hooks));
        hooks
    }

    /// What a lasting rule or ability has to do with.
    pub fn lasting_hook(&self, lasting: &Lasting) -> Hooks {
        match lasting.unit() {
            Some(unit) => self.db.unit(unit).hook,
            None if lasting.is_rule() => self.db.rules[lasting.rule.index()].hook,
            None => Hooks::default(),
        }
    }

    /// The hooks of all that is active in a dungeon, reckoned anew.
    pub fn hooks_of(&self, seat: Seat) -> Hooks {
        let (player, active) = (self.s.player(seat), u64::from(self.s.active_slots(seat)));
        // All places are looked at, without a branch for each.
        let slots = player.slots;
        let at = |slot: usize| self.def(slots[slot]).hooks.0 & (active >> slot & 1).wrapping_neg();
        let mut hooks = Hooks((0..SLOTS).fold(0, |hooks, slot| hooks | at(slot)));
        if player.levelled && player.boss.exists() {
            hooks.add(self.def(player.boss).hooks);
        }
        hooks
    }

    /// Does some rule in force forbid it?
    #[inline]
    pub fn forbidden(&self, what: &Happening) -> bool {
        self.s.hooks.has(Hooks::forbids(what.word)) && self.some_rule_forbids(what)
    }

    fn some_rule_forbids(&self, what: &Happening) -> bool {
        let mut forbidden = false;
        self.sources(Hooks::forbids(what.word), |seat, source, def| {
            let ctx = Ctx::of(seat, self.s.ref_of(source));
            forbidden |= def.rules.iter().any(|rule| self.rule_forbids(*rule, &ctx, what));
        });
        forbidden
            || self.s.lasting.iter().any(|lasting| {
                let ctx = Ctx { regs: &lasting.kept, ..Ctx::of(lasting.you, lasting.source) };
                lasting.is_rule() && self.rule_forbids(lasting.rule, &ctx, what)
            })
    }

    fn rule_forbids(&self, rule: RuleId, ctx: &Ctx, what: &Happening) -> bool {
        let rule = &self.db.rules[rule.index()];
        let RuleKindCode::Forbid(pattern) = rule.kind else { return false };
        self.is_meant(pattern, ctx, what) && rule.during.is_none_or(|cond| self.cond(cond, ctx))
    }

    /// The lasting rule, or a card in play (`None`), that allows what the rules of building would not.
    pub fn allowed(&self, what: &Happening) -> Option<Option<usize>> {
        let allows = |rule: RuleId, ctx: &Ctx| {
            let rule = &self.db.rules[rule.index()];
            matches!(rule.kind, RuleKindCode::Allow(pattern) if self.is_meant(pattern, ctx, what))
                && rule.during.is_none_or(|cond| self.cond(cond, ctx))
        };
        let mut by_card = false;
        self.sources(Hooks::ALLOWS, |seat, source, def| {
            let ctx = Ctx::of(seat, self.s.ref_of(source));
            by_card |= def.rules.iter().any(|rule| allows(*rule, &ctx));
        });
        if by_card {
            return Some(None);
        }
        let lasting =
            self.s.lasting.iter().position(|l| {
                l.is_rule() && allows(l.rule, &Ctx { regs: &l.kept, ..Ctx::of(l.you, l.source) })
            });
        lasting.map(Some)
    }

    /// Is this happening one that the pattern means?
    pub fn is_meant(&self, pattern: PatternId, ctx: &Ctx, what: &Happening) -> bool {
        let PatternCode::Happens { words, subject, object, by, because } = self.db.patterns[pattern.index()]
        else {
            return false;
        };
        // The object is mostly `this`, which is told at once.
        words.has(what.word)
            && match object {
                None => true,
                Some(ObjectCode::Room(query)) => self.matches(query, ctx, what.room),
                Some(ObjectCode::DungeonOf(who)) => {
                    what.dungeon.exists() && self.who(ctx, who).has(what.dungeon)
                }
            }
            && self.matches(subject, ctx, what.subject)
            && by.is_none_or(|who| what.actor.exists() && self.who(ctx, who).has(what.actor))
            && match because {
                None => true,
                Some(CauseCode::Who(who)) => {
                    what.cause.you.exists() && self.who(ctx, who).has(what.cause.you)
                }
                Some(CauseCode::Card(query)) => {
                    // The cause may have left its place already: it is named by what it is.
                    let card = what.cause.card.as_card();
                    card.is_some_and(|card| self.names_card(query, ctx, card))
                }
            }
    }
}

/// The treasure types of a mask.
#[inline]
fn each_class(mut mask: u8, mut each: impl FnMut(usize)) {
    while mask != 0 {
        each(mask.trailing_zeros() as usize % CLASSES);
        mask &= mask - 1;
    }
}
