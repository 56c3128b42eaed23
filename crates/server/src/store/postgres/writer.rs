//! The one session through which a server changes its tables: everything that waits goes into one statement.
//!
//! Invariants: the statement that stores an entry checks that this server lives and holds the table, at the epoch that
//! the entry shows; a statement whose outcome is not known is repeated unchanged until it is, and nothing else is
//! written meanwhile; a server that finds itself dead stops for good.

#[cfg(debug_assertions)]
mod unfenced;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_postgres::{Error, Row};

use super::super::tables::{PreparedChange, state_word};
use super::super::{Hold, PersonId, Result, StoreError, TableNumber};
use super::line::{Line, Params};
use super::problem::{is_broken, is_storage};
use super::state::Shared;
use crate::nodes::NodeNumber;

/// The most changes that share a commit.
const BATCH: usize = 512;
/// The shortest time between commits: a busy server collects changes meanwhile, an idle one does not wait.
const COMMIT_INTERVAL: Duration = Duration::from_millis(20);
/// How long to wait before a broken session is opened again.
const AGAIN: Duration = Duration::from_millis(50);

/// What only the writer does.
pub enum Job {
    Change(Box<Append>),
    Wishes {
        hold: Hold,
        person: PersonId,
        text: Option<String>,
    },
    /// The number of a table, if it is there, and the epoch from now on.
    Take {
        id: String,
        done: oneshot::Sender<Result<Option<Hold>>>,
    },
    /// How long the log of a table is that was taken or made.
    Known(Hold, u32),
    /// Others may take the table.
    Give(Hold),
    /// Shows that this server lives.
    Beat,
    /// The last one: others may take everything.
    Close(oneshot::Sender<()>),
}

/// A change to a table on its way.
pub struct Append {
    pub hold: Hold,
    pub from: u32,
    pub change: PreparedChange,
    /// Its settings, and their long texts.
    pub settings: Option<(String, Option<String>)>,
    pub done: oneshot::Sender<Result<()>>,
}

/// Where a change ended up.
type Place = (i64, i32, i32);

pub struct Writer {
    shared: Arc<Shared>,
    line: Line,
    jobs: mpsc::Receiver<Job>,
    /// Of each table that is held: the epoch, and how many entries its log has.
    held: HashMap<TableNumber, (i32, u32)>,
    /// Changes that wait for the next commit.
    waiting: VecDeque<Box<Append>>,
    wishes: HashMap<(TableNumber, PersonId), (i32, Option<String>)>,
    /// Always, except in a drill that must find out if not.
    fenced: bool,
}

/// It was told that this server is dead, or to close.
struct Over;

impl Writer {
    pub fn new(shared: Arc<Shared>, line: Line, jobs: mpsc::Receiver<Job>) -> Writer {
        let (held, waiting, wishes) = Default::default();
        #[cfg(debug_assertions)]
        let fenced = !unfenced::is_wanted();
        #[cfg(not(debug_assertions))]
        let fenced = true;
        Writer { shared, line, jobs, held, waiting, wishes, fenced }
    }

    /// Runs until the store is dropped or closed, or the server is dead.
    pub async fn run(mut self) {
        let mut next = Instant::now();
        loop {
            let waits = !self.waiting.is_empty() || !self.wishes.is_empty();
            let done = tokio::select! {
                job = self.jobs.recv(), if self.waiting.len() < BATCH => match job {
                    Some(job) => self.take_in(job).await,
                    None => return,
                },
                () = sleep_until(next), if waits => {
                    next = Instant::now() + COMMIT_INTERVAL;
                    self.commit().await
                }
            };
            if let Err(Over) = done {
                break;
            }
        }
        // Whoever still waits sees that the store has stopped.
        self.jobs.close();
    }

    /// Changes wait for each other, the rest is done at once.
    async fn take_in(&mut self, job: Job) -> Result<(), Over> {
        match job {
            Job::Change(append) => self.waiting.push_back(append),
            Job::Wishes { hold, person, text } => {
                self.wishes.insert((hold.table, person), (hold.epoch, text));
            }
            Job::Known(hold, length) => {
                self.held.insert(hold.table, (hold.epoch, length));
            }
            Job::Take { id, done } => return self.take(&id, done).await,
            Job::Give(hold) => return self.give(hold).await,
            Job::Beat => return self.beat().await,
            Job::Close(done) => {
                while !self.waiting.is_empty() || !self.wishes.is_empty() {
                    self.commit().await?;
                }
                let _ =
                    self.line.query("UPDATE nodes SET dead = true WHERE no = $1", &[&self.shared.node]).await;
                self.shared.end(None);
                let _ = done.send(());
                return Err(Over);
            }
        }
        Ok(())
    }

