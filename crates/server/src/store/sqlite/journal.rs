//! Entries of all tables first go into one journal, a row for each commit, and later into the log of each table. A move
//! is a few dozen bytes: written to separate logs, every table that moved would dirty a page of its own.
//!
//! Invariants: once committed, an entry is in the journal or in its table's log, and a reader finds it exactly once;
//! the entries of a table have no gaps; a log only grows.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::super::{Result, StoreError, TableNumber};
use super::optional;

/// Entries the journal collects before it is compacted. The longer it waits, the fewer rows are written.
const MANY: usize = 100_000;
/// Tables whose entries are moved in one go, between two commits.
const TABLES_AT_ONCE: usize = 100;

/// Entries of each table that are in the journal but not yet in its log.
#[derive(Clone, Default)]
pub struct Recent(Arc<Mutex<HashMap<TableNumber, Run>>>);

/// Consecutive entries of a table, one line each.
#[derive(Clone, Debug, Default)]
struct Run {
    /// The number of the first.
    from: u32,
    count: u32,
    lines: String,
}

/// The writer's side.
pub struct Journal {
    recent: Recent,
    /// How many entries `recent` has.
    recent_len: usize,
    /// The row of the commit in preparation, and where each entry is in it.
    row: String,
    parts: Vec<(TableNumber, u32, Range<usize>)>,
    /// The number of the next entry, for each table with something in the row.
    next: HashMap<TableNumber, u32>,
    /// The last row.
    last_row: i64,
    compaction: Option<Compaction>,
}

/// A compaction in progress.
struct Compaction {
    tables: Vec<TableNumber>,
    /// Once all tables are done, everything up to this row is in the logs.
    upto: i64,
}

impl Recent {
    fn locked(&self) -> MutexGuard<'_, HashMap<TableNumber, Run>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The whole log of a table, entry by entry.
    pub fn whole_log(&self, db: &Connection, table: TableNumber) -> Result<Vec<String>> {
        // Taken before the log is read: what is moved meanwhile is then found in both, rather than in neither.
        let recent = self.locked().get(&table).cloned();
        let mut query = db.prepare_cached("SELECT n, entries FROM log WHERE table_no = ?1 ORDER BY n")?;
        let mut found = query.query([table.0])?;
        let mut entries = Vec::new();
        while let Some(row) = found.next()? {
            let (from, lines): (u32, String) = (row.get(0)?, row.get(1)?);
            add(&mut entries, from, &lines)?;
        }
        if let Some(recent) = recent {
            add(&mut entries, recent.from, &recent.lines)?;
        }
        Ok(entries)
    }
}

/// Adds the entries that are not there yet.
fn add(entries: &mut Vec<String>, from: u32, lines: &str) -> Result<()> {
    let known = entries.len().checked_sub(from as usize);
    let known = known.ok_or_else(|| StoreError::Damaged(format!("entry {} is missing", entries.len())))?;
    entries.extend(lines.lines().skip(known).map(str::to_string));
    Ok(())
}

