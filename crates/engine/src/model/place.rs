//! Where a card is: a zone, and its owner if every player has one. The numbers follow from the
//! table of zones in the vocabulary, so a new zone needs a row there and nothing here.

use std::fmt;

use cards::vocabulary::Zone;

use super::id::Seat;

/// A zone of the table or of a player. Shared zones come first; after them every zone that players have has eight
/// numbers, so that the low three bits are the seat. The dungeons, which are stacks and not piles, come last.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place(pub u8);

const fn first_owned() -> u8 {
    let (mut shared, mut i) = (0, 0);
    while i < Zone::ALL.len() {
        shared += !Zone::ALL[i].is_per_seat() as u8;
        i += 1;
    }
    shared.next_multiple_of(8)
}

/// How many piles a seat has in the zone: the rooms and spells of a hand are separate piles, stacks
/// are not piles.
const fn piles(zone: Zone) -> u8 {
    match zone {
        Zone::Hand => 2,
        Zone::Dungeon => 0,
        _ => 1,
    }
}

/// The number of the zone, or of its first pile.
const fn base(zone: Zone) -> u8 {
    if matches!(zone, Zone::Dungeon) {
        return Place::PILES as u8;
    }
    let (mut at, mut i) = (if zone.is_per_seat() { first_owned() } else { 0 }, 0);
    while Zone::ALL[i] as u8 != zone as u8 {
        let other = Zone::ALL[i];
        if other.is_per_seat() == zone.is_per_seat() {
            at += if zone.is_per_seat() { 8 * piles(other) } else { 1 };
        }
        i += 1;
    }
    at
}

const fn pile_count() -> usize {
    let (mut count, mut i) = (first_owned() as usize, 0);
    while i < Zone::ALL.len() {
        if Zone::ALL[i].is_per_seat() {
            count += 8 * piles(Zone::ALL[i]) as usize;
        }
        i += 1;
    }
    count.next_power_of_two()
}

/// The zone of every number.
const ZONES: [Zone; 256] = {
    let mut zones = [Zone::Removed; 256];
    let mut i = 0;
    while i < Zone::ALL.len() {
        let zone = Zone::ALL[i];
        let len = match (zone.is_per_seat(), piles(zone)) {
            (false, _) => 1,
            (true, 2) => 16,
            (true, _) => 8,
        };
        let mut n = 0;
        while n < len {
            zones[base(zone) as usize + n] = zone;
            n += 1;
        }
        i += 1;
    }
    zones
};

impl Place {
    pub const ROOM_DECK: Place = Place::shared(Zone::RoomDeck);
    pub const SPELL_DECK: Place = Place::shared(Zone::SpellDeck);
    pub const HERO_DECK: Place = Place::shared(Zone::HeroDeck);
    pub const EPIC_DECK: Place = Place::shared(Zone::EpicDeck);
    pub const DISCARD: Place = Place::shared(Zone::Discard);
    pub const REMOVED: Place = Place::shared(Zone::Removed);
    pub const TOWN: Place = Place::shared(Zone::Town);
    pub const PENDING: Place = Place::shared(Zone::Pending);
    pub const BOX: Place = Place::shared(Zone::Box);
    /// The state's attachments say to what.
    pub const ATTACHED: Place = Place::shared(Zone::Attached);
    pub const MARKET: Place = Place::shared(Zone::Market);
    /// The state's town board says who is at which landmark.
    pub const LANDMARK: Place = Place::shared(Zone::Landmark);
    pub const ITEM_DECK: Place = Place::shared(Zone::ItemDeck);
    /// Items that wait in town.
    pub const TOWN_ITEMS: Place = Place::shared(Zone::TownItems);

    /// Places below this number are piles; above are the dungeons' stacks.
    pub const PILES: usize = pile_count();

    /// A shared zone.
    pub const fn shared(zone: Zone) -> Place {
        assert!(!zone.is_per_seat());
        Place(base(zone))
    }

