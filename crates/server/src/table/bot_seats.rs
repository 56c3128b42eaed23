//! Bots at the table, and hints. They think on other threads, in a fair order (`thinking`), and see only the view of
//! their seat.
//!
//! A bot uses the share of the host's address, as long as the host is connected; then that of another seated player
//! who is; then the one it used last. After a restart, tables to which nobody has come back share one.

use std::sync::Arc;
use std::time::Duration;

use bots::far::{Given, Question, Reply, Wants};
use bots::{Bot, BotLevel, BotSpec, Hint, MAX_ACTIONS_PER_TURN, Pace, hints};
use engine::{Action, Game, Seat};
use tokio::sync::mpsc::WeakSender;
use tokio::time::Instant;

use super::game::AnsweredBy;
use super::seats::STAND_IN;
use super::{Command, ConnectionId, Refused, TableTask, refused};
use crate::store::SeatHolder;
use crate::thinking::far::Outgoing;
use crate::thinking::{Account, Full, Kind, Thought};
use crate::wire::{HintMove, Refusal, ServerMsg};
use crate::work::Requester;

/// A bot's answer on its way back to the table, and the bot itself if it had to think.
pub struct BotAnswer {
    ticket: u64,
    seat: Seat,
    action: Action,
    bot: Option<Box<dyn Bot>>,
}

/// A hint on its way back to the table.
pub struct FoundHint {
    ticket: u64,
    seq: u32,
    moves: Vec<HintMove>,
}

/// The hint that a player has asked for.
pub struct AskedHint {
    seq: u32,
    to: ConnectionId,
    state: HintState,
}

enum HintState {
    Thinking { _thought: Thought },
    Found(Vec<HintMove>),
}

const HINTS: usize = 3;

/// A bot takes at least this long, whether it had a choice or not.
fn shortest_wait(level: BotLevel) -> Duration {
    Duration::from_millis(match level {
        BotLevel::Kobold | BotLevel::Minion | BotLevel::MiniBoss => 20,
        BotLevel::Boss => 60,
        BotLevel::TotalBoss => 300,
        BotLevel::GrandBoss => 1_200,
    })
}

