//! Moving from and to a data folder.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use rusqlite::types::{Value as Sql, ValueRef};
use rusqlite::{Connection, params_from_iter};

use super::super::sqlite;
use super::rows::{Kind, Plain, Row, Value, settings_text};
use super::{MoveError, Moving, Place, Result, database_files};

/// Rows that are read at once.
const AT_ONCE: usize = 1000;

/// A copy of a data folder, which can be migrated without touching the folder.
pub struct FolderSource {
    db: Option<Connection>,
    copy: PathBuf,
    /// Nobody else may use the folder meanwhile.
    _lock: File,
}

/// A new data folder under another name, which it keeps until everything is there.
pub struct FolderTarget {
    db: Option<Connection>,
    folder: PathBuf,
    unfinished: PathBuf,
}

fn files(path: &Path) -> impl FnOnce(std::io::Error) -> MoveError {
    let path = path.display().to_string();
    move |error| MoveError::Files(path, error)
}

impl FolderSource {
    pub fn open(folder: &Path) -> Result<FolderSource> {
        let place = || Place::Folder(folder.into());
        if !folder.join("lair.db").is_file() {
            return Err(MoveError::NoSource(place()));
        }
        let lock = folder.join("lair.lock");
        let lock =
            File::options().create(true).truncate(false).write(true).open(&lock).map_err(files(&lock))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(MoveError::InUse(place())),
            Err(TryLockError::Error(error)) => return Err(files(folder)(error)),
        }
        let copy = std::env::temp_dir().join(format!("lair-move-{}", std::process::id()));
        let _ = fs::remove_dir_all(&copy);
        let mut source = FolderSource { db: None, copy, _lock: lock };
        sqlite::make_private(&source.copy).map_err(files(&source.copy))?;
        for (from, to) in database_files(folder).into_iter().zip(database_files(&source.copy)) {
            if from.exists() {
                fs::copy(&from, &to).map_err(files(&to))?;
            }
        }
        source.db = Some(sqlite::open_alone(&source.copy)?);
        Ok(source)
    }

    pub fn db(&mut self) -> &mut Connection {
        self.db.as_mut().expect("it is open until it is dropped")
    }
}

impl Drop for FolderSource {
    fn drop(&mut self) {
        self.db = None;
        let _ = fs::remove_dir_all(&self.copy);
    }
}

impl FolderTarget {
    pub fn create(folder: &Path) -> Result<FolderTarget> {
        let empty = match fs::read_dir(folder) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
            Err(error) => return Err(files(folder)(error)),
        };
        if !empty {
            return Err(MoveError::NotEmpty(Place::Folder(folder.into())));
        }
        let whole = std::path::absolute(folder).map_err(files(folder))?;
        let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let unfinished = whole.with_file_name(format!("{name}.unfinished"));
        // Of a move that was interrupted.
        let _ = fs::remove_dir_all(&unfinished);
        let mut target = FolderTarget { db: None, folder: whole, unfinished };
        sqlite::make_private(&target.unfinished).map_err(files(&target.unfinished))?;
        let db = sqlite::open_alone(&target.unfinished)?;
        db.execute_batch("BEGIN")?;
        target.db = Some(db);
        Ok(target)
    }

    pub fn db(&mut self) -> &mut Connection {
        self.db.as_mut().expect("it is open until it is finished")
    }

    /// Everything is on disk, and is read from there again.
    pub fn all_is_there(&mut self) -> Result<()> {
        self.db().execute_batch("COMMIT")?;
        self.db = None;
        self.db = Some(sqlite::open_alone(&self.unfinished)?);
        Ok(())
    }

    /// The folder gets its name.
    pub fn finish(mut self) -> Result<()> {
        self.db = None;
        for path in [&self.unfinished.join("lair.db"), &self.unfinished] {
            File::open(path).and_then(|file| file.sync_all()).map_err(files(path))?;
        }
        fs::rename(&self.unfinished, &self.folder).map_err(files(&self.folder))?;
        if let Some(parent) = self.folder.parent() {
            File::open(parent).and_then(|file| file.sync_all()).map_err(files(parent))?;
        }
        Ok(())
    }
}

