//! Coins, counters, health tokens, and cards attached to other cards. The supply of coins and
//! counters never runs out.

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    // ---- coins ----

    /// From the supply into a hoard.
    pub fn gain_coins(&mut self, seat: Seat, coins: u16) {
        let hoard = &mut self.s.player_mut(seat).coins;
        *hoard = hoard.saturating_add(coins);
    }

    /// Back to the supply: all of it, or nothing if the hoard is too small.
    pub fn pay(&mut self, seat: Seat, coins: u16) -> bool {
        let hoard = &mut self.s.player_mut(seat).coins;
        let left = hoard.checked_sub(coins);
        *hoard = left.unwrap_or(*hoard);
        left.is_some()
    }

    /// From the supply onto a card in play.
    pub fn put_coins(&mut self, card: CardId, coins: u8) -> bool {
        let place = self.s.card(card).place;
        let in_play = place.is_dungeon() || place.is_roaming() || place == Place::ATTACHED;
        if in_play {
            let there = &mut self.s.marks_mut(card).coins;
            *there = there.saturating_add(coins);
        }
        in_play
    }

    /// All coins on a card go into a hoard.
    pub fn collect_coins(&mut self, card: CardId, seat: Seat) {
        let coins = std::mem::take(&mut self.s.marks_mut(card).coins);
        self.gain_coins(seat, u16::from(coins));
    }

    // ---- counters and tokens ----

    /// Onto a room that is face up on top of its stack.
    pub fn put_counters(&mut self, room: CardId, counters: u8) -> bool {
        let active = self.board().is_active_room(room);
        if active {
            let there = &mut self.s.marks_mut(room).counters;
            *there = there.saturating_add(counters);
        }
        active
    }

    /// Removes up to `counters`.
    pub fn remove_counters(&mut self, room: CardId, counters: u8) {
        let there = &mut self.s.marks_mut(room).counters;
        *there = there.saturating_sub(counters);
    }

    /// More counters on a room, or fewer if the number is negative.
    pub fn change_counters(&mut self, room: CardId, by: i32) {
        let before = self.s.marks(room).counters;
        let many = by.unsigned_abs().min(u32::from(u8::MAX)) as u8;
        if by > 0 {
            self.put_counters(room, many);
        } else {
            self.remove_counters(room, many);
        }
        let counters = self.s.marks(room).counters;
        if counters != before {
            self.tell(|t| {
                let damage = t.board().damage(room);
                let what = What::Counters { by: i16::from(counters) - i16::from(before), counters, damage };
                what.on(t.shown(room)).at(t.at(room))
            });
        }
    }

    /// Puts a token on a hero in play. It replaces the one already there; 0 removes it.
    pub fn put_token(&mut self, hero: CardId, token: i8) -> bool {
        let in_play = self.s.card(hero).place.is_roaming();
        if in_play {
            self.s.marks_mut(hero).token = token;
        }
        in_play
    }

    /// What lies on the card goes back to the supply (rule 2.6).
    #[inline]
    pub fn clear_pieces(&mut self, card: CardId) {
        let marks = self.s.marks_mut(card);
        *marks = marks.without_pieces();
    }

    /// One roll for each target (rule 17.2).
    pub fn roll(&mut self, sides: u8) {
        let faces: [Ref; u8::MAX as usize] = std::array::from_fn(|face| Ref::number(face as u8 + 1));
        let face = self.pick_random(&faces[..usize::from(sides.max(1))]);
        let face = face.as_number().unwrap_or(1);
        self.s.last_roll = face;
        self.tell(|_| What::Rolls { sides, face });
    }

    // ---- attachments ----

    /// Attaches the card to its host, face up, or face down and known only to those who have seen
    /// it. Returns `false`, changing nothing, if it cannot be attached.
    pub fn attach(&mut self, card: CardId, host: CardId, level: u8, facedown: bool) -> bool {
        let free = card != host && self.s.can_host(host) && self.s.attached_to(card).next().is_none();
        if !free || self.s.attached.len() == ATTACHMENTS && self.s.host(card).is_none() {
            return false;
        }
        self.relocate(card, Place::ATTACHED);
        self.s.attached.put(Attachment { card, host, level });
        if facedown {
            self.s.card_mut(card).flags.set(Flags::FACEDOWN);
        } else {
            self.show_all(card);
        }
        self.refresh_host(host);
        true
    }

    /// A miniboss is promoted, or falls back.
    pub fn set_level(&mut self, card: CardId, level: u8) -> bool {
        let found = self.s.attached.iter_mut().find(|attachment| attachment.card == card);
        let host = found.map(|attachment| {
            attachment.level = level;
            attachment.host
        });
        host.map(|host| self.refresh_host(host)).is_some()
    }

    /// What is attached to the card has changed.
    fn refresh_host(&mut self, host: CardId) {
        let place = self.s.card(host).place;
        if place.is_dungeon() {
            self.refresh_dungeon(place.seat());
        } else if place.is_roaming() {
            self.refresh_heroes();
        }
    }

    /// The card leaves its host and goes face up to `to`.
    pub fn detach(&mut self, card: CardId, to: Place) {
        self.relocate(card, to);
        self.show_all(card);
    }

    /// An attached card is about to leave `Place::ATTACHED`.
    #[cold]
    pub(super) fn forget_host(&mut self, card: CardId) {
        let host = self.s.host(card);
        self.s.attached.retain(|attachment| attachment.card != card);
        self.clear_pieces(card);
        if let Some(host) = host {
            self.refresh_host(host);
        }
    }

    /// What was attached to a stack's old top card passes to the new one, or is discarded if there
    /// is none (rule 16.4).
    #[cold]
    pub(super) fn pass_on(&mut self, old: CardId, new: CardId) {
        if !new.exists() {
            return self.part_with(old, Place::DISCARD);
        }
        self.s.attached.iter_mut().filter(|a| a.host == old).for_each(|a| a.host = new);
    }

    /// The host has left play, and what was attached to it goes elsewhere.
    #[cold]
    pub(super) fn part_with(&mut self, host: CardId, to: Place) {
        while let Some(card) = self.next_attached(host) {
            self.detach(card, to);
        }
    }

    fn next_attached(&self, host: CardId) -> Option<CardId> {
        self.s.attached_to(host).next().map(|attachment| attachment.card)
    }

    /// Rule 8.4: the player who kills a hero claims its item face up; a hero that survives leaves
    /// it face down.
    pub(super) fn leave_items(&mut self, hero: CardId, seat: Seat, killed: bool) {
        if self.s.attached.is_empty() {
            return;
        }
        while let Some(item) = self.next_attached(hero) {
            self.detach(item, Place::scoring(seat));
            if !killed {
                self.s.card_mut(item).flags.set(Flags::FACEDOWN);
            }
        }
    }
}
