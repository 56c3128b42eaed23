//! Evaluates queries of card code: which players, which cards a selector selects. Nothing here
//! changes the state.

use cards::code::*;
use cards::db::{CardDb, Def};
use cards::vocabulary::{Adjective, Kind, Noun, Zone, Zones};

use crate::model::id::*;
use crate::model::state::*;

/// The game to read from: its state and its cards.
#[derive(Clone, Copy)]
pub(crate) struct Board<'a> {
    pub db: &'a CardDb,
    pub s: &'a Core,
}

/// What `you`, `this`, `it` and registers mean while code is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Ctx<'a> {
    pub you: Seat,
    pub this: Ref,
    pub it: Ref,
    pub regs: &'a [Ref],
    /// The values being computed.
    pub busy: Busy,
}

/// Values being computed. Reading one of them meanwhile gives the printed number, so that two rules
/// cannot recurse into each other forever. The checker refuses cards that would need this.
#[derive(Clone, Copy, Default)]
pub(crate) struct Busy(u8);

impl Busy {
    pub const NOTHING: Busy = Busy(0);
    pub const DAMAGE: Busy = Busy(1);
    pub const HEALTH: Busy = Busy(1 << 1);
    /// Souls or wounds.
    pub const SCORE: Busy = Busy(1 << 2);
    /// Whether a hero ignores the text of a room.
    pub const IGNORING: Busy = Busy(1 << 3);

    pub fn and(self, value: Busy) -> Busy {
        Busy(self.0 | value.0)
    }

    pub fn has(self, value: Busy) -> bool {
        self.0 & value.0 != 0
    }
}

impl Ctx<'_> {
    /// An `always` ability: nothing is bound.
    pub fn of(you: Seat, this: Ref) -> Ctx<'static> {
        Ctx { you, this, it: Ref::NOTHING, regs: &[], busy: Busy::NOTHING }
    }
}

