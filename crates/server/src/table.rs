//! One table: a task that owns the game and handles its messages one at a time, so nothing needs a lock.
//!
//! Invariants: an answer is on disk before anyone sees its effects; what a connection is told is made from the view
//! of its own seat; an answer names its question, and only the current question can be answered.

mod absence;
mod arming;
mod bot_seats;
mod chat;
mod clocks;
mod fairness;
#[cfg(test)]
mod friends;
mod game;
pub mod pace;
mod previews;
mod questions;
mod rematch;
mod restore;
mod seats;
mod settings;
mod spectators;
#[cfg(test)]
mod two_worlds;
mod undo;
mod updates;
mod windows;
#[cfg(test)]
mod wishes;

use std::collections::{HashMap, VecDeque};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bots::Bot;
use cpu_time::ThreadTime;
use engine::record::Hex;
use engine::{Event, Seat, SeatSet};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::frame::Frame;
use crate::hall::{Hall, PlayableDeck};
use crate::store::{Change, Hold, LogEntry, Person, PersonId, StoreError, TableRow, TableSummary};
use crate::wire::{ClientMsg, CloseReason, Refusal, ServerMsg, Spectators, TableInfo, TableState};

use crate::work::Requester;
use absence::GRACE;
use bot_seats::{BotAnswer, FoundHint};
use chat::Chat;
use fairness::Shuffle;
use game::LiveGame;
pub(crate) use previews::preview;
use previews::{FinishedPreview, PreviewState};
use questions::OpenQuestion;
use rematch::Proposal;
use seats::SeatState;
use spectators::Delayed;
use undo::{Declined, UndoRequest};

use restore::Restored;
pub use restore::{record, replays};
pub use seats::new_bot;
use settings::TableParts;
#[cfg(test)]
pub(crate) use two_worlds::Folder;

/// Takes the messages for a connection. One that falls behind is sent the whole table again later.
pub trait Outbox: Send + Sync {
    /// `false` if the queue is full and the message was dropped.
    fn send(&self, frame: Frame) -> bool;
    /// At least half of the queue is free.
    fn has_room(&self) -> bool;
}

impl Outbox for mpsc::Sender<Frame> {
    fn send(&self, frame: Frame) -> bool {
        self.try_send(frame).is_ok()
    }