    /// The rooms of a hand.
    pub const fn rooms(seat: Seat) -> Place {
        const BASE: u8 = base(Zone::Hand);
        Place(BASE + seat.0)
    }
    /// The spells of a hand.
    pub const fn spells(seat: Seat) -> Place {
        const BASE: u8 = base(Zone::Hand) + 8;
        Place(BASE + seat.0)
    }
    pub const fn entrance(seat: Seat) -> Place {
        const BASE: u8 = base(Zone::Entrance);
        Place(BASE + seat.0)
    }
    pub const fn scoring(seat: Seat) -> Place {
        const BASE: u8 = base(Zone::Scoring);
        Place(BASE + seat.0)
    }
    /// Heroes walking in the dungeon.
    pub const fn inside(seat: Seat) -> Place {
        const BASE: u8 = base(Zone::Inside);
        Place(BASE + seat.0)
    }
    pub const fn boss(seat: Seat) -> Place {
        const BASE: u8 = base(Zone::Boss);
        Place(BASE + seat.0)
    }
    /// Rooms of the dungeon; not a pile but stacks.
    pub const fn dungeon(seat: Seat) -> Place {
        const BASE: u8 = base(Zone::Dungeon);
        Place(BASE + seat.0)
    }

    pub fn is_hand_of(self, seat: Seat) -> bool {
        self == Place::rooms(seat) || self == Place::spells(seat)
    }

    #[inline]
    pub fn zone(self) -> Zone {
        ZONES[usize::from(self.0)]
    }

    // The most common questions, without looking up the zone.
    #[inline]
    pub const fn is_dungeon(self) -> bool {
        self.0 >= Place::PILES as u8
    }
    #[inline]
    pub const fn is_inside(self) -> bool {
        const BASE: u8 = base(Zone::Inside);
        self.0 >> 3 == BASE >> 3
    }
    /// The spells of a hand?
    #[inline]
    pub const fn is_spells(self) -> bool {
        const BASE: u8 = Place::spells(Seat(0)).0;
        self.0 >> 3 == BASE >> 3
    }
    #[inline]
    pub const fn is_scoring(self) -> bool {
        const BASE: u8 = base(Zone::Scoring);
        self.0 >> 3 == BASE >> 3
    }

    #[inline]
    pub const fn is_boss(self) -> bool {
        const BASE: u8 = base(Zone::Boss);
        self.0 >> 3 == BASE >> 3
    }

    /// Town, a landmark, an entrance, or inside a dungeon: a hero moving between these stays on one
    /// visit.
    #[inline]
    pub const fn is_roaming(self) -> bool {
        const ROAMING: [bool; 256] = {
            let (mut roaming, mut i) = ([false; 256], 0);
            while i < 256 {
                roaming[i] = matches!(ZONES[i], Zone::Town | Zone::Landmark | Zone::Entrance | Zone::Inside);
                i += 1;
            }
            roaming
        };
        ROAMING[self.0 as usize]
    }

    /// A place of this player?
    #[inline]
    pub const fn is_of(self, seat: Seat) -> bool {
        const FIRST: u8 = first_owned();
        self.0 >= FIRST && self.0 & 7 == seat.0
    }

    #[inline]
    pub fn seat(self) -> Seat {
        const FIRST: u8 = first_owned();
        if self.0 < FIRST { Seat::NONE } else { Seat(self.0 & 7) }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.zone())?;
        if self.seat().exists() { write!(f, " of {}", self.seat()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_knows_its_zone_and_seat() {
        let seat = Seat(3);
        let owned = [
            (Place::rooms(seat), Zone::Hand),
            (Place::spells(seat), Zone::Hand),
            (Place::entrance(seat), Zone::Entrance),
            (Place::scoring(seat), Zone::Scoring),
            (Place::inside(seat), Zone::Inside),
            (Place::boss(seat), Zone::Boss),
            (Place::dungeon(seat), Zone::Dungeon),
        ];
        for (place, zone) in owned {
            assert_eq!((place.zone(), place.seat()), (zone, seat));
        }
        for zone in Zone::ALL.iter().filter(|zone| !zone.is_per_seat()) {
            assert_eq!((Place::shared(*zone).zone(), Place::shared(*zone).seat()), (*zone, Seat::NONE));
        }
    }
}
