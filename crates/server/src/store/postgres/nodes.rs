//! Who is there: servers that share a database are nodes, which watch each other.
//!
//! Invariants: a node that was declared dead stays so; declaring waits until nothing of it is under way. Clocks are never
//! compared: a node is suspected when the watcher's own saw no beat for so long. A pause of the watcher, of the database
//! or of its disk makes nobody a suspect: who cannot beat suspects nobody.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, sleep};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error, Row};

use super::super::News;
use super::line::Line;
use super::registry;
use super::state::Shared;

/// A node without a beat for so long is declared dead.
pub const LEASE: Duration = Duration::from_secs(5);
/// How often each node looks at the others, in parts of a lease.
const LOOKS: u32 = 10;
/// The part of a lease that is enough if its sessions are gone as well.
pub const GONE: u32 = 5;
/// How many looks one may be late.
const LATE: u32 = 4;
/// How long whoever declares a node dead waits for its statement to end, before its sessions are ended.
pub const DECLARE: &str = "SET lock_timeout = '300ms'";

/// What the sessions of a node call themselves.
pub fn session_name(node: i64) -> String {
    format!("lair/{node}")
}

/// Declares a node dead, if it has not beaten since. Its statement under way ends first, or is ended.
pub async fn declare(client: &Client, node: i64, seen: Option<i64>) -> Result<bool, Error> {
    let dead = "UPDATE nodes SET dead = true WHERE no = $1 AND beat = coalesce($2, beat) AND NOT dead";
    loop {
        match client.execute(dead, &[&node, &seen]).await {
            Ok(count) => return Ok(count > 0),
            Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                    WHERE application_name = $1 AND datname = current_database()";
                client.query(end, &[&session_name(node)]).await?;
                sleep(Duration::from_millis(20)).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// What a watcher saw of another node.
#[derive(Clone, Copy)]
struct Seen {
    beat: i64,
    /// The end of the first look that saw this beat.
    since: Instant,
    /// The end of the first look since when its sessions are gone.
    gone: Option<Instant>,
}

/// What a watcher has seen. It is forgotten when the watcher could not look for a while, or could not beat itself.
#[derive(Default)]
struct Sight {
    others: HashMap<i64, Seen>,
    /// Its own beat, and when it was first seen.
    own: Option<(i64, Instant)>,
}

/// Watches the others for as long as anybody wants to know.
pub struct Watcher {
    pub shared: Arc<Shared>,
    pub line: Line,
    pub lease: Duration,
    pub news: mpsc::Sender<News>,
}

impl Watcher {
    pub async fn run(self) {
        let every = self.lease / LOOKS;
        let mut ticks = tokio::time::interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut sight = Sight::default();
        let mut living: HashSet<i64> = HashSet::new();
        // There may be tables of dead nodes.
        let mut bereft = true;
        let mut last = Instant::now();
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = self.news.closed() => return,
                () = self.shared.over() => return,
            }
            let began = Instant::now();
            if began - last > every * LATE {
                sight.others.clear();
            }
            match self.look(&mut sight, began, every).await {
                Ok(now) => {
                    bereft |= living.iter().any(|node| !now.contains(node));
                    living = now;
                }
                Err(error) => {
                    tracing::debug!(%error, "nobody can be watched");
                    sight.others.clear();
                    self.shared.others_have_bus.store(false, Ordering::Relaxed);
                }
            }
            if bereft && !living.is_empty() {
                match self.tell_orphans(&living).await {
                    Ok(()) => bereft = false,
                    Err(error) => tracing::debug!(%error, "tables of the dead cannot be looked for"),
                }
            }
            if let Err(error) = self.tell_wanted().await {
                tracing::debug!(%error, "what others want cannot be looked for");
            }
            last = Instant::now();
        }
    }

    /// Tables that are held here and asked for elsewhere.
    async fn tell_wanted(&self) -> Result<(), Error> {
        let wanted = "WITH w AS (DELETE FROM wanted w USING held h \
                WHERE h.table_no = w.table_no AND h.node = $1 RETURNING w.table_no) \
            SELECT t.id FROM w JOIN tables t ON t.no = w.table_no";
        for row in self.line.query(wanted, &[&self.shared.node]).await? {
            let _ = self.news.send(News::Wanted(row.get(0))).await;
        }
        Ok(())
    }

    /// Looks at everybody once, and declares those dead who show no sign of life. Who lives now and can be given tables.
    async fn look(&self, sight: &mut Sight, began: Instant, every: Duration) -> Result<HashSet<i64>, Error> {
        let look = "SELECT no, beat, EXISTS (SELECT FROM pg_stat_activity \
                WHERE application_name = 'lair/' || no AND datname = current_database()), \
                bus, reads, (SELECT convert_from(value, 'UTF8')::int FROM meta WHERE key = 'entries') \
            FROM nodes WHERE NOT dead";
        let rows = self.line.query(look, &[]).await?;
        self.note(&rows).await;
        let ended = Instant::now();
        let slow = ended - began > every * LATE;
        let bus: HashSet<i64> = rows.iter().filter(|row| row.get(3)).map(|row| row.get(0)).collect();
        let mut living = HashSet::new();
        let own = rows.iter().find(|row| row.get::<_, i64>(0) == self.shared.node);
        let own: Option<i64> = own.map(|row| row.get(1));
        match (own, sight.own) {
            (Some(beat), Some((before, since))) if beat == before => {
                if ended - since > self.lease / 2 {
                    sight.others.clear();
                }
            }
            (beat, _) => sight.own = beat.map(|beat| (beat, ended)),
        }
        let seen = &mut sight.others;
        for row in rows {
            let (node, beat, sessions): (i64, i64, bool) = (row.get(0), row.get(1), row.get(2));
            living.insert(node);
            if node == self.shared.node {
                continue;
            }
            let before = seen.get(&node).filter(|before| before.beat == beat && !slow).copied();
            let mut now = before.unwrap_or(Seen { beat, since: ended, gone: None });
            now.gone = if sessions { None } else { now.gone.or(Some(ended)) };
            let silent = |since: Instant, long: Duration| began.saturating_duration_since(since) >= long;
            let suspect = silent(now.since, self.lease)
                || now.gone.is_some_and(|gone| silent(gone.max(now.since), self.lease / GONE));
            seen.insert(node, now);
            if suspect && before.is_some() {
                metrics::counter!("lair_suspected_total").increment(1);
                let live = self.line.live().await?;
                live.client().batch_execute(DECLARE).await?;
                if declare(live.client(), node, Some(beat)).await? {
                    tracing::warn!(node, "a server shows no sign of life: its tables go on elsewhere");
                    living.remove(&node);
                }
                seen.remove(&node);
            }
        }
        seen.retain(|node, _| living.contains(node));
        // One without the bus, which others have, would only give them away again.
        let reached: HashSet<i64> = living.intersection(&bus).copied().collect();
        Ok(if reached.is_empty() { living } else { reached })
    }

    /// Who has the bus, and which entries everybody reads.
    async fn note(&self, rows: &[Row]) {
        let others = rows.iter().filter(|row| row.get::<_, i64>(0) != self.shared.node);
        let have_bus = others.clone().any(|row| row.get::<_, bool>(3));
        self.shared.others_have_bus.store(have_bus, Ordering::Relaxed);
        let Some(known) = rows.first().and_then(|row| row.get::<_, Option<i32>>(5)) else { return };
        self.shared.entries.store(known as u32, Ordering::Relaxed);
        let least = rows.iter().filter_map(|row| row.get::<_, Option<i32>>(4)).min();
        if least.is_some_and(|least| least > known)
            && let Ok(live) = self.line.live().await
            && let Err(error) = live.client().batch_execute(registry::RAISE).await
        {
            tracing::debug!(%error, "what may be written cannot be raised yet");
        }
    }

    /// Tables in play of nodes that are dead, each for one of the living.
    async fn tell_orphans(&self, living: &HashSet<i64>) -> Result<(), Error> {
        let orphans = "SELECT t.id FROM held h JOIN tables t ON t.no = h.table_no \
            WHERE h.node IS NOT NULL AND t.state = 'playing' \
                AND h.node NOT IN (SELECT no FROM nodes WHERE NOT dead)";
        for row in self.line.query(orphans, &[]).await? {
            let id: String = row.get(0);
            if chosen(&id, living) == Some(self.shared.node)
                && self.news.send(News::Orphan(id)).await.is_err()
            {
                break;
            }
        }
        Ok(())
    }
}

/// Whose a table is: everybody comes to the same answer, and if one goes, only its tables change hands.
fn chosen(id: &str, living: &HashSet<i64>) -> Option<i64> {
    let weight = |node: &i64| {
        let mut hasher = DefaultHasher::new();
        (id, node).hash(&mut hasher);
        hasher.finish()
    };
    living.iter().copied().max_by_key(weight)
}
