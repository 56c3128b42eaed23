//! The cards whose text works now, and what they react to: rooms, bosses, heroes, minibosses, items and
//! spells that lie in scoring areas. Hooks keep the search for them short.

use cards::code::*;
use cards::db::Def;
use cards::vocabulary::{Kind, Stat, Status};

use crate::code::query::{Board, Busy};
use crate::model::id::*;
use crate::model::state::*;

impl Board<'_> {
    /// Every card in play whose abilities work and that has the hook: active rooms that are not blank, bosses
    /// that have levelled up, and heroes, who belong to the dungeon they are at or in.
    #[inline]
    pub fn sources(&self, hook: Hooks, each: impl FnMut(Seat, CardId, &Def)) {
        self.sources_while(hook, Busy::NOTHING, each);
    }

    #[inline]
    pub(super) fn sources_while(&self, hook: Hooks, busy: Busy, mut each: impl FnMut(Seat, CardId, &Def)) {
        self.visible_sources(hook, |seat, source, def| {
            if !self.has_status_while(source, Status::Blank, busy) {
                each(seat, source, def);
            }
        });
    }

    #[inline]
    pub fn visible_sources(&self, hook: Hooks, mut each: impl FnMut(Seat, CardId, &Def)) {
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
                each(seat, player.boss, self.boss_text(seat));
            }
            if self.db.scored_spells {
                for spell in self.scored_spells(seat).filter(|spell| self.def(*spell).hooks.has(hook)) {
                    each(seat, spell, self.def(spell));
                }
            }
        }
        if self.s.hero_hooks.has(hook) {
            self.heroes(|seat, hero| {
                if self.def(hero).hooks.has(hook) {
                    each(seat, hero, self.def(hero));
                }
            });
        }
        if self.s.attached_hooks.has(hook) {
            self.attached_sources(hook, &mut each);
        }
    }

    /// Cards attached to active rooms and to heroes in play; their owner is the host's.
    #[cold]
    fn attached_sources(&self, hook: Hooks, each: &mut dyn FnMut(Seat, CardId, &Def)) {
        for attachment in self.s.attached.iter() {
            let text = self.text_of(attachment);
            if text.hooks.has(hook) && self.is_in_play(attachment) {
                each(self.s.card(attachment.host).place.seat(), attachment.card, text);
            }
        }
    }

    /// The hooks of the attached cards whose host is such a card.
    #[cold]
    pub fn attached_hooks(&self, is_host: impl Fn(Place) -> bool) -> Hooks {
        let mut hooks = Hooks::default();
        for attachment in self.s.attached.iter() {
            if is_host(self.s.card(attachment.host).place) && self.is_in_play(attachment) {
                hooks.add(self.text_of(attachment).hooks);
            }
        }
        hooks
    }

    /// Spells that lie in the scoring area, where their rules hold.
    fn scored_spells(&self, seat: Seat) -> impl Iterator<Item = CardId> {
        self.s.pile(Place::scoring(seat)).filter(|card| self.def(*card).kind == Kind::Spell)
    }

    /// The active rooms of a dungeon with the hook. Looks at all places, branch-free.
    #[inline]
    pub fn slots_hooked(&self, seat: Seat, hook: Hooks) -> u8 {
        let slots = self.s.player(seat).slots;
        let hooked = |slot: usize| u8::from(self.def(slots[slot]).hooks.has(hook)) << slot;
        (0..SLOTS).fold(0, |places, slot| places | hooked(slot)) & self.s.active_slots(seat)
    }

    /// Has the player's boss levelled up, and does it have the hook?
    #[inline]
    pub fn boss_hooked(&self, seat: Seat, hook: Hooks) -> bool {
        let player = self.s.player(seat);
        player.levelled && player.boss.exists() && self.boss_text(seat).hooks.has(hook)
    }

    /// Heroes in town, who have no owner, at the entrances and in the dungeons.
    pub fn heroes(&self, mut each: impl FnMut(Seat, CardId)) {
        self.s.pile(Place::TOWN).for_each(|hero| each(Seat::NONE, hero));
        for seat in self.s.seats() {
            for place in [Place::entrance(seat), Place::inside(seat)] {
                self.s.pile(place).for_each(|hero| each(seat, hero));
            }
        }
    }

    /// Those of the heroes themselves, without what they carry.
    pub fn hooks_of_heroes(&self) -> Hooks {
        let mut hooks = Hooks::default();
        self.heroes(|_, hero| hooks.add(self.def(hero).hooks));
        hooks
    }

    /// What a lasting rule or ability affects.
    pub fn lasting_hook(&self, lasting: &Lasting) -> Hooks {
        match lasting.kind {
            LastingKind::Rule { rule, .. } => self.db.rules[rule.index()].hook,
            LastingKind::Ability(unit) | LastingKind::Offer(unit) => self.db.unit(unit).hook,
            LastingKind::Used { .. } | LastingKind::PutOff(_) => Hooks::default(),
            LastingKind::Treasure(_) => Hooks::changes(Stat::Icon),
            LastingKind::LastRoom { .. } => Hooks::changes(Stat::Damage),
        }
    }

    /// Recomputes the hooks of everything active in a dungeon.
    pub fn hooks_of(&self, seat: Seat) -> Hooks {
        let (player, active) = (self.s.player(seat), u128::from(self.s.active_slots(seat)));
        // All places, branch-free.
        let slots = player.slots;
        let at = |slot: usize| self.def(slots[slot]).hooks.0 & (active >> slot & 1).wrapping_neg();
        let mut hooks = Hooks((0..SLOTS).fold(0, |hooks, slot| hooks | at(slot)));
        if player.levelled && player.boss.exists() {
            hooks.add(self.boss_text(seat).hooks);
        }
        if !self.s.attached.is_empty() {
            hooks.add(self.attached_hooks(|place| place == Place::dungeon(seat)));
        }
        if self.db.scored_spells {
            self.scored_spells(seat).for_each(|spell| hooks.add(self.def(spell).hooks));
        }
        hooks
    }
}
