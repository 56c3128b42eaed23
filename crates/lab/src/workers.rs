//! Distributes numbered jobs over threads. Every thread keeps its own results.
//!
//! Invariant: whenever it stops, the jobs done are the first ones, without gaps.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

const MAX_THREADS: usize = 256;

/// The threads that do the work, and how to stop them.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    /// 0 for one per core.
    pub threads: usize,
    /// Once this is true, no further job is started.
    pub stop: &'a AtomicBool,
    /// Called after every game.
    pub done: &'a (dyn Fn() + Sync),
}

impl Workers<'_> {
    pub fn count(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            n => n.min(MAX_THREADS),
        }
    }
}

/// Runs jobs 0, 1, 2 and so on, and returns the results of each thread.
pub fn run_jobs<W: Send>(
    jobs: u64,
    workers: Workers,
    worker: impl Fn() -> W + Sync,
    each: impl Fn(&mut W, u64) + Sync,
) -> Vec<W> {
    let next = AtomicU64::new(0);
    let work = || {
        let mut mine = worker();
        while !workers.stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= jobs {
                break;
            }
            each(&mut mine, number);
        }
        mine
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..workers.count()).map(|_| scope.spawn(work)).collect();
        let finished = threads.into_iter().map(|thread| match thread.join() {
            Ok(mine) => mine,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        finished.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jobs_done_have_no_gaps() {
        let stop = AtomicBool::new(false);
        let workers = Workers { threads: 4, stop: &stop, done: &|| {} };
        let each = |mine: &mut Vec<u64>, number| {
            mine.push(number);
            if number == 500 {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let mut done = run_jobs(100_000, workers, Vec::new, each).concat();
        done.sort_unstable();
        assert!(done.len() > 500 && done.len() < 100_000);
        assert!(done.iter().enumerate().all(|(i, n)| i as u64 == *n));
    }
}
