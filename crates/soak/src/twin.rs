//! The same game where questions with one answer are asked and where they are not: whenever there is
//! a choice, both are at the same question, in the same position.

use engine::{Actions, CardId, Game, Place, Zone};

use crate::{Broken, Kept, hold};

/// A game that asks everything, to be played beside one that does not.
pub struct Twin<'a> {
    game: Game<'a>,
    legal: Actions,
}

impl<'a> Twin<'a> {
    /// `game` was dealt by the same rules with the same key, and asks everything.
    pub fn new(game: Game<'a>) -> Twin<'a> {
        Twin { game, legal: Actions::new() }
    }

    /// Takes every answer that is the only one, then compares.
    pub fn catch_up(&mut self, other: &Game) -> Kept {
        while self.game.decision().is_some() {
            self.game.legal(&mut self.legal);
            let [only] = self.legal[..] else { break };
            self.apply(only)?;
        }
        alike(&self.game, other).map_err(|Broken(what)| Broken(format!("where all is asked: {what}")))
    }

    pub fn apply(&mut self, action: engine::Action) -> Kept {
        let taken = self.game.apply(action, &mut ());
        taken.map_err(|error| Broken(format!("where all is asked, {action:?} is refused: {error}")))
    }
}

/// Both games are at the same question in the same position; only what was asked on the way differs.
pub fn alike(here: &Game, there: &Game) -> Kept {
    let (ours, theirs) = (here.decision(), there.decision());
    hold(ours == theirs, || format!("asked there: {ours:?}, here: {theirs:?}"))?;
    hold(legal(here)[..] == legal(there)[..], || "other answers are possible there".into())?;
    let (a, b) = (&here.state, &there.state);
    let turn = |state: &engine::State| (state.turn(), state.phase(), state.active(), state.outcome());
    hold(turn(a) == turn(b), || "the turn is elsewhere".into())?;
    for card in b.card_ids() {
        hold(facts(here, card) == facts(there, card), || format!("{} is not the same", there.name(card)))?;
    }
    for place in (0..Place::PILES as u8).map(Place) {
        hold(pile(here, place) == pile(there, place), || format!("{place:?} is not the same"))?;
    }
    Ok(())
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