impl TableTask<'_> {
    /// Who plays the seat: its own bot, or one that stands in.
    fn level(&self, seat: Seat) -> (BotLevel, u64) {
        match &self.seats[seat.index()].holder {
            Some(SeatHolder::Bot { level, seed }) => (*level, *seed),
            _ => (STAND_IN, u64::from(seat.0)),
        }
    }

    /// New bots, after anything the old ones could not have foreseen.
    pub(super) fn seat_bots(&mut self) {
        self.close_question();
        self.bots.clear();
        self.bots.resize_with(self.seats.len(), || None);
    }

    /// Whose share of thinking the bots use.
    fn payer(&mut self) -> Requester {
        let seated = self.connections.iter().filter_map(|connection| Some((connection.seat?, connection)));
        let payer = seated.max_by_key(|(seat, _)| self.seats[seat.index()].is_host());
        self.payer = payer.map_or(self.payer, |(_, connection)| connection.by);
        self.payer
    }

    /// Has a bot answer the current question.
    pub(super) fn ask_bot(&mut self) {
        let whose = Account { by: self.payer(), table: self.hold.table };
        let Some(live) = &self.live else { return };
        let Some(decision) = live.decision() else { return };
        let seat = decision.seat;
        let (level, seed) = self.level(seat);
        let legal = live.legal();
        self.question.not_before = Some(Instant::now() + shortest_wait(level));
        let first = legal.first().copied().unwrap_or(Action::Pass);
        let turn = live.game.state.turn();
        let this_turn = live.steps.iter().rev().take_while(|step| step.turn == turn);
        let exhausted = this_turn.filter(|step| step.seat == seat && step.action != Action::Pass).count()
            > MAX_ACTIONS_PER_TURN;
        let (ticket, to_self) = (self.question.ticket, self.to_self.clone());
        let thinking = self.hall.thinking(self.cards);
        let no_choice = legal.len() < 2 || exhausted && first == Action::Pass;
        let new_seed = seed ^ live.steps.len() as u64;
        if let Some(far) = self.hall.far(self.cards) {
            // Also without a choice, so that the way and the time it takes reveal nothing. A new bot, here or there:
            // the answer is the same.
            self.bots[seat.index()] = None;
            let view = live.game.view(Some(seat));
            let name = self.cards.deck.id.name();
            let question = Question::new(&view, legal.len(), name, level, new_seed, Wants::Answer);
            let outgoing = Outgoing { question: question.clone(), level, kind: Kind::Move, whose };
            let (cards, back) = (self.shared.clone(), to_self.clone());
            let answered = move |action| {
                let action = if no_choice { first } else { action };
                deliver(back, Command::BotAnswer(BotAnswer { ticket, seat, action, bot: None }));
            };
            let (here, options) = (answered.clone(), legal.clone());
            let work = move |pace| {
                let found = (!no_choice).then(|| question.answer(&cards.db, Some(pace)).ok()).flatten();
                here(found.and_then(|reply| reply.action(&options)).unwrap_or(first));
            };
            let read = move |reply: &Reply| reply.action(&legal);
            self.question.thought = Some(far.think(thinking, outgoing, read, answered, work));
            return;
        }
        let thought = if no_choice {
            if thinking.is_idle() {
                self.question.decided = Some(first);
                return;
            }
            // It waits for its turn like any other: a quick answer would reveal that there was no choice.
            thinking.think(Kind::Move, whose, move |_| {
                deliver(to_self, Command::BotAnswer(BotAnswer { ticket, seat, action: first, bot: None }));
            })
        } else {
            let bot = self.bots[seat.index()].take();
            let bot = bot.or_else(|| BotSpec::Level(level).seat(new_seed).ok());
            let Some(mut bot) = bot else { return };
            let (state, cards) = (live.game.state.clone(), self.shared.clone());
            thinking.think(Kind::Move, whose, move |pace| {
                let game = Game { db: &cards.db, state };
                bot.set_pace(pace);
                let action = bot.choose(&game.view(Some(seat)), &legal);
                let action = if legal.contains(&action) { action } else { first };
                deliver(to_self, Command::BotAnswer(BotAnswer { ticket, seat, action, bot: Some(bot) }));
            })
        };
        self.question.thought = thought.ok();
    }

    pub(super) async fn bot_answered(&mut self, answer: BotAnswer) {
        if answer.ticket != self.question.ticket {
            return;
        }
        if answer.bot.is_some() {
            self.bots[answer.seat.index()] = answer.bot;
        }
        match self.question.not_before {
            Some(not_before) if not_before > Instant::now() => self.question.decided = Some(answer.action),
            _ => self.answer(answer.action, AnsweredBy::Bot).await,
        }
    }

    /// What a good player would answer; sent when it is found.
    pub(super) fn hint(&mut self, to: ConnectionId, seat: Seat, seq: u32) -> Result<(), Refused> {
        self.resolve_answer(seat, seq, 0)?;
        match self.question.hint.as_ref().filter(|hint| hint.seq == seq).map(|hint| &hint.state) {
            Some(HintState::Thinking { .. }) => {
                return Err(too_fast(seq, "A hint is already on its way."));
            }
            Some(HintState::Found(moves)) => {
                let message = ServerMsg::Hint { seq, moves: moves.clone() };
                self.tell(to, &message);
                return Ok(());
            }
            None => {}
        }
        let Some(live) = &self.live else { return Ok(()) };
        let asker = self.connections.iter().find(|connection| connection.id == to);
        let by = asker.map_or(Requester::Server, |connection| connection.by);
        let whose = Account { by, table: self.hold.table };
        let (legal, names) = (live.legal(), self.names());
        let (state, cards) = (live.game.state.clone(), self.shared.clone());
        let (ticket, to_self) = (self.question.ticket, self.to_self.clone());
        let options = legal.clone();
        let tell = move |bot: &mut dyn Bot| {
            let game = Game { db: &cards.db, state };
            let found = hints(&game.view(Some(seat)), &names[..], bot, HINTS);
            let told = found.into_iter().filter_map(|Hint { action, words, chance, reason }| {
                let index = legal.iter().position(|one| *one == action)? as u32;
                Some(HintMove { index, words, reason, chance })
            });
            deliver(to_self, Command::Hint(FoundHint { ticket, seq, moves: told.collect() }));
        };
        let (level, seed) = (BotLevel::ADVISER, u64::from(seq));
        // A hint for an earlier update is not needed any more.
        self.question.hint = None;
        let thinking = self.hall.thinking(self.cards);
        let thought = if let Some(far) = self.hall.far(self.cards) {
            let view = live.game.view(Some(seat));
            let name = self.cards.deck.id.name();
            let question = Question::new(&view, options.len(), name, level, seed, Wants::Advice);
            let outgoing = Outgoing { question, level, kind: Kind::Hint, whose };
            let read = move |reply: &Reply| reply.advice(&options);
            let here = tell.clone();
            let there = move |mut given: Given| {
                // The words are found here, which takes a moment.
                tokio::task::spawn_blocking(move || tell(&mut given));
            };
            far.think(thinking, outgoing, read, there, move |pace| advise(level, seed, pace, here))
        } else {
            let thought = thinking.think(Kind::Hint, whose, move |pace| advise(level, seed, pace, tell));
            thought.map_err(|Full| too_fast(seq, "Too many hints are asked for: try again soon."))?
        };
        self.question.hint = Some(AskedHint { seq, to, state: HintState::Thinking { _thought: thought } });
        Ok(())
    }

    pub(super) fn hint_found(&mut self, FoundHint { ticket, seq, moves }: FoundHint) {
        if ticket != self.question.ticket {
            return;
        }
        if let Some(hint) = self.question.hint.as_mut().filter(|hint| hint.seq == seq) {
            let to = hint.to;
            hint.state = HintState::Found(moves.clone());
            self.tell(to, &ServerMsg::Hint { seq, moves });
        }
    }

    /// A connection is gone: nobody waits for its hint.
    pub(super) fn forget_hint_of(&mut self, gone: ConnectionId) {
        let pending = |hint: &AskedHint| matches!(hint.state, HintState::Thinking { .. });
        self.question.hint.take_if(|hint| hint.to == gone && pending(hint));
    }
}

fn advise(level: BotLevel, seed: u64, pace: Arc<dyn Pace>, tell: impl FnOnce(&mut dyn Bot)) {
    if let Ok(mut bot) = BotSpec::Level(level).seat(seed) {
        bot.set_pace(pace);
        tell(&mut *bot);
    }
}

/// Sends a result to the table, without holding up the thread that found it.
fn deliver(to_self: WeakSender<Box<Command>>, result: Command) {
    tokio::spawn(async move {
        if let Some(to_self) = to_self.upgrade() {
            let _ = to_self.send(result.into()).await;
        }
    });
}

fn too_fast(seq: u32, words: &str) -> Refused {
    Refused { seq: Some(seq), ..refused(Refusal::TooFast, words) }
}