    fn has_room(&self) -> bool {
        self.capacity() * 2 > self.max_capacity()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectionId(pub u64);

/// What can be sent to a table. It comes in a box: a channel keeps room for many.
pub enum Command {
    Join {
        /// Whose limits count for what this connection asks for.
        by: Requester,
        person: Person,
        commitment: Option<Hex<32>>,
        outbox: Box<dyn Outbox>,
        reply: oneshot::Sender<Result<ConnectionId, CloseReason>>,
    },
    Message {
        from: ConnectionId,
        message: ClientMsg,
    },
    Leave(ConnectionId),
    /// A bot has decided.
    BotAnswer(BotAnswer),
    /// A hint is ready.
    Hint(FoundHint),
    /// A preview is ready.
    Preview(Box<FinishedPreview>),
    /// Another server wants the table, which goes there if nobody is here.
    Yield,
    /// The server is stopping.
    Stop(oneshot::Sender<()>),
    #[cfg(test)]
    Panic,
}

/// A table without connections is unloaded after this; its log brings it back.
const UNLOAD_AFTER: Duration = Duration::from_secs(600);
/// The same, once the game is over.
const UNLOAD_FINISHED_AFTER: Duration = Duration::from_secs(10);
/// A table that never started is closed for good after this long without connections.
const CLOSE_AFTER: Duration = Duration::from_secs(3600);
/// How often a connection that fell behind is tried again.
const RETRY: Duration = Duration::from_millis(500);
/// Whoever waits longer for something to be kept is told why.
const SLOW_STORE: Duration = Duration::from_secs(2);
const MAX_SPECTATORS: usize = 200;
/// Once a log has this many entries, which no game needs, nothing can be taken back and nobody can change seats.
const LONG_LOG: u32 = 10_000;
/// And with this many the game is stopped.
const MAX_LOG: u32 = 20_000;
/// The same, with so much processor time for a game with cards of its own. Others need a hundredth of it.
const MAX_WORK: Duration = Duration::from_secs(20);

struct Connection {
    id: ConnectionId,
    by: Requester,
    person: Person,
    seat: Option<Seat>,
    /// To its contribution to the shuffle, should the person take a seat.
    commitment: Option<Hex<32>>,
    outbox: Box<dyn Outbox>,
    /// It missed a message: everything must be sent again.
    lagging: bool,
    /// The cards of the game have been sent.
    has_cards: bool,
}

struct TableTask<'a> {
    hall: Hall,
    cards: &'a PlayableDeck,
    /// The same, for threads that outlive a question.
    shared: Arc<PlayableDeck>,
    /// By seat; absent while it is thinking.
    bots: Vec<Option<Box<dyn Bot>>>,
    /// Whose share of thinking the bots used last (`bot_seats.rs`).
    payer: Requester,
    /// By seat.
    previews: Vec<PreviewState>,
    hold: Hold,
    id: String,
    settings: crate::wire::Settings,
    secret: [u8; 32],
    seats: Vec<SeatState>,
    /// While the clients reveal what they add to it.
    shuffle: Option<Shuffle>,
    /// Who cannot sit here again.
    removed: Vec<PersonId>,
    /// Who plays for themselves has changed, and everyone must be told.
    seats_changed: bool,
    /// With a clock: how much time each question has taken, in milliseconds, however often it was asked.
    spent: HashMap<(usize, Seat), u64>,
    live: Option<LiveGame<'a>>,
    /// Grows with every update; never beyond the number of entries in the log.
    seq: u32,
    question: OpenQuestion,
    /// When the clients will have shown what they have been sent, at normal speed.
    shown_until: Instant,
    /// To whom something has changed that concerns only them.
    owners_to_tell: SeatSet,
    /// Happened, not yet sent.
    unsent: Vec<Event>,
    /// Happened, not yet stored.
    unstored: Vec<LogEntry>,
    /// Entries in the log.
    log_len: u32,
    /// Processor time that the game has taken, if it is played with cards of its own.
    worked: Duration,
    /// Steps of the game that are on disk: what is left if storing fails.
    stored_steps: usize,
    /// A person's question was answered: everyone must be told, even if nothing happened.
    must_update: bool,
    /// The settings have changed, and this is the deck now.
    changed_deck: Option<Arc<PlayableDeck>>,
    /// Start as soon as everyone is here.
    auto_start: bool,
    ended: Option<seats::EarlyEnd>,
    undo_request: Option<UndoRequest>,
    undo_requests: u32,
    undo_declined: Option<Declined>,
    rematch_id: Option<String>,
    proposal: Option<Proposal>,
    chat: Chat,
    connections: Vec<Connection>,
    next_connection: u64,
    /// What spectators will be shown, and when.
    delayed: VecDeque<(Instant, Delayed)>,
    /// The newest update that they were shown with a delay.
    released: Option<Frame>,
    idle_since: Instant,
    /// Another server has taken the table.
    lost: bool,
    /// What the lobby shows.
    info: watch::Sender<Arc<TableInfo>>,
    to_self: mpsc::WeakSender<Box<Command>>,
    moves: metrics::Counter,
}

/// Runs a table until it is unloaded or closed, or the server stops.
pub async fn run(
    hall: Hall,
    mut cards: Arc<PlayableDeck>,
    row: Box<TableRow>,
    log: Vec<LogEntry>,
    mut commands: mpsc::Receiver<Box<Command>>,
    to_self: mpsc::WeakSender<Box<Command>>,
    info: watch::Sender<Arc<TableInfo>>,
) {
    let restored = Box::pin(restore(hall, Arc::clone(&cards), row, log, to_self, info));
    let Some(mut parts) = restored.await else { return };
    while let Some((waiting, deck)) = run_with(&cards, parts, &mut commands).await {
        (parts, cards) = (waiting, deck);
    }
}

/// `None` if the log cannot be replayed, at least not now.
async fn restore(
    hall: Hall,
    deck: Arc<PlayableDeck>,
    row: Box<TableRow>,
    log: Vec<LogEntry>,
    to_self: mpsc::WeakSender<Box<Command>>,
    info: watch::Sender<Arc<TableInfo>>,
) -> Option<Box<TableParts>> {
    let id = row.id.clone();
    let own_cards = deck.own.is_some();
    let restore = move || Restored::of(&deck, &row, log).map(|restored| (row, restored));
    // Cards of its own may take long, and this thread is theirs.
    let restored = if own_cards { Ok(restore()) } else { hall.work("restore", restore).await };
    let (row, restored) = match restored {
        Ok(Ok(restored)) => restored,
        Ok(Err(error)) => {
            hall.cannot_restore(&id, &error);
            return None;
        }
        Err(error) => {
            tracing::error!(table = id, %error, "a table cannot be restored now");
            return None;
        }
    };
    let wishes = hall.store().wishes(row.hold.table).await.unwrap_or_default();
    Some(Box::new(TableParts::of(hall, *row, restored.wishing(wishes), to_self, info)))
}

/// Runs a table with these cards. If the host chooses other ones before the game, the table goes on with those.
///
/// Most tables wait most of the time. Whatever is done in between is boxed, so that they keep no room for it.
async fn run_with(
    cards: &Arc<PlayableDeck>,
    parts: Box<TableParts>,
    commands: &mut mpsc::Receiver<Box<Command>>,
) -> Option<(Box<TableParts>, Arc<PlayableDeck>)> {
    let mut table = parts.with(cards);
    Box::pin(table.advance()).await;
    let mut alarm = pin!(sleep_until(table.deadline()));
    loop {
        // An early alarm costs less than resetting it with every message.
        let deadline = table.deadline();
        if deadline < alarm.deadline() || alarm.is_elapsed() {
            alarm.as_mut().reset(deadline);
        }
        tokio::select! {
            command = commands.recv() => match command.map(|command| *command) {
                None => break,
                Some(Command::Stop(done)) => {
                    table.close_all(CloseReason::Stopping, "The server is stopping. Everything is saved: come back in a moment.");
                    Box::pin(table.leave_behind()).await;
                    let _ = done.send(());
                    break;
                }
                Some(Command::Yield) if table.connections.is_empty() => break,
                Some(command) => Box::pin(table.command(command)).await,
            },
            () = &mut alarm => {
                if table.is_abandoned() {
                    break;
                }
                Box::pin(table.tick()).await;
            }
        }
        // It goes on at another server: those who are connected look for it there.
        if table.lost {
            break;
        }
        if let Some(deck) = table.changed_deck.take() {
            return Some((Box::new(table.into_parts()), deck));
        }
    }
    // Anyone who comes from now on finds it unloaded and brings it back.
    commands.close();
    Box::pin(table.close()).await;
    None
}

impl<'a> TableTask<'a> {
    fn state(&self) -> TableState {
        match &self.live {
            _ if self.ended.is_some() => TableState::Over,
            Some(live) if live.game.outcome().is_some() => TableState::Over,
            Some(_) => TableState::Playing,
            None => TableState::Open,
        }
    }

