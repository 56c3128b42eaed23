//! The store as a data folder: one SQLite file, owned by one process at a time.
//!
//! Invariants: `write` returns when its change is on disk; changes that wait at the same time share one commit.

mod checkpoint;
mod daily;
mod journal;
mod people;
mod puzzles;
mod sessions;
mod tables;

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::{Result, StoreError, TableNumber, fill_random};
use checkpoint::{WalState, checkpoint_loop};
use journal::{Journal, Recent};

/// Each brings the file from the previous version to its own.
const MIGRATIONS: [&str; 8] = [
    include_str!("sqlite/1.sql"),
    include_str!("sqlite/2.sql"),
    include_str!("sqlite/3.sql"),
    include_str!("sqlite/4.sql"),
    include_str!("sqlite/5.sql"),
    include_str!("sqlite/6.sql"),
    include_str!("sqlite/7.sql"),
    include_str!("sqlite/8.sql"),
];
/// The most changes that share a commit.
const BATCH: usize = 512;
/// How much may wait, for the writer and for each reader. Every table waits for its own change, so there is room for one
/// of each, however long the disk stands still.
const QUEUE: usize = 32_768;
/// The shortest time between commits: a busy server collects changes meanwhile, an idle one does not wait.
const COMMIT_INTERVAL: Duration = Duration::from_millis(45);
/// How many bytes are written to see whether there is space again.
const PROBE: i64 = 64 * 1024;
const READERS: usize = 2;
const CACHE_KIB: i32 = 32 * 1024;

impl StoreError {
    /// The disk, and not the change, is the reason.
    fn is_storage(&self) -> bool {
        use rusqlite::ErrorCode::*;
        let StoreError::Sqlite(error) = self else { return false };
        let storage = [DiskFull, SystemIoFailure, ReadOnly, CannotOpen, DatabaseCorrupt, NotADatabase];
        error.sqlite_error_code().is_some_and(|code| storage.contains(&code))
    }
}

type WriteJob = Box<dyn Job + Send>;
type ReadJob = Box<dyn FnOnce(&Connection) + Send>;

/// A handle; clones share the same file.
#[derive(Clone)]
pub struct Store {
    writer: mpsc::SyncSender<WriteJob>,
    readers: std::sync::Arc<[mpsc::SyncSender<ReadJob>; READERS]>,
    next: std::sync::Arc<std::sync::atomic::AtomicUsize>,
    recent: Recent,
    /// Why the last change could not be written; `None` if it was.
    trouble: Arc<Mutex<Option<String>>>,
    /// Held for as long as the folder is in use.
    _lock: std::sync::Arc<File>,
}