    /// Asks until it is known what came of it. `Err` is a refusal.
    async fn settled(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
        let mut told = false;
        loop {
            match self.line.query(sql, params).await {
                Err(error) if is_broken(&error) => {
                    if !told {
                        tracing::error!(error = %super::address::told(&error), "waiting for PostgreSQL");
                        told = true;
                    }
                    self.shared
                        .trouble(Some(format!("waiting for PostgreSQL: {}", super::address::told(&error))));
                    metrics::gauge!("lair_in_doubt").set(self.waiting.len() as f64 + 1.0);
                    sleep(AGAIN).await;
                }
                known => {
                    if told {
                        tracing::info!("PostgreSQL is back");
                        self.shared.trouble(None);
                        metrics::gauge!("lair_in_doubt").set(0.0);
                    }
                    return known;
                }
            }
        }
    }

    /// This server was declared dead.
    fn dead(&self) -> Over {
        metrics::counter!("lair_fenced_total").increment(1);
        self.shared.end(Some("this server was declared dead, and its tables were given to others".into()));
        Over
    }

    async fn commit(&mut self) -> Result<(), Over> {
        self.keep_wishes().await;
        let (mut batch, mut tables): (Vec<Box<Append>>, HashSet<TableNumber>) = Default::default();
        // A table's changes come one after the other.
        while let Some(next) = self.waiting.pop_front_if(|next| tables.insert(next.hold.table)) {
            match self.fits(&next) {
                Ok(()) => batch.push(next),
                Err(error) => drop(next.done.send(Err(error))),
            }
        }
        if batch.is_empty() {
            return Ok(());
        }
        let began = Instant::now();
        let stored = self.store(&batch).await;
        metrics::histogram!("lair_append_seconds").record(began.elapsed().as_secs_f64());
        match stored {
            Ok(outcome) => {
                metrics::histogram!("lair_commit_batch").record(batch.len() as f64);
                self.shared.trouble(None);
                self.report(batch, outcome?);
            }
            // One of them is refused, or all: each on its own shows which.
            Err(_) if batch.len() > 1 => {
                for append in batch {
                    let alone = [append];
                    match self.store(&alone).await {
                        Ok(outcome) => self.report(alone, outcome?),
                        Err(error) => self.refuse(alone, &error),
                    }
                }
            }
            Err(error) => self.refuse(batch, &error),
        }
        Ok(())
    }

    /// Whether the change continues the log of a table that is held.
    fn fits(&self, append: &Append) -> Result<()> {
        let Append { hold, from, .. } = append;
        match self.held.get(&hold.table) {
            Some((epoch, next)) if *epoch == hold.epoch => match next == from {
                true => Ok(()),
                false => {
                    let words = format!("the log of table {} has {next} entries, not {from}", hold.table.0);
                    Err(StoreError::Damaged(words))
                }
            },
            _ => Err(StoreError::Lost),
        }
    }

    fn refuse(&self, batch: impl IntoIterator<Item = Box<Append>>, error: &Error) {
        let words = super::address::told(error);
        self.shared.trouble(is_storage(error).then(|| words.clone()));
        for append in batch {
            let _ = append.done.send(Err(StoreError::NotWritten(words.clone())));
        }
    }

    fn report(&mut self, batch: impl IntoIterator<Item = Box<Append>>, stored: HashSet<Place>) {
        for append in batch {
            let kept = stored.contains(&place(&append));
            match kept {
                true => {
                    let next = append.from + append.change.entries.len() as u32;
                    self.held.insert(append.hold.table, (append.hold.epoch, next));
                }
                false => {
                    metrics::counter!("lair_fenced_total").increment(1);
                    self.held.remove(&append.hold.table);
                }
            }
            let _ = append.done.send(if kept { Ok(()) } else { Err(StoreError::Lost) });
        }
    }

    fn appends(&self) -> [&'static str; 2] {
        #[cfg(debug_assertions)]
        if !self.fenced {
            return unfenced::appends();
        }
        [APPEND, APPEND_ALL]
    }

