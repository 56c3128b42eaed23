//! One table: a task that owns the game, and everybody's way to it. No lock guards the rules; messages come one
//! after the other.
//!
//! Invariants: an answer is stored before anybody sees what it does; what a connection is told is made from the
//! view of its own seat; a message names the question it answers, and only the present one is answered.

mod chairs;
mod fair;
mod game;
mod pace;
mod replay;
mod show;
mod think;
mod turns;

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bots::Bot;
use engine::record::Hex;
use engine::{Event, Seat};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::frame::Frame;
use crate::hall::{Cards, Hall};
use crate::store::{Change, Entry, FoundWith, Person, StoreError, TableNo, TableRow};
use crate::wire::{ChatLine, ClientMsg, Farewell, Refusal, ServerMsg, Spectators, TableInfo, TableState};

use chairs::Chair;
use game::Play;
use think::Thought;
use turns::Asked;

pub use chairs::new_bot;
pub use fair::commitment;
pub use replay::record;

/// Takes the messages to a connection. Whoever does not read is sent the whole table anew later.
pub trait Outbox: Send + Sync {
    /// `false`: there is no room for it.
    fn send(&self, frame: Frame) -> bool;
    /// There is room for many more.
    fn is_roomy(&self) -> bool;
}

impl Outbox for mpsc::Sender<Frame> {
    fn send(&self, frame: Frame) -> bool {
        self.try_send(frame).is_ok()
    }

    fn is_roomy(&self) -> bool {
        self.capacity() * 2 > self.max_capacity()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectionId(pub u64);

/// What a table can be told.
pub enum Command {
    Join {
        person: Person,
        entropy: Option<Hex<32>>,
        outbox: Box<dyn Outbox>,
        reply: oneshot::Sender<Result<ConnectionId, Farewell>>,
    },
    Message {
        from: ConnectionId,
        message: ClientMsg,
    },
    Leave(ConnectionId),
    /// A bot has made up its mind.
    Thought(Thought),
    /// A hint is ready.
    Hint {
        to: ConnectionId,
        message: ServerMsg,
    },
    /// The server stops.
    Stop(oneshot::Sender<()>),
}

/// A table nobody is connected to goes to sleep after this; its log wakes it up.
const SLEEPS_AFTER: Duration = Duration::from_secs(600);
/// The same, when the game is over.
const ENDS_AFTER: Duration = Duration::from_secs(10);
/// An open table nobody comes back to is closed after this.
const CLOSES_AFTER: Duration = Duration::from_secs(3600);
/// Spectators of a delayed table see everything so much later.
const DELAY: Duration = Duration::from_secs(60);
/// Somebody who did not read is looked after again.
const RETRY: Duration = Duration::from_millis(500);
const CHAT_KEPT: usize = 100;
const CHAT_LENGTH: usize = 300;
const MOST_SPECTATORS: usize = 200;

struct Connection {
    id: ConnectionId,
    person: Person,
    seat: Option<Seat>,
    /// Its part of the seed, should the person take a seat.
    entropy: Option<Hex<32>>,
    outbox: Box<dyn Outbox>,
    /// Something was left out: everything must be sent anew.
    lagging: bool,
    /// The cards of the game have been sent.
    has_cards: bool,
}

/// A wish to take back that waits for consent.
struct Wish {
    request: u32,
    seat: Seat,
    steps: usize,
    missing: Vec<Seat>,
    /// What everybody is told of it.
    words: String,
}

impl Wish {
    fn concerns(&self, seat: Option<Seat>) -> bool {
        seat.is_some_and(|seat| seat == self.seat || self.missing.contains(&seat))
    }

    fn asked(&self) -> ServerMsg {
        ServerMsg::UndoAsked {
            request: self.request,
            seat: bots::wire::seat_number(self.seat),
            words: self.words.clone(),
        }
    }
}

struct Table<'a> {
    hall: Hall,
    cards: &'a Cards,
    /// The same, for threads that outlive a question.
    shared: Arc<Cards>,
    /// By seat; one that thinks is not here.
    bots: Vec<Option<Box<dyn Bot>>>,
    no: TableNo,
    id: String,
    settings: crate::wire::Settings,
    secret: [u8; 32],
    chairs: Vec<Chair>,
    play: Option<Play<'a>>,
    /// Grows with everything that is shown of the game; never more than there are entries in the log.
    seq: u32,
    asked: Asked,
    /// Happened and stored, not yet shown.
    unsent: Vec<Event>,
    /// Happened, not yet stored.
    unstored: Vec<Entry>,
    /// Entries in the log.
    logged: u32,
    /// How many steps of the game are stored, in case the store fails.
    durable: usize,
    /// Somebody's question was answered: everybody must be told, even if nothing happened.
    must_show: bool,
    /// Begin as soon as everybody is here.
    auto_start: bool,
    ended: Option<chairs::Ended>,
    wish: Option<Wish>,
    requests: u32,
    rematch: Option<String>,
    chat: VecDeque<ChatLine>,
    connections: Vec<Connection>,
    next_connection: u64,
    delayed: VecDeque<(Instant, Frame)>,
    released: Option<Frame>,
    idle_since: Instant,
    info: watch::Sender<Arc<TableInfo>>,
    me: mpsc::WeakSender<Command>,
    moves: metrics::Counter,
}

/// Runs a table until it sleeps, closes or the server stops.
pub async fn run(
    hall: Hall,
    cards: Arc<Cards>,
    row: TableRow,
    log: Vec<Entry>,
    mut commands: mpsc::Receiver<Command>,
    me: mpsc::WeakSender<Command>,
    info: watch::Sender<Arc<TableInfo>>,
) {
    let id = row.id.clone();
    let mut table = match Table::restore(hall, &cards, row, log, me, info) {
        Ok(table) => table,
        Err(error) => return tracing::error!(table = id, %error, "a table cannot be set up again"),
    };
    table.go_on().await;
    let mut alarm = pin!(sleep_until(table.deadline()));
    loop {
        // One that goes off too soon costs less than setting it anew with every message.
        let deadline = table.deadline();
        if deadline < alarm.deadline() || alarm.is_elapsed() {
            alarm.as_mut().reset(deadline);
        }
        tokio::select! {
            command = commands.recv() => match command {
                None => break,
                Some(Command::Stop(done)) => {
                    table.farewell(Farewell::Stopping, "The server stops. Everything is stored: come back in a moment.");
                    let _ = done.send(());
                    break;
                }
                Some(command) => table.command(command).await,
            },
            () = &mut alarm => {
                if table.is_forsaken() {
                    break;
                }
                table.tick().await;
            }
        }
    }
    // Whoever comes from now on wakes it up.
    commands.close();
    table.close().await;
}

impl<'a> Table<'a> {
    fn state(&self) -> TableState {
        match &self.play {
            _ if self.ended.is_some() => TableState::Over,
            Some(play) if play.game.outcome().is_some() => TableState::Over,
            Some(_) => TableState::Playing,
            None => TableState::Open,
        }
    }

