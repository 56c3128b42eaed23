//! The hall holds the tables: it makes and finds them, and restores those that are not loaded.
//!
//! Invariant: what takes longer than a moment goes through the work pool, on behalf of whoever asked for it.

mod aside;
mod daily;
mod decks;
mod lobby;
#[cfg(test)]
mod panics;
mod problems;
mod records;
mod shared;
mod tables;
mod turns;

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bots::BotLevel;
use cards::tree::Set;
use engine::record::Hex;
use engine::setup::PLAYERS;
use engine::{Dealer, Rules, Ruleset, Setup, SetupError, Variant};
use futures_util::FutureExt;
use tokio::sync::{mpsc, oneshot, watch};

use crate::limits::{Rate, RateLimits, Slot, Slots};
use crate::nodes::Nodes;
use crate::serve::Limits;
use crate::store::{
    Change, LogEntry, Person, PersonId, SeatHolder, Store, StoreError, TableNumber, TableRow, fill_random,
    now,
};
use crate::table::{self, Command, ConnectionId, Outbox};
use crate::thinking::Thinking;
use crate::thinking::far::Far;
use crate::wire::{ClientMsg, CloseReason, NewTable, Settings, TableInfo};
use crate::work::{Requester, WorkError, WorkPool};

pub use decks::PlayableDeck;
pub use lobby::ListedTables;
pub use problems::{NewTableError, NoTable};
pub use records::RecordError;
pub use tables::{AnyTable, WeakHall};
use turns::Turns;

/// Tables that can be loaded at once.
const MAX_TABLES: usize = 20_000;
/// At the start, tables younger than this many seconds are restored; older ones when someone comes back.
const RECENT: i64 = 86_400;
/// A table that has panicked this often is left alone.
const MAX_PANICS: u32 = 3;
/// All addresses together.
const EVERYBODY: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
/// The longest name of a deck: it is in every message about the table.
const MAX_DECK_NAME: usize = 60;
/// The longest a window may stay open, in milliseconds.
const MAX_WINDOW: u32 = 30_000;

/// Everything the tables share, and on whose behalf it is used. Clones share the same hall.
#[derive(Clone)]
pub struct Hall(Arc<Inner>, Requester);

struct Inner {
    store: Store,
    sets: Vec<Set>,
    tables: Mutex<HashMap<String, TableHandle>>,
    /// The other servers, if there may be any.
    nodes: OnceLock<Nodes>,
    turns: Turns,
    thinking: Thinking,
    /// Other machines that help to think.
    far: OnceLock<Far>,
    aside: aside::Aside,
    decks: decks::KnownDecks,
    listed: lobby::Cached,
    scores: daily::CachedScores,
    work: WorkPool,
    chat: Rate,
    spectators_chat: Rate,
    tables_of: RateLimits<PersonId>,
    tables_from: RateLimits<IpAddr>,
    table_slots: Arc<Slots>,
    own_cards_slots: Arc<Slots>,
    own_cards_in_all: Arc<Slots>,
    /// Tables whose log cannot be replayed: it would fail again.
    damaged: Mutex<HashSet<String>>,
    /// How often tables have panicked; few ever do.
    panics: Mutex<HashMap<String, u32>>,
    stopping: watch::Sender<bool>,
    /// Others have the tables for now.
    withdrawn: AtomicBool,
}

/// Sends to the task that owns a table.
#[derive(Clone)]
pub struct TableHandle {
    commands: mpsc::Sender<Box<Command>>,
    info: watch::Receiver<Arc<TableInfo>>,
    /// The later it was made, the higher.
    number: TableNumber,
    /// Who made it; the server, if it was restored.
    by: Requester,
}

impl Hall {
    /// Opens the hall with the usual limits and restores the tables in progress.
    pub async fn open(store: Store, sets: Vec<Set>) -> Result<Hall, StoreError> {
        Hall::open_with(store, sets, &Limits::default()).await
    }

