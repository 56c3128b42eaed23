//! Everything that must survive: people, tables and what happened at them, in one SQLite file.
//!
//! Invariants: what happened at a table is only ever appended to; `write` returns when its change is on disk, and
//! changes that wait at the same time share one commit; one process at a time owns a data folder.

mod checkpoint;
mod journal;
mod people;
mod tables;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use checkpoint::{Log, copy_now_and_then};
use journal::{Journal, Recent};

pub use people::{Person, PersonId};
pub use tables::{Change, Entry, FoundWith, Sitter, TableNo, TableRow};

/// Each brings the file from the version before to its own.
const MIGRATIONS: [&str; 3] =
    [include_str!("store/1.sql"), include_str!("store/2.sql"), include_str!("store/3.sql")];
/// Changes that share a commit, at most.
const BATCH: usize = 512;
/// Commits are at least so far apart: a busy server gathers what comes meanwhile, an idle one does not wait.
const APART: Duration = Duration::from_millis(45);
const READERS: usize = 2;
const CACHE_KIB: i32 = 32 * 1024;

#[derive(Debug, Error)]
pub enum StoreError {
    #[error("the data folder {folder} cannot be used: {reason}")]
    Folder { folder: PathBuf, reason: std::io::Error },
    #[error(
        "the data folder {0} is in use by another lair: stop it, or start this one with another --data folder"
    )]
    InUse(PathBuf),
    #[error(
        "the data folder {folder} was written by a newer lair (version {there}; this one knows {known}): \
         use that one, or another --data folder"
    )]
    Newer { folder: PathBuf, there: u32, known: u32 },
    #[error("the database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the database has stopped")]
    Stopped,
    #[error("the database holds something unreadable: {0}")]
    Damaged(String),
}

type Result<T, E = StoreError> = std::result::Result<T, E>;
type WriteJob = Box<dyn Job + Send>;
type ReadJob = Box<dyn FnOnce(&Connection) + Send>;

/// A handle; clones share the same file.
#[derive(Clone)]
pub struct Store {
    writer: mpsc::SyncSender<WriteJob>,
    readers: std::sync::Arc<[mpsc::SyncSender<ReadJob>; READERS]>,
    next: std::sync::Arc<std::sync::atomic::AtomicUsize>,
    recent: Recent,
    /// Held as long as anybody uses the folder.
    _lock: std::sync::Arc<File>,
}

impl Store {
    /// Opens the folder, or makes it; brings an older file up to date.
    pub fn open(folder: &Path) -> Result<Store> {
        let cannot = |reason| StoreError::Folder { folder: folder.into(), reason };
        make_private(folder).map_err(cannot)?;
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join("lair.lock"))
            .map_err(cannot)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(folder.into())),
            Err(TryLockError::Error(reason)) => return Err(cannot(reason)),
        }
        let file = folder.join("lair.db");
        let mut connection = Connection::open(&file)?;
        let there = version(&connection, folder)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        migrate(&mut connection, there)?;
        let journal = Journal::open(&mut connection)?;
        let recent = journal.recent();
        let (writer, jobs) = mpsc::sync_channel(4096);
        let (alive, ended) = mpsc::channel();
        let log = Arc::new(Log::default());
        let (copies, copied) = (Connection::open(&file)?, Arc::clone(&log));
        spawn("lair-copy", move || copy_now_and_then(&copies, &copied, &ended));
        let runtime = Handle::try_current().ok();
        spawn("lair-write", move || write_all(connection, journal, &jobs, &log, runtime, alive));
        let mut readers = Vec::new();
        for _ in 0..READERS {
            let connection = Connection::open_with_flags(
                &file,
                OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            )?;
            let (reader, jobs) = mpsc::sync_channel::<ReadJob>(1024);
            spawn("lair-read", move || jobs.iter().for_each(|job| job(&connection)));
            readers.push(reader);
        }
        let readers = <[_; READERS]>::try_from(readers).map_err(|_| StoreError::Stopped)?;
        Ok(Store { writer, readers: readers.into(), next: Default::default(), recent, _lock: lock.into() })
    }

    /// Changes something; done when it is on disk. A change that fails leaves nothing behind, and is tried twice.
    pub async fn write<T: Send + 'static>(
        &self,
        mut change: impl FnMut(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.enter(move |db, _| change(db)).await
    }

    /// The same, with something for the logs of tables.
    async fn enter<T: Send + 'static>(
        &self,
        change: impl FnMut(&Connection, &mut Journal) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (done, wait) = oneshot::channel();
        let job = Box::new(Waiting { change, outcome: None, done });
        self.writer.try_send(job).map_err(|_| StoreError::Stopped)?;
        wait.await.map_err(|_| StoreError::Stopped)?
    }

    /// Looks something up.
    pub async fn read<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (done, wait) = oneshot::channel();
        let next = self.next.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % READERS;
        let job: ReadJob = Box::new(move |connection| drop(done.send(look(connection))));
        self.readers[next].try_send(job).map_err(|_| StoreError::Stopped)?;
        wait.await.map_err(|_| StoreError::Stopped)?
    }

    /// The secret that signs cookies, made on first use.
    pub async fn cookie_secret(&self) -> Result<[u8; 64]> {
        self.write(|db| {
            let found: Option<Vec<u8>> =
                optional(
                    db.query_row("SELECT value FROM meta WHERE key = 'cookie_secret'", [], |row| row.get(0)),
                )?;
            match found {
                Some(bytes) => {
                    bytes.try_into().map_err(|_| StoreError::Damaged("the secret that signs cookies".into()))
                }
                None => {
                    let mut secret = [0; 64];
                    fill_random(&mut secret);
                    db.execute("INSERT INTO meta VALUES ('cookie_secret', ?1)", [secret.as_slice()])?;
                    Ok(secret)
                }
            }
        })
        .await
    }
}

