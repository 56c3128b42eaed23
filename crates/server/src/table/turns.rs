//! From one question to the next: answers, windows that close by themselves, clocks, and taking back.
//!
//! Invariant: how long a window lasts depends on wishes, on clocks and on what is declared, never on a hand. Who can
//! do nothing is asked as long as who can; a pass given early takes effect when the window closes.

use std::time::Duration;

use engine::{Action, Event, Seat};
use tokio::time::Instant;

use super::game::{By, Takeback};
use super::pace::{is_building_time, is_window, wants};
use super::{DELAY, RETRY, Refused, Table, Wish, refused};
use crate::store::{Change, Entry};
use crate::wire::{Refusal, ServerMsg, TableState, UndoRule};
use bots::wire::Happening;
use engine::record::ActionText;

/// A bot's answer that could not be stored is tried again after so long.
const STORE_AGAIN: Duration = Duration::from_secs(1);

/// The question that is open now.
pub struct Asked {
    pub since: Instant,
    /// The window closes then, unless somebody holds it or acts.
    pub closes: Option<Instant>,
    pub held: bool,
    /// The player has passed, and the window closes with that.
    pub passed: bool,
    /// The clock of the one who is asked runs out then.
    pub clock: Option<Instant>,
    /// A bot's answer is shown then at the earliest.
    pub beat: Option<Instant>,
    /// What it has decided.
    pub decided: Option<Action>,
    /// Which of the table's questions the bot thinks about.
    pub ticket: u64,
}

impl Asked {
    pub fn nothing() -> Asked {
        Asked {
            since: Instant::now(),
            closes: None,
            held: false,
            passed: false,
            clock: None,
            beat: None,
            decided: None,
            ticket: 0,
        }
    }
}

/// What becomes of a question.
enum Turn {
    /// The table answers at once.
    Answer(Action),
    Ask,
    /// A bot answers.
    Think,
    Over,
}

