//! The time players take: clocks, and windows that are held open.
//!
//! Invariant: time that was used stays used. Neither taking an answer back nor coming back, nor being asked again for
//! any other reason, gives a player more of it.

use std::time::Duration;

use engine::Seat;
use tokio::time::Instant;

use super::questions::OpenQuestion;
use super::{Refused, TableTask, refused};
use crate::store::LogEntry;
use crate::wire::Refusal;

/// How much longer a window may stay open for a player who holds it, at a table without a clock.
const HOLD_PER_WINDOW: Duration = Duration::from_secs(60);
/// How long a player may hold windows in one turn, at a table without a clock.
const HOLD_PER_TURN: Duration = Duration::from_secs(120);

/// The clock of the player who is asked.
#[derive(Clone, Copy, Debug)]
pub struct RunningClock {
    seat: Seat,
    /// The step of the game that the answer will be.
    step: usize,
    since: Instant,
    /// When it runs out.
    pub until: Instant,
}

/// A player keeps a window open.
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    seat: Seat,
    turn: u16,
    since: Instant,
    /// When it ends by itself; with a clock, the clock decides.
    pub until: Option<Instant>,
}

impl RunningClock {
    /// What follows when it runs out could not be stored.
    pub fn postponed(self, by: Duration) -> RunningClock {
        RunningClock { until: Instant::now() + by, ..self }
    }
}

impl TableTask<'_> {
    /// The question is no longer open: what it took is charged.
    pub(super) fn close_question(&mut self) {
        self.stop_clock();
        self.release();
        self.question = OpenQuestion { ticket: self.question.ticket + 1, ..OpenQuestion::none() };
    }

    pub(super) fn start_clock(&mut self, seat: Seat) {
        let (Some(clock), Some(live)) = (self.settings.clock, &self.live) else { return };
        let (step, since) = (live.steps.len(), Instant::now());
        let spent = self.spent.get(&(step, seat)).copied().unwrap_or(0);
        let left = (u64::from(clock.move_s) * 1000).saturating_sub(spent);
        let until = since + Duration::from_millis(left + self.seats[seat.index()].reserve_ms);
        self.question.clock = Some(RunningClock { seat, step, since, until });
    }

    /// What exceeds the time for a move comes out of the reserve.
    pub(super) fn stop_clock(&mut self) {
        let Some(clock) = self.question.clock.take() else { return };
        let allowed = self.settings.clock.map_or(0, |clock| u64::from(clock.move_s) * 1000);
        let spent = self.spent.entry((clock.step, clock.seat)).or_default();
        let before = *spent;
        *spent += clock.since.elapsed().as_millis() as u64;
        let over = spent.saturating_sub(allowed.max(before));
        if over > 0 {
            let reserve = &mut self.seats[clock.seat.index()].reserve_ms;
            *reserve = reserve.saturating_sub(over);
            self.unstored.push(LogEntry::Reserve(clock.seat.0, *reserve));
        }
    }

    /// What a question that is open has taken, for whoever goes on with the table.
    pub(super) fn time_taken(&mut self) -> Vec<LogEntry> {
        let Some(clock) = self.question.clock else { return Vec::new() };
        self.stop_clock();
        // Everything else that happened before a person was asked is stored.
        let mut entries = std::mem::take(&mut self.unstored);
        if let Some(spent) = self.spent.get(&(clock.step, clock.seat)) {
            entries.push(LogEntry::Spent(clock.seat.0, *spent));
        }
        entries.retain(|entry| self.hall.store().takes(entry));
        entries
    }

    pub(super) async fn hold(&mut self, seat: Seat, seq: u32) -> Result<(), Refused> {
        self.resolve_answer(seat, seq, 0)?;
        let Some(closes) = self.question.closes.filter(|_| self.question.hold.is_none()) else {
            return Ok(());
        };
        let (now, turn) = (Instant::now(), self.live.as_ref().map_or(0, |live| live.game.state.turn()));
        let held = Some(self.seats[seat.index()].held).filter(|(in_turn, _)| *in_turn == turn);
        let left = HOLD_PER_TURN.saturating_sub(held.map_or(Duration::ZERO, |(_, held)| held));
        let without_clock = self.settings.clock.is_none();
        if without_clock && left.is_zero() {
            let words = "You have taken all the thinking time one turn allows.";
            return Err(refused(Refusal::NotNow, words));
        }
        self.room_in_log()?;
        let until = without_clock.then(|| (closes.max(now) + HOLD_PER_WINDOW).min(now + left));
        self.question.hold = Some(Hold { seat, turn, since: now, until });
        self.start_clock(seat);
        self.send_updates(false).await;
        Ok(())
    }

    /// The window is no longer held.
    pub(super) fn release(&mut self) {
        let Some(hold) = self.question.hold.take() else { return };
        let held = &mut self.seats[hold.seat.index()].held;
        if held.0 != hold.turn {
            *held = (hold.turn, Duration::ZERO);
        }
        held.1 += hold.since.elapsed();
    }
}
