//! Restores a table from its log. It takes as long as playing the game again, so it belongs in the work pool; what
//! comes out can be sent to the task that runs the table.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use engine::id::SEATS;
use engine::record::{Record, SeatText, VERSION as RULES};
use engine::{Seat, SeatSet, Setup};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::absence::GRACE_AFTER_RESTART;
use super::chat::Chat;
use super::fairness::{Shuffle, fairness};
use super::game::{AnsweredBy, LiveGame, SavedGame};
use super::questions::OpenQuestion;
use super::seats::{self, EarlyEnd, SeatState};
use super::{Command, TableTask};
use crate::hall::{Hall, PlayableDeck};
use crate::store::{KeptWishes, LogEntry, PersonId, SeatHolder, StoreError, TableRow};
use crate::wire::{Settings, Spectators, TableInfo, TableState};
use crate::work::Requester;

/// A table as its log tells it.
pub struct Restored {
    seats: Vec<SeatState>,
    shuffle: Option<Shuffle>,
    live: Option<SavedGame>,
    log_len: u32,
    auto_start: bool,
    ended: Option<EarlyEnd>,
    rematch_id: Option<String>,
    removed: Vec<PersonId>,
    spent: HashMap<(usize, Seat), u64>,
    chat: Chat,
    /// Beside the log.
    wishes: Vec<(PersonId, KeptWishes)>,
}

impl Restored {
    pub fn of(cards: &PlayableDeck, row: &TableRow, log: Vec<LogEntry>) -> Result<Restored, StoreError> {
        let log_len = log.len() as u32;
        let read = LogReader::read(cards, row, log)?;
        let LogReader { seats, shuffle, live, auto_start, ended, rematch_id, removed, spent, chat, .. } =
            read;
        Ok(Restored {
            seats,
            shuffle,
            live: live.map(LiveGame::save),
            log_len,
            auto_start,
            ended,
            rematch_id,
            removed,
            spent,
            chat,
            wishes: Vec::new(),
        })
    }

    pub fn wishing(self, wishes: Vec<(PersonId, KeptWishes)>) -> Restored {
        Restored { wishes, ..self }
    }
}

impl Restored {
    /// A table whose game has not begun.
    pub fn waiting(
        seats: Vec<SeatState>,
        log_len: u32,
        auto_start: bool,
        removed: Vec<PersonId>,
        chat: Chat,
    ) -> Restored {
        Restored {
            seats,
            shuffle: None,
            live: None,
            log_len,
            auto_start,
            ended: None,
            rematch_id: None,
            removed,
            spent: HashMap::new(),
            chat,
            wishes: Vec::new(),
        }
    }
}

impl<'a> TableTask<'a> {
    pub(super) fn new(
        hall: Hall,
        cards: &'a Arc<PlayableDeck>,
        row: TableRow,
        restored: Restored,
        to_self: mpsc::WeakSender<Box<Command>>,
        info: watch::Sender<Arc<TableInfo>>,
    ) -> TableTask<'a> {
        let Restored { seats, shuffle, live, log_len, auto_start, ended, rematch_id, .. } = restored;
        let Restored { removed, spent, chat, wishes, .. } = restored;
        let live = live.map(|live| live.with(&cards.db));
        let mut table = TableTask {
            hall,
            cards,
            shared: cards.clone(),
            bots: Vec::new(),
            payer: Requester::Server,
            previews: Vec::new(),
            must_update: false,
            changed_deck: None,
            auto_start,
            hold: row.hold,
            id: row.id,
            settings: row.settings,
            secret: row.secret,
            seats,
            stored_steps: live.as_ref().map_or(0, |live| live.steps.len()),
            live,
            shuffle,
            // Answers to questions from before the restart must be stale.
            seq: log_len,
            question: OpenQuestion::none(),
            shown_until: Instant::now(),
            owners_to_tell: SeatSet::EMPTY,
            unsent: Vec::new(),
            unstored: Vec::new(),
            log_len,
            worked: Duration::ZERO,
            ended,
            undo_request: None,
            undo_requests: 0,
            undo_declined: None,
            rematch_id,
            proposal: None,
            removed,
            spent,
            seats_changed: false,
            chat,
            connections: Vec::new(),
            next_connection: 0,
            delayed: VecDeque::new(),
            released: None,
            idle_since: Instant::now(),
            lost: false,
            info,
            to_self,
            moves: metrics::counter!("lair_moves"),
        };
        table.take_up_wishes(wishes);
        table.seat_bots();
        for seat_state in table.seats.iter_mut().filter(|seat_state| seat_state.person().is_some()) {
            seat_state.replaceable_from = Some(Instant::now() + GRACE_AFTER_RESTART);
        }
        let mut now = table.table_info();
        if now.state == TableState::Playing && now.settings.spectators == Spectators::Delayed {
            // The lobby is shown it with the delay.
            now.turn = 0;
        }
        table.info.send_replace(Arc::new(now));
        table
    }
}

