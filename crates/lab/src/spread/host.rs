//! The host of a run: its own threads, and the desk where workers ask.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bus::{Bus, Incoming, Line};
use thiserror::Error;
use tokio::time::{MissedTickBehavior, interval};

use super::ledger::{Answer, HERE, Ledger, Next, Party, Taken};
use super::message::{Ask, OFFERS, Offer, Reply, plain, subject, unpack};
use super::{Jobs, Packed, Piece, Spec};
use crate::workers::Workers;

/// How often work is offered and silence is looked for.
const TICK: Duration = Duration::from_millis(500);
/// A worker that says nothing for so long is taken for dead; what it had is given to others.
const SILENCE: Duration = Duration::from_secs(5);
/// What a worker says it has not, it may just have been given.
const ON_ITS_WAY: Duration = Duration::from_secs(4);
/// At the end, so long everybody is told that it is over.
const FAREWELL: Duration = Duration::from_millis(600);
/// Letters of the names that runs and workers give themselves.
const RUN_NAME: usize = 32;
/// More workers than this are turned away.
const MOST_WORKERS: usize = 1000;

#[derive(Debug, Error)]
pub enum SpreadError {
    #[error(
        "{first} and {second} have played the same games (jobs {from} to {to}) with different results, so one of the \
         two machines or programs is faulty. There is no result: find out which, and run it again without it. A file \
         of --resume may have wrong deals in it: start a new one"
    )]
    Differs { first: String, second: String, from: u64, to: u64 },
    #[error(
        "the description of this run is {size} bytes, but the NATS server takes {most}: raise its max_payload"
    )]
    TooLarge { size: usize, most: usize },
    #[error(transparent)]
    Bus(#[from] bus::BusError),
}

/// What one machine has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    pub name: String,
    pub games: u64,
    /// Silent, gone or turned away.
    pub is_gone: bool,
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// This machine first.
    pub shares: Vec<Share>,
    /// Pieces that were given out more than once.
    pub again: u64,
}

/// How a run is hosted.
pub struct Host<'a> {
    pub line: &'a Line,
    pub spec: Spec,
    /// Games are played on this machine as well.
    pub plays: bool,
    /// Called now and then with what everyone has done.
    pub watch: &'a (dyn Fn(&Status) + Sync),
}

/// A run as it stands.
#[derive(Clone, Debug)]
pub struct Status {
    /// This machine first.
    pub shares: Vec<Share>,
    /// Who was turned away so far, and why.
    pub away: Vec<String>,
    /// Workers can be heard.
    pub connected: bool,
}

struct Member {
    share: Share,
    threads: usize,
    heard: Instant,
    /// Its probe agrees.
    welcome: bool,
    /// It knows that the run is over.
    knows: bool,
}

/// Everything that changes, behind one lock.
struct Desk<R, C> {
    /// What anybody may play, and what only this machine can.
    ledgers: [Ledger<R>; 2],
    members: Vec<Member>,
    by_worker: HashMap<String, Party>,
    away: Vec<String>,
    count: C,
    failure: Option<SpreadError>,
}

struct Shared<'a, J: Jobs, C> {
    jobs: [Option<&'a J>; 2],
    desk: Mutex<Desk<J::Part, C>>,
    changed: Condvar,
    workers: Workers<'a>,
    /// The run has failed: nothing is worth finishing.
    quit: AtomicBool,
}

impl Host<'_> {
    /// Plays all jobs of both kinds: those that anybody may play, and those that only this machine can. `count` gets
    /// the parts of each in the order of their jobs, and says whether to go on.
    pub fn run<J: Jobs>(
        &self,
        anywhere: &J,
        here: Option<&J>,
        workers: Workers,
        count: impl FnMut(usize, J::Part) -> bool + Send,
    ) -> Result<Summary, SpreadError> {
        let (size, most) = (plain(&Reply::Run(self.spec.clone())).len(), self.line.bus().most());
        if size > most {
            return Err(SpreadError::TooLarge { size, most });
        }
        let member = Member {
            share: Share { name: "this machine".into(), games: 0, is_gone: false },
            threads: if self.plays { workers.count() } else { 0 },
            heard: Instant::now(),
            welcome: true,
            knows: true,
        };
        let shared = Shared {
            jobs: [Some(anywhere), here],
            desk: Mutex::new(Desk {
                ledgers: [
                    Ledger::new(anywhere.jobs(), self.plays),
                    Ledger::new(here.map_or(0, J::jobs), false),
                ],
                members: vec![member],
                by_worker: HashMap::new(),
                away: Vec::new(),
                count,
                failure: None,
            }),
            changed: Condvar::new(),
            workers,
            quit: AtomicBool::new(false),
        };
        let run = random_name();
        let bus = self.line.bus();
        // Before anything is offered, so that nobody asks in vain.
        let asked = self.line.wait(bus.subscribe(&subject(&run)));
        let Some(asked) = asked else {
            let why = "subscribing took too long".into();
            return Err(bus::BusError::Mute { at: bus.at().into(), why }.into());
        };
        let plays = self.plays || here.is_some();
        let probe = OnceLock::new();
        thread::scope(|scope| {
            scope.spawn(|| probe.set(anywhere.probe()));
            for _ in 0..if plays { workers.count() } else { 0 } {
                scope.spawn(|| shared.play(self.plays));
            }
            self.line.wait(shared.serve(self, bus, asked, &run, &probe));
        });
        shared.summary()
    }
}

