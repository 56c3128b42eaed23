//! How a server is let in among those that share the database.
//!
//! Invariants: it fits every server that lives, or is refused; two that do not fit cannot come at the same time; no
//! entry is written that some living server could not read, and no server comes that cannot read what was written.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error, GenericClient};

use super::super::fit::{Fit, Misfit};
use super::super::{Result, StoreError};
use super::address::Address;
use super::nodes::{DECLARE, declare, session_name};
use super::problem::Problem;
use engine::record::Hex;

/// One server at a time comes in: "nodes", as a number.
macro_rules! turn {
    () => {
        "SELECT pg_advisory_xact_lock(474248803699)"
    };
}
/// What all living servers read may be written. It never falls.
macro_rules! raise {
    () => {
        "INSERT INTO meta SELECT 'entries', convert_to(min(reads)::text, 'UTF8') \
            FROM nodes WHERE NOT dead HAVING min(reads) IS NOT NULL \
        ON CONFLICT (key) DO UPDATE SET value = excluded.value \
        WHERE convert_from(meta.value, 'UTF8')::int < convert_from(excluded.value, 'UTF8')::int"
    };
}
/// In one transaction, when those who could not read newer entries have gone.
pub const RAISE: &str = concat!(turn!(), ";", raise!());
/// Whoever is stopped in the middle does not keep the others waiting.
const MANNERS: &str = "SET idle_in_transaction_session_timeout = '3s'";
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// A server that wants to come in.
pub struct Newcomer<'a> {
    pub address: &'a Address,
    pub name: &'a str,
    pub fit: &'a Fit,
    pub lease: Duration,
}

/// A server that is there, and why it cannot be there together with this one.
struct Rival {
    node: i64,
    beat: i64,
    name: String,
    version: String,
    misfit: Misfit,
}

impl Newcomer<'_> {
    /// Its number, and the newest kind of entries that may be written. Older servers of this name are dead from now on.
    pub async fn register(&self, client: &mut Client) -> Result<(i64, u32)> {
        let wrong = |error| Problem::of(self.address, &error);
        client.batch_execute(DECLARE).await.map_err(wrong)?;
        client.batch_execute(MANNERS).await.map_err(wrong)?;
        loop {
            // One that is refused does no harm to the older one of its name.
            self.check_entries(client).await?;
            if let Some(other) = self.misfit(client).await? {
                if self.lives(client, &other).await.map_err(wrong)? {
                    let Rival { name, version, misfit, .. } = other;
                    return Err(Problem::Misfit { name, version, misfit }.into());
                }
                continue;
            }
            let older = "SELECT no FROM nodes WHERE name = $1 AND NOT dead";
            for row in &client.query(older, &[&self.name]).await.map_err(wrong)? {
                declare(client, row.get(0), None).await.map_err(wrong)?;
            }
            if let Some(known) = self.enter(client).await? {
                return Ok(known);
            }
        }
    }

    /// `None` if another server has come meanwhile: everything is to be looked at again.
    async fn enter(&self, client: &mut Client) -> Result<Option<(i64, u32)>> {
        let wrong = |error: Error| StoreError::from(Problem::of(self.address, &error));
        let turn = client.transaction().await.map_err(wrong)?;
        // Whoever has the turn has it for a moment.
        turn.batch_execute("SET LOCAL lock_timeout = 0").await.map_err(wrong)?;
        turn.batch_execute(turn!()).await.map_err(wrong)?;
        if self.misfit(&turn).await?.is_some() {
            return Ok(None);
        }
        // A row that says dead says no more than none.
        turn.execute("DELETE FROM nodes WHERE dead", &[]).await.map_err(wrong)?;
        let insert = "INSERT INTO nodes (name, version, speaks, reads, rules, cards, bus) \
            VALUES ($1, $2, $3, $4, $5, $6, false) RETURNING no";
        let Fit { speaks, reads, rules, cards } = self.fit;
        let (speaks, reads, rules) = (speaks.map(|speaks| speaks as i32), *reads as i32, *rules as i32);
        let (version, cards) = (env!("CARGO_PKG_VERSION"), cards.map(|cards| cards.0.to_vec()));
        let row = turn.query_one(insert, &[&self.name, &version, &speaks, &reads, &rules, &cards]).await;
        let node = match row {
            Ok(row) => row.get(0),
            // Two of the same name at the same time: the later one wins.
            Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => return Ok(None),
            Err(error) => return Err(wrong(error)),
        };
        turn.execute(raise!(), &[]).await.map_err(wrong)?;
        let entries = self.check_entries(&turn).await?;
        turn.commit().await.map_err(wrong)?;
        Ok(Some((node, entries)))
    }

    /// The newest kind of entries that may be in the logs; fails if this server does not read them.
    async fn check_entries(&self, client: &impl GenericClient) -> Result<u32> {
        let sql = "SELECT convert_from(value, 'UTF8')::int FROM meta WHERE key = 'entries'";
        let row = client.query_opt(sql, &[]).await.map_err(|error| Problem::of(self.address, &error))?;
        let there = row.map_or(1, |row| row.get::<_, i32>(0) as u32);
        match there <= self.fit.reads {
            true => Ok(there),
            false => Err(Problem::NewerEntries { there, reads: self.fit.reads }.into()),
        }
    }

    /// A living server that this one does not fit, other than an older one of its own name.
    async fn misfit(&self, client: &impl GenericClient) -> Result<Option<Rival>> {
        let others = "SELECT no, beat, name, version, speaks, reads, rules, cards FROM nodes \
            WHERE NOT dead AND name <> $1 AND rules IS NOT NULL ORDER BY no";
        let rows = client.query(others, &[&self.name]).await;
        for row in rows.map_err(|error| Problem::of(self.address, &error))? {
            let number = |at| row.get::<_, Option<i32>>(at).map(|number| number as u32);
            let cards: Option<&[u8]> = row.get(7);
            let there = Fit {
                speaks: number(4),
                reads: number(5).unwrap_or(0),
                rules: number(6).unwrap_or(0),
                cards: cards.and_then(|cards| cards.try_into().ok()).map(Hex),
            };
            if let Err(misfit) = self.fit.compare(&there) {
                let (node, beat, name, version) = (row.get(0), row.get(1), row.get(2), row.get(3));
                return Ok(Some(Rival { node, beat, name, version, misfit }));
            }
        }
        Ok(None)
    }

    /// Whether a server shows a sign of life. If not, it is declared dead, as the others would do if there were any.
    async fn lives(&self, client: &Client, other: &Rival) -> Result<bool, Error> {
        let since = Instant::now();
        let sign = "SELECT beat, EXISTS (SELECT FROM pg_stat_activity \
                WHERE application_name = $2 AND datname = current_database()) \
            FROM nodes WHERE no = $1 AND NOT dead";
        loop {
            let Some(row) = client.query_opt(sign, &[&other.node, &session_name(other.node)]).await? else {
                return Ok(false);
            };
            if row.get::<_, i64>(0) != other.beat {
                return Ok(true);
            }
            let enough = if row.get(1) { self.lease } else { self.lease / super::nodes::GONE };
            if since.elapsed() >= enough && declare(client, other.node, Some(other.beat)).await? {
                tracing::warn!(server = other.name, "a server shows no sign of life: it is not waited for");
                return Ok(false);
            }
            sleep(LOOK_AGAIN).await;
        }
    }
}
