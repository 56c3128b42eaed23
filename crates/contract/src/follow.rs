//! Events are complete: a model that follows them alone knows where every card is.

use std::collections::BTreeMap;

use engine::state::Score;
use engine::{CardId, Event, Game, Phase, Place, Seat, What, Where, Zone};

use crate::{Broken, Kept, hold};

/// A model of the game that learns only from events.
#[derive(Debug, PartialEq, Eq)]
pub struct Follower {
    /// Every card that is not in a dungeon.
    places: BTreeMap<CardId, Place>,
    /// Stacks from the boss on, lowest card first.
    dungeons: Vec<Vec<Vec<CardId>>>,
    /// Unrevealed rooms and souls.
    facedown: Vec<CardId>,
    /// What heroes have taken this turn.
    damage: BTreeMap<CardId, i32>,
    scores: Vec<(u16, u16)>,
    levelled: Vec<bool>,
    in_game: Vec<bool>,
    /// Whose minibosses are in play.
    minibosses: BTreeMap<CardId, Seat>,
}

impl Follower {
    /// The game as it is; from here on only events tell.
    pub fn of(game: &Game) -> Follower {
        Follower::seen(game).with_one_deck()
    }

    fn seen(game: &Game) -> Follower {
        let seats = || (0..game.state.rules().players).map(Seat);
        let stack = |top: &CardId| {
            let mut cards: Vec<CardId> = game.state.stack(*top).collect();
            cards.reverse();
            cards
        };
        let cards = || game.state.card_ids();
        let place = |id| match game.state.card(id).place {
            // Their cards have left the game.
            place if place.seat().exists() && !game.state.in_game(place.seat()) => Place::REMOVED,
            place => place,
        };
        let stacks = || seats().flat_map(|seat| game.state.slots(seat).iter().map(move |top| (*top, seat)));
        let under = |(top, seat)| game.state.attached_to(top).map(move |under| (under.card, seat));
        let score = |seat| (game.souls(seat) as u16, game.wounds(seat) as u16);
        Follower {
            places: cards().filter(|id| !place(*id).is_dungeon()).map(|id| (id, place(id))).collect(),
            dungeons: seats().map(|seat| game.state.slots(seat).iter().map(stack).collect()).collect(),
            facedown: cards().filter(|id| has_sides(place(*id)) && game.is_facedown(*id)).collect(),
            damage: cards()
                .filter(|id| place(*id).is_roaming() || place(*id).is_scoring())
                .filter(|id| game.hero_damage(*id) > 0)
                .map(|id| (id, game.hero_damage(id)))
                .collect(),
            scores: seats().map(score).collect(),
            levelled: seats().map(|seat| game.levelled(seat)).collect(),
            in_game: seats().map(|seat| game.state.in_game(seat)).collect(),
            minibosses: stacks().flat_map(under).collect(),
        }
    }

    /// Follows what happened, and finds every card where the game has it.
    pub fn follow(&mut self, events: &[Event], game: &Game) -> Kept {
        for event in events {
            let event = Event { from: event.from.map(one_deck), to: event.to.map(one_deck), ..*event };
            self.learn(&event)?;
        }
        let now = Follower::of(game);
        if *self == now {
            return Ok(());
        }
        let after: Vec<What> = events.iter().map(|event| event.what).collect();
        let differs = |name: &str, told: &dyn std::fmt::Debug, is: &dyn std::fmt::Debug| {
            Broken(format!("{name} told as {told:?}, in truth {is:?}, after {after:?}"))
        };
        Err(match () {
            () if self.dungeons != now.dungeons => differs("dungeons", &self.dungeons, &now.dungeons),
            () if self.facedown != now.facedown => differs("face-down cards", &self.facedown, &now.facedown),
            () if self.damage != now.damage => differs("damage", &self.damage, &now.damage),
            () if self.scores != now.scores => differs("scores", &self.scores, &now.scores),
            () if self.places != now.places => {
                let moved = now.places.iter().filter(|(card, place)| self.places.get(card) != Some(place));
                differs("places", &"otherwise", &moved.collect::<Vec<_>>())
            }
            () => differs("the table", &self, &now),
        })
    }

