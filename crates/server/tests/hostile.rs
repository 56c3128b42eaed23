//! Hostile clients, while two people play at the same table or another: the game goes on, the server
//! survives, and its memory use stays small.

mod test_server;

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use server::wire::*;
use server::{Config, Limits};
use test_server::{Browser, Socket, TestServer, config};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;

/// Nothing here takes this long unless something hangs.
const LONG: Duration = Duration::from_secs(60);
/// The first byte of a text frame.
const TEXT: u8 = 0x81;
/// This many whole tables are more than a connection's buffers hold.
const REFRESHES: usize = 2_000;

/// A server without limits per address.
async fn server() -> TestServer {
    house_with(Limits::none()).await
}

async fn house_with(limits: Limits) -> TestServer {
    TestServer::with(Config { limits, ..config() }).await
}

/// A game of two people, in progress.
struct Game {
    id: String,
    ann: (Browser, Socket),
    ben: (Browser, Socket),
    /// The newest update of each.
    last: [Update; 2],
    dice: u32,
}

impl Game {
    async fn begin(server: &TestServer) -> Game {
        let (mut ann, ben) = (server.guest("Ann").await, server.guest("Ben").await);
        // Wounds eliminate nobody, so it lasts as long as there are heroes.
        let settings = json!({ "window_ms": 0, "variants": ["unlimited-lives"] });
        let new = json!({ "settings": settings, "start": true });
        let NewTableReply { id, .. } = ann.post("/api/tables", &new).await.ok().json();
        let mut first = ann.sit(&id).await;
        let mut second = ben.sit(&id).await;
        second.send(&ClientMsg::Sit { seat: None }).await;
        let last = [update(&mut first).await, update(&mut second).await];
        Game { id, ann: (ann, first), ben: (ben, second), last, dice: 7 }
    }

    /// Who is asked: 0 or 1.
    fn asked(&self) -> usize {
        usize::from(self.last[0].ask.is_none())
    }

    fn socket(&mut self, who: usize) -> &mut Socket {
        if who == 0 { &mut self.ann.1 } else { &mut self.ben.1 }
    }

    /// One answer, which both see.
    async fn step(&mut self) {
        let asked = self.asked();
        let Update { seq, ask, .. } = &self.last[asked];
        self.dice = self.dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let choices = ask.as_ref().expect("there is a question").legal.len() as u32;
        let act = ClientMsg::Act { seq: *seq, index: (self.dice >> 16) % choices };
        self.socket(asked).send(&act).await;
        for who in [0, 1] {
            let before = self.last[who].seq;
            while self.last[who].seq <= before {
                self.last[who] = update(self.socket(who)).await;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.last[0].over.is_some()
    }

    /// Plays on as if nothing had happened; the record agrees with every step.
    async fn play_to_the_end(mut self, server: &TestServer) {
        while !self.is_over() {
            self.step().await;
        }
        let over = self.last[0].over.as_ref().unwrap();
        let record: engine::record::Record = server.browser().get(&over.record).await.ok().json();
        let db = record.db(&cards::library::sets()).unwrap();
        record.verify(&db).unwrap();
        assert!(record.fairness.is_some());
    }
}

async fn update(socket: &mut Socket) -> Update {
    socket
        .until(|message| match message {
            ServerMsg::Update(update) => Some(*update),
            ServerMsg::Refused { words, .. } | ServerMsg::Bye { words, .. } => panic!("{words}"),
            _ => None,
        })
        .await
}

/// A hand-written WebSocket, for frames that no library would send. Its buffers are small, so that unread
/// messages soon back up on the server.
async fn raw_socket(server: &TestServer, browser: &Browser, id: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(server.address).await.unwrap();
    let head = format!(
        "GET /api/tables/{id}/ws HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\ncookie: {}\r\n\r\n",
        server.address,
        browser.cookie.as_ref().unwrap()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.unwrap());
    }
    assert!(answer.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&answer));
    stream
}

