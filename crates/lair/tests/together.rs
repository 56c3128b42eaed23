//! Servers that share a database and a bus, and what keeps them together: an upgrade of one after the other while people
//! play, servers that do not fit, and one that loses the bus.
#![cfg(unix)]

mod client;
mod common;
#[path = "../../server/tests/postgres/mod.rs"]
mod database;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::drill::{Story, Watched, follows_the_record, new_game};
use client::{LONG, Person, Server as Process, Socket};
use common::lair;
use common::nats::Nats;
use database::Postgres;
use serde_json::json;
use server::store::Fit;
use server::wire::{ChatLine, ClientMsg, CloseReason, NewTableReply, ServerMsg};
use server::{Config, Database, Limits, ServeError, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

const ANYWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);
const NAMES: [&str; 3] = ["a", "b", "c"];
const LEASE: Duration = Duration::from_secs(1);
/// Tables in play during an upgrade.
const TABLES: u64 = 3;

/// What the servers share.
struct Hall {
    database: String,
    nats: Nats,
    _postgres: Postgres,
}

impl Hall {
    /// `None` if one of the two is not installed.
    fn open(name: &str) -> Option<Hall> {
        let (nats, postgres) = (Nats::start(name, None)?, Postgres::start(&[])?);
        Some(Hall { database: postgres.url(), nats, _postgres: postgres })
    }

    /// The program as it is delivered.
    fn process(&self, name: &str, bus: &str) -> Process {
        let args = ["--postgres", &self.database, "--nats", bus, "--node", name, "--lease", "1000"];
        Process::with(&args, ANYWHERE)
    }

    /// The same with a bus, whatever else is asked of it.
    fn refused(&self, args: &[&str], words: &str) {
        let common = ["serve", "--listen", "127.0.0.1:0", "--postgres", &self.database, "--node", "other"];
        let ran = lair(&[&common[..], args].concat());
        assert!(ran.code == 1 && ran.out.is_empty() && ran.err.contains(words), "{}: {}", ran.code, ran.err);
    }
}

/// A server in this process, which says of itself what a test wants.
struct Node {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<(), ServeError>>,
}

impl Node {
    async fn open(hall: &Hall, name: &str, listen: SocketAddr, fit: &Fit) -> Result<Server, ServeError> {
        let database =
            Database { address: hall.database.parse().unwrap(), node: name.into(), lease: Some(LEASE) };
        let config = Config {
            listen: vec![listen],
            metrics: None,
            data: PathBuf::new(),
            database: Some(database),
            origins: Vec::new(),
            behind_proxy: false,
            limits: Limits::none(),
            cards: cards::library::sets(),
            nats: Some(bus::Address::parse(&hall.nats.url()).unwrap()),
            fit: Some(fit.clone()),
        };
        Server::open(config).await
    }

    async fn start(hall: &Hall, name: &str, listen: SocketAddr, fit: &Fit) -> Node {
        let server = Node::open(hall, name, listen, fit).await.unwrap();
        let (stop, stopped) = oneshot::channel();
        let address = server.address();
        let task = tokio::spawn(server.run(async { drop(stopped.await) }));
        Node { address, stop, task }
    }

    /// As SIGTERM does.
    async fn drain(self) {
        drop(self.stop);
        self.task.await.unwrap().unwrap();
    }
}

