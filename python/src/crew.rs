//! The threads that work on a batch. Invariant: whatever number they are, every piece of work is done once.

use std::mem;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Failure;

const MOST_THREADS: usize = 1024;

pub struct Crew {
    threads: usize,
    /// Started when first needed, with the process to which they belong.
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

impl Crew {
    /// 0 is one thread for each core.
    pub fn new(threads: i64) -> Result<Crew, Failure> {
        let wrong = || Failure::Wrong(format!("threads are 0 to {MOST_THREADS}, not {threads}"));
        let threads = usize::try_from(threads).ok().filter(|threads| *threads <= MOST_THREADS);
        let threads = threads.ok_or_else(wrong)?;
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
        Ok(Crew { threads: if threads == 0 { cores() } else { threads }, pool: Mutex::new(None) })
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Does each piece of work, given its number.
    pub fn each<T: Send>(&self, work: Vec<T>, each: &(impl Fn(usize, T) + Sync)) -> Result<(), Failure> {
        if self.threads == 1 {
            work.into_iter().enumerate().for_each(|(n, piece)| each(n, piece));
            return Ok(());
        }
        // A few at a time: a game alone is too little work to hand to another thread.
        let least = work.len().div_ceil(8 * self.threads).max(1);
        let pool = self.pool()?;
        pool.install(|| {
            work.into_par_iter().with_min_len(least).enumerate().for_each(|(n, piece)| each(n, piece));
        });
        Ok(())
    }

    fn pool(&self) -> Result<Arc<ThreadPool>, Failure> {
        let mut kept = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let here = process::id();
        if let Some((process, pool)) = &*kept
            && *process == here
        {
            return Ok(pool.clone());
        }
        let pool = Arc::new(ThreadPoolBuilder::new().num_threads(self.threads).build()?);
        // A forked process has no threads but its own: those of its parent cannot even be told to stop.
        mem::forget(kept.replace((here, pool.clone())));
        Ok(pool)
    }
}
