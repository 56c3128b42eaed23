//! Moving from and to a PostgreSQL database, in one transaction.

use tokio_postgres::Client;
use tokio_postgres::types::ToSql;

use super::super::postgres::{Address, opened_alone, split, whole_settings};
use super::super::{LogEntry, StoreError};
use super::rows::{Kind, Plain, Row, Value, settings_text};
use super::{MoveError, Moving, Place, Result};

/// Rows that are read at once.
const AT_ONCE: usize = 1000;

/// A database as it was at one moment.
pub struct SharedSource(Client);

/// A database in which nothing has changed until the end.
pub struct SharedTarget(Client);

/// Ends the transaction with the session, whatever happens.
async fn begin(address: &Address, how: &str) -> Result<Client> {
    let client = opened_alone(address).await?;
    client.batch_execute("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0").await?;
    client.batch_execute(how).await?;
    let used = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'lair/%'";
    match client.query_one(used, &[]).await?.get::<_, i64>(0) {
        0 => Ok(client),
        _ => Err(MoveError::InUse(Place::Database(address.clone()))),
    }
}

impl SharedSource {
    pub async fn open(address: &Address) -> Result<SharedSource> {
        let client = begin(address, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        match is_empty(&client).await? {
            true => Err(MoveError::NoSource(Place::Database(address.clone()))),
            false => Ok(SharedSource(client)),
        }
    }

    pub fn db(&mut self) -> &mut Client {
        &mut self.0
    }
}

impl SharedTarget {
    pub async fn open(address: &Address) -> Result<SharedTarget> {
        // No server can begin to use it meanwhile.
        let client = begin(address, "BEGIN; LOCK TABLE nodes IN ACCESS EXCLUSIVE MODE").await?;
        if !is_empty(&client).await? {
            return Err(MoveError::NotEmpty(Place::Database(address.clone())));
        }
        client.batch_execute("DELETE FROM meta WHERE key = 'cookie_secret'").await?;
        Ok(SharedTarget(client))
    }

    pub fn db(&mut self) -> &mut Client {
        &mut self.0
    }

    pub async fn finish(self) -> Result<()> {
        // What the logs may have in them, for servers that cannot read all of it.
        let entries = "INSERT INTO meta VALUES ('entries', convert_to($1, 'UTF8')) \
                       ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        self.0.execute(entries, &[&LogEntry::NEWEST.to_string()]).await?;
        self.0.batch_execute("COMMIT").await?;
        // For the servers to come.
        let _ = self.0.batch_execute("ANALYZE").await;
        Ok(())
    }
}

async fn is_empty(client: &Client) -> Result<bool> {
    let any =
        "SELECT EXISTS (SELECT FROM people) OR EXISTS (SELECT FROM tables) OR EXISTS (SELECT FROM days)";
    Ok(!client.query_one(any, &[]).await?.get::<_, bool>(0))
}

fn row(row: &tokio_postgres::Row, kinds: impl Iterator<Item = Kind>) -> Row {
    let value = |(at, kind)| match kind {
        Kind::Big => row.get::<_, Option<i64>>(at).map_or(Value::Null, Value::Number),
        Kind::Int => row.get::<_, Option<i32>>(at).map_or(Value::Null, |number| Value::Number(number.into())),
        Kind::Small => {
            row.get::<_, Option<i16>>(at).map_or(Value::Null, |number| Value::Number(number.into()))
        }
        Kind::Text => row.get::<_, Option<String>>(at).map_or(Value::Null, Value::Text),
        Kind::Bytes => row.get::<_, Option<Vec<u8>>>(at).map_or(Value::Null, Value::Bytes),
    };
    Row(kinds.enumerate().map(value).collect())
}

/// A column as an array; `None` if PostgreSQL has no such number.
fn column(rows: &[Row], at: usize, kind: Kind) -> Result<Box<dyn ToSql + Sync + Send>> {
    let number = |row: &Row| match &row.0[at] {
        Value::Number(number) => Some(*number),
        _ => None,
    };
    let text = |row: &Row| match &row.0[at] {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    };
    let bytes = |row: &Row| match &row.0[at] {
        Value::Bytes(bytes) => Some(bytes.clone()),
        _ => None,
    };
    let too_big = |_| StoreError::Damaged("a number is too big".into());
    Ok(match kind {
        Kind::Big => Box::new(rows.iter().map(number).collect::<Vec<Option<i64>>>()),
        Kind::Int => {
            let small = rows.iter().map(|row| number(row).map(i32::try_from).transpose());
            Box::new(small.collect::<Result<Vec<Option<i32>>, _>>().map_err(too_big)?)
        }
        Kind::Small => {
            let small = rows.iter().map(|row| number(row).map(i16::try_from).transpose());
            Box::new(small.collect::<Result<Vec<Option<i16>>, _>>().map_err(too_big)?)
        }
        Kind::Text => Box::new(rows.iter().map(text).collect::<Vec<Option<String>>>()),
        Kind::Bytes => Box::new(rows.iter().map(bytes).collect::<Vec<Option<Vec<u8>>>>()),
    })
}

fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Big => "bigint",
        Kind::Int => "integer",
        Kind::Small => "smallint",
        Kind::Text => "text",
        Kind::Bytes => "bytea",
    }
}

