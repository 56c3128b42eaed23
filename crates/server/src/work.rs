//! The one door for work that is not quick: reading decks, restoring tables, replaying records. It runs on a few
//! threads of its own, so the threads that serve everyone never wait for it.
//!
//! Invariants: no address ever occupies all threads; whoever waits is served in turn, address by address; an address
//! that has used up its time, or has too much waiting, is refused and told when to come back.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::limits::{RateLimits, network};
use crate::serve::Limits;

/// The queue of everyone together, as a multiple of what one address may have waiting.
const QUEUES: usize = 32;

/// Whom the work is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Requester {
    /// The server itself: never refused, since it only does what it must.
    Server,
    /// An address, as limits count them.
    Network(IpAddr),
}

impl Requester {
    pub fn at(address: IpAddr) -> Requester {
        Requester::Network(network(address))
    }
}

/// Why work was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WorkError {
    #[error("your address has used up its share of the server's time: try again in {} s", .0.as_secs() + 1)]
    TooMuch(Duration),
    #[error("the server is busy: try again in a moment")]
    Busy,
    #[error("something went wrong on the server; its log says what")]
    Failed,
}

/// A handle; clones share the same threads.
#[derive(Clone)]
pub struct WorkPool(Arc<Inner>);

struct Inner {
    threads: usize,
    waiting_per_address: usize,
    /// Seconds of processor time.
    budgets: RateLimits<IpAddr>,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    running: usize,
    waiting: usize,
    shares: HashMap<Requester, Share>,
    /// Who has something waiting, in the order in which they are served.
    turns: VecDeque<Requester>,
}

/// What one requester has in the pool.
#[derive(Default)]
struct Share {
    running: usize,
    jobs: VecDeque<Job>,
}

struct Job {
    since: Instant,
    kind: &'static str,
    run: Box<dyn FnOnce() + Send>,
}

impl WorkPool {
    pub fn new(limits: &Limits) -> WorkPool {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        WorkPool::with_threads(cores.max(2), limits)
    }

    fn with_threads(threads: usize, limits: &Limits) -> WorkPool {
        WorkPool(Arc::new(Inner {
            threads,
            waiting_per_address: limits.work_waiting,
            budgets: RateLimits::new(limits.work_seconds),
            queue: Mutex::default(),
        }))
    }

    /// Does the work when its turn has come. If nobody waits for it any more by then, it is left undone.
    pub async fn run<T: Send + 'static>(
        &self,
        by: Requester,
        kind: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        let (done, wait) = oneshot::channel();
        let run = Box::new(move || {
            if !done.is_closed() {
                drop(done.send(work()));
            }
        });
        self.submit(by, Job { since: Instant::now(), kind, run }).inspect_err(|_| {
            metrics::counter!("lair_work_refused_total", "kind" => kind).increment(1);
        })?;
        wait.await.map_err(|_| WorkError::Failed)
    }

    /// Whether the requester has any time left; worth asking before the work is even prepared.
    pub fn check(&self, by: Requester) -> Result<(), WorkError> {
        match by {
            Requester::Server => Ok(()),
            Requester::Network(address) => self.0.budgets.check(&address).map_err(WorkError::TooMuch),
        }
    }

    fn submit(&self, by: Requester, job: Job) -> Result<(), WorkError> {
        self.check(by)?;
        let inner = &self.0;
        let mut queue = inner.queue();
        let most = inner.waiting_per_address;
        let share = queue.shares.entry(by).or_default();
        if by != Requester::Server {
            if share.jobs.len() >= most {
                return Err(WorkError::TooMuch(Duration::ZERO));
            }
            if queue.waiting >= most.saturating_mul(QUEUES) {
                queue.forget_if_idle(by);
                return Err(WorkError::Busy);
            }
        }
        queue.add(by, job);
        // Otherwise one of the threads takes it when it is done with its present job.
        if let Some((by, job)) = queue.next(inner.threads) {
            let inner = Arc::clone(inner);
            drop(queue);
            tokio::task::spawn_blocking(move || inner.work(by, job));
        }
        Ok(())
    }
}

impl Inner {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One thread: this job, and then whatever waits.
    fn work(&self, mut by: Requester, mut job: Job) {
        loop {
            let (kind, began) = (job.kind, ThreadTime::now());
            metrics::histogram!("lair_work_wait_seconds").record(job.since.elapsed().as_secs_f64());
            if catch_unwind(AssertUnwindSafe(job.run)).is_err() {
                tracing::error!(kind, "a job panicked");
            }
            let took = began.elapsed().as_secs_f64();
            metrics::histogram!("lair_work_seconds", "kind" => kind).record(took);
            if let Requester::Network(address) = by {
                self.budgets.charge(address, took as f32);
            }
            let mut queue = self.queue();
            queue.done(by);
            match queue.next(self.threads) {
                Some(next) => (by, job) = next,
                None => return,
            }
        }
    }
}

