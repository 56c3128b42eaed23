//! The store in a PostgreSQL database, which several servers may share: each is a node, and holds the tables it plays.
//!
//! Invariants: an entry is stored only by the living node that holds the table, at its epoch; both are checked in the
//! statement that stores it. A place in a log is filled once, and along a log epochs never fall. An append whose outcome
//! is unknown is repeated unchanged until it is known. Dead is for ever. No clock decides what may be stored.

mod address;
mod daily;
mod line;
mod nodes;
mod people;
mod problem;
mod puzzles;
mod registry;
mod schema;
mod state;
mod tables;
mod tls;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, sleep, timeout, timeout_at};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Row};

use super::{Fit, News, NodeBeat, Result, StoreError, fill_random};
use crate::nodes::NodeNumber;
use line::{Line, Params};
use nodes::Watcher;
use problem::is_broken;
use state::Shared;
use writer::{Job, Writer};

pub(super) use address::told;
pub(super) use tables::{split, whole_settings};

pub use address::Address;
pub use problem::Problem;

const READERS: usize = 2;
/// Changes that may wait: one for each table, and some.
const QUEUE: usize = 32_768;
/// How long whoever looks something up waits for a PostgreSQL that is away.
const PATIENCE: Duration = Duration::from_secs(5);
const AGAIN: Duration = Duration::from_millis(50);
const BEAT_EVERY: Duration = Duration::from_secs(1);
/// How many bytes are written to see whether there is space again.
const PROBE: usize = 64 * 1024;

/// A handle; clones share the same sessions.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    address: Address,
    shared: Arc<Shared>,
    jobs: mpsc::Sender<Job>,
    readers: [Line; READERS],
    /// For changes that are no table's.
    changes: Line,
    next: AtomicUsize,
    lease: Duration,
}

impl Store {
    /// Connects as the node of this name; an older one of the same name is dead from then on.
    pub async fn connect(address: &Address, name: &str, fit: &Fit, lease: Option<Duration>) -> Result<Store> {
        let mut client = opened_alone(address).await?;
        let lease = lease.unwrap_or(nodes::LEASE);
        let (node, entries) = registry::Newcomer { address, name, fit, lease }.register(&mut client).await?;
        let shared = Arc::new(Shared::new(node, entries));
        let called = nodes::session_name(node);
        let line = |by_key| Line::new(address, &called, by_key);
        let (jobs, queue) = mpsc::channel(QUEUE);
        tokio::spawn(Writer::new(Arc::clone(&shared), line(true), queue).run());
        let every = (lease / 5).min(BEAT_EVERY);
        tokio::spawn(beat(jobs.downgrade(), every));
        let (readers, changes) = (std::array::from_fn(|_| line(false)), line(false));
        let (address, next) = (address.clone(), AtomicUsize::new(0));
        Ok(Store(Arc::new(Inner { address, shared, jobs, readers, changes, next, lease })))
    }

    pub fn news(&self) -> mpsc::Receiver<News> {
        let (news, told) = mpsc::channel(64);
        let line = Line::new(&self.0.address, &nodes::session_name(self.0.shared.node), false);
        let watcher = Watcher { shared: Arc::clone(&self.0.shared), line, lease: self.0.lease, news };
        tokio::spawn(watcher.run());
        told
    }

    /// Stores what waits, and lets others take everything that is held here.
    pub async fn close(&self) {
        let (done, wait) = oneshot::channel();
        if self.send(Job::Close(done)).is_ok() {
            let _ = timeout(PATIENCE, wait).await;
        }
    }

    /// Why this node may not go on; waits until there is a reason.
    pub async fn deposed(&self) -> String {
        self.0.shared.ended().await
    }

    pub async fn check_health(&self) -> Result<()> {
        self.read("SELECT 1", &[]).await?;
        let trouble = || self.0.shared.known_trouble();
        if trouble().is_some_and(|reason| !reason.starts_with("waiting")) {
            let mut bytes = vec![0; PROBE];
            fill_random(&mut bytes);
            let key = format!("probe {}", self.0.shared.node);
            let probe =
                "INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
            self.write(probe, &[&key, &bytes]).await?;
            self.write("DELETE FROM meta WHERE key = $1", &[&key]).await?;
            self.0.shared.trouble(None);
        }
        trouble().map_or(Ok(()), |reason| Err(StoreError::NotWritten(reason)))
    }

    pub async fn cookie_secret(&self) -> Result<[u8; 64]> {
        let mut fresh = [0; 64];
        fill_random(&mut fresh);
        let sql = "INSERT INTO meta VALUES ('cookie_secret', $1) ON CONFLICT DO NOTHING";
        self.write(sql, &[&fresh.as_slice()]).await?;
        let rows = self.read("SELECT value FROM meta WHERE key = 'cookie_secret'", &[]).await?;
        let bytes: &[u8] = rows.first().map_or(&[], |row| row.get(0));
        bytes.try_into().map_err(|_| StoreError::Damaged("the secret that signs cookies".into()))
    }

