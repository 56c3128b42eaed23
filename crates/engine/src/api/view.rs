//! What a player or a spectator may know: a state with everything unseen blanked, the generator
//! included. `sample` fills the blanks at random, and is the only way back to a complete state.
//!
//! Invariant: `view(sample(view(s, p)), p) == view(s, p)`, and p's legal actions are the same in every sample.

use cards::code::DefId;
use cards::db::{CardDb, MAX_DEFS};
use cards::vocabulary::{Kind, Zone};

use crate::Game;
use crate::api::codec::DecodeError;
use crate::code::query::Board;
use crate::fast::answers::Answers;
use crate::model::id::*;
use crate::model::rng::Rng;
use crate::model::state::*;
use crate::setup::contents;
use crate::{Actions, Decision};

/// A game as one viewer may see it.
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
    /// The game as a player sees it; `None` is a spectator, who sees what is public.
    pub fn view(&self, viewer: Option<Seat>) -> View<'a> {
        let mut view = View { viewer, game: self.clone() };
        view.hide();
        view
    }

    /// The same, reusing the memory of another view: cheaper than a new one.
    pub fn view_into(&self, viewer: Option<Seat>, view: &mut View<'a>) {
        view.viewer = viewer;
        view.game.clone_from(self);
        view.hide();
    }

    /// The same game with some other cards in this player's hand, and other ones in the room and spell decks, wherever
    /// nobody else has looked: to everyone else it looks the same. For tests of what shows.
    pub fn with_other_secrets(&self, of: Seat, seed: u64) -> Game<'a> {
        let mut game = self.clone();
        let (state, mut rng) = (&mut game.state, Rng::from_seed(seed));
        // Cards of the hand that stay, by their order in it.
        let kept = rng.below(1 << 16);
        // What a declared ability was paid with, or has revealed, everybody has seen, wherever it is by now.
        let declared = |id: CardId| {
            let mut refs = self.state.pending().iter().flat_map(|pending| pending.code.regs);
            refs.any(|card| card.as_card() == Some(id))
        };
        for kind in [Kind::Room, Kind::Spell] {
            let secret = |id: &CardId| {
                let card = self.state.card(*id);
                let hidden = matches!(card.place.zone(), Zone::Hand | Zone::RoomDeck | Zone::SpellDeck);
                let at = self.state.hand(of).position(|card| card == *id);
                let stays = at.is_some_and(|at| kept >> at & 1 == 1);
                hidden
                    && !stays
                    && !declared(*id)
                    && self.def(*id).kind.backed() == kind
                    && card.seen.and(SeatSet::only(of)) == card.seen
            };
            let (mut defs, mut len) = ([DefId(0); MAX_CARDS], 0);
            for id in self.state.card_ids().filter(secret) {
                (defs[len], len) = (self.def_id(id), len + 1);
            }
            rng.shuffle(&mut defs[..len]);
            for (id, def) in self.state.card_ids().filter(secret).zip(defs) {
                state.card_mut(id).def = def;
            }
        }
        state.rebuild_caches(self.db);
        if state.ask.is_some() {
            state.answers = Board { db: self.db, s: state }.answers();
        }
        game
    }

    /// The game with every card open, for readers of a finished game. Nobody is asked anything.
    pub fn open_view(&self) -> View<'a> {
        let mut state = self.state.clone();
        state.rng = Rng::default();
        state.answers = Answers::NONE;
        View { viewer: None, game: Game { db: self.db, state } }
    }
}

impl Core {
    /// Takes away what the viewer may not know.
    pub(crate) fn hide(&mut self, db: &CardDb, viewer: Option<Seat>) {
        self.rng = Rng::default();
        // Whom the table asks only for cover is not part of a view.
        self.rules.cover = false;
        for id in self.card_ids() {
            let card = self.card_mut(id);
            if !card.seen.shows(viewer) {
                card.def = db.def(card.def).kind.blank();
            }
            // A secret answer is known only to the player who gave it.
            if Some(card.place.seat()) != viewer {
                card.flags.clear(Flags::CHOSEN);
            }
        }
        self.rebuild_caches(db);
    }
}

impl<'a> View<'a> {
    /// Takes away what the viewer may not know of the copied game.
    fn hide(&mut self) {
        let state = &mut self.game.state;
        state.hide(self.game.db, self.viewer);
        if state.ask.map(|ask| ask.seat) != self.viewer {
            state.answers = Answers::NONE;
        }
    }

    /// The viewer; `None` is a spectator.
    pub fn viewer(&self) -> Option<Seat> {
        self.viewer
    }

    pub fn decision(&self) -> Option<Decision> {
        self.board().decision()
    }

    /// The view as bytes, to be looked at on another machine: what the viewer may know, and nothing else.
    pub fn to_bytes(&self) -> Vec<u8> {
        let viewer = self.viewer.unwrap_or(Seat::NONE);
        [&[viewer.0], &self.game.state.to_bytes()[..]].concat()
    }