impl Journal {
    /// Moves what an earlier server left in the journal into the logs.
    pub fn open(connection: &mut Connection) -> Result<Journal> {
        let transaction = connection.transaction()?;
        let mut left: HashMap<TableNumber, Run> = HashMap::new();
        {
            let mut query = transaction.prepare("SELECT entries FROM journal ORDER BY at")?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                for line in row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?.lines() {
                    let (table, n, entry) = parse(line)?;
                    let run = match left.entry(table) {
                        std::collections::hash_map::Entry::Occupied(found) => found.into_mut(),
                        std::collections::hash_map::Entry::Vacant(new) => {
                            let from = next_in_log(&transaction, table)?;
                            new.insert(Run { from, ..Run::default() })
                        }
                    };
                    run.add(n, entry)?;
                }
            }
        }
        for (table, run) in &left {
            run.write(&transaction, *table)?;
        }
        transaction.execute("DELETE FROM journal", [])?;
        transaction.commit()?;
        Ok(Journal {
            recent: Recent::default(),
            recent_len: 0,
            row: String::new(),
            parts: Vec::new(),
            next: HashMap::new(),
            last_row: 0,
            compaction: None,
        })
    }

    pub fn recent(&self) -> Recent {
        self.recent.clone()
    }

    /// Adds entries of a table to the commit; its log must have `from` entries so far.
    pub fn append(
        &mut self,
        db: &Connection,
        table: TableNumber,
        from: u32,
        entries: &[String],
    ) -> Result<()> {
        let known = self.next.get(&table).copied();
        let known = known.or_else(|| self.recent.locked().get(&table).map(|found| found.from + found.count));
        let next = known.map_or_else(|| next_in_log(db, table), Ok)?;
        if next != from {
            let words = format!("the log of table {} has {next} entries, not {from}", table.0);
            return Err(StoreError::Damaged(words));
        }
        for (n, entry) in (from..).zip(entries) {
            // Writing to a string does not fail.
            let _ = write!(self.row, "{} {n} ", table.0);
            let start = self.row.len();
            self.row.push_str(entry);
            self.row.push('\n');
            self.parts.push((table, n, start..self.row.len()));
        }
        self.next.insert(table, from + entries.len() as u32);
        Ok(())
    }

    /// Writes everything appended as a row of the commit.
    pub fn write(&mut self, db: &Connection) -> Result<()> {
        if !self.row.is_empty() {
            db.prepare_cached("INSERT INTO journal (entries) VALUES (?1)")?.execute([&self.row])?;
            self.last_row = db.last_insert_rowid();
        }
        Ok(())
    }

    /// The commit is on disk.
    pub fn committed(&mut self) {
        let mut recent = self.recent.locked();
        for (table, n, part) in self.parts.drain(..) {
            let run = recent.entry(table).or_insert_with(|| Run { from: n, ..Run::default() });
            run.lines.push_str(&self.row[part]);
            run.count += 1;
            self.recent_len += 1;
        }
        drop(recent);
        self.discard();
    }

    /// The commit failed.
    pub fn discard(&mut self) {
        self.parts.clear();
        self.row.clear();
        self.next.clear();
    }

    /// Called between commits: once there are many entries, moves those of some tables into their logs.
    pub fn compact(&mut self, connection: &mut Connection) -> Result<()> {
        if self.compaction.is_none() && self.recent_len >= MANY {
            let tables = self.recent.locked().keys().copied().collect();
            self.compaction = Some(Compaction { tables, upto: self.last_row });
        }
        let Some(compaction) = &mut self.compaction else { return Ok(()) };
        let left = compaction.tables.len().saturating_sub(TABLES_AT_ONCE);
        let transaction = connection.transaction()?;
        {
            let recent = self.recent.locked();
            for (table, run) in compaction.tables[left..].iter().filter_map(|no| recent.get_key_value(no)) {
                run.write(&transaction, *table)?;
            }
        }
        if left == 0 {
            transaction.execute("DELETE FROM journal WHERE at <= ?1", [compaction.upto])?;
        }
        transaction.commit()?;
        // Not before the commit: until then readers find them nowhere else.
        let mut recent = self.recent.locked();
        for run in compaction.tables.drain(left..).filter_map(|table| recent.remove(&table)) {
            self.recent_len -= run.count as usize;
        }
        if left == 0 {
            self.compaction = None;
        }
        Ok(())
    }
}

impl Run {
    fn add(&mut self, n: u32, entry: &str) -> Result<()> {
        let next = self.from + self.count;
        if n > next {
            return Err(StoreError::Damaged(format!("entry {next} is missing from the journal")));
        }
        if n == next {
            self.lines.push_str(entry);
            self.lines.push('\n');
            self.count += 1;
        }
        Ok(())
    }

    fn write(&self, db: &Connection, table: TableNumber) -> Result<()> {
        if self.count > 0 {
            db.prepare_cached("INSERT INTO log VALUES (?1, ?2, ?3)")?.execute((
                table.0,
                self.from,
                self.lines.trim_end(),
            ))?;
        }
        Ok(())
    }
}

/// How many entries the log has.
fn next_in_log(db: &Connection, table: TableNumber) -> Result<u32> {
    let mut query =
        db.prepare_cached("SELECT n, entries FROM log WHERE table_no = ?1 ORDER BY n DESC LIMIT 1")?;
    let last = optional(query.query_row([table.0], |row| {
        let lines = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?.lines().count();
        Ok(row.get::<_, u32>(0)? + lines as u32)
    }))?;
    Ok(last.unwrap_or(0))
}

