//! The hall where the tables stand: makes them, finds them, and sets those up again that were left.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use cards::CardDb;
use cards::deck::Deck;
use cards::library;
use cards::tree::Set;
use engine::record::{Hex, Record};
use engine::setup::PLAYERS;
use engine::{Dealer, Rules, Seat, SetupError, Variant};
use thiserror::Error;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};

use crate::frame::Frame;
use crate::store::{Change, Entry, Person, Sitter, Store, StoreError, TableRow, fill_random, now};
use crate::table::{self, Command, ConnectionId, Outbox};
use crate::wire::{
    BotLevel, ClientMsg, Farewell, Lobby, NewTable, Settings, Spectators, TableInfo, TableState,
};

/// Tables that can be awake at once.
const MOST_TABLES: usize = 20_000;
/// Tables a lobby lists of each kind.
const LISTED: usize = 100;
/// At the start, tables made within this many seconds are set up again; older ones when somebody comes.
const RECENT: i64 = 86_400;
/// Windows stay open for at most this many milliseconds.
const MOST_WINDOW: u32 = 30_000;

/// Everything the tables share. Clones are the same hall.
#[derive(Clone)]
pub struct Hall(Arc<Inner>);

struct Inner {
    store: Store,
    sets: Vec<Set>,
    tables: Mutex<HashMap<String, Handle>>,
    decks: Mutex<HashMap<DeckKey, Weak<Cards>>>,
    thinking: Semaphore,
    stopping: watch::Sender<bool>,
}

/// What settings say of a deck: its name, and its text if it is somebody's own.
type DeckKey = (String, Option<String>);

/// A deck and its cards, ready to be played.
pub struct Cards {
    pub deck: Deck,
    pub db: CardDb,
    /// What the players of a game are told of its cards: long, and the same for every game of these rules.
    told: Mutex<Vec<(Rules, Option<Seat>, Frame)>>,
}

/// The way to the task that owns a table.
#[derive(Clone)]
pub struct Handle {
    commands: mpsc::Sender<Command>,
    info: watch::Receiver<Arc<TableInfo>>,
}

