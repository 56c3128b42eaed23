//! Handles: small numbers that name cards, seats and places. None of them says what a card is.

use std::fmt;

pub const MAX_CARDS: usize = 512;
/// No game is longer (rule 11.5): two players would need half of that if every card were a hero.
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

/// Where a room is put: a stack counted from the boss, in one's own dungeon or in somebody else's.
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

/// A set of seats; `PUBLIC` also holds everybody who watches.
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

/// Where a card is. The low three bits of a player's places are the seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place(pub u8);

impl Place {
    pub const ROOM_DECK: Place = Place(0);
    pub const SPELL_DECK: Place = Place(1);
    pub const HERO_DECK: Place = Place(2);
    pub const EPIC_DECK: Place = Place(3);
    pub const DISCARD: Place = Place(5);
    /// Out of the game.
    pub const REMOVED: Place = Place(6);
    pub const TOWN: Place = Place(7);
    /// A spell from its declaration until it is done.
    pub const TABLE: Place = Place(8);
    /// Bosses that nobody plays.
    pub const BOX: Place = Place(9);

    /// Places below this number are piles; above are the dungeons' stacks.
    pub const PILES: usize = 64;

    /// The rooms of a hand.
    pub const fn rooms(seat: Seat) -> Place {
        Place(16 + seat.0)
    }
    /// The spells of a hand.
    pub const fn spells(seat: Seat) -> Place {
        Place(56 + seat.0)
    }
    pub fn is_hand_of(self, seat: Seat) -> bool {
        self == Place::rooms(seat) || self == Place::spells(seat)
    }
    pub const fn entrance(seat: Seat) -> Place {
        Place(24 + seat.0)
    }
    pub const fn scoring(seat: Seat) -> Place {
        Place(32 + seat.0)
    }
    /// Heroes walking in the dungeon.
    pub const fn inside(seat: Seat) -> Place {
        Place(40 + seat.0)
    }
    pub const fn boss(seat: Seat) -> Place {
        Place(48 + seat.0)
    }
    /// Rooms of the dungeon; not a pile but stacks.
    pub const fn dungeon(seat: Seat) -> Place {
        Place(64 + seat.0)
    }

    // The commonest questions, without going through `kind`.
    #[inline]
    pub const fn is_dungeon(self) -> bool {
        self.0 >= 64
    }
    #[inline]
    pub const fn is_inside(self) -> bool {
        self.0 >> 3 == 5
    }
    /// The spells of a hand?
    #[inline]
    pub const fn is_spells(self) -> bool {
        self.0 >> 3 == 7
    }
    #[inline]
    pub const fn is_scoring(self) -> bool {
        self.0 >> 3 == 4
    }

    /// Town, an entrance, or inside a dungeon: a hero's ways between these are one visit.
    #[inline]
    pub const fn is_roaming(self) -> bool {
        const ROAMING: [bool; 256] = {
            let mut roaming = [false; 256];
            let mut seat = 0;
            while seat < 8 {
                roaming[Place::entrance(Seat(seat)).0 as usize] = true;
                roaming[Place::inside(Seat(seat)).0 as usize] = true;
                seat += 1;
            }
            roaming[Place::TOWN.0 as usize] = true;
            roaming
        };
        ROAMING[self.0 as usize]
    }

    /// A place of this player?
    #[inline]
    pub const fn is_of(self, seat: Seat) -> bool {
        self.0 >= 16 && self.0 & 7 == seat.0
    }

    #[inline]
    pub fn seat(self) -> Seat {
        if self.0 < 16 { Seat::NONE } else { Seat(self.0 & 7) }
    }

    pub fn kind(self) -> PlaceKind {
        match self.0 {
            0 => PlaceKind::RoomDeck,
            1 => PlaceKind::SpellDeck,
            2 => PlaceKind::HeroDeck,
            3 => PlaceKind::EpicDeck,
            5 => PlaceKind::Discard,
            7 => PlaceKind::Town,
            8 => PlaceKind::Table,
            9 => PlaceKind::Box,
            16..24 | 56..64 => PlaceKind::Hand,
            24..32 => PlaceKind::Entrance,
            32..40 => PlaceKind::Scoring,
            40..48 => PlaceKind::Inside,
            48..56 => PlaceKind::Boss,
            64..72 => PlaceKind::Dungeon,
            _ => PlaceKind::Removed,
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.kind())?;
        if self.seat().exists() { write!(f, " of {}", self.seat()) } else { Ok(()) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceKind {
    RoomDeck,
    SpellDeck,
    HeroDeck,
    EpicDeck,
    Discard,
    Removed,
    Town,
    Table,
    Box,
    Hand,
    Entrance,
    Scoring,
    Inside,
    Boss,
    Dungeon,
}

/// What a register can hold: a card on one visit to where it is, a seat, or a small number. A card that
/// left and came back is another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ref(pub u16);

const KIND: u16 = 13;
const CARD: u16 = 1;
const SEAT: u16 = 2;
const NUMBER: u16 = 3;

impl Ref {
    pub const NOTHING: Ref = Ref(0);

    pub fn card(id: CardId, visit: u8) -> Ref {
        Ref(CARD << KIND | u16::from(visit & 15) << 9 | id.0)
    }
    pub fn seat(seat: Seat) -> Ref {
        Ref(SEAT << KIND | u16::from(seat.0))
    }
    pub fn number(n: u8) -> Ref {
        Ref(NUMBER << KIND | u16::from(n))
    }

    pub fn is_nothing(self) -> bool {
        self.0 == 0
    }
    pub fn as_card(self) -> Option<CardId> {
        (self.0 >> KIND == CARD).then_some(CardId(self.0 & 511))
    }
    pub fn visit(self) -> u8 {
        (self.0 >> 9 & 15) as u8
    }
    pub fn as_seat(self) -> Option<Seat> {
        (self.0 & !7 == SEAT << KIND).then_some(Seat(self.0 as u8))
    }
    pub fn as_number(self) -> Option<u8> {
        (self.0 & !255 == NUMBER << KIND).then_some(self.0 as u8)
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