impl<'a> Board<'a> {
    #[inline]
    pub fn def(&self, id: CardId) -> &'a Def {
        self.db.def(self.s.card(id).def)
    }

    /// The card whose text a boss has: its own, or the one it copied.
    #[inline]
    pub fn boss_text(&self, seat: Seat) -> &'a Def {
        let own = || self.s.card(self.s.player(seat).boss).def;
        self.db.def(self.s.copied(seat).unwrap_or_else(own))
    }

    /// The card whose text this one has.
    #[inline]
    pub fn text(&self, id: CardId) -> &'a Def {
        self.s.text(self.db, id)
    }

    /// Do the abilities of an attached card work? It lies face up, and the room it belongs to is
    /// active, or the hero that carries it is in play.
    pub fn is_attached_in_play(&self, id: CardId) -> bool {
        self.s.attachment(id).is_some_and(|attachment| self.is_in_play(attachment))
    }

    #[inline]
    pub fn is_in_play(&self, attachment: &Attachment) -> bool {
        let Attachment { card, host, .. } = *attachment;
        !self.s.card(card).flags.has(Flags::FACEDOWN)
            && (self.is_active_room(host) || self.s.card(host).place.is_roaming())
    }

    /// The text of an attached card at its level.
    #[inline]
    pub fn text_of(&self, attachment: &Attachment) -> &'a Def {
        attachment.text(self.def(attachment.card))
    }

    /// The ability that replaces the turn's draw.
    pub fn draw_replacement(&self, room: CardId) -> Option<UnitId> {
        let replaces = |unit: &&UnitId| {
            matches!(self.db.unit(**unit).kind, UnitKind::InsteadOf(pattern)
                if self.db.patterns[pattern.index()] == PatternCode::TurnDraw)
        };
        self.def(room).instead.iter().find(replaces).copied()
    }

    /// The owner of the card: the owner of the dungeon, hand or area it is in; a spell being cast
    /// belongs to its caster, a face-down room to the player who placed it, an attached card to the
    /// owner of its host.
    pub fn owner(&self, id: CardId) -> Seat {
        let card = self.s.card(id);
        let seat = card.place.seat();
        match card.place.zone() {
            Zone::Pending => self.caster(id),
            Zone::Attached => self.s.host(id).map_or(seat, |host| self.s.card(host).place.seat()),
            // Only its owner has seen it.
            Zone::Dungeon if card.flags.has(Flags::FACEDOWN) && !card.seen.has(seat) => {
                self.s.seats().find(|by| card.seen.has(*by)).unwrap_or(seat)
            }
            _ => seat,
        }
    }

    fn caster(&self, id: CardId) -> Seat {
        let of = |code: &Code| (code.source.as_card() == Some(id)).then_some(code.you);
        let declared = self.s.pending.iter().rev().find_map(|entry| of(&entry.code));
        let running = || {
            self.s.frames.iter().rev().find_map(|frame| match frame {
                Frame::Code(code) => of(code),
                _ => None,
            })
        };
        declared.or_else(running).unwrap_or(Seat::NONE)
    }

    /// Face up, on top, not deactivated.
    #[inline]
    pub fn is_active_room(&self, id: CardId) -> bool {
        let card = self.s.card(id);
        card.place.is_dungeon() && !card.flags.has(Flags::OFF)
    }

    /// The room's place in its dungeon, counted from the boss.
    pub fn slot_of(&self, id: CardId) -> Option<usize> {
        let place = self.s.card(id).place;
        if place.zone() != Zone::Dungeon {
            return None;
        }
        self.s.slots(place.seat()).iter().position(|top| *top == id)
    }

    /// The top card of the stack in which the room lies covered, if that is active: what lies under
    /// a deactivated or face-down card is out of reach (2.5, 2.9).
    pub fn top_above(&self, id: CardId) -> Option<CardId> {
        let CardState { place, flags, .. } = *self.s.card(id);
        if !place.is_dungeon() || !flags.has(Flags::COVERED) {
            return None;
        }
        let covers = |top: &CardId| self.is_active_room(*top) && self.s.stack(*top).any(|card| card == id);
        self.s.slots(place.seat()).iter().copied().find(covers)
    }

    /// The room, if it is active: what lies under any other is out of reach.
    #[cold]
    pub(super) fn visible(&self, room: Ref) -> Option<CardId> {
        self.s.present(room).filter(|room| self.is_active_room(*room))
    }

    /// The active neighbour `step` places further from the boss.
    pub(super) fn neighbour(&self, id: CardId, step: isize) -> Option<CardId> {
        if !self.is_active_room(id) {
            return None;
        }
        let slot = self.slot_of(id)?.checked_add_signed(step)?;
        let other = *self.s.slots(self.s.card(id).place.seat()).get(slot)?;
        self.is_active_room(other).then_some(other)
    }

    pub fn slot(&self, ctx: &Ctx, slot: Slot) -> Ref {
        match slot {
            Slot::Reg(reg) => ctx.regs.get(usize::from(reg)).copied().unwrap_or(Ref::NOTHING),
            Slot::This => ctx.this,
            Slot::It => ctx.it,
            Slot::You if ctx.you.exists() => Ref::seat(ctx.you),
            Slot::You => Ref::NOTHING,
            Slot::Host => self.host_of(ctx.this),
            Slot::HostOfIt => self.host_of(ctx.it),
            Slot::HostOf(reg) => self.host_of(self.slot(ctx, Slot::Reg(reg))),
        }
    }

    /// What a card that is still there is attached to.
    #[cold]
    fn host_of(&self, r: Ref) -> Ref {
        let host = self.s.present(r).and_then(|card| self.s.host(card));
        host.map_or(Ref::NOTHING, |host| self.s.ref_of(host))
    }

    /// The seats meant, among those still in the game.
    pub fn who(&self, ctx: &Ctx, who: WhoCode) -> SeatSet {
        let one = |seat: Seat| self.s.seated.and(SeatSet::only(seat));
        match who {
            WhoCode::Player(slot) => self.slot(ctx, slot).as_seat().map_or(SeatSet::EMPTY, one),
            WhoCode::OwnerOf(slot) => {
                let card = self.slot(ctx, slot).as_card();
                card.map_or(SeatSet::EMPTY, |card| one(self.owner(card)))
            }
            WhoCode::You | WhoCode::Opponents | WhoCode::Everyone => {
                let you = SeatSet::only(ctx.you).0;
                let others = if ctx.you.exists() { !you } else { 0 };
                let meant = if who == WhoCode::You { you } else { others };
                self.s.seated.and(SeatSet(if who == WhoCode::Everyone { u8::MAX } else { meant }))
            }
        }
    }

    /// The one seat meant, or none.
    #[inline]
    pub fn one(&self, ctx: &Ctx, who: WhoCode) -> Option<Seat> {
        if who == WhoCode::You {
            return Some(ctx.you).filter(|you| self.s.in_game(*you));
        }
        let set = self.who(ctx, who);
        self.s.seats().find(|seat| set.has(*seat))
    }

    /// Passes every candidate to `each`, until it returns `false`.
    #[inline]
    pub fn select(&self, query: QueryId, ctx: &Ctx, mut each: impl FnMut(Ref) -> bool) {
        match &self.db.queries[query.index()] {
            Query::Slot(slot) => {
                let r = self.slot(ctx, *slot);
                if self.s.present(r).is_some() || r.as_seat().is_some() {
                    each(r);
                }
            }
            Query::Selector(selector) => self.select_matching(selector, ctx, &mut each),
        }
    }

    /// Does it look into a hand or a deck?
    pub fn looks_at_hidden(&self, query: QueryId) -> bool {
        matches!(&self.db.queries[query.index()],
            Query::Selector(SelectorCode { site: SiteCode::In { zones, .. }, .. })
                if zones.has(Zone::Hand) || !zones.and(Zones::DECKS).is_empty())
    }

    // Not generic, so that it is compiled once: it is called from many places.
    fn select_matching(&self, selector: &SelectorCode, ctx: &Ctx, each: &mut dyn FnMut(Ref) -> bool) {
        if selector.noun == Noun::Class {
            self.db.classes.iter().all(|class| {
                let r = Ref::number(class as u8);
                !self.fits(selector, ctx, r) || each(r)
            });
            return;
        }
        if matches!(selector.noun, Noun::Opponent | Noun::Player) {
            for seat in self.s.seats() {
                let r = Ref::seat(seat);
                if self.fits(selector, ctx, r) && !each(r) {
                    return;
                }
            }
            return;
        }
        if selector.noun == Noun::Boss {
            for boss in self.s.seats().map(|seat| self.s.player(seat).boss).filter(|boss| boss.exists()) {
                let r = self.s.ref_of(boss);
                if self.fits(selector, ctx, r) && !each(r) {
                    return;
                }
            }
            return;
        }
        let wanted = selector.wanted();
        let mut card = |id: CardId| -> bool {
            !self.def(id).traits.include(wanted) || !self.lies_right(selector, ctx, id) || {
                let r = self.s.ref_of(id);
                !self.fits_besides(selector, ctx, r) || each(r)
            }
        };
        match selector.site {
            SiteCode::Anywhere => {
                let zones = match selector.noun {
                    Noun::Item => Zones::default().with(Zone::Town).with(Zone::Scoring),
                    Noun::Hero => Zones::default().with(Zone::Town).with(Zone::Entrance).with(Zone::Dungeon),
                    Noun::Spell => Zones::default().with(Zone::Pending),
                    Noun::Soul | Noun::Wound => Zones::default().with(Zone::Scoring),
                    _ => Zones::default().with(Zone::Dungeon),
                };
                self.select_in(selector, ctx, zones, WhoCode::Everyone, &mut card);
            }
            SiteCode::In { zones, who } => self.select_in(selector, ctx, zones, who, &mut card),
            SiteCode::InRoom(slot) => {
                let room = self.slot(ctx, slot);
                if let Some(hero) = self.hero_in(room) {
                    card(hero);
                }
            }
            SiteCode::Among { reg, count } => {
                self.among(ctx, reg, count).all(card);
            }
            SiteCode::On(slot) => {
                if let Some(host) = self.s.present(self.slot(ctx, slot)) {
                    self.s.attached_to(host).all(|attachment| card(attachment.card));
                }
            }
            SiteCode::Under(slot) => {
                if let Some(top) = self.visible(self.slot(ctx, slot)) {
                    self.s.stack(top).skip(1).all(card);
                }
            }
            SiteCode::LeftOf(slot) | SiteCode::RightOf(slot) | SiteCode::Beside(slot) => {
                let Some(room) = self.s.present(self.slot(ctx, slot)) else { return };
                let left = matches!(selector.site, SiteCode::LeftOf(_) | SiteCode::Beside(_));
                let right = matches!(selector.site, SiteCode::RightOf(_) | SiteCode::Beside(_));
                for (wanted, step) in [(left, 1), (right, -1)] {
                    if wanted
                        && let Some(id) = self.neighbour(room, step)
                        && !card(id)
                    {
                        return;
                    }
                }
            }
        }
    }

    /// The cards in these registers that are still where they were.
    pub(super) fn among<'c>(&'c self, ctx: &'c Ctx, reg: u8, count: u8) -> impl Iterator<Item = CardId> + 'c {
        (reg..reg + count).filter_map(|reg| self.s.present(self.slot(ctx, Slot::Reg(reg))))
    }

    /// The hero standing in the room, or in the gap it left until the hero has moved on.
    pub fn hero_in(&self, room: Ref) -> Option<CardId> {
        let walk = &self.s.walk;
        let hero = self.s.present(walk.hero)?;
        let inside = self.s.card(hero).place.is_inside();
        (inside && walk.room == room && !room.is_nothing()).then_some(hero)
    }

    fn select_in(
        &self,
        selector: &SelectorCode,
        ctx: &Ctx,
        zones: Zones,
        who: WhoCode,
        card: &mut impl FnMut(CardId) -> bool,
    ) {
        if selector.noun == Noun::Item {
            return self.select_items(selector, ctx, zones, who, card);
        }
        let shared = zones.and(Zones::SHARED);
        let in_shared = |zone| self.s.pile(Place::shared(zone)).all(&mut *card);
        if !shared.is_empty() && (!shared.iter().all(in_shared) || shared == zones) {
            return;
        }
        let seats = self.who(ctx, who);
        if zones.has(Zone::Pending) {
            let declared = || self.s.pending.iter().filter(|entry| seats.has(entry.code.you));
            for (at, entry) in declared().enumerate() {
                let spell = self.declared_spell(entry);
                // A room already listed, in its dungeon or for another ability, is not listed again.
                let room = || {
                    self.declared_room(entry)
                        .filter(|room| !zones.has(Zone::Dungeon) || !self.is_active_room(*room))
                        .filter(|room| declared().take(at).all(|e| self.declared_room(e) != Some(*room)))
                };
                if let Some(found) = if selector.noun == Noun::Room { room() } else { spell }
                    && !card(found)
                {
                    return;
                }
            }
        }
        for seat in self.s.seats().filter(|seat| seats.has(*seat)) {
            if zones.has(Zone::Dungeon) {
                let go_on = match (selector.noun, selector.pick) {
                    // Heroes walk one at a time, in the active player's dungeon.
                    (Noun::Hero, _) => {
                        seat != self.s.active || self.s.pile(Place::inside(seat)).all(&mut *card)
                    }
                    (Noun::Miniboss, _) => {
                        let theirs = |a: &&Attachment| self.s.card(a.host).place == Place::dungeon(seat);
                        self.s.attached.iter().filter(theirs).all(|attachment| card(attachment.card))
                    }
                    _ if selector.adjectives.has(Adjective::Covered) => {
                        let tops = self.s.slots(seat).iter().rev().filter(|top| self.is_active_room(**top));
                        tops.flat_map(|top| self.s.stack(*top).skip(1)).all(&mut *card)
                    }
                    // Left to right, as people read a dungeon.
                    (_, PickCode::Last) => self.s.slots(seat).iter().all(|top| card(*top)),
                    _ => self.s.slots(seat).iter().rev().all(|top| card(*top)),
                };
                if !go_on {
                    return;
                }
            }
            if zones.without(IN_DUNGEON).is_empty() {
                continue;
            }
            let all = |place: Place, card: &mut _| self.s.pile(place).all(card);
            let go_on = (!zones.has(Zone::Hand)
                || all(Place::rooms(seat), card) && all(Place::spells(seat), card))
                && (!zones.has(Zone::Entrance) || all(Place::entrance(seat), card))
                && (!zones.has(Zone::Scoring) || all(Place::scoring(seat), card));
            if !go_on {
                return;
            }
        }
    }

    /// Items lie in town and in scoring areas; with no place named, those that heroes carry are
    /// meant as well.
    #[cold]
    fn select_items(
        &self,
        selector: &SelectorCode,
        ctx: &Ctx,
        zones: Zones,
        who: WhoCode,
        card: &mut impl FnMut(CardId) -> bool,
    ) {
        let seats = self.who(ctx, who);
        let scored = |seat: &Seat| zones.has(Zone::Scoring) && seats.has(*seat);
        let go_on = (!zones.has(Zone::Town) || self.s.pile(Place::TOWN_ITEMS).all(&mut *card))
            && self.s.seats().filter(scored).all(|seat| self.s.pile(Place::scoring(seat)).all(&mut *card));
        if go_on && selector.site == SiteCode::Anywhere {
            self.s.pile(Place::ATTACHED).all(card);
        }
    }

    /// The spell of a declared action that can still be cancelled.
    pub(super) fn declared_spell(&self, entry: &Pending) -> Option<CardId> {
        let spell = self.s.present(entry.code.source)?;
        (!entry.cancelled && self.s.card(spell).place == Place::PENDING).then_some(spell)
    }

    /// The room of a declared ability, wherever the card lies now.
    pub(super) fn declared_room(&self, entry: &Pending) -> Option<CardId> {
        let room = entry.code.source.as_card()?;
        (!entry.cancelled && self.def(room).kind == Kind::Room).then_some(room)
    }
}

const IN_DUNGEON: Zones = Zones(0).with(Zone::Dungeon).with(Zone::Pending);
