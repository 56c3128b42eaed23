//! Changing the settings of a table before its game. The deck may be another then, and a task borrows its cards, so the
//! table is put together again (`TableParts`).
//!
//! Invariant: nobody loses a seat by it; bots do, where there are fewer seats.

use std::sync::Arc;

use engine::Seat;
use tokio::sync::{mpsc, watch};

use super::restore::Restored;
use super::seats::SeatState;
use super::{Command, Connection, Refused, TableTask, refused};
use crate::hall::{Hall, PlayableDeck};
use crate::store::{Change, LogEntry, PersonId, TableRow};
use crate::wire::{Refusal, Settings, TableInfo, TableState};
use crate::work::Requester;

impl TableTask<'_> {
    pub(super) async fn change_settings(
        &mut self,
        host: Seat,
        by: Requester,
        wanted: Settings,
    ) -> Result<(), Refused> {
        self.before_the_game()?;
        self.host_only(host)?;
        self.room_in_log()?;
        // A custom deck stays unless another is named, and so do the table's own cards: their texts are too long to be
        // sent along.
        let kept = self.settings.deck_text.clone().filter(|_| wanted.deck == self.settings.deck);
        let wanted = Settings { deck_text: kept, cards_text: self.settings.cards_text.clone(), ..wanted };
        let impossible = |error: crate::hall::NewTableError| refused(Refusal::NotNow, &error.to_string());
        let cards = self.hall.on_behalf_of(by).playable(&wanted).await.map_err(impossible)?;
        let seats = self.seats_for(&wanted).ok_or_else(|| {
            refused(Refusal::NotNow, "More people are sitting here than that: remove somebody first.")
        })?;
        let more = seats.len()..self.seats.len();
        let entries = (0..).zip(&seats).map(|(seat, state)| LogEntry::Sits(seat, state.holder.clone()));
        let entries: Vec<LogEntry> =
            entries.chain(more.map(|seat| LogEntry::Sits(seat as u8, None))).collect();
        let before = std::mem::replace(&mut self.seats, seats);
        let players: Vec<(PersonId, u8)> =
            (0..).zip(&self.seats).filter_map(|(seat, state)| Some((state.person()?.0, seat))).collect();
        let summary = Some(self.summary());
        let settings = Some(wanted.clone());
        let change = Change { entries: &entries, players, summary, settings, ..Change::default() };
        if let Err(refused) = self.store(change).await {
            self.seats = before;
            return Err(refused);
        }
        self.settings = wanted;
        self.changed_deck = Some(cards);
        Ok(())
    }

    /// Who sits where with these settings: everyone stays, or moves up. `None` if there are too many people.
    fn seats_for(&self, settings: &Settings) -> Option<Vec<SeatState>> {
        let fresh = SeatState::new(settings);
        let seated = |state: &SeatState| SeatState { reserve_ms: fresh.reserve_ms, ..state.clone() };
        let players = usize::from(settings.players);
        let mut seats: Vec<SeatState> = self.seats.iter().take(players).map(seated).collect();
        seats.resize(players, fresh.clone());
        let people = self.seats.iter().skip(players).filter(|state| state.person().is_some());
        for person in people {
            let free = seats.iter().position(|state| state.holder.is_none());
            let at = free.or_else(|| seats.iter().position(|state| state.person().is_none()))?;
            seats[at] = seated(person);
        }
        Some(seats)
    }

    /// What is left of the table without its deck.
    pub(super) fn into_parts(self) -> TableParts {
        let row = TableRow {
            hold: self.hold,
            id: self.id,
            made: 0,
            settings: self.settings,
            secret: self.secret,
            state: Some(TableState::Open),
            seats: String::new(),
            result: None,
        };
        let (seats, removed) = (self.seats.clone(), self.removed.clone());
        let restored = Restored::waiting(seats, self.log_len, self.auto_start, removed, self.chat);
        let present = Present {
            seats: self.seats,
            connections: self.connections,
            next_connection: self.next_connection,
        };
        let parts = TableParts::of(self.hall, row, restored, self.to_self, self.info);
        TableParts { present: Some(present), ..parts }
    }
}

/// A table without its deck.
pub struct TableParts {
    hall: Hall,
    row: TableRow,
    restored: Restored,
    to_self: mpsc::WeakSender<Box<Command>>,
    info: watch::Sender<Arc<TableInfo>>,
    /// If it was running before.
    present: Option<Present>,
}

/// Who is there.
struct Present {
    seats: Vec<SeatState>,
    connections: Vec<Connection>,
    next_connection: u64,
}

impl TableParts {
    pub(super) fn of(
        hall: Hall,
        row: TableRow,
        restored: Restored,
        to_self: mpsc::WeakSender<Box<Command>>,
        info: watch::Sender<Arc<TableInfo>>,
    ) -> TableParts {
        TableParts { hall, row, restored, to_self, info, present: None }
    }

    pub(super) fn with(self, cards: &Arc<PlayableDeck>) -> TableTask<'_> {
        let TableParts { hall, row, restored, to_self, info, present } = self;
        let mut table = TableTask::new(hall, cards, row, restored, to_self, info);
        let Some(present) = present else { return table };
        table.seats = present.seats;
        table.connections = present.connections;
        table.next_connection = present.next_connection;
        for at in 0..table.connections.len() {
            table.connections[at].seat = table.seat_of(&table.connections[at].person);
        }
        table.table_changed();
        table
    }
}
