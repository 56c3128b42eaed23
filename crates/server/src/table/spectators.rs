//! What people who only watch are shown, and when: at once, or a minute after the players. The lobby is shown a table
//! as its spectators are.
//!
//! Invariant: at a table with a delay, nothing but its end and its chat reaches spectators or the lobby sooner.

use std::sync::Arc;
use std::time::Duration;

use engine::Seat;
use tokio::time::Instant;

use super::TableTask;
use crate::frame::Frame;
use crate::wire::{ServerMsg, Spectators, TableInfo, TableState};

/// How far spectators of a delayed table are behind.
const DELAY: Duration = Duration::from_secs(60);

/// Something that spectators have yet to be shown.
pub enum Delayed {
    Update(Frame),
    /// The table has changed around the game.
    Table(Arc<TableInfo>),
    /// The same, for the lobby alone.
    Lobby(Arc<TableInfo>),
}

impl TableTask<'_> {
    /// How far spectators are behind; `None` where they are not, before the game and after it.
    pub(super) fn delay(&self) -> Option<Duration> {
        let playing = self.info.borrow().state == TableState::Playing;
        (playing && self.settings.spectators == Spectators::Delayed).then_some(DELAY)
    }

    /// The turn that the lobby shows, or will.
    pub(super) fn lobby_turn(&self) -> u16 {
        let waiting = self.delayed.iter().rev().find_map(|(_, what)| match what {
            Delayed::Table(info) | Delayed::Lobby(info) => Some(info.turn),
            Delayed::Update(_) => None,
        });
        waiting.unwrap_or_else(|| self.info.borrow().turn)
    }

    /// The table as this viewer may know it.
    pub(super) fn info_for(&self, viewer: Option<Seat>) -> TableInfo {
        let now = self.table_info();
        if viewer.is_some() || self.delay().is_none() {
            return now;
        }
        TableInfo { spectators: now.spectators, ..TableInfo::clone(&self.info.borrow()) }
    }

    /// Shows spectators something, after the delay if there is one.
    pub(super) fn show(&mut self, what: Delayed) {
        let Some(delay) = self.delay() else { return self.show_now(what) };
        // Of changes in a row only the last is kept, however often somebody comes and goes.
        let replaces = |(_, last): &mut (Instant, Delayed)| {
            matches!(
                (last, &what),
                (Delayed::Table(_), Delayed::Table(_)) | (Delayed::Lobby(_), Delayed::Lobby(_))
            )
        };
        self.delayed.pop_back_if(replaces);
        self.delayed.push_back((Instant::now() + delay, what));
    }

    /// The game is over: spectators may see the end.
    pub(super) fn show_the_rest(&mut self) {
        while let Some((_, what)) = self.delayed.pop_front() {
            self.show_now(what);
        }
    }

    /// Shows spectators what is due, and sends everything again to those who fell behind.
    pub(super) fn catch_up(&mut self) {
        let now = Instant::now();
        while let Some((_, what)) = self.delayed.pop_front_if(|(time, _)| *time <= now) {
            self.show_now(what);
        }
        self.resend_to_lagging();
    }

    fn show_now(&mut self, what: Delayed) {
        match what {
            Delayed::Update(frame) => {
                for at in 0..self.connections.len() {
                    let connection = &self.connections[at];
                    if connection.seat.is_none() && !connection.lagging {
                        self.send(at, frame.clone());
                    }
                }
                self.released = Some(frame);
            }
            Delayed::Table(info) => {
                self.info.send_replace(Arc::clone(&info));
                for at in 0..self.connections.len() {
                    if self.connections[at].seat.is_none() {
                        let you = self.you(&self.connections[at]);
                        let table = TableInfo::clone(&info);
                        self.send(at, Frame::of(&ServerMsg::Table { table, you }));
                    }
                }
            }
            Delayed::Lobby(info) => drop(self.info.send_replace(info)),
        }
    }
}
