//! Thinking on other machines: workers (`lair work`) answer what finds no free core here.
//!
//! Invariants: only the view of the seat that is asked leaves this machine; whoever is there or not, every question is
//! answered, at the latest here; what comes back is one of the legal answers or is thrown away; where a question goes
//! does not depend on how many answers it has.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bots::far::{Question, Reply, SUBJECT};
use bots::{BotLevel, Pace};
use bus::{Bus, BusError, Bytes, Unanswered};
use tokio::sync::{Semaphore, oneshot};

use super::{Account, Kind, Thinking, Thought, Wanted, locked};

/// Questions on their way at once; the others are thought about here.
const MOST: usize = 256;
/// After a worker was busy, another one is asked.
const TRIES: usize = 2;
/// So long nobody is asked after nobody listened,
const NOBODY: Duration = Duration::from_secs(2);
/// or after somebody took a question and did not answer.
const SILENT: Duration = Duration::from_secs(10);
/// A hint that finds no room is tried again.
const AGAIN: Duration = Duration::from_millis(250);

/// The workers. Clones share what is known of them.
#[derive(Clone)]
pub struct Far(Arc<Shared>);

struct Shared {
    bus: Bus,
    room: Arc<Semaphore>,
    /// Until then nobody is asked.
    quiet: Mutex<Option<Instant>>,
    warned: AtomicBool,
    /// In a test: also if a core is free here.
    always: bool,
}

/// A question that another machine may answer.
pub struct Outgoing {
    pub question: Question,
    pub level: BotLevel,
    pub kind: Kind,
    pub whose: Account,
}

impl Far {
    pub async fn open(bus: Bus) -> Result<Far, BusError> {
        bus.check_rights(&[], &[SUBJECT]).await?;
        tracing::info!(at = bus.at(), "workers may help to think");
        Ok(Far::new(bus))
    }

    pub fn new(bus: Bus) -> Far {
        let always = cfg!(debug_assertions) && std::env::var_os("LAIR_TEST_FAR").is_some();
        let (room, quiet, warned) =
            (Arc::new(Semaphore::new(MOST)), Mutex::default(), AtomicBool::new(false));
        Far(Arc::new(Shared { bus, room, quiet, warned, always }))
    }

    /// Whether a question should go out now.
    pub fn is_wanted(&self, thinking: &Thinking) -> bool {
        let shared = &self.0;
        (shared.always || !thinking.is_idle())
            && shared.bus.is_connected()
            && locked(&shared.quiet).is_none_or(|until| until <= Instant::now())
    }

    /// Has it answered there, or here. `read` refuses what makes no sense.
    pub fn think<T: Send + 'static>(
        &self,
        thinking: &Thinking,
        outgoing: Outgoing,
        read: impl Fn(&Reply) -> Option<T> + Send + 'static,
        there: impl FnOnce(T) + Send + 'static,
        here: impl FnOnce(Arc<dyn Pace>) + Send + 'static,
    ) -> Thought {
        let (far, thinking) = (self.clone(), thinking.clone());
        let task = tokio::spawn(async move {
            let Outgoing { question, level, kind, whose } = outgoing;
            if let Some(found) = far.ask(question.to_bytes().into(), patience(level), read).await {
                return there(found);
            }
            let here = Arc::new(Mutex::new(Some(here)));
            loop {
                let (done, ended) = oneshot::channel::<()>();
                let work = Arc::clone(&here);
                let thought = thinking.think(kind, whose, move |pace| {
                    let work = locked(&work).take();
                    if let Some(work) = work {
                        work(pace);
                    }
                    drop(done);
                });
                match thought {
                    // Held until it has ended; dropped with this task otherwise.
                    Ok(_thought) => break drop(ended.await),
                    Err(_) => tokio::time::sleep(AGAIN).await,
                }
            }
        });
        Thought(Wanted::There(task.abort_handle()))
    }

    /// `None` if it must be thought about here.
    async fn ask<T>(
        &self,
        question: Bytes,
        limit: Duration,
        read: impl Fn(&Reply) -> Option<T>,
    ) -> Option<T> {
        let shared = &self.0;
        let _room = shared.room.try_acquire().ok()?;
        for _ in 0..TRIES {
            let outcome = match shared.bus.request(SUBJECT, question.clone(), limit).await {
                Ok(reply) => match Reply::from_bytes(&reply) {
                    Some(Reply::Busy) => {
                        count("busy");
                        continue;
                    }
                    Some(Reply::Unable(why)) => {
                        self.warn(&why);
                        "unable"
                    }
                    reply => match reply.as_ref().and_then(&read) {
                        Some(found) => {
                            count("answered");
                            return Some(found);
                        }
                        None => "nonsense",
                    },
                },
                Err(Unanswered::NobodyListens) => {
                    self.be_quiet(NOBODY);
                    "nobody"
                }
                Err(Unanswered::Silence) => {
                    self.be_quiet(SILENT);
                    "silence"
                }
                Err(Unanswered::TooLarge) => "unable",
            };
            count(outcome);
            return None;
        }
        None
    }

    fn be_quiet(&self, long: Duration) {
        *locked(&self.0.quiet) = Some(Instant::now() + long);
    }

    /// Once, since it would be the same every time.
    fn warn(&self, why: &str) {
        if !self.0.warned.swap(true, Ordering::Relaxed) {
            let why: String = why.chars().filter(|c| !c.is_control()).take(300).collect();
            tracing::warn!("a worker cannot help to think: {why}");
        }
    }
}

/// How long a worker may take.
fn patience(level: BotLevel) -> Duration {
    Duration::from_secs(match level {
        BotLevel::Kobold | BotLevel::Minion | BotLevel::MiniBoss => 2,
        BotLevel::Boss => 3,
        BotLevel::TotalBoss => 5,
        BotLevel::GrandBoss => 10,
    })
}

fn count(outcome: &'static str) {
    metrics::counter!("lair_thinking_far_total", "outcome" => outcome).increment(1);
}
