//! Bots and hints of one address never hold up the bots of another, and end when nobody waits for them.

mod test_server;

use std::time::Duration;

use serde_json::json;
use server::wire::*;
use server::{Config, Limits, Rate};
use test_server::{Browser, Socket, TestServer, config};

/// Behind a proxy, so that clients can come from any address.
async fn server(limits: Limits) -> TestServer {
    let metrics = Some(([127, 0, 0, 1], 0).into());
    TestServer::with(Config { limits, metrics, behind_proxy: true, ..config() }).await
}

async fn guest(server: &TestServer, name: &str, address: &str) -> Browser {
    let mut browser = server.browser().with("x-forwarded-for", address);
    browser.post("/api/guest", &json!({ "name": name })).await.ok();
    browser
}

/// A player at a table against bots, and the newest update.
struct Player {
    socket: Socket,
    last: Update,
    dice: u32,
}

impl Player {
    async fn begin(host: &mut Browser, bots: &[&str]) -> Player {
        let settings = json!({ "players": bots.len() + 1, "window_ms": 0, "variants": ["unlimited-lives"] });
        let new = json!({ "settings": settings, "bots": bots, "start": true });
        let NewTableReply { id, .. } = host.post("/api/tables", &new).await.ok().json();
        let mut socket = host.sit(&id).await;
        let last = update(&mut socket).await;
        Player { socket, last, dice: 7 }
    }

    /// Waits for the bots, until it is asked or the game is over.
    async fn until_asked(&mut self) {
        while self.last.ask.is_none() && self.last.over.is_none() {
            self.last = update(&mut self.socket).await;
        }
    }

    /// Answers with anything. `false` if the game is over.
    async fn answer(&mut self) -> bool {
        self.until_asked().await;
        let Some(ask) = &self.last.ask else { return false };
        self.dice = self.dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let index = (self.dice >> 16) % ask.legal.len() as u32;
        let seq = self.last.seq;
        self.socket.send(&ClientMsg::Act { seq, index }).await;
        while self.last.seq <= seq {
            self.last = update(&mut self.socket).await;
        }
        true
    }

    /// Asks for a hint; the answer to it, or why there is none.
    async fn hint(&mut self) -> Result<Vec<HintMove>, (Refusal, String)> {
        self.socket.send(&ClientMsg::Hint { seq: self.last.seq }).await;
        self.hint_or_refusal().await
    }

    async fn hint_or_refusal(&mut self) -> Result<Vec<HintMove>, (Refusal, String)> {
        let answered = |message| match message {
            ServerMsg::Hint { moves, .. } => Some(Ok(moves)),
            ServerMsg::Refused { code, words, .. } => Some(Err((code, words))),
            _ => None,
        };
        self.socket.until(answered).await
    }
}

async fn update(socket: &mut Socket) -> Update {
    let update = |message| match message {
        ServerMsg::Update(update) => Some(*update),
        _ => None,
    };
    socket.until(update).await
}

/// A number from the server's metrics. They are one for all servers of this process.
async fn metric(server: &TestServer, name: &str) -> f64 {
    let text = Browser::at(server.metrics.unwrap()).get("/metrics").await.ok().text();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    line.unwrap_or(0.0)
}

/// While many tables of Grand Bosses think for one address, a Minion of another address is not held up: it plays on
/// while each Grand Boss has hardly moved.
#[tokio::test(flavor = "multi_thread")]
async fn many_grand_bosses_of_one_address_do_not_hold_up_a_minion_of_another() {
    const TABLES: usize = 54;
    let server = server(Limits::none()).await;
    let mut ann = guest(&server, "Ann", "192.0.2.1").await;
    let mut minion = Player::begin(&mut ann, &["minion"]).await;
    minion.until_asked().await;
    let mut bob = guest(&server, "Bob", "192.0.2.2").await;
    let mut bosses = Vec::new();
    for _ in 0..TABLES {
        bosses.push(Player::begin(&mut bob, &["grand-boss", "grand-boss", "grand-boss"]).await);
    }
    let (stop, stopped) = tokio::sync::watch::channel(0);
    let mut tasks = Vec::new();
    for mut boss in bosses {
        let mut stopped = stopped.clone();
        tasks.push(tokio::spawn(async move {
            let mut answers = 0;
            loop {
                tokio::select! {
                    more = boss.answer() => match more {
                        true => answers += 1,
                        false => return answers,
                    },
                    _ = stopped.changed() => return answers,
                }
            }
        }));
    }
    let mut answers = 0;
    while answers < 40 && minion.answer().await {
        answers += 1;
    }
    stop.send_replace(1);
    let mut most = 0;
    for task in tasks {
        most = most.max(task.await.unwrap());
    }
    assert!(answers > most, "{answers} answers against a Minion, up to {most} against Grand Bosses");
    server.close().await;
}

