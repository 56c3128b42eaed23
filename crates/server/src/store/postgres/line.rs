//! A session with PostgreSQL that is opened again when it breaks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Row, Statement};

use super::address::Address;

pub type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// What every session is told first. Nothing here takes seconds, unless something is stuck.
const MANNERS: &str = "SET synchronous_commit = on; SET statement_timeout = '5s'; \
    SET idle_in_transaction_session_timeout = '3s'; SET standard_conforming_strings = on;";
/// And those that write with every move, which find every row by its key.
const BY_KEY: &str = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;";

pub struct Line {
    address: Address,
    /// What the sessions call themselves.
    name: String,
    by_key: bool,
    live: tokio::sync::Mutex<Option<Arc<Live>>>,
}

/// A session with what was prepared in it.
pub struct Live {
    client: Client,
    prepared: Mutex<HashMap<&'static str, Statement>>,
}

impl Line {
    pub fn new(address: &Address, name: &str, by_key: bool) -> Line {
        Line { address: address.clone(), name: name.into(), by_key, live: Default::default() }
    }

    /// The session, a new one if need be. Nothing has been asked yet.
    pub async fn live(&self) -> Result<Arc<Live>, Error> {
        let mut live = self.live.lock().await;
        if let Some(live) = live.as_ref().filter(|live| !live.client.is_closed()) {
            return Ok(Arc::clone(live));
        }
        let client = self.address.connect(&self.name).await?;
        client.batch_execute(MANNERS).await?;
        if self.by_key {
            client.batch_execute(BY_KEY).await?;
        }
        let fresh = Arc::new(Live { client, prepared: Mutex::default() });
        *live = Some(Arc::clone(&fresh));
        Ok(fresh)
    }

    pub async fn query(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
        self.live().await?.query(sql, params).await
    }
}

impl Live {
    /// Questions that are asked at the same time share a round trip.
    pub async fn query(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
        let known = self.prepared().get(sql).cloned();
        let statement = match known {
            Some(statement) => statement,
            None => {
                let statement = self.client.prepare(sql).await?;
                self.prepared().insert(sql, statement.clone());
                statement
            }
        };
        self.client.query(&statement, params).await
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    fn prepared(&self) -> std::sync::MutexGuard<'_, HashMap<&'static str, Statement>> {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
