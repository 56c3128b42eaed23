//! Items, from their deck to a scoring area (section 8).
//!
//! Invariant: once a question about it is settled, no player has two items face up.

use cards::vocabulary::{Classes, Kind};

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::code::query::Board;
use crate::model::id::*;
use crate::model::state::*;

impl Board<'_> {
    /// The items of a scoring area that are face up.
    pub fn faceup_items(&self, seat: Seat) -> impl Iterator<Item = CardId> {
        let faceup =
            |id: &CardId| self.def(*id).kind == Kind::Item && !self.s.card(*id).flags.has(Flags::FACEDOWN);
        self.s.pile(Place::scoring(seat)).filter(faceup)
    }

    /// Those that may be used: from the turn after they were claimed on (rule 8.5).
    pub fn usable_items(&self, seat: Seat) -> impl Iterator<Item = CardId> {
        let ready = Flags(Flags::NEW.0 | Flags::DUE.0);
        self.faceup_items(seat).filter(move |id| !self.s.card(*id).flags.has(ready))
    }

    /// Rule 8.2: carries nothing, and shows the item's treasure.
    fn takes_item(&self, hero: CardId, item: CardId) -> bool {
        let (bearer, tool) = (self.def(hero), self.def(item));
        let star = bearer.players == 0;
        let fits = tool.classes == Classes::default() || tool.shares_icon(bearer);
        fits && !star && self.s.attached_to(hero).next().is_none()
    }
}