/// As many hints as a socket can ask for cost one thought for each question.
#[tokio::test(flavor = "multi_thread")]
async fn there_is_one_hint_for_a_question_at_a_time() {
    let server = server(Limits::none()).await;
    let mut ann = guest(&server, "Ann", "192.0.2.3").await;
    let mut player = Player::begin(&mut ann, &["minion"]).await;
    player.until_asked().await;
    // Some questions are answered faster than one can ask again: go on until one takes a while.
    let (mut hints, mut refused) = (Vec::new(), 0);
    for _ in 0..30 {
        while player.last.ask.as_ref().is_some_and(|ask| ask.legal.len() < 2) {
            player.answer().await;
            player.until_asked().await;
        }
        let seq = player.last.seq;
        for _ in 0..20 {
            player.socket.send(&ClientMsg::Hint { seq }).await;
        }
        hints.clear();
        for _ in 0..20 {
            match player.hint_or_refusal().await {
                Ok(moves) => hints.push(moves),
                Err((code, words)) => {
                    assert_eq!(code, Refusal::TooFast, "{words}");
                    refused += 1;
                }
            }
        }
        if refused > 0 {
            break;
        }
        player.answer().await;
        player.until_asked().await;
    }
    assert!(refused > 0, "asked again while it was on its way: {} hints", hints.len());
    assert!(!hints[0].is_empty() && hints.iter().all(|moves| *moves == hints[0]));
    // What was found is kept: asking again costs nothing.
    assert_eq!(player.hint().await.as_ref(), Ok(&hints[0]));
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_are_limited_by_person_and_by_address() {
    let few = Rate::new(3, 0.001);
    let limits = Limits { hints: few, hints_per_address: Rate::new(5, 0.001), ..Limits::none() };
    let server = server(limits).await;
    let mut answered = Vec::new();
    for (name, address) in [("Ann", "192.0.2.4"), ("Ben", "192.0.2.4"), ("Cleo", "192.0.2.5")] {
        let mut browser = guest(&server, name, address).await;
        let mut player = Player::begin(&mut browser, &["kobold"]).await;
        player.until_asked().await;
        let mut hints = 0;
        let (code, words) = loop {
            match player.hint().await {
                Ok(_) => hints += 1,
                Err(refusal) => break refusal,
            }
        };
        assert_eq!(code, Refusal::TooFast);
        assert!(words.contains("too many hints"), "{words}");
        answered.push(hints);
    }
    assert_eq!(answered, [3, 2, 3]);
    server.close().await;
}

/// Eight sockets ask for hints as fast as they may, and leave. Bots play on meanwhile, and soon after, nothing is
/// left of the hints.
#[tokio::test(flavor = "multi_thread")]
async fn floods_of_hints_hold_up_no_bots_and_end_with_their_sockets() {
    let server = server(Limits::none()).await;
    let mut ann = guest(&server, "Ann", "192.0.2.6").await;
    let mut quiet = Player::begin(&mut ann, &["minion"]).await;
    quiet.until_asked().await;
    let (stop, stopped) = tokio::sync::watch::channel(0);
    let mut floods = Vec::new();
    for n in 0..8 {
        let mut bob = guest(&server, "Bob", &format!("192.0.2.{}", 10 + n)).await;
        let mut player = Player::begin(&mut bob, &["kobold"]).await;
        player.until_asked().await;
        let mut stopped = stopped.clone();
        floods.push(tokio::spawn(async move {
            let (mut sent, seq) = (0, player.last.seq);
            let mut every = tokio::time::interval(Duration::from_millis(50));
            loop {
                tokio::select! {
                    _ = every.tick() => player.socket.send(&ClientMsg::Hint { seq }).await,
                    _ = player.socket.next() => continue,
                    _ = stopped.changed() => return sent,
                }
                sent += 1;
            }
        }));
    }
    let mut answers = 0;
    while answers < 40 && quiet.answer().await {
        answers += 1;
    }
    stop.send_replace(1);
    for flood in floods {
        assert!(flood.await.unwrap() > 0);
    }
    assert!(answers >= 10, "{answers} answers");
    // The sockets are closed. Without hints to work out, nothing waits.
    let idle = async {
        while metric(&server, "lair_thinking_waiting").await > 0.0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), idle).await.expect("the hints end");
    server.close().await;
}

/// A hint for a question that has been answered is not worked out to its end, nor told.
#[tokio::test(flavor = "multi_thread")]
async fn a_hint_ends_with_its_question() {
    let server = server(Limits::none()).await;
    let mut ann = guest(&server, "Ann", "192.0.2.7").await;
    let mut player = Player::begin(&mut ann, &["kobold"]).await;
    for _ in 0..10 {
        player.until_asked().await;
        let Update { seq, ask: Some(ask), .. } = &player.last else { break };
        let (seq, index) = (*seq, ask.legal.len() as u32 - 1);
        player.socket.send(&ClientMsg::Hint { seq }).await;
        player.socket.send(&ClientMsg::Act { seq, index }).await;
        // An early hint may have been found before the answer; once the game has gone on, none comes.
        while player.last.seq <= seq {
            player.last = update(&mut player.socket).await;
        }
        player.socket.send(&ClientMsg::Hello { protocol: PROTOCOL, commitment: None }).await;
        loop {
            match player.socket.next().await.expect("the connection is open") {
                ServerMsg::Hint { seq: late, .. } => panic!("a hint for {late} although {seq} was answered"),
                ServerMsg::Update(update) => player.last = *update,
                ServerMsg::Refused { code: Refusal::HelloFirst, .. } => break,
                _ => {}
            }
        }
    }
    server.close().await;
}