    async fn command(&mut self, command: Command) {
        match command {
            Command::Join { person, entropy, outbox, reply } => {
                let joined = self.join(person, entropy, outbox).await;
                let _ = reply.send(joined);
            }
            Command::Message { from, message } => {
                if let Err(refused) = self.message(from, message).await {
                    self.tell(from, &refused.into());
                }
            }
            Command::Leave(id) => self.leave(id),
            Command::Thought(thought) => self.thought(thought).await,
            Command::Hint { to, message } => self.tell(to, &message),
            Command::Stop(_) => {}
        }
    }

    async fn join(
        &mut self,
        person: Person,
        entropy: Option<Hex<32>>,
        outbox: Box<dyn Outbox>,
    ) -> Result<ConnectionId, Farewell> {
        let seat = self.seat_of(&person);
        if seat.is_none() {
            let watchers = self.connections.iter().filter(|connection| connection.seat.is_none()).count();
            let welcome = self.settings.spectators != Spectators::None || self.state() == TableState::Open;
            if !welcome || watchers >= MOST_SPECTATORS {
                return Err(Farewell::NotWelcome);
            }
        }
        self.next_connection += 1;
        let id = ConnectionId(self.next_connection);
        self.connections.push(Connection {
            id,
            person,
            seat,
            entropy,
            outbox,
            lagging: false,
            has_cards: false,
        });
        metrics::gauge!("lair_connections").increment(1.0);
        if let Some(seat) = seat {
            self.chairs[seat.index()].connected += 1;
            self.add_entropy(seat, entropy);
        }
        self.greet(id);
        if seat.is_some() {
            self.table_changed();
        }
        self.begin_if_all_are_here().await;
        Ok(id)
    }

    fn leave(&mut self, id: ConnectionId) {
        let Some(at) = self.connections.iter().position(|connection| connection.id == id) else { return };
        let gone = self.connections.swap_remove(at);
        metrics::gauge!("lair_connections").decrement(1.0);
        if self.connections.is_empty() {
            self.idle_since = Instant::now();
        }
        if let Some(seat) = gone.seat {
            let chair = &mut self.chairs[seat.index()];
            chair.connected = chair.connected.saturating_sub(1);
            self.table_changed();
        }
    }

