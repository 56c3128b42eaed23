//! What nobody knows yet, for those who look at everything that can happen: random picks and the order of
//! the decks. A step is taken with `Luck`, which says how they fall; what it leaves open is counted.
//!
//! Invariant: `step_under` changes the order of unseen cards of a deck and nothing else before it applies
//! the answer, so every game it leads to could have been dealt.

use cards::code::DefId;
use cards::vocabulary::Zone;
use sha2::{Digest, Sha256};

use crate::Game;
use crate::api::event::{Event, What};
use crate::ask::{Action, Illegal};
use crate::model::id::*;
use crate::model::rng::Rng;
use crate::setup::script::{Pick, Script};

/// How chance falls in one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Luck {
    /// Which candidate each random pick takes, by its place among them.
    pub picks: Vec<u8>,
    /// What unseen cards of decks turn out to be.
    pub cards: Vec<(CardId, DefId)>,
}

/// What a step left to chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Nothing that this turn could still depend on.
    None,
    /// A random pick among so many.
    Pick(u8),
    /// A card that came off its deck, or was looked at there.
    Card(CardId),
    /// A deck was shuffled, or a pick depends on cards that are not settled: too much to follow.
    Shuffle,
}

impl<'a> Game<'a> {
    /// Shows the seat every card that does not lie in a deck, such as hands and rooms placed face down, and those in
    /// decks that somebody has seen.
    pub fn open_hands(&mut self, to: Seat) {
        for id in self.state.card_ids() {
            let card = self.state.card_mut(id);
            let known = !card.place.zone().is_deck() || card.seen != SeatSet::EMPTY;
            if known && card.place.zone() != Zone::Box {
                card.seen = card.seen.with(to);
            }
        }
    }

    /// Takes an answer with this luck, and says what it left open first. Events after the beginning of the
    /// next turn are not looked at.
    pub fn step_under(
        &mut self,
        action: Action,
        luck: &Luck,
        viewer: Seat,
        log: &mut Vec<Event>,
    ) -> Result<Chance, Illegal> {
        self.check_legal(action)?;
        for settled in 0..luck.cards.len() {
            self.turns_out(&luck.cards[..=settled], viewer);
        }
        let before = self.deck_cards(viewer);
        let mut script = Script::default();
        script.picks.extend(luck.picks.iter().map(|nth| Pick::Nth(*nth)));
        let turn = self.state.turn();
        let first = log.len();
        self.apply_scripted(action, log, &mut script)?;
        if script.misfit.is_some() {
            return Ok(Chance::Shuffle);
        }
        if let Some(candidates) = script.open_picks.first() {
            return Ok(Chance::Pick(*candidates));
        }
        let settled = |id: &CardId| luck.cards.iter().any(|(card, _)| card == id);
        let mut chance = Chance::None;
        let mut shuffled = false;
        for event in &log[first..] {
            match event.what {
                What::TurnBegins { .. } | What::GameOver { .. } => break,
                What::Shuffled | What::Reshuffled { .. } => shuffled = true,
                _ => {}
            }
            let named = [event.card, event.cause, event.room].into_iter().flatten().map(|shown| shown.card);
            let drawn = named.into_iter().find(|id| before.contains(id) && !settled(id));
            if let (Some(card), Chance::None) = (drawn, chance) {
                chance = Chance::Card(card);
            }
        }
        if shuffled {
            return Ok(Chance::Shuffle);
        }
        if chance == Chance::None && self.state.turn() == turn && self.state.outcome().is_none() {
            let looked_at = |id: &CardId| {
                let card = self.state.card(*id);
                card.place.zone().is_deck() && card.seen != SeatSet::EMPTY && !settled(id)
            };
            if let Some(card) = before.iter().copied().find(looked_at) {
                chance = Chance::Card(card);
            }
        }
        Ok(chance)
    }

    /// What an unseen card of a deck could be: each once, in the order of the cards.
    pub fn could_be(&self, card: CardId, viewer: Seat, luck: &Luck) -> Vec<DefId> {
        let mut game = self.clone();
        for settled in 0..luck.cards.len() {
            game.turns_out(&luck.cards[..=settled], viewer);
        }
        let place = game.state.card(card).place;
        let settled = |id: &CardId| luck.cards.iter().any(|(other, _)| other == id);
        let free = |id: &CardId| game.state.card(*id).place == place && !settled(id);
        let cards = game.deck_cards(viewer).into_iter().filter(free);
        let mut found: Vec<DefId> = cards.map(|id| game.def_id(id)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Names what this turn can depend on, so that equal names can have no different ends: the table as the
    /// seat sees it, without the generator and the number of decisions.
    pub fn position_key(&self, viewer: Seat) -> [u8; 16] {
        let mut state = self.state.clone();
        state.rng = Rng::default();
        state.decisions = 0;
        for id in state.card_ids() {
            let card = state.card_mut(id);
            if !card.place.zone().is_deck() {
                card.seen = SeatSet::EMPTY;
            } else if !card.seen.has(viewer) {
                (card.seen, card.def) = (SeatSet::EMPTY, self.db.def(card.def).kind.blank());
            }
        }
        let hash = Sha256::digest(state.to_bytes());
        std::array::from_fn(|i| hash[i])
    }

    /// The cards of all decks that the seat has not seen.
    fn deck_cards(&self, viewer: Seat) -> Vec<CardId> {
        let unseen = |id: &CardId| {
            let card = self.state.card(*id);
            card.place.zone().is_deck() && !card.seen.has(viewer)
        };
        self.state.card_ids().filter(unseen).collect()
    }

    /// The last of these cards changes places with an unseen one of its deck that is what it turns out to be.
    fn turns_out(&mut self, cards: &[(CardId, DefId)], viewer: Seat) {
        let Some(((card, def), settled)) = cards.split_last() else { return };
        let was = self.def_id(*card);
        let place = self.state.card(*card).place;
        let free = |id: &CardId| {
            let settled = settled.iter().any(|(other, _)| other == id);
            !settled && self.state.card(*id).place == place && self.def_id(*id) == *def
        };
        if was != *def
            && let Some(other) = self.deck_cards(viewer).into_iter().find(free)
        {
            self.state.card_mut(other).def = was;
            self.state.card_mut(*card).def = *def;
        }
    }
}
