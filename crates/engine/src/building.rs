//! Building: where in a dungeon a room may go (rules 2.3, 6.1), and what may be built by whom.

use cards::code::*;
use cards::db::DefKind;
use cards::tree::{Stat, Word};

use crate::answers::{Handful, Sink};
use crate::ask::Action;
use crate::id::*;
use crate::query::{Board, Ctx};
use crate::state::*;
use crate::stats::Happening;

impl Board<'_> {
    /// May the seat place a room in this window of the Build phase (rule 6.1)?
    pub fn may_place_now(&self, seat: Seat) -> bool {
        self.s.phase == Phase::Build
            && seat == self.s.active
            && i32::from(self.s.player(seat).placed) < self.builds(seat)
    }

    /// Told at a glance: a second room needs a rule that allows it.
    #[inline]
    pub fn may_have_places(&self, seat: Seat) -> bool {
        (self.s.player(seat).placed == 0) | self.s.hooks.has(Hooks::changes(Stat::Builds))
    }

    #[inline]
    fn each_place_of(&self, lot: &Lot, card: CardId, mut each: impl FnMut(Action) -> bool) -> bool {
        let places = lot.places(card);
        (0..SLOTS as u8).all(|slot| places >> slot & 1 == 0 || each(Action::Build { spot: Spot(slot), card }))
    }

    /// The rooms of the hand, wherever they may go.
    #[inline]
    pub fn each_build(&self, seat: Seat, out: &mut impl Sink) -> bool {
        self.each_own_build(seat, out)
            && (!self.s.hooks.has(Hooks::ALLOWS)
                || self
                    .s
                    .pile(Place::rooms(seat))
                    .all(|card| self.each_allowed(seat, card, |spot| out.take(Action::Build { spot, card }))))
    }

    /// Those of one's own dungeon, place by place: the order of the sorted list. Lists are filled without a branch
    /// for each room, since nobody could foresee those.
    #[inline(never)]
    fn each_own_build(&self, seat: Seat, out: &mut impl Sink) -> bool {
        let lot = self.lot(seat);
        let mut hand = self.s.pile(Place::rooms(seat));
        loop {
            let (mut rooms, mut places) = (Handful::from([CardId::NONE; 8]), Handful::from([0; 8]));
            let (mut len, mut sorted, mut last) = (0, true, CardId(0));
            while len < rooms.len() {
                let Some(card) = hand.next() else { break };
                (rooms[len], places[len]) = (card, lot.places(card));
                sorted &= last <= card;
                last = card;
                len += 1;
            }
            if !sorted {
                rooms.sort_unstable();
                places[..len].copy_from_slice(&rooms.map(|card| lot.places(card))[..len]);
            }
            for slot in 0..lot.len {
                if !out.take_builds(slot, &rooms, &places) {
                    return false;
                }
            }
            if len < rooms.len() {
                return true;
            }
        }
    }

    pub fn each_placement(&self, seat: Seat, frame: &Frame, each: &mut dyn FnMut(Action) -> bool) {
        match frame {
            Frame::Code(code) => {
                if let Op::Build { query, on } = self.op(code) {
                    let lot = self.narrowed(self.lot(seat), on, &code.ctx());
                    self.select(query, &code.ctx(), |r: Ref| {
                        r.as_card().is_none_or(|card| self.each_place_of(&lot, card, &mut *each))
                    });
                }
            }
            _ => {
                self.each_own_build(seat, &mut |action| each(action));
            }
        }
    }

    /// Only those places of the lot whose room fits `on`.
    fn narrowed<'b>(&self, lot: Lot<'b>, on: Option<QueryId>, ctx: &Ctx) -> Lot<'b> {
        let Some(on) = on else { return lot };
        let fits = |top: CardId| self.matches(on, ctx, self.s.ref_of(top));
        let slots = self.s.slots(ctx.you).iter().enumerate();
        let only = slots.fold(0, |places, (slot, top)| places | u8::from(fits(*top)) << slot);
        lot.within(only)
    }

    /// Could some card of the query be built somewhere?
    pub fn can_build_any(&self, query: QueryId, on: Option<QueryId>, ctx: &Ctx) -> bool {
        let mut found = false;
        let lot = self.narrowed(self.lot(ctx.you), on, ctx);
        self.select(query, ctx, |r: Ref| {
            found = r.as_card().is_some_and(|card| !self.each_place_of(&lot, card, |_| false));
            !found
        });
        found
    }

    /// The dungeon as a place to build in.
    pub fn lot(&self, seat: Seat) -> Lot<'_> {
        let (stacks, active) = (self.s.player(seat).stacks, self.s.active_slots(seat));
        let (len, open) =
            (stacks.min(SLOTS as u8 - 1) + 1, active | (1 << stacks & ((1 << SLOTS) - 1)) as u8);
        let slots = self.s.player(seat).slots;
        let at = |slot: usize, icons: u8| u64::from(icons) << (8 * slot);
        let icons = if self.s.hooks.has(Hooks::changes(Stat::Icon)) {
            Slots(active).fold(0, |all, slot| all | at(slot, self.icon_mask(self.s.at(seat, slot))))
        } else {
            (0..SLOTS).fold(0, |all, slot| all | at(slot, self.def(slots[slot]).icon_mask)) & bytes(active)
        };
        let mut lot = Lot { board: *self, seat, len, open, icons, guarded: 0 };
        if self.s.hooks.has(Hooks::forbids(Word::Built)) {
            lot.guarded = self.guarded(seat);
        }
        lot
    }

    /// The places where some rule might forbid building, whatever the room.
    fn guarded(&self, seat: Seat) -> u8 {
        let mut places = 0;
        let mut guard = |rule: RuleId, ctx: &Ctx| {
            let RuleKindCode::Forbid(pattern) = self.db.rules[rule.index()].kind else { return };
            match self.db.patterns[pattern.index()] {
                PatternCode::Happens { words, .. } if !words.has(Word::Built) => {}
                PatternCode::Happens { object: Some(ObjectCode::Room(query)), .. } => {
                    for (slot, top) in self.s.slots(seat).iter().enumerate() {
                        places |= u8::from(self.matches(query, ctx, self.s.ref_of(*top))) << slot;
                    }
                }
                PatternCode::Happens { .. } => places = u8::MAX,
                PatternCode::TurnDraw | PatternCode::EndOfTurn => {}
            }
        };
        self.sources(Hooks::forbids(Word::Built), |seat, source, def| {
            let ctx = Ctx::of(seat, self.s.ref_of(source));
            def.rules.iter().for_each(|rule| guard(*rule, &ctx));
        });
        for lasting in self.s.lasting.iter().filter(|l| l.is_rule()) {
            guard(lasting.rule, &Ctx { regs: &lasting.kept, ..Ctx::of(lasting.you, lasting.source) });
        }
        places
    }

    /// Where a rule in force lets the seat build beyond its own dungeon's rules (`allow`), one spot after the
    /// other until `each` says `false`.
    pub fn each_allowed(&self, seat: Seat, room: CardId, mut each: impl FnMut(Spot) -> bool) -> bool {
        self.s.seats().all(|at| {
            let own = if at == seat { self.lot(seat).places(room) } else { 0 };
            (0..self.s.slots(at).len()).all(|slot| {
                own >> slot & 1 == 1
                    || self.allowing(seat, room, at, slot).is_none()
                    || each(Spot::at(seat, at, slot))
            })
        })
    }

    /// The rule by which the seat may put the room on that stack of that dungeon.
    pub fn allowing(&self, seat: Seat, room: CardId, at: Seat, slot: usize) -> Option<Option<usize>> {
        let top = *self.s.slots(at).get(slot)?;
        let def = self.def(room);
        let mut what = Happening::new(Word::Built, self.s.ref_of(room), seat);
        what.room = self.s.ref_of(top);
        let fits = def.kind == DefKind::Room
            && self.is_active_room(top)
            // In one's own dungeon it is the matching that is lifted, elsewhere the place.
            && (at == seat || !def.advanced || def.icon_mask & self.icon_mask(top) != 0);
        if !fits || self.forbidden(&what) { None } else { self.allowed(&what) }
    }
}