    pub fn node(&self) -> NodeNumber {
        NodeNumber(self.0.shared.node)
    }

    /// The newest kind of log entries that every living server reads.
    pub fn entries(&self) -> u32 {
        self.0.shared.entries.load(Ordering::Relaxed)
    }

    /// Tells the others, with the next beat, whether this server can reach the bus; whether another one can.
    pub fn tell_bus(&self, reached: bool) -> bool {
        self.0.shared.has_bus.store(reached, Ordering::Relaxed);
        self.0.shared.others_have_bus.load(Ordering::Relaxed)
    }

    /// Other servers that say that they live and can reach the bus.
    pub async fn others_with_bus(&self) -> Result<Vec<NodeBeat>> {
        let sql = "SELECT no, name, beat FROM nodes WHERE NOT dead AND bus AND no <> $1 ORDER BY no";
        let rows = self.read(sql, &[&self.0.shared.node]).await?;
        let beat = |row: &Row| NodeBeat { node: NodeNumber(row.get(0)), name: row.get(1), beat: row.get(2) };
        Ok(rows.iter().map(beat).collect())
    }

    fn send(&self, job: Job) -> Result<()> {
        self.0.jobs.try_send(job).map_err(|_| StoreError::Stopped)
    }

    /// Looks something up. If PostgreSQL is away, it may be back soon.
    async fn read(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>> {
        let line = &self.0.readers[self.0.next.fetch_add(1, Ordering::Relaxed) % READERS];
        let (until, mut last) = (Instant::now() + PATIENCE, None);
        while Instant::now() < until {
            match timeout_at(until, line.query(sql, params)).await {
                Ok(Err(error)) if is_broken(&error) => last = Some(error),
                Ok(known) => return known.map_err(|error| self.problem(&error)),
                Err(_) => break,
            }
            sleep(AGAIN).await;
        }
        Err(self.no_answer(last.as_ref()))
    }

    /// Makes a change that is no table's. If its outcome is unknown, so it stays.
    async fn write(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>> {
        let live = async {
            loop {
                match self.0.changes.live().await {
                    Err(error) if is_broken(&error) => sleep(AGAIN).await,
                    known => return known,
                }
            }
        };
        let live = timeout(PATIENCE, live).await.map_err(|_| self.no_answer(None))?;
        let live = live.map_err(|error| self.problem(&error))?;
        match live.query(sql, params).await {
            Ok(rows) => Ok(rows),
            Err(error) => {
                if problem::is_storage(&error) {
                    self.0.shared.trouble(Some(address::told(&error)));
                }
                Err(self.problem(&error))
            }
        }
    }

    /// The same; `None` if it is refused with this code.
    async fn write_or(
        &self,
        sql: &'static str,
        params: Params<'_>,
        code: &SqlState,
    ) -> Result<Option<Vec<Row>>> {
        match self.write(sql, params).await {
            Err(StoreError::Refused(refused, _)) if refused == code.code() => Ok(None),
            other => other.map(Some),
        }
    }

    /// What the writer says.
    async fn patiently<T>(&self, wait: oneshot::Receiver<Result<T>>) -> Result<T> {
        match timeout(PATIENCE, wait).await {
            Ok(told) => told.map_err(|_| StoreError::Stopped)?,
            Err(_) => Err(self.no_answer(None)),
        }
    }

    fn problem(&self, error: &tokio_postgres::Error) -> StoreError {
        match (error.code(), is_broken(error)) {
            (Some(code), false) => StoreError::Refused(code.code().into(), address::told(error)),
            _ => self.no_answer(Some(error)),
        }
    }

    fn no_answer(&self, error: Option<&tokio_postgres::Error>) -> StoreError {
        let reason = error.map_or_else(|| "it does not answer".into(), |error| address::told(error));
        StoreError::Away(self.0.address.to_string(), reason)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.shared.end(None);
    }
}

/// A session beside the servers', with everything checked and migrated.
pub(super) async fn opened_alone(address: &Address) -> Result<Client> {
    let mut client = address.connect("lair").await.map_err(|error| Problem::of(address, &error))?;
    schema::check_server(&client, address).await?;
    schema::migrate(&mut client, address).await?;
    Ok(client)
}

/// Has the writer show that it lives, for as long as there is one: that proves what matters.
async fn beat(jobs: mpsc::WeakSender<Job>, every: Duration) {
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let Some(jobs) = jobs.upgrade() else { return };
        if jobs.send(Job::Beat).await.is_err() {
            return;
        }
    }
}
