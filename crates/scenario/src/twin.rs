//! The same scenario as people play it: questions with one answer are not asked. Invariant:
//! whenever the scenario is at a real question, its twin is at the same one, in the same state.

use cards::CardDb;
use engine::position::Position;
use engine::{Action, Actions, CardId, Game, Place, Script, SetupError, Zone};

use crate::error::Problem;

#[derive(Clone)]
pub(crate) struct Twin<'a> {
    game: Game<'a>,
    script: Script,
}

impl<'a> Twin<'a> {
    pub(crate) fn of(
        db: &'a CardDb,
        position: &Position,
        mut script: Script,
    ) -> Result<Twin<'a>, SetupError> {
        let mut position = position.clone();
        position.rules.ask_all = false;
        let game = Game::from_position_scripted(db, &position, &mut (), &mut script)?;
        Ok(Twin { game, script })
    }

    /// Takes an answer to a question with several answers.
    pub(crate) fn apply(&mut self, action: Action) -> Result<(), Problem> {
        let applied = self.game.apply_scripted(action, &mut (), &mut self.script);
        applied.map_err(|_| Problem::Twin("the answer is not allowed there".into()))
    }

    pub(crate) fn compare(&self, game: &Game, script: &Script) -> Result<(), Problem> {
        if self.script != *script {
            return Err(Problem::Twin("chance has brought something else there".into()));
        }
        let (ours, theirs) = (self.game.decision(), game.decision());
        if ours != theirs {
            return Err(Problem::Twin(format!("asked there: {ours:?}, here: {theirs:?}")));
        }
        if legal(&self.game)[..] != legal(game)[..] {
            return Err(Problem::Twin("other answers are possible there".into()));
        }
        let (a, b) = (&self.game.state, &game.state);
        if (a.turn(), a.phase(), a.active(), a.outcome()) != (b.turn(), b.phase(), b.active(), b.outcome()) {
            return Err(Problem::Twin("the turn is elsewhere".into()));
        }
        for card in b.card_ids() {
            if facts(&self.game, card) != facts(game, card) {
                return Err(Problem::Twin(format!("{} is not the same", game.name(card))));
            }
        }
        for place in (0..Place::PILES as u8).map(Place) {
            if pile(&self.game, place) != pile(game, place) {
                return Err(Problem::Twin(format!("{place:?} is not the same")));
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

/// The order of hands and of the discard pile does not matter.
fn pile(game: &Game, place: Place) -> Vec<CardId> {
    let mut cards: Vec<CardId> = game.state.pile(place).collect();
    if matches!(place.zone(), Zone::Hand | Zone::Discard) {
        cards.sort_unstable();
    }
    cards
}