async fn until_ready(person: &Person, wanted: bool) {
    let start = Instant::now();
    while (person.status("/readyz").await == 200) != wanted {
        assert!(start.elapsed() < LONG, "its readiness does not become {wanted}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Says something, and waits until it is heard.
async fn say(socket: &mut Socket, words: &str) {
    socket.send(&ClientMsg::Chat { text: words.into() }).await.unwrap();
    loop {
        match socket.next().await.expect("the connection is open") {
            ServerMsg::Chat { line } if line.text == words => return,
            ServerMsg::Refused { code, words, .. } => panic!("{code:?}: {words}"),
            _ => {}
        }
    }
}

/// What a newcomer is shown of the chat.
async fn heard_before(socket: &mut Socket) -> Vec<ChatLine> {
    loop {
        if let ServerMsg::Welcome { chat, .. } = socket.next().await.expect("the connection is open") {
            return chat;
        }
    }
}

/// A connection to the table, however often it has to be tried.
async fn come_back(person: &Person, table: &str) -> (Socket, Vec<ChatLine>) {
    let start = Instant::now();
    loop {
        if let Ok(mut socket) = person.sit(table).await {
            match socket.next().await {
                Some(ServerMsg::Welcome { chat, .. }) => return (socket, chat),
                Some(ServerMsg::Bye { code: CloseReason::Stopping, .. }) | None => {}
                Some(other) => panic!("{other:?}"),
            }
        }
        assert!(start.elapsed() < LONG, "the table cannot be reached");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_while_one_server_after_the_other_is_upgraded() {
    let Some(hall) = Hall::open("upgrade") else { return };
    let new = Fit::of(&cards::library::sets(), true);
    let old = Fit { reads: 1, ..new.clone() };
    let mut nodes = Vec::new();
    for name in NAMES {
        nodes.push(Some(Node::start(&hall, name, ANYWHERE, &old).await));
    }
    let addresses: Vec<SocketAddr> = nodes.iter().flatten().map(|node| node.address).collect();
    let mut people = [Person::guest(addresses[0], "Ann").await, Person::guest(addresses[1], "Ben").await];
    people.iter_mut().for_each(|person| person.nodes.clone_from(&addresses));
    let talks = Person { nodes: Vec::new(), ..people[0].clone() };
    let open = json!({ "settings": { "players": 2 } });
    let NewTableReply { id: quiet, .. } = talks.post("/api/tables", &open).await;
    let mut playing: Vec<(Arc<Watched>, JoinHandle<Story>)> = Vec::new();
    let mut number = 0;
    let mut stories = Vec::new();
    for (at, name) in NAMES.iter().enumerate() {
        // Enough of them, each with its people at other servers.
        while playing.iter().filter(|(_, game)| !game.is_finished()).count() < 2 * TABLES as usize {
            number += 1;
            people[0].address = addresses[(number % 3) as usize];
            people[1].address = addresses[((number + 1) % 3) as usize];
            let heard = Arc::new(Watched::default());
            for game in new_game(&people, number, &heard).await {
                playing.push((Arc::clone(&heard), game));
            }
        }
        nodes[at].take().unwrap().drain().await;
        // Without it every game goes on, wherever its people and its table were.
        for (heard, game) in &playing {
            let (from, start) = (heard.updates(), Instant::now());
            while heard.updates() < from + 4 && !game.is_finished() {
                assert!(start.elapsed() < LONG, "a game does not go on without {name}");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
        nodes[at] = Some(Node::start(&hall, name, addresses[at], &new).await);
        until_ready(&Person { address: addresses[at], ..talks.clone() }, true).await;
    }
    for (_, game) in playing {
        stories.push(tokio::time::timeout(2 * LONG, game).await.expect("a table is stuck").unwrap());
    }
    assert!(stories.iter().map(|story| story.lost).sum::<u32>() >= 3, "nobody was interrupted");
    people[0].address = addresses[0];
    for story in &stories {
        follows_the_record(&people[0], story).await;
    }
    // All of them are new: what is said is kept, and an old one cannot come back.
    let (mut socket, _) = come_back(&talks, &quiet).await;
    let start = Instant::now();
    for n in 0.. {
        say(&mut socket, &format!("line {n}")).await;
        nodes[0].take().unwrap().drain().await;
        nodes[0] = Some(Node::start(&hall, NAMES[0], addresses[0], &new).await);
        let (again, chat) = come_back(&talks, &quiet).await;
        socket = again;
        if chat.last().is_some_and(|line| line.text == format!("line {n}")) {
            break;
        }
        assert!(start.elapsed() < LONG, "the new servers write as if there were old ones");
    }
    let refused = Node::open(&hall, "old", ANYWHERE, &old).await.err().expect("it cannot read what is there");
    assert!(refused.to_string().contains("newer lair"), "{refused}");
}

#[test]
fn servers_that_do_not_fit_say_so_and_end() {
    let Some(hall) = Hall::open("misfits") else { return };
    let bus = hall.nats.url();
    let other_bus = Nats::start("another", None).unwrap();
    let mut a = hall.process("a", &bus);
    let cards = "examples/leftover-pixels.cards";
    hall.refused(&["--nats", &bus, "--cards", cards], "has other cards");
    hall.refused(&[], "this one has none: start this one with the same --nats");
    hall.refused(
        &["--nats", &other_bus.url()],
        "`a`, which uses the same database, is not at the NATS server",
    );
    assert!(a.child.try_wait().unwrap().is_none(), "the server that was there is unharmed");
    // Alone, each of them may come.
    a.kill();
    drop(hall.process("other", &other_bus.url()));
}

#[test]
fn a_login_that_may_not_do_what_servers_do_is_refused_at_the_start() {
    let workers = r#"authorization { users = [ { user: lair, password: "sesame", permissions: {
        publish: ["lair.1.think", "lair.1.lobby", "_INBOX.>"], subscribe: ["lair.1.think", "_INBOX.>"] } } ] }"#;
    let (Some(nats), Some(postgres)) = (Nats::start("rights", Some(workers)), Postgres::start(&[])) else {
        return;
    };
    let database = postgres.database();
    let place = postgres.url_of("lair", &database);
    let url = |login: &str| format!("nats://{login}@127.0.0.1:{}", nats.port);
    for (login, words) in [("lair:sesame", "lacks rights"), ("lair:wrong", "does not let this login in")] {
        let ran = lair(&["serve", "--listen", "127.0.0.1:0", "--postgres", &place, "--nats", &url(login)]);
        assert!(ran.code == 1 && ran.out.is_empty() && ran.err.contains(words), "{}: {}", ran.code, ran.err);
        assert!(!ran.err.contains("sesame") && !ran.err.contains("wrong"), "{}", ran.err);
    }
    // Nothing was begun.
    assert_eq!(postgres.sql(&database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0");
}

/// Between a server and its bus: while it is cut, nothing is passed on, and nobody is told.
struct Relay {
    port: u16,
    cut: watch::Sender<bool>,
}

impl Relay {
    async fn to(port: u16) -> Relay {
        let listener = TcpListener::bind(ANYWHERE).await.unwrap();
        let (cut, is_cut) = watch::channel(false);
        let relay = Relay { port: listener.local_addr().unwrap().port(), cut };
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let is_cut = is_cut.clone();
                tokio::spawn(async move {
                    let Ok(far) = TcpStream::connect(("127.0.0.1", port)).await else { return };
                    let ((near_in, near_out), (far_in, far_out)) = (near.into_split(), far.into_split());
                    tokio::join!(pass(near_in, far_out, is_cut.clone()), pass(far_in, near_out, is_cut));
                });
            }
        });
        relay
    }
}

async fn pass(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    mut cut: watch::Receiver<bool>,
) {
    let mut some = [0; 4096];
    while let Ok(n @ 1..) = from.read(&mut some).await {
        if cut.wait_for(|cut| !*cut).await.is_err() || to.write_all(&some[..n]).await.is_err() {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_alone_is_without_the_bus_gives_its_tables_away() {
    let Some(hall) = Hall::open("alone") else { return };
    let relay = Relay::to(hall.nats.port).await;
    let a = hall.process("a", &format!("nats://127.0.0.1:{}", relay.port));
    let b = hall.process("b", &hall.nats.url());
    let ann = Person::guest(a.address, "Ann").await;
    let at_b = Person { address: b.address, ..ann.clone() };
    let NewTableReply { id, .. } = ann.post("/api/tables", &json!({ "settings": { "players": 2 } })).await;
    let mut socket = ann.sit(&id).await.unwrap();
    say(&mut socket, "hello").await;
    until_ready(&ann, true).await;
    relay.cut.send_replace(true);
    until_ready(&ann, false).await;
    // She is sent away, and finds her table where the bus is.
    loop {
        match socket.next().await {
            Some(ServerMsg::Bye { code, .. }) => break assert_eq!(code, CloseReason::Stopping),
            Some(_) => {}
            None => panic!("the connection was lost without a word"),
        }
    }
    let (mut socket, chat) = come_back(&at_b, &id).await;
    assert_eq!(chat.last().map(|line| line.text.as_str()), Some("hello"));
    say(&mut socket, "here I am").await;
    assert_eq!(ann.status("/readyz").await, 503);
    assert_eq!(at_b.status("/readyz").await, 200);
    // Whoever still comes to the server without the bus is refused, so that a proxy asks another one.
    let refused = ann.sit(&id).await.err().expect("it takes nobody in");
    assert!(refused.to_string().contains("503"), "{refused}");
    relay.cut.send_replace(false);
    until_ready(&ann, true).await;
    let (mut again, chat) = come_back(&ann, &id).await;
    assert_eq!(chat.last().map(|line| line.text.as_str()), Some("here I am"));
    say(&mut again, "over the bus").await;
    drop((socket, a, b));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn if_nobody_has_the_bus_everybody_keeps_what_they_have() {
    let Some(mut hall) = Hall::open("nobody") else { return };
    let (a, b) = (hall.process("a", &hall.nats.url()), hall.process("b", &hall.nats.url()));
    let (ann, ben) = (Person::guest(a.address, "Ann").await, Person::guest(b.address, "Ben").await);
    let mut sockets = Vec::new();
    for person in [&ann, &ben] {
        let NewTableReply { id, .. } =
            person.post("/api/tables", &json!({ "settings": { "players": 2 } })).await;
        let mut socket = person.sit(&id).await.unwrap();
        heard_before(&mut socket).await;
        sockets.push(socket);
    }
    hall.nats.kill();
    until_ready(&ann, false).await;
    until_ready(&ben, false).await;
    // For longer than one that is alone would wait.
    for n in 0..9 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        for socket in &mut sockets {
            say(socket, &format!("still here {n}")).await;
        }
    }
    hall.nats.start_again();
    until_ready(&ann, true).await;
    until_ready(&ben, true).await;
    for socket in &mut sockets {
        say(socket, "back").await;
    }
}
