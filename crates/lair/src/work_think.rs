//! A worker thinks for the bots and hints of servers: one question for each of its threads at a time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bots::Pace;
use bots::far::{FarError, QUEUE, Question, Reply, SUBJECT};
use bus::{Bus, Incoming, Line, Message};
use cards::tree::Set;
use cards::{CardDb, library};
use tokio::sync::{Semaphore, watch};

use crate::failure::Failure;

/// After this nobody waits for an answer any more.
const LONGEST: Duration = Duration::from_secs(12);
/// Decks that are kept compiled.
const DECKS: usize = 24;

/// Answers questions until it is ended.
pub struct Thinker {
    stop: watch::Sender<bool>,
    slots: Arc<Semaphore>,
    threads: u32,
}

struct Desk {
    bus: Bus,
    sets: Vec<Set>,
    decks: Mutex<HashMap<String, Arc<CardDb>>>,
    slots: Arc<Semaphore>,
}

/// Stops a thought that has taken too long.
struct Until(Instant);

impl Pace for Until {
    fn go_on(&self) -> bool {
        Instant::now() < self.0
    }
}

impl Thinker {
    pub fn start(line: &Line, sets: Vec<Set>, threads: usize) -> Result<Thinker, Failure> {
        let questions = line.wait(line.bus().share(SUBJECT, QUEUE));
        let questions = questions.ok_or_else(|| Failure::failed("NATS does not answer: try again"))?;
        let (slots, (stop, stopped)) = (Arc::new(Semaphore::new(threads)), watch::channel(false));
        let bus = line.bus().clone();
        let desk = Desk { bus, sets, decks: Mutex::default(), slots: Arc::clone(&slots) };
        line.spawn(answer(Arc::new(desk), questions, stopped));
        Ok(Thinker { stop, slots, threads: threads as u32 })
    }

    /// Takes no more questions, and waits for the last answers.
    pub fn end(self, line: &Line) {
        self.stop.send_replace(true);
        let last = async {
            let _ = tokio::time::timeout(LONGEST, self.slots.acquire_many(self.threads)).await;
            line.bus().flush(Duration::from_secs(1)).await;
        };
        line.wait(last);
    }
}

async fn answer(desk: Arc<Desk>, mut questions: Incoming, mut stopped: watch::Receiver<bool>) {
    while !*stopped.borrow() {
        let question = tokio::select! {
            question = questions.next() => question,
            _ = stopped.changed() => continue,
        };
        match question {
            Some(question) => desk.take(question).await,
            None => return,
        }
    }
}

impl Desk {
    async fn take(self: &Arc<Desk>, message: Message) {
        let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() else {
            self.bus.answer(&message, Reply::Busy.to_bytes().into()).await;
            return;
        };
        let desk = Arc::clone(self);
        tokio::spawn(async move {
            let thinking = Arc::clone(&desk);
            let asked = message.payload.clone();
            let reply = tokio::task::spawn_blocking(move || thinking.think(&asked)).await;
            let reply = match reply {
                Ok(Ok(reply)) => reply,
                Ok(Err(error)) => Reply::Unable(error.to_string()),
                Err(_) => Reply::Unable("it failed at this question".into()),
            };
            desk.bus.answer(&message, reply.to_bytes().into()).await;
            drop(slot);
        });
    }

    fn think(&self, asked: &[u8]) -> Result<Reply, FarError> {
        // The nonsense of a test.
        if cfg!(debug_assertions) && std::env::var("LAIR_TEST_WORKER").is_ok_and(|set| set == "nonsense") {
            return Ok(Reply::Answer(4_000));
        }
        let question = Question::from_bytes(asked)?;
        let db = self.deck(question.deck()).ok_or_else(|| FarError::OtherCards(question.deck().into()))?;
        question.answer(&db, Some(Arc::new(Until(Instant::now() + LONGEST))))
    }

    fn deck(&self, name: &str) -> Option<Arc<CardDb>> {
        let decks = || self.decks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(db) = decks().get(name) {
            return Some(Arc::clone(db));
        }
        let db = library::deck(name, &self.sets)?.compile(&self.sets).ok()?;
        let (db, mut decks) = (Arc::new(db), decks());
        if decks.len() >= DECKS {
            decks.clear();
        }
        decks.insert(name.into(), Arc::clone(&db));
        Some(db)
    }
}