    async fn command(&mut self, command: Command) {
        match command {
            Command::Join { by, person, commitment, outbox, reply } => {
                let joined = self.join(by, person, commitment, outbox).await;
                let _ = reply.send(joined);
            }
            Command::Message { from, message } => {
                if let Err(refused) = self.message(from, message).await
                    && !self.lost
                {
                    self.tell(from, &refused.into());
                }
            }
            Command::Leave(id) => self.leave(id).await,
            Command::BotAnswer(answer) => self.bot_answered(answer).await,
            Command::Hint(found) => self.hint_found(found),
            Command::Preview(preview) => self.preview_finished(*preview),
            Command::Yield | Command::Stop(_) => {}
            #[cfg(test)]
            Command::Panic => panic!("as the test wanted"),
        }
    }

    async fn join(
        &mut self,
        by: Requester,
        person: Person,
        commitment: Option<Hex<32>>,
        outbox: Box<dyn Outbox>,
    ) -> Result<ConnectionId, CloseReason> {
        let seat = self.seat_of(&person);
        if seat.is_none() {
            let watchers = self.connections.iter().filter(|connection| connection.seat.is_none()).count();
            let welcome = self.settings.spectators != Spectators::None || self.state() == TableState::Open;
            if !welcome || watchers >= MAX_SPECTATORS {
                return Err(CloseReason::NotWelcome);
            }
        }
        self.next_connection += 1;
        let id = ConnectionId(self.next_connection);
        self.connections.push(Connection {
            id,
            by,
            person,
            seat,
            commitment,
            outbox,
            lagging: false,
            has_cards: false,
        });
        metrics::gauge!("lair_connections").increment(1.0);
        if let Some(seat) = seat {
            let seat_state = &mut self.seats[seat.index()];
            seat_state.connected += 1;
            seat_state.replaceable_from = None;
        }
        self.send_welcome(id);
        if seat.is_some() {
            self.table_changed();
        }
        self.start_if_complete().await;
        Ok(id)
    }

