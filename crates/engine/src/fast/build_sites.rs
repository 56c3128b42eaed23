//! Where rooms may go in a dungeon (rule 2.3), with bit sets: one bit for each place, counted from the boss.
//!
//! Must agree with `Board::plain_places` in `ask/plain.rs`; `tests/plain.rs` compares them.

use cards::code::*;
use cards::vocabulary::{Class, Classes, EventWord, Kind, Stat};

use crate::ask::Action;
use crate::code::occurrence::Occurrence;
use crate::code::query::{Board, Ctx};
use crate::fast::answers::{Handful, Sink};
use crate::model::id::*;

/// The places of a dungeon, prepared once and then tested against many rooms.
pub(crate) struct BuildSites<'a> {
    board: Board<'a>,
    pub seat: Seat,
    /// Number of places, including the new one at the far left.
    pub len: u8,
    /// Places for an ordinary room, including the new one.
    open: u8,
    /// The treasure types of the room at each place: a lane for each place, a bit for each type.
    icons: u64,
    /// Places where some rule might forbid building.
    guarded: u8,
}

impl BuildSites<'_> {
    /// The places where this room may be built (rule 2.3).
    #[inline]
    pub fn places(&self, room: CardId) -> u8 {
        let def = self.board.def(room);
        if def.kind != Kind::Room {
            return self.miniboss_places(room);
        }
        let sharing = filled(self.icons & (EACH_LANE * u64::from(def.classes.0)));
        let places = if !def.advanced {
            self.open
        } else if def.hooks.has(Hooks::BUILT_FREELY) {
            sharing | self.freely(room)
        } else {
            sharing
        };
        if places & self.guarded == 0 { places } else { self.not_forbidden(room, places) }
    }

    /// On a room, but not on or next to one with a miniboss (16.1).
    #[cold]
    fn miniboss_places(&self, card: CardId) -> u8 {
        if self.board.def(card).kind != Kind::Miniboss {
            return 0;
        }
        let near = self.board.slots_with_miniboss(self.seat);
        let near = near | near << 1 | near >> 1;
        let places = self.rooms() & !near;
        if places & self.guarded == 0 { places } else { self.not_forbidden(card, places) }
    }

    /// The places where the card's own text lets it be built.
    #[cold]
    fn freely(&self, room: CardId) -> u8 {
        let tops = self.board.s.slots(self.seat).iter().enumerate();
        let allowed = |top: CardId| self.board.allows_itself(self.seat, room, top);
        tops.fold(0, |places, (slot, top)| places | u8::from(allowed(*top)) << slot) & self.open
    }

    /// The rooms that something could be built on.
    pub fn rooms(&self) -> u8 {
        self.open & self.board.s.active_slots(self.seat)
    }

    /// Narrows it to these places.
    pub fn within(mut self, places: u8) -> Self {
        self.open &= places;
        self.icons &= lanes(places);
        self
    }

    #[inline(never)]
    fn not_forbidden(&self, room: CardId, places: u8) -> u8 {
        let s = self.board.s;
        let mut what = Occurrence::new(EventWord::Built, s.ref_of(room), self.seat);
        let (mut allowed, mut left) = (places, places & self.guarded);
        while left != 0 {
            let slot = left.trailing_zeros();
            left &= left - 1;
            what.room = s.slots(self.seat).get(slot as usize).map_or(Ref::NOTHING, |top| s.ref_of(*top));
            (what.dungeon, what.slot) = (self.seat, Some(slot as u8));
            if self.board.forbidden(&what) {
                allowed &= !(1 << slot);
            }
        }
        allowed
    }
}

