//! The Town phase of Super Boss Monster (rule 14.3): the market is filled, heroes come to town one
//! after the other and push others out, then each player takes a card and places the minion.

use cards::vocabulary::{Back, Landmark};

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::code::query::Board;
use crate::flow::edition::{Cards, Pushed};
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    pub fn town_phase(&mut self) {
        let (edition, players) = (*self.s.rules.edition(), self.s.rules.players);
        let Cards { rooms, spells } = edition.market_cards(players);
        (0..spells).for_each(|_| self.stock(Back::Spell));
        (0..rooms).for_each(|_| self.stock(Back::Room));
        self.reveal_items();
        self.arrive(edition.heroes_a_turn(players));
    }

    /// That many heroes come to town. What a hero does when it is revealed comes before the next
    /// one.
    fn arrive(&mut self, mut left: u8) {
        while left > 0 {
            left -= 1;
            let settle = [Frame::Step(Step::Settle { left })];
            let reveal = |t: &mut Self| {
                t.reveal_hero();
            };
            if self.triggers_follow(reveal, &settle) {
                return;
            }
            self.settle_town();
            if self.tavern_ends() {
                return;
            }
        }
        self.draft(Some(self.s.first_player()));
    }

    /// The newest hero has done what it does; then the next ones come.
    pub fn settled(&mut self, left: u8) {
        self.settle_town();
        if !self.tavern_ends() {
            self.arrive(left);
        }
    }

    /// Pushes out whoever finds no place in town.
    pub fn settle_town(&mut self) {
        let Some(places) = self.s.rules.edition().town_places(self.s.rules.players) else { return };
        while self.s.pile_len(Place::TOWN) > usize::from(places)
            && let Some(oldest) = self.s.pile(Place::TOWN).next()
        {
            self.push_out(oldest);
        }
        if self.db.items
            && let Some(newest) = self.s.pile(Place::TOWN).last()
        {
            self.equip(newest);
        }
    }

    /// Has a hero just ended the game by going to the Tavern?
    fn tavern_ends(&self) -> bool {
        self.s.frames.last() == Some(&Frame::Step(Step::TavernEnds))
    }

    /// Players take a card from the market and place their minion, one after the other; from this
    /// seat on.
    pub fn draft(&mut self, next: Option<Seat>) {
        let Some(seat) = next else { return self.next_phase() };
        if self.s.pile_len(Place::MARKET) == 0 {
            return self.send_minion(seat);
        }
        self.s.frames.put(Frame::Step(Step::Draft(seat)));
        self.ask(seat, AskKind::Pick);
    }

    pub fn drafted(&mut self, seat: Seat, card: Ref) {
        if let Some(card) = self.s.present(card) {
            self.take_from_market(card, seat);
        }
        self.send_minion(seat);
    }

    pub fn send_minion(&mut self, seat: Seat) {
        let mut any = false;
        self.board().each_space(seat, |_| {
            any = true;
            false
        });
        if !any {
            return self.draft(self.s.next_after(seat));
        }
        self.s.frames.put(Frame::Step(Step::PlaceMinion(seat)));
        self.ask(seat, AskKind::Pick);
    }

    pub fn minion_placed(&mut self, seat: Seat, space: Ref) {
        self.s.town.minions[seat.index()] = space;
        self.tell(|t| t.minion_event(seat, true));
        self.draft(self.s.next_after(seat));
    }

    /// The seat's minion is sent out, or acts.
    pub fn minion_event(&self, seat: Seat, sent: bool) -> crate::api::event::Event {
        let at = self.s.minion(seat);
        let space = Space::of_ref(at);
        let what = if sent { What::SendsMinion { space } } else { What::MinionActs { space } };
        match at.as_card() {
            Some(card) => what.by(seat).on(self.shown(card)).at(self.at(card)),
            None => what.by(seat),
        }
    }
}

impl Board<'_> {
    /// Is the landmark part of this game's board?
    pub fn has_landmark(&self, landmark: Landmark) -> bool {
        landmark != Landmark::Launchpad || self.s.rules.players > 4
    }

    /// Where a hero pushed out of town goes (14.3).
    pub fn landmark_for(&self, hero: CardId) -> Landmark {
        let classes = self.def(hero).classes;
        let by_icon = self.s.rules.edition().pushed == Pushed::ByIcon;
        let meant = |landmark: &Landmark| {
            landmark.class().is_some_and(|class| !by_icon || classes.has(class))
                && self.has_landmark(*landmark)
                && !self.s.town.landmarks[*landmark as usize].exists()
        };
        Landmark::ALL.into_iter().find(meant).unwrap_or(Landmark::Tavern)
    }

    /// Every action space on which the seat may place its minion, until `each` returns `false`.
    pub fn each_space(&self, seat: Seat, mut each: impl FnMut(Ref) -> bool) {
        for space in Space::all() {
            let occupied = self.s.hero_to_summon(space.landmark).is_some();
            let open = self.has_landmark(space.landmark)
                && occupied == (space.errand == Errand::Summon)
                && !self.s.town.minions.contains(&space.to_ref());
            if open && !each(space.to_ref()) {
                return;
            }
        }
        let boss = self.s.player(seat).boss;
        let own = self.s.slots(seat).iter().rev().copied().chain([boss].into_iter().filter(|b| b.exists()));
        for card in own {
            if self.minion_unit(seat, card).is_some() && !each(self.s.ref_of(card)) {
                return;
            }
        }
    }

    /// What a minion on the card does for the seat, if the card has an action space and works.
    pub fn minion_unit(&self, seat: Seat, card: CardId) -> Option<cards::code::UnitId> {
        let works = if self.s.card(card).place.is_boss() {
            self.s.player(seat).levelled
        } else {
            self.is_active_room(card) && !self.has_status(card, cards::vocabulary::Status::Blank)
        };
        self.text(card).minion.filter(|_| works)
    }
}
