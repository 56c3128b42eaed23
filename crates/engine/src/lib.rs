//! The rules of the game. Three calls do everything: `decision` says who must answer what, `legal` lists the
//! answers, `apply` takes one and runs on to the next question.
//!
//! The engine asks nothing of the outside: no IO, no clock, no threads, and no allocation in `legal` and
//! `apply`. Equal state and equal action give an equal next state, with or without a log.

mod acts;
mod answers;
mod ask;
mod building;
pub mod codec;
pub mod event;
mod forecast;
pub mod frame;
mod hero_acts;
pub mod id;
mod numbers;
mod offers;
mod opening;
pub mod position;
mod query;
pub mod record;
mod rng;
mod room_acts;
pub mod setup;
mod setup_line;
mod stack;
pub mod state;
mod stats;
pub mod tell;
mod trigger;
mod turn;
mod uses;
pub mod view;
mod vm;
mod walk;
mod window;

use cards::code::DefId;
use cards::db::{CardDb, Def};
use cards::tree::Class;

pub use ask::{Action, Actions, Decision, Illegal, Question};
pub use event::{Event, Log, Shown};
pub use forecast::{Fate, Forecast};
pub use id::{CardId, Place, PlaceKind, Ref, Seat, SeatSet, Spot};
pub use setup::{Dealer, Rules, SetupError, Variant};
pub use setup_line::{Seed, Setup, SetupLineError};
pub use state::{AskKind, Ending, Flags, Outcome, Phase, State};

use acts::Table;
use query::Board;

/// A game: the cards it is played with, and where it stands. Cloning copies the state's bytes.
#[derive(Clone)]
pub struct Game<'a> {
    pub db: &'a CardDb,
    pub state: State,
}

impl<'a> Game<'a> {
    /// Who must answer what; `None` when the game is over.
    pub fn decision(&self) -> Option<Decision> {
        self.board().decision()
    }

    /// The answers to the present question: sorted, and never empty while there is a question.
    pub fn legal(&self, out: &mut Actions) {
        self.board().legal(&self.state.answers, out);
    }

    pub fn is_legal(&self, action: Action) -> bool {
        self.board().is_legal(&self.state.answers, action)
    }

    /// Takes an answer and runs on to the next question. An illegal one is refused and changes nothing.
    pub fn apply(&mut self, action: Action, log: &mut impl Log) -> Result<(), Illegal> {
        let Some(ask) = self.state.ask else { return Err(Illegal::GameOver) };
        if !self.is_legal(action) {
            return Err(Illegal::NotAllowed(ask.seat));
        }
        Table::new(self.db, &mut self.state, log).answer(action);
        Ok(())
    }

    /// The same game, in which from now on those are asked, too, who can only pass. A sample is without.
    pub fn under_cover(mut self) -> Game<'a> {
        self.state.rules.cover = true;
        self
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.state.outcome
    }

    // ---- the sums that people do by hand ----

    pub fn def(&self, card: CardId) -> &'a Def {
        self.db.def(self.state.card(card).def)
    }

    pub fn def_id(&self, card: CardId) -> DefId {
        self.state.card(card).def
    }

    pub fn name(&self, card: CardId) -> &'a str {
        &self.def(card).face.name
    }

    /// Of somebody who is out, those they had then.
    pub fn souls(&self, seat: Seat) -> i32 {
        let exit = self.state.player(seat).out;
        exit.map_or_else(|| self.board().souls(seat), |exit| i32::from(exit.score.souls))
    }

    pub fn wounds(&self, seat: Seat) -> i32 {
        let exit = self.state.player(seat).out;
        exit.map_or_else(|| self.board().wounds(seat), |exit| i32::from(exit.score.wounds))
    }

    /// The turn in which the player went out.
    pub fn went_in(&self, seat: Seat) -> Option<u16> {
        self.state.player(seat).out.map(|exit| exit.turn)
    }

    /// The dungeon's treasure of a type, boss included.
    pub fn treasure(&self, seat: Seat, class: Class) -> i32 {
        self.board().treasure_of(seat, class)
    }

    /// What the room would deal now.
    pub fn room_damage(&self, room: CardId) -> i32 {
        self.board().damage(room)
    }

    pub fn hero_health(&self, hero: CardId) -> i32 {
        self.board().health(hero)
    }

    pub fn hero_damage(&self, hero: CardId) -> i32 {
        i32::from(self.state.damage(hero))
    }

    /// The boss at the end of the dungeon; none before it is chosen.
    pub fn boss(&self, seat: Seat) -> Option<CardId> {
        Some(self.state.player(seat).boss).filter(|boss| boss.exists())
    }

    pub fn levelled(&self, seat: Seat) -> bool {
        self.state.player(seat).levelled
    }

    /// Rooms the seat has placed this turn.
    pub fn placed(&self, seat: Seat) -> u8 {
        self.state.player(seat).placed
    }

    /// Who has seen what the card is.
    pub fn seen_by(&self, card: CardId) -> SeatSet {
        self.state.card(card).seen
    }

    /// A room placed and not yet revealed; in a scoring area a dead hero.
    pub fn is_facedown(&self, card: CardId) -> bool {
        self.state.card(card).flags.has(Flags::FACEDOWN)
    }

    pub fn is_deactivated(&self, card: CardId) -> bool {
        self.state.card(card).flags.has(Flags::DEACTIVATED)
    }

    pub fn owner(&self, card: CardId) -> Seat {
        self.board().owner(card)
    }

    /// Has this viewer seen what the card is? `None` is a spectator.
    pub fn has_seen(&self, card: CardId, viewer: Option<Seat>) -> bool {
        self.state.card(card).seen.shows(viewer)
    }

    /// The card whose ability is the given answer to "which first?".
    pub fn ordered(&self, answer: Ref) -> Option<CardId> {
        let Some(state::Frame::Triggers(from)) = self.state.top_frame() else { return None };
        let index = usize::from(*from) + usize::from(answer.as_number()?);
        self.state.triggers.get(index)?.source.as_card()
    }

    /// Where the hero would be lured if the Bait phase came now.
    pub fn lured_to(&self, hero: CardId) -> Option<Seat> {
        self.board().lured_to(hero)
    }

    fn board(&self) -> Board<'_> {
        Board { db: self.db, s: &self.state }
    }
}