impl Board<'_> {
    /// A quick test that may err on the side of yes: a second room needs a rule that allows it.
    #[inline]
    pub fn may_have_places(&self, seat: Seat) -> bool {
        (self.s.player(seat).placed == 0) | self.s.hooks.has(Hooks::changes(Stat::Builds))
    }

    /// The places of a dungeon that have a miniboss, or one placed face down: bits, counted from the boss.
    pub fn slots_with_miniboss(&self, seat: Seat) -> u8 {
        let has = |top: CardId| {
            self.def(top).kind == Kind::Miniboss
                || self.s.attached_to(top).any(|a| self.def(a.card).kind == Kind::Miniboss)
        };
        let slots = self.s.slots(seat).iter().enumerate();
        slots.fold(0, |places, (slot, top)| places | u8::from(has(*top)) << slot)
    }

    /// Prepares a dungeon for building.
    pub fn build_sites(&self, seat: Seat) -> BuildSites<'_> {
        let (stacks, active) = (self.s.player(seat).stacks, self.s.active_slots(seat));
        let (len, open) =
            (stacks.min(SLOTS as u8 - 1) + 1, active | (1 << stacks & ((1 << SLOTS) - 1)) as u8);
        let slots = self.s.player(seat).slots;
        let at = |slot: usize, classes: Classes| u64::from(classes.0) << (LANE * slot);
        let icons = if self.s.hooks.has(Hooks::changes(Stat::Icon)) {
            Slots(active).fold(0, |all, slot| all | at(slot, self.classes(self.s.at(seat, slot))))
        } else {
            (0..SLOTS).fold(0, |all, slot| all | at(slot, self.def(slots[slot]).classes)) & lanes(active)
        };
        let mut sites = BuildSites { board: *self, seat, len, open, icons, guarded: 0 };
        if self.minions_are_out() {
            sites = sites.within(!self.manned(seat));
        }
        if self.s.hooks.has(Hooks::forbids(EventWord::Built)) {
            sites.guarded = self.guarded(seat);
        }
        sites
    }

    /// The places where a minion stands.
    #[cold]
    fn manned(&self, seat: Seat) -> u8 {
        let slots = self.s.slots(seat).iter().enumerate();
        slots.fold(0, |places, (slot, top)| places | u8::from(self.s.has_minion(*top)) << slot)
    }

    /// The places where some rule might forbid building, depending on the room.
    fn guarded(&self, seat: Seat) -> u8 {
        let mut places = 0;
        let mut guard = |rule: RuleId, ctx: &Ctx| {
            let RuleKindCode::Forbid(pattern) = self.db.rules[rule.index()].kind else { return };
            match self.db.patterns[pattern.index()] {
                PatternCode::Happens { words, .. } if !words.has(EventWord::Built) => {}
                PatternCode::Happens { object: Some(ObjectCode::Room(query)), .. } => {
                    for (slot, top) in self.s.slots(seat).iter().enumerate() {
                        places |= u8::from(self.matches(query, ctx, self.s.ref_of(*top))) << slot;
                    }
                }
                PatternCode::Happens { .. } => places = u8::MAX,
                PatternCode::TurnDraw
                | PatternCode::EndOfTurn
                | PatternCode::StartOfBuild
                | PatternCode::CoinGained(_) => {}
            }
        };
        self.sources(Hooks::forbids(EventWord::Built), |seat, source, def| {
            let ctx = Ctx::of(seat, self.s.ref_of(source));
            def.rules.iter().for_each(|rule| guard(*rule, &ctx));
        });
        for lasting in self.s.lasting.iter() {
            let Some(rule) = lasting.rule() else { continue };
            guard(rule, &Ctx { regs: &lasting.kept, ..Ctx::of(lasting.you, lasting.source) });
        }
        places
    }

    /// Only those sites whose top room matches `on`.
    pub fn narrowed<'b>(&self, sites: BuildSites<'b>, on: Option<QueryId>, ctx: &Ctx) -> BuildSites<'b> {
        let Some(on) = on else { return sites };
        let fits = |top: CardId| self.matches(on, ctx, self.s.ref_of(top));
        let slots = self.s.slots(ctx.you).iter().enumerate();
        let only = slots.fold(0, |places, (slot, top)| places | u8::from(fits(*top)) << slot);
        sites.within(only)
    }

    #[inline]
    pub fn each_place_of(
        &self,
        sites: &BuildSites,
        card: CardId,
        mut each: impl FnMut(Action) -> bool,
    ) -> bool {
        let places = sites.places(card);
        (0..SLOTS as u8).all(|slot| places >> slot & 1 == 0 || each(Action::Build { spot: Spot(slot), card }))
    }

    /// Builds in the seat's own dungeon, place by place, which is the order of the sorted list.
    /// Lists are filled without a branch for each room, which would be unpredictable.
    #[inline(never)]
    pub fn each_own_build(&self, seat: Seat, out: &mut impl Sink) -> bool {
        let sites = self.build_sites(seat);
        let mut hand = self.s.pile(Place::rooms(seat));
        loop {
            let (mut rooms, mut places) = (Handful::from([CardId::NONE; 8]), Handful::from([0; 8]));
            let (mut len, mut sorted, mut last) = (0, true, CardId(0));
            while len < rooms.len() {
                let Some(card) = hand.next() else { break };
                (rooms[len], places[len]) = (card, sites.places(card));
                sorted &= last <= card;
                last = card;
                len += 1;
            }
            if !sorted {
                rooms.sort_unstable();
                places[..len].copy_from_slice(&rooms.map(|card| sites.places(card))[..len]);
            }
            for slot in 0..sites.len {
                if !out.take_builds(slot, &rooms, &places) {
                    return false;
                }
            }
            if len < rooms.len() {
                return true;
            }
        }
    }
}

/// Bits of a lane. The topmost stays free for carries.
const LANE: usize = 12;
/// The lowest bit of each lane.
const EACH_LANE: u64 = first_bits(LANE);
const FULL: u64 = (1 << LANE) - 1;
const _: () = assert!(Class::COUNT < LANE && SLOTS * LANE <= u64::BITS as usize);

/// Bits at multiples of a distance, one for each place.
const fn first_bits(distance: usize) -> u64 {
    let (mut bits, mut place) = (0, 0);
    while place < SLOTS {
        bits |= 1 << (distance * place);
        place += 1;
    }
    bits
}

/// Spreads each of the lowest five bits into a lane of ones.
#[inline]
fn lanes(bits: u8) -> u64 {
    let own = (EACH_LANE * u64::from(bits)) & first_bits(LANE + 1);
    tops(own) * FULL
}

/// The lowest bit of every lane that is not zero: any value carries into its lane's top bit.
#[inline]
fn tops(all: u64) -> u64 {
    ((all + EACH_LANE * (FULL >> 1)) >> (LANE - 1)) & EACH_LANE
}

/// A bit for each of the five lanes that is not zero. The product gathers the bits.
#[inline]
fn filled(all: u64) -> u8 {
    const LAST: usize = (SLOTS - 1) * LANE;
    // The bit of lane `n` meets the one that is `n` lanes less `n` bits below the last.
    const GATHER: u64 = first_bits(LANE - 1) << (LAST - (SLOTS - 1) * (LANE - 1));
    (tops(all).wrapping_mul(GATHER) >> LAST) as u8 & ((1 << SLOTS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_lanes_say_the_same() {
        for bits in 0..32 {
            let spread = (0..SLOTS).map(|place| (u64::from(bits >> place & 1) * FULL) << (LANE * place));
            let spread = spread.sum::<u64>();
            assert_eq!(lanes(bits), spread);
            for mask in 1..1 << (LANE - 1) {
                assert_eq!(filled(spread & (EACH_LANE * mask)), bits, "{mask:b}");
            }
        }
    }
}
