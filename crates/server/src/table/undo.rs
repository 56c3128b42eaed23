//! Taking back an answer: freely while nobody else has acted, else with the consent of the others, and never past
//! anything that was revealed.

use engine::tell::{Reader, sentences};
use engine::{Action, Attention, Event, Seat, What};
use wire::seat_number;

use super::game::UndoOption;
use super::{Refused, TableTask, refused};
use crate::store::{Change, LogEntry};
use crate::wire::{Refusal, ServerMsg, TableState, UndoRule};

/// A request to take back an answer that waits for consent.
pub struct UndoRequest {
    pub id: u32,
    seat: Seat,
    /// How many steps remain if it is granted.
    steps: usize,
    /// Who has yet to agree.
    missing: Vec<Seat>,
    /// What everyone is told about it.
    words: String,
}

impl UndoRequest {
    pub fn concerns(&self, seat: Option<Seat>) -> bool {
        seat.is_some_and(|seat| seat == self.seat || self.missing.contains(&seat))
    }

    pub fn message(&self) -> ServerMsg {
        ServerMsg::UndoAsked { request: self.id, seat: seat_number(self.seat), words: self.words.clone() }
    }
}

/// How often the same may be asked for: a no may have been a slip, but nobody is pestered.
const ASKED_AT_MOST: u8 = 2;

/// A request to take back that was declined, to how many steps, and how often.
#[derive(Clone, Copy)]
pub struct Declined {
    seat: Seat,
    steps: usize,
    times: u8,
}

impl TableTask<'_> {
    /// Whether the seat may take back its last answer, by the rule of this table.
    pub(super) fn undo_option(&self, seat: Seat) -> UndoOption {
        let Some(live) = &self.live else { return UndoOption::Nothing };
        match (self.settings.undo, live.undo_option(seat)) {
            _ if self.state() == TableState::Over => UndoOption::Over,
            (UndoRule::Never, _) => UndoOption::Nothing,
            (UndoRule::Own, UndoOption::NeedsConsent(_)) => UndoOption::Nothing,
            (_, undo_option) => undo_option,
        }
    }

    pub(super) async fn undo(&mut self, seat: Seat) -> Result<(), Refused> {
        self.plays_for_themselves(seat)?;
        self.room_in_log()?;
        match self.undo_option(seat) {
            UndoOption::Free(steps) => self.rewind(seat, steps).await,
            UndoOption::NeedsConsent(steps) => {
                let others = |at: &usize| *at != seat.index() && self.seats[*at].is_present();
                let missing: Vec<Seat> =
                    (0..self.seats.len()).filter(others).map(|at| Seat(at as u8)).collect();
                if missing.is_empty() {
                    return self.rewind(seat, steps).await;
                }
                if self.undo_request.is_some() {
                    return Err(refused(Refusal::NotNow, "The others are being asked already."));
                }
                let declined =
                    self.undo_declined.filter(|declined| (declined.seat, declined.steps) == (seat, steps));
                if declined.is_some_and(|declined| declined.times >= ASKED_AT_MOST) {
                    return Err(refused(Refusal::NotNow, "The others have said no to that, more than once."));
                }
                self.undo_requests += 1;
                let words = self.undo_words(seat, steps);
                let request = UndoRequest { id: self.undo_requests, seat, steps, missing, words };
                // Not to spectators: with a delay they may not have seen the answer yet.
                self.tell_seated(&request.message());
                self.undo_request = Some(request);
                Ok(())
            }
            UndoOption::Revealed => Err(refused(
                Refusal::NotNow,
                "Cards have been drawn or revealed since: that cannot be taken back.",
            )),
            UndoOption::Over => Err(refused(Refusal::NotNow, "The game is over.")),
            UndoOption::Nothing => Err(refused(Refusal::NotNow, "There is nothing to take back.")),
        }
    }

    /// Names the answer the way everyone was told about it, if they were.
    fn undo_words(&self, seat: Seat, step: usize) -> String {
        let names = self.names();
        let name = &names[seat.index()];
        let live = self.live.as_ref();
        if live.and_then(|live| live.steps.get(step)).is_some_and(|step| step.action == Action::Pass) {
            return format!("{name} would like to take back a pass.");
        }
        let events = live.map(|live| live.events_of_step(&self.cards.db, step)).unwrap_or_default();
        let told = sentences(&self.cards.db, &names[..], Reader::Spectator, &events);
        let mut said =
            events.iter().zip(told).filter(|(event, words)| is_answer_of(event, seat) && !words.is_empty());
        match said.next() {
            Some((_, said)) => format!("{name} would like to take this back: {said}"),
            None => format!("{name} would like to take back their last answer."),
        }
    }

    fn plays_for_themselves(&self, seat: Seat) -> Result<(), Refused> {
        match &self.seats[seat.index()] {
            seat_state if seat_state.resigned => Err(refused(Refusal::NotNow, "You have resigned.")),
            seat_state if seat_state.away => {
                Err(refused(Refusal::NotNow, "A bot is playing for you: come back first."))
            }
            _ => Ok(()),
        }
    }

    pub(super) async fn consent(&mut self, seat: Seat, request: u32, yes: bool) -> Result<(), Refused> {
        self.plays_for_themselves(seat)?;
        let Some(open) = self.undo_request.as_mut().filter(|open| open.id == request) else {
            return Err(refused(Refusal::Stale, "That request to take back is no longer open."));
        };
        open.missing.retain(|other| *other != seat);
        let (by, steps, done) = (open.seat, open.steps, open.missing.is_empty());
        if yes && !done {
            return Ok(());
        }
        self.undo_request = None;
        if !yes {
            let before = self.undo_declined.filter(|declined| (declined.seat, declined.steps) == (by, steps));
            let times = before.map_or(0, |declined| declined.times) + 1;
            self.undo_declined = Some(Declined { seat: by, steps, times });
        }
        let words = match yes {
            true => "Everyone agrees.".into(),
            false => format!("{} does not agree, so nothing is taken back.", self.names()[seat.index()]),
        };
        self.tell_seated(&ServerMsg::UndoAnswered { request, granted: yes, words });
        if yes { self.rewind(by, steps).await } else { Ok(()) }
    }

    async fn rewind(&mut self, seat: Seat, steps: usize) -> Result<(), Refused> {
        let mut entries = std::mem::take(&mut self.unstored);
        entries.push(LogEntry::Undone(steps as u32));
        if let Err(message) = self.store(Change { entries: &entries, ..Change::default() }).await {
            entries.pop();
            self.unstored = entries;
            return Err(message);
        }
        tracing::debug!(table = self.id, seat = seat.0, steps, "taken back");
        if let Some(live) = &mut self.live {
            live.rewind(&self.cards.db, steps);
        }
        // What was passed since may be asked again.
        self.seats.iter_mut().for_each(|seat_state| seat_state.attention = Attention::default());
        self.stored_steps = steps;
        self.unsent.clear();
        self.undo_request = None;
        // Whatever is answered there from now on is another answer, and may be asked for again.
        self.undo_declined = self.undo_declined.filter(|declined| declined.steps < steps);
        self.seat_bots();
        self.seq += 1;
        self.ask_again().await;
        self.resend_to_all();
        Ok(())
    }
}

/// The player's answer itself, not what came of it.
fn is_answer_of(event: &Event, by: Seat) -> bool {
    use What::*;
    let answers = matches!(
        event.what,
        Places
            | Builds { .. }
            | Uses { .. }
            | Casts
            | Chooses
            | ChoosesPlayer
            | ChoosesClass { .. }
            | KeepsBoss
            | Discards
    );
    answers && event.actor == by
}
