//! Who is there: servers that share a database are nodes.
//!
//! Invariants: a node that was declared dead stays so; declaring waits until nothing of it is under way.

use std::time::Duration;

use tokio::time::sleep;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error};

/// How long whoever declares a node dead waits for its statement to end, before its sessions are ended.
const DECLARE: &str = "SET lock_timeout = '300ms'";

/// What the sessions of a node call themselves.
pub fn session_name(node: i64) -> String {
    format!("lair/{node}")
}

/// A new node; older ones of this name are dead from now on.
pub async fn register(client: &Client, name: &str) -> Result<i64, Error> {
    let insert = "INSERT INTO nodes (name, version) VALUES ($1, $2) RETURNING no";
    client.batch_execute(DECLARE).await?;
    loop {
        let older = client.query("SELECT no FROM nodes WHERE name = $1 AND NOT dead", &[&name]).await?;
        for row in &older {
            declare(client, row.get(0)).await?;
        }
        // A row that says dead says no more than none.
        client.execute("DELETE FROM nodes WHERE dead", &[]).await?;
        match client.query_one(insert, &[&name, &env!("CARGO_PKG_VERSION")]).await {
            Ok(row) => return Ok(row.get(0)),
            // Two at the same time: the later one wins.
            Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Declares a node dead. Its statement under way ends first, or is ended.
pub async fn declare(client: &Client, node: i64) -> Result<(), Error> {
    loop {
        match client.execute("UPDATE nodes SET dead = true WHERE no = $1", &[&node]).await {
            Ok(_) => return Ok(()),
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