    pub async fn open_with(store: Store, sets: Vec<Set>, limits: &Limits) -> Result<Hall, StoreError> {
        let hall = Hall::new(store, sets, limits);
        let mut restored = 0;
        for id in hall.0.store.unfinished(now() - RECENT).await? {
            restored += u32::from(hall.table(&id).await.is_ok());
        }
        if restored > 0 {
            tracing::info!(tables = restored, "tables restored");
        }
        if let Some(news) = hall.0.store.news() {
            tokio::spawn(shared::hear(Arc::downgrade(&hall.0), news));
        }
        Ok(hall)
    }

    /// A hall without tables. All that it does belongs to one runtime.
    pub(crate) fn new(store: Store, sets: Vec<Set>, limits: &Limits) -> Hall {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let inner = Inner {
            store,
            sets,
            tables: Mutex::default(),
            nodes: OnceLock::new(),
            turns: Turns::default(),
            damaged: Mutex::default(),
            panics: Mutex::default(),
            thinking: Thinking::new(threads),
            far: OnceLock::new(),
            aside: aside::Aside::new(),
            decks: Default::default(),
            listed: Default::default(),
            scores: Default::default(),
            work: WorkPool::new(limits),
            chat: limits.chat,
            spectators_chat: limits.spectators_chat,
            tables_of: RateLimits::new(limits.tables),
            tables_from: RateLimits::new(limits.tables_per_address),
            table_slots: Slots::new(limits.tables_at_once),
            own_cards_slots: Slots::new(limits.own_cards_at_once),
            own_cards_in_all: Slots::new(limits.own_cards_in_all),
            stopping: watch::channel(false).0,
            withdrawn: AtomicBool::new(false),
        };
        Hall(Arc::new(inner), Requester::Server)
    }

    /// The same hall, for someone: what they ask for is limited and counted as theirs.
    pub fn on_behalf_of(&self, by: Requester) -> Hall {
        Hall(Arc::clone(&self.0), by)
    }

    /// The same hall, for what must be done whoever asks.
    fn for_itself(&self) -> Hall {
        self.on_behalf_of(Requester::Server)
    }

