//! Coins, counters, health tokens, and cards attached to other cards. The supply of coins and
//! counters never runs out.

use cards::code::MINIBOSS_LEVELS;
use cards::vocabulary::{EventWord, Phase};

use crate::acts::Runner;
use crate::api::event::{Log, What, Where};
use crate::code::occurrence::Occurrence;
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    // ---- coins ----

    /// From the supply into a hoard.
    pub fn gain_coins(&mut self, seat: Seat, coins: u16) {
        let hoard = &mut self.s.player_mut(seat).coins;
        *hoard = hoard.saturating_add(coins);
    }

    /// Coins come to a player: from the supply, or from another.
    pub fn earn(&mut self, seat: Seat, coins: u16) {
        if coins == 0 || !self.s.in_game(seat) {
            return;
        }
        self.gain_coins(seat, coins);
        self.tell(|t| What::Coins { by: i32::from(coins), coins: t.s.coins(seat) }.by(seat));
        self.queue_triggers(&Occurrence::new(EventWord::Gained, Ref::seat(seat), seat));
    }

    /// A player pays up to so many coins; returns how many.
    pub fn spend(&mut self, seat: Seat, coins: u16) -> u16 {
        let paid = coins.min(self.s.coins(seat));
        if paid > 0 && self.pay(seat, paid) {
            self.tell(|t| What::Coins { by: -i32::from(paid), coins: t.s.coins(seat) }.by(seat));
        }
        paid
    }

    /// Two players change hoards.
    pub fn swap_hoards(&mut self, a: Seat, b: Seat) {
        let (first, second) = (self.s.coins(a), self.s.coins(b));
        for (seat, had, has) in [(a, first, second), (b, second, first)] {
            self.s.player_mut(seat).coins = has;
            if had != has {
                self.tell(|_| What::Coins { by: i32::from(has) - i32::from(had), coins: has }.by(seat));
            }
        }
        // Whoever has more than before has gained coins.
        let richer = if second > first { a } else { b };
        if first != second {
            self.queue_triggers(&Occurrence::new(EventWord::Gained, Ref::seat(richer), richer));
        }
    }

    /// From a hoard onto a room in play.
    pub fn lay_coins(&mut self, room: CardId, coins: u16) {
        let coins = coins.min(u16::from(u8::MAX)) as u8;
        if coins > 0 && self.put_coins(room, coins) {
            self.tell(|t| {
                let (on, damage) = (t.s.marks(room).coins, t.board().damage(room));
                What::CoinsOn { by: i16::from(coins), coins: on, damage }.on(t.shown(room)).at(t.at(room))
            });
        }
    }

    /// Rule 6.7: at once, and nobody can answer it.
    pub fn take_back(&mut self, seat: Seat, room: CardId) {
        self.s.trade.took_back = self.s.trade.took_back.with(seat);
        self.take(room, seat);
    }

    /// Rule 6.6: at once, and nobody can answer it.
    pub fn sell(&mut self, seat: Seat, room: CardId) {
        self.s.trade.sold = self.s.trade.sold.with(seat);
        self.tell(|t| What::Sells.by(seat).on(t.shown(room)).at(t.at(room)));
        self.discard(room);
        self.earn(seat, 1);
    }

    // ---- minibosses ----

    /// One level up (rule 16.3); before the reveal it is the one promotion of the turn.
    pub fn promote(&mut self, card: CardId) {
        let Some(level) = self.s.attachment(card).map(|attachment| attachment.level) else { return };
        let owner = self.board().owner(card);
        let by = if self.cause.you.exists() { self.cause.you } else { owner };
        if level == 0 || level >= MINIBOSS_LEVELS || !owner.exists() {
            return;
        }
        if self.s.phase == Phase::Build && self.s.active == by {
            self.s.trade.promoted = self.s.trade.promoted.with(by);
        }
        self.set_level(card, level + 1);
        self.tell(|t| What::Level { level: level + 1, up: true }.by(by).on(t.shown(card)).at(t.at(card)));
        self.queue_triggers(&Occurrence::new(EventWord::Promoted, self.s.ref_of(card), by));
    }

    /// Its highest level is used (rule 16.3).
    #[cold]
    pub fn fall_back(&mut self, card: CardId) {
        if self.set_level(card, 1) {
            self.tell(|t| What::Level { level: 1, up: false }.on(t.shown(card)).at(t.at(card)));
        }
    }

    /// Rule 16.2: a face-down miniboss is paid for and goes under its room, or is discarded. Without
    /// a room it goes back to hand.
    pub fn reveal_miniboss(&mut self, seat: Seat, slot: usize) {
        let card = self.s.at(seat, slot);
        let room = self.s.card(card).next;
        let from = self.at(card);
        if !room.exists() {
            return self.take(card, seat);
        }
        self.show_all(card);
        if self.spend(seat, 1) == 1 {
            // Off the room first, which can then have it.
            self.relocate(card, Place::BOX);
            self.join_room(seat, card, room, 1, from);
            self.s.card_mut(card).flags.set(Flags::DUE);
        } else {
            self.put_away(card);
            self.tell(|t| What::Unpaid.by(seat).on(t.shown(card)).moved(from, t.at(card)));
        }
    }

    /// A miniboss is built by an effect: at once, and without a coin.
    pub fn build_miniboss(&mut self, seat: Seat, card: CardId, slot: usize, keeps_level: bool) {
        let (room, from) = (self.s.at(seat, slot), self.at(card));
        let level = self.s.attachment(card).map_or(1, |attachment| attachment.level);
        self.join_room(seat, card, room, if keeps_level { level } else { 1 }, from);
        self.queue_triggers(&Occurrence::new(EventWord::Built, self.s.ref_of(card), seat));
    }

    fn join_room(&mut self, seat: Seat, card: CardId, room: CardId, level: u8, from: Where) {
        self.attach(card, room, level, false);
        self.s.card_mut(card).flags.set(Flags::NEW);
        self.tell(|t| {
            let what = What::JoinsRoom { level };
            what.by(seat).on(t.shown(card)).in_room(Some(t.shown(room))).moved(from, t.at(card))
        });
    }

    /// Queues what waits for the minibosses revealed in the dungeon.
    pub fn built_minibosses(&mut self, seat: Seat) {
        for at in 0..self.s.attached.len() {
            let Attachment { card, host, .. } = self.s.attached[at];
            if self.s.card(card).flags.has(Flags::DUE) && self.s.card(host).place == Place::dungeon(seat) {
                self.s.card_mut(card).flags.clear(Flags::DUE);
                self.queue_triggers(&Occurrence::new(EventWord::Built, self.s.ref_of(card), seat));
            }
        }
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
        let most = self.s.rules.edition().most_counters;
        if active {
            let there = &mut self.s.marks_mut(room).counters;
            // A room laid out by hand may have more.
            *there = there.saturating_add(counters).min(most.max(*there));
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
            let from = self.at(card);
            self.detach(card, to);
            if to == Place::DISCARD {
                self.tell(|t| What::Discards.on(t.shown(card)).moved(from, t.at(card)));
            }
        }
    }

    pub(super) fn next_attached(&self, host: CardId) -> Option<CardId> {
        self.s.attached_to(host).next().map(|attachment| attachment.card)
    }

    /// Rule 8.4: the player who kills a hero claims its item face up; a hero that survives leaves
    /// it face down.
    pub(super) fn leave_items(&mut self, hero: CardId, seat: Seat, killed: bool) {
        if self.s.attached.is_empty() {
            return;
        }
        while let Some(item) = self.next_attached(hero) {
            self.keep_item(item, Some(seat), killed);
        }
    }
}