    /// In one statement; which of them are stored. What is missing was lost to another server.
    async fn store(&self, batch: &[Box<Append>]) -> Result<Result<HashSet<Place>, Over>, Error> {
        let rows = Rows::of(batch);
        let [append, append_all] = self.appends();
        loop {
            let told = match rows.is_plain() {
                true => {
                    let params: Params =
                        &[&self.shared.node, &rows.tables, &rows.epochs, &rows.places, &rows.entries];
                    self.settled(append, params).await?
                }
                false => self.settled(append_all, &rows.params(&self.shared.node)).await?,
            };
            if !told.iter().any(|row| row.get::<_, Option<i64>>(0).is_some()) {
                return Ok(Err(self.dead()));
            }
            let mut stored: HashSet<Place> = told
                .iter()
                .filter_map(|row| Some((row.get::<_, Option<i64>>(1)?, row.get(2), row.get(3))))
                .collect();
            let missing: Vec<&Box<Append>> =
                batch.iter().filter(|append| !stored.contains(&place(append))).collect();
            if missing.is_empty() {
                return Ok(Ok(stored));
            }
            // Stored by an earlier attempt, or lost; if neither, the same again.
            let mut again = false;
            for append in missing {
                let (no, epoch, n) = place(append);
                let found = self.settled(LOOK, &[&no, &n, &self.shared.node]).await?;
                let found = found.first().map(|row| {
                    let there: Option<i32> = row.get(0);
                    (there, row.get::<_, Option<String>>(1), row.get::<_, Option<i32>>(2))
                });
                match found {
                    Some((Some(there), Some(text), _)) if there == epoch && text == lines(append) => {
                        stored.insert((no, epoch, n));
                    }
                    Some((None, _, Some(held))) if held == epoch => again = true,
                    _ => {}
                }
            }
            if !again {
                return Ok(Ok(stored));
            }
        }
    }

    /// Nobody waits for wishes, so a refusal is only noted.
    async fn keep_wishes(&mut self) {
        if self.wishes.is_empty() {
            return;
        }
        let (mut tables, mut epochs, mut people, mut texts) = (vec![], vec![], vec![], vec![]);
        for ((table, person), (epoch, text)) in self.wishes.drain() {
            tables.push(table.0);
            epochs.push(epoch);
            people.push(person.0);
            texts.push(text);
        }
        let params: Params = &[&self.shared.node, &tables, &epochs, &people, &texts];
        if let Err(error) = self.settled(WISHES, params).await {
            tracing::warn!(%error, "wishes could not be stored");
        }
    }

    async fn take(&mut self, id: &str, done: oneshot::Sender<Result<Option<Hold>>>) -> Result<(), Over> {
        let node = &self.shared.node;
        let taken = match self.settled(TAKE, &[node, &id]).await {
            Ok(rows) => rows.first().map(|row| (row.get::<_, i64>(0), row.get::<_, i32>(1))),
            Err(error) => {
                let _ = done.send(Err(StoreError::NotWritten(super::address::told(&error))));
                return Ok(());
            }
        };
        if let Some((no, epoch)) = taken {
            // Whoever held it here before holds it no more.
            self.held.remove(&TableNumber(no));
            if done.send(Ok(Some(Hold { table: TableNumber(no), epoch }))).is_err() {
                // Whoever wanted it has given up waiting.
                let _ = self.settled(GIVE, &[&no, &epoch, &self.shared.node]).await;
            }
            return Ok(());
        }
        let why = "SELECT (SELECT no FROM nodes WHERE no = $1 AND NOT dead), \
            h.table_no IS NOT NULL, coalesce(h.node, 0), coalesce(n.name, '') \
            FROM (SELECT $2::text AS id) wanted LEFT JOIN tables t ON t.id = wanted.id \
            LEFT JOIN held h ON h.table_no = t.no LEFT JOIN nodes n ON n.no = h.node";
        let told = match self.settled(why, &[node, &id]).await {
            Ok(rows) => rows.first().map(|row| {
                let node = NodeNumber(row.get::<_, i64>(2));
                let held = StoreError::Elsewhere { node, name: row.get(3) };
                (row.get::<_, Option<i64>>(0), row.get::<_, bool>(1).then_some(held))
            }),
            Err(error) => {
                let _ = done.send(Err(StoreError::NotWritten(super::address::told(&error))));
                return Ok(());
            }
        };
        match told {
            Some((None, _)) if self.fenced => return Err(self.dead()),
            Some((_, Some(elsewhere))) => drop(done.send(Err(elsewhere))),
            _ => drop(done.send(Ok(None))),
        }
        Ok(())
    }