impl Drop for FolderTarget {
    fn drop(&mut self) {
        self.db = None;
        let _ = fs::remove_dir_all(&self.unfinished);
    }
}

fn value(value: ValueRef<'_>) -> rusqlite::Result<Value> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Number(number),
        ValueRef::Text(_) => Value::Text(value.as_str()?.into()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.into()),
        ValueRef::Real(_) => return Err(rusqlite::Error::InvalidQuery),
    })
}

fn row(row: &rusqlite::Row<'_>, columns: usize) -> rusqlite::Result<Row> {
    let values: rusqlite::Result<_> = (0..columns).map(|at| value(row.get_ref(at)?)).collect();
    Ok(Row(values?))
}

fn sql(value: &Value) -> Sql {
    match value {
        Value::Null => Sql::Null,
        Value::Number(number) => Sql::Integer(*number),
        Value::Text(text) => Sql::Text(text.clone()),
        Value::Bytes(bytes) => Sql::Blob(bytes.clone()),
    }
}

/// The next rows, after this key.
pub fn rows(db: &mut Connection, plain: &Plain, after: Option<&Row>) -> Result<Vec<Row>> {
    let (columns, key) = (plain.names(plain.columns.len()), plain.names(plain.key));
    let marks = vec!["?"; plain.key].join(", ");
    let beyond = if after.is_some() { format!("({key}) > ({marks})") } else { "true".into() };
    let text = format!(
        "SELECT {columns} FROM {} WHERE {} AND {beyond} ORDER BY {key} LIMIT {AT_ONCE}",
        plain.name, plain.only
    );
    let after: Vec<Sql> = after.iter().flat_map(|row| &row.0).map(sql).collect();
    let mut query = db.prepare_cached(&text)?;
    let found = query.query_map(params_from_iter(after), |found| row(found, plain.columns.len()))?;
    let mut rows = found.collect::<rusqlite::Result<Vec<Row>>>()?;
    for row in &mut rows {
        for (value, (_, kind)) in row.0.iter_mut().zip(plain.columns) {
            // SQLite keeps a text as it came, even where bytes are meant.
            if let (Value::Text(text), Kind::Bytes) = (&*value, kind) {
                *value = Value::Bytes(text.clone().into_bytes());
            }
        }
    }
    Ok(rows)
}

pub fn add(db: &mut Connection, plain: &Plain, rows: &[Row]) -> Result<()> {
    let marks = vec!["?"; plain.columns.len()].join(", ");
    let columns = plain.names(plain.columns.len());
    let mut insert =
        db.prepare_cached(&format!("INSERT INTO {} ({columns}) VALUES ({marks})", plain.name))?;
    for row in rows {
        insert.execute(params_from_iter(row.0.iter().map(sql)))?;
    }
    Ok(())
}

pub fn tables(db: &mut Connection) -> Result<Vec<i64>> {
    let mut query = db.prepare("SELECT no FROM tables ORDER BY no")?;
    let found = query.query_map([], |row| row.get(0))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

pub fn table(db: &mut Connection, no: i64) -> Result<Moving> {
    let text = "SELECT no, id, made, settings, secret, state, seats, result FROM tables WHERE no = ?1";
    let mut facts = db.prepare_cached(text)?.query_row([no], |found| row(found, 8))?;
    if let Some(Value::Text(settings)) = facts.0.get_mut(3) {
        *settings = settings_text(std::mem::take(settings));
    }
    Ok(Moving { facts, lines: sqlite::stored_log(db, no)? })
}

pub fn add_table(db: &mut Connection, table: &Moving) -> Result<()> {
    let text = "INSERT INTO tables (no, id, made, settings, secret, state, seats, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    db.prepare_cached(text)?.execute(params_from_iter(table.facts.0.iter().map(sql)))?;
    if !table.lines.is_empty() {
        let no = table.facts.number(0)?;
        db.prepare_cached("INSERT INTO log VALUES (?1, 0, ?2)")?.execute((no, table.lines.join("\n")))?;
    }
    Ok(())
}
