//! The same game where questions with one answer are asked and where they are not: whenever there is
//! a choice, both are at the same question, in the same position.

use cards::code::Op;
use engine::frame::Frame;
use engine::{Action, Actions, CardId, Game, Place, Question, Zone};

use crate::{Broken, Kept, hold};

/// A game that asks everything, to be played beside one that does not.
pub struct Twin<'a> {
    game: Game<'a>,
    /// Several cards that all had to be chosen were named one by one, in an order of their own. Chance
    /// may take another way from there, and nothing is compared.
    parted: bool,
}

impl<'a> Twin<'a> {
    /// `game` was dealt by the same rules with the same key, and asks everything.
    pub fn new(game: Game<'a>) -> Twin<'a> {
        Twin { game, parted: false }
    }

    /// Takes every answer that has to be given, then compares.
    pub fn catch_up(&mut self, other: &Game) -> Kept {
        while let Some(forced) = forced(&self.game).filter(|_| !self.parted) {
            self.parted = legal(&self.game).len() > 1;
            self.apply(forced)?;
        }
        if self.parted {
            return Ok(());
        }
        alike(&self.game, other).map_err(|Broken(what)| Broken(format!("where all is asked: {what}")))
    }

    pub fn apply(&mut self, action: Action) -> Kept {
        if self.parted {
            return Ok(());
        }
        let taken = self.game.apply(action, &mut ());
        taken.map_err(|error| Broken(format!("where all is asked, {action:?} is refused: {error}")))
    }
}

/// The first of the legal answers, if all of them must be given: there is only one, or as many as
/// there are things to choose.
pub fn forced(game: &Game) -> Option<Action> {
    let asked = game.decision()?;
    let needed = match (asked.question, game.state.top_frame()) {
        (Question::Choose(_), Some(Frame::Code(code))) => {
            let start = usize::from(game.db.unit(code.unit).start);
            match game.db.ops.get(start + usize::from(code.pc)) {
                Some(Op::Choose { count, .. }) => usize::from(count.saturating_sub(code.picked)),
                _ => 1,
            }
        }
        _ => 1,
    };
    let legal = legal(game);
    if legal.len() <= needed { legal.first().copied() } else { None }
}

/// Both games are at the same question in the same position; only what was asked on the way differs.
pub fn alike(here: &Game, there: &Game) -> Kept {
    let (ours, theirs) = (here.decision(), there.decision());
    hold(ours == theirs, || format!("asked there: {ours:?}, here: {theirs:?}"))?;
    let (ours, theirs) = (legal(here), legal(there));
    hold(ours[..] == theirs[..], || format!("possible there: {ours:?}, here: {theirs:?}"))?;
    let (a, b) = (&here.state, &there.state);
    let turn = |state: &engine::State| (state.turn(), state.phase(), state.active(), state.outcome());
    hold(turn(a) == turn(b), || "the turn is elsewhere".into())?;
    for card in b.card_ids() {
        let (ours, theirs) = (facts(here, card), facts(there, card));
        hold(ours == theirs, || format!("{card:?} is {ours:?} here, {theirs:?} there"))?;
    }
    for place in (0..Place::PILES as u8).map(Place) {
        let (ours, theirs) = (pile(here, place), pile(there, place));
        hold(ours == theirs, || format!("{place:?} holds {ours:?} here, {theirs:?} there"))?;
    }
    Ok(())
}

fn legal(game: &Game) -> Actions {
    let mut legal = Actions::new();
    game.legal(&mut legal);
    legal
}

/// What it is, where, face down, deactivated, and the damage it has taken.
fn facts<'a>(game: &Game<'a>, card: CardId) -> (&'a str, Place, bool, bool, i32) {
    let place = game.state.card(card).place;
    (game.name(card), place, game.is_facedown(card), game.is_deactivated(card), game.hero_damage(card))
}

/// The order of hands and of the discard pile does not matter.
fn any_order(place: Place) -> bool {
    matches!(place.zone(), Zone::Hand | Zone::Discard)
}

fn pile(game: &Game, place: Place) -> Vec<CardId> {
    let mut cards: Vec<CardId> = game.state.pile(place).collect();
    if any_order(place) {
        cards.sort_unstable();
    }
    cards
}