    async fn leave(&mut self, id: ConnectionId) {
        let Some(at) = self.connections.iter().position(|connection| connection.id == id) else { return };
        let gone = self.connections.swap_remove(at);
        metrics::gauge!("lair_connections").decrement(1.0);
        self.forget_hint_of(id);
        if self.connections.is_empty() {
            self.idle_since = Instant::now();
        }
        if let Some(seat) = gone.seat {
            self.ask_everywhere(seat, id, false);
            let seat_state = &mut self.seats[seat.index()];
            seat_state.connected = seat_state.connected.saturating_sub(1);
            if seat_state.connected == 0 {
                seat_state.replaceable_from = Some(Instant::now() + GRACE);
            }
            self.table_changed();
            let _ = self.settle_rematch().await;
        }
    }

    /// How long the table stays loaded without connections.
    fn idle_limit(&self) -> Duration {
        match self.state() {
            TableState::Open => CLOSE_AFTER,
            TableState::Playing => UNLOAD_AFTER,
            TableState::Over => UNLOAD_FINISHED_AFTER,
        }
    }

    /// Nobody has been connected for too long.
    fn is_abandoned(&self) -> bool {
        self.connections.is_empty() && self.idle_since.elapsed() >= self.idle_limit()
    }

    /// Has everything kept that whoever goes on with the table must know.
    async fn leave_behind(&mut self) {
        let entries = self.time_taken();
        if !entries.is_empty() && !self.lost {
            let _ = self.store(Change { entries: &entries, ..Change::default() }).await;
        }
    }

    async fn close(&mut self) {
        self.leave_behind().await;
        if self.state() == TableState::Open && self.is_abandoned() && !self.lost {
            let summary = Some(TableSummary { state: None, seats: "[]".into(), result: None });
            let _ = self.store(Change { summary, ..Change::default() }).await;
        }
        metrics::gauge!("lair_connections").decrement(self.connections.len() as f64);
        self.hall.forget(&self.id);
    }

    /// Stores a change around the game at once.
    async fn store(&mut self, change: Change<'_>) -> Result<(), Refused> {
        let more = change.entries.len() as u32;
        match self.keep(change).await {
            Ok(()) => {
                self.log_len += more;
                Ok(())
            }
            Err(error) => Err(self.not_stored(&error)),
        }
    }

    /// Has a change kept.
    async fn keep(&mut self, change: Change<'_>) -> Result<(), StoreError> {
        match self.hall.store().may_wait() {
            false => self.hall.store().change(self.hold, self.log_len, change).await,
            // On its own, so that tables of a data folder need no room for it.
            true => Box::pin(self.keep_patiently(change)).await,
        }
    }

    /// A database that is away may be back soon: everyone is told that the table waits for it.
    async fn keep_patiently(&mut self, change: Change<'_>) -> Result<(), StoreError> {
        let store = self.hall.store().clone();
        let mut kept = pin!(store.change(self.hold, self.log_len, change));
        if let Ok(done) = tokio::time::timeout(SLOW_STORE, &mut kept).await {
            return done;
        }
        let words = "The server is waiting for its database. Nothing is lost: the game goes on by itself.";
        self.tell_all(&refused(Refusal::NotStored, words).into());
        kept.await
    }

    async fn log_entry(&mut self, entry: LogEntry) -> Result<(), Refused> {
        self.store(Change { entries: &[entry], ..Change::default() }).await
    }

    /// Entries that are the game's: talking brings no game closer to its end.
    fn game_len(&self) -> u32 {
        self.log_len.saturating_sub(self.chat.kept())
    }

