//! Bots at the table, and hints: they think on other threads, a few at a time, on a view of their own.

use std::time::Duration;

use bots::{Bot, Hint, Level, PATIENCE, Player, hints};
use engine::{Action, Game, Seat};
use tokio::time::Instant;

use super::chairs::STAND_IN;
use super::game::By;
use super::turns::Asked;
use super::{Command, ConnectionId, Refused, Table};
use crate::store::Sitter;
use crate::wire::{BotLevel, HintMove, ServerMsg};

/// A bot's answer on its way back, and the bot.
pub struct Thought {
    ticket: u64,
    seat: Seat,
    action: Action,
    bot: Box<dyn Bot>,
}

const HINTS: usize = 3;

/// A bot's answer is shown no sooner than this, whether it had a choice or not.
fn beat(level: BotLevel) -> Duration {
    Duration::from_millis(match level {
        BotLevel::Kobold | BotLevel::Minion | BotLevel::MiniBoss => 20,
        BotLevel::Boss => 60,
        BotLevel::TotalBoss => 300,
        BotLevel::GrandBoss => 1_200,
    })
}

impl Table<'_> {
    /// Who plays the seat: its own bot, or one that stands in.
    fn level(&self, seat: Seat) -> (BotLevel, u64) {
        match &self.chairs[seat.index()].sitter {
            Some(Sitter::Bot { level, seed }) => (*level, *seed),
            _ => (STAND_IN, u64::from(seat.0)),
        }
    }

    /// Bots begin anew after anything that they could not have foreseen.
    pub(super) fn seat_bots(&mut self) {
        self.asked = Asked { ticket: self.asked.ticket + 1, ..Asked::nothing() };
        self.bots.clear();
        self.bots.resize_with(self.chairs.len(), || None);
    }

    /// Has the present question answered by a bot.
    pub(super) fn think(&mut self) {
        let Some(play) = &self.play else { return };
        let Some(decision) = play.decision() else { return };
        let seat = decision.seat;
        let (level, seed) = self.level(seat);
        let legal = play.legal();
        self.asked.beat = Some(Instant::now() + beat(level));
        let first = legal.first().copied().unwrap_or(Action::Pass);
        let turn = play.game.state.turn();
        let this_turn = play.steps.iter().rev().take_while(|step| step.turn == turn);
        let tired =
            this_turn.filter(|step| step.seat == seat && step.action != Action::Pass).count() > PATIENCE;
        if legal.len() < 2 || tired && first == Action::Pass {
            self.asked.decided = Some(first);
            return;
        }
        let bot = self.bots[seat.index()].take();
        let bot = bot.or_else(|| Player::Level(Level::from(level)).seat(seed ^ play.steps.len() as u64).ok());
        let Some(mut bot) = bot else { return };
        let (state, cards, hall) = (play.game.state.clone(), self.shared.clone(), self.hall.clone());
        let (ticket, me) = (self.asked.ticket, self.me.clone());
        tokio::spawn(async move {
            let Ok(_permit) = hall.thinking().acquire().await else { return };
            let thought = tokio::task::spawn_blocking(move || {
                let game = Game { db: &cards.db, state };
                let action = bot.choose(&game.view(Some(seat)), &legal);
                let action = if legal.contains(&action) { action } else { first };
                Thought { ticket, seat, action, bot }
            });
            if let (Ok(thought), Some(me)) = (thought.await, me.upgrade()) {
                let _ = me.send(Command::Thought(thought)).await;
            }
        });
    }

    pub(super) async fn thought(&mut self, thought: Thought) {
        if thought.ticket != self.asked.ticket {
            return;
        }
        self.bots[thought.seat.index()] = Some(thought.bot);
        match self.asked.beat {
            Some(beat) if beat > Instant::now() => self.asked.decided = Some(thought.action),
            _ => self.answer(thought.action, By::Bot).await,
        }
    }

    /// What a good player would answer; told when it is found.
    pub(super) fn hint(&mut self, to: ConnectionId, seat: Seat, seq: u32) -> Result<(), Refused> {
        self.named_answer(seat, seq, 0)?;
        let Some(play) = &self.play else { return Ok(()) };
        let (legal, names) = (play.legal(), self.names());
        let (state, cards, hall) = (play.game.state.clone(), self.shared.clone(), self.hall.clone());
        let me = self.me.clone();
        tokio::spawn(async move {
            let Ok(_permit) = hall.thinking().acquire().await else { return };
            let found = tokio::task::spawn_blocking(move || {
                let game = Game { db: &cards.db, state };
                let mut bot = Player::Level(Level::ADVISER).seat(u64::from(seq)).ok()?;
                let found = hints(&game.view(Some(seat)), &names[..], &mut *bot, HINTS);
                let told = found.into_iter().filter_map(|Hint { action, words, chance, reason }| {
                    let index = legal.iter().position(|one| *one == action)? as u32;
                    Some(HintMove { index, words, reason, chance })
                });
                Some(told.collect())
            });
            if let (Ok(Some(moves)), Some(me)) = (found.await, me.upgrade()) {
                let _ = me.send(Command::Hint { to, message: ServerMsg::Hint { seq, moves } }).await;
            }
        });
        Ok(())
    }
}
