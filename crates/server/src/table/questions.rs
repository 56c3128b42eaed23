//! From one question to the next: answers, and windows that close by themselves.
//!
//! Invariant: how long a window lasts depends on the players' stops, on clocks, on what has just happened and on what
//! is declared, never on a hand. A player with nothing to do is asked for as long as one with options. An early pass
//! takes effect when the window closes, unless everyone can see that the player had something to use. A question with one answer is put like any other where somebody could notice the difference.

use std::time::Duration;

use engine::{Action, Decision, Seat, SeatSet};
use tokio::time::Instant;

use super::bot_seats::AskedHint;
use super::clocks::{Hold, RunningClock};
use super::game::AnsweredBy;
use super::pace::{LONGEST, showing};
use super::seats::EarlyEnd;
use super::windows::is_window;
use super::{RETRY, Refused, TableTask};
use crate::store::{Change, LogEntry};
use crate::thinking::Thought;
use crate::wire::{PassUntil, Refusal, ServerMsg};
use engine::record::ActionText;

/// How soon a bot's answer that could not be stored is tried again.
const STORE_RETRY: Duration = Duration::from_secs(1);

/// The question that is open now.
pub struct OpenQuestion {
    pub since: Instant,
    /// When the window closes, unless a player holds it or acts.
    pub closes: Option<Instant>,
    pub hold: Option<Hold>,
    pub clock: Option<RunningClock>,
    /// Who agrees that a bot should answer.
    pub agreed: SeatSet,
    /// The others know that they can decide about the player who is asked.
    pub silence_told: bool,
    /// A bot's answer is not shown before this.
    pub not_before: Option<Instant>,
    /// What the bot has decided.
    pub decided: Option<Action>,
    /// Tells this question from earlier ones that a bot may still be thinking about.
    pub ticket: u64,
    /// The bot's thought. It ends with the question, as does the hint.
    pub thought: Option<Thought>,
    pub hint: Option<AskedHint>,
}

impl OpenQuestion {
    pub fn none() -> OpenQuestion {
        OpenQuestion {
            since: Instant::now(),
            closes: None,
            hold: None,
            clock: None,
            agreed: SeatSet::EMPTY,
            silence_told: false,
            not_before: None,
            decided: None,
            ticket: 0,
            thought: None,
            hint: None,
        }
    }
}

/// What happens to the current question.
pub enum NextMove {
    /// The table answers at once.
    Automatic(Action),
    /// The table answers as the player has wished.
    Armed(Action),
    AskPerson,
    AskBot,
    GameOver,
}