impl<L: Log> Runner<'_, L> {
    /// Items come before heroes (rule 5.1).
    pub fn reveal_items(&mut self) {
        if self.db.items {
            let items = self.s.rules.edition().items_a_turn(self.s.rules.players);
            (0..items).for_each(|_| self.reveal_item());
        }
    }

    /// From the item deck to town, or to the hero longest there that takes it (rules 8.1, 8.2).
    fn reveal_item(&mut self) {
        while let Some(item) = self.s.pile(Place::ITEM_DECK).next() {
            let from = self.at(item);
            let def = self.board().def(item);
            // Rule 8.3: a treasure that is not in play.
            let stray = def.classes.and(self.db.classes) != def.classes;
            self.relocate(item, if stray { Place::REMOVED } else { Place::TOWN_ITEMS });
            self.show_all(item);
            if stray {
                self.tell(|t| What::Removed.on(t.shown(item)).moved(from, t.at(item)));
                continue;
            }
            self.tell(|t| What::ItemArrives.on(t.shown(item)).moved(from, t.at(item)));
            let hero = self.s.pile(Place::TOWN).find(|hero| self.board().takes_item(*hero, item));
            if let Some(hero) = hero {
                self.give(item, hero);
            }
            return;
        }
    }

    /// A hero that comes to town takes the oldest item that waits for one like it.
    pub fn equip(&mut self, hero: CardId) {
        let item = self.s.pile(Place::TOWN_ITEMS).find(|item| self.board().takes_item(hero, *item));
        if let Some(item) = item {
            self.give(item, hero);
        }
    }

    pub fn give(&mut self, item: CardId, hero: CardId) {
        let from = self.at(item);
        if self.s.attached_to(hero).next().is_none() && self.attach(item, hero, 0, false) {
            self.tell(|t| {
                let health = t.board().health(hero);
                let what = What::Carries { health };
                what.on(t.shown(item)).in_room(Some(t.shown(hero))).moved(from, t.at(item))
            });
        }
    }

    /// Into a scoring area, on this side; with no player it waits in town again.
    pub fn keep_item(&mut self, item: CardId, seat: Option<Seat>, faceup: bool) {
        let from = self.at(item);
        let Some(seat) = seat.filter(|seat| self.s.in_game(*seat)) else {
            self.detach(item, Place::TOWN_ITEMS);
            return self.tell(|t| What::ItemArrives.on(t.shown(item)).moved(from, t.at(item)));
        };
        self.detach(item, Place::scoring(seat));
        self.s.card_mut(item).flags.set(Flags::NEW);
        if faceup {
            self.comes_up(item, seat);
        } else {
            self.s.card_mut(item).flags.set(Flags::FACEDOWN);
        }
        self.tell(|t| What::Claims { faceup }.by(seat).on(t.shown(item)).moved(from, t.at(item)));
    }

    /// Turns over an item in a scoring area.
    pub fn flip_item(&mut self, item: CardId) {
        let CardState { place, flags, .. } = *self.s.card(item);
        if !place.is_scoring() {
            return;
        }
        let faceup = flags.has(Flags::FACEDOWN);
        self.turn_item(item, faceup);
        if faceup {
            self.comes_up(item, place.seat());
        }
    }

    pub fn turn_item(&mut self, item: CardId, faceup: bool) {
        let flags = &mut self.s.card_mut(item).flags;
        if faceup {
            flags.clear(Flags::FACEDOWN);
        } else {
            flags.set(Flags::FACEDOWN);
        }
        self.tell(|t| What::TurnsItem { faceup }.on(t.shown(item)).at(t.at(item)));
    }

    /// An item is face up now; with another one its owner has to choose.
    fn comes_up(&mut self, item: CardId, seat: Seat) {
        if self.board().faceup_items(seat).count() > 1 {
            self.s.card_mut(item).flags.set(Flags::DUE);
            self.s.claims = self.s.claims.with(seat);
        }
    }

    /// Not before what the kill, or the card that turned an item up, has triggered.
    #[cold]
    pub fn may_settle_claims(&self) -> bool {
        !matches!(self.s.frames.last(), Some(Frame::Triggers(_) | Frame::Code(_)))
    }

    /// Whoever has two items face up settles that before anything else happens.
    #[cold]
    pub fn settle_claims(&mut self) {
        let claims = std::mem::replace(&mut self.s.claims, SeatSet::EMPTY);
        for seat in (0..SEATS as u8).rev().map(Seat).filter(|seat| claims.has(*seat)) {
            self.s.frames.put(Frame::Step(Step::Claim(seat)));
        }
    }

    /// Rule 8.4: the old item may be used at once, and nothing else may; or one of them goes face
    /// down.
    pub fn claim(&mut self, seat: Seat) {
        if self.board().faceup_items(seat).count() < 2 {
            return self.claim_settled(seat);
        }
        self.s.frames.put(Frame::Step(Step::Claim(seat)));
        let mut usable = false;
        self.board().each_item_use(seat, &mut |_| {
            usable = true;
            false
        });
        self.ask_anyway(seat, if usable { AskKind::Priority } else { AskKind::Pick });
    }

    fn claim_settled(&mut self, seat: Seat) {
        let mut next = self.s.pile(Place::scoring(seat)).next();
        while let Some(id) = next {
            let card = self.s.card_mut(id);
            card.flags.clear(Flags::DUE);
            next = Some(card.next).filter(|id| id.exists());
        }
    }

    /// Does what is declared now settle a claim? Then it takes effect at once.
    pub fn is_claiming(&self) -> bool {
        let below = self.s.frames.len().checked_sub(2).and_then(|at| self.s.frames.get(at));
        matches!(below, Some(Frame::Step(Step::Claim(_))))
    }

    /// What the item does for its user is done as if by the card whose code runs. An item that
    /// copies has nothing to give.
    pub fn copy_item(&mut self, code: &Code, item: CardId) {
        let db = self.db;
        let def = db.def(self.s.card(item).def);
        if def.hooks.has(cards::code::Hooks::COPIES) {
            return;
        }
        self.tell(|t| What::Copies.by(code.you).on(t.shown(item)).at(t.at(item)));
        if let Some(unit) = def.play.first() {
            let trigger = Trigger { unit: *unit, source: code.source, you: code.you, ..Trigger::EMPTY };
            let _ = self.s.triggers.push(trigger);
        }
    }

    /// Is it the code of another card?
    pub fn is_copied(&self, code: &Code) -> bool {
        let own = |card: CardId| self.board().def(card).play.contains(&code.unit);
        self.db.unit(code.unit).kind == cards::code::UnitKind::Item && !code.source.as_card().is_some_and(own)
    }
}