/// Reads a log entry by entry.
struct LogReader<'a> {
    cards: &'a PlayableDeck,
    settings: &'a Settings,
    secret: [u8; 32],
    seats: Vec<SeatState>,
    shuffle: Option<Shuffle>,
    live: Option<LiveGame<'a>>,
    auto_start: bool,
    ended: Option<EarlyEnd>,
    rematch_id: Option<String>,
    removed: Vec<PersonId>,
    spent: HashMap<(usize, Seat), u64>,
    chat: Chat,
}

impl<'a> LogReader<'a> {
    fn read(
        cards: &'a PlayableDeck,
        row: &'a TableRow,
        log: Vec<LogEntry>,
    ) -> Result<LogReader<'a>, StoreError> {
        let settings = &row.settings;
        let seats = (0..settings.players).map(|_| SeatState::new(settings)).collect();
        let mut reader = LogReader {
            cards,
            settings,
            secret: row.secret,
            seats,
            shuffle: None,
            live: None,
            auto_start: false,
            ended: None,
            rematch_id: None,
            removed: Vec::new(),
            spent: HashMap::new(),
            chat: Chat::default(),
        };
        for (n, entry) in without_undone(log) {
            let wrong = |what: String| StoreError::Damaged(format!("entry {n} of the log: {what}"));
            reader.entry(entry).map_err(wrong)?;
        }
        Ok(reader)
    }

    fn entry(&mut self, entry: LogEntry) -> Result<(), String> {
        let seats = self.seats.len();
        let index = |seat: u8| Some(usize::from(seat)).filter(|at| *at < seats).ok_or("no such seat");
        match entry {
            // The table had more seats then.
            LogEntry::Sits(seat, _) if (seats..SEATS).contains(&usize::from(seat)) && self.live.is_none() => {
            }
            LogEntry::Sits(seat, holder) => {
                let at = index(seat)?;
                self.seats[at] = SeatState { holder, ..SeatState::new(self.settings) };
            }
            LogEntry::Commits(commitments) if commitments.len() == seats => {
                self.shuffle = Some(Shuffle::restored(commitments));
            }
            LogEntry::Commits(_) => return Err("not a commitment for each seat".into()),
            LogEntry::Reveals(seat, bytes) => {
                let shuffle = self.shuffle.as_mut().ok_or("no commitments")?;
                shuffle.restore_bytes(index(seat)?, bytes).ok_or("no such seat")?;
            }
            LogEntry::Removed(person) => self.removed.push(person),
            LogEntry::Cards(hash) if hash.0 != self.cards.db.hash => {
                return Err("the game was begun with other cards".into());
            }
            LogEntry::Cards(_) => {}
            LogEntry::Rules(version) if version != RULES => {
                return Err(format!("the game was begun by rules {version}, and these are {RULES}"));
            }
            LogEntry::Rules(_) => {}
            LogEntry::Begins(line) => {
                let setup: Setup = line.parse().map_err(|error| format!("{error}"))?;
                if usize::from(setup.rules.players) != seats {
                    return Err(format!("a game for {} at a table for {seats}", setup.rules.players));
                }
                let (fairness, seed) = fairness(self.secret, self.shuffle.take().as_ref(), seats);
                // A game that continues another one has the seed of that.
                let fairness = Some(fairness).filter(|_| seed == setup.seed);
                let dealt = LiveGame::deal(self.cards, setup, fairness).ok_or("the game cannot be dealt")?;
                self.live = Some(dealt.0);
            }
            LogEntry::From(actions) => {
                let live = self.live.as_mut().ok_or("no game")?;
                for action in &actions {
                    live.apply(action.0, AnsweredBy::Table, &mut Vec::new())
                        .map_err(|error| error.to_string())?;
                }
                live.inherited = actions.len();
            }
            LogEntry::AutoStart => self.auto_start = true,
            LogEntry::Auto(action) => {
                let live = self.live.as_mut().ok_or("no game")?;
                live.apply(action.0, AnsweredBy::Table, &mut Vec::new())
                    .map_err(|error| error.to_string())?;
            }
            LogEntry::Acts(action) => {
                let live = self.live.as_mut().ok_or("no game")?;
                let seat = live.decision().ok_or("the game is over")?.seat;
                let by = match self.seats[seat.index()].is_present() {
                    true => AnsweredBy::Person,
                    false => AnsweredBy::Bot,
                };
                live.apply(action.0, by, &mut Vec::new()).map_err(|error| error.to_string())?;
            }
            LogEntry::Resigns(seat) => {
                let at = index(seat)?;
                self.ended = seats::resigned(&mut self.seats, Seat(at as u8));
            }
            LogEntry::Away(seat, away) => self.seats[index(seat)?].away = away,
            LogEntry::Reserve(seat, left) => self.seats[index(seat)?].reserve_ms = left,
            LogEntry::Spent(seat, spent) => {
                let step = self.live.as_ref().map_or(0, |live| live.steps.len());
                self.spent.insert((step, Seat(index(seat)? as u8)), spent);
            }
            LogEntry::Said { seat, name, text } => self.chat.said(seat.map(Seat), name, text),
            LogEntry::Rematch(id) => self.rematch_id = Some(id),
            LogEntry::Stopped => self.ended = Some(EarlyEnd::stopped()),
            LogEntry::Undone(_) | LogEntry::Shown => {}
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.ended.is_some() || self.live.as_ref().is_some_and(|live| live.game.outcome().is_some())
    }
}