/// Where a dungeon can be built in, worked out once for many rooms. Places are bits, counted from the boss.
pub(crate) struct Lot<'a> {
    board: Board<'a>,
    seat: Seat,
    /// How many places there are, the new one included.
    pub len: u8,
    /// Places an ordinary room may go, the new one included.
    open: u8,
    /// The treasure types, one bit each, of the room at each place: a byte for a place.
    icons: u64,
    /// Places where some rule might forbid it.
    guarded: u8,
}

impl Lot<'_> {
    /// The places where this room may be built (rule 2.3).
    #[inline]
    pub fn places(&self, room: CardId) -> u8 {
        let def = self.board.def(room);
        if def.kind != DefKind::Room {
            return 0;
        }
        let sharing = filled(self.icons & (EACH_BYTE * u64::from(def.icon_mask)));
        let places = if def.advanced { sharing } else { self.open };
        if places & self.guarded == 0 { places } else { self.not_forbidden(room, places) }
    }

    /// Only these places of it.
    pub fn within(mut self, places: u8) -> Self {
        self.open &= places;
        self.icons &= bytes(places);
        self
    }

    #[inline(never)]
    fn not_forbidden(&self, room: CardId, places: u8) -> u8 {
        let s = self.board.s;
        let mut what = Happening::new(Word::Built, s.ref_of(room), self.seat);
        let (mut allowed, mut left) = (places, places & self.guarded);
        while left != 0 {
            let slot = left.trailing_zeros();
            left &= left - 1;
            what.room = s.slots(self.seat).get(slot as usize).map_or(Ref::NOTHING, |top| s.ref_of(*top));
            if self.board.forbidden(&what) {
                allowed &= !(1 << slot);
            }
        }
        allowed
    }
}

const EACH_BYTE: u64 = 0x01_0101_0101;

/// A byte of ones for every bit of the lowest five.
#[inline]
fn bytes(bits: u8) -> u64 {
    const FIRST_BITS: u64 = 0x10_0804_0201;
    let own = (EACH_BYTE * u64::from(bits)) & FIRST_BITS;
    tops(own) * 0xff
}

/// A one in every byte, each below 32, that is not zero: anything in it carries into its own top bit.
#[inline]
fn tops(all: u64) -> u64 {
    ((all + EACH_BYTE * 0x7f) >> 7) & EACH_BYTE
}

/// Which of the five bytes, each below 32, are not zero: a bit for each. The product brings the bits together.
#[inline]
fn filled(all: u64) -> u8 {
    const GATHER: u64 = 1 << 32 | 1 << 25 | 1 << 18 | 1 << 11 | 1 << 4;
    (tops(all).wrapping_mul(GATHER) >> 32) as u8 & 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_bytes_say_the_same() {
        for bits in 0..32 {
            let spread =
                (0..5).map(|place| (u64::from(bits >> place & 1) * 0xff) << (8 * place)).sum::<u64>();
            assert_eq!(bytes(bits), spread);
            for mask in 1..32 {
                assert_eq!(filled(spread & (EACH_BYTE * mask)), bits);
            }
        }
    }
}
