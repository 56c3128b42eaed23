//! Reading the table for card code: who is meant, which things a selector selects, what a number or a
//! condition comes to. Nothing here changes anything.

use cards::code::*;
use cards::db::{CardDb, Def, DefKind};
use cards::tree::{Adjective, Class, Noun, Zone};

use crate::id::*;
use crate::state::*;

/// The table as it lies, and the cards it is played with.
#[derive(Clone, Copy)]
pub(crate) struct Board<'a> {
    pub db: &'a CardDb,
    pub s: &'a Core,
}

/// Through whose eyes code reads the table.
#[derive(Clone, Copy)]
pub(crate) struct Ctx<'a> {
    pub you: Seat,
    pub this: Ref,
    pub it: Ref,
    pub regs: &'a [Ref],
}

impl Ctx<'_> {
    /// An `always` ability: nothing is bound.
    pub fn of(you: Seat, this: Ref) -> Ctx<'static> {
        Ctx { you, this, it: Ref::NOTHING, regs: &[] }
    }
}

impl<'a> Board<'a> {
    #[inline]
    pub fn def(&self, id: CardId) -> &'a Def {
        self.db.def(self.s.card(id).def)
    }

    /// The ability that takes the place of the turn's draw.
    pub fn draw_replacement(&self, room: CardId) -> Option<UnitId> {
        let replaces = |unit: &&UnitId| {
            matches!(self.db.unit(**unit).kind, UnitKind::InsteadOf(pattern)
                if self.db.patterns[pattern.index()] == PatternCode::TurnDraw)
        };
        self.def(room).instead.iter().find(replaces).copied()
    }

    /// Whose the card is: the owner of the dungeon, hand or area it is in; a spell being cast
    /// belongs to its caster, and a room face down to the one who placed it.
    pub fn owner(&self, id: CardId) -> Seat {
        let card = self.s.card(id);
        let seat = card.place.seat();
        match card.place.kind() {
            PlaceKind::Table => self.caster(id),
            // Only they have seen it.
            PlaceKind::Dungeon if card.flags.has(Flags::FACEDOWN) && !card.seen.has(seat) => {
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

    /// Face up, on top, not deactivated: a room in the full sense.
    #[inline]
    pub fn is_active_room(&self, id: CardId) -> bool {
        let card = self.s.card(id);
        card.place.is_dungeon() && !card.flags.has(Flags::OFF)
    }

    /// The room's place in its dungeon, counted from the boss.
    pub fn slot_of(&self, id: CardId) -> Option<usize> {
        let place = self.s.card(id).place;
        if place.kind() != PlaceKind::Dungeon {
            return None;
        }
        self.s.slots(place.seat()).iter().position(|top| *top == id)
    }

    /// The active neighbour so many places further from the boss.
    fn neighbour(&self, id: CardId, step: isize) -> Option<CardId> {
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
        }
    }

    /// The seats meant, of those in the game.
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

    /// Gives every candidate to `each`, until it says `false`.
    #[inline]
    pub fn select(&self, query: QueryId, ctx: &Ctx, mut each: impl FnMut(Ref) -> bool) {
        match &self.db.queries[query.index()] {
            Query::Slot(slot) => {
                let r = self.slot(ctx, *slot);
                if self.s.present(r).is_some() || r.as_seat().is_some() {
                    each(r);
                }
            }
            Query::Those(those) => self.select_those(those, ctx, &mut each),
        }
    }

    // One piece of code for all who select: it is called from many places.
    fn select_those(&self, those: &Those, ctx: &Ctx, each: &mut dyn FnMut(Ref) -> bool) {
        if those.noun == Noun::Class {
            (0..Class::ALL.len() as u8).all(|class| {
                let r = Ref::number(class);
                !self.fits(those, ctx, r) || each(r)
            });
            return;
        }
        if matches!(those.noun, Noun::Opponent | Noun::Player) {
            for seat in self.s.seats() {
                let r = Ref::seat(seat);
                if self.fits(those, ctx, r) && !each(r) {
                    return;
                }
            }
            return;
        }
        let wanted = Traits::wanted(those.noun, those.adjectives);
        let mut card = |id: CardId| -> bool {
            !self.def(id).traits.include(wanted) || !self.lies_right(those, ctx, id) || {
                let r = self.s.ref_of(id);
                !self.fits_besides(those, ctx, r) || each(r)
            }
        };
        match those.site {
            SiteCode::Anywhere => {
                let zones = match those.noun {
                    Noun::Hero => Zones::default().with(Zone::Town).with(Zone::Entrance).with(Zone::Dungeon),
                    Noun::Spell => Zones::default().with(Zone::Pending),
                    Noun::Soul | Noun::Wound => Zones::default().with(Zone::Scoring),
                    _ => Zones::default().with(Zone::Dungeon),
                };
                self.select_in(those, ctx, zones, WhoCode::Everyone, &mut card);
            }
            SiteCode::In { zones, who } => self.select_in(those, ctx, zones, who, &mut card),
            SiteCode::InRoom(slot) => {
                let room = self.slot(ctx, slot);
                if let Some(hero) = self.hero_in(room) {
                    card(hero);
                }
            }
            SiteCode::LeftOf(slot) | SiteCode::RightOf(slot) | SiteCode::Beside(slot) => {
                let Some(room) = self.s.present(self.slot(ctx, slot)) else { return };
                let left = matches!(those.site, SiteCode::LeftOf(_) | SiteCode::Beside(_));
                let right = matches!(those.site, SiteCode::RightOf(_) | SiteCode::Beside(_));
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

    /// The hero standing in the room, or in the gap where it stood until its hero has moved on.
    pub fn hero_in(&self, room: Ref) -> Option<CardId> {
        let walk = &self.s.walk;
        let hero = self.s.present(walk.hero)?;
        let inside = self.s.card(hero).place.is_inside();
        (inside && walk.room == room && !room.is_nothing()).then_some(hero)
    }

    fn select_in(
        &self,
        those: &Those,
        ctx: &Ctx,
        zones: Zones,
        who: WhoCode,
        card: &mut impl FnMut(CardId) -> bool,
    ) {
        if zones.0 & SHARED_ZONES != 0 {
            for (zone, place) in SHARED {
                if zones.has(zone) && !self.s.pile(place).all(&mut *card) {
                    return;
                }
            }
            if zones.0 & !SHARED_ZONES == 0 {
                return;
            }
        }
        let seats = self.who(ctx, who);
        if zones.has(Zone::Pending) {
            let declared = self.s.pending.iter().filter(|entry| seats.has(entry.code.you));
            for entry in declared {
                let spell = self.declared_spell(entry);
                // A room that is listed in its dungeon is not listed again.
                let room = || {
                    self.declared_room(entry)
                        .filter(|room| !zones.has(Zone::Dungeon) || !self.is_active_room(*room))
                };
                if let Some(found) = if those.noun == Noun::Room { room() } else { spell }
                    && !card(found)
                {
                    return;
                }
            }
        }
        for seat in self.s.seats().filter(|seat| seats.has(*seat)) {
            if zones.has(Zone::Dungeon) {
                let go_on = match (those.noun, those.pick) {
                    // Heroes walk one at a time, in the active player's dungeon.
                    (Noun::Hero, _) => {
                        seat != self.s.active || self.s.pile(Place::inside(seat)).all(&mut *card)
                    }
                    // Left to right, as people read a dungeon.
                    (_, PickCode::Last) => self.s.slots(seat).iter().all(|top| card(*top)),
                    _ => self.s.slots(seat).iter().rev().all(|top| card(*top)),
                };
                if !go_on {
                    return;
                }
            }
            if zones.0 & ONLY_DUNGEON == zones.0 {
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

    /// The spell of a declared action that can still be cancelled.
    fn declared_spell(&self, entry: &Pending) -> Option<CardId> {
        let spell = self.s.present(entry.code.source)?;
        (!entry.cancelled && self.s.card(spell).place == Place::TABLE).then_some(spell)
    }

    /// The room of a declared ability, wherever the card lies now.
    fn declared_room(&self, entry: &Pending) -> Option<CardId> {
        let room = entry.code.source.as_card()?;
        (!entry.cancelled && self.def(room).kind == DefKind::Room).then_some(room)
    }

    /// Does the thing fit the query?
    pub fn matches(&self, query: QueryId, ctx: &Ctx, r: Ref) -> bool {
        match &self.db.queries[query.index()] {
            Query::Slot(slot) => self.slot(ctx, *slot) == r && !r.is_nothing(),
            Query::Those(those) => self.is_at(those, ctx, r) && self.fits(those, ctx, r),
        }
    }

    /// As `matches`, without asking the `where` again (rule 4.8: a target keeps what it was chosen for).
    pub fn still_matches(&self, query: QueryId, ctx: &Ctx, r: Ref) -> bool {
        match &self.db.queries[query.index()] {
            Query::Slot(slot) => self.slot(ctx, *slot) == r && !r.is_nothing(),
            Query::Those(those) => {
                let bare = Those { cond: None, ..*those };
                self.is_at(&bare, ctx, r) && self.fits(&bare, ctx, r)
            }
        }
    }

    /// Is it where the selector says?
    pub fn is_at(&self, those: &Those, ctx: &Ctx, r: Ref) -> bool {
        let Some(id) = r.as_card() else { return true };
        match those.site {
            SiteCode::Anywhere => true,
            SiteCode::In { zones, who } => {
                let card = self.s.card(id);
                if zones.has(Zone::Pending) && those.noun == Noun::Room {
                    let seats = self.who(ctx, who);
                    let mut declared = self.s.pending.iter().filter(|entry| seats.has(entry.code.you));
                    if declared.any(|entry| self.declared_room(entry) == Some(id)) {
                        return true;
                    }
                }
                let zone = match card.place.kind() {
                    PlaceKind::RoomDeck => Zone::RoomDeck,
                    PlaceKind::SpellDeck => Zone::SpellDeck,
                    PlaceKind::HeroDeck => Zone::HeroDeck,
                    PlaceKind::EpicDeck => Zone::EpicDeck,
                    PlaceKind::Discard => Zone::Discard,
                    PlaceKind::Town => Zone::Town,
                    PlaceKind::Table => {
                        let seats = self.who(ctx, who);
                        return zones.has(Zone::Pending)
                            && self.s.pending.iter().any(|entry| {
                                seats.has(entry.code.you) && self.declared_spell(entry) == Some(id)
                            });
                    }
                    PlaceKind::Hand => Zone::Hand,
                    PlaceKind::Entrance => Zone::Entrance,
                    PlaceKind::Scoring => Zone::Scoring,
                    PlaceKind::Inside | PlaceKind::Dungeon => Zone::Dungeon,
                    PlaceKind::Removed | PlaceKind::Box | PlaceKind::Boss => return false,
                };
                zones.has(zone) && (!card.place.seat().exists() || self.who(ctx, who).has(card.place.seat()))
            }
            SiteCode::InRoom(slot) => self.hero_in(self.slot(ctx, slot)) == Some(id),
            SiteCode::LeftOf(slot) | SiteCode::RightOf(slot) | SiteCode::Beside(slot) => {
                let Some(room) = self.s.present(self.slot(ctx, slot)) else { return false };
                let left = || self.neighbour(room, 1) == Some(id);
                let right = || self.neighbour(room, -1) == Some(id);
                match those.site {
                    SiteCode::LeftOf(_) => left(),
                    SiteCode::RightOf(_) => right(),
                    _ => left() || right(),
                }
            }
        }
    }

    /// Is it the kind of thing the selector means, wherever it is?
    fn fits(&self, those: &Those, ctx: &Ctx, r: Ref) -> bool {
        let kind_fits = match r.as_card() {
            Some(id) => {
                let wanted = Traits::wanted(those.noun, those.adjectives);
                self.def(id).traits.include(wanted) && self.lies_right(those, ctx, id)
            }
            None => match (those.noun, r.as_seat()) {
                (Noun::Player, Some(_)) => true,
                (Noun::Opponent, Some(seat)) => ctx.you.exists() && seat != ctx.you,
                (Noun::Class, None) => {
                    r.as_number().is_some_and(|class| usize::from(class) < Class::ALL.len())
                }
                _ => false,
            },
        };
        kind_fits && self.fits_besides(those, ctx, r)
    }

    /// `but`, `where`, `first` and `last`, which most selectors do without.
    #[inline]
    fn fits_besides(&self, those: &Those, ctx: &Ctx, r: Ref) -> bool {
        those.but.is_none_or(|but| self.slot(ctx, but) != r)
            && those.cond.is_none_or(|cond| self.cond(cond, &Ctx { it: r, ..*ctx }))
            && (those.pick == PickCode::Any || self.is_picked(those, ctx, r))
    }

    /// Beside what is printed on it: does the card lie as the selector says?
    #[inline]
    fn lies_right(&self, those: &Those, ctx: &Ctx, id: CardId) -> bool {
        let card = self.s.card(id);
        if matches!(those.noun, Noun::Soul | Noun::Wound) {
            let dead = card.flags.has(Flags::FACEDOWN);
            if !card.place.is_scoring() || dead != (those.noun == Noun::Soul) {
                return false;
            }
        }
        let visible = !card.place.is_dungeon()
            || if those.adjectives.has(Adjective::Facedown) {
                card.flags.has(Flags::FACEDOWN)
            } else {
                self.is_active_room(id)
            };
        visible
            && (those.adjectives.is_empty() || self.marks_fit(those.adjectives, ctx, id))
            // A spell about to be cast is as good as on the table.
            && !(card.place == Place::spells(ctx.you) && ctx.this == self.s.ref_of(id))
    }

    /// Adjectives that are not printed on the card: which one it is, and what happened to it. Whether it lies
    /// face down is another matter.
    pub fn marks_fit(&self, wanted: Adjectives, ctx: &Ctx, id: CardId) -> bool {
        (!wanted.has(Adjective::Another) || ctx.this.as_card() != Some(id))
            && (!wanted.has(Adjective::Entered) || self.s.card(id).flags.has(Flags::ENTERED))
            && (!wanted.has(Adjective::Cast) || self.s.caster(id).is_some_and(|seat| seat == ctx.you))
    }

    /// Is the card of the kind that the selector names, wherever either of them is?
    pub fn names_card(&self, query: QueryId, ctx: &Ctx, id: CardId) -> bool {
        match &self.db.queries[query.index()] {
            Query::Slot(slot) => self.slot(ctx, *slot).as_card() == Some(id),
            Query::Those(those) => {
                let wanted = match those.noun {
                    Noun::Card => Traits::adjectives(those.adjectives),
                    noun => Traits::wanted(noun, those.adjectives),
                };
                !matches!(those.noun, Noun::Soul | Noun::Wound)
                    && self.def(id).traits.include(wanted)
                    && (!those.adjectives.has(Adjective::Another) || ctx.this.as_card() != Some(id))
            }
        }
    }

    /// `first` and `last`: nothing that fits stands before it.
    fn is_picked(&self, those: &Those, ctx: &Ctx, r: Ref) -> bool {
        let any = Those { pick: PickCode::Any, ..*those };
        let Some(id) = r.as_card() else { return false };
        let place = self.s.card(id).place;
        if place.kind() != PlaceKind::Dungeon {
            return false;
        }
        let slots = self.s.slots(place.seat());
        let fits = |top: &&CardId| self.fits(&any, ctx, self.s.ref_of(**top));
        let picked = match those.pick {
            PickCode::Last => slots.iter().find(fits),
            _ => slots.iter().rev().find(fits),
        };
        picked == Some(&id)
    }
}

/// Places that belong to nobody.
const SHARED: [(Zone, Place); 6] = [
    (Zone::Discard, Place::DISCARD),
    (Zone::Town, Place::TOWN),
    (Zone::RoomDeck, Place::ROOM_DECK),
    (Zone::SpellDeck, Place::SPELL_DECK),
    (Zone::HeroDeck, Place::HERO_DECK),
    (Zone::EpicDeck, Place::EPIC_DECK),
];

const ONLY_DUNGEON: u16 = Zones(0).with(Zone::Dungeon).with(Zone::Pending).0;

const SHARED_ZONES: u16 = {
    let mut zones = Zones(0);
    let mut i = 0;
    while i < SHARED.len() {
        zones = zones.with(SHARED[i].0);
        i += 1;
    }
    zones.0
};