impl<J: Jobs, C: FnMut(usize, J::Part) -> bool + Send> Shared<'_, J, C> {
    fn desk(&self) -> MutexGuard<'_, Desk<J::Part, C>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.quit.load(Ordering::Relaxed) || self.workers.stop.load(Ordering::Relaxed)
    }

    /// A thread of this machine: what only it can play first, then what anybody may.
    fn play(&self, anything: bool) {
        loop {
            let next = {
                let mut desk = self.desk();
                if self.is_stopped() {
                    desk.stop();
                }
                match desk.take_here(anything) {
                    (_, Next::Wait) => {
                        let _ = self.changed.wait_timeout(desk, TICK);
                        continue;
                    }
                    (_, Next::Over) => break,
                    (track, Next::Play(piece)) => (track, piece, false),
                    (track, Next::Check(piece)) => (track, piece, true),
                }
            };
            let (track, piece, checks) = next;
            let Some(jobs) = self.jobs[track] else { break };
            let (began, mut part, mut done) = (Instant::now(), jobs.empty(), piece.from);
            // What is checked was counted before.
            let count = if checks { &|| {} } else { self.workers.done };
            while done < piece.to && !self.is_stopped() {
                jobs.play(done, &mut part, count);
                super::slowed();
                done += 1;
            }
            let hash = jobs.put(&part).hash();
            if checks {
                self.desk().checked(track, Piece { to: done, ..piece }, hash);
            } else {
                let answer = Answer { piece, done, result: part, hash, took: began.elapsed() };
                self.desk().give(HERE, track, answer, jobs.games());
            }
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }

    /// Answers workers until everything is counted.
    async fn serve(&self, host: &Host<'_>, bus: &Bus, mut asked: Incoming, run: &str, probe: &OnceLock<u64>) {
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let offer = plain(&Offer { run: run.into() });
        let mut over: Option<Instant> = None;
        loop {
            tokio::select! {
                _ = tick.tick() => {
                    let (shares, away) = self.look_after_workers();
                    (host.watch)(&Status { shares, away, connected: bus.is_connected() });
                    if over.is_none() {
                        bus.publish(OFFERS, offer.clone()).await;
                    }
                }
                message = asked.next() => match message {
                    Some(message) => {
                        if let Some((ask, packed)) = unpack::<Ask>(&message.payload) {
                            let reply = self.answer(ask, &packed, host, probe);
                            bus.answer(&message, plain(&reply)).await;
                        }
                    }
                    // The client library has given up; this machine plays on.
                    None => tokio::time::sleep(TICK).await,
                },
            }
            let desk = self.desk();
            if over.is_none() && desk.is_over() {
                over = Some(Instant::now());
                self.changed.notify_all();
            }
            let waiting = desk.members.iter().any(|member| !member.share.is_gone && !member.knows);
            if over.is_some_and(|since| !waiting || since.elapsed() > FAREWELL) {
                break;
            }
        }
        bus.flush(TICK).await;
    }

    /// Takes those for dead that are silent, and says what everyone has done.
    fn look_after_workers(&self) -> (Vec<Share>, Vec<String>) {
        let mut desk = self.desk();
        if self.is_stopped() {
            desk.stop();
        }
        let Desk { members, ledgers, away, .. } = &mut *desk;
        for (party, member) in members.iter_mut().enumerate().skip(1) {
            if member.heard.elapsed() > silence() {
                member.share.is_gone |= !member.knows;
                ledgers[0].doubt(party, |_, _| true);
            }
        }
        self.changed.notify_all();
        (members.iter().map(|member| member.share.clone()).collect(), away.clone())
    }

    fn answer(&self, ask: Ask, packed: &Packed, host: &Host, probe: &OnceLock<u64>) -> Reply {
        let Some(jobs) = self.jobs[0] else { return Reply::Over };
        let mut desk = self.desk();
        let reply = match ask {
            Ask::Hello { worker, name, threads, program } => {
                let ours = env!("CARGO_PKG_VERSION");
                if program != ours {
                    let why = format!(
                        "it is lair {program}, but this run is played by lair {ours}: install lair {ours} there"
                    );
                    desk.turn_away(&name, why)
                } else if worker.len() > 2 * RUN_NAME {
                    Reply::Over
                } else if !desk.by_worker.contains_key(&worker) && desk.members.len() > MOST_WORKERS {
                    desk.turn_away(&name, format!("the run has {MOST_WORKERS} workers already"))
                } else {
                    desk.enter(worker, &name, threads);
                    Reply::Run(host.spec.clone())
                }
            }
            Ask::Ready { worker, probe: theirs } => match (desk.heard(&worker), probe.get()) {
                (None, _) => Reply::Over,
                (Some(_), None) => Reply::Wait,
                (Some(party), Some(ours)) if theirs == format!("{ours:016x}") => {
                    desk.members[party].welcome = true;
                    Reply::Welcome
                }
                (Some(party), Some(_)) => {
                    let why = "with the same cards its games go another way: its program was built from other \
                               sources, or its machine calculates wrongly. Install the same program there";
                    desk.expel(party, why)
                }
            },
            Ask::Take { worker } => match desk.heard(&worker) {
                Some(party) if desk.members[party].welcome => desk.take_there(party),
                _ => Reply::Over,
            },
            Ask::Give { worker, from, to, done, micros } => match desk.heard(&worker) {
                Some(party)
                    if desk.members[party].welcome && from <= done && done <= to && to <= jobs.jobs() =>
                {
                    let (piece, played) = (Piece { from, to }, Piece { from, to: done });
                    match jobs.get(played, packed) {
                        Some(result) => {
                            let took = Duration::from_micros(micros);
                            let answer = Answer { piece, done, result, hash: packed.hash(), took };
                            let kept = desk.give(party, 0, answer, jobs.games());
                            (0..kept).for_each(|_| (self.workers.done)());
                            Reply::Taken
                        }
                        None => desk.expel(party, "what it has sent cannot be the result of its games"),
                    }
                }
                _ => Reply::Over,
            },
            Ask::Beat { worker, has } => match desk.heard(&worker) {
                Some(party) => {
                    let lost = |piece: Piece, since: Instant| {
                        !has.contains(&piece.from) && since.elapsed() > ON_ITS_WAY
                    };
                    desk.ledgers[0].doubt(party, lost);
                    if desk.is_stopping() { Reply::Over } else { Reply::Wait }
                }
                None => Reply::Over,
            },
            Ask::Leave { worker, why } => match (desk.heard(&worker), why) {
                (Some(party), Some(why)) => desk.expel(party, &printable(&why, 400)),
                (Some(party), None) => {
                    desk.ledgers[0].doubt(party, |_, _| true);
                    // At the end everybody leaves, which is nothing to tell of.
                    let over = desk.is_stopping() || desk.is_over();
                    let member = &mut desk.members[party];
                    (member.share.is_gone, member.knows) = (!over && !member.knows, true);
                    Reply::Over
                }
                (None, _) => Reply::Over,
            },
        };
        if desk.failure.is_some() {
            self.quit.store(true, Ordering::Relaxed);
        }
        drop(desk);
        self.changed.notify_all();
        reply
    }

    fn summary(self) -> Result<Summary, SpreadError> {
        let desk = self.desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = desk.failure {
            return Err(failure);
        }
        let shares = desk.members.into_iter().map(|member| member.share);
        // Somebody who only looked in has no share.
        let shares = shares.enumerate().filter(|(party, share)| *party == HERE || share.games > 0);
        let shares = shares.map(|(_, share)| share).collect();
        let again = desk.ledgers.iter().map(Ledger::again).sum();
        Ok(Summary { shares, again })
    }
}