    /// Does work that is not quick.
    pub async fn work<T: Send + 'static>(
        &self,
        kind: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        self.0.work.run(self.1, kind, work).await
    }

    /// How fast a player may write, or all spectators of a table together.
    pub(crate) fn chat_rate(&self, seated: bool) -> Rate {
        if seated { self.0.chat } else { self.0.spectators_chat }
    }

    pub fn store(&self) -> &Store {
        &self.0.store
    }

    pub fn sets(&self) -> &[Set] {
        &self.0.sets
    }

    /// Where bots and hints of a table with these cards are worked out.
    pub(crate) fn thinking(&self, cards: &PlayableDeck) -> &Thinking {
        if cards.own.is_some() { &self.0.aside.thinking } else { &self.0.thinking }
    }

    /// From now on, other machines help to think.
    pub(crate) fn think_far(&self, far: Far) {
        let _ = self.0.far.set(far);
    }

    /// Other machines, if they should be asked now. They have the built-in decks only.
    pub(crate) fn far(&self, cards: &PlayableDeck) -> Option<&Far> {
        let known = cards.own.is_none() && cards.deck.id.is_preset();
        self.0.far.get().filter(|far| known && far.is_wanted(self.thinking(cards)))
    }

    /// Makes a table, its host in the first free seat.
    pub async fn create(&self, host: &Person, new: NewTable) -> Result<String, NewTableError> {
        self.count_new_table(host.id)?;
        let host = SeatHolder::Person { id: host.id, name: host.name.clone(), host: true };
        if let Some(from) = new.from.clone() {
            return self.create_from(&from, host, new).await;
        }
        let players = usize::from(rules(&new.settings)?.players);
        let mut holders: Vec<Option<SeatHolder>> = vec![None; players];
        if new.bots.len() >= players.max(1) {
            let room = players.saturating_sub(1);
            let bots = if room == 1 { "bot" } else { "bots" };
            let words = format!("{players} players leave room for only {room} {bots}");
            return Err(NewTableError::Settings(words));
        }
        holders[0] = Some(host);
        for (level, seat) in new.bots.iter().rev().zip(holders.iter_mut().rev()) {
            *seat = Some(table::new_bot(*level));
        }
        self.create_with(new, holders).await
    }

    /// Makes the table of a rematch, with these players in its seats. It counts as a new table of whoever asks for it.
    pub async fn create_rematch(
        &self,
        asker: PersonId,
        settings: Settings,
        holders: Vec<Option<SeatHolder>>,
    ) -> Result<String, NewTableError> {
        self.count_new_table(asker)?;
        self.create_with(NewTable { settings, ..NewTable::default() }, holders).await
    }

    /// Nobody, and no address, makes tables faster than the limits allow.
    fn count_new_table(&self, person: PersonId) -> Result<(), NewTableError> {
        if let Requester::Network(address) = self.1 {
            self.0.tables_of.take(person).map_err(NewTableError::TooFast)?;
            self.0.tables_from.take(address).map_err(NewTableError::TooFast)?;
        }
        Ok(())
    }

    async fn create_with(
        &self,
        new: NewTable,
        holders: Vec<Option<SeatHolder>>,
    ) -> Result<String, NewTableError> {
        let settings = new.settings;
        let cards = self.playable(&settings).await?;
        let mut entries = seat_entries(&holders);
        if new.start {
            entries.push(LogEntry::AutoStart);
        }
        self.make(settings, cards, entries, &holders).await
    }

    /// The deck of these settings, with which a game can be dealt.
    pub(crate) async fn playable(&self, settings: &Settings) -> Result<Arc<PlayableDeck>, NewTableError> {
        let rules = rules(settings)?;
        let (hall, wanted) = (self.clone(), settings.clone());
        let cards = self.work("deck", move || {
            let cards = hall.read_cards(&wanted)?;
            Dealer::new(&cards.db, rules)?;
            Ok::<_, NewTableError>(cards)
        });
        cards.await?
    }

    /// A game that continues from a moment of a finished one, `id@step`, with bots in the other seats.
    async fn create_from(&self, from: &str, me: SeatHolder, new: NewTable) -> Result<String, NewTableError> {
        let wrong = |words: &str| NewTableError::Settings(words.into());
        let (id, step) =
            from.split_once('@').ok_or_else(|| wrong("`from` must have the form record@step"))?;
        let step: usize = step.parse().map_err(|_| wrong("`from` must have the form record@step"))?;
        let found = self.record_and_cards(id).await.map_err(|error| match error {
            RecordError::Store(error) => NewTableError::Store(error),
            RecordError::Work(error) => NewTableError::Work(error),
            RecordError::Withheld => wrong("today's dungeon cannot be continued from before tomorrow"),
        })?;
        let (record, cards) = found.ok_or_else(|| wrong("there is no such finished game"))?;
        let row = self.0.store.table_row(id).await?.ok_or_else(|| wrong("there is no such table"))?;
        if step >= record.actions.len() {
            return Err(wrong("the game has no such step"));
        }
        let seat = new.seat.unwrap_or(1);
        let players = record.setup.rules.players;
        if !(1..=players).contains(&seat) {
            return Err(wrong("the game has no such seat"));
        }
        let level = |at: usize| new.bots.get(at).or(new.bots.last()).copied().unwrap_or(BotLevel::Minion);
        let holders: Vec<Option<SeatHolder>> = (1..=players)
            .map(|other| {
                Some(if other == seat { me.clone() } else { table::new_bot(level(usize::from(other) - 1)) })
            })
            .collect();
        let mut entries = seat_entries(&holders);
        entries.extend(self.beginning(&cards, &record.setup));
        entries.push(LogEntry::From(record.actions[..step].to_vec()));
        let settings = Settings { listed: false, clock: None, ..row.settings };
        self.make(settings, cards, entries, &holders).await
    }

    async fn make(
        &self,
        settings: Settings,
        cards: Arc<PlayableDeck>,
        entries: Vec<LogEntry>,
        holders: &[Option<SeatHolder>],
    ) -> Result<String, NewTableError> {
        self.make_as(new_id(), settings, cards, entries, holders).await
    }

    /// A table with this id.
    async fn make_as(
        &self,
        id: String,
        settings: Settings,
        cards: Arc<PlayableDeck>,
        entries: Vec<LogEntry>,
        holders: &[Option<SeatHolder>],
    ) -> Result<String, NewTableError> {
        if *self.0.stopping.borrow() || self.is_withdrawn() {
            return Err(NewTableError::Stopping);
        }
        if self.tables().len() >= MAX_TABLES {
            return Err(NewTableError::Full);
        }
        let slots = self.slots(cards.own.is_some())?;
        let mut secret = [0; 32];
        fill_random(&mut secret);
        let players = (0..).zip(holders).filter_map(|(seat, holder)| match holder {
            Some(SeatHolder::Person { id, .. }) => Some((*id, seat)),
            _ => None,
        });
        let change = Change { entries: &entries, players: players.collect(), ..Change::default() };
        let _turn = self.0.turns.of(&id).await;
        let row = self.0.store.new_table(id.clone(), settings, secret, change).await?;
        metrics::counter!("lair_tables_made").increment(1);
        let handle = self.spawn(row, entries, cards, slots);
        let mut tables = self.tables();
        tables.insert(id.clone(), handle);
        metrics::gauge!("lair_tables").set(tables.len() as f64);
        Ok(id)
    }

    /// How a game with these cards begins, for the log.
    pub(crate) fn beginning(&self, cards: &PlayableDeck, setup: &Setup) -> Vec<LogEntry> {
        let mut entries = vec![
            LogEntry::Cards(Hex(cards.db.hash)),
            LogEntry::Rules(engine::record::VERSION),
            LogEntry::Begins(setup.to_string()),
        ];
        entries.retain(|entry| self.store().takes(entry));
        entries
    }

    /// What a new table takes of its address's share.
    fn slots(&self, own_cards: bool) -> Result<Vec<Slot>, NewTableError> {
        let Requester::Network(address) = self.1 else { return Ok(Vec::new()) };
        let mut slots = vec![self.0.table_slots.take(address).ok_or(NewTableError::TooMany)?];
        if own_cards {
            slots.push(self.0.own_cards_slots.take(address).ok_or(NewTableError::TooManyOwn)?);
            slots.push(self.0.own_cards_in_all.take(EVERYBODY).ok_or(NewTableError::FullOwn)?);
        }
        Ok(slots)
    }

    /// Finds a table, and restores it if it is not loaded.
    pub async fn table(&self, id: &str) -> Result<TableHandle, NoTable> {
        let loaded = |tables: &HashMap<String, TableHandle>| {
            tables.get(id).filter(|handle| !handle.commands.is_closed()).cloned()
        };
        if let Some(handle) = loaded(&self.tables()) {
            return Ok(handle);
        }
        if *self.0.stopping.borrow() {
            return Err(NoTable::Stopping);
        }
        if self.is_withdrawn() {
            return Err(NoTable::Withdrawn);
        }
        if !is_id(id) {
            return Err(NoTable::Unknown);
        }
        if locked(&self.0.damaged).contains(id) {
            return Err(NoTable::CannotRestore);
        }
        // One request restores it, the others wait for that.
        let _turn = self.0.turns.of(id).await;
        if let Some(handle) = loaded(&self.tables()) {
            return Ok(handle);
        }
        let found = self.0.store.take(id).await.map_err(|error| self.unrestorable(id, &error))?;
        let (row, log) = found.filter(|(row, _)| row.state.is_some()).ok_or(NoTable::Unknown)?;
        let cards = self.for_itself().cards(&row.settings).await.map_err(|error| {
            self.0.store.give(row.hold);
            self.unrestorable(id, &StoreError::Damaged(error.to_string()))
        })?;
        let mut tables = self.tables();
        let handle = self.for_itself().spawn(row, log, cards, Vec::new());
        tables.insert(id.into(), handle.clone());
        metrics::gauge!("lair_tables").set(tables.len() as f64);
        Ok(handle)
    }

    /// The table's log cannot be replayed. It stays as it is, for whoever can repair it.
    pub(crate) fn cannot_restore(&self, id: &str, error: &StoreError) {
        self.unrestorable(id, error);
        let mut tables = self.tables();
        tables.remove(id);
        metrics::gauge!("lair_tables").set(tables.len() as f64);
    }

    fn unrestorable(&self, id: &str, error: &StoreError) -> NoTable {
        match error {
            StoreError::Elsewhere { node, .. } => return NoTable::Elsewhere(*node),
            StoreError::Away(..) | StoreError::Stopped => return NoTable::Waiting,
            _ => {}
        }
        tracing::error!(table = id, %error, "a table cannot be restored; its log is kept");
        // Anything else may be over soon.
        if matches!(error, StoreError::Damaged(_)) {
            locked(&self.0.damaged).insert(id.into());
        }
        NoTable::CannotRestore
    }

    /// The table ended in the middle of something. Nothing is lost: whoever comes next brings it back from its log.
    fn panicked(&self, id: &str) {
        metrics::counter!("lair_table_panics_total").increment(1);
        let times = {
            let mut panics = locked(&self.0.panics);
            let times = panics.entry(id.into()).or_default();
            *times += 1;
            *times
        };
        tracing::error!(table = id, times, "a table panicked");
        if times >= MAX_PANICS {
            self.unrestorable(id, &StoreError::Damaged("it has panicked again and again".into()));
        }
        self.forget(id);
    }

    fn spawn(
        &self,
        row: TableRow,
        log: Vec<LogEntry>,
        cards: Arc<PlayableDeck>,
        slots: Vec<Slot>,
    ) -> TableHandle {
        let (commands, inbox) = mpsc::channel(32);
        let (publish, info) = watch::channel(Arc::new(TableInfo::unknown()));
        let (to_self, number, hall) = (commands.downgrade(), row.hold.table, self.for_itself());
        let own_cards = cards.own.is_some();
        let (id, hold, guard) = (row.id.clone(), row.hold, self.for_itself());
        let row = Box::new(row);
        let table = async move {
            let run = table::run(hall, cards, row, log, inbox, to_self, publish);
            if AssertUnwindSafe(run).catch_unwind().await.is_err() {
                guard.panicked(&id);
            }
            // A server that stops gives everything at once.
            if !*guard.0.stopping.borrow() {
                guard.0.store.give(hold);
            }
            drop(slots);
        };
        if own_cards {
            self.0.aside.spawn(table);
        } else {
            drop(tokio::spawn(table));
        }
        TableHandle { commands, info, number, by: self.1 }
    }

    /// A table was unloaded; by now it may have been restored again.
    pub(crate) fn forget(&self, id: &str) {
        let mut tables = self.tables();
        if tables.get(id).is_some_and(|handle| handle.commands.is_closed()) {
            tables.remove(id);
        }
        metrics::gauge!("lair_tables").set(tables.len() as f64);
    }

    /// Takes no more moves, finishes storing, and says goodbye to everyone.
    pub async fn stop(&self) {
        self.0.stopping.send_replace(true);
        self.close_tables().await;
    }

    async fn close_tables(&self) {
        let handles: Vec<TableHandle> = self.tables().values().cloned().collect();
        let mut waits = Vec::new();
        for handle in handles {
            let (done, wait) = oneshot::channel();
            if handle.commands.send(Command::Stop(done).into()).await.is_ok() {
                waits.push(wait);
            }
        }
        for wait in waits {
            let _ = wait.await;
        }
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<String, TableHandle>> {
        locked(&self.0.tables)
    }
}

