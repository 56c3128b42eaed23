//! Thinking: bots' moves and hints, worked out on as many threads as there are cores, in the order of `queue`.
//!
//! Invariants: no address can keep others waiting for longer than a slice, however much it asks for; a thought that
//! nobody waits for any more is dropped or stopped; a thought never takes a worker of the async runtime. Pauses do not
//! change what is found: bots count simulations, not time.

pub mod far;
mod queue;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bots::Pace;
use tokio::task::AbortHandle;

use queue::Queue;
pub use queue::{Account, Full, Kind};

/// How long one may think while others wait.
const SLICE: Duration = Duration::from_millis(5);
/// How many thoughts may be paused, each with its thread. Beyond, new ones wait until one of these ends.
const PAUSED: usize = 96;

/// The order of all thinking. Clones share it.
#[derive(Clone)]
pub struct Thinking(Arc<Shared>);

struct Shared {
    threads: usize,
    state: Mutex<State>,
    /// How many wait, for a quick look without the lock.
    waiting: AtomicUsize,
    next: AtomicU64,
}

#[derive(Default)]
struct State {
    queue: Queue<Arc<Job>>,
    running: usize,
    /// Running or paused: each has a thread.
    begun: usize,
}

struct Job {
    number: u64,
    kind: Kind,
    whose: Account,
    asked: Instant,
    /// Its result is no longer wanted.
    stopped: AtomicBool,
    /// Has a turn; changes only under the lock of the state.
    running: AtomicBool,
    turn: Condvar,
    work: Mutex<Option<Work>>,
}

type Work = Box<dyn FnOnce(Arc<dyn Pace>) + Send>;

/// A thought that is wanted: dropping it withdraws it.
pub struct Thought(Wanted);

enum Wanted {
    Here {
        job: Arc<Job>,
        thinking: Thinking,
    },
    /// Another machine was asked by this task.
    There(AbortHandle),
}

impl Thinking {
    pub fn new(threads: usize) -> Thinking {
        let (state, waiting, next) = (Mutex::default(), AtomicUsize::new(0), AtomicU64::new(0));
        Thinking(Arc::new(Shared { threads: threads.max(1), state, waiting, next }))
    }

    /// Nobody would have to wait.
    pub fn is_idle(&self) -> bool {
        self.lock().running < self.0.threads
    }

    /// Runs `work` when its turn comes, unless the thought is dropped before. Only hints can be refused.
    pub fn think(
        &self,
        kind: Kind,
        whose: Account,
        work: impl FnOnce(Arc<dyn Pace>) + Send + 'static,
    ) -> Result<Thought, Full> {
        let job = Arc::new(Job {
            number: self.0.next.fetch_add(1, Ordering::Relaxed),
            kind,
            whose,
            asked: Instant::now(),
            stopped: AtomicBool::new(false),
            running: AtomicBool::new(false),
            turn: Condvar::new(),
            work: Mutex::new(Some(Box::new(work))),
        });
        let mut state = self.lock();
        state.queue.push(job.number, kind, whose, job.clone())?;
        self.serve(state);
        Ok(Thought(Wanted::Here { job, thinking: self.clone() }))
    }

    /// Gives turns while there are any; those that have not begun are started once the lock is released.
    fn serve(&self, mut state: MutexGuard<State>) {
        let mut new = Vec::new();
        while state.running < self.0.threads {
            let may_begin = state.begun < self.0.threads + PAUSED;
            let Some(job) = state.queue.pop(may_begin) else { break };
            state.running += 1;
            let work = locked(&job.work).take();
            match work {
                Some(work) => {
                    state.begun += 1;
                    new.push((job, work));
                }
                None => job.resume(),
            }
        }
        self.count(&state);
        drop(state);
        for (job, work) in new {
            let thinking = self.clone();
            tokio::task::spawn_blocking(move || thinking.run(job, work));
        }
    }

    fn run(self, job: Arc<Job>, work: Work) {
        let labels = [("kind", job.kind.name())];
        metrics::histogram!("lair_thinking_wait_seconds", &labels).record(job.asked.elapsed().as_secs_f64());
        let turn = Arc::new(Turn { job, thinking: self, slice: Mutex::new(Slice::new()) });
        // Also if the bot panics.
        let _end = End(turn.clone());
        if !turn.job.is_stopped() {
            work(turn);
        }
    }