/// Bytes nobody can guess.
pub fn fill_random(bytes: &mut [u8]) {
    getrandom::fill(bytes).unwrap_or_else(|error| {
        tracing::error!(%error, "the system gives no random numbers");
        std::process::abort()
    });
}

/// Seconds since 1970.
pub fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

fn optional<T>(found: rusqlite::Result<T>) -> Result<Option<T>> {
    match found {
        Ok(value) => Ok(Some(value)),
        Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) {
    if let Err(error) = std::thread::Builder::new().name(name.into()).spawn(work) {
        tracing::error!(%error, "no thread for the database");
    }
}

/// Whoever reads the folder can become anybody: a new one is its owner's alone.
fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Of the file; a newer one is left as it is.
fn version(connection: &Connection, folder: &Path) -> Result<u32> {
    let there = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = MIGRATIONS.len() as u32;
    if there > known {
        return Err(StoreError::Newer { folder: folder.into(), there, known });
    }
    Ok(there)
}

fn migrate(connection: &mut Connection, there: u32) -> Result<()> {
    for (version, text) in (1..).zip(MIGRATIONS).skip(there as usize) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(text)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
    }
    Ok(())
}

/// A change on its way to the disk.
trait Job {
    /// Within a transaction; `false` if it failed.
    fn run(&mut self, db: &Connection, journal: &mut Journal) -> bool;
    /// It was run, and could not be written.
    fn fail(&mut self, error: StoreError);
    /// What became of it is settled.
    fn tell(self: Box<Self>);
}

/// Somebody waits for the outcome.
struct Waiting<F, T> {
    change: F,
    outcome: Option<Result<T>>,
    done: oneshot::Sender<Result<T>>,
}

impl<T, F: FnMut(&Connection, &mut Journal) -> Result<T>> Job for Waiting<F, T> {
    fn run(&mut self, db: &Connection, journal: &mut Journal) -> bool {
        self.outcome.insert((self.change)(db, journal)).is_ok()
    }

    fn fail(&mut self, error: StoreError) {
        self.outcome = Some(Err(error));
    }

    fn tell(self: Box<Self>) {
        if let Some(outcome) = self.outcome {
            let _ = self.done.send(outcome);
        }
    }
}

/// The writer's thread: whatever waits goes into one commit, and is told of it after.
fn write_all(
    mut connection: Connection,
    mut journal: Journal,
    jobs: &mpsc::Receiver<WriteJob>,
    log: &Log,
    runtime: Option<Handle>,
    _alive: mpsc::Sender<()>,
) {
    let mut last = Instant::now();
    while let Ok(first) = jobs.recv() {
        log.finish(&connection);
        std::thread::sleep(APART.saturating_sub(last.elapsed()));
        let batch: Vec<_> = std::iter::once(first).chain(jobs.try_iter().take(BATCH - 1)).collect();
        last = Instant::now();
        log.grew();
        if let Err(error) = write_batch(&mut connection, &mut journal, batch, runtime.as_ref()) {
            // Those who wait are told by their dropped channel.
            journal.forget();
            tracing::error!(%error, "a commit failed");
        }
        if let Err(error) = journal.gather(&mut connection) {
            tracing::warn!(%error, "the journal goes on growing");
        }
    }
}

/// All in one commit; if one of them fails, each in its own.
fn write_batch(
    connection: &mut Connection,
    journal: &mut Journal,
    mut jobs: Vec<WriteJob>,
    runtime: Option<&Handle>,
) -> Result<()> {
    if write_together(connection, journal, &mut jobs)? {
        metrics::histogram!("lair_commit_batch").record(jobs.len() as f64);
        tell_all(jobs, runtime);
        return Ok(());
    }
    for mut job in jobs {
        write_together(connection, journal, std::slice::from_mut(&mut job))?;
        job.tell();
    }
    Ok(())
}

/// From one of the tables' own threads: it need not be woken for each of them.
fn tell_all(jobs: Vec<WriteJob>, runtime: Option<&Handle>) {
    let tell = || jobs.into_iter().for_each(Job::tell);
    match runtime {
        Some(runtime) => drop(runtime.spawn(async { tell() })),
        None => tell(),
    }
}

/// `false`: one of them failed, and nothing has changed.
fn write_together(connection: &mut Connection, journal: &mut Journal, jobs: &mut [WriteJob]) -> Result<bool> {
    let transaction = connection.transaction()?;
    let mut written = jobs.iter_mut().all(|job| job.run(&transaction, journal));
    if written && let Err(error) = journal.write(&transaction) {
        written = false;
        // Several are tried again, each by itself.
        if let [job] = jobs {
            job.fail(error);
        }
    }
    if !written {
        journal.forget();
        // Not `rollback`: a full disk has done that already.
        transaction.finish()?;
        return Ok(false);
    }
    transaction.commit()?;
    journal.keep();
    Ok(true)
}