impl TableHandle {
    /// Connects a person to the table; everything they are sent goes to `outbox`.
    pub async fn join(
        &self,
        by: Requester,
        person: Person,
        commitment: Option<Hex<32>>,
        outbox: Box<dyn Outbox>,
    ) -> Result<ConnectionId, CloseReason> {
        let (reply, wait) = oneshot::channel();
        let join = Command::Join { by, person, commitment, outbox, reply };
        // If it cannot be sent, `reply` is dropped.
        let _ = self.commands.send(join.into()).await;
        match wait.await {
            Ok(joined) => joined,
            // The table was unloaded, or never came to be.
            Err(_) => Err(self.info().await.map_or(CloseReason::CannotRestore, |_| CloseReason::Closed)),
        }
    }

    /// `false` if the table is gone.
    pub async fn send(&self, from: ConnectionId, message: ClientMsg) -> bool {
        self.commands.send(Command::Message { from, message }.into()).await.is_ok()
    }

    /// It was unloaded, or has ended otherwise.
    pub fn is_gone(&self) -> bool {
        self.commands.is_closed()
    }

    pub async fn leave(&self, connection: ConnectionId) {
        let _ = self.commands.send(Command::Leave(connection).into()).await;
    }

    /// What everyone may see of the table; `None` if it could not be restored.
    pub async fn info(&self) -> Option<TableInfo> {
        let mut info = self.info.clone();
        let known = info.wait_for(|info| !info.id.is_empty()).await;
        known.ok().map(|info| TableInfo::clone(&info))
    }
}