impl TableTask<'_> {
    pub(super) fn deadline(&self) -> Instant {
        let question = &self.question;
        let idle = Some(self.idle_since).filter(|_| self.connections.is_empty());
        let mut next = idle.unwrap_or_else(Instant::now) + self.idle_limit();
        let mut at = |time: Option<Instant>| next = time.map_or(next, |time| next.min(time));
        if self.ended.is_none() {
            at(question.closes.filter(|_| question.hold.is_none()));
            at(question.hold.and_then(|hold| hold.until));
            at(question.clock.map(|clock| clock.until));
            at(self.silence_due());
            at(question.not_before.filter(|_| question.decided.is_some()));
        }
        at(self.shuffle.as_ref().map(|shuffle| shuffle.until));
        at(self.host_due());
        at(self.delayed.front().map(|(time, _)| *time));
        if self.connections.iter().any(|connection| connection.lagging) {
            at(Some(Instant::now() + RETRY));
        }
        next
    }

    /// Something is due.
    pub(super) async fn tick(&mut self) {
        self.catch_up();
        self.deal_when_due().await;
        let now = Instant::now();
        let due = |time: Option<Instant>| time.is_some_and(|time| time <= now);
        if due(self.host_due()) {
            self.pass_on_host().await;
        }
        let Some(seat) = self.asked_seat() else { return };
        if due(self.silence_due()) {
            self.question.silence_told = true;
            self.table_changed();
        }
        if due(self.question.not_before)
            && let Some(action) = self.question.decided.take()
        {
            return self.answer(action, AnsweredBy::Bot).await;
        }
        if due(self.question.hold.and_then(|hold| hold.until)) {
            self.release();
        }
        if due(self.question.closes) && self.question.hold.is_none() {
            // Whether the player passed or let it close is nobody's business, not even for taking back.
            return self.answer(Action::Pass, AnsweredBy::Person).await;
        }
        if due(self.question.clock.map(|clock| clock.until)) && self.set_away(seat, true).await.is_err() {
            self.question.clock = self.question.clock.map(|clock| clock.postponed(STORE_RETRY));
        }
    }

    /// The seat that must answer now.
    pub(super) fn asked_seat(&self) -> Option<Seat> {
        let live = self.live.as_ref().filter(|_| self.ended.is_none())?;
        live.decision().map(|decision| decision.seat)
    }

    /// A click: the answer `index` to the question `seq`.
    pub(super) async fn act(&mut self, seat: Seat, seq: u32, index: u32) -> Result<(), Refused> {
        let action = self.resolve_answer(seat, seq, index)?;
        let early = self.question.closes.is_some_and(|closes| closes > Instant::now());
        if action == Action::Pass && early && !self.has_open_choice(seat) {
            // It counts when the window closes.
            self.release();
            self.stop_clock();
            return Ok(());
        }
        self.answer(action, AnsweredBy::Person).await;
        Ok(())
    }

    /// Everyone can see that the player may use something: passing tells nothing of a hand.
    fn has_open_choice(&self, seat: Seat) -> bool {
        self.live.as_ref().is_some_and(|live| live.game.seems_able(seat))
    }

    /// The one place where an answer from outside becomes an action.
    pub(super) fn resolve_answer(&self, seat: Seat, seq: u32, index: u32) -> Result<Action, Refused> {
        let no = |code, words: &str| Refused { code, words: words.into(), seq: Some(seq) };
        let Some(live) = self.live.as_ref().filter(|_| self.ended.is_none()) else {
            return Err(no(Refusal::NotNow, "No game is in progress."));
        };
        if seq != self.seq {
            return Err(no(Refusal::Stale, "The game has moved on since."));
        }
        let seat_state = &self.seats[seat.index()];
        if self.asked_seat() != Some(seat) || !seat_state.is_present() {
            return Err(no(Refusal::NotAsked, "It is not your turn to answer."));
        }
        let legal = live.legal();
        let action = usize::try_from(index).ok().and_then(|index| legal.get(index).copied());
        action.ok_or_else(|| no(Refusal::NotLegal, "There is no such answer."))
    }

    /// What the player has said about being asked may answer the current question.
    pub(super) async fn answer_if_settled(&mut self, seat: Seat) {
        if self.asked_seat() != Some(seat) {
            return;
        }
        if self.question.closes.is_none()
            && let NextMove::Automatic(action) = self.next_move()
        {
            self.answer(action, AnsweredBy::Table).await;
        }
    }

    /// The moment of what the player has just armed may be now.
    pub(super) async fn use_if_armed(&mut self, seat: Seat) {
        if self.asked_seat() != Some(seat) {
            return;
        }
        if let NextMove::Armed(action) = self.next_move() {
            self.must_update = true;
            if self.apply_armed(action) {
                self.advance().await;
            }
        }
    }

    /// Gives an answer and moves on to the next question that someone has to answer.
    pub(super) async fn answer(&mut self, action: Action, by: AnsweredBy) {
        let Some(seat) = self.asked_seat() else { return };
        self.must_update |= self.seats[seat.index()].is_present();
        if !self.apply(action, by) {
            return;
        }
        self.advance().await;
    }

    fn apply(&mut self, action: Action, by: AnsweredBy) -> bool {
        self.apply_as(action, by, false)
    }

    /// The table gives the answer that the player has wished for: it is theirs.
    fn apply_armed(&mut self, action: Action) -> bool {
        self.apply_as(action, AnsweredBy::Person, true)
    }

    fn apply_as(&mut self, action: Action, by: AnsweredBy, armed: bool) -> bool {
        let Some(live) = &mut self.live else { return false };
        let decision = live.decision();
        let seat = decision.map(|decision| decision.seat);
        if let Some(Decision { seat, question, .. }) = decision
            && by == AnsweredBy::Person
        {
            self.seats[seat.index()].attention.answered(&live.game, seat, question, action);
            self.answer_ends_wishes(seat, question, action, armed);
        }
        let applied = self.timed(|table| Some(table.live.as_mut()?.apply(action, by, &mut table.unsent)));
        if !matches!(applied, Some(Ok(()))) {
            return false;
        }
        self.forget_aims();
        self.moves.increment(1);
        let action = ActionText(action);
        self.unstored.push(if by == AnsweredBy::Table {
            LogEntry::Auto(action)
        } else {
            LogEntry::Acts(action)
        });
        self.seats_changed |= self.question.silence_told;
        self.close_question();
        if by == AnsweredBy::Bot {
            self.let_back(seat);
        }
        if let Some(request) = self.undo_request.take() {
            let words = "The game has moved on, so nothing is taken back.".into();
            self.tell_seated(&ServerMsg::UndoAnswered { request: request.id, granted: false, words });
        }
        true
    }

    /// Answers what needs nobody, stores and shows what happened, and puts the next question.
    pub(super) async fn advance(&mut self) {
        self.let_back(None);
        let mut answered = 0;
        let mut next = loop {
            self.end_passing();
            match self.timed(|table| table.next_move()) {
                // It is stopped below.
                next if self.is_exhausted() => break next,
                NextMove::Armed(action) if answered < 5_000 => {
                    answered += 1;
                    self.must_update = true;
                    if !self.apply_armed(action) {
                        break NextMove::AskPerson;
                    }
                }
                // With homebrew cards this could go on forever.
                NextMove::Automatic(action) if answered < 5_000 => {
                    answered += 1;
                    if !self.apply(action, AnsweredBy::Table) {
                        break NextMove::AskPerson;
                    }
                }
                next => break next,
            }
        };
        if self.live.is_some() && self.ended.is_none() && self.is_exhausted() {
            self.unstored.push(LogEntry::Stopped);
            self.ended = Some(EarlyEnd::stopped());
            next = NextMove::GameOver;
        }
        let visible = self.must_update || !self.unsent.is_empty() || !matches!(next, NextMove::AskBot);
        let over = matches!(next, NextMove::GameOver) && self.live.is_some();
        if visible && !self.store_pending(over).await {
            return;
        }
        self.end_wishes();
        if visible {
            let now = Instant::now();
            self.shown_until = (self.shown_until.max(now) + showing(&self.unsent)).min(now + LONGEST);
        }
        match next {
            NextMove::AskBot => self.ask_bot(),
            NextMove::AskPerson | NextMove::Automatic(_) | NextMove::Armed(_) => self.open_question(),
            NextMove::GameOver => {}
        }
        self.tell_owners();
        if visible && std::mem::take(&mut self.seats_changed) {
            self.table_changed();
        }
        if visible && self.live.is_some() {
            self.must_update = false;
            self.send_updates(over).await;
        }
    }

    /// Puts the question again, perhaps to someone else.
    pub(super) async fn ask_again(&mut self) {
        self.close_question();
        self.advance().await;
    }

    /// What happens to the current question.
    fn next_move(&self) -> NextMove {
        let Some(live) = self.live.as_ref().filter(|_| self.ended.is_none()) else {
            return NextMove::GameOver;
        };
        let Some(decision) = live.decision() else { return NextMove::GameOver };
        let seat = decision.seat;
        let seat_state = &self.seats[seat.index()];
        let legal = live.legal();
        let only = legal.first().copied().filter(|_| legal.len() == 1);
        let window = is_window(decision.question);
        if !window
            && let Some(only) = only
            && !self.timing_would_tell(seat)
        {
            return NextMove::Automatic(only);
        }
        if !seat_state.is_present() {
            return NextMove::AskBot;
        }
        if let Some(armed) = self.armed_move(seat, decision.question, &legal) {
            return armed;
        }
        if !window {
            return NextMove::AskPerson;
        }
        if !seat_state.wants_to_be_asked(&live.game, seat, decision.question) {
            return NextMove::Automatic(Action::Pass);
        }
        match only {
            Some(pass) if !self.timing_would_tell(seat) => NextMove::Automatic(pass),
            _ => NextMove::AskPerson,
        }
    }

    /// Other people could tell from a quick answer that this player has no choice.
    pub(super) fn timing_would_tell(&self, seat: Seat) -> bool {
        let another =
            |(at, state): (usize, &super::SeatState)| at != seat.index() && state.person().is_some();
        self.settings.window_ms > 0 && self.seats.iter().enumerate().any(another)
    }

    fn open_question(&mut self) {
        let Some(live) = &self.live else { return };
        let Some(decision) = live.decision() else { return };
        let seat = decision.seat;
        let building = live.game.is_building_time(seat);
        let passing = &mut self.seats[seat.index()].passing;
        if is_window(decision.question)
            && passing.as_ref().is_some_and(|passing| passing.until == PassUntil::Concern)
        {
            *passing = None;
            self.owners_to_tell = self.owners_to_tell.with(seat);
        }
        if is_window(decision.question) && !building && self.timing_would_tell(seat) {
            let open = Duration::from_millis(u64::from(self.settings.window_ms));
            // It runs behind the animation, and a moment is left when everyone has seen what it is about.
            self.question.closes = Some((Instant::now() + open).max(self.shown_until + open / 4));
        } else {
            self.start_clock(seat);
        }
    }

    /// Stores what happened. If that fails, it has not happened.
    async fn store_pending(&mut self, over: bool) -> bool {
        if self.unstored.is_empty() && !over {
            return true;
        }
        let summary = over.then(|| self.summary());
        let mut entries = std::mem::take(&mut self.unstored);
        let change = Change { entries: &entries, summary, ..Change::default() };
        match self.keep(change).await {
            Ok(()) => {
                self.log_len += entries.len() as u32;
                entries.clear();
                self.unstored = entries;
                self.stored_steps = self.live.as_ref().map_or(0, |live| live.steps.len());
                true
            }
            Err(error) => {
                let message = self.not_stored(&error);
                if self.lost {
                    // Others have the table, and it says nothing more here.
                    return false;
                }
                for entry in entries {
                    if let LogEntry::Away(seat, false) = entry {
                        let seat_state = &mut self.seats[usize::from(seat)];
                        (seat_state.away, seat_state.returning) = (true, true);
                    }
                }
                self.unsent.clear();
                if let Some(live) = &mut self.live {
                    live.rewind(&self.cards.db, self.stored_steps);
                }
                self.seat_bots();
                match self.next_move() {
                    NextMove::AskBot => {
                        self.ask_bot();
                        self.question.not_before = Some(Instant::now() + STORE_RETRY);
                    }
                    _ => self.open_question(),
                }
                self.tell_all(&message.into());
                false
            }
        }
    }
}
