//! When a window is worth a player's attention: players may act at very many moments, and few of them matter.
//!
//! Invariant: everything here follows from what everyone can see (the phase, the hero's walk, what was declared, which
//! cards lie open, how many cards a hand has), never from what a hand holds. So who is asked tells nothing.

use cards::vocabulary::{Phase, Zone};

use crate::Game;
use crate::api::forecast::Fate;
use crate::ask::{Action, Question};
use crate::code::query::Board;
use crate::model::id::*;
use crate::model::state::*;

/// A moment at which something is at stake for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// Your time to build, and your one chance to act in your Build phase.
    Build,
    /// Your first hero is about to enter.
    FirstHero,
    /// A hero in your dungeon is about to survive. A room is given if the hero will leave it for another one, and the room's own
    /// ability could change its fate.
    Fate { hero: CardId, room: Option<CardId> },
    /// A hero is about to die for another player. It is given if its souls would win the game. Else that player has many
    /// souls already and you have a card on the table that you may use; one such hero of a turn stands for all.
    Soul { owner: Seat, winning: Option<CardId> },
    /// Another player's declared action, which touches you or could be cancelled.
    Answer { source: Ref, waiting: u8 },
}

/// What a player has passed this turn: they are asked about it once.
#[derive(Clone, Debug, Default)]
pub struct Attention {
    turn: u16,
    passed: Vec<Occasion>,
}

impl Attention {
    /// Is this a moment to ask the player?
    pub fn is_called_for(&self, game: &Game, seat: Seat, question: Question) -> bool {
        game.occasion(seat, question).is_some_and(|occasion| {
            let new = self.turn != game.state.turn() || !self.passed.contains(&occasion);
            new || occasion == Occasion::Build && game.is_building_time(seat)
        })
    }

    /// The player gives this answer. Whoever uses something may want to use more, and is asked again.
    pub fn answered(&mut self, game: &Game, seat: Seat, question: Question, answer: Action) {
        if matches!(answer, Action::Use { .. }) {
            return;
        }
        let turn = game.state.turn();
        if self.turn != turn {
            *self = Attention { turn, passed: Vec::new() };
        }
        self.passed.extend(game.occasion(seat, question));
    }
}

impl Game<'_> {
    /// The player may place a room now: everyone knows what the table is waiting for.
    pub fn is_building_time(&self, seat: Seat) -> bool {
        self.board().may_place_now(seat)
            && self.state.pending().is_empty()
            && self.state.pile_len(Place::rooms(seat)) > 0
    }

    /// What is at stake for this player in the open window.
    pub fn occasion(&self, seat: Seat, question: Question) -> Option<Occasion> {
        if !matches!(question, Question::Act | Question::Cancel) {
            return None;
        }
        let board = self.board();
        let state = &self.state;
        let waiting = state.pending().len() as u8;
        if question == Question::Cancel {
            // Players hardly ever want to cancel their own spell.
            let newest = state.pending().last().filter(|newest| newest.code.you != seat)?;
            let answer = Occasion::Answer { source: newest.code.source, waiting };
            return self.might_act(seat).then_some(answer);
        }
        let others = |entry: &&Pending| entry.code.you != seat && !entry.cancelled;
        if let Some(newest) = state.pending().iter().rfind(others) {
            let touches = board.touches(&newest.code, seat) && self.might_act(seat);
            return touches.then_some(Occasion::Answer { source: newest.code.source, waiting });
        }
        match state.phase() {
            Phase::Build => (state.active() == seat).then_some(Occasion::Build),
            Phase::Adventure => match state.present(state.walk().hero) {
                Some(hero) => self.fate_of(hero, seat),
                None => {
                    let mine = state.active() == seat && state.pile_len(Place::entrance(seat)) > 0;
                    (mine && self.might_act(seat)).then_some(Occasion::FirstHero)
                }
            },
            _ => None,
        }
    }

    /// The hero stands in a room of the active player's dungeon.
    fn fate_of(&self, hero: CardId, seat: Seat) -> Option<Occasion> {
        let state = &self.state;
        let owner = state.active();
        // As a spectator would work it out.
        let forecast = self.view(None).table().forecast(hero, owner);
        let fate = forecast.fate;
        let last = forecast.rooms.is_empty();
        if owner == seat {
            let room = state.slots(owner).get(usize::from(state.walk().slot)).copied();
            return match fate {
                Fate::Wounds if last => self.might_act(seat).then_some(Occasion::Fate { hero, room: None }),
                Fate::Wounds if self.seems_able_with(seat, |card| Some(card) == room) => {
                    Some(Occasion::Fate { hero, room })
                }
                _ => None,
            };
        }
        let enough = self.state.rules().edition().souls_to_win.map(i32::from)?;
        let (has, worth) = (self.souls(owner), i32::from(self.board().def(hero).souls()));
        if !last || fate != Fate::Dies {
            return None;
        }
        let winning = (has < enough && has + worth >= enough).then_some(hero);
        // With half of what it takes, every further soul is worth a thought of those who can do something about it.
        let matters = winning.is_some() && self.might_act(seat) || 2 * has >= enough && self.seems_able(seat);
        matters.then_some(Occasion::Soul { owner, winning })
    }
}

impl Board<'_> {
    /// Does the declared action have to do with this player: with their cards, or with a hero at their dungeon? One that
    /// names no target may.
    fn touches(&self, code: &Code, seat: Seat) -> bool {
        let mut targets = code.regs.iter().filter(|target| **target != Ref::NOTHING).peekable();
        targets.peek().is_none()
            || targets.any(|target| match (target.as_seat(), self.s.present(*target)) {
                (Some(chosen), _) => chosen == seat,
                (_, Some(card)) => {
                    let place = self.s.card(card).place;
                    place.zone() != Zone::Town && place.seat() == seat
                }
                _ => false,
            })
    }
}