/// A client's frame, masked with zeros.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        n @ 0..=125 => bytes.push(0x80 | n as u8),
        n => {
            bytes.push(0x80 | 126);
            bytes.extend((n as u16).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

fn hello() -> Vec<u8> {
    frame(TEXT, json!({ "type": "hello", "protocol": PROTOCOL }).to_string().as_bytes())
}

/// Asks for everything again.
fn refresh() -> Vec<u8> {
    frame(TEXT, br#"{"type":"refresh"}"#)
}

/// Mallory, with a hand-written WebSocket, in the second seat of Ann's table.
async fn opposite(server: &TestServer, ann: &mut Socket, mallory: &Browser, id: &str) -> TcpStream {
    let mut stream = raw_socket(server, mallory, id).await;
    stream.write_all(&[hello(), frame(TEXT, br#"{"type":"sit"}"#)].concat()).await.unwrap();
    is_there(ann, true).await;
    stream
}

/// Waits until the person in the second seat is connected, or no longer is.
async fn is_there(socket: &mut Socket, there: bool) {
    let so = |message| match message {
        ServerMsg::Table { table, .. } => match &table.seats[1].who {
            Some(Occupant::Person { connected, .. }) => (*connected == there).then_some(()),
            _ => None,
        },
        _ => None,
    };
    socket.until(so).await
}

#[tokio::test]
async fn broken_frames_harm_nobody_else() {
    let server = server().await;
    let mut game = Game::begin(&server).await;
    let hello = hello();
    let mallory = server.guest("Mallory").await;
    let too_long = [&[TEXT, 0x80 | 127][..], &(1_u64 << 62).to_be_bytes(), &[0; 4]].concat();
    let noise: Vec<u8> = (0..5_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let broken: [&[u8]; 12] = [
        &frame(TEXT, b"\xff\xfe\xc0 not UTF-8"),
        &[TEXT, 5, b'h', b'e', b'l', b'l', b'o'],
        &frame(0x83, b"an opcode that is not"),
        &frame(0xc1, b"a bit that was not agreed on"),
        &frame(0x89, &[0; 126]),
        &frame(0x09, b"half a ping"),
        &frame(0x80, b"the end of nothing"),
        &[frame(0x01, b"a beginning"), frame(TEXT, b"and another")].concat(),
        &too_long,
        &[TEXT, 0x80 | 126],
        &hello[..9],
        &noise,
    ];
    for greeted in [false, true] {
        for bytes in broken {
            let mut stream = raw_socket(&server, &mallory, &game.id).await;
            if greeted {
                stream.write_all(&hello).await.unwrap();
            }
            // The server may have hung up on the first half.
            let _ = stream.write_all(bytes).await;
            let _ = stream.shutdown().await;
            let mut rest = Vec::new();
            let read = tokio::time::timeout(LONG, stream.read_to_end(&mut rest));
            let _ = read.await.expect("the server hangs up");
            if !game.is_over() {
                game.step().await;
            }
        }
    }
    game.play_to_the_end(&server).await;
    server.close().await;
}

#[tokio::test]
async fn ten_thousand_illegal_and_stale_answers_change_nothing() {
    const BATCH: u32 = 20;
    let server = server().await;
    let mut game = Game::begin(&server).await;
    for _ in 0..10 {
        game.step().await;
    }
    let mut watcher = server.guest("Mallory").await.sit(&game.id).await;
    update(&mut watcher).await;
    let (asked, seq) = (game.asked(), game.last[0].seq);
    let choices = game.last[asked].ask.as_ref().unwrap().legal.len() as u32;
    let (mut sent, mut counts) = (0, std::collections::BTreeMap::new());
    while sent < 10_000 {
        for who in 0..3 {
            let socket = match who {
                2 => &mut watcher,
                who => game.socket(who),
            };
            for n in sent..sent + BATCH {
                // Never a valid answer to the current question from the player who is asked.
                let (seq, index) = match n % 5 {
                    0 => (seq.wrapping_sub(1 + n % 7), 0),
                    1 => (seq + 1 + n, 0),
                    2 => (seq, choices + n),
                    3 => (seq, u32::MAX),
                    _ => (0, n),
                };
                socket.send(&ClientMsg::Act { seq, index }).await;
            }
            for _ in 0..BATCH {
                let code = socket.until(|message| match message {
                    ServerMsg::Refused { code, .. } => Some(code),
                    ServerMsg::Update(_) => panic!("something has changed"),
                    _ => None,
                });
                *counts.entry((who, format!("{:?}", code.await))).or_insert(0) += 1;
            }
            sent += BATCH;
        }
    }
    let count = |who: usize, code: Refusal| counts.get(&(who, format!("{code:?}"))).copied().unwrap_or(0);
    assert!(count(asked, Refusal::NotLegal) > 1_000 && count(asked, Refusal::Stale) > 1_000, "{counts:?}");
    assert!(count(1 - asked, Refusal::NotAsked) > 1_000, "{counts:?}");
    assert!(count(2, Refusal::NotSeated) > 3_000, "{counts:?}");
    assert_eq!(counts.values().sum::<i32>(), sent as i32);

    // Nobody else can answer the current question.
    let foreign = ClientMsg::Act { seq, index: 0 };
    game.socket(1 - asked).send(&foreign).await;
    watcher.send(&foreign).await;
    for socket in [game.socket(1 - asked), &mut watcher] {
        socket.until(|message| matches!(message, ServerMsg::Refused { .. }).then_some(())).await;
    }
    game.play_to_the_end(&server).await;
    server.close().await;
}

#[tokio::test]
async fn silent_clients_hold_nobody_up() {
    let server = server().await;
    let mut game = Game::begin(&server).await;
    let (hello, refresh) = (hello(), refresh());
    let before = memory_kib();
    let (mut silent, mut deaf) = (Vec::new(), Vec::new());
    for n in 0..60 {
        // Half a request; a WebSocket without `hello`; one that disappears without closing.
        let mut half = TcpStream::connect(server.address).await.unwrap();
        half.write_all(b"GET /api/tables HTTP/1.1\r\nhost:").await.unwrap();
        silent.push(half);
        silent.push(raw_socket(&server, &game.ben.0, &game.id).await);
        // A second tab that keeps asking for everything again and never reads.
        let mut stream = raw_socket(&server, &game.ben.0, &game.id).await;
        stream.write_all(&hello).await.unwrap();
        let flood = refresh.repeat(200);
        let _ = tokio::time::timeout(Duration::from_millis(20), stream.write_all(&flood)).await;
        deaf.push(stream);
        if n % 4 == 0 && !game.is_over() {
            game.step().await;
        }
    }
    let more = memory_kib().saturating_sub(before);
    assert!(more < 256 * 1024, "{more} KiB for {} connections", silent.len() + deaf.len());
    game.play_to_the_end(&server).await;
    drop((silent, deaf));
    server.close().await;
}

#[tokio::test]
async fn only_clients_that_answer_pings_stay() {
    let limits =
        Limits { ping_every: Duration::from_millis(100), silence: Duration::from_secs(2), ..Limits::none() };
    let server = house_with(limits).await;
    let (mut ann, mallory) = (server.guest("Ann").await, server.guest("Mallory").await);
    let NewTableReply { id, .. } = ann.post("/api/tables", &json!({})).await.ok().json();
    let mut host = ann.sit(&id).await;
    let mut half_open = opposite(&server, &mut host, &mallory, &id).await;
    let hung_up = tokio::spawn(async move {
        let mut told = Vec::new();
        let _ = half_open.read_to_end(&mut told).await;
        told
    });
    is_there(&mut host, false).await;
    // The host has not sent anything either, but answers pings.
    host.send(&ClientMsg::Chat { text: "still here".into() }).await;
    host.until(|message| matches!(message, ServerMsg::Chat { .. }).then_some(())).await;
    let told = tokio::time::timeout(LONG, hung_up).await.expect("the server hangs up").unwrap();
    let pings = told.windows(2).filter(|two| two == b"\x89\0").count();
    assert!(pings >= 2, "{pings} pings");
    server.close().await;
}

#[tokio::test]
async fn whoever_is_sent_nothing_else_is_sent_beats() {
    let limits = Limits { beat_every: Duration::from_millis(50), ..Limits::none() };
    let server = house_with(limits).await;
    let mut ann = server.guest("Ann").await;
    let NewTableReply { id, .. } = ann.post("/api/tables", &json!({})).await.ok().json();
    let mut host = ann.sit(&id).await;
    for _ in 0..3 {
        host.until(|message| matches!(message, ServerMsg::Beat).then_some(())).await;
    }
    server.close().await;
}

#[tokio::test]
async fn a_client_that_does_not_read_is_cut_off() {
    let server = house_with(Limits { slow: Duration::from_secs(1), ..Limits::none() }).await;
    let (mut ann, mallory) = (server.guest("Ann").await, server.guest("Mallory").await);
    let NewTableReply { id, .. } = ann.post("/api/tables", &json!({})).await.ok().json();
    let mut host = ann.sit(&id).await;
    let mut deaf = opposite(&server, &mut host, &mallory, &id).await;
    host.send(&ClientMsg::Start).await;
    update(&mut host).await;
    deaf.write_all(&refresh().repeat(REFRESHES)).await.unwrap();
    is_there(&mut host, false).await;
    update(&mut mallory.sit(&id).await).await;
    is_there(&mut host, true).await;
    server.close().await;
}

#[tokio::test]
async fn a_late_reader_is_sent_a_fresh_table_and_no_queue() {
    const STEPS: usize = 10;
    let server = house_with(Limits { slow: LONG, silence: LONG, ..Limits::none() }).await;
    let mut game = Game::begin(&server).await;
    let mut late = server.guest("Cleo").await.sit(&game.id).await;
    let before = update(&mut late).await.seq;
    for _ in 0..REFRESHES {
        late.send(&ClientMsg::Refresh).await;
    }
    for _ in 0..STEPS {
        // More than is kept for one client, once the kernel takes nothing more for Cleo. Only the server's
        // socket knows when that is, so there is no condition to wait for.
        tokio::time::sleep(Duration::from_millis(200)).await;
        for _ in 0..70 {
            game.ann.1.send(&ClientMsg::Chat { text: "hm".into() }).await;
            game.ann.1.until(|message| matches!(message, ServerMsg::Chat { .. }).then_some(())).await;
        }
        game.step().await;
    }
    let (mut queued, mut fresh) = (0, false);
    while !fresh {
        let update = update(&mut late).await;
        fresh = update.fresh && update.seq == game.last[0].seq;
        queued += usize::from(!update.fresh && update.seq > before);
    }
    assert!(queued < STEPS, "every step was kept for a client that does not read");
    server.close().await;
}

#[tokio::test]
async fn floods_of_every_kind_leave_the_others_alone() {
    let server = TestServer::open().await;
    let mut game = Game::begin(&server).await;
    let mallory = server.guest("Mallory").await;
    for message in [
        r#"{"type":"refresh"}"#.to_string(),
        json!({ "type": "chat", "text": "x".repeat(300) }).to_string(),
        json!({ "type": "hint", "seq": 1 }).to_string(),
        "{".repeat(4_000),
    ] {
        let (mut sender, mut receiver) = mallory.sit(&game.id).await.0.split();
        let flood =
            tokio::spawn(async move { while sender.send(Message::text(message.as_str())).await.is_ok() {} });
        let mut last = None;
        while let Some(Ok(message)) = receiver.next().await {
            if let Message::Text(text) = message {
                last = Some(serde_json::from_str::<ServerMsg>(&text).unwrap());
            }
        }
        // Whoever sends too many bytes may not live to hear the goodbye.
        let cut = |last: &ServerMsg| {
            matches!(
                last,
                ServerMsg::Bye { code: CloseReason::Misbehaved, .. }
                    | ServerMsg::Refused { code: Refusal::TooFast, .. }
            )
        };
        assert!(last.as_ref().is_none_or(cut), "{last:?}");
        flood.await.unwrap();
        for _ in 0..3 {
            game.step().await;
        }
    }
    // No faster than the rate limit allows.
    while !game.is_over() {
        tokio::time::sleep(Duration::from_millis(60)).await;
        game.step().await;
    }
    server.close().await;
}

#[tokio::test]
async fn paths_cannot_escape() {
    let server = server().await;
    let mut game = Game::begin(&server).await;
    assert!(server.data.join("lair.db").is_file());
    let id = game.id.clone();
    for path in [
        "/../lair.db".to_string(),
        "/..%2f..%2flair.db".into(),
        "/%2e%2e/%2e%2e/etc/passwd".into(),
        "/assets/../../lair.db".into(),
        "/assets/..%5c..%5clair.db".into(),
        "//etc/passwd".into(),
        "/record/../lair.db".into(),
        "/record/%00".into(),
        format!("/record/{id}%00"),
        format!("/record/{}", id.to_uppercase()),
        format!("/api/tables/{id}'%20OR%20'1'='1"),
        format!("/api/tables/{}", "a".repeat(9_000)),
        format!("/api/tables/{}%ff", &id[..23]),
    ] {
        let reply = server.browser().get(&path).await;
        // Paths of the client get the page; nothing else is served.
        let page = reply.status == 200 && reply.text().contains("<title>Lair</title>");
        assert!(page || (400..500).contains(&reply.status), "{path}: {} {}", reply.status, reply.text());
    }
    let reply = server.browser().get(&format!("/record/{id}")).await;
    reply.refused(409, "not_over");
    game.step().await;
    server.close().await;
}

/// The memory of this process, which includes the server.
fn memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