    /// The same view, with the same cards.
    pub fn from_bytes(db: &'a CardDb, bytes: &[u8]) -> Result<View<'a>, DecodeError> {
        let (viewer, bytes) = bytes.split_first().ok_or(DecodeError::Malformed)?;
        let viewer = Some(Seat(*viewer)).filter(|viewer| viewer.exists());
        let mut state = State::from_bytes(db, bytes)?;
        if viewer.is_some_and(|viewer| viewer.0 >= state.rules().players) {
            return Err(DecodeError::Malformed);
        }
        if state.ask.map(|ask| ask.seat) != viewer {
            state.answers = Answers::NONE;
        }
        Ok(View { viewer, game: Game { db, state } })
    }

    /// The viewer's answers; empty when another player is asked.
    pub fn legal(&self, out: &mut Actions) {
        out.clear();
        if self.decision().is_some_and(|decision| Some(decision.seat) == self.viewer) {
            self.game.legal(out);
        }
    }

    /// The game, to read: unseen cards have a card back for their definition.
    pub fn table(&self) -> &Game<'a> {
        &self.game
    }

    pub fn state(&self) -> &State {
        &self.game.state
    }

    /// A game that looks like this to the viewer: unseen cards are dealt at random from the cards
    /// seen nowhere.
    pub fn sample(&self, seed: u64) -> Game<'a> {
        let mut game = self.game.clone();
        self.fill(seed, &mut game);
        game
    }

    /// As `sample`, reusing the memory of another game: cheaper than a new one.
    pub fn sample_into(&self, seed: u64, game: &mut Game<'a>) {
        game.clone_from(&self.game);
        self.fill(seed, game);
    }

    fn fill(&self, seed: u64, game: &mut Game<'a>) {
        let (db, state) = (game.db, &mut game.state);
        let mut rng = Rng::from_seed(seed);
        let mut seen = [0u16; MAX_DEFS];
        for id in state.card_ids() {
            let def = state.card(id).def;
            if !db.is_blank(def) {
                seen[def.index()] += 1;
            }
        }
        let (mut unseen, mut len) = ([DefId(0); MAX_CARDS], 0);
        let mut counts = [0; Kind::ALL.len()];
        let mut minibosses = false;
        for def in contents(db, &state.rules) {
            let visible = &mut seen[def.index()];
            if *visible > 0 {
                *visible -= 1;
                continue;
            }
            // A position set up by hand may have more cards to choose from.
            if len == MAX_CARDS {
                break;
            }
            (unseen[len], len) = (def, len + 1);
            let kind = db.def(def).kind;
            minibosses |= kind == Kind::Miniboss;
            counts[kind.backed() as usize] += 1;
        }
        // Cards of a kind stand together; each kind is dealt from its end.
        let (mut pools, mut starts) = ([DefId(0); MAX_CARDS], [0; Kind::ALL.len()]);
        for kind in 1..starts.len() {
            starts[kind] = starts[kind - 1] + counts[kind - 1];
        }
        let mut ends = starts;
        for def in &unseen[..len] {
            let end = &mut ends[db.def(*def).kind.backed() as usize];
            (pools[*end], *end) = (*def, *end + 1);
        }
        for (start, end) in starts.iter().zip(ends) {
            rng.shuffle(&mut pools[*start..end]);
        }
        if minibosses {
            // They have the backs of rooms, but lie below one.
            let rooms = starts[Kind::Room as usize];
            for id in state.card_ids() {
                let CardState { def, place, .. } = *state.card(id);
                let wanted = match place {
                    Place::ATTACHED => Kind::Miniboss,
                    place if place.is_dungeon() => Kind::Room,
                    _ => continue,
                };
                let left = &mut pools[rooms..ends[Kind::Room as usize]];
                if db.is_blank(def)
                    && db.def(def).kind == Kind::Room
                    && let Some(at) = left.iter().rposition(|def| db.def(*def).kind == wanted)
                {
                    let last = left.len() - 1;
                    left.swap(at, last);
                    ends[Kind::Room as usize] -= 1;
                    state.card_mut(id).def = left[last];
                }
            }
        }
        for id in state.card_ids() {
            let def = state.card(id).def;
            let kind = db.def(def).kind as usize;
            if db.is_blank(def) && ends[kind] > starts[kind] {
                ends[kind] -= 1;
                state.card_mut(id).def = pools[ends[kind]];
            }
        }
        state.rebuild_caches(db);
        self.sample_answers(state, &mut rng);
        state.rng = Rng::from_seed(seed.rotate_left(32) ^ 0x9e37_79b9_7f4a_7c15);
        state.answers = Board { db, s: state }.answers();
    }

    /// Possible secret answers of the other players (rule 12.1).
    fn sample_answers(&self, state: &mut State, rng: &mut Rng) {
        let Some(Frame::Step(step)) = state.frames.last().copied() else { return };
        let (wanted, asked, bosses) = match step {
            Step::DiscardTwo(seat) => (2, seat, false),
            Step::ChooseBoss(seat) => (1, seat, true),
            _ => return,
        };
        let order = state.order;
        for seat in order.into_iter().take_while(|seat| *seat != asked) {
            if Some(seat) == self.viewer {
                continue;
            }
            let mut cards = [CardId::NONE; MAX_CARDS];
            let mut len = 0;
            let dealt = state.pile(Place::boss(seat)).filter(|_| bosses);
            let hand = state.hand(seat).filter(|_| !bosses);
            for id in dealt.chain(hand) {
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
