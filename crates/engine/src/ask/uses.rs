//! Which spells and abilities can be used at all. `plain.rs` lists those that can be declared now, by the rules;
//! `fast/uses.rs` lists the same ones quickly.

use cards::code::{Unit, UnitId, UnitKind, User};
use cards::vocabulary::{Kind, Status, Zone};

use crate::code::query::Board;
use crate::flow::window::PENDING;
use crate::model::id::*;
use crate::model::state::*;

/// With fewer free frames than this nothing further can be declared.
const FRAMES_KEPT_FREE: usize = 12;

impl Board<'_> {
    /// The card's spell or activated abilities.
    #[inline]
    pub fn units_of(&self, card: CardId) -> &[UnitId] {
        let def = self.text(card);
        if matches!(def.kind, Kind::Item | Kind::Spell) { &def.play } else { &def.activated }
    }

    /// The alternatives of the ability that begins there; usually there is only one.
    pub fn alternatives(&self, card: CardId, ability: u8) -> &[UnitId] {
        let units = self.units_of(card).get(usize::from(ability)..).unwrap_or_default();
        let begins = |unit: &UnitId| self.db.unit(*unit).option.is_none_or(|option| option == 0);
        let rest = units.iter().skip(1).position(begins).map_or(units.len(), |at| at + 1);
        if units.first().is_some_and(begins) { &units[..rest] } else { &[] }
    }

    /// Refuses new declarations when the stack is nearly full.
    #[inline]
    pub fn room_to_declare(&self, above: usize) -> bool {
        self.s.frames.len() + above + FRAMES_KEPT_FREE <= FRAMES && self.s.pending.len() < PENDING
    }

    /// Does the ability work where its card is (active room, levelled-up boss, hero at a dungeon,
    /// or a card in hand that says so), and may the seat use it?
    #[inline]
    pub fn works(&self, seat: Seat, card: CardId, unit: &Unit) -> bool {
        let place = self.s.card(card).place;
        if unit.from_hand {
            return place == Place::rooms(seat);
        }
        let owner = if place == Place::ATTACHED { self.owner(card) } else { place.seat() };
        let in_play = if place.is_dungeon() {
            self.is_active_room(card)
        } else {
            match place.zone() {
                Zone::Boss => self.s.player(owner).levelled && self.s.player(owner).boss == card,
                Zone::Entrance | Zone::Inside => true,
                Zone::Attached => owner.exists() && self.is_attached_in_play(card),
                _ => false,
            }
        };
        in_play
            && !self.has_status(card, Status::Blank)
            && match unit.user {
                User::Owner => owner == seat,
                User::Opponents => owner != seat,
                User::Anybody => true,
            }
    }

    pub fn is_spell(&self, code: &Code) -> bool {
        self.db.unit(code.unit).kind == UnitKind::Play
    }
}
