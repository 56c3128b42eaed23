//! Player order (rule 4.1): who comes first, who comes next.

use std::cmp::Reverse;

use crate::acts::Runner;
use crate::api::event::{Event, Log, What};
use crate::code::query::Board;
use crate::flow::edition::{PlayerOrder, Priority};
use crate::model::id::*;
use crate::model::state::*;

impl Core {
    #[inline]
    pub(crate) fn first_player(&self) -> Seat {
        self.order[0]
    }

    /// The seat after this one in player order.
    #[inline]
    pub(crate) fn next_after(&self, seat: Seat) -> Option<Seat> {
        let playing = &self.order[..usize::from(self.alive).min(SEATS)];
        let at = playing.iter().position(|other| *other == seat)?;
        playing.get(at + 1).copied()
    }
}

impl Board<'_> {
    /// Sorts seats by XP, highest first; ties keep the order of the deal.
    pub fn by_xp(&self, seat: Seat) -> (Reverse<u16>, u8) {
        let boss = self.s.player(seat).boss;
        (Reverse(if boss.exists() { self.def(boss).xp } else { 0 }), seat.0)
    }

    /// The seat asked `pos` places after the active player, who comes first in a window: then the others in player
    /// order, or clockwise if what they declare goes on a stack (4.5, 4.6).
    pub fn seat_at(&self, pos: u8) -> Option<Seat> {
        let (pos, active, order) = (usize::from(pos), self.s.active, &self.s.order);
        if pos == 0 {
            return Some(active);
        }
        let alive = usize::from(self.s.alive);
        let place = match self.s.rules.edition().priority {
            Priority::ActiveFirst => {
                // Skip the active player's place in the order.
                let passed = order.iter().take(pos).fold(false, |passed, seat| passed | (*seat == active));
                if passed { pos } else { pos - 1 }
            }
            Priority::LastInFirstOut => {
                let from = order.iter().position(|seat| *seat == active).unwrap_or(0);
                (from + pos) % alive.max(1)
            }
        };
        if place < alive { order.get(place).copied() } else { None }
    }
}

impl<L: Log> Runner<'_, L> {
    /// The order of the first turn.
    pub fn sort_players(&mut self) {
        let n = usize::from(self.s.rules.players);
        let mut order = self.s.order;
        order[..n].sort_by_key(|seat| self.board().by_xp(*seat));
        if self.s.rules.edition().player_order == PlayerOrder::Clockwise {
            let first = order[0];
            order[..n].sort();
            order[..n].rotate_left(first.index());
        }
        self.s.order = order;
    }

    /// Passes the first turn to the player on the left, in editions where the order rotates.
    pub fn pass_first_player(&mut self) {
        if self.s.rules.edition().player_order == PlayerOrder::Clockwise {
            let alive = usize::from(self.s.alive);
            self.s.order[..alive].rotate_left(1);
            if alive > 1 {
                self.tell(|t| Event::from(What::BecomesFirst).player(t.s.first_player()));
            }
        }
    }
}
