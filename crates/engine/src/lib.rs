//! The rules of the game. Three calls do everything: `decision` says who must answer what, `legal` lists the
//! answers, `apply` takes one and runs on to the next question.
//!
//! The engine has no IO, no clock and no threads, and `legal` and `apply` do not allocate. Equal
//! state and equal action give an equal next state, with or without a log.

mod acts;
mod api;
mod ask;
mod code;
mod fast;
mod flow;
mod model;
pub mod setup;

use cards::code::DefId;
use cards::db::{CardDb, Def};
use cards::vocabulary::Class;

pub use api::arming::{Condition, Granted, Wish};
pub use api::event::{self, Event, Log, Shown, What, Where};
pub use api::forecast::{Fate, Forecast, Visit};
pub use api::luck::{Chance, Luck};
pub use api::stops::{Attention, Occasion};
pub use api::{codec, record, sight, tell, view};
pub use ask::{Action, Actions, Decision, Illegal, Question, WhyNot};
pub use cards::vocabulary::{Phase, Zone};
pub use flow::edition::TieBreak;
pub use flow::solo::SoloScore;
pub use model::frame;
pub use model::id::{self, CardId, Place, Ref, Seat, SeatSet, Spot};
pub use model::state::{self, AskKind, Ending, Flags, Outcome, Score, State};
pub use setup::edit::Edit;
pub use setup::line::{Seed, Setup, SetupLineError};
pub use setup::position;
pub use setup::script::{self, Script};
pub use setup::{Dealer, Rules, Ruleset, SetupError, Variant};

use acts::Runner;
use code::query::Board;

/// A game: its cards and its state. When copying often, keep a game and `clone_from` into it: that
/// copies only what is in use.
pub struct Game<'a> {
    pub db: &'a CardDb,
    pub state: State,
}

impl Clone for Game<'_> {
    fn clone(&self) -> Self {
        Game { db: self.db, state: self.state.clone() }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.db = source.db;
        self.state.clone_from(&source.state);
    }
}

impl<'a> Game<'a> {
    /// The present question and who must answer it; `None` when the game is over.
    pub fn decision(&self) -> Option<Decision> {
        self.board().decision()
    }

    /// The answers to the present question: sorted, and never empty while there is a question.
    pub fn legal(&self, out: &mut Actions) {
        self.board().legal(&self.state.answers, out);
    }

    /// The same list derived slowly and plainly from the rules, for tests to compare with.
    pub fn plain_legal(&self) -> Vec<Action> {
        self.board().plain_legal()
    }

    pub fn is_legal(&self, action: Action) -> bool {
        self.board().is_legal(&self.state.answers, action)
    }

    /// Takes an answer and runs on to the next question. An illegal one is refused and changes nothing.
    pub fn apply(&mut self, action: Action, log: &mut impl Log) -> Result<(), Illegal> {
        self.check_legal(action)?;
        Runner::new(self.db, &mut self.state, log).answer(action);
        Ok(())
    }

    /// As `apply`, with scripted chance.
    pub fn apply_scripted(
        &mut self,
        action: Action,
        log: &mut impl Log,
        script: &mut Script,
    ) -> Result<(), Illegal> {
        self.check_legal(action)?;
        Runner::new(self.db, &mut self.state, log).with_script(script).answer(action);
        Ok(())
    }

    #[inline]
    fn check_legal(&self, action: Action) -> Result<(), Illegal> {
        let ask = self.state.ask.ok_or(Illegal::GameOver)?;
        if self.is_legal(action) { Ok(()) } else { Err(Illegal::NotAllowed(ask.seat)) }
    }

    /// The same game, which from now on also asks players who can only pass. A sample never does.
    pub fn under_cover(mut self) -> Game<'a> {
        self.state.rules.cover = true;
        self
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.state.outcome
    }

    // ---- what players work out in their heads ----

    pub fn def(&self, card: CardId) -> &'a Def {
        self.db.def(self.state.card(card).def)
    }

    pub fn def_id(&self, card: CardId) -> DefId {
        self.state.card(card).def
    }

    pub fn name(&self, card: CardId) -> &'a str {
        &self.def(card).face.name
    }

    /// For an eliminated player, those they had then.
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

    /// An item that was claimed this turn, a miniboss that was revealed this turn.
    pub fn is_new(&self, card: CardId) -> bool {
        self.state.card(card).flags.has(Flags::NEW)
    }

    /// What the room would deal now.
    pub fn room_damage(&self, room: CardId) -> i32 {
        self.board().damage(room)
    }

    pub fn hero_health(&self, hero: CardId) -> i32 {
        self.board().health(hero)
    }

    pub fn hero_damage(&self, hero: CardId) -> i32 {
        i32::from(self.state.marks(hero).damage)
    }

    /// Coins in the player's hoard.
    pub fn coins(&self, seat: Seat) -> u16 {
        self.state.coins(seat)
    }

    /// The card that this one is attached to.
    pub fn host(&self, card: CardId) -> Option<CardId> {
        self.state.host(card)
    }

    /// The boss the player has, or had before being eliminated; none before it is chosen.
    pub fn boss(&self, seat: Seat) -> Option<CardId> {
        let player = self.state.player(seat);
        Some(player.out.map_or(player.boss, |exit| exit.boss)).filter(|boss| boss.exists())
    }

    pub fn levelled(&self, seat: Seat) -> bool {
        self.state.player(seat).levelled
    }

    /// Rooms the seat has placed this turn.
    pub fn placed(&self, seat: Seat) -> u8 {
        self.state.player(seat).placed
    }

    /// The seats that have seen the card.
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

    /// Where the hero would be lured if the Bait phase were now.
    pub fn lured_to(&self, hero: CardId) -> Option<Seat> {
        self.board().lured_to(hero)
    }

    fn board(&self) -> Board<'_> {
        Board { db: self.db, s: &self.state }
    }
}