    fn learn(&mut self, event: &Event) -> Kept {
        for at in [event.from, event.to].into_iter().flatten() {
            if let Some(Score { souls, wounds }) = at.score {
                self.scores[at.place.seat().index()] = (souls, wounds);
            }
        }
        if let (What::JoinsRoom { .. }, Some(miniboss), Some(room)) = (event.what, event.card, event.room) {
            let has = |stacks: &Vec<Vec<CardId>>| stacks.iter().any(|stack| stack.contains(&room.card));
            let owner = self.dungeons.iter().position(has);
            let owner = owner.ok_or_else(|| Broken(format!("{:?} is in no dungeon", room.card)))?;
            self.minibosses.insert(miniboss.card, Seat(owner as u8));
        }
        match (event.what, event.card) {
            (What::Swapped, _) => {
                let stacks = &mut self.dungeons[event.owner().index()];
                stacks.swap(slot(event.from), slot(event.to));
            }
            (What::Counters { .. }, _) => {}
            (What::TurnsItem { faceup }, Some(item)) => {
                self.facedown.retain(|other| *other != item.card);
                if !faceup {
                    self.facedown.push(item.card);
                    self.facedown.sort();
                }
            }
            (What::ComesUp { .. } | What::StackShuffled { .. }, Some(room)) => {
                let stack = &mut self.dungeons[event.owner().index()][slot(event.to)];
                stack.retain(|other| *other != room.card);
                stack.push(room.card);
            }
            (What::Mulligan { .. }, _) => self.sweep(|place| place.is_hand_of(event.actor)),
            (What::Reshuffled { .. }, _) => self.sweep(|place| place == Place::DISCARD),
            (What::Eliminated { souls, wounds }, _) => {
                self.clear(event.player.expect("a player is out"), souls, wounds)
            }
            (What::LevelsUp, _) => self.levelled[event.actor.index()] = true,
            (What::PhaseBegins { phase: Phase::End }, _) => self.damage.clear(),
            (What::Damaged { taken, .. }, Some(hero)) => {
                self.damage.insert(hero.card, taken.into());
                self.damage.retain(|_, taken| *taken > 0);
            }
            (What::Recovers, Some(hero)) => {
                self.damage.remove(&hero.card);
            }
            (_, Some(card)) => {
                if let (Some(from), Some(to)) = (event.from, event.to) {
                    self.carry(card.card, from, to)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn carry(&mut self, card: CardId, from: Where, to: Where) -> Kept {
        self.facedown.retain(|other| *other != card);
        if to.facedown && has_sides(to.place) {
            self.facedown.push(card);
            self.facedown.sort();
        }
        if to.place == Place::REMOVED {
            self.damage.remove(&card);
        }
        if to.place != Place::ATTACHED {
            self.minibosses.remove(&card);
        }
        // Turned over where it lies.
        if from.place == to.place && from.slot == to.slot {
            return Ok(());
        }
        if from.place.is_dungeon() {
            let stacks = &mut self.dungeons[from.place.seat().index()];
            stacks[slot(Some(from))].retain(|other| *other != card);
            stacks.retain(|stack| !stack.is_empty());
        } else {
            let was = self.places.remove(&card);
            hold(was == Some(from.place), || format!("{card:?} left {:?}, and was at {was:?}", from.place))?;
        }
        if to.place.is_dungeon() {
            let stacks = &mut self.dungeons[to.place.seat().index()];
            match stacks.get_mut(slot(Some(to))) {
                Some(stack) => stack.push(card),
                None => stacks.push(vec![card]),
            }
        } else {
            self.places.insert(card, to.place);
        }
        Ok(())
    }

    /// Cards go back to the decks they came from. Their backs tell which deck; this model does not.
    fn sweep(&mut self, swept: impl Fn(Place) -> bool) {
        for place in self.places.values_mut().filter(|place| swept(**place)) {
            *place = Place::ROOM_DECK;
        }
    }

    fn clear(&mut self, seat: Seat, souls: u16, wounds: u16) {
        self.scores[seat.index()] = (souls, wounds);
        self.in_game[seat.index()] = false;
        let rooms: Vec<CardId> = self.dungeons[seat.index()].drain(..).flatten().collect();
        let under = self.minibosses.iter().filter(|(_, owner)| **owner == seat).map(|(card, _)| *card);
        let gone: Vec<CardId> = rooms.into_iter().chain(under).collect();
        self.minibosses.retain(|_, owner| *owner != seat);
        self.places.extend(gone.into_iter().map(|card| (card, Place::REMOVED)));
        // Heroes at the entrance have events of their own.
        let theirs = |place: Place| place.seat() == seat && place.zone() != Zone::Entrance;
        self.places.values_mut().filter(|place| theirs(**place)).for_each(|place| *place = Place::REMOVED);
        let removed: Vec<CardId> =
            self.places.iter().filter(|(_, place)| **place == Place::REMOVED).map(|(id, _)| *id).collect();
        self.facedown.retain(|card| !removed.contains(card));
        self.damage.retain(|card, _| !removed.contains(card));
    }

    /// The two decks as one: see `sweep`.
    fn with_one_deck(mut self) -> Follower {
        for place in self.places.values_mut().filter(|place| **place == Place::SPELL_DECK) {
            *place = Place::ROOM_DECK;
        }
        self
    }
}

/// Both decks are one here: see `sweep`.
fn one_deck(at: Where) -> Where {
    Where { place: if at.place == Place::SPELL_DECK { Place::ROOM_DECK } else { at.place }, ..at }
}

fn slot(at: Option<Where>) -> usize {
    at.and_then(|at| at.slot).map(usize::from).expect("a dungeon has slots")
}

fn has_sides(place: Place) -> bool {
    place.is_dungeon() || place.is_scoring()
}
