//! Players who have left or do not answer: who decides that a bot plays for them, and how they come back.
//!
//! Invariants: with a clock only the clock decides; a bot that was called for a question answers it, so nobody can
//! dodge a question by leaving and coming back.

use std::time::Duration;

use engine::{Seat, SeatSet};
use tokio::time::Instant;
use wire::seat_number;

use super::{Refused, TableTask, refused};
use crate::store::{LogEntry, SeatHolder};
use crate::wire::{MayReplace, Refusal, TableState};

/// How long a player must have been gone before a bot can play for them, or before the host's role passes on.
pub const GRACE: Duration = Duration::from_secs(60);
/// The same after the table was restored: everyone has to connect again first.
pub const GRACE_AFTER_RESTART: Duration = Duration::from_secs(180);
/// How long a player may think at a table without a clock before the others can decide that a bot plays for them.
const SILENT: Duration = Duration::from_secs(120);
/// The same if there is only one other to decide.
const SILENT_FOR_ONE: Duration = Duration::from_secs(300);

impl TableTask<'_> {
    /// Somebody wants a bot to play for this seat.
    pub(super) async fn replace(&mut self, by: Seat, wanted: u8) -> Result<(), Refused> {
        self.during_the_game()?;
        let no = |words: &str| Err(refused(Refusal::NotNow, words));
        let seat = self.seat_numbered(wanted)?;
        if self.settings.clock.is_some() {
            return no("This table has a clock: a bot plays for a player whose time is up.");
        }
        if !self.seats[by.index()].is_present() {
            return no("A bot is playing for you: come back first.");
        }
        if seat == by || !self.can_be_replaced(seat) {
            return no("A bot can play only for another person who is still in the game.");
        }
        let now = Instant::now();
        let name = self.seats[seat.index()].name();
        if self.silent_from(seat).is_some_and(|from| from <= now) {
            self.question.agreed = self.question.agreed.with(by);
        }
        let gone_from = self.seats[seat.index()].replaceable_from;
        if gone_from.is_some_and(|from| from <= now) || self.all_agree(seat) {
            return self.set_away(seat, true).await;
        }
        if self.question.agreed.has(by) {
            self.table_changed();
            return Ok(());
        }
        match gone_from {
            Some(from) => {
                let wait = from.saturating_duration_since(now).as_secs() + 1;
                no(&format!("{name} has only just left: a bot can play for them in {wait} s."))
            }
            None => no(&format!(
                "{name} is here. If they do not answer for a few minutes, the others can decide that a bot plays."
            )),
        }
    }

    /// For whom this player can have a bot play, and when.
    pub(super) fn may_replace(&self, by: Option<Seat>) -> Vec<MayReplace> {
        let Some(by) = by.filter(|by| self.seats[by.index()].is_present()) else { return Vec::new() };
        if self.state() != TableState::Playing || self.settings.clock.is_some() {
            return Vec::new();
        }
        let now = Instant::now();
        let offer = |seat: Seat| {
            let silent = self.silent_from(seat).is_some_and(|from| from <= now);
            let gone_from = self.seats[seat.index()].replaceable_from;
            let left = gone_from.map(|from| from.saturating_duration_since(now));
            let (left, needed) = match left {
                Some(left) if left.is_zero() || !silent => (left, 1),
                _ if silent => (Duration::ZERO, self.deciders(seat).count() as u8),
                _ => return None,
            };
            let agreed =
                (0..self.seats.len() as u8).map(Seat).filter(|other| self.question.agreed.has(*other));
            let agreed = if silent { agreed.map(seat_number).collect() } else { Vec::new() };
            Some(MayReplace { seat: seat_number(seat), left_ms: left.as_millis() as u32, agreed, needed })
        };
        let others = (0..self.seats.len() as u8).map(Seat).filter(|seat| *seat != by);
        others.filter(|seat| self.can_be_replaced(*seat)).filter_map(offer).collect()
    }

    /// A person who plays for themselves and has not been eliminated.
    fn can_be_replaced(&self, seat: Seat) -> bool {
        let in_game = self.live.as_ref().is_some_and(|live| live.game.state.in_game(seat));
        in_game && self.seats[seat.index()].is_present()
    }

    /// The others who are here decide about a player who does not answer.
    fn deciders(&self, about: Seat) -> impl Iterator<Item = Seat> + '_ {
        let seats = (0..self.seats.len() as u8).map(Seat);
        seats.filter(move |seat| {
            *seat != about && self.can_be_replaced(*seat) && self.seats[seat.index()].connected > 0
        })
    }

    fn all_agree(&self, about: Seat) -> bool {
        let agreed: SeatSet = self.question.agreed;
        self.asked_seat() == Some(about)
            && agreed != SeatSet::EMPTY
            && self.deciders(about).all(|seat| agreed.has(seat))
    }

    /// From when on the player who is asked counts as silent.
    fn silent_from(&self, seat: Seat) -> Option<Instant> {
        if self.settings.clock.is_some() || self.asked_seat() != Some(seat) || !self.can_be_replaced(seat) {
            return None;
        }
        match self.deciders(seat).count() {
            0 => None,
            1 => Some(self.question.since + SILENT_FOR_ONE),
            _ => Some(self.question.since + SILENT),
        }
    }

    /// When the others must be told that they can decide about the player who is asked.
    pub(super) fn silence_due(&self) -> Option<Instant> {
        self.silent_from(self.asked_seat()?).filter(|_| !self.question.silence_told)
    }

    pub(super) async fn back(&mut self, seat: Seat) -> Result<(), Refused> {
        self.during_the_game()?;
        if !self.seats[seat.index()].away {
            return Ok(());
        }
        if self.asked_seat() == Some(seat) {
            self.seats[seat.index()].returning = true;
            self.table_changed();
            return Ok(());
        }
        self.set_away(seat, false).await
    }

    pub(super) async fn set_away(&mut self, seat: Seat, away: bool) -> Result<(), Refused> {
        self.log_entry(LogEntry::Away(seat.0, away)).await?;
        let seat_state = &mut self.seats[seat.index()];
        (seat_state.away, seat_state.returning) = (away, false);
        self.bots[seat.index()] = None;
        self.table_changed();
        if self.asked_seat() == Some(seat) {
            self.ask_again().await;
        }
        Ok(())
    }

    /// Players who wanted to come back, once the bot's question is no longer open.
    pub(super) fn let_back(&mut self, answered: Option<Seat>) {
        let asked = self.asked_seat().filter(|seat| Some(*seat) != answered);
        for (at, seat_state) in (0..).zip(&mut self.seats) {
            if seat_state.returning && asked != Some(Seat(at)) {
                (seat_state.away, seat_state.returning) = (false, false);
                self.unstored.push(LogEntry::Away(at, false));
                (self.must_update, self.seats_changed) = (true, true);
            }
        }
    }

    /// When the role of a host who has left passes on: before the game, if anybody else is here.
    pub(super) fn host_due(&self) -> Option<Instant> {
        let host = self.seats.iter().find(|seat_state| seat_state.is_host())?;
        let from = host.replaceable_from.filter(|_| self.state() == TableState::Open)?;
        self.seats.iter().any(|seat_state| seat_state.connected > 0).then_some(from)
    }

    pub(super) async fn pass_on_host(&mut self) {
        let host = self.seats.iter().position(|seat_state| seat_state.is_host());
        let next = self.seats.iter().position(|seat_state| seat_state.connected > 0);
        let (Some(host), Some(next)) = (host, next) else { return };
        let seating = [(host, false), (next, true)].map(|(at, host)| {
            let holder =
                self.seats[at].person().map(|(id, name)| SeatHolder::Person { id, name: name.into(), host });
            (Seat(at as u8), holder)
        });
        match self.fill_seats(&seating, None).await {
            Ok(()) => self.table_changed(),
            Err(_) => self.seats[host].replaceable_from = Some(Instant::now() + GRACE),
        }
    }
}