impl Table<'_> {
    pub(super) fn deadline(&self) -> Instant {
        let asked = &self.asked;
        let idle = Some(self.idle_since).filter(|_| self.connections.is_empty());
        let mut next = idle.unwrap_or_else(Instant::now) + self.patience();
        let mut at = |time: Option<Instant>| next = time.map_or(next, |time| next.min(time));
        if self.ended.is_none() {
            at(asked.closes.filter(|_| !asked.held));
            at(asked.clock);
            at(asked.beat.filter(|_| asked.decided.is_some()));
        }
        at(self.delayed.front().map(|(time, _)| *time));
        if self.connections.iter().any(|connection| connection.lagging) {
            at(Some(Instant::now() + RETRY));
        }
        next
    }

    /// Something is due.
    pub(super) async fn tick(&mut self) {
        self.catch_up();
        let now = Instant::now();
        let due = |time: Option<Instant>| time.is_some_and(|time| time <= now);
        let Some(seat) = self.asked_seat() else { return };
        if due(self.asked.beat)
            && let Some(action) = self.asked.decided.take()
        {
            return self.answer(action, By::Bot).await;
        }
        if due(self.asked.closes) && !self.asked.held {
            let by = if self.asked.passed { By::Person } else { By::Table };
            return self.answer(Action::Pass, by).await;
        }
        if due(self.asked.clock) {
            self.chairs[seat.index()].reserve_ms = 0;
            let _ = self.set_away(seat, true).await;
        }
    }

    /// Who is asked now.
    pub(super) fn asked_seat(&self) -> Option<Seat> {
        let play = self.play.as_ref().filter(|_| self.ended.is_none())?;
        play.decision().map(|decision| decision.seat)
    }

    /// A click: the answer `index` to the question `seq`.
    pub(super) async fn act(&mut self, seat: Seat, seq: u32, index: u32) -> Result<(), Refused> {
        let action = self.named_answer(seat, seq, index)?;
        let early = self.asked.closes.is_some_and(|closes| closes > Instant::now());
        if action == Action::Pass && early {
            (self.asked.passed, self.asked.held) = (true, false);
            return Ok(());
        }
        self.answer(action, By::Person).await;
        Ok(())
    }

    /// The one place where an answer from outside becomes an action.
    pub(super) fn named_answer(&self, seat: Seat, seq: u32, index: u32) -> Result<Action, Refused> {
        let no = |code, words: &str| Refused { code, words: words.into(), seq: Some(seq) };
        let Some(play) = self.play.as_ref().filter(|_| self.ended.is_none()) else {
            return Err(no(Refusal::NotNow, "No game is under way."));
        };
        if seq != self.seq {
            return Err(no(Refusal::Stale, "The game has gone on since."));
        }
        let chair = &self.chairs[seat.index()];
        if self.asked_seat() != Some(seat) || !chair.is_present() {
            return Err(no(Refusal::NotAsked, "You are not asked anything now."));
        }
        let legal = play.legal();
        let action = usize::try_from(index).ok().and_then(|index| legal.get(index).copied());
        action.ok_or_else(|| no(Refusal::NotLegal, "There is no such answer."))
    }

    pub(super) async fn hold(&mut self, seat: Seat, seq: u32) -> Result<(), Refused> {
        self.named_answer(seat, seq, 0)?;
        if self.asked.closes.is_some() && !self.asked.held {
            self.asked.held = true;
            self.asked.passed = false;
            self.start_clock(seat);
            self.show_waiting().await;
        }
        Ok(())
    }

    /// Wishes may answer the present question.
    pub(super) async fn wishes_changed(&mut self, seat: Seat) -> Result<(), Refused> {
        if self.asked_seat() == Some(seat)
            && self.asked.closes.is_none()
            && let Turn::Answer(action) = self.turn()
        {
            self.answer(action, By::Table).await;
        }
        Ok(())
    }

    /// Gives an answer and goes on to the next question of somebody who is to be waited for.
    pub(super) async fn answer(&mut self, action: Action, by: By) {
        let Some(seat) = self.asked_seat() else { return };
        if by == By::Person {
            self.spend_time(seat);
        }
        self.must_show |= self.chairs[seat.index()].is_present();
        if !self.apply(action, by) {
            return;
        }
        self.go_on().await;
    }

    fn apply(&mut self, action: Action, by: By) -> bool {
        let Some(play) = &mut self.play else { return false };
        if play.apply(action, by, &mut self.unsent).is_err() {
            return false;
        }
        self.moves.increment(1);
        let action = ActionText(action);
        self.unstored.push(if by == By::Table { Entry::Auto(action) } else { Entry::Acts(action) });
        self.asked = Asked { ticket: self.asked.ticket + 1, ..Asked::nothing() };
        if let Some(wish) = self.wish.take() {
            let words = "The game has gone on: nothing is taken back.".into();
            self.tell_seated(&ServerMsg::UndoAnswered { request: wish.request, granted: false, words });
        }
        true
    }

    /// Answers what needs nobody, stores and shows what happened, and asks the next one.
    pub(super) async fn go_on(&mut self) {
        let mut answered = 0;
        let turn = loop {
            match self.turn() {
                // A game of somebody's own cards could go on like this for ever.
                Turn::Answer(action) if answered < 5_000 => {
                    answered += 1;
                    if !self.apply(action, By::Table) {
                        break Turn::Ask;
                    }
                }
                turn => break turn,
            }
        };
        let visible = self.must_show || !self.unsent.is_empty() || !matches!(turn, Turn::Think);
        let over = matches!(turn, Turn::Over) && self.play.is_some();
        if visible && !self.make_durable(over).await {
            return;
        }
        match turn {
            Turn::Think => self.think(),
            Turn::Ask | Turn::Answer(_) => self.open_question(),
            Turn::Over => {}
        }
        if visible && self.play.is_some() {
            self.must_show = false;
            self.show(over).await;
        }
    }

    /// The question is put anew, to somebody else perhaps.
    pub(super) async fn ask_anew(&mut self) {
        self.asked = Asked { ticket: self.asked.ticket + 1, ..Asked::nothing() };
        self.go_on().await;
    }

    /// What becomes of the present question.
    fn turn(&self) -> Turn {
        let Some(play) = self.play.as_ref().filter(|_| self.ended.is_none()) else { return Turn::Over };
        let Some(decision) = play.decision() else { return Turn::Over };
        let seat = decision.seat;
        let chair = &self.chairs[seat.index()];
        let legal = play.legal();
        let only = legal.first().copied().filter(|_| legal.len() == 1);
        let window = is_window(decision.question);
        if !window && let Some(only) = only {
            return Turn::Answer(only);
        }
        if !chair.is_present() {
            return Turn::Think;
        }
        if !window {
            return Turn::Ask;
        }
        let game = &play.game;
        if !wants(chair.stops_in(game.state.turn()), game, seat, decision.question, &legal) {
            return Turn::Answer(Action::Pass);
        }
        match only {
            Some(pass) if !self.hides_from_somebody(seat) => Turn::Answer(pass),
            _ => Turn::Ask,
        }
    }

    /// Other people could learn from how quickly this one passes.
    fn hides_from_somebody(&self, seat: Seat) -> bool {
        let another = |(at, chair): (usize, &super::Chair)| at != seat.index() && chair.person().is_some();
        self.settings.window_ms > 0 && self.chairs.iter().enumerate().any(another)
    }

    fn open_question(&mut self) {
        let Some(play) = &self.play else { return };
        let Some(decision) = play.decision() else { return };
        let seat = decision.seat;
        let building = is_building_time(&play.game, seat);
        if is_window(decision.question) && !building && self.hides_from_somebody(seat) {
            let open = Duration::from_millis(u64::from(self.settings.window_ms));
            self.asked.closes = Some(Instant::now() + open);
        } else {
            self.start_clock(seat);
        }
    }

    fn start_clock(&mut self, seat: Seat) {
        let Some(clock) = self.settings.clock else { return };
        let reserve = self.chairs[seat.index()].reserve_ms;
        let time = Duration::from_millis(u64::from(clock.move_s) * 1000 + reserve);
        self.asked.clock = Some(Instant::now() + time);
    }

    fn spend_time(&mut self, seat: Seat) {
        let (Some(clock), Some(_)) = (self.settings.clock, self.asked.clock) else { return };
        let taken = self.asked.since.elapsed().as_millis() as u64;
        let over = taken.saturating_sub(u64::from(clock.move_s) * 1000);
        let chair = &mut self.chairs[seat.index()];
        chair.reserve_ms = chair.reserve_ms.saturating_sub(over);
    }

    /// Stores what happened, and the end with what led to it. If that fails, it has not happened.
    async fn make_durable(&mut self, over: bool) -> bool {
        if self.unstored.is_empty() && !over {
            return true;
        }
        let found_with = over.then(|| self.found_with());
        let change = Change { entries: &self.unstored, found_with, ..Change::default() };
        match self.hall.store().change(self.no, self.logged, change).await {
            Ok(()) => {
                self.logged += self.unstored.len() as u32;
                self.unstored.clear();
                self.durable = self.play.as_ref().map_or(0, |play| play.steps.len());
                true
            }
            Err(error) => {
                let message = self.not_stored(&error);
                self.unstored.clear();
                self.unsent.clear();
                if let Some(play) = &mut self.play {
                    play.rewind(&self.cards.db, self.durable);
                }
                self.seat_bots();
                match self.turn() {
                    Turn::Think => {
                        self.think();
                        self.asked.beat = Some(Instant::now() + STORE_AGAIN);
                    }
                    _ => self.open_question(),
                }
                self.tell_all(&message.into());
                false
            }
        }
    }

    // ---- taking back ----

    /// What a wish to take back meets, by the table's rule.
    pub(super) fn takeback(&self, seat: Seat) -> Takeback {
        let Some(play) = &self.play else { return Takeback::Nothing };
        match (self.undo_rule(), play.takeback(seat)) {
            _ if self.state() == TableState::Over => Takeback::Over,
            (UndoRule::Never, _) => Takeback::Nothing,
            (UndoRule::Own, Takeback::ByConsent(_)) => Takeback::Nothing,
            (_, takeback) => takeback,
        }
    }

    pub(super) async fn undo(&mut self, seat: Seat) -> Result<(), Refused> {
        match self.takeback(seat) {
            Takeback::Freely(steps) => self.rewind(seat, steps).await,
            Takeback::ByConsent(steps) => {
                let others = |at: &usize| *at != seat.index() && self.chairs[*at].is_present();
                let missing: Vec<Seat> =
                    (0..self.chairs.len()).filter(others).map(|at| Seat(at as u8)).collect();
                if missing.is_empty() {
                    return self.rewind(seat, steps).await;
                }
                self.requests += 1;
                let words = self.wish_in_words(seat, steps);
                let wish = Wish { request: self.requests, seat, steps, missing, words };
                // Not those who only watch: with a delay they may not have seen it yet.
                self.tell_seated(&wish.asked());
                self.wish = Some(wish);
                Ok(())
            }
            Takeback::Revealed => Err(refused(
                Refusal::NotNow,
                "Cards were drawn or revealed since: that cannot be taken back.",
            )),
            Takeback::Over => Err(refused(Refusal::NotNow, "The game is over.")),
            Takeback::Nothing => Err(refused(Refusal::NotNow, "There is nothing to take back.")),
        }
    }

    /// Names the answer as everybody was told of it, if they were.
    fn wish_in_words(&self, seat: Seat, step: usize) -> String {
        let names = self.names();
        let name = &names[seat.index()];
        let play = self.play.as_ref();
        if play.and_then(|play| play.steps.get(step)).is_some_and(|step| step.action == Action::Pass) {
            return format!("{name} wishes to take back a pass.");
        }
        let events = play.map(|play| play.told_at(&self.cards.db, step)).unwrap_or_default();
        let said = events.into_iter().find(|event| is_done_by(event, seat));
        match said.map(|event| Happening::of(&self.cards.db, &names[..], event, None).words) {
            Some(said) => format!("{name} wishes to take this back: {said}"),
            None => format!("{name} wishes to take back their last answer."),
        }
    }

    pub(super) async fn consent(&mut self, seat: Seat, request: u32, yes: bool) -> Result<(), Refused> {
        let Some(wish) = self.wish.as_mut().filter(|wish| wish.request == request) else {
            return Err(refused(Refusal::Stale, "Nobody wishes to take back any more."));
        };
        wish.missing.retain(|other| *other != seat);
        let (by, steps, done) = (wish.seat, wish.steps, wish.missing.is_empty());
        if yes && !done {
            return Ok(());
        }
        self.wish = None;
        let words = match yes {
            true => "Everybody agrees.".into(),
            false => format!("{} does not agree: nothing is taken back.", self.names()[seat.index()]),
        };
        self.tell_all(&ServerMsg::UndoAnswered { request, granted: yes, words });
        if yes { self.rewind(by, steps).await } else { Ok(()) }
    }

    async fn rewind(&mut self, seat: Seat, steps: usize) -> Result<(), Refused> {
        let mut entries = std::mem::take(&mut self.unstored);
        entries.push(Entry::Undone(steps as u32));
        if let Err(message) = self.store(Change { entries: &entries, ..Change::default() }).await {
            entries.pop();
            self.unstored = entries;
            return Err(message);
        }
        tracing::debug!(table = self.id, seat = seat.0, steps, "taken back");
        if let Some(play) = &mut self.play {
            play.rewind(&self.cards.db, steps);
        }
        self.durable = steps;
        self.unsent.clear();
        self.wish = None;
        self.seat_bots();
        self.seq += 1;
        self.ask_anew().await;
        self.show_fresh();
        Ok(())
    }

    /// Shows spectators what is due, and those who did not read everything anew.
    fn catch_up(&mut self) {
        let now = Instant::now();
        while let Some((_, text)) = self.delayed.pop_front_if(|(time, _)| *time <= now) {
            for connection in self.connections.iter_mut().filter(|connection| connection.seat.is_none()) {
                connection.lagging |= !connection.outbox.send(text.clone());
            }
            self.released = Some(text);
        }
        self.send_anew_to_lagging();
    }

    pub(super) fn delay(&self) -> Option<Duration> {
        (self.settings.spectators == crate::wire::Spectators::Delayed).then_some(DELAY)
    }
}

/// What a player has answered, not what came of it.
fn is_done_by(event: &Event, by: Seat) -> bool {
    use Event::*;
    match event {
        Places { seat, .. }
        | Builds { seat, .. }
        | Uses { seat, .. }
        | Chooses { seat, .. }
        | ChoosesPlayer { seat, .. }
        | ChoosesType { seat, .. }
        | BossChosen { seat, .. }
        | Discards { seat, .. } => *seat == by,
        _ => false,
    }
}