    fn count(&self, state: &State) {
        let waiting = state.queue.len();
        if self.0.waiting.swap(waiting, Ordering::Relaxed) != waiting {
            metrics::gauge!("lair_thinking_waiting").set(waiting as f64);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        locked(&self.0.state)
    }
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Move => "move",
            Kind::Hint => "hint",
        }
    }
}

impl Job {
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn resume(&self) {
        self.running.store(true, Ordering::Relaxed);
        self.turn.notify_one();
    }
}

impl Drop for Thought {
    fn drop(&mut self) {
        let (job, thinking) = match &self.0 {
            Wanted::Here { job, thinking } => (job, thinking),
            Wanted::There(task) => return task.abort(),
        };
        job.stopped.store(true, Ordering::Relaxed);
        let mut state = thinking.lock();
        let has_begun = locked(&job.work).is_none();
        if !has_begun {
            state.queue.remove(job.number);
        } else if state.queue.take(job.number).is_some() {
            // It only has to find its way out, which needs no turn.
            state.running += 1;
            job.resume();
        }
        thinking.count(&state);
        drop(state);
        // The game and the bot in it are not needed either.
        let work = locked(&job.work).take();
        drop(work);
    }
}

/// What a bot asks whether to go on.
struct Turn {
    job: Arc<Job>,
    thinking: Thinking,
    slice: Mutex<Slice>,
}

struct Slice {
    began: Instant,
    /// Time used in the slices before.
    before: Duration,
}

impl Slice {
    fn new() -> Slice {
        Slice { began: Instant::now(), before: Duration::ZERO }
    }
}

impl Pace for Turn {
    fn go_on(&self) -> bool {
        let mut slice = locked(&self.slice);
        if self.thinking.0.waiting.load(Ordering::Relaxed) > 0 && !self.job.is_stopped() {
            let used = slice.began.elapsed();
            if used >= SLICE {
                self.give_way(used);
                *slice = Slice { began: Instant::now(), before: slice.before + used };
            }
        }
        !self.job.is_stopped()
    }
}

