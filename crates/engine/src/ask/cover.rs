//! Cover: over a network, being asked, and how quickly the answer comes, must not show what a player holds. With the
//! `cover` rule a player is asked whatever the others cannot rule out, even if only one answer is left.
//!
//! Invariant: whom this asks follows from what a spectator sees. There an unseen card has its back for a definition,
//! which fits whatever is wanted of a card of its kind.

use cards::code::Hooks;
use cards::vocabulary::Zone;

use crate::Game;
use crate::acts::Runner;
use crate::api::event::Log;
use crate::ask::Action;
use crate::code::query::Board;
use crate::model::id::*;
use crate::model::state::*;
use crate::setup::contents;

impl Game<'_> {
    /// As far as everyone can see, might the seat now use an ability of a card that lies open?
    pub fn seems_able(&self, seat: Seat) -> bool {
        self.seems_able_with(seat, |_| true)
    }

    /// The same of some of these cards.
    pub(crate) fn seems_able_with(&self, seat: Seat, with: impl Fn(CardId) -> bool) -> bool {
        let items = self.db.items && self.board().usable_items(seat).next().is_some();
        let own = self.state.player(seat).hooks.has(Hooks::USED) || items;
        if !own && !self.state.hooks.has(Hooks::OPEN) {
            return false;
        }
        self.board().as_everyone_sees(None, |board| {
            board.may_use_some(seat, |card| board.s.card(card).place.zone() != Zone::Hand && with(card))
        })
    }

    /// As far as everyone can see, might the seat use anything now: an ability of a card that lies open, or a card in its
    /// hand? A hand may hold whatever lies open nowhere.
    pub fn might_act(&self, seat: Seat) -> bool {
        let mut seen = self.state.clone();
        seen.hide(self.db, None);
        let able = |seen: &State| Board { db: self.db, s: seen }.may_use_some(seat, |_| true);
        if able(&seen) {
            return true;
        }
        let mut open = vec![0_u16; self.db.defs.len()];
        for id in seen.card_ids() {
            open[seen.card(id).def.index()] += 1;
        }
        let hands = [Place::spells(seat), Place::rooms(seat)];
        for hand in hands.into_iter().take(1 + usize::from(self.db.hand_abilities)) {
            let unseen = seen.pile(hand).find(|card| self.db.is_blank(seen.card(*card).def));
            let Some(card) = unseen else { continue };
            let back = seen.card(card).def;
            let kind = self.db.def(back).kind;
            let mut open = open.clone();
            let mut known = true;
            let mut last = back;
            for def in contents(self.db, &self.state.rules).filter(|def| self.db.def(*def).kind == kind) {
                let visible = &mut open[def.index()];
                if *visible > 0 {
                    *visible -= 1;
                } else if def != last {
                    (last, known) = (def, false);
                    seen.card_mut(card).def = def;
                    if able(&seen) {
                        return true;
                    }
                }
            }
            // In a position set up by hand it may be any card.
            if known {
                return true;
            }
            seen.card_mut(card).def = back;
        }
        false
    }
}

impl Board<'_> {
    /// Could the seat use one of these cards now?
    fn may_use_some(&self, seat: Seat, with: impl Fn(CardId) -> bool) -> bool {
        let cancel_only = matches!(self.s.frames.last(), Some(Frame::CancelRound(_)));
        let mut able = false;
        self.each_priority(seat, cancel_only, &mut |action| {
            able = matches!(action, Action::Use { card, .. } if with(card));
            !able
        });
        able
    }

    /// Looks at the game as a spectator sees it; `shown` is a card that is about to be shown.
    fn as_everyone_sees<T>(&self, shown: Option<CardId>, look: impl FnOnce(&Board) -> T) -> T {
        let mut seen = self.s.clone();
        seen.hide(self.db, None);
        if let Some(card) = shown {
            seen.card_mut(card).def = self.s.card(card).def;
        }
        look(&Board { db: self.db, s: &seen })
    }
}

impl<L: Log> Runner<'_, L> {
    /// Under cover: might this be so, as far as everyone can see?
    pub fn seems(&self, shown: Option<CardId>, might: impl FnOnce(&Board) -> bool) -> bool {
        self.s.rules.cover && self.board().as_everyone_sees(shown, might)
    }

    /// Under cover: might the player who is asked have more than one answer?
    pub fn seems_to_choose(&self) -> bool {
        self.seems(None, |board| {
            let mut answers = 0;
            board.each_legal(&mut |_| {
                answers += 1;
                answers < 2
            });
            answers > 1
        })
    }
}
