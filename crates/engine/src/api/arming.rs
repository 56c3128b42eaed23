//! Armed cards: a spell or an ability that its owner wants to use later, at the next chance or when something happens.
//!
//! Invariant: whether a wish fits, and whether it can be granted without asking, follows from what its owner may see.

use cards::code::{DefId, User};
use cards::vocabulary::Zone;

use crate::Game;
use crate::api::forecast::Fate;
use crate::ask::{Action, Actions, Question};
use crate::model::id::*;

/// What an armed card waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    NextChance,
    /// A hero stands in this room.
    HeroInRoom(CardId),
    /// This hero is on its way through a dungeon and will reach the boss if nobody acts.
    HeroSurvives(CardId),
}

/// A card that its owner wants to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    pub card: CardId,
    /// The same card under another number: hands are shuffled where somebody knew a card of them.
    def: DefId,
    pub when: Condition,
}

impl Wish {
    /// What card it is.
    pub fn def(&self) -> DefId {
        self.def
    }
}

/// A wish that can be granted now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granted {
    /// The player would have nothing to choose. If a target is asked for, it is this card.
    Use(Action),
    /// There is something to choose, so the player must be asked.
    Ask(Action),
}

/// More answers than any use of a card takes.
const MOST_ANSWERS: usize = 16;

impl Game<'_> {
    /// The cards that the player can arm: spells in hand, and cards of their own with abilities that they can use.
    pub fn armable(&self, seat: Seat) -> Vec<CardId> {
        let (state, board) = (&self.state, self.board());
        let boss = state.player(seat).boss;
        let usable = |card: &CardId| {
            let place = state.card(*card).place;
            let hand = place.zone() == Zone::Hand;
            board.units_of(*card).iter().any(|unit| {
                let unit = self.db.unit(*unit);
                if place == Place::spells(seat) {
                    return true;
                }
                unit.from_hand == hand && unit.user != User::Opponents
            })
        };
        let own = state.hand(seat).chain(state.slots(seat).iter().copied());
        own.chain(boss.exists().then_some(boss)).filter(usable).collect()
    }

    /// The wish, if it could ever come true.
    pub fn wish(&self, seat: Seat, card: CardId, when: Condition) -> Option<Wish> {
        let exists = |card: CardId| self.state.card_ids().any(|id| id == card);
        let possible = match when {
            Condition::NextChance => true,
            Condition::HeroInRoom(other) | Condition::HeroSurvives(other) => exists(other),
        };
        if !possible || !exists(card) || !self.armable(seat).contains(&card) {
            return None;
        }
        let wish = Wish { card, def: self.def_id(card), when };
        self.is_possible(when).then_some(wish)
    }

    /// The wish as it is now; `None` if its card has left, or what it waits for cannot happen any more.
    pub fn kept(&self, seat: Seat, wish: Wish) -> Option<Wish> {
        let same = |card: &CardId| self.def_id(*card) == wish.def;
        let armable = self.armable(seat);
        let there = Some(wish.card).filter(|card| armable.contains(card) && same(card));
        let hand = |card: &CardId| self.state.card(*card).place.zone() == Zone::Hand;
        let card = there.or_else(|| armable.into_iter().find(|card| hand(card) && same(card)))?;
        self.is_possible(wish.when).then_some(Wish { card, ..wish })
    }

    fn is_possible(&self, when: Condition) -> bool {
        let zone = |card: CardId| self.state.card(card).place.zone();
        match when {
            Condition::NextChance => true,
            Condition::HeroInRoom(room) => zone(room) == Zone::Dungeon,
            Condition::HeroSurvives(hero) => matches!(zone(hero), Zone::Town | Zone::Entrance | Zone::Inside),
        }
    }

    /// Whether this is the moment for the wish, and if so how. `legal` are the player's answers.
    pub fn granted(&self, seat: Seat, wish: &Wish, legal: &Actions) -> Option<Granted> {
        if !self.holds(seat, wish.when) {
            return None;
        }
        let uses = |action: &&Action| matches!(action, Action::Use { card, .. } if *card == wish.card);
        let mut uses = legal.iter().filter(uses);
        let action = *uses.next()?;
        let several = uses.next().is_some();
        let free = !several && self.is_free_of_choice(seat, action, wish.when);
        Some(if free { Granted::Use(action) } else { Granted::Ask(action) })
    }

    fn holds(&self, seat: Seat, when: Condition) -> bool {
        let state = &self.state;
        let walk = state.walk();
        match when {
            Condition::NextChance => true,
            Condition::HeroInRoom(room) => {
                state.present(walk.hero).is_some() && state.present(walk.room) == Some(room)
            }
            Condition::HeroSurvives(hero) => {
                state.present(walk.hero) == Some(hero)
                    && self.view(Some(seat)).table().forecast(hero, state.active()).fate == Fate::Wounds
            }
        }
    }

    /// What the wish is about, if the player is asked for a target: the hero, else the room.
    pub fn aim(&self, when: Condition, legal: &Actions) -> Option<Action> {
        let walk = self.state.walk();
        let aims = match when {
            Condition::NextChance => return None,
            Condition::HeroInRoom(_) => [Some(walk.hero), Some(walk.room)],
            Condition::HeroSurvives(_) => [Some(walk.hero), None],
        };
        let picks = aims.into_iter().flatten().map(Action::Pick);
        picks.into_iter().find(|pick| legal.contains(pick))
    }

    /// The use asks its player nothing but for the hero or the room that the wish names. Tried out in a game that looks
    /// the same to them.
    fn is_free_of_choice(&self, seat: Seat, action: Action, when: Condition) -> bool {
        let mut game = self.view(Some(seat)).sample(0);
        let (mut next, mut legal) = (action, Actions::new());
        for _ in 0..MOST_ANSWERS {
            if game.apply(next, &mut ()).is_err() {
                return false;
            }
            let Some(decision) = game.decision().filter(|decision| decision.seat == seat) else {
                return true;
            };
            if matches!(decision.question, Question::Act | Question::Cancel) {
                return true;
            }
            game.legal(&mut legal);
            // Whatever else is asked is the player's to decide.
            let Some(aim) = game.aim(when, &legal) else { return false };
            next = aim;
        }
        false
    }
}
