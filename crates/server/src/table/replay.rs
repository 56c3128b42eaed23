//! A table set up again from its log, as if nobody had left.

use std::collections::VecDeque;
use std::sync::Arc;

use engine::Setup;
use engine::record::{Record, SeatText};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::chairs::Chair;
use super::game::{By, Play};
use super::turns::Asked;
use super::{Command, Table, fair};
use crate::hall::{Cards, Hall};
use crate::store::{Entry, Sitter, StoreError, TableRow};
use crate::wire::{TableInfo, TableState};

impl<'a> Table<'a> {
    pub(super) fn restore(
        hall: Hall,
        cards: &'a Arc<Cards>,
        row: TableRow,
        log: Vec<Entry>,
        me: mpsc::WeakSender<Command>,
        info: watch::Sender<Arc<TableInfo>>,
    ) -> Result<Table<'a>, StoreError> {
        let chairs = (0..row.settings.players).map(|_| Chair::new(&row.settings)).collect();
        let mut table = Table {
            hall,
            cards,
            shared: cards.clone(),
            bots: Vec::new(),
            must_show: false,
            auto_start: false,
            no: row.no,
            id: row.id,
            settings: row.settings,
            secret: row.secret,
            chairs,
            play: None,
            // Questions of before the restart are not those of now.
            seq: log.len() as u32,
            asked: Asked::nothing(),
            unsent: Vec::new(),
            unstored: Vec::new(),
            logged: log.len() as u32,
            durable: 0,
            ended: None,
            wish: None,
            requests: 0,
            rematch: None,
            chat: VecDeque::new(),
            connections: Vec::new(),
            next_connection: 0,
            delayed: VecDeque::new(),
            released: None,
            idle_since: Instant::now(),
            info,
            me,
            moves: metrics::counter!("lair_moves"),
        };
        for (n, entry) in log.into_iter().enumerate() {
            let wrong = |what: String| StoreError::Damaged(format!("entry {n} of the log: {what}"));
            table.replay(entry).map_err(wrong)?;
        }
        table.seat_bots();
        table.unsent.clear();
        table.durable = table.play.as_ref().map_or(0, |play| play.steps.len());
        let now = table.table_info();
        table.info.send_replace(Arc::new(now));
        Ok(table)
    }

    fn replay(&mut self, entry: Entry) -> Result<(), String> {
        let seats = self.chairs.len();
        let chair = |seat: u8| Some(usize::from(seat)).filter(|at| *at < seats).ok_or("no such seat");
        match entry {
            Entry::Sits(seat, sitter) => {
                let at = chair(seat)?;
                self.chairs[at] = Chair { sitter, ..Chair::new(&self.settings) };
            }
            Entry::Entropy(seat, part) => self.chairs[chair(seat)?].entropy = Some(part),
            Entry::Begins(line) => {
                let setup: Setup = line.parse().map_err(|error| format!("{error}"))?;
                let entropy: Vec<_> = self.chairs.iter().map(|chair| chair.entropy).collect();
                let (fairness, seed) = fair::seed(self.secret, &entropy);
                let fairness = Some(fairness).filter(|_| seed == setup.seed);
                let dealt = Play::deal(self.cards, setup, fairness).ok_or("it cannot be dealt")?;
                self.play = Some(dealt.0);
            }
            Entry::From(actions) => {
                let play = self.play.as_mut().ok_or("no game")?;
                for action in &actions {
                    play.apply(action.0, By::Table, &mut Vec::new()).map_err(|error| error.to_string())?;
                }
                play.given = actions.len();
            }
            Entry::AutoStart => self.auto_start = true,
            Entry::Auto(action) => {
                let play = self.play.as_mut().ok_or("no game")?;
                play.apply(action.0, By::Table, &mut Vec::new()).map_err(|error| error.to_string())?;
            }
            Entry::Acts(action) => {
                let play = self.play.as_mut().ok_or("no game")?;
                let seat = play.decision().ok_or("the game is over")?.seat;
                let by = match self.chairs[seat.index()].sitter {
                    Some(Sitter::Person { .. }) => By::Person,
                    _ => By::Bot,
                };
                play.apply(action.0, by, &mut Vec::new()).map_err(|error| error.to_string())?;
            }
            Entry::Undone(steps) => {
                let play = self.play.as_mut().ok_or("no game")?;
                play.rewind(&self.cards.db, steps as usize);
            }
            Entry::Resigns(seat) => {
                let at = chair(seat)?;
                self.resigned(engine::Seat(at as u8));
            }
            Entry::Away(seat, away) => self.chairs[chair(seat)?].away = away,
            Entry::Rematch(id) => self.rematch = Some(id),
            Entry::Shown => {}
        }
        Ok(())
    }
}

/// The game of a table on paper, if it is over.
pub fn record(
    hall: Hall,
    cards: &Arc<Cards>,
    row: TableRow,
    log: Vec<Entry>,
) -> Result<Option<Record>, StoreError> {
    let (me, _) = mpsc::channel(1);
    let (info, _) = watch::channel(Arc::new(TableInfo::unknown()));
    let table = Table::restore(hall, cards, row, log, me.downgrade(), info)?;
    let Some(play) = table.play.as_ref().filter(|_| table.state() == TableState::Over) else {
        return Ok(None);
    };
    let kind = |chair: &Chair| match &chair.sitter {
        Some(Sitter::Bot { level, .. }) => bots::Player::Level((*level).into()).to_string(),
        _ => "person".into(),
    };
    let seats = table.names().into_iter().zip(&table.chairs);
    let seats = seats.map(|(name, chair)| SeatText { name, kind: kind(chair) }).collect();
    Ok(Some(play.record(table.cards, seats)))
}