    async fn give(&mut self, hold: Hold) -> Result<(), Over> {
        while self.waiting.iter().any(|append| append.hold.table == hold.table) {
            self.commit().await?;
        }
        if self.held.get(&hold.table).is_some_and(|(epoch, _)| *epoch == hold.epoch) {
            self.held.remove(&hold.table);
            if let Err(error) = self.settled(GIVE, &[&hold.table.0, &hold.epoch, &self.shared.node]).await {
                tracing::warn!(%error, "a table could not be given");
            }
        }
        Ok(())
    }

    /// A server that cannot reach its database beats no more, which is right.
    async fn beat(&mut self) -> Result<(), Over> {
        let beat = "UPDATE nodes SET beat = beat + 1, bus = $2 WHERE no = $1 AND NOT dead RETURNING beat";
        let bus = self.shared.has_bus.load(Ordering::Relaxed);
        match self.line.query(beat, &[&self.shared.node, &bus]).await {
            Ok(rows) if rows.is_empty() && self.fenced => Err(self.dead()),
            Ok(_) => Ok(()),
            Err(error) => {
                tracing::debug!(%error, "no beat");
                Ok(())
            }
        }
    }
}

fn place(append: &Append) -> Place {
    (append.hold.table.0, append.hold.epoch, append.from as i32)
}

fn lines(append: &Append) -> String {
    append.change.entries.join("\n")
}

/// A batch, column by column.
#[derive(Default)]
struct Rows {
    tables: Vec<i64>,
    epochs: Vec<i32>,
    places: Vec<i32>,
    entries: Vec<Option<String>>,
    states: Vec<Option<&'static str>>,
    seats: Vec<Option<String>>,
    results: Vec<Option<String>>,
    settings: Vec<Option<String>>,
    texts: Vec<Option<String>>,
    /// Table and person.
    left: (Vec<i64>, Vec<i64>),
    /// Table, person and seat.
    players: (Vec<i64>, Vec<i64>, Vec<i16>),
}

impl Rows {
    fn of(batch: &[Box<Append>]) -> Rows {
        let mut rows = Rows::default();
        for append in batch {
            let (no, epoch, n) = place(append);
            let change = &append.change;
            rows.tables.push(no);
            rows.epochs.push(epoch);
            rows.places.push(n);
            rows.entries.push(Some(lines(append)).filter(|_| !change.entries.is_empty()));
            let summary = change.summary.as_ref();
            rows.states.push(summary.map(|summary| state_word(summary.state)));
            rows.seats.push(summary.map(|summary| summary.seats.clone()));
            rows.results.push(summary.and_then(|summary| summary.result.clone()));
            rows.settings.push(append.settings.as_ref().map(|(settings, _)| settings.clone()));
            rows.texts.push(append.settings.as_ref().and_then(|(_, texts)| texts.clone()));
            let seats: HashMap<i64, u8> =
                change.players.iter().map(|(person, seat)| (person.0, *seat)).collect();
            for person in change.left.iter().filter(|person| !seats.contains_key(&person.0)) {
                rows.left.0.push(no);
                rows.left.1.push(person.0);
            }
            for (person, seat) in seats {
                rows.players.0.push(no);
                rows.players.1.push(person);
                rows.players.2.push(seat.into());
            }
        }
        rows
    }

    /// Nothing but entries, as with nearly every move.
    fn is_plain(&self) -> bool {
        let none = |column: &[Option<String>]| column.iter().all(Option::is_none);
        self.states.iter().all(Option::is_none)
            && none(&self.settings)
            && self.entries.iter().all(Option::is_some)
            && self.left.0.is_empty()
            && self.players.0.is_empty()
    }

    fn params<'a>(&'a self, node: &'a i64) -> [&'a (dyn tokio_postgres::types::ToSql + Sync); 15] {
        [
            node,
            &self.tables,
            &self.epochs,
            &self.places,
            &self.entries,
            &self.states,
            &self.seats,
            &self.results,
            &self.settings,
            &self.texts,
            &self.left.0,
            &self.left.1,
            &self.players.0,
            &self.players.1,
            &self.players.2,
        ]
    }
}