impl Queue {
    fn add(&mut self, by: Requester, job: Job) {
        let share = self.shares.entry(by).or_default();
        share.jobs.push_back(job);
        if share.jobs.len() == 1 {
            self.turns.push_back(by);
        }
        self.waiting += 1;
    }

    /// The next job to run, of whoever's turn it is and does not already occupy all threads but one.
    fn next(&mut self, threads: usize) -> Option<(Requester, Job)> {
        if self.running >= threads {
            return None;
        }
        let may =
            |by: &Requester| self.shares.get(by).is_some_and(|share| share.running + 1 < threads.max(2));
        let at = self.turns.iter().position(may)?;
        let by = self.turns.remove(at)?;
        let share = self.shares.get_mut(&by)?;
        let job = share.jobs.pop_front()?;
        share.running += 1;
        if !share.jobs.is_empty() {
            self.turns.push_back(by);
        }
        self.running += 1;
        self.waiting -= 1;
        Some((by, job))
    }

    fn done(&mut self, by: Requester) {
        self.running -= 1;
        if let Some(share) = self.shares.get_mut(&by) {
            share.running -= 1;
        }
        self.forget_if_idle(by);
    }

    fn forget_if_idle(&mut self, by: Requester) {
        if self.shares.get(&by).is_some_and(|share| share.running == 0 && share.jobs.is_empty()) {
            self.shares.remove(&by);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::limits::Rate;

    const LIMITS: fn() -> Limits = || Limits { work_waiting: 3, ..Limits::default() };

    fn of(n: u8) -> Requester {
        Requester::at([192, 0, 2, n].into())
    }

    /// Occupies a thread until the sender is dropped.
    fn occupy(pool: &WorkPool, by: Requester) -> mpsc::Sender<()> {
        let (hold, held) = mpsc::channel::<()>();
        let run = Box::new(move || {
            let _ = held.recv();
        });
        pool.submit(by, Job { since: Instant::now(), kind: "test", run }).expect("there is room");
        hold
    }

    #[tokio::test]
    async fn an_address_never_has_every_thread_and_may_not_queue_forever() {
        let pool = WorkPool::with_threads(2, &LIMITS());
        let holds: Vec<_> = (0..4).map(|_| occupy(&pool, of(1))).collect();
        assert_eq!(pool.0.queue().running, 1, "the second thread is left to others");
        let refused = pool.run(of(1), "test", || ()).await;
        assert!(matches!(refused, Err(WorkError::TooMuch(_))), "{refused:?}");
        assert_eq!(pool.run(of(2), "test", || 7).await, Ok(7));
        assert_eq!(pool.run(Requester::Server, "test", || 8).await, Ok(8));
        drop(holds);
        while !pool.0.queue().shares.is_empty() {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.run(of(1), "test", || 9).await, Ok(9));
    }

    #[tokio::test]
    async fn addresses_take_turns() {
        let pool = WorkPool::with_threads(2, &LIMITS());
        let (first, second) = (occupy(&pool, of(8)), occupy(&pool, of(9)));
        let order = Arc::new(Mutex::new(Vec::new()));
        let jobs = [1, 1, 1, 2, 2, 3].map(|n| {
            let (pool, order) = (pool.clone(), Arc::clone(&order));
            let work = move || order.lock().unwrap().push(n);
            (n, tokio::spawn(async move { pool.run(of(n), "test", work).await }))
        });
        while pool.0.queue().waiting < jobs.len() {
            tokio::task::yield_now().await;
        }
        // With one of the two threads the order is that of the queue.
        drop(first);
        for (_, job) in jobs {
            job.await.unwrap().unwrap();
        }
        drop(second);
        assert_eq!(*order.lock().unwrap(), [1, 2, 3, 1, 2, 1]);
    }

    #[tokio::test]
    async fn time_is_limited_and_failures_stay_contained() {
        let limits = Limits { work_seconds: Rate { burst: 0.01, per_s: 0.000_1 }, ..LIMITS() };
        let pool = WorkPool::with_threads(2, &limits);
        assert_eq!(pool.run(of(1), "test", || panic!("on purpose")).await, Err::<(), _>(WorkError::Failed));
        let burn = || {
            let began = ThreadTime::now();
            while began.elapsed() < Duration::from_millis(30) {}
        };
        assert_eq!(pool.run(of(1), "test", burn).await, Ok(()));
        let mut refused = pool.run(of(1), "test", || ()).await;
        // The time is charged just after the answer is out.
        while refused.is_ok() {
            refused = pool.run(of(1), "test", || ()).await;
        }
        assert!(
            matches!(refused, Err(WorkError::TooMuch(wait)) if wait > Duration::from_secs(60)),
            "{refused:?}"
        );
        assert_eq!(pool.run(of(2), "test", || 1).await, Ok(1));
    }
}
