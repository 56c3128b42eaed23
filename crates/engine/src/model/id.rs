//! Handles: small numbers for cards and seats. None of them reveals what a card is.

use std::fmt;

pub use super::place::Place;

/// Enough for every box shuffled together.
pub const MAX_CARDS: usize = 1024;
/// No game is longer (rule 11.5): two players would need half of this if every card were a hero.
pub const MAX_TURNS: u16 = 500;
pub const SEATS: usize = 6;
/// Stacks a dungeon may have.
pub const SLOTS: usize = 5;

/// A physical card of this game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardId(pub u16);

impl CardId {
    pub const NONE: CardId = CardId(u16::MAX);

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn exists(self) -> bool {
        self != CardId::NONE
    }
}

/// A player's seat, numbered in the order of the deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

impl Seat {
    pub const NONE: Seat = Seat(7);

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn exists(self) -> bool {
        self.index() < SEATS
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0 + 1)
    }
}

/// Where a room is built: a stack counted from the boss, in the player's own dungeon or another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot(pub u8);

impl Spot {
    /// Where `seat` builds in the dungeon of `at`.
    pub fn at(seat: Seat, at: Seat, slot: usize) -> Spot {
        let dungeon = if at == seat { 0 } else { at.0 + 1 };
        Spot(dungeon << 3 | slot as u8)
    }

    pub fn slot(self) -> usize {
        usize::from(self.0 & 7)
    }

    /// Whose dungeon, when `seat` builds.
    pub fn dungeon(self, seat: Seat) -> Seat {
        if self.0 >> 3 == 0 { seat } else { Seat((self.0 >> 3) - 1) }
    }
}

/// The places of a mask, those next to the boss first.
#[derive(Clone, Copy)]
pub(crate) struct Slots(pub u8);

impl Iterator for Slots {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let slot = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (slot < 8).then_some(slot)
    }
}

impl DoubleEndedIterator for Slots {
    #[inline]
    fn next_back(&mut self) -> Option<usize> {
        let slot = 7usize.checked_sub(self.0.leading_zeros() as usize)?;
        self.0 ^= 1 << slot;
        Some(slot)
    }
}

/// A set of seats; `PUBLIC` also includes spectators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct SeatSet(pub u8);

impl SeatSet {
    pub const EMPTY: SeatSet = SeatSet(0);
    pub const PUBLIC: SeatSet = SeatSet(0x7f);
    const WATCHER: u8 = 6;

    pub fn only(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }

    pub fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | 1 << seat.0)
    }

    pub fn has(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// May this viewer see it? `None` is a spectator.
    pub fn shows(self, viewer: Option<Seat>) -> bool {
        self.0 >> viewer.map_or(Self::WATCHER, |seat| seat.0) & 1 == 1
    }

    pub fn and(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & other.0)
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::EMPTY, SeatSet::with)
    }
}

/// What a register can hold: a card during one visit to a place, a seat, or a small number. A card
/// that left and came back is a different reference.
///
/// A card has the top bit set, then its visit and its id. Anything else has its kind in the high byte
/// and its value in the low one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ref(pub u16);

const CARD: u16 = 1 << 15;
const VISIT: u32 = MAX_CARDS.trailing_zeros();
const SEAT: u16 = 1 << 8;
const NUMBER: u16 = 2 << 8;

const _: () = assert!(MAX_CARDS.is_power_of_two() && size_of::<Ref>() == 2);
const _: () = assert!(1 << (VISIT + VISIT_BITS) <= CARD as u32, "a card's visit and id fit below its mark");

/// Bits of the visit counter, which wraps around.
pub(crate) const VISIT_BITS: u32 = 4;
const VISITS: u16 = (1 << VISIT_BITS) - 1;

impl Ref {
    pub const NOTHING: Ref = Ref(0);

    pub fn card(id: CardId, visit: u8) -> Ref {
        Ref(CARD | (u16::from(visit) & VISITS) << VISIT | id.0)
    }
    pub fn seat(seat: Seat) -> Ref {
        Ref(SEAT | u16::from(seat.0))
    }
    pub fn number(n: u8) -> Ref {
        Ref(NUMBER | u16::from(n))
    }

    pub fn is_nothing(self) -> bool {
        self.0 == 0
    }
    pub fn as_card(self) -> Option<CardId> {
        (self.0 & CARD != 0).then_some(CardId(self.0 & (MAX_CARDS as u16 - 1)))
    }
    pub fn visit(self) -> u8 {
        (self.0 >> VISIT & VISITS) as u8
    }
    pub fn as_seat(self) -> Option<Seat> {
        (self.0 & !7 == SEAT).then_some(Seat(self.0 as u8))
    }
    pub fn as_number(self) -> Option<u8> {
        (self.0 & !255 == NUMBER).then_some(self.0 as u8)
    }
}

impl fmt::Debug for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_card(), self.as_seat(), self.as_number()) {
            (Some(card), ..) => write!(f, "card {} visit {}", card.0, self.visit()),
            (_, Some(seat), _) => write!(f, "{seat}"),
            (_, _, Some(n)) => write!(f, "number {n}"),
            _ => f.write_str("nothing"),
        }
    }
}
