//! The tables that everything is kept in: made on first use, migrated by whoever is newer.
//!
//! Invariant: within a release there are only additions, so that two releases can run side by side.

use tokio_postgres::Client;

use super::address::Address;
use super::problem::Problem;

/// Each brings the schema from the previous version to its own.
const MIGRATIONS: [&str; 4] =
    [include_str!("1.sql"), include_str!("2.sql"), include_str!("3.sql"), include_str!("4.sql")];
/// The oldest program that can still use the newest schema.
const OLDEST_READER: u32 = 1;
/// "lair", as a number.
const LOCK: i64 = 0x6c61_6972;
const OLDEST_SERVER: i32 = 150_000;
/// What a server must be able to change.
const TABLES: [&str; 14] = [
    "meta",
    "people",
    "account_names",
    "sessions",
    "tables",
    "log",
    "played",
    "wishes",
    "days",
    "attempts",
    "solved",
    "nodes",
    "held",
    "wanted",
];

/// Refuses a server that would not keep its promises.
pub async fn check_server(client: &Client, at: &Address) -> Result<(), Problem> {
    let wrong = |error| Problem::of(at, &error);
    let facts = "SELECT current_setting('server_version_num')::int, current_setting('server_version'), \
        current_setting('fsync'), pg_is_in_recovery(), current_setting('server_encoding')";
    let row = client.query_one(facts, &[]).await.map_err(wrong)?;
    let (version, name, fsync): (i32, String, String) = (row.get(0), row.get(1), row.get(2));
    let (standby, encoding): (bool, String) = (row.get(3), row.get(4));
    if version < OLDEST_SERVER {
        return Err(Problem::TooOld(at.to_string(), name));
    }
    if fsync == "off" {
        return Err(Problem::NoSync(at.to_string()));
    }
    if standby {
        return Err(Problem::Standby(at.to_string()));
    }
    if encoding != "UTF8" {
        return Err(Problem::Encoding(at.to_string(), encoding));
    }
    Ok(())
}

/// Makes or migrates the schema; one server at a time does.
pub async fn migrate(client: &mut Client, at: &Address) -> Result<(), Problem> {
    let wrong = |error| Problem::of(at, &error);
    let transaction = client.transaction().await.map_err(wrong)?;
    transaction.batch_execute("SET LOCAL statement_timeout = 0").await.map_err(wrong)?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await.map_err(wrong)?;
    let known = MIGRATIONS.len() as u32;
    let made = "SELECT to_regclass('meta') IS NOT NULL";
    let made: bool = transaction.query_one(made, &[]).await.map_err(wrong)?.get(0);
    let number = async |key: &str| -> Result<u32, Problem> {
        let find = "SELECT convert_from(value, 'UTF8') FROM meta WHERE key = $1";
        let row = transaction.query_opt(find, &[&key]).await.map_err(wrong)?;
        Ok(row.and_then(|row| row.get::<_, String>(0).parse().ok()).unwrap_or(0))
    };
    let there = if made { number("schema").await? } else { 0 };
    if there > known && number("oldest_reader").await? > known {
        return Err(Problem::Newer { at: at.to_string(), there, known });
    }
    for text in MIGRATIONS.iter().skip(there as usize) {
        transaction.batch_execute(text).await.map_err(wrong)?;
    }
    if there < known {
        for (key, value) in [("schema", known), ("oldest_reader", OLDEST_READER)] {
            let set = "INSERT INTO meta VALUES ($1, convert_to($2, 'UTF8')) \
                       ON CONFLICT (key) DO UPDATE SET value = excluded.value";
            transaction.execute(set, &[&key, &value.to_string()]).await.map_err(wrong)?;
        }
    }
    for table in TABLES {
        let may = "SELECT has_table_privilege($1, 'SELECT') AND has_table_privilege($1, 'INSERT') \
            AND has_table_privilege($1, 'UPDATE') AND has_table_privilege($1, 'DELETE')";
        if !transaction.query_one(may, &[&table]).await.map_err(wrong)?.get::<_, bool>(0) {
            return Err(Problem::Rights {
                at: at.to_string(),
                role: at.role().into(),
                database: at.database().into(),
                reason: format!("it may not use the table `{table}`, which somebody else made"),
            });
        }
    }
    transaction.commit().await.map_err(wrong)
}
