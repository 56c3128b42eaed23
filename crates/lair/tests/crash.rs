//! The crash drill: the server is killed repeatedly during play. Everything any player was shown is in the
//! final record, in that order, and every game is finished.

mod client;
mod common;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use client::{LONG, Person, Server, Socket, mix};
use common::{lair, scratch, signal};
use engine::record::Record;
use engine::tell::Reader;
use engine::{Actions, Game, Seat};
use serde_json::json;
use server::wire::{ClientMsg, CloseReason, GameOver, NewTableReply, ServerMsg, Update};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use wire::{Choice, Table};

const KILLS: u64 = 20;
/// Tables in play at once.
const TABLES: usize = 3;

/// An update from the server, and the answer to it.
struct Shown {
    update: Box<Update>,
    answer: Option<Answer>,
}

struct Answer {
    index: u32,
    /// Its effect was shown: it must not be lost.
    acknowledged: bool,
}

struct Story {
    table: String,
    seat: Seat,
    commitment: String,
    shown: Vec<Shown>,
    over: GameOver,
    /// How often the connection was lost.
    lost: u32,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_that_was_shown_is_lost_in_20_crashes() {
    let data = scratch("crash");
    let mut server = Server::start(&data, SocketAddr::from(([127, 0, 0, 1], 0)));
    let address = server.address;
    let people = [Person::guest(address, "Ann").await, Person::guest(address, "Ben").await];
    let heard = Arc::new(AtomicU64::new(0));
    let (mut playing, mut stories) = (Vec::new(), Vec::new());
    let mut number = 0;
    for kill in 0..KILLS {
        for game in playing.extract_if(.., |game: &mut JoinHandle<Story>| game.is_finished()) {
            stories.push(game.await.unwrap());
        }
        while playing.len() < 2 * TABLES {
            number += 1;
            playing.extend(new_game(&people, number, &heard).await);
        }
        // At an arbitrary moment: some messages later, and a bit.
        let (from, more) = (heard.load(Ordering::Relaxed), mix(kill) % 60);
        let start = Instant::now();
        while heard.load(Ordering::Relaxed) < from + more && playing.iter().any(|game| !game.is_finished()) {
            assert!(start.elapsed() < LONG, "nothing happens after {kill} crashes");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(Duration::from_micros(mix(kill + 100) % 20_000)).await;
        server.kill();
        server = Server::start(&data, address);
    }
    for game in playing {
        stories.push(tokio::time::timeout(5 * LONG, game).await.expect("a table is stuck").unwrap());
    }
    assert!(stories.iter().map(|story| story.lost).sum::<u32>() as u64 >= KILLS, "no game was interrupted");
    let acknowledged = |story: &Story| story.shown.iter().filter(|shown| shown.is_acknowledged()).count();
    assert!(stories.iter().map(acknowledged).sum::<usize>() > 100);
    for story in &stories {
        follows_the_record(&people[0], story).await;
    }
    drop(server);
    std::fs::remove_dir_all(data).unwrap();
}

/// Two people in a game, a few answers after it began.
struct Meeting {
    people: [Person; 2],
    id: String,
    sockets: [Socket; 2],
    /// What each was shown last.
    last: [Update; 2],
}

impl Meeting {
    async fn begin(address: SocketAddr) -> Meeting {
        let people = [Person::guest(address, "Ann").await, Person::guest(address, "Ben").await];
        // Wounds eliminate nobody, so it lasts as long as there are heroes.
        let settings = json!({ "players": 2, "window_ms": 0, "variants": ["unlimited-lives"] });
        let new = json!({ "settings": settings, "start": true });
        let NewTableReply { id, .. } = people[0].post("/api/tables", &new).await;
        let mut sockets = [people[0].sit(&id).await.unwrap(), people[1].sit(&id).await.unwrap()];
        sockets[1].send(&ClientMsg::Sit { seat: None }).await.unwrap();
        let [ann, ben] = &mut sockets;
        let mut last: [Update; 2] = tokio::join!(ann.update(), ben.update()).into();
        for n in 0..12 {
            let asked = usize::from(last[0].ask.is_none());
            let choices = last[asked].ask.as_ref().expect("there is a question").legal.len() as u64;
            let act = ClientMsg::Act { seq: last[asked].seq, index: (mix(n) % choices) as u32 };
            sockets[asked].send(&act).await.unwrap();
            for (socket, last) in sockets.iter_mut().zip(&mut last) {
                *last = socket.update().await;
            }
        }
        Meeting { people, id, sockets, last }
    }

    /// Both are told that the server is stopping.
    async fn is_told_goodbye(&mut self) {
        for socket in &mut self.sockets {
            let mut reason = None;
            while let Some(message) = socket.next().await {
                if let ServerMsg::Bye { code, .. } = message {
                    reason = Some(code);
                }
            }
            assert_eq!(reason, Some(CloseReason::Stopping));
        }
    }

    /// Both see what they saw last.
    async fn goes_on(&self) {
        for (person, last) in self.people.iter().zip(&self.last) {
            let now = person.sit(&self.id).await.unwrap().update().await;
            assert!(now.seq > last.seq, "an old click would be accepted");
            assert_eq!((&now.view, &now.ask), (&last.view, &last.ask));
        }
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_told_to_stop_says_goodbye_and_loses_nothing() {
    let data = scratch("sigterm");
    let mut server = Server::start(&data, SocketAddr::from(([127, 0, 0, 1], 0)));
    let address = server.address;
    let mut meeting = Meeting::begin(address).await;
    signal(&server.child, "TERM");
    meeting.is_told_goodbye().await;
    assert_eq!(server.child.wait().unwrap().code(), Some(0));

    let server = Server::start(&data, address);
    meeting.goes_on().await;
    drop(server);
    std::fs::remove_dir_all(data).unwrap();
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_interrupt_ends_the_server_at_once_and_loses_nothing() {
    let data = scratch("sigint");
    let mut server = Server::start(&data, SocketAddr::from(([127, 0, 0, 1], 0)));
    let address = server.address;
    let mut meeting = Meeting::begin(address).await;
    // An unfinished request keeps the server from stopping gracefully.
    let mut half = TcpStream::connect(address).await.unwrap();
    let head = "POST /api/guest HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n";
    half.write_all(head.as_bytes()).await.unwrap();
    signal(&server.child, "INT");
    meeting.is_told_goodbye().await;
    assert_eq!(server.child.try_wait().unwrap(), None, "it waits for the request");
    signal(&server.child, "INT");
    assert_eq!(server.child.wait().unwrap().code(), Some(130));

    let server = Server::start(&data, address);
    meeting.goes_on().await;
    drop(server);
    std::fs::remove_dir_all(data).unwrap();
}

/// Two people, and a number of bots that depends on `number`.
async fn new_game(people: &[Person; 2], number: u64, heard: &Arc<AtomicU64>) -> [JoinHandle<Story>; 2] {
    let bots = ["kobold", "minion"];
    let bots = &bots[..(number % 3) as usize];
    let settings = json!({ "players": 2 + bots.len(), "window_ms": 0 });
    let new = json!({ "settings": settings, "bots": bots, "start": true });
    let NewTableReply { id, .. } = people[0].post("/api/tables", &new).await;
    [0, 1].map(|at| tokio::spawn(play(people[at].clone(), id.clone(), number, Arc::clone(heard))))
}

/// Answers every question, and comes back whenever the connection is lost.
async fn play(person: Person, table: String, number: u64, heard: Arc<AtomicU64>) -> Story {
    let (mut shown, mut commitment, mut lost): (Vec<Shown>, _, _) = (Vec::new(), String::new(), 0);
    let (mut seat, mut dice) = (None, number << 32);
    loop {
        let Ok(mut socket) = person.sit(&table).await else {
            // The server is being restarted.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        let mut first = true;
        while let Some(message) = socket.next().await {
            let update = match message {
                ServerMsg::Welcome { you, table, .. } => {
                    assert!(commitment.is_empty() || commitment == table.commitment);
                    (seat, commitment) = (you.seat, table.commitment);
                    if seat.is_none() {
                        let _ = socket.send(&ClientMsg::Sit { seat: None }).await;
                    }
                    continue;
                }
                ServerMsg::Table { you, .. } => {
                    seat = you.seat;
                    continue;
                }
                ServerMsg::Refused { words, code, .. } => panic!("{code:?}: {words}"),
                ServerMsg::Update(update) => update,
                _ => continue,
            };
            heard.fetch_add(1, Ordering::Relaxed);
            if let Some(Shown { update: last, answer }) = shown.last_mut() {
                assert!(update.seq >= last.seq, "{} after {}", update.seq, last.seq);
                // After a crash the answer may have been stored or not; otherwise it was this one.
                if let Some(answer) = answer.as_mut().filter(|_| !first) {
                    answer.acknowledged = update.seq > last.seq;
                }
            }
            first = false;
            let (seq, over) = (update.seq, update.over.clone());
            let choices = update.ask.as_ref().map(|ask| ask.legal.len() as u64);
            shown.push(Shown { update, answer: None });
            if let Some(over) = over {
                let seat = Seat(seat.expect("a seat") - 1);
                return Story { table, seat, commitment, shown, over, lost };
            }
            if let Some(choices) = choices {
                dice += 1;
                // A pause, so that the crashes do not always hit the same moments.
                tokio::time::sleep(Duration::from_millis(mix(dice) % 20)).await;
                let index = (mix(dice) % choices) as u32;
                if let Some(last) = shown.last_mut() {
                    last.answer = Some(Answer { index, acknowledged: false });
                }
                let _ = socket.send(&ClientMsg::Act { seq, index }).await;
            }
        }
        lost += 1;
    }
}

impl Shown {
    fn is_acknowledged(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.acknowledged)
    }

    /// Could this have been shown to the seat at this point of the game?
    fn is(&self, game: &Game, seat: Seat, names: &[String]) -> bool {
        let view = game.view(Some(seat));
        if Table::of(&view) != self.update.view {
            return false;
        }
        let Some(ask) = &self.update.ask else { return true };
        let table = view.table();
        game.decision().is_some_and(|decision| decision.seat == seat)
            && legal(game)
                .iter()
                .map(|action| Choice::of(table, names, Reader::Seat(seat), *action))
                .eq(ask.legal.iter().cloned())
    }
}

fn legal(game: &Game) -> Actions {
    let mut legal = Actions::new();
    game.legal(&mut legal);
    legal
}

/// The updates follow the recorded game in order, and every acknowledged answer is in it.
async fn follows_the_record(reader: &Person, story: &Story) {
    let text = String::from_utf8(reader.get(&story.over.record).await).unwrap();
    let record = Record::from_json(&text).unwrap();
    let fairness = record.fairness.as_ref().expect("the record proves the shuffle");
    assert_eq!(fairness.commitment.to_string(), story.commitment);
    assert!(fairness.players[story.seat.index()].commitment.is_some(), "a player's part of the seed");
    let file = scratch(&format!("crash-{}-{}.json", story.table, story.seat.0));
    std::fs::write(&file, &text).unwrap();
    let verify = ["verify", file.to_str().unwrap(), "--commitment"];
    let verified = lair(&[&verify[..], &[&story.commitment]].concat()).ok().out;
    assert!(verified.starts_with("verified") && verified.contains("\nfair:"), "{verified}");
    lair(&[&verify[..], &[&"0".repeat(64)]].concat()).fails_with("not the shuffle you were promised");
    std::fs::remove_file(file).unwrap();

    let db = record.db(&cards::library::sets()).unwrap();
    let mut points = Vec::new();
    record.replay(&db, |_, _, game| points.push(game.clone())).unwrap();
    let names = record.names();
    let mut at = 0;
    for shown in &story.shown {
        let fits = |at: &usize| {
            let answer = shown.answer.as_ref().filter(|answer| answer.acknowledged);
            let taken = |answer: &Answer| {
                let action = legal(&points[*at]).get(answer.index as usize).copied();
                record.actions.get(*at).map(|action| action.0) == action
            };
            shown.is(&points[*at], story.seat, &names) && answer.is_none_or(taken)
        };
        let found = (at..points.len()).find(fits);
        at = found.unwrap_or_else(|| {
            let seq = shown.update.seq;
            panic!("update {seq} of table {} is not in the record after step {at}", story.table)
        });
        at += usize::from(shown.is_acknowledged());
    }
    assert!(points[at.min(points.len() - 1)].outcome().is_some());
}