/// Table, number and entry of a line.
fn parse(line: &str) -> Result<(TableNumber, u32, &str)> {
    let mut words = line.splitn(3, ' ');
    let mut word = || words.next().ok_or_else(|| StoreError::Damaged("a line of the journal".into()));
    let number = |error: std::num::ParseIntError| StoreError::Damaged(format!("a number: {error}"));
    let (table, n) = (word()?.parse().map_err(number)?, word()?.parse().map_err(number)?);
    Ok((TableNumber(table), n, word()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::migrate;

    const TABLES: i64 = 250;

    fn database() -> Connection {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db, 0).unwrap();
        for no in 1..=TABLES {
            db.execute("INSERT INTO tables VALUES (?1, ?1, 0, '', '', 'open', '[]', NULL)", [no]).unwrap();
        }
        db
    }

    /// Two entries for each of the tables, in one commit.
    fn move_on(journal: &mut Journal, db: &mut Connection, logs: &mut [Vec<String>], tables: usize) {
        let transaction = db.transaction().unwrap();
        for (no, log) in (1..).zip(logs).take(tables) {
            let n = log.len() as u32;
            let entries = [format!("{{\"acts\":\"{no} {n}\"}}"), "\"shown\"".to_string()];
            journal.append(&transaction, TableNumber(no), n, &entries).unwrap();
            log.extend(entries);
        }
        journal.write(&transaction).unwrap();
        transaction.commit().unwrap();
        journal.committed();
    }

    fn check(recent: &Recent, db: &Connection, logs: &[Vec<String>]) {
        for (no, log) in (1..).zip(logs) {
            assert!(recent.whole_log(db, TableNumber(no)).unwrap() == *log, "table {no}");
        }
    }

    fn rows(db: &Connection, table: &str) -> u32 {
        db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn every_entry_is_found_once_wherever_it_is() {
        let mut db = database();
        let mut journal = Journal::open(&mut db).unwrap();
        let recent = journal.recent();
        let mut logs = vec![Vec::new(); TABLES as usize];
        while journal.recent_len < MANY {
            journal.compact(&mut db).unwrap();
            assert_eq!(rows(&db, "log"), 0, "not yet");
            move_on(&mut journal, &mut db, &mut logs, TABLES as usize);
        }
        journal.compact(&mut db).unwrap();
        check(&recent, &db, &logs);
        // The first of three steps is done; some tables go on meanwhile.
        assert!(journal.compaction.is_some() && rows(&db, "log") == TABLES_AT_ONCE as u32);
        move_on(&mut journal, &mut db, &mut logs, 180);
        check(&recent, &db, &logs);
        journal.compact(&mut db).unwrap();
        move_on(&mut journal, &mut db, &mut logs, 20);
        check(&recent, &db, &logs);
        journal.compact(&mut db).unwrap();
        assert!(journal.compaction.is_none() && journal.recent_len <= 2 * (180 + 20));
        assert_eq!(rows(&db, "journal"), 2, "what came meanwhile");
        check(&recent, &db, &logs);
        move_on(&mut journal, &mut db, &mut logs, 250);
        check(&recent, &db, &logs);
    }

    #[test]
    fn a_server_that_stops_at_any_time_loses_nothing() {
        let mut db = database();
        let mut logs = vec![Vec::new(); TABLES as usize];
        for steps in 0..5 {
            let mut journal = Journal::open(&mut db).unwrap();
            assert_eq!(rows(&db, "journal"), 0);
            check(&journal.recent(), &db, &logs);
            journal.recent_len = MANY;
            move_on(&mut journal, &mut db, &mut logs, TABLES as usize);
            for step in 0..steps {
                journal.compact(&mut db).unwrap();
                move_on(&mut journal, &mut db, &mut logs, 60 * step);
            }
        }
        let journal = Journal::open(&mut db).unwrap();
        check(&journal.recent(), &db, &logs);
    }

    #[test]
    fn gaps_are_refused_and_a_failed_commit_leaves_nothing() {
        let mut db = database();
        let mut journal = Journal::open(&mut db).unwrap();
        let entry = ["\"shown\"".to_string()];
        assert!(journal.append(&db, TableNumber(1), 1, &entry).is_err());
        journal.append(&db, TableNumber(1), 0, &entry).unwrap();
        assert!(journal.append(&db, TableNumber(1), 0, &entry).is_err());
        journal.append(&db, TableNumber(1), 1, &entry).unwrap();
        journal.discard();
        assert_eq!(journal.recent().whole_log(&db, TableNumber(1)).unwrap(), Vec::<String>::new());
        journal.append(&db, TableNumber(1), 0, &entry).unwrap();
        journal.write(&db).unwrap();
        journal.committed();
        assert!(journal.append(&db, TableNumber(1), 0, &entry).is_err());
        assert_eq!(journal.recent().whole_log(&db, TableNumber(1)).unwrap(), entry);
        db.execute("DELETE FROM journal", []).unwrap();
        db.execute("INSERT INTO journal (entries) VALUES ('1 2 \"shown\"')", []).unwrap();
        assert!(matches!(Journal::open(&mut db), Err(StoreError::Damaged(_))), "0 and 1 are missing");
    }
}