impl<R, C: FnMut(usize, R) -> bool> Desk<R, C> {
    fn stop(&mut self) {
        self.ledgers.iter_mut().for_each(Ledger::stop);
    }

    fn is_stopping(&self) -> bool {
        self.failure.is_some() || self.ledgers[0].is_stopped()
    }

    fn is_over(&self) -> bool {
        self.failure.is_some() || self.ledgers.iter().all(Ledger::is_over)
    }

    /// How many play at once.
    fn players(&self) -> usize {
        let playing = self.members.iter().filter(|member| member.welcome && !member.share.is_gone);
        playing.map(|member| member.threads).sum()
    }

    fn take_here(&mut self, anything: bool) -> (usize, Next) {
        if self.failure.is_some() {
            return (0, Next::Over);
        }
        let (players, now) = (self.players(), Instant::now());
        match (self.ledgers[1].take(HERE, self.members[HERE].threads, now), anything) {
            (next @ (Next::Play(_) | Next::Check(_)), _) | (next, false) => (1, next),
            (next, true) => match (next, self.ledgers[0].take(HERE, players, now)) {
                (Next::Wait, Next::Over) => (0, Next::Wait),
                (_, next) => (0, next),
            },
        }
    }

    fn take_there(&mut self, party: Party) -> Reply {
        let players = self.players();
        match self.ledgers[0].take(party, players, Instant::now()) {
            _ if self.failure.is_some() => Reply::Over,
            Next::Play(Piece { from, to }) | Next::Check(Piece { from, to }) => Reply::Play { from, to },
            Next::Wait => Reply::Wait,
            Next::Over => {
                self.members[party].knows = true;
                Reply::Over
            }
        }
    }

