//! Whole games by people who answer everything and come back whenever they lose their connection, and the proof that
//! everything they were shown is in the record, in that order, and nothing that nobody asked for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use engine::record::Record;
use engine::tell::Reader;
use engine::{Action, Actions, Game, Seat, Setup};
use serde_json::json;
use server::store::{LogEntry, SeatHolder};
use server::wire::{ClientMsg, GameOver, NewTableReply, Refusal, ServerMsg, Update};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use wire::{Choice, Table};

use super::{Person, Socket, mix};
use crate::common::{lair, scratch};

/// An update from the server, and the answer to it.
pub struct Shown {
    pub update: Box<Update>,
    pub answer: Option<Answer>,
}

pub struct Answer {
    pub index: u32,
    /// Its effect was shown: it must not be lost.
    pub acknowledged: bool,
}

pub struct Story {
    pub table: String,
    pub seat: Seat,
    pub commitment: String,
    pub shown: Vec<Shown>,
    /// Unless they were called away.
    pub over: Option<GameOver>,
    /// How often the connection was lost.
    pub lost: u32,
    /// How often the server said that it waits.
    pub waits: u32,
    /// How often they were welcomed.
    pub greeted: u32,
    /// What no server may say to them.
    pub faults: Vec<String>,
}

/// What those who play tell those who wait for them, and the other way round.
#[derive(Default)]
pub struct Watched {
    updates: AtomicU64,
    enough: watch::Sender<bool>,
}

/// Two people, and a number of bots that depends on `number`.
pub async fn new_game(people: &[Person; 2], number: u64, watched: &Arc<Watched>) -> [JoinHandle<Story>; 2] {
    let bots = ["kobold", "minion"];
    let bots = &bots[..(number % 3) as usize];
    let settings = json!({ "players": 2 + bots.len(), "window_ms": 0 });
    let new = json!({ "settings": settings, "bots": bots, "start": true });
    let NewTableReply { id, .. } = people[0].post("/api/tables", &new).await;
    [0, 1].map(|at| tokio::spawn(play(people[at].clone(), id.clone(), number, Arc::clone(watched))))
}

