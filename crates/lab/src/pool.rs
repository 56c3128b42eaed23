//! Shares numbered jobs out to threads. Every worker adds up what it did for itself.
//!
//! Invariant: whenever it stops, the jobs done are the first ones, without a gap.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

const MAX_THREADS: usize = 256;

/// Who does the work, and who may stop it.
#[derive(Clone, Copy)]
pub struct Hands<'a> {
    /// 0: as many as there are processors.
    pub threads: usize,
    /// Once this is true no job is begun any more.
    pub stop: &'a AtomicBool,
    /// Told of every game that is over.
    pub done: &'a (dyn Fn() + Sync),
}

impl Hands<'_> {
    fn count(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            n => n.min(MAX_THREADS),
        }
    }
}

/// Does the jobs 0, 1, 2 and so on; gives what the workers have.
pub fn share<W: Send>(
    jobs: u64,
    hands: Hands,
    worker: impl Fn() -> W + Sync,
    each: impl Fn(&mut W, u64) + Sync,
) -> Vec<W> {
    let next = AtomicU64::new(0);
    let work = || {
        let mut mine = worker();
        while !hands.stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= jobs {
                break;
            }
            each(&mut mine, number);
        }
        mine
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..hands.count()).map(|_| scope.spawn(work)).collect();
        let finished = workers.into_iter().map(|worker| match worker.join() {
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
    fn what_was_done_has_no_gap() {
        let stop = AtomicBool::new(false);
        let hands = Hands { threads: 4, stop: &stop, done: &|| {} };
        let each = |mine: &mut Vec<u64>, number| {
            mine.push(number);
            if number == 500 {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let mut done = share(100_000, hands, Vec::new, each).concat();
        done.sort_unstable();
        assert!(done.len() > 500 && done.len() < 100_000);
        assert!(done.iter().enumerate().all(|(i, n)| i as u64 == *n));
    }
}