    /// How many games were kept.
    fn give(&mut self, party: Party, track: usize, answer: Answer<R>, games: u64) -> u64 {
        let played = Piece { from: answer.piece.from, to: answer.done };
        let (mut goes_on, Desk { ledgers, count, .. }) = (true, &mut *self);
        let taken = ledgers[track].give(party, answer, |_, result| goes_on &= count(track, result));
        if !goes_on {
            self.stop();
        }
        match taken {
            Taken::Kept(jobs) => {
                self.members[party].share.games += jobs * games;
                jobs * games
            }
            Taken::Known => 0,
            Taken::Differs { first } => {
                self.fail(first, party, played);
                0
            }
        }
    }

    fn checked(&mut self, track: usize, piece: Piece, hash: u64) {
        if let Taken::Differs { first } = self.ledgers[track].checked(piece, hash) {
            self.fail(first, HERE, piece);
        }
    }

    /// Two have played the same, with different results.
    fn fail(&mut self, first: Party, second: Party, Piece { from, to }: Piece) {
        let name = |party: Party| self.members[party].share.name.clone();
        let (first, second) = (name(first), name(second));
        self.failure.get_or_insert(SpreadError::Differs { first, second, from, to: to - 1 });
        self.stop();
    }

    fn enter(&mut self, worker: String, name: &str, threads: usize) {
        let (name, heard) = (printable(name, 40), Instant::now());
        if let Some(party) = self.by_worker.get(&worker) {
            let member = &mut self.members[*party];
            (member.threads, member.heard) = (threads.clamp(1, 4096), heard);
            (member.share.is_gone, member.knows) = (false, false);
            return;
        }
        let twins = self.members.iter().filter(|member| member.share.name.starts_with(&name)).count();
        let name = if twins == 0 { name } else { format!("{name} ({})", twins + 1) };
        self.by_worker.insert(worker, self.members.len());
        let share = Share { name, games: 0, is_gone: false };
        self.members.push(Member {
            share,
            threads: threads.clamp(1, 4096),
            heard,
            welcome: false,
            knows: false,
        });
    }

    /// Whoever speaks lives.
    fn heard(&mut self, worker: &str) -> Option<Party> {
        let party = *self.by_worker.get(worker)?;
        let member = &mut self.members[party];
        member.heard = Instant::now();
        member.share.is_gone = false;
        Some(party)
    }

    fn expel(&mut self, party: Party, why: &str) -> Reply {
        self.ledgers[0].doubt(party, |_, _| true);
        let member = &mut self.members[party];
        (member.welcome, member.share.is_gone) = (false, true);
        let name = member.share.name.clone();
        self.turn_away(&name, why.into())
    }

    fn turn_away(&mut self, name: &str, why: String) -> Reply {
        const TOLD: usize = 20;
        let told = format!("{} was turned away: {why}", printable(name, 40));
        if self.away.len() < TOLD && !self.away.contains(&told) {
            self.away.push(told);
        }
        Reply::Away { why }
    }
}

/// Tests do not wait so long.
fn silence() -> Duration {
    super::test_number("LAIR_TEST_SILENCE").map_or(SILENCE, Duration::from_millis)
}

/// Text from outside, short and without control characters.
fn printable(name: &str, most: usize) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).take(most).collect();
    if name.trim().is_empty() { "a worker".into() } else { name }
}

/// A name that nobody else has.
pub(super) fn random_name() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}