impl Store {
    /// Opens the folder or creates it, and migrates an older file.
    pub fn open(folder: &Path) -> Result<Store> {
        let cannot = |reason| StoreError::Folder { folder: folder.into(), reason };
        make_private(folder).map_err(cannot)?;
        let lock = open_private(&folder.join("lair.lock")).map_err(cannot)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(folder.into())),
            Err(TryLockError::Error(reason)) => return Err(cannot(reason)),
        }
        let file = folder.join("lair.db");
        // The others get the permissions of the database when SQLite makes them.
        for name in ["lair.db", "lair.db-wal", "lair.db-shm", "lair.db-journal"] {
            let path = folder.join(name);
            if name == "lair.db" || path.exists() {
                open_private(&path).map_err(cannot)?;
            }
        }
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
        let (writer, jobs) = mpsc::sync_channel(QUEUE);
        let (alive, ended) = mpsc::channel();
        let log = Arc::new(WalState::default());
        let (copies, copied) = (Connection::open(&file)?, Arc::clone(&log));
        spawn("lair-copy", move || checkpoint_loop(&copies, &copied, &ended));
        let runtime = Handle::try_current().ok();
        let trouble: Arc<Mutex<Option<String>>> = Arc::default();
        let report = Arc::clone(&trouble);
        spawn("lair-write", move || write_all(connection, journal, &jobs, &log, &report, runtime, alive));
        let mut readers = Vec::new();
        for _ in 0..READERS {
            let connection = Connection::open_with_flags(
                &file,
                OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            )?;
            let (reader, jobs) = mpsc::sync_channel::<ReadJob>(QUEUE);
            spawn("lair-read", move || jobs.iter().for_each(|job| job(&connection)));
            readers.push(reader);
        }
        let readers = <[_; READERS]>::try_from(readers).map_err(|_| StoreError::Stopped)?;
        Ok(Store {
            writer,
            readers: readers.into(),
            next: Default::default(),
            recent,
            trouble,
            _lock: lock.into(),
        })
    }

    /// Makes a change; done when it is on disk. A change that fails leaves nothing behind, and is tried twice.
    pub async fn write<T: Send + 'static>(
        &self,
        mut change: impl FnMut(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.write_logged(move |db, _| change(db)).await
    }

    /// The same, for a change that adds to the logs of tables.
    async fn write_logged<T: Send + 'static>(
        &self,
        change: impl FnMut(&Connection, &mut Journal) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (done, wait) = oneshot::channel();
        let job = Box::new(PendingWrite { change, outcome: None, done });
        self.writer.try_send(job).map_err(|_| StoreError::Stopped)?;
        wait.await.map_err(|_| StoreError::Stopped)?
    }

    /// Makes a change that nobody waits for.
    fn write_soon(&self, mut change: impl FnMut(&Connection) -> Result<()> + Send + 'static) {
        let (done, _) = oneshot::channel();
        let change = move |db: &Connection, _: &mut Journal| change(db);
        let _ = self.writer.try_send(Box::new(PendingWrite { change, outcome: None, done }));
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

    pub async fn check_health(&self) -> Result<()> {
        self.read(|db| Ok(db.query_row("SELECT 1", [], |_| Ok(()))?)).await?;
        let trouble = || self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if trouble().is_some() {
            let probe = "INSERT OR REPLACE INTO meta VALUES ('probe', zeroblob(?1))";
            self.write(move |db| Ok(db.execute(probe, [PROBE])?)).await?;
            self.write(|db| Ok(db.execute("DELETE FROM meta WHERE key = 'probe'", [])?)).await?;
        }
        trouble().map_or(Ok(()), |reason| Err(StoreError::NotWritten(reason)))
    }

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

fn optional<T>(found: rusqlite::Result<T>) -> Result<Option<T>> {
    match found {
        Ok(value) => Ok(Some(value)),
        Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) {
    if let Err(error) = std::thread::Builder::new().name(name.into()).spawn(work) {
        tracing::error!(%error, "a database thread could not be started");
    }
}

/// Anyone who can read the folder can impersonate everyone, so a new one belongs to its owner alone.
pub(super) fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// A file that its owner alone can read, whoever could before.
fn open_private(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(file)
}

/// The version of the file; a newer one is left alone.
fn version(connection: &Connection, folder: &Path) -> Result<u32> {
    let there = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = MIGRATIONS.len() as u32;
    if there > known {
        return Err(StoreError::Newer { folder: folder.into(), there, known });
    }
    Ok(there)
}

/// The database of a folder that nobody else uses, migrated, with every entry in its table's log.
pub(super) fn open_alone(folder: &Path) -> Result<Connection> {
    let cannot = |reason| StoreError::Folder { folder: folder.into(), reason };
    open_private(&folder.join("lair.db")).map_err(cannot)?;
    let mut connection = Connection::open(folder.join("lair.db"))?;
    let there = version(&connection, folder)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    migrate(&mut connection, there)?;
    Journal::open(&mut connection)?;
    Ok(connection)
}

/// The log of a table in such a database, an entry a line.
pub(super) fn stored_log(db: &Connection, table: i64) -> Result<Vec<String>> {
    Recent::default().whole_log(db, TableNumber(table))
}

fn migrate(connection: &mut Connection, there: u32) -> Result<()> {
    for (version, text) in (1_u32..).zip(MIGRATIONS).skip(there as usize) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(text)?;
        if version == 4 {
            people::tell_accounts_apart(&transaction)?;
        }
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
    }
    Ok(())
}

/// A change on its way to the disk.
trait Job {
    /// Within a transaction; `false` if it failed.
    fn run(&mut self, db: &Connection, journal: &mut Journal) -> bool;
    /// It ran, but could not be written.
    fn fail(&mut self, error: StoreError);
    /// Why the disk did not take it.
    fn trouble(&self) -> Option<String>;
    /// Reports the outcome.
    fn report(self: Box<Self>);
}

/// A change whose caller waits for the outcome.
struct PendingWrite<F, T> {
    change: F,
    outcome: Option<Result<T>>,
    done: oneshot::Sender<Result<T>>,
}

impl<T, F: FnMut(&Connection, &mut Journal) -> Result<T>> Job for PendingWrite<F, T> {
    fn run(&mut self, db: &Connection, journal: &mut Journal) -> bool {
        self.outcome.insert((self.change)(db, journal)).is_ok()
    }

    fn fail(&mut self, error: StoreError) {
        self.outcome = Some(Err(error));
    }

    fn trouble(&self) -> Option<String> {
        let error = self.outcome.as_ref()?.as_ref().err()?;
        error.is_storage().then(|| error.to_string())
    }

    fn report(self: Box<Self>) {
        if let Some(outcome) = self.outcome {
            let _ = self.done.send(outcome);
        }
    }
}

/// The writer's thread: everything that waits goes into one commit.
fn write_all(
    mut connection: Connection,
    mut journal: Journal,
    jobs: &mpsc::Receiver<WriteJob>,
    log: &WalState,
    trouble: &Mutex<Option<String>>,
    runtime: Option<Handle>,
    _alive: mpsc::Sender<()>,
) {
    let (mut last, mut full) = (Instant::now(), false);
    while let Ok(first) = jobs.recv() {
        log.finish(&connection);
        // When more was waiting than a commit takes, the rest has waited long enough.
        if !full {
            std::thread::sleep(COMMIT_INTERVAL.saturating_sub(last.elapsed()));
        }
        let batch: Vec<_> = std::iter::once(first).chain(jobs.try_iter().take(BATCH - 1)).collect();
        (last, full) = (Instant::now(), batch.len() == BATCH);
        log.grew();
        // Known before any caller hears of the outcome.
        let note = |reason| *trouble.lock().unwrap_or_else(PoisonError::into_inner) = reason;
        if let Err(error) = write_batch(&mut connection, &mut journal, batch, runtime.as_ref(), &note) {
            // The callers see their channels dropped.
            journal.discard();
            tracing::error!(%error, "a commit failed");
            note(Some(error.to_string()));
        }
        if let Err(error) = journal.compact(&mut connection) {
            tracing::warn!(%error, "the journal could not be compacted");
        }
    }
}

/// All in one commit; if one fails, each in its own. Notes why the disk did not take the last of them, if it did not.
fn write_batch(
    connection: &mut Connection,
    journal: &mut Journal,
    mut jobs: Vec<WriteJob>,
    runtime: Option<&Handle>,
    note: &dyn Fn(Option<String>),
) -> Result<()> {
    if write_together(connection, journal, &mut jobs)? {
        metrics::histogram!("lair_commit_batch").record(jobs.len() as f64);
        note(None);
        report_all(jobs, runtime);
        return Ok(());
    }
    for mut job in jobs {
        write_together(connection, journal, std::slice::from_mut(&mut job))?;
        note(job.trouble());
        job.report();
    }
    Ok(())
}

/// On one of the runtime's threads, which then need not be woken for each of them.
fn report_all(jobs: Vec<WriteJob>, runtime: Option<&Handle>) {
    let report = || jobs.into_iter().for_each(Job::report);
    match runtime {
        Some(runtime) => drop(runtime.spawn(async { report() })),
        None => report(),
    }
}

/// `false` if one of them failed and nothing has changed.
fn write_together(connection: &mut Connection, journal: &mut Journal, jobs: &mut [WriteJob]) -> Result<bool> {
    let transaction = connection.transaction()?;
    let mut written = jobs.iter_mut().all(|job| job.run(&transaction, journal));
    if written && let Err(error) = journal.write(&transaction) {
        written = false;
        // Several are retried, each on its own.
        if let [job] = jobs {
            job.fail(error);
        }
    }
    if !written {
        journal.discard();
        // Not `rollback`: a full disk has done that already.
        transaction.finish()?;
        return Ok(false);
    }
    transaction.commit()?;
    journal.committed();
    Ok(true)
}