impl Turn {
    /// Goes back to the queue, and waits for the next turn.
    fn give_way(&self, used: Duration) {
        let Turn { job, thinking, .. } = self;
        let mut state = thinking.lock();
        // Withdrawn at this very moment: nobody would take it out of the queue.
        if job.is_stopped() {
            return;
        }
        job.running.store(false, Ordering::Relaxed);
        state.running -= 1;
        state.queue.charge(job.whose, used);
        state.queue.put_back(job.number, job.kind, job.whose, job.clone());
        thinking.serve(state);
        let mut state = thinking.lock();
        while !job.running.load(Ordering::Relaxed) {
            state = job.turn.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends a turn.
struct End(Arc<Turn>);

impl Drop for End {
    fn drop(&mut self) {
        let Turn { job, thinking, slice } = &*self.0;
        let slice = locked(slice);
        let used = slice.began.elapsed();
        let labels = [("kind", job.kind.name())];
        let total = (slice.before + used).as_secs_f64();
        metrics::histogram!("lair_thinking_run_seconds", &labels).record(total);
        let mut state = thinking.lock();
        state.running -= 1;
        state.begun -= 1;
        state.queue.charge(job.whose, used);
        state.queue.release(job.whose);
        thinking.serve(state);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver, Sender};

    use super::*;
    use crate::store::TableNumber;
    use crate::work::Requester;

    /// Nothing here takes this long unless something hangs.
    const LONG: Duration = Duration::from_secs(60);

    fn account(address: u8, table: i64) -> Account {
        Account { by: Requester::Network([192, 0, 2, address].into()), table: TableNumber(table) }
    }

    /// Thoughts that tell when they end.
    struct Ends<T>(Sender<T>, Receiver<T>);

    impl<T: Send + 'static> Ends<T> {
        fn new() -> Ends<T> {
            let (tell, ends) = mpsc::channel();
            Ends(tell, ends)
        }

        fn next(&self) -> T {
            self.1.recv_timeout(LONG).expect("a thought ends")
        }

        fn is_empty(&self) -> bool {
            self.1.try_recv().is_err()
        }
    }

    /// A thought that goes on until it is stopped.
    fn endless(thinking: &Thinking, whose: Account, began: &Ends<Account>, ended: &Ends<Account>) -> Thought {
        let (began, ended) = (began.0.clone(), ended.0.clone());
        let work = move |pace: Arc<dyn Pace>| {
            began.send(whose).unwrap();
            while pace.go_on() {
                std::hint::spin_loop();
            }
            ended.send(whose).unwrap();
        };
        thinking.think(Kind::Move, whose, work).expect("moves are never refused")
    }

    fn until(what: &str, so: impl Fn() -> bool) {
        let start = Instant::now();
        while !so() {
            assert!(start.elapsed() < LONG, "waited in vain for: {what}");
            std::thread::yield_now();
        }
    }

    #[tokio::test]
    async fn a_short_thought_of_another_address_interrupts_long_ones() {
        let thinking = Thinking::new(2);
        let (began, ended, short) = (Ends::new(), Ends::new(), Ends::new());
        let many: Vec<Thought> =
            (0..54).map(|table| endless(&thinking, account(1, table), &began, &ended)).collect();
        began.next();
        began.next();
        for n in 0..5 {
            let tell = short.0.clone();
            let work = move |_: Arc<dyn Pace>| tell.send(n).unwrap();
            let _thought = thinking.think(Kind::Move, account(2, 99), work).unwrap();
            assert_eq!(short.next(), n, "although the others never end");
        }
        assert!(ended.is_empty());
        until("the two long ones alone", || thinking.lock().begun == 2);
        assert!(began.is_empty(), "an address does not begin more than there are threads");
        drop(many);
        until("everything to stop", || thinking.lock().begun == 0);
        let state = thinking.lock();
        assert_eq!((state.running, state.queue.len()), (0, 0));
    }

    #[tokio::test]
    async fn addresses_share_the_threads() {
        let thinking = Thinking::new(1);
        let (began, ended) = (Ends::new(), Ends::new());
        let thoughts: Vec<Thought> =
            (1..=5).map(|address| endless(&thinking, account(address, 0), &began, &ended)).collect();
        let mut seen: Vec<Account> = (0..5).map(|_| began.next()).collect();
        seen.sort_by_key(|whose| whose.by);
        assert_eq!(seen, (1..=5).map(|address| account(address, 0)).collect::<Vec<_>>());
        assert!(ended.is_empty());
        drop(thoughts);
        for _ in 0..5 {
            ended.next();
        }
    }

    #[tokio::test]
    async fn what_is_not_wanted_any_more_is_dropped_or_stopped() {
        let thinking = Thinking::new(1);
        let (began, ended) = (Ends::new(), Ends::new());
        let running = endless(&thinking, account(1, 0), &began, &ended);
        assert_eq!(began.next(), account(1, 0));
        let waiting = endless(&thinking, account(1, 1), &began, &ended);
        drop(waiting);
        assert_eq!(thinking.lock().queue.len(), 0);
        // This one interrupts the first, which is paused when it is withdrawn.
        let other = endless(&thinking, account(2, 2), &began, &ended);
        assert_eq!(began.next(), account(2, 2));
        drop(running);
        assert_eq!(ended.next(), account(1, 0));
        drop(other);
        assert_eq!(ended.next(), account(2, 2));
        until("the end", || thinking.is_idle() && thinking.lock().begun == 0);
        assert!(began.is_empty(), "what was withdrawn before its turn never began");
    }

    #[tokio::test]
    async fn a_panic_gives_the_turn_back() {
        let thinking = Thinking::new(1);
        let done = Ends::new();
        let panics = thinking.think(Kind::Move, account(1, 0), |_| panic!("a fault in a bot")).unwrap();
        let tell = done.0.clone();
        let next = thinking.think(Kind::Move, account(1, 0), move |_| tell.send(()).unwrap()).unwrap();
        done.next();
        drop((panics, next));
    }
}
