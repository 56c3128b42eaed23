//! People who play at several tables at once, through any server, and begin again when a game is over.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use crate::client::drill::{Story, Watched, follows_the_record, new_game};
use crate::client::{LONG, Person};
use crate::hall::Node;

pub struct Play {
    people: [Person; 2],
    addresses: Vec<SocketAddr>,
    tables: usize,
    number: u64,
    watched: Arc<Watched>,
    playing: Vec<JoinHandle<Story>>,
    stories: Vec<Story>,
}

impl Play {
    /// So many tables at these servers.
    pub async fn at(nodes: &[Node], tables: usize) -> Play {
        let addresses: Vec<SocketAddr> = nodes.iter().map(|node| node.server.address).collect();
        let mut people = [Person::guest(addresses[0], "Ann").await, Person::guest(addresses[1], "Ben").await];
        people.iter_mut().for_each(|person| person.nodes.clone_from(&addresses));
        let (number, watched, playing, stories) = Default::default();
        Play { people, addresses, tables, number, watched, playing, stories }
    }

    /// Until everybody together has seen so much more.
    pub async fn go_on(&mut self, messages: u64) {
        for game in self.playing.extract_if(.., |game| game.is_finished()) {
            self.stories.push(game.await.unwrap());
        }
        while self.playing.len() < 2 * self.tables {
            self.number += 1;
            // Each time at other servers.
            let at = |n: u64| self.addresses[(self.number + n) as usize % self.addresses.len()];
            self.people[0].address = at(0);
            self.people[1].address = at(1 + self.number / 3 % 2);
            self.playing.extend(new_game(&self.people, self.number, &self.watched).await);
        }
        let (until, start) = (self.watched.updates() + messages, Instant::now());
        let is_playing = || self.playing.iter().any(|game| !game.is_finished());
        while self.watched.updates() < until && is_playing() {
            assert!(start.elapsed() < LONG, "nothing happens any more");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// In words.
    pub fn so_far(&self) -> String {
        let updates = self.watched.updates();
        format!("{} games are over, {updates} updates were shown", self.stories.len() / 2)
    }

    /// Everybody plays to the end of their game.
    pub async fn end(&mut self) -> Vec<Story> {
        for game in self.playing.drain(..) {
            self.stories.push(tokio::time::timeout(2 * LONG, game).await.expect("a table is stuck").unwrap());
        }
        std::mem::take(&mut self.stories)
    }

    /// The same, but after a while everybody is called away.
    pub async fn end_within(&mut self, patience: Duration) -> Vec<Story> {
        let start = Instant::now();
        while start.elapsed() < patience && self.playing.iter().any(|game| !game.is_finished()) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.watched.is_enough();
        self.end().await
    }

    /// These stories are in the records of their games, which prove the shuffle.
    pub async fn is_recorded(&self, stories: impl Iterator<Item = &Story>) {
        let reader = Person { address: self.addresses[0], ..self.people[0].clone() };
        for story in stories {
            follows_the_record(&reader, story).await;
        }
    }
}