    /// Whether there is room for what no game needs.
    fn room_in_log(&self) -> Result<(), Refused> {
        if self.game_len() < LONG_LOG {
            return Ok(());
        }
        let words = "Too much has happened at this table for that: finish the game, or make a new table.";
        Err(refused(Refusal::NotNow, words))
    }

    /// Does what may take long with cards of the table's own, and counts it.
    fn timed<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        if self.cards.own.is_none() {
            return work(self);
        }
        let began = ThreadTime::now();
        let done = work(self);
        self.worked += began.elapsed();
        done
    }

    /// No game goes on for so long.
    fn is_exhausted(&self) -> bool {
        self.game_len() as usize + self.unstored.len() >= MAX_LOG as usize || self.worked >= MAX_WORK
    }

    fn not_stored(&mut self, error: &StoreError) -> Refused {
        // A shared store stops when this server is declared dead.
        let dead = self.hall.store().may_wait() && matches!(error, StoreError::Stopped);
        self.lost |= dead || matches!(error, StoreError::Lost);
        tracing::error!(table = self.id, %error, "not stored");
        refused(Refusal::NotStored, "The server could not save that. Nothing has changed: please try again.")
    }

    async fn message(&mut self, from: ConnectionId, message: ClientMsg) -> Result<(), Refused> {
        let Some(connection) = self.connections.iter().find(|connection| connection.id == from) else {
            return Ok(());
        };
        let seat = connection.seat;
        let seated =
            || seat.ok_or_else(|| refused(Refusal::NotSeated, "You are only watching: take a seat first."));
        match message {
            ClientMsg::Hello { .. } => Err(refused(Refusal::HelloFirst, "You have already said hello.")),
            ClientMsg::Act { seq, index } => self.act(seated()?, seq, index).await,
            ClientMsg::Hold { seq } => self.hold(seated()?, seq).await,
            ClientMsg::Preview { seq, index } => self.preview(from, seated()?, seq, index),
            ClientMsg::Why { card } => self.why(from, seated()?, card),
            ClientMsg::Hint { seq } => self.hint(from, seated()?, seq),
            ClientMsg::Stops { stops } => self.set_stops(seated()?, stops).await,
            ClientMsg::PassOn { until, seq } => self.pass_on(seated()?, until, seq).await,
            ClientMsg::AskEverywhere { on } => {
                self.ask_everywhere(seated()?, from, on);
                Ok(())
            }
            ClientMsg::Arm { card, when } => self.arm(seated()?, card, when).await,
            ClientMsg::Undo => self.undo(seated()?).await,
            ClientMsg::Consent { request, yes } => self.consent(seated()?, request, yes).await,
            ClientMsg::Sit { seat: wanted } => {
                let person = connection.person.clone();
                self.sit(person, wanted).await
            }
            ClientMsg::Stand => self.stand(seated()?).await,
            ClientMsg::Bot { seat: wanted, level } => self.seat_bot(seated()?, wanted, level).await,
            ClientMsg::Remove { seat: wanted } => self.remove(seated()?, wanted).await,
            ClientMsg::Settings { settings } => {
                let (seat, by) = (seated()?, connection.by);
                self.change_settings(seat, by, *settings).await
            }
            ClientMsg::Start => self.start(seated()?).await,
            ClientMsg::Reveal { bytes } => self.reveal(seated()?, &bytes).await,
            ClientMsg::Resign => self.resign(seated()?).await,
            ClientMsg::Replace { seat: wanted } => self.replace(seated()?, wanted).await,
            ClientMsg::Back => self.back(seated()?).await,
            ClientMsg::Rematch { yes } => {
                let from = connection.by;
                self.rematch(seated()?, from, yes).await
            }
            ClientMsg::Chat { text } => {
                let name = self.name_of(connection);
                self.chat(seat, name, &text).await
            }
            ClientMsg::Refresh => {
                self.send_welcome(from);
                Ok(())
            }
        }
    }
}

/// Why a message was refused; nothing has changed.
#[derive(Debug)]
struct Refused {
    code: Refusal,
    words: String,
    seq: Option<u32>,
}

fn refused(code: Refusal, words: &str) -> Refused {
    Refused { code, words: words.into(), seq: None }
}

impl From<Refused> for ServerMsg {
    fn from(Refused { code, words, seq }: Refused) -> ServerMsg {
        ServerMsg::Refused { code, words, seq }
    }
}
