//! Damage, health, treasure and points after all modifiers. Computed when read: nothing is cached,
//! so nothing can be stale.

use cards::code::*;
use cards::vocabulary::{ByClass, Class, Classes, Kind, Stat, Status};

use crate::code::query::{Board, Busy, Ctx};
use crate::model::id::*;
use crate::model::state::*;

/// No number goes beyond this, whatever cards multiply.
const MOST: i32 = 10_000;

impl Board<'_> {
    /// What the room deals to a hero entering it now, whichever that is.
    pub fn damage(&self, room: CardId) -> i32 {
        self.damage_while(room, Busy::NOTHING)
    }

    /// What the room deals to this hero.
    pub fn damage_to(&self, hero: CardId, room: CardId) -> i32 {
        self.damage_against(self.s.ref_of(hero), room, Busy::NOTHING)
    }

    /// The same, read while other values are being computed.
    pub fn damage_while(&self, room: CardId, busy: Busy) -> i32 {
        self.damage_against(Ref::NOTHING, room, busy)
    }

    fn damage_against(&self, hero: Ref, room: CardId, busy: Busy) -> i32 {
        let busy = busy.and(Busy::DAMAGE);
        let stunned = || {
            self.s.hooks.has(Hooks::gives(Status::Stunned))
                && self.is_given(room, Status::Stunned, hero, busy)
        };
        if !self.is_active_room(room) || stunned() {
            return 0;
        }
        let own = i32::from(self.def(room).damage) + i32::from(self.s.marks(room).counters);
        let (plus, times) = self.changes_to(Stat::Damage, self.s.ref_of(room), hero, busy);
        (own + plus).saturating_mul(times).clamp(0, MOST)
    }

    /// Does the hero ignore the text of `this`, if it is a room?
    #[cold]
    pub fn ignores(&self, hero: CardId, ctx: &Ctx) -> bool {
        // What a miniboss adds is text of its room.
        let room = ctx.this.as_card().and_then(|card| match self.def(card).kind {
            Kind::Room => Some(card),
            Kind::Miniboss => self.s.host(card),
            _ => None,
        });
        room.is_some_and(|room| {
            self.def(hero).kind.is_hero()
                && !ctx.busy.has(Busy::IGNORING)
                && self.is_given(room, Status::Blank, self.s.ref_of(hero), ctx.busy.and(Busy::IGNORING))
        })
    }

    #[inline]
    pub fn health(&self, hero: CardId) -> i32 {
        self.health_while(hero, Busy::NOTHING)
    }

    #[inline]
    pub fn health_while(&self, hero: CardId, busy: Busy) -> i32 {
        let own = i32::from(self.def(hero).health) + i32::from(self.s.marks(hero).token);
        self.modified(Stat::Health, self.s.ref_of(hero), own, busy.and(Busy::HEALTH))
    }

    /// Has the hero taken at least as much damage as it has health?
    #[inline]
    pub fn is_lethal(&self, hero: CardId) -> bool {
        i32::from(self.s.marks(hero).damage) >= self.health(hero)
    }

    /// Rooms the player may place this turn.
    pub fn builds(&self, seat: Seat) -> i32 {
        self.modified(Stat::Builds, Ref::seat(seat), 1, Busy::NOTHING)
    }

    /// The dungeon's treasure of each type, boss included.
    pub fn treasure(&self, seat: Seat) -> ByClass<i32> {
        let mut total = ByClass::default();
        self.add_treasure(seat, &mut total);
        total
    }

    fn add_treasure(&self, seat: Seat, total: &mut ByClass<i32>) {
        let mut add = |icons: ByClass<i32>| {
            for (sum, icon) in total.0.iter_mut().zip(icons.0) {
                *sum += icon;
            }
        };
        let boss = self.s.player(seat).boss;
        if boss.exists() {
            add(self.icons_on(boss));
        }
        let changed = self.s.hooks.has(Hooks::changes(Stat::Icon));
        if changed {
            for lasting in self.s.lasting.iter().filter(|lasting| lasting.you == seat) {
                if let LastingKind::Treasure(class) = lasting.kind {
                    add(ByClass::from_fn(|gained| i32::from(gained == class)));
                }
            }
        }
        for slot in Slots(self.s.active_slots(seat)) {
            let room = self.s.at(seat, slot);
            add(if changed { self.icons(room) } else { self.def(room).icons.map(i32::from) });
        }
        if changed {
            add(self.icons_of(Ref::seat(seat), ByClass::default()));
        }
    }

    /// The classes the room has an icon of now.
    pub fn classes(&self, room: CardId) -> Classes {
        if !self.s.hooks.has(Hooks::changes(Stat::Icon)) {
            return self.def(room).classes;
        }
        self.icons(room).iter().filter(|(_, icons)| **icons > 0).map(|(class, _)| class).collect()
    }

    /// A room's icons after all changes, in chronological order: `= 0` wipes everything before it.
    /// Only printed icons are multiplied, whenever others were added (rule 17.6).
    fn icons(&self, room: CardId) -> ByClass<i32> {
        self.icons_of(self.s.ref_of(room), self.def(room).icons.map(i32::from))
    }

    /// The same for a card or a player's dungeon as a whole.
    fn icons_of(&self, subject: Ref, mut printed: ByClass<i32>) -> ByClass<i32> {
        let mut added: ByClass<i32> = ByClass::default();
        let mut times = 1i32;
        self.each_change(Stat::Icon, subject, Ref::NOTHING, Busy::NOTHING, |icon, change, amount, regs| {
            let amount = match change {
                ChangeCode::Times(n) => return times = times.saturating_mul(i32::from(n)).min(MOST),
                ChangeCode::Zero => return (printed, added) = Default::default(),
                ChangeCode::Plus(_) => amount,
                ChangeCode::Minus(_) => -amount,
            };
            let chosen = match icon {
                IconCode::Any => None,
                IconCode::Class(class) => Some(class as usize),
                IconCode::Chosen(Slot::Reg(reg)) => {
                    let r = regs.get(usize::from(reg)).and_then(|r: &Ref| r.as_number());
                    Some(r.map_or(Class::COUNT, usize::from))
                }
                IconCode::Chosen(_) => return,
            };
            for (class, added) in added.0.iter_mut().enumerate() {
                let printed = printed.0[class];
                if chosen.map_or(printed + *added > 0, |chosen| chosen == class) {
                    *added = (*added + amount).clamp(-printed, MOST);
                }
            }
        });
        ByClass::from_fn(|class| (printed[class].saturating_mul(times) + added[class]).min(MOST))
    }

    /// Icons on a card in play, as they count now.
    #[inline]
    pub fn icons_on(&self, card: CardId) -> ByClass<i32> {
        let place = self.s.card(card).place;
        if place.is_boss() && self.s.hooks.has(Hooks::changes(Stat::Icon)) {
            return self.icons(card);
        }
        if !place.is_dungeon() {
            return self.def(card).icons.map(i32::from);
        }
        if self.is_active_room(card) { self.icons(card) } else { ByClass::default() }
    }

    pub fn treasure_of(&self, seat: Seat, class: Class) -> i32 {
        self.treasure(seat)[class]
    }

    /// Every dungeon's treasure, by seat.
    pub fn treasures(&self) -> [ByClass<i32>; SEATS] {
        let mut all = [ByClass::default(); SEATS];
        for seat in self.s.seats() {
            self.add_treasure(seat, &mut all[seat.index()]);
        }
        all
    }

    /// What this hero counts in the seat's dungeon: treasure, or whatever its card says.
    pub fn pull(&self, hero: CardId, seat: Seat) -> i32 {
        let def = self.def(hero);
        match def.lure {
            Some(lure) => {
                let ctx = Ctx { it: Ref::seat(seat), ..Ctx::of(Seat::NONE, self.s.ref_of(hero)) };
                self.num(lure.num, &ctx)
            }
            None => {
                let treasure = self.treasure(seat);
                def.classes.iter().map(|class| treasure[class]).sum()
            }
        }
    }

    /// What it counts for the player ahead and for the runner-up.
    pub fn pull_ahead(&self, hero: CardId) -> (i32, i32) {
        let most = self.def(hero).lure.is_none_or(|lure| lure.most);
        let is_ahead = |a: i32, b: i32| if most { a > b } else { a < b };
        let (mut best, mut next) = (None, None);
        for pull in self.s.seats().map(|seat| self.pull(hero, seat)) {
            if best.is_none_or(|best| is_ahead(pull, best)) {
                (best, next) = (Some(pull), best);
            } else if next.is_none_or(|next| is_ahead(pull, next)) {
                next = Some(pull);
            }
        }
        (best.unwrap_or(0), next.unwrap_or(0))
    }

    /// The one player ahead for this hero, if there is one (rules 9.1 to 9.4).
    pub fn pulled_to(&self, hero: CardId, treasure: &[ByClass<i32>; SEATS]) -> Option<Seat> {
        let def = self.def(hero);
        let pull = |seat: Seat| match def.lure {
            Some(lure) => {
                let ctx = Ctx { it: Ref::seat(seat), ..Ctx::of(Seat::NONE, self.s.ref_of(hero)) };
                let value = self.num(lure.num, &ctx);
                if lure.most { value } else { -value }
            }
            None => def.classes.iter().map(|class| treasure[seat.index()][class]).sum(),
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
        self.souls_while(seat, Busy::NOTHING)
    }

    pub fn souls_while(&self, seat: Seat, busy: Busy) -> i32 {
        self.points(Stat::Souls, seat, self.s.scores[seat.index()].souls, busy)
    }

    pub fn wounds(&self, seat: Seat) -> i32 {
        self.wounds_while(seat, Busy::NOTHING)
    }

    pub fn wounds_while(&self, seat: Seat, busy: Busy) -> i32 {
        self.points(Stat::Wounds, seat, self.s.scores[seat.index()].wounds, busy)
    }

    #[inline]
    fn points(&self, stat: Stat, seat: Seat, own: u16, busy: Busy) -> i32 {
        if !self.s.hooks.has(Hooks::changes(stat)) || busy.has(Busy::SCORE) {
            return i32::from(own);
        }
        self.modified(stat, Ref::seat(seat), i32::from(own), busy.and(Busy::SCORE)).max(0)
    }

    /// Both, as they count now.
    pub fn score(&self, seat: Seat) -> Score {
        let points = |points: i32| points.min(i32::from(u16::MAX)) as u16;
        Score { souls: points(self.souls(seat)), wounds: points(self.wounds(seat)) }
    }

    /// Recounts the souls and wounds that lie there.
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

    /// A number after all changes to it.
    pub fn stat_of(&self, stat: Stat, subject: Ref, own: i32, busy: Busy) -> i32 {
        self.modified(stat, subject, own, busy)
    }

    fn modified(&self, stat: Stat, subject: Ref, own: i32, busy: Busy) -> i32 {
        let (plus, times) = self.changes_to(stat, subject, Ref::NOTHING, busy);
        (own + plus).saturating_mul(times).clamp(-MOST, MOST)
    }

    /// The sum of all additions and subtractions, and the product of all multipliers.
    #[inline]
    fn changes_to(&self, stat: Stat, subject: Ref, hero: Ref, busy: Busy) -> (i32, i32) {
        if self.s.hooks.has(Hooks::changes(stat)) {
            self.sum_changes(stat, subject, hero, busy)
        } else {
            (0, 1)
        }
    }

    fn sum_changes(&self, stat: Stat, subject: Ref, hero: Ref, busy: Busy) -> (i32, i32) {
        let (mut plus, mut times) = (0i32, 1i32);
        self.each_change(stat, subject, hero, busy, |_, change, amount, _| match change {
            ChangeCode::Plus(_) => plus = (plus + amount).min(MOST),
            ChangeCode::Minus(_) => plus = (plus - amount).max(-MOST),
            ChangeCode::Times(n) => times = times.saturating_mul(i32::from(n)).min(MOST),
            ChangeCode::Zero => {}
        });
        (plus, times)
    }

    /// Every change to the subject's stat in force: first those of cards in play, then those that
    /// last for some time, oldest first. `hero` is whom a room deals its damage to, if that is known:
    /// what the text of rooms changes is nothing to a hero who ignores it.
    fn each_change(
        &self,
        stat: Stat,
        subject: Ref,
        hero: Ref,
        busy: Busy,
        mut each: impl FnMut(IconCode, ChangeCode, i32, &[Ref]),
    ) {
        let ignored = |ctx: &Ctx| {
            self.s.hooks.has(Hooks::IGNORES) && hero.as_card().is_some_and(|hero| self.ignores(hero, ctx))
        };
        self.sources_while(Hooks::changes(stat), busy, |seat, source, def| {
            let ctx = Ctx { it: subject, busy, ..Ctx::of(seat, self.s.ref_of(source)) };
            if ignored(&ctx) {
                return;
            }
            for rule in &def.rules {
                let rule = &self.db.rules[rule.index()];
                if let RuleKindCode::Has { query, stat: changed, icon, change, against } = rule.kind
                    && changed == stat
                    && self.matches(query, &ctx, subject)
                    && against.is_none_or(|heroes| self.matches(heroes, &ctx, hero))
                    && rule.during.is_none_or(|cond| self.cond(cond, &ctx))
                {
                    each(icon, change, self.amount(change, &ctx), &[]);
                }
            }
        });
        for lasting in self.s.lasting.iter() {
            if let LastingKind::LastRoom { bonus } = lasting.kind
                && stat == Stat::Damage
                && self.is_last_room(subject, lasting.you)
            {
                each(IconCode::Any, ChangeCode::Plus(NumId(0)), i32::from(bonus), &[]);
            }
            let LastingKind::Rule { rule, amount: settled, .. } = lasting.kind else { continue };
            let rule = &self.db.rules[rule.index()];
            let ctx = Ctx { it: subject, regs: &lasting.kept, busy, ..Ctx::of(lasting.you, lasting.source) };
            if let RuleKindCode::Has { query, stat: changed, icon, change, against } = rule.kind
                && changed == stat
                && self.matches(query, &ctx, subject)
                && against.is_none_or(|heroes| self.matches(heroes, &ctx, hero))
                && !ignored(&ctx)
                && rule.during.is_none_or(|cond| self.cond(cond, &ctx))
            {
                let amount = if rule.live { self.amount(change, &ctx) } else { i32::from(settled) };
                each(icon, change, amount, &lasting.kept);
            }
        }
    }

    /// Is it the active room next to the seat's boss?
    #[cold]
    fn is_last_room(&self, room: Ref, seat: Seat) -> bool {
        let last = Slots(self.s.active_slots(seat)).next();
        last.is_some_and(|slot| self.s.ref_of(self.s.at(seat, slot)) == room)
    }

    /// Does any rule give the room this status?
    #[inline]
    pub fn has_status(&self, room: CardId, status: Status) -> bool {
        self.has_status_while(room, status, Busy::NOTHING)
    }

    #[inline]
    pub(super) fn has_status_while(&self, room: CardId, status: Status, busy: Busy) -> bool {
        self.s.hooks.has(Hooks::gives(status)) && self.is_given(room, status, Ref::NOTHING, busy)
    }

    /// With a hero, also what holds only for that hero.
    fn is_given(&self, room: CardId, status: Status, hero: Ref, busy: Busy) -> bool {
        let subject = self.s.ref_of(room);
        let mut hook = Hooks::gives(status);
        if status == Status::Blank && !hero.is_nothing() {
            hook.add(Hooks::IGNORES);
        }
        let gives = |rule: RuleId, ctx: &Ctx| {
            let rule = &self.db.rules[rule.index()];
            matches!(rule.kind, RuleKindCode::Is { query, status: given, against }
                if given == status
                    && self.matches(query, ctx, subject)
                    && against.is_none_or(|heroes| self.matches(heroes, ctx, hero))
                    && rule.during.is_none_or(|cond| self.cond(cond, ctx)))
        };
        let mut given = self.s.lasting.iter().any(|l| {
            let ctx = Ctx { it: subject, regs: &l.kept, busy, ..Ctx::of(l.you, l.source) };
            l.rule().is_some_and(|rule| gives(rule, &ctx))
        });
        self.visible_sources(hook, |seat, source, def| {
            let ctx = Ctx { it: subject, busy, ..Ctx::of(seat, self.s.ref_of(source)) };
            given |= def.rules.iter().any(|rule| gives(*rule, &ctx));
        });
        given || status == Status::Blank && self.is_host_blank(room, hero, busy)
    }

    /// What a miniboss adds is text of its room (16.2).
    fn is_host_blank(&self, card: CardId, hero: Ref, busy: Busy) -> bool {
        let host = (self.s.card(card).place == Place::ATTACHED).then(|| self.s.host(card)).flatten();
        host.is_some_and(|host| {
            self.s.card(host).place.is_dungeon() && self.is_given(host, Status::Blank, hero, busy)
        })
    }

    pub fn amount(&self, change: ChangeCode, ctx: &Ctx) -> i32 {
        match change {
            ChangeCode::Plus(num) | ChangeCode::Minus(num) => self.num(num, ctx),
            ChangeCode::Times(n) => i32::from(n),
            ChangeCode::Zero => 0,
        }
    }
}
