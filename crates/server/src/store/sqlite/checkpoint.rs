//! Checkpoints of the write-ahead log, on a thread of their own: copying thousands of pages into the database file
//! would keep every table waiting.
//!
//! Invariant: the log restarts only when all of it is in the file, so the writer copies the last few pages itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use rusqlite::Connection;

/// Commits after which the log is copied. Many change the same pages, so waiting saves writes.
const MANY_COMMITS: u32 = 2_000;
/// Few enough for the writer to copy.
const FEW_PAGES: i64 = 64;
/// While tables go on playing, the log grows behind the copy, by less every time.
const ROUNDS: usize = 8;
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// After this many checks without a commit, copying disturbs nobody.
const QUIET: u32 = 5;

/// What the writer and the copying thread share.
#[derive(Default)]
pub struct WalState {
    commits: AtomicU32,
    /// Only a few pages are left to copy.
    nearly_done: AtomicBool,
}

impl WalState {
    /// Called by the writer after a commit.
    pub fn grew(&self) {
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    /// Called by the writer between commits: copies the rest, if it is little.
    pub fn finish(&self, writer: &Connection) {
        if self.nearly_done.swap(false, Ordering::Relaxed)
            && let Err(error) = copy(writer)
        {
            tracing::warn!(%error, "the write-ahead log could not be copied");
        }
    }
}

/// Runs until the writer ends.
pub fn checkpoint_loop(connection: &Connection, log: &Arc<WalState>, writer: &Receiver<()>) {
    let (mut before, mut quiet) = (0, 0);
    while writer.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
        let commits = log.commits.load(Ordering::Relaxed);
        quiet = if commits == before { quiet + 1 } else { 0 };
        before = commits;
        if commits < MANY_COMMITS && (commits == 0 || quiet < QUIET) {
            continue;
        }
        log.commits.fetch_sub(commits, Ordering::Relaxed);
        before = 0;
        for _ in 0..ROUNDS {
            match copy(connection) {
                Ok(left) if left > FEW_PAGES => {}
                Ok(_) => {
                    log.nearly_done.store(true, Ordering::Relaxed);
                    break;
                }
                Err(error) => {
                    tracing::warn!(%error, "the write-ahead log could not be copied");
                    break;
                }
            }
        }
    }
}

/// Copies the pages that no reader needs, without blocking anyone; returns how many are left.
fn copy(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        let (log, copied): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok(log - copied)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of the log after this many changes.
    fn grown(folder: &std::path::Path, writer: &Connection, changes: u32) -> u64 {
        for n in 0..changes {
            writer.execute("INSERT INTO t VALUES (?1)", [n]).unwrap();
        }
        std::fs::metadata(folder.join("t.db-wal")).unwrap().len()
    }

    #[test]
    fn the_log_restarts_when_all_of_it_is_in_the_file() {
        let folder = std::env::temp_dir().join(format!("lair-checkpoint-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let open = || Connection::open(folder.join("t.db")).unwrap();
        let (writer, copies, log) = (open(), open(), WalState::default());
        writer.pragma_update(None, "journal_mode", "WAL").unwrap();
        writer.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
        writer.execute_batch("CREATE TABLE t (n INTEGER)").unwrap();
        let once = grown(&folder, &writer, 50);
        // Nothing has been copied: the writer does nothing, and the log grows.
        log.finish(&writer);
        let twice = grown(&folder, &writer, 50);
        assert!(twice > once, "{twice} after {once}");
        log.nearly_done.store(true, Ordering::Relaxed);
        log.finish(&writer);
        assert!(!log.nearly_done.load(Ordering::Relaxed));
        assert_eq!(grown(&folder, &writer, 50), twice, "the log did not restart");
        assert_eq!(copy(&copies).unwrap(), 0);
        let rows: u32 = copies.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 150);
        drop((writer, copies));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
