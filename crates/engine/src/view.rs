//! What one player, or somebody who only watches, may know: a state with everything unseen blanked, the
//! generator included. `sample` fills the blanks at random and is the only way to a state without them.
//!
//! Invariant: `view(sample(view(s, p)), p) == view(s, p)`, and p's legal actions are the same in every sample.

use cards::code::DefId;
use cards::db::{CardDb, DefKind, MAX_DEFS};

use crate::Game;
use crate::answers::Answers;
use crate::id::*;
use crate::query::Board;
use crate::rng::Rng;
use crate::setup::contents;
use crate::state::*;
use crate::{Actions, Decision};

/// A game as one viewer may know it.
#[derive(Clone)]
pub struct View<'a> {
    viewer: Option<Seat>,
    game: Game<'a>,
}

impl PartialEq for View<'_> {
    fn eq(&self, other: &View) -> bool {
        self.viewer == other.viewer && self.game.state == other.game.state
    }
}

impl<'a> Game<'a> {
    /// The game through a player's eyes; `None` is a spectator, who sees what everybody sees.
    pub fn view(&self, viewer: Option<Seat>) -> View<'a> {
        let mut state = self.state.clone();
        state.rng = Rng::default();
        // In nobody's head is anybody asked who can only pass.
        state.rules.cover = false;
        for id in self.state.card_ids() {
            let card = state.card_mut(id);
            if !card.seen.shows(viewer) {
                card.def = self.db.def(card.def).kind.blank();
            }
            // A secret answer stays with the one who gave it.
            if Some(card.place.seat()) != viewer {
                card.flags.clear(Flags::CHOSEN);
            }
        }
        state.look_through(self.db);
        if state.ask.map(|ask| ask.seat) != viewer {
            state.answers = Answers::NONE;
        }
        View { viewer, game: Game { db: self.db, state } }
    }

    /// The game with every card open, for those who look back at one that is over. Nobody's eyes: nobody is asked.
    pub fn open_view(&self) -> View<'a> {
        let mut state = self.state.clone();
        state.rng = Rng::default();
        state.answers = Answers::NONE;
        View { viewer: None, game: Game { db: self.db, state } }
    }
}

impl<'a> View<'a> {
    /// Whose eyes these are; `None` is a spectator.
    pub fn viewer(&self) -> Option<Seat> {
        self.viewer
    }

    pub fn decision(&self) -> Option<Decision> {
        self.board().decision()
    }

    /// The viewer's own answers; empty when somebody else is asked.
    pub fn legal(&self, out: &mut Actions) {
        out.clear();
        if self.decision().is_some_and(|decision| Some(decision.seat) == self.viewer) {
            self.game.legal(out);
        }
    }

    /// The table, to look at: blank cards have a card back for their definition.
    pub fn table(&self) -> &Game<'a> {
        &self.game
    }

    pub fn state(&self) -> &State {
        &self.game.state
    }

    /// A state that looks like this to the viewer: unseen cards are dealt from those not seen anywhere.
    pub fn sample(&self, seed: u64) -> Game<'a> {
        let Game { db, mut state } = self.game.clone();
        let mut rng = Rng::from_seed(seed);
        let mut unseen = [[DefId(0); MAX_CARDS]; DefKind::ALL.len()];
        let mut counts = [0; DefKind::ALL.len()];
        let mut seen = [0u8; MAX_DEFS];
        for id in state.card_ids() {
            let def = state.card(id).def;
            if !CardDb::is_blank(def) {
                seen[def.index()] += 1;
            }
        }
        for def in contents(db, &state.rules) {
            let visible = &mut seen[def.index()];
            if *visible > 0 {
                *visible -= 1;
                continue;
            }
            let kind = db.def(def).kind as usize;
            unseen[kind][counts[kind]] = def;
            counts[kind] += 1;
        }
        for (pool, count) in unseen.iter_mut().zip(counts) {
            rng.shuffle(&mut pool[..count]);
        }
        for id in state.card_ids() {
            let kind = db.def(state.card(id).def).kind as usize;
            if CardDb::is_blank(state.card(id).def) && counts[kind] > 0 {
                counts[kind] -= 1;
                state.card_mut(id).def = unseen[kind][counts[kind]];
            }
        }
        state.look_through(db);
        self.sample_answers(&mut state, &mut rng);
        state.rng = Rng::from_seed(seed.rotate_left(32) ^ 0x9e37_79b9_7f4a_7c15);
        state.answers = Board { db, s: &state }.answers();
        Game { db, state }
    }

    /// Secret answers of the others, as they might have been (rule 12.1).
    fn sample_answers(&self, state: &mut State, rng: &mut Rng) {
        let Some(Frame::Step(step, index)) = state.frames.last().copied() else { return };
        let wanted = match step {
            Step::DiscardTwo => 2,
            Step::ChooseBoss => 1,
            _ => return,
        };
        let order = state.order;
        for seat in order.into_iter().take(usize::from(index)) {
            if Some(seat) == self.viewer {
                continue;
            }
            let mut cards = [CardId::NONE; MAX_CARDS];
            let mut len = 0;
            let bosses = state.pile(Place::boss(seat)).filter(|_| step == Step::ChooseBoss);
            let hand = state.hand(seat).filter(|_| step == Step::DiscardTwo);
            for id in bosses.chain(hand) {
                cards[len] = id;
                len += 1;
            }
            rng.shuffle(&mut cards[..len]);
            for id in &cards[..len.min(wanted)] {
                state.card_mut(*id).flags.set(Flags::CHOSEN);
            }
        }
    }

    fn board(&self) -> Board<'_> {
        self.game.board()
    }
}
