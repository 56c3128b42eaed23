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

impl Game<'_> {
    /// As far as everyone can see, might the seat now use an ability of a card that lies open?
    pub fn seems_able(&self, seat: Seat) -> bool {
        let items = self.db.items && self.board().usable_items(seat).next().is_some();
        let own = self.state.player(seat).hooks.has(Hooks::USED) || items;
        if !own && !self.state.hooks.has(Hooks::OPEN) {
            return false;
        }
        let cancel_only = matches!(self.state.frames.last(), Some(Frame::CancelRound(_)));
        let mut able = false;
        self.board().as_everyone_sees(None, |board| {
            board.each_priority(seat, cancel_only, &mut |action| {
                able = matches!(action, Action::Use { card, .. } if board.s.card(card).place.zone() != Zone::Hand);
                !able
            });
        });
        able
    }
}

impl Board<'_> {
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
