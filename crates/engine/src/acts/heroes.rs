//! What happens to heroes, from their deck to a scoring area, and to spells that are cancelled.

use cards::vocabulary::{EventWord, Kind, Phase, Zone};

use crate::acts::Runner;
use crate::api::event::{Log, What};
use crate::code::occurrence::Occurrence;
use crate::flow::edition::Town;
use crate::model::id::*;
use crate::model::state::*;

impl<L: Log> Runner<'_, L> {
    /// From a hero deck to the end of the line in town (rule 5.2).
    pub fn reveal_hero(&mut self) -> bool {
        let deck = [Place::HERO_DECK, Place::EPIC_DECK];
        let top = deck.iter().find_map(|deck| self.s.pile(*deck).next());
        if let Some(id) = top {
            let from = self.at(id);
            self.move_card(id, Place::TOWN);
            self.show_all(id);
            self.tell(|t| {
                let health = t.board().health(id);
                What::Arrives { health }.on(t.shown(id)).moved(from, t.at(id))
            });
            self.queue_triggers(&Occurrence::new(EventWord::Revealed, self.s.ref_of(id), Seat::NONE));
            // On a town board it is not in town before what it does at once is done (8.6).
            if self.db.items && self.s.rules.edition().town == Town::Open {
                self.equip(id);
            }
        }
        top.is_some()
    }

    /// To town, to an entrance, or through one into a dungeon.
    pub fn send_hero(&mut self, hero: CardId, to: Place) {
        let (from, was) = (self.s.card(hero).place, self.at(hero));
        self.move_card(hero, to);
        self.show_all(hero);
        if from.is_inside() && to == Place::entrance(from.seat()) {
            self.s.card_mut(hero).flags.set(Flags::WALKED);
        } else if !to.is_inside() {
            let waits = self.s.rules.edition().sent_wait && self.s.phase == Phase::Adventure;
            let flags = &mut self.s.card_mut(hero).flags;
            if waits { flags.set(Flags::WALKED) } else { flags.clear(Flags::WALKED) }
        }
        if from == Place::LANDMARK {
            self.leave_landmark(hero);
        }
        self.tell(|t| {
            let what = if to.is_inside() { What::EntersDungeon } else { What::Goes };
            what.on(t.shown(hero)).moved(was, t.at(hero))
        });
        if to == Place::TOWN {
            self.settle_town();
        } else if !to.is_inside() {
            self.comes_to_entrance(hero);
        }
    }

    /// Queues what waits for a hero at an entrance.
    fn comes_to_entrance(&mut self, hero: CardId) {
        if self.db.names_entrances {
            let seat = self.s.card(hero).place.seat();
            let mut what = Occurrence::new(EventWord::Enters, self.s.ref_of(hero), seat);
            what.entrance = seat;
            self.queue_triggers(&what);
        }
    }

    /// The same for those that are still at an entrance as a turn begins.
    #[cold]
    pub fn wait_at_entrances(&mut self) {
        for seat in (0..self.s.rules.players).map(Seat) {
            let mut next = self.s.pile(Place::entrance(seat)).next();
            while let Some(hero) = next {
                self.comes_to_entrance(hero);
                next = Some(self.s.card(hero).next).filter(|id| id.exists());
            }
        }
    }

    /// Bait phase: the hero goes to the entrance of the player ahead, or of the one with the treasure
    /// needed.
    pub fn lure(&mut self, hero: CardId, seat: Seat, needed: Option<i32>) {
        let from = self.at(hero);
        self.move_card(hero, Place::entrance(seat));
        let player = self.s.player_mut(seat);
        player.lured = player.lured.saturating_add(1);
        self.tell(|t| {
            let (count, next) = t.board().pull_ahead(hero);
            What::Lured { count, next: needed.unwrap_or(next) }.on(t.shown(hero)).moved(from, t.at(hero))
        });
        self.comes_to_entrance(hero);
    }

    /// Into a room by an effect: the hero will enter it (rule 10.7).
    pub fn move_into(&mut self, hero: CardId, room: CardId) {
        if self.board().def(hero).kind == Kind::Item {
            return self.give(hero, room);
        }
        let seat = self.s.card(room).place.seat();
        let Some(slot) = self.board().slot_of(room) else { return };
        if self.s.walk.hero == self.s.ref_of(hero) && self.s.card(hero).place == Place::inside(seat) {
            let walk = &mut self.s.walk;
            walk.slot = slot as u8;
            walk.moved = true;
            walk.fallen = false;
            self.s.walk.room = self.s.ref_of(room);
        }
    }

    pub fn damage(&mut self, hero: CardId, amount: i32) {
        let amount = amount.clamp(0, 255) as u8;
        let taken = &mut self.s.marks_mut(hero).damage;
        *taken = taken.saturating_add(amount);
        let taken = *taken;
        self.tell(|t| {
            let (room, health) = (t.room_around(hero), t.board().health(hero));
            let cause = t.cause.card.as_card().map_or(room, |card| Some(t.shown(card)));
            let what = What::Damaged { amount, taken, health };
            what.on(t.shown(hero)).in_room(room).because_of(cause).at(t.at(hero))
        });
    }

    /// The hero dies: a soul for the dungeon's owner, or for `by` if it was not in a dungeon.
    pub fn kill(&mut self, hero: CardId, by: Seat) {
        let place = self.s.card(hero).place;
        let seat = if place.seat().exists() { place.seat() } else { by };
        if !place.is_roaming() || !self.s.in_game(seat) {
            return;
        }
        let mut what = Occurrence::new(EventWord::Killed, self.s.ref_of(hero), seat);
        what.then = self.moved_ref(hero);
        what.cause = self.cause;
        if self.s.walk.hero == what.subject && self.s.present(self.s.walk.room).is_some() {
            what.room = self.s.walk.room;
        }
        if self.is_replaced(&what) {
            return;
        }
        self.queue_triggers(&what);
        let (from, room) = (self.at(hero), self.present_shown(what.room));
        self.score_soul(hero, seat);
        self.tell(|t| {
            let souls = t.board().def(hero).souls();
            What::Dies { souls }.on(t.shown(hero)).in_room(room).moved(from, t.at(hero))
        });
    }

    fn score_soul(&mut self, hero: CardId, seat: Seat) {
        self.leave_items(hero, seat, true);
        self.move_card(hero, Place::scoring(seat));
        self.s.card_mut(hero).flags.set(Flags::FACEDOWN);
        self.show_all(hero);
        self.count_point(hero, true);
        let souls = self.board().def(hero).souls();
        let player = self.s.player_mut(seat);
        player.gained = player.gained.saturating_add(souls);
    }

    /// A hero comes into a scoring area without having died or walked there.
    pub fn add_to_score(&mut self, hero: CardId, seat: Seat, facedown: bool) {
        let from = self.at(hero);
        if facedown {
            self.score_soul(hero, seat);
        } else {
            self.leave_items(hero, seat, false);
            self.relocate(hero, Place::scoring(seat));
            self.show_all(hero);
            self.count_point(hero, true);
        }
        self.tell(|t| {
            let points = t.board().def(hero).souls();
            What::Scores { points }.on(t.shown(hero)).moved(from, t.at(hero))
        });
    }

    /// The hero reached the boss (rule 10.5).
    pub fn wound(&mut self, hero: CardId, seat: Seat) {
        let mut what = Occurrence::new(EventWord::Survives, self.s.ref_of(hero), seat);
        what.then = self.moved_ref(hero);
        what.dungeon = seat;
        self.queue_triggers(&what);
        let from = self.at(hero);
        self.leave_items(hero, seat, false);
        self.move_card(hero, Place::scoring(seat));
        if self.db.tells_new {
            self.s.card_mut(hero).flags.set(Flags::WALKED);
        }
        self.count_point(hero, true);
        self.tell(|t| {
            let wounds = t.board().def(hero).souls();
            What::Wounds { wounds }.on(t.shown(hero)).moved(from, t.at(hero))
        });
    }

    /// Rule 11.7; a hero that is not in a scoring area loses its damage.
    pub fn heal(&mut self, hero: CardId) {
        if self.s.card(hero).place.is_roaming() {
            self.s.marks_mut(hero).damage = 0;
            return self.tell(|t| What::Recovers.on(t.shown(hero)).at(t.at(hero)));
        }
        let from = self.at(hero);
        let card = self.s.card_mut(hero);
        if card.place.zone() == Zone::Scoring && !card.flags.has(Flags::FACEDOWN) {
            card.flags.set(Flags::FACEDOWN);
            let seat = card.place.seat();
            let souls = self.board().def(hero).souls();
            let player = self.s.player_mut(seat);
            player.gained = player.gained.saturating_add(souls);
            self.rescore(seat);
            self.tell(|t| What::Healed { points: souls }.on(t.shown(hero)).moved(from, t.at(hero)));
        }
    }

    /// A soul becomes a wound, a wound a soul.
    pub fn flip(&mut self, hero: CardId) {
        let from = self.at(hero);
        let card = self.s.card_mut(hero);
        if !card.place.is_scoring() {
            return;
        }
        if !card.flags.has(Flags::FACEDOWN) {
            return self.heal(hero);
        }
        card.flags.clear(Flags::FACEDOWN);
        let seat = card.place.seat();
        self.rescore(seat);
        self.tell(|t| {
            let points = t.board().def(hero).souls();
            What::TurnedOver { points }.on(t.shown(hero)).moved(from, t.at(hero))
        });
    }

    /// The hero passes the next rooms it would enter.
    pub fn skip(&mut self, hero: CardId, rooms: i32) {
        if self.s.present(self.s.walk.hero) == Some(hero) {
            let rooms = rooms.clamp(0, 99) as u8;
            self.s.walk.skip = self.s.walk.skip.saturating_add(rooms);
            self.tell(|t| What::SkipsRooms { rooms }.on(t.shown(hero)).at(t.at(hero)));
        }
    }

    /// Rule 4.7: the spell has no effect and goes to the discard pile.
    pub fn cancel(&mut self, spell: CardId) {
        let target = self.s.ref_of(spell);
        let entries = &mut self.s.pending;
        if let Some(index) = entries.iter().position(|e| e.code.source == target && !e.cancelled) {
            if entries[index].waiting {
                entries.remove(index);
            } else {
                // It is already resolving and will find itself cancelled.
                entries[index].cancelled = true;
            }
            self.put_away_cancelled(spell);
        } else if self.s.card(spell).place == Place::PENDING {
            // It was about to take effect: its code waits below what its casting has triggered.
            let runs = |frame: &Frame| matches!(frame, Frame::Code(code) if code.source == target);
            if let Some(at) = self.s.frames.iter().rposition(runs) {
                self.s.frames.remove(at);
                self.put_away_cancelled(spell);
            }
        }
    }

    fn put_away_cancelled(&mut self, spell: CardId) {
        let from = self.at(spell);
        self.put_away(spell);
        self.tell(|t| What::Cancelled.on(t.shown(spell)).moved(from, t.at(spell)));
    }
}