/// `me` is this server, alive, which stays so until the end of the statement: whoever declares it dead waits. The plain
/// look at `held` is exact, since a table leaves a living server only through its writer.
const APPEND: &str = "
WITH me AS MATERIALIZED (SELECT no FROM nodes WHERE no = $1 AND NOT dead FOR SHARE),
w AS (SELECT * FROM unnest($2::bigint[], $3::int[], $4::int[], $5::text[]) AS w (table_no, epoch, n, entries)),
good AS MATERIALIZED (SELECT w.* FROM me, w
    WHERE w.epoch = (SELECT h.epoch FROM held h WHERE h.table_no = w.table_no AND h.node = $1)),
l AS (INSERT INTO log SELECT table_no, n, epoch, entries FROM good
    ON CONFLICT DO NOTHING RETURNING table_no, epoch, n)
SELECT no, NULL::bigint, NULL::int, NULL::int FROM me UNION ALL SELECT NULL, table_no, epoch, n FROM l";

/// The same, with what changes around a game.
const APPEND_ALL: &str = "
WITH me AS MATERIALIZED (SELECT no FROM nodes WHERE no = $1 AND NOT dead FOR SHARE),
w AS (SELECT * FROM unnest($2::bigint[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[],
        $9::text[], $10::text[])
    AS w (table_no, epoch, n, entries, state, seats, result, settings, texts)),
good AS MATERIALIZED (SELECT w.* FROM me, w
    WHERE w.epoch = (SELECT h.epoch FROM held h WHERE h.table_no = w.table_no AND h.node = $1)),
l AS (INSERT INTO log SELECT table_no, n, epoch, entries FROM good WHERE entries IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING table_no, epoch, n),
t AS (UPDATE tables t SET state = coalesce(g.state, t.state), seats = coalesce(g.seats, t.seats),
        result = CASE WHEN g.state IS NULL THEN t.result ELSE g.result END,
        settings = coalesce(g.settings, t.settings),
        texts = CASE WHEN g.settings IS NULL THEN t.texts ELSE g.texts END
    FROM good g WHERE t.no = g.table_no AND (g.state IS NOT NULL OR g.settings IS NOT NULL)),
gone AS (DELETE FROM played p USING unnest($11::bigint[], $12::bigint[]) AS x (table_no, person), good g
    WHERE g.table_no = x.table_no AND p.table_no = x.table_no AND p.person = x.person),
come AS (INSERT INTO played SELECT x.person, x.table_no, x.seat
    FROM unnest($13::bigint[], $14::bigint[], $15::smallint[]) AS x (table_no, person, seat)
    JOIN good g ON g.table_no = x.table_no
    ON CONFLICT (person, table_no) DO UPDATE SET seat = excluded.seat)
SELECT no, NULL::bigint, NULL::int, NULL::int FROM me UNION ALL SELECT NULL, table_no, epoch, n FROM l
UNION ALL SELECT NULL, table_no, epoch, n FROM good WHERE entries IS NULL";

/// What is at a place of a log, and under which epoch this server holds the table.
const LOOK: &str = "
SELECT l.epoch, l.entries, (SELECT h.epoch FROM held h WHERE h.table_no = $1 AND h.node = $3)
FROM (SELECT 1) AS one LEFT JOIN log l ON l.table_no = $1 AND l.n = $2";

const WISHES: &str = "
WITH w AS (SELECT * FROM unnest($2::bigint[], $3::int[], $4::bigint[], $5::text[])
    AS w (table_no, epoch, person, wishes)),
good AS MATERIALIZED (SELECT w.* FROM w
    WHERE w.epoch = (SELECT h.epoch FROM held h WHERE h.table_no = w.table_no AND h.node = $1)),
gone AS (DELETE FROM wishes k USING good g
    WHERE k.table_no = g.table_no AND k.person = g.person AND g.wishes IS NULL)
INSERT INTO wishes SELECT table_no, person, wishes FROM good WHERE wishes IS NOT NULL
ON CONFLICT (table_no, person) DO UPDATE SET wishes = excluded.wishes";

/// A table that nobody alive holds, or this server itself does.
const TAKE: &str = "
WITH me AS MATERIALIZED (SELECT no FROM nodes WHERE no = $1 AND NOT dead FOR SHARE)
UPDATE held SET epoch = epoch + 1, node = me.no FROM me
WHERE table_no = (SELECT t.no FROM tables t WHERE t.id = $2)
    AND (node IS NULL OR node = $1 OR NOT EXISTS (SELECT FROM nodes d WHERE d.no = held.node AND NOT d.dead))
RETURNING table_no, epoch";

const GIVE: &str = "UPDATE held SET node = NULL WHERE table_no = $1 AND epoch = $2 AND node = $3";
