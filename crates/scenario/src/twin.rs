//! The same scenario as people play it: questions with one answer are not asked there. Invariant: whenever
//! the scenario stands at a real question, its twin stands at the same one and its table is the same.

use engine::position::Position;
use engine::{Action, Actions, CardId, Game, Place, PlaceKind, SetupError};

use crate::fault::Why;

#[derive(Clone)]
pub(crate) struct Twin<'a> {
    game: Game<'a>,
}

impl<'a> Twin<'a> {
    pub(crate) fn of(game: &Game<'a>, position: &Position) -> Result<Twin<'a>, SetupError> {
        let mut position = position.clone();
        position.rules.ask_all = false;
        Ok(Twin { game: Game::from_position(game.db, &position, &mut ())? })
    }

    /// Takes an answer to a question that has several.
    pub(crate) fn apply(&mut self, action: Action) -> Result<(), Why> {
        self.game.apply(action, &mut ()).map_err(|_| Why::Twin("the answer is not allowed there".into()))
    }

    pub(crate) fn compare(&self, game: &Game) -> Result<(), Why> {
        let (ours, theirs) = (self.game.decision(), game.decision());
        if ours != theirs {
            return Err(Why::Twin(format!("asked there: {ours:?}, here: {theirs:?}")));
        }
        if legal(&self.game)[..] != legal(game)[..] {
            return Err(Why::Twin("other answers are possible there".into()));
        }
        let (a, b) = (&self.game.state, &game.state);
        if (a.turn(), a.phase(), a.active(), a.outcome()) != (b.turn(), b.phase(), b.active(), b.outcome()) {
            return Err(Why::Twin("the turn is elsewhere".into()));
        }
        for card in b.card_ids() {
            if facts(&self.game, card) != facts(game, card) {
                return Err(Why::Twin(format!("{} is not the same", game.name(card))));
            }
        }
        for place in (0..Place::PILES as u8).map(Place) {
            if pile(&self.game, place) != pile(game, place) {
                return Err(Why::Twin(format!("{place:?} is not the same")));
            }
        }
        Ok(())
    }
}

fn legal(game: &Game) -> Actions {
    let mut legal = Actions::new();
    game.legal(&mut legal);
    legal
}

fn facts(game: &Game, card: CardId) -> impl PartialEq + use<> {
    let state = game.state.card(card);
    (state.def, state.place, game.is_facedown(card), game.is_deactivated(card), game.hero_damage(card))
}

/// In hands and in the discard pile the order means nothing.
fn pile(game: &Game, place: Place) -> Vec<CardId> {
    let mut cards: Vec<CardId> = game.state.pile(place).collect();
    if matches!(place.kind(), PlaceKind::Hand | PlaceKind::Discard) {
        cards.sort_unstable();
    }
    cards
}