fn seat_entries(holders: &[Option<SeatHolder>]) -> Vec<LogEntry> {
    let seats = (0..).zip(holders);
    seats.filter_map(|(seat, holder)| Some(LogEntry::Sits(seat, Some(holder.clone()?)))).collect()
}

/// The rules of the settings, or what is wrong with them.
pub fn rules(settings: &Settings) -> Result<Rules, NewTableError> {
    let wrong = |words: String| NewTableError::Settings(words);
    if !PLAYERS.contains(&settings.players) {
        return Err(SetupError::Players(settings.players).into());
    }
    if settings.window_ms > MAX_WINDOW {
        return Err(wrong(format!("`window_ms` may be at most {MAX_WINDOW}")));
    }
    if let Some(clock) = settings.clock
        && !((5..=86_400).contains(&clock.move_s) && clock.reserve_s <= 86_400)
    {
        return Err(wrong(
            "a clock allows 5 to 86400 seconds for a move and at most 86400 in reserve".into(),
        ));
    }
    if settings.deck.chars().count() > MAX_DECK_NAME {
        return Err(wrong(format!("a deck's name may have at most {MAX_DECK_NAME} characters")));
    }
    if let Some(twice) =
        (1..settings.variants.len()).find(|at| settings.variants[..*at].contains(&settings.variants[*at]))
    {
        let name: String = settings.variants[twice].chars().take(60).collect();
        return Err(wrong(format!("`variants` names `{name}` twice")));
    }
    let ruleset: Ruleset = settings.ruleset.parse().map_err(|error| wrong(format!("{error}")))?;
    let mut rules = Rules::new(ruleset, settings.players);
    for name in &settings.variants {
        let variant: Variant = name.parse().map_err(|error| wrong(format!("{error}")))?;
        rules = rules.with(variant);
    }
    // Being asked must not show what a player holds.
    rules.cover = true;
    Ok(rules)
}

/// An unguessable ID: 26 letters and digits of five bits each.
fn new_id() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; 26];
    fill_random(&mut bytes);
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte & 31)])).collect()
}

/// Only these are looked up in the database.
fn is_id(text: &str) -> bool {
    text.len() == 26 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
