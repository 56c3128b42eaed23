//! The crash drill: the server is killed repeatedly during play. Everything any player was shown is in the
//! final record, in that order, and every game is finished.

mod client;
mod common;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::drill::{Shown, Story, Watched, follows_the_record, new_game};
use client::{LONG, Person, Server, Socket, mix};
use common::{scratch, signal};
use serde_json::json;
use server::wire::{ClientMsg, CloseReason, NewTableReply, ServerMsg, Update};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

const KILLS: u64 = 20;
/// Tables in play at once.
const TABLES: usize = 3;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_that_was_shown_is_lost_in_20_crashes() {
    let data = scratch("crash");
    let mut server = Server::start(&data, SocketAddr::from(([127, 0, 0, 1], 0)));
    let address = server.address;
    let people = [Person::guest(address, "Ann").await, Person::guest(address, "Ben").await];
    let watched = Arc::new(Watched::default());
    let (mut playing, mut stories) = (Vec::new(), Vec::new());
    let mut number = 0;
    for kill in 0..KILLS {
        for game in playing.extract_if(.., |game: &mut JoinHandle<Story>| game.is_finished()) {
            stories.push(game.await.unwrap());
        }
        while playing.len() < 2 * TABLES {
            number += 1;
            playing.extend(new_game(&people, number, &watched).await);
        }
        // At an arbitrary moment: some messages later, and a bit.
        let (from, more) = (watched.updates(), mix(kill) % 60);
        let start = Instant::now();
        while watched.updates() < from + more && playing.iter().any(|game| !game.is_finished()) {
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
    let acknowledged =
        |story: &Story| story.shown.iter().filter(|shown: &&Shown| shown.is_acknowledged()).count();
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