/// The next rows, after this key, in the order of bytes.
pub async fn rows(client: &mut Client, plain: &Plain, after: Option<&Row>) -> Result<Vec<Row>> {
    let key: Vec<String> = plain.columns[..plain.key]
        .iter()
        .map(
            |(name, kind)| {
                if *kind == Kind::Text { format!("{name} COLLATE \"C\"") } else { name.to_string() }
            },
        )
        .collect();
    let key = key.join(", ");
    let marks: Vec<String> = (1..=plain.key).map(|n| format!("${n}")).collect();
    let beyond = if after.is_some() { format!("({key}) > ({})", marks.join(", ")) } else { "true".into() };
    let text = format!(
        "SELECT {} FROM {} WHERE {} AND {beyond} ORDER BY {key} LIMIT {AT_ONCE}",
        plain.names(plain.columns.len()),
        plain.name,
        plain.only
    );
    let mut params: Vec<&(dyn ToSql + Sync)> = Vec::new();
    for value in after.iter().flat_map(|row| &row.0) {
        params.push(match value {
            Value::Number(number) => number,
            Value::Text(text) => text,
            Value::Bytes(bytes) => bytes,
            Value::Null => return Err(StoreError::Damaged("a key is missing".into()).into()),
        });
    }
    let kinds = || plain.columns.iter().map(|(_, kind)| *kind);
    Ok(client.query(&text, &params).await?.iter().map(|found| row(found, kinds())).collect())
}

pub async fn add(client: &mut Client, plain: &Plain, rows: &[Row]) -> Result<()> {
    let arrays: Vec<String> =
        (1..).zip(plain.columns).map(|(n, (_, kind))| format!("${n}::{}[]", type_name(*kind))).collect();
    let columns = plain.names(plain.columns.len());
    let text = format!("INSERT INTO {} ({columns}) SELECT * FROM unnest({})", plain.name, arrays.join(", "));
    let values = (0..).zip(plain.columns).map(|(at, (_, kind))| column(rows, at, *kind));
    let values = values.collect::<Result<Vec<_>>>()?;
    let params: Vec<&(dyn ToSql + Sync)> =
        values.iter().map(|value| value.as_ref() as &(dyn ToSql + Sync)).collect();
    client.execute(&text, &params).await?;
    Ok(())
}

pub async fn tables(client: &mut Client) -> Result<Vec<i64>> {
    Ok(client.query("SELECT no FROM tables ORDER BY no", &[]).await?.iter().map(|row| row.get(0)).collect())
}

pub async fn table(client: &mut Client, no: i64) -> Result<Moving> {
    let text = "SELECT no, id, made, settings, secret, state, seats, result, texts FROM tables WHERE no = $1";
    let found = client.query_one(text, &[&no]).await?;
    let kinds =
        [Kind::Big, Kind::Text, Kind::Big, Kind::Text, Kind::Bytes, Kind::Text, Kind::Text, Kind::Text];
    let mut facts = row(&found, kinds.into_iter());
    if let Some(Value::Text(settings)) = facts.0.get_mut(3) {
        let whole = whole_settings(settings, found.get(8)).map(|settings| serde_json::to_string(&settings));
        *settings = match whole {
            Ok(Ok(text)) => text,
            _ => settings_text(std::mem::take(settings)),
        };
    }
    let mut lines: Vec<String> = Vec::new();
    for row in client.query("SELECT n, entries FROM log WHERE table_no = $1 ORDER BY n", &[&no]).await? {
        let (n, text): (i32, &str) = (row.get(0), row.get(1));
        if n as usize != lines.len() {
            return Err(StoreError::Damaged(format!("entry {} of table {no} is missing", lines.len())).into());
        }
        lines.extend(text.lines().map(str::to_string));
    }
    Ok(Moving { facts, lines })
}

pub async fn add_table(client: &mut Client, table: &Moving) -> Result<()> {
    let facts = &table.facts;
    let (settings, texts) = match facts.table() {
        Ok(row) => split(row.settings)?,
        // Nobody can read them, here or there.
        Err(_) => (facts.text(3)?.to_string(), None),
    };
    let text = "WITH t AS (INSERT INTO tables (no, id, made, settings, texts, secret, state, seats, result)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)),
        l AS (INSERT INTO log SELECT $1, 0, 0, $10 WHERE $10::text IS NOT NULL)
        INSERT INTO held VALUES ($1, 0, NULL)";
    let lines = Some(table.lines.join("\n")).filter(|_| !table.lines.is_empty());
    let (no, id, made) = (facts.number(0)?, facts.text(1)?, facts.number(2)?);
    let (secret, state, seats, result) =
        (facts.bytes(4)?, facts.text(5)?, facts.text(6)?, facts.text(7).ok());
    let statement = client.prepare(text).await?;
    client
        .execute(&statement, &[&no, &id, &made, &settings, &texts, &secret, &state, &seats, &result, &lines])
        .await?;
    Ok(())
}

/// New tables get the numbers after these.
pub async fn all_is_there(client: &mut Client) -> Result<()> {
    let next = "SELECT setval(pg_get_serial_sequence('tables', 'no'), coalesce((SELECT max(no) FROM tables), 0) + 1, false)";
    client.query_one(next, &[]).await?;
    Ok(())
}