/// Why a table was not made.
#[derive(Debug, Error)]
pub enum NewTableError {
    #[error("there is no deck `{0}`: see /api/decks for those there are")]
    NoDeck(String),
    #[error("the deck cannot be read:\n{0}")]
    Deck(String),
    #[error(transparent)]
    Rules(#[from] SetupError),
    #[error("{0}")]
    Settings(String),
    #[error("the server has as many tables as it can hold: try again later")]
    Full,
    #[error("the server stops: try again in a moment")]
    Stopping,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Hall {
    /// Opens the hall and sets up again what was under way.
    pub async fn open(store: Store, sets: Vec<Set>) -> Result<Hall, StoreError> {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let hall = Hall(Arc::new(Inner {
            store,
            sets,
            tables: Mutex::default(),
            decks: Mutex::default(),
            thinking: Semaphore::new(threads),
            stopping: watch::channel(false).0,
        }));
        let recent = now() - RECENT;
        let mut woken = 0;
        for row in hall.0.store.unfinished().await? {
            if row.made >= recent && hall.table(&row.id).await.is_some() {
                woken += 1;
            }
        }
        if woken > 0 {
            tracing::info!(tables = woken, "set up again");
        }
        Ok(hall)
    }

    pub fn store(&self) -> &Store {
        &self.0.store
    }

    pub fn sets(&self) -> &[Set] {
        &self.0.sets
    }

    /// As many bots think at a time as there are cores.
    pub fn thinking(&self) -> &Semaphore {
        &self.0.thinking
    }

    /// Makes a table, its host in the first free seat.
    pub async fn create(&self, host: &Person, new: NewTable) -> Result<String, NewTableError> {
        let host = Sitter::Person { id: host.id, name: host.name.clone(), host: true };
        if let Some(from) = new.from.clone() {
            return self.create_from(&from, host, new).await;
        }
        let players = usize::from(rules(&new.settings)?.players);
        let mut sitters: Vec<Option<Sitter>> = vec![None; players];
        if new.bots.len() >= players.max(1) {
            let words =
                format!("{players} players leave room for at most {} bots", players.saturating_sub(1));
            return Err(NewTableError::Settings(words));
        }
        sitters[0] = Some(host);
        for (level, seat) in new.bots.iter().rev().zip(sitters.iter_mut().rev()) {
            *seat = Some(table::new_bot(*level));
        }
        self.create_with(new, sitters).await
    }

    /// Makes a table with these in its seats.
    pub async fn create_with(
        &self,
        new: NewTable,
        sitters: Vec<Option<Sitter>>,
    ) -> Result<String, NewTableError> {
        let settings = new.settings;
        let cards = self.cards(&settings)?;
        Dealer::new(&cards.db, rules(&settings)?)?;
        let mut entries = seating(&sitters);
        if new.start {
            entries.push(Entry::AutoStart);
        }
        self.make(settings, cards, entries, &sitters).await
    }

    /// A game taken up from a moment of one that is over, `id@step`: bots in the other seats.
    async fn create_from(&self, from: &str, me: Sitter, new: NewTable) -> Result<String, NewTableError> {
        let wrong = |words: &str| NewTableError::Settings(words.into());
        let (id, step) = from.split_once('@').ok_or_else(|| wrong("`from` is written as record@step"))?;
        let step: usize = step.parse().map_err(|_| wrong("`from` is written as record@step"))?;
        let found = self.record_and_cards(id).await?;
        let (record, cards) = found.ok_or_else(|| wrong("there is no finished game of that name"))?;
        let row = self.0.store.table(id).await?.ok_or_else(|| wrong("there is no such table"))?.0;
        if step >= record.actions.len() {
            return Err(wrong("the game has no such step"));
        }
        let seat = new.seat.unwrap_or(1);
        let players = record.setup.rules.players;
        if !(1..=players).contains(&seat) {
            return Err(wrong("the game has no such seat"));
        }
        let level = |at: usize| new.bots.get(at).or(new.bots.last()).copied().unwrap_or(BotLevel::Minion);
        let sitters: Vec<Option<Sitter>> = (1..=players)
            .map(|other| {
                Some(if other == seat { me.clone() } else { table::new_bot(level(usize::from(other) - 1)) })
            })
            .collect();
        let mut entries = seating(&sitters);
        entries.push(Entry::Begins(record.setup.to_string()));
        entries.push(Entry::From(record.actions[..step].to_vec()));
        let settings = Settings { listed: false, clock: None, ..row.settings };
        self.make(settings, cards, entries, &sitters).await
    }

    async fn make(
        &self,
        settings: Settings,
        cards: Arc<Cards>,
        entries: Vec<Entry>,
        sitters: &[Option<Sitter>],
    ) -> Result<String, NewTableError> {
        if *self.0.stopping.borrow() {
            return Err(NewTableError::Stopping);
        }
        if self.tables().len() >= MOST_TABLES {
            return Err(NewTableError::Full);
        }
        let (id, mut secret) = (new_id(), [0; 32]);
        fill_random(&mut secret);
        let players = (0..).zip(sitters).filter_map(|(seat, sitter)| match sitter {
            Some(Sitter::Person { id, .. }) => Some((*id, seat)),
            _ => None,
        });
        let change = Change { entries: &entries, players: players.collect(), found_with: None };
        let row = self.0.store.new_table(id.clone(), settings, secret, change).await?;
        metrics::counter!("lair_tables_made").increment(1);
        let handle = self.wake(row, entries, cards);
        let mut tables = self.tables();
        tables.insert(id.clone(), handle);
        metrics::gauge!("lair_tables").set(tables.len() as f64);
        Ok(id)
    }

    /// The table of that name, woken up if it sleeps.
    pub async fn table(&self, id: &str) -> Option<Handle> {
        let awake = |tables: &HashMap<String, Handle>| {
            tables.get(id).filter(|handle| !handle.commands.is_closed()).cloned()
        };
        if let Some(handle) = awake(&self.tables()) {
            return Some(handle);
        }
        if *self.0.stopping.borrow() || !is_id(id) {
            return None;
        }
        let (row, log) = match self.0.store.table(id).await {
            Ok(found) => found.filter(|(row, _)| row.state.is_some())?,
            Err(error) => {
                tracing::error!(table = id, %error, "not found");
                return None;
            }
        };
        let cards = self.cards(&row.settings).ok()?;
        let mut tables = self.tables();
        // Somebody else may have been quicker.
        if let Some(handle) = awake(&tables) {
            return Some(handle);
        }
        let handle = self.wake(row, log, cards);
        tables.insert(id.into(), handle.clone());
        metrics::gauge!("lair_tables").set(tables.len() as f64);
        Some(handle)
    }

    fn wake(&self, row: TableRow, log: Vec<Entry>, cards: Arc<Cards>) -> Handle {
        let (commands, inbox) = mpsc::channel(32);
        let (publish, info) = watch::channel(Arc::new(TableInfo::unknown()));
        let me = commands.downgrade();
        tokio::spawn(table::run(self.clone(), cards, row, log, inbox, me, publish));
        Handle { commands, info }
    }

    /// A table has gone to sleep; it may have been woken up anew meanwhile.
    pub(crate) fn forget(&self, id: &str) {
        let mut tables = self.tables();
        if tables.get(id).is_some_and(|handle| handle.commands.is_closed()) {
            tables.remove(id);
        }
        metrics::gauge!("lair_tables").set(tables.len() as f64);
    }

    pub async fn info(&self, id: &str) -> Option<TableInfo> {
        let handle = self.table(id).await?;
        Some(handle.info().await)
    }

    pub async fn lobby(&self, me: Option<&Person>) -> Lobby {
        let handles: Vec<Handle> = self.tables().values().cloned().collect();
        let mut lobby = Lobby { open: Vec::new(), playing: Vec::new(), mine: Vec::new() };
        for handle in handles {
            let info = handle.info.borrow().clone();
            if !info.settings.listed || info.id.is_empty() {
                continue;
            }
            let free = info.seats.iter().any(|seat| seat.who.is_none());
            let watched = info.settings.spectators != Spectators::None;
            match info.state {
                TableState::Open if free && lobby.open.len() < LISTED => {
                    lobby.open.push(TableInfo::clone(&info))
                }
                TableState::Playing if watched && lobby.playing.len() < LISTED => {
                    lobby.playing.push(TableInfo::clone(&info));
                }
                _ => {}
            }
        }
        if let Some(me) = me
            && let Ok(mine) = self.0.store.unfinished_of(me.id, LISTED as u32).await
        {
            for id in mine {
                lobby.mine.extend(self.info(&id).await);
            }
        }
        lobby
    }

    /// The record of a game that is over; `None` before, and if there is no such table.
    pub async fn record(&self, id: &str) -> Result<Option<Record>, StoreError> {
        Ok(self.record_and_cards(id).await?.map(|(record, _)| record))
    }

    /// The same, with the cards to play it again with.
    pub async fn record_and_cards(&self, id: &str) -> Result<Option<(Record, Arc<Cards>)>, StoreError> {
        if !is_id(id) {
            return Ok(None);
        }
        let Some((row, log)) = self.0.store.table(id).await? else { return Ok(None) };
        let cards = self.cards(&row.settings).map_err(|error| StoreError::Damaged(error.to_string()))?;
        let record = table::record(self.clone(), &cards, row, log)?;
        Ok(record.map(|record| (record, cards)))
    }

    /// The deck of the settings with its cards.
    pub fn cards(&self, settings: &Settings) -> Result<Arc<Cards>, NewTableError> {
        let key = (settings.deck.clone(), settings.deck_text.clone());
        if let Some(cards) = locked(&self.0.decks).get(&key).and_then(Weak::upgrade) {
            return Ok(cards);
        }
        let deck = match &settings.deck_text {
            None => library::deck(&settings.deck, &self.0.sets)
                .ok_or_else(|| NewTableError::NoDeck(settings.deck.chars().take(60).collect()))?,
            Some(text) => Deck::read(&settings.deck, "the deck", text, &self.0.sets)
                .map_err(|errors| NewTableError::Deck(errors.to_string()))?,
        };
        let db = deck.compile(&self.0.sets).map_err(|error| NewTableError::Deck(error.to_string()))?;
        let cards = Arc::new(Cards { deck, db, told: Mutex::default() });
        let mut decks = locked(&self.0.decks);
        decks.retain(|_, cards| cards.strong_count() > 0);
        decks.insert(key, Arc::downgrade(&cards));
        Ok(cards)
    }

    /// No more moves: whatever was taken is stored, and everybody is told goodbye.
    pub async fn stop(&self) {
        self.0.stopping.send_replace(true);
        let handles: Vec<Handle> = self.tables().values().cloned().collect();
        let mut waits = Vec::new();
        for handle in handles {
            let (done, wait) = oneshot::channel();
            if handle.commands.send(Command::Stop(done)).await.is_ok() {
                waits.push(wait);
            }
        }
        for wait in waits {
            let _ = wait.await;
        }
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<String, Handle>> {
        locked(&self.0.tables)
    }
}

impl Cards {
    /// What this viewer is told of the cards, made on first use.
    pub fn told(&self, rules: Rules, viewer: Option<Seat>, tell: impl FnOnce() -> Frame) -> Frame {
        let mut told = locked(&self.told);
        let known = told.iter().find(|(of, to, _)| (*of, *to) == (rules, viewer));
        if let Some((_, _, frame)) = known {
            return frame.clone();
        }
        let frame = tell();
        told.push((rules, viewer, frame.clone()));
        frame
    }
}

impl Handle {
    /// Sits a connection down at the table; everything it is told goes to `outbox`.
    pub async fn join(
        &self,
        person: Person,
        entropy: Option<[u8; 32]>,
        outbox: Box<dyn Outbox>,
    ) -> Result<ConnectionId, Farewell> {
        let (reply, wait) = oneshot::channel();
        let join = Command::Join { person, entropy: entropy.map(Hex), outbox, reply };
        self.commands.send(join).await.map_err(|_| Farewell::Closed)?;
        wait.await.map_err(|_| Farewell::Closed)?
    }

    /// `false`: the table is gone.
    pub async fn send(&self, from: ConnectionId, message: ClientMsg) -> bool {
        self.commands.send(Command::Message { from, message }).await.is_ok()
    }

    pub async fn leave(&self, connection: ConnectionId) {
        let _ = self.commands.send(Command::Leave(connection)).await;
    }

    /// What everybody may see of the table.
    pub async fn info(&self) -> TableInfo {
        let mut info = self.info.clone();
        let known = info.wait_for(|info| !info.id.is_empty()).await;
        known.map_or_else(|_| TableInfo::unknown(), |info| TableInfo::clone(&info))
    }
}

fn seating(sitters: &[Option<Sitter>]) -> Vec<Entry> {
    let seats = (0..).zip(sitters);
    seats.filter_map(|(seat, sitter)| Some(Entry::Sits(seat, Some(sitter.clone()?)))).collect()
}

/// The rules of the settings, or what is wrong with them.
pub fn rules(settings: &Settings) -> Result<Rules, NewTableError> {
    let wrong = |words: String| NewTableError::Settings(words);
    if !PLAYERS.contains(&settings.players) {
        return Err(SetupError::Players(settings.players).into());
    }
    if settings.window_ms > MOST_WINDOW {
        return Err(wrong(format!("`window_ms` is at most {MOST_WINDOW}")));
    }
    if let Some(clock) = settings.clock
        && !((5..=86_400).contains(&clock.move_s) && clock.reserve_s <= 86_400)
    {
        return Err(wrong("a clock has 5 to 86400 seconds for a move and at most 86400 in reserve".into()));
    }
    let mut rules = Rules::classic(settings.players);
    for name in &settings.variants {
        let variant: Variant = name.parse().map_err(|error| wrong(format!("{error}")))?;
        rules = rules.with(variant);
    }
    // Who is asked must not show what they hold.
    rules.cover = true;
    Ok(rules)
}

/// A name nobody can guess: 26 letters and digits of five bits each.
fn new_id() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; 26];
    fill_random(&mut bytes);
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte & 31)])).collect()
}

/// Nothing else is looked up.
fn is_id(text: &str) -> bool {
    text.len() == 26 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
