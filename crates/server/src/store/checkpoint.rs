//! What was committed to the write-ahead log goes into the database file, on a thread of its own: copying thousands of
//! pages would keep every table waiting.
//!
//! Invariant: the log begins anew only when all of it is in the file, so the writer does the last few pages itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use rusqlite::Connection;

/// Commits that gather in the log. Many change the same pages again: the later, the fewer writes.
const ENOUGH: u32 = 2_000;
/// Few enough for the writer.
const FEW_PAGES: i64 = 64;
/// While tables go on, the log grows behind the copying, every time by less.
const ROUNDS: usize = 8;
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// So many looks without a commit: nobody is disturbed.
const QUIET: u32 = 5;

/// What the writer and the one who copies know of each other.
#[derive(Default)]
pub struct Log {
    commits: AtomicU32,
    /// Only a few pages are left to copy.
    nearly: AtomicBool,
}

impl Log {
    /// Told by the writer, after a commit.
    pub fn grew(&self) {
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    /// Asked by the writer, between commits: copies what is left, if that is little.
    pub fn finish(&self, writer: &Connection) {
        if self.nearly.swap(false, Ordering::Relaxed)
            && let Err(error) = copy(writer)
        {
            tracing::warn!(%error, "the write-ahead log goes on growing");
        }
    }
}

/// The thread; ends with the writer.
pub fn copy_now_and_then(connection: &Connection, log: &Arc<Log>, writer: &Receiver<()>) {
    let (mut before, mut quiet) = (0, 0);
    while writer.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
        let commits = log.commits.load(Ordering::Relaxed);
        quiet = if commits == before { quiet + 1 } else { 0 };
        before = commits;
        if commits < ENOUGH && (commits == 0 || quiet < QUIET) {
            continue;
        }
        log.commits.fetch_sub(commits, Ordering::Relaxed);
        before = 0;
        for _ in 0..ROUNDS {
            match copy(connection) {
                Ok(left) if left > FEW_PAGES => {}
                Ok(_) => {
                    log.nearly.store(true, Ordering::Relaxed);
                    break;
                }
                Err(error) => {
                    tracing::warn!(%error, "the write-ahead log goes on growing");
                    break;
                }
            }
        }
    }
}

/// Copies what nobody reads any more, without keeping anybody waiting; gives the pages that are left.
fn copy(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        let (log, copied): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok(log - copied)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of the log after so many changes.
    fn grown(folder: &std::path::Path, writer: &Connection, changes: u32) -> u64 {
        for n in 0..changes {
            writer.execute("INSERT INTO t VALUES (?1)", [n]).unwrap();
        }
        std::fs::metadata(folder.join("t.db-wal")).unwrap().len()
    }

    #[test]
    fn the_log_begins_anew_when_all_of_it_is_in_the_file() {
        let folder = std::env::temp_dir().join(format!("lair-checkpoint-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let open = || Connection::open(folder.join("t.db")).unwrap();
        let (writer, copies, log) = (open(), open(), Log::default());
        writer.pragma_update(None, "journal_mode", "WAL").unwrap();
        writer.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
        writer.execute_batch("CREATE TABLE t (n INTEGER)").unwrap();
        let once = grown(&folder, &writer, 50);
        // Nobody has copied anything: the writer does nothing, and the log goes on.
        log.finish(&writer);
        let twice = grown(&folder, &writer, 50);
        assert!(twice > once, "{twice} after {once}");
        log.nearly.store(true, Ordering::Relaxed);
        log.finish(&writer);
        assert!(!log.nearly.load(Ordering::Relaxed));
        assert_eq!(grown(&folder, &writer, 50), twice, "the log was not begun anew");
        assert_eq!(copy(&copies).unwrap(), 0);
        let rows: u32 = copies.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 150);
        drop((writer, copies));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