/// The numbered entries without the answers that were taken back: however often players change their minds, restoring
/// the table takes as long as playing what is left.
fn without_undone(log: Vec<LogEntry>) -> impl Iterator<Item = (usize, LogEntry)> {
    let mut entries: Vec<Option<LogEntry>> = Vec::with_capacity(log.len());
    // Where the answers are, after those that the game began with.
    let (mut inherited, mut answers) = (0, Vec::new());
    for entry in log {
        match &entry {
            LogEntry::From(actions) => inherited = actions.len(),
            LogEntry::Acts(_) | LogEntry::Auto(_) => answers.push(entries.len()),
            LogEntry::Undone(steps) => {
                let left = (*steps as usize).saturating_sub(inherited).min(answers.len());
                answers.drain(left..).for_each(|at| entries[at] = None);
            }
            _ => {}
        }
        entries.push(Some(entry));
    }
    entries.into_iter().enumerate().filter_map(|(n, entry)| Some((n, entry?)))
}

/// Whether a table can be restored from its log and, if it is over, its record holds.
pub fn replays(cards: &PlayableDeck, row: TableRow, log: Vec<LogEntry>) -> Result<(), StoreError> {
    Restored::of(cards, &row, log.clone())?;
    match record(cards, row, log)? {
        Some(record) => {
            record.verify(&cards.db).map(drop).map_err(|error| StoreError::Damaged(error.to_string()))
        }
        None => Ok(()),
    }
}

/// The record of a table's game, if it is over.
pub fn record(cards: &PlayableDeck, row: TableRow, log: Vec<LogEntry>) -> Result<Option<Record>, StoreError> {
    let table = LogReader::read(cards, &row, log)?;
    let Some(live) = table.live.as_ref().filter(|_| table.is_over()) else { return Ok(None) };
    let kind = |seat_state: &SeatState| match &seat_state.holder {
        Some(SeatHolder::Bot { level, .. }) => level.to_string(),
        _ => "person".into(),
    };
    let seats = seats::names(&table.seats).into_iter().zip(&table.seats);
    let seats = seats.map(|(name, seat_state)| SeatText { name, kind: kind(seat_state) }).collect();
    Ok(Some(live.record(cards, seats)))
}