/// Answers every question, and comes back whenever the connection is lost.
pub async fn play(mut person: Person, table: String, number: u64, watched: Arc<Watched>) -> Story {
    let (mut shown, mut commitment, mut lost): (Vec<Shown>, _, _) = (Vec::new(), String::new(), 0);
    let (mut seat, mut dice, mut waits, mut greeted) = (None, number << 32, 0, 0);
    let mut faults = Vec::new();
    let mut enough = watched.enough.subscribe();
    loop {
        if *enough.borrow() {
            let seat = Seat(seat.expect("a seat") - 1);
            return Story { table, seat, commitment, shown, over: None, lost, waits, greeted, faults };
        }
        let Ok(mut socket) = person.sit(&table).await else {
            // The server is being restarted.
            tokio::time::sleep(Duration::from_millis(20)).await;
            person.move_on();
            continue;
        };
        let mut first = true;
        loop {
            let message = tokio::select! {
                message = socket.next() => message,
                _ = enough.wait_for(|enough| *enough) => None,
            };
            let Some(message) = message else { break };
            let update = match message {
                ServerMsg::Welcome { you, table, .. } => {
                    assert!(commitment.is_empty() || commitment == table.commitment);
                    // The table may have moved to another server while the socket stayed.
                    (first, greeted) = (true, greeted + 1);
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
                ServerMsg::Refused { words, code: Refusal::NotStored, .. } if words.contains("waiting") => {
                    waits += 1;
                    continue;
                }
                // Whoever came back may have revealed twice what they add to the shuffle.
                ServerMsg::Refused { code: Refusal::NotNow, seq: None, .. } => continue,
                ServerMsg::Refused { words, code, .. } => {
                    faults.push(format!("table {table}: refused, {code:?}: {words}"));
                    continue;
                }
                ServerMsg::Update(update) => update,
                _ => continue,
            };
            watched.updates.fetch_add(1, Ordering::Relaxed);
            if let Some(Shown { update: last, answer }) = shown.last_mut() {
                if update.seq < last.seq {
                    faults.push(format!("table {table}: update {} after {}", update.seq, last.seq));
                }
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
                let over = Some(over);
                return Story { table, seat, commitment, shown, over, lost, waits, greeted, faults };
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

impl Watched {
    /// How many updates everybody together has seen.
    pub fn updates(&self) -> u64 {
        self.updates.load(Ordering::Relaxed)
    }

    /// Calls everybody away from their games.
    pub fn is_enough(&self) {
        self.enough.send_replace(true);
    }
}

impl Story {
    /// Where the record of the game is.
    pub fn record(&self) -> &str {
        &self.over.as_ref().expect("the game is over").record
    }
}

impl Shown {
    pub fn is_acknowledged(&self) -> bool {
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

/// The updates follow the recorded game in order, every acknowledged answer is in it, and the shuffle is fair.
pub async fn follows_the_record(reader: &Person, story: &Story) {
    let text = String::from_utf8(reader.get(story.record()).await).unwrap();
    assert_eq!(faults(&text, &[story]), [""; 0]);
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
}

/// What is wrong with the record of a game, in the eyes of those who played it.
pub fn faults(record: &str, stories: &[&Story]) -> Vec<String> {
    let Ok(record) = Record::from_json(record) else { return vec!["the record cannot be read".into()] };
    let db = record.db(&cards::library::sets()).unwrap();
    let mut points = Vec::new();
    if let Err(error) = record.replay(&db, |_, _, game| points.push(game.clone())) {
        return vec![format!("the record cannot be replayed: {error}")];
    }
    let actions = record.actions.iter().map(|action| action.0).collect();
    Played { points, actions, names: record.names() }.faults(stories)
}

/// The same for the log of a game of the base set that may not be over, an entry a line.
pub fn faults_of_log<'a>(log: impl IntoIterator<Item = &'a str>, stories: &[&Story]) -> Vec<String> {
    let db = cards::library::base();
    let (mut played, mut seats) =
        (Played { points: vec![], actions: vec![], names: vec![] }, BTreeMap::new());
    for (place, line) in log.into_iter().enumerate() {
        match serde_json::from_str(line).unwrap() {
            LogEntry::Sits(seat, Some(SeatHolder::Person { name, .. })) => drop(seats.insert(seat, name)),
            LogEntry::Sits(seat, Some(SeatHolder::Bot { level, .. })) => {
                drop(seats.insert(seat, level.title().into()))
            }
            LogEntry::Begins(setup) => {
                let Setup { rules, seed, .. } = setup.parse().unwrap();
                played.points.push(Game::new(&db, rules, seed.0, &mut ()).unwrap());
            }
            LogEntry::Acts(action) | LogEntry::Auto(action) => {
                let mut game = played.points.last().expect("the game has begun").clone();
                if let Err(error) = game.apply(action.0, &mut ()) {
                    let what = format!("place {place} of a log cannot follow what is before it: {error}");
                    return std::iter::once(what).chain(played.faults(stories)).collect();
                }
                played.points.push(game);
                played.actions.push(action.0);
            }
            _ => {}
        }
        played.names = seats.values().cloned().collect();
    }
    played.faults(stories)
}

/// A recorded game: the positions, and what was answered in each but the last.
struct Played<'a> {
    points: Vec<Game<'a>>,
    actions: Vec<Action>,
    names: Vec<String>,
}

impl Played<'_> {
    fn faults(&self, stories: &[&Story]) -> Vec<String> {
        let told = stories.iter().flat_map(|story| story.faults.iter().cloned());
        let lost = stories.iter().filter_map(|story| self.lost(story));
        told.chain(lost).chain(stories.iter().flat_map(|story| self.unasked(story))).collect()
    }

    /// The first update that does not come where it should.
    fn lost(&self, story: &Story) -> Option<String> {
        let mut at = 0;
        for shown in &story.shown {
            let fits = |at: &usize| {
                shown.is(&self.points[*at], story.seat, &self.names)
                    && (!shown.is_acknowledged() || self.is_answer(shown, *at))
            };
            let Some(found) = (at..self.points.len()).find(fits) else {
                let (seq, seat) = (shown.update.seq, story.seat.0 + 1);
                let what = format!("table {}: update {seq} of seat {seat}", story.table);
                return Some(format!("{what} is not in the record after step {at}"));
            };
            at = found + usize::from(shown.is_acknowledged());
        }
        let over = self.points[at.min(self.points.len() - 1)].outcome().is_some();
        (story.over.is_some() && !over)
            .then(|| format!("table {}: the record goes on after its end", story.table))
    }

    /// Answers of a player that they did not give.
    fn unasked(&self, story: &Story) -> Vec<String> {
        let mut left: Vec<&Shown> = story.shown.iter().filter(|shown| shown.answer.is_some()).collect();
        let mut unasked = Vec::new();
        for (at, action) in self.actions.iter().enumerate() {
            let game = &self.points[at];
            let theirs = game.decision().is_some_and(|decision| decision.seat == story.seat);
            // These the table gives for them.
            if !theirs || *action == Action::Pass || legal(game).len() == 1 {
                continue;
            }
            let asked = left
                .iter()
                .position(|shown| self.is_answer(shown, at) && shown.is(game, story.seat, &self.names));
            match asked {
                // Each of them counts once.
                Some(asked) => drop(left.drain(..=asked)),
                None => unasked.push(format!("table {}: step {at} was nobody's answer", story.table)),
            }
        }
        unasked
    }

    /// Whether the answer to it is what the record has here.
    fn is_answer(&self, shown: &Shown, at: usize) -> bool {
        let answered = shown
            .answer
            .as_ref()
            .and_then(|answer| legal(&self.points[at]).get(answer.index as usize).copied());
        answered.is_some() && answered == self.actions.get(at).copied()
    }
}

/// Answers some questions; what is seen then.
pub async fn answer(socket: &mut Socket, mut last: Update, questions: u64) -> Update {
    for n in 0..questions {
        while last.ask.is_none() && last.over.is_none() {
            last = socket.update().await;
        }
        let Some(ask) = &last.ask else { return last };
        let act = ClientMsg::Act { seq: last.seq, index: (mix(n) % ask.legal.len() as u64) as u32 };
        socket.send(&act).await.unwrap();
        last = socket.update().await;
    }
    while last.ask.is_none() && last.over.is_none() {
        last = socket.update().await;
    }
    last
}
