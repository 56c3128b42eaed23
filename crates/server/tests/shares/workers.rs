//! How long the threads that serve everyone are held. The server has one such thread here, and a task that is always
//! ready measures the processor time that passes between two of its turns: that bounds what any other task took at
//! once, however busy the machine is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cpu_time::ThreadTime;
use server::store::LogEntry;
use tokio::runtime::{Builder, Runtime};

use super::logs::{add_to_log, make_old, moved, started, undone};
use super::*;

/// The most processor time that may pass, in microseconds.
const MOST: u64 = 5_000;
/// The best of so many tries counts: what happens only once, such as filling a cache, is not what an attack can repeat.
const TRIES: usize = 3;

struct OneWorker {
    runtime: Option<Runtime>,
    longest: Arc<AtomicU64>,
    /// Turns of the task that measures.
    turns: Arc<AtomicU64>,
}

impl OneWorker {
    fn new() -> OneWorker {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (longest, turns) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let (seen, turn) = (Arc::clone(&longest), Arc::clone(&turns));
        runtime.spawn(async move {
            let mut last = ThreadTime::now().as_duration();
            loop {
                tokio::task::yield_now().await;
                let now = ThreadTime::now().as_duration();
                seen.fetch_max((now - last).as_micros() as u64, Ordering::Relaxed);
                turn.fetch_add(1, Ordering::Relaxed);
                last = now;
            }
        });
        OneWorker { runtime: Some(runtime), longest, turns }
    }

    async fn server(&self, config: Config) -> TestServer {
        self.runtime.as_ref().unwrap().spawn(TestServer::with(config)).await.unwrap()
    }

    /// The longest that the thread was held during the attack.
    async fn held(&self, attack: impl Future<Output = ()>) -> u64 {
        self.all_measured().await;
        self.longest.store(0, Ordering::Relaxed);
        attack.await;
        self.all_measured().await;
        self.longest.load(Ordering::Relaxed)
    }

    /// What has happened so far no longer counts for the next turn.
    async fn all_measured(&self) {
        let turns = self.turns.load(Ordering::Relaxed);
        while self.turns.load(Ordering::Relaxed) < turns + 2 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    async fn measure(&self, what: &str, mut attack: impl AsyncFnMut()) {
        let mut tries = [0; TRIES];
        for held in &mut tries {
            *held = self.held(attack()).await;
        }
        check(what, tries);
    }
}

fn check(what: &str, tries: [u64; TRIES]) {
    eprintln!("{what}: {tries:?} µs");
    assert!(tries.iter().any(|held| *held < MOST), "{what} held a worker for {tries:?} µs");
}

impl Drop for OneWorker {
    fn drop(&mut self) {
        self.runtime.take().unwrap().shutdown_background();
    }
}

#[tokio::test]
async fn no_request_holds_a_worker() {
    let worker = OneWorker::new();
    let metrics = Some(([127, 0, 0, 1], 0).into());
    let server = worker.server(Config { limits: Limits::none(), metrics, ..config() }).await;
    let mut ann = server.guest("Ann").await;
    let bad = "q\n".repeat(15_000);
    worker
        .measure("a new table with a bad deck", async || {
            let new = json!({ "settings": { "deck": "own", "deck_text": bad } });
            ann.post("/api/tables", &new).await.refused(422, "bad_deck");
        })
        .await;
    worker
        .measure("a body as long as possible", async || {
            let new = json!({ "settings": { "deck": "own", "deck_text": "q\n".repeat(43_000) } });
            ann.post("/api/tables", &new).await.refused(422, "bad_deck");
        })
        .await;
    worker
        .measure("a bad deck that is checked", async || {
            let wanted = json!({ "name": "own", "text": bad });
            server.browser().post("/api/decks/check", &wanted).await.ok();
        })
        .await;
    let mut bytes = 20_000;
    worker
        .measure("a new table with a deck nobody has seen", async || {
            bytes += 1;
            let settings = json!({ "deck": "own", "deck_text": long_deck(bytes), "listed": true });
            make(&mut ann, &json!({ "settings": settings })).await;
        })
        .await;
    for path in ["/api/cards", "/api/decks", "/api/rules", "/api/openapi.json", "/"] {
        worker
            .measure(path, async || {
                server.browser().with("accept-encoding", "gzip").get(path).await.ok();
            })
            .await;
    }
    worker
        .measure("metrics", async || {
            Browser::at(server.metrics.unwrap()).get("/metrics").await.ok();
        })
        .await;
    for _ in 0..60 {
        make(&mut ann, &json!({ "settings": { "listed": true } })).await;
    }
    worker
        .measure("the lobby", async || {
            server.browser().with("accept-encoding", "gzip").get("/api/tables").await.ok();
            ann.get("/api/tables").await.ok();
        })
        .await;
    worker
        .measure("a game with previews, stops, undo and everything again", async || {
            let id = make(&mut ann, &with_bot()).await;
            let mut socket = ann.sit(&id).await;
            let mut last = question(&mut socket).await;
            for _ in 0..3 {
                let choices = last.ask.as_ref().map_or(0, |ask| ask.legal.len() as u32);
                for index in 0..choices {
                    socket.send(&ClientMsg::Preview { seq: last.seq, index }).await;
                    socket.until(|message| matches!(message, ServerMsg::Preview(_)).then_some(())).await;
                }
                socket.send(&ClientMsg::Stops { stops: Stops::default() }).await;
                socket.send(&ClientMsg::Refresh).await;
                question(&mut socket).await;
                last = answer(&mut socket, last, 1).await;
            }
            socket.send(&ClientMsg::Undo).await;
            socket.send(&ClientMsg::Resign).await;
            while !matches!(socket.next().await, Some(ServerMsg::Update(update)) if update.over.is_some()) {}
        })
        .await;
    server.close().await;
}

#[tokio::test]
async fn no_long_log_holds_a_worker() {
    let (id, ann, data) = started(3).await;
    add_to_log(&data, &id, |log| undone(log, 2_900)).await;
    make_old(&data).await;
    let worker = OneWorker::new();
    let config = || Config { data: data.clone(), limits: Limits::none(), ..config() };
    let (record, replay) = (format!("/record/{id}"), format!("/api/replay/{id}"));
    let mut tries = [0; TRIES];
    for held in &mut tries {
        let server = worker.server(config()).await;
        let attack = async {
            server.browser().get(&record).await.refused(409, "not_over");
            server.browser().get(&replay).await.refused(409, "not_over");
            server.browser().get(&format!("/api/tables/{id}")).await.ok();
        };
        *held = worker.held(attack).await;
        server.close().await;
    }
    check("a table that is restored, and records that are refused", tries);
    add_to_log(&data, &id, |_| vec![LogEntry::Resigns(0)]).await;
    let server = worker.server(config()).await;
    let mut socket = moved(&ann, &server).sit(&id).await;
    while update(&mut socket).await.over.is_none() {}
    worker
        .measure("the record and the replay of a finished game", async || {
            for path in [&record, &replay, &format!("{replay}/5"), &format!("{replay}?seat=1")] {
                server.browser().with("accept-encoding", "gzip").get(path).await.ok();
            }
        })
        .await;
    server.close().await;
}