    /// How long the table waits for somebody to come back.
    fn patience(&self) -> Duration {
        match self.state() {
            TableState::Open => CLOSES_AFTER,
            TableState::Playing => SLEEPS_AFTER,
            TableState::Over => ENDS_AFTER,
        }
    }

    /// Nobody has been here for long.
    fn is_forsaken(&self) -> bool {
        self.connections.is_empty() && self.idle_since.elapsed() >= self.patience()
    }

    async fn close(&mut self) {
        if self.state() == TableState::Open && self.is_forsaken() {
            let found_with = Some(FoundWith { state: None, seats: "[]".into(), result: None });
            let _ = self.store(Change { found_with, ..Change::default() }).await;
        }
        metrics::gauge!("lair_connections").decrement(self.connections.len() as f64);
        self.hall.forget(&self.id);
    }

    /// What was decided about the table but not about the game, stored at once.
    async fn store(&mut self, change: Change<'_>) -> Result<(), Refused> {
        let more = change.entries.len() as u32;
        match self.hall.store().change(self.no, self.logged, change).await {
            Ok(()) => {
                self.logged += more;
                Ok(())
            }
            Err(error) => Err(self.not_stored(&error)),
        }
    }

    async fn enter(&mut self, entry: Entry) -> Result<(), Refused> {
        self.store(Change { entries: &[entry], ..Change::default() }).await
    }

    fn not_stored(&self, error: &StoreError) -> Refused {
        tracing::error!(table = self.id, %error, "not stored");
        refused(Refusal::NotStored, "The server could not store that. Nothing has changed: try again.")
    }

    async fn message(&mut self, from: ConnectionId, message: ClientMsg) -> Result<(), Refused> {
        let Some(connection) = self.connections.iter().find(|connection| connection.id == from) else {
            return Ok(());
        };
        let seat = connection.seat;
        let seated = || seat.ok_or_else(|| refused(Refusal::NotSeated, "You only watch: take a seat first."));
        match message {
            ClientMsg::Hello { .. } => Err(refused(Refusal::HelloFirst, "You have said hello already.")),
            ClientMsg::Act { seq, index } => self.act(seated()?, seq, index).await,
            ClientMsg::Hold { seq } => self.hold(seated()?, seq).await,
            ClientMsg::Preview { seq, index } => self.preview(from, seated()?, seq, index),
            ClientMsg::Hint { seq } => self.hint(from, seated()?, seq),
            ClientMsg::Stops { stops } => {
                let seat = seated()?;
                self.chairs[seat.index()].set_stops(stops, self.play.as_ref());
                self.table_changed();
                self.wishes_changed(seat).await
            }
            ClientMsg::Undo => self.undo(seated()?).await,
            ClientMsg::Consent { request, yes } => self.consent(seated()?, request, yes).await,
            ClientMsg::Sit { seat: wanted } => {
                let person = connection.person.clone();
                self.sit(person, wanted).await
            }
            ClientMsg::Stand => self.stand(seated()?).await,
            ClientMsg::Bot { seat: wanted, level } => self.seat_bot(seated()?, wanted, level).await,
            ClientMsg::Start => self.start(seated()?).await,
            ClientMsg::Resign => self.resign(seated()?).await,
            ClientMsg::Replace { seat: wanted } => self.replace(seated()?, wanted).await,
            ClientMsg::Back => self.back(seated()?).await,
            ClientMsg::Rematch => self.begin_rematch(seated()?).await,
            ClientMsg::Chat { text } => {
                let person = connection.person.clone();
                self.say(seat, &person, &text)
            }
            ClientMsg::Refresh => {
                self.greet(from);
                Ok(())
            }
        }
    }

    fn say(&mut self, seat: Option<Seat>, person: &Person, text: &str) -> Result<(), Refused> {
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        if text.chars().count() > CHAT_LENGTH {
            let words = format!("That is too long: at most {CHAT_LENGTH} characters.");
            return Err(refused(Refusal::TooLong, &words));
        }
        let seat = seat.map(bots::wire::seat_number);
        let line = ChatLine { from: person.name.clone(), seat, text: text.into() };
        self.chat.push_back(line.clone());
        if self.chat.len() > CHAT_KEPT {
            self.chat.pop_front();
        }
        self.tell_all(&ServerMsg::Chat { line });
        Ok(())
    }
}

/// A message was not taken, and nothing has changed.
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
