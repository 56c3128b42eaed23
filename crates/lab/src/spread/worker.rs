//! A worker: plays what hosts offer, one run at a time.
//!
//! Invariant: whatever happens to the bus or to a host, it goes back to waiting for the next offer.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bots::BotSpec;
use bus::{Line, Unanswered};
use engine::Dealer;

use super::host::random_name;
use super::message::{Ask, OFFERS, Offer, Reply, pack, plain, subject, unpack};
use super::spec::{Kind, Opened, Spec};
use super::{Jobs, Packed, Piece, pretends};
use crate::arena::{Arena, Deals};
use crate::grid::{Cell, Grid};
use crate::study::{Rest, Study};

/// How long a host has for its answer.
const ANSWER: Duration = Duration::from_secs(2);
/// Between two tries, and between questions whether there is something to do.
const AGAIN: Duration = Duration::from_millis(200);
/// How often it tells that it lives.
const BEAT: Duration = Duration::from_secs(1);
/// A host that has been silent for so long is gone.
const GONE: Duration = Duration::from_secs(20);
/// Also if the bus says that nobody listens, which it may say for a moment after it was restarted.
const NOBODY: Duration = Duration::from_secs(4);
/// What is still tried after being stopped.
const FAREWELL: Duration = Duration::from_secs(3);
/// How many runs that are over are remembered.
const REMEMBERED: usize = 100;

/// What a worker tells of itself.
#[derive(Debug)]
pub enum News<'a> {
    Waiting,
    Begins {
        title: &'a str,
    },
    TurnedAway {
        why: &'a str,
    },
    /// The run is over, or its host is gone.
    Ends {
        games: u64,
        lost: bool,
    },
}

pub struct Worker<'a> {
    pub line: &'a Line,
    /// How hosts show it.
    pub name: String,
    pub threads: usize,
    /// Once this is true, it gives back what it has and ends.
    pub stop: &'a AtomicBool,
    pub tell: &'a (dyn Fn(News) + Sync),
}

/// Why a run came to its end here.
enum End {
    Over,
    Away(String),
    Lost,
}

impl Worker<'_> {
    /// Works until it is stopped.
    pub fn work(&self) -> Result<(), bus::BusError> {
        let bus = self.line.bus();
        let mute = || bus::BusError::Mute { at: bus.at().into(), why: "the connection is closed".into() };
        let mut offers = self.line.wait(bus.subscribe(OFFERS)).ok_or_else(mute)?;
        let (id, mut past) = (random_name(), VecDeque::new());
        (self.tell)(News::Waiting);
        while !self.is_stopped() {
            let message = match self.line.wait(async { tokio::time::timeout(AGAIN, offers.next()).await }) {
                Ok(Some(message)) => message,
                // The client library has given up.
                Ok(None) => return Err(mute()),
                Err(_) => continue,
            };
            let Some((Offer { run }, _)) = unpack::<Offer>(&message.payload) else { continue };
            if past.contains(&run) {
                continue;
            }
            let played = AtomicU64::new(0);
            let run_here = Run { worker: self, subject: subject(&run), id: &id, played: &played };
            let games = || played.load(Ordering::Relaxed);
            match run_here.play() {
                End::Over => (self.tell)(News::Ends { games: games(), lost: false }),
                // The same run may be offered again.
                End::Lost => {
                    (self.tell)(News::Ends { games: games(), lost: true });
                    continue;
                }
                End::Away(why) => (self.tell)(News::TurnedAway { why: &why }),
            }
            past.push_back(run);
            if past.len() > REMEMBERED {
                past.pop_front();
            }
            if !self.is_stopped() {
                (self.tell)(News::Waiting);
            }
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

struct Run<'a> {
    worker: &'a Worker<'a>,
    subject: String,
    id: &'a str,
    played: &'a AtomicU64,
}

/// What the threads of a run share.
struct Playing {
    /// The first jobs of the pieces that are being played.
    has: Mutex<BTreeSet<u64>>,
    heard: Mutex<Instant>,
    /// The host wants no more: games in progress are finished.
    halt: AtomicBool,
    end: Mutex<Option<End>>,
}

impl Run<'_> {
    fn play(&self) -> End {
        let worker = self.worker;
        let program = if pretends("program") { "0.0.0" } else { env!("CARGO_PKG_VERSION") };
        let hello = Ask::Hello {
            worker: self.id.into(),
            name: worker.name.clone(),
            threads: worker.threads,
            program: program.into(),
        };
        let spec = match self.ask(&hello, &Packed::default()) {
            Ok(Reply::Run(spec)) => spec,
            Ok(Reply::Away { why }) => return End::Away(why),
            Ok(_) => return End::Over,
            Err(_) => return End::Lost,
        };
        match spec.open() {
            Ok(opened) => self.play_opened(&spec, &opened),
            Err(error) => self.leave(End::Away(error.to_string())),
        }
    }

    fn play_opened(&self, spec: &Spec, Opened { decks, cells }: &Opened) -> End {
        let impossible = |error: &dyn std::fmt::Display| self.leave(End::Away(error.to_string()));
        let mut dealers = Vec::new();
        for (deck, setup, _) in cells {
            match Dealer::new(&decks[*deck], setup.rules) {
                Ok(dealer) => dealers.push(dealer),
                Err(error) => return impossible(&error),
            }
        }
        let stays_here = |bot: &BotSpec| bot.stays_here();
        if cells.iter().any(|(.., bots)| bots.is_empty() || bots.iter().any(stays_here)) {
            return impossible(&"it wants a program of its own machine played here");
        }
        if let Kind::Arena { rounds, known } = &spec.kind {
            let ([(_, setup, bots)], [dealer]) = (&cells[..], &dealers[..]) else {
                return impossible(&"it is not an arena");
            };
            let arena = Arena::new(bots, setup, dealer);
            return self.play_jobs(&spec.title, &Deals::new(&arena, *rounds, known.clone()));
        }
        let cells: Vec<Cell> = std::iter::zip(cells, dealers)
            .map(|((deck, setup, bots), dealer)| {
                let setup = setup.clone();
                Cell { setup, bots, db: &decks[*deck], dealer, version: String::new() }
            })
            .collect();
        match &spec.kind {
            Kind::Study { games, versions, from }
                if *versions > 0 && cells.len().is_multiple_of(*versions) =>
            {
                let study = Study::new(cells, *versions, *games);
                self.play_jobs(&spec.title, &Rest { study: &study, from: *from })
            }
            Kind::Study { .. } => impossible(&"it is not a study"),
            Kind::Lab { games } | Kind::Arena { rounds: games, .. } => {
                let cells: Vec<&Cell> = cells.iter().collect();
                self.play_jobs(&spec.title, &Grid { cells: &cells, games: *games })
            }
        }
    }

    fn play_jobs(&self, title: &str, jobs: &impl Jobs) -> End {
        let worker = self.worker;
        let probe = jobs.probe() ^ u64::from(pretends("numbers"));
        let ready = Ask::Ready { worker: self.id.into(), probe: format!("{probe:016x}") };
        let began = Instant::now();
        loop {
            match self.ask(&ready, &Packed::default()) {
                Ok(Reply::Welcome) => break,
                Ok(Reply::Away { why }) => return End::Away(why),
                Ok(Reply::Wait) if !worker.is_stopped() => {}
                Ok(_) => return End::Over,
                Err(_) if began.elapsed() > GONE || worker.is_stopped() => return End::Lost,
                Err(_) => {}
            }
            thread::sleep(AGAIN);
        }
        (worker.tell)(News::Begins { title });
        let playing = Playing {
            has: Mutex::default(),
            heard: Mutex::new(Instant::now()),
            halt: AtomicBool::new(false),
            end: Mutex::new(None),
        };
        thread::scope(|scope| {
            let threads: Vec<_> =
                (0..worker.threads).map(|_| scope.spawn(|| self.play_pieces(jobs, &playing))).collect();
            let mut beat = Instant::now();
            while !threads.iter().all(|thread| thread.is_finished()) {
                thread::sleep(AGAIN / 4);
                if beat.elapsed() > BEAT {
                    beat = Instant::now();
                    let has = locked(&playing.has).iter().copied().collect();
                    let said = Ask::Beat { worker: self.id.into(), has };
                    if let Ok(Reply::Over) = self.ask(&said, &Packed::default()) {
                        playing.halt.store(true, Ordering::Relaxed);
                    }
                }
            }
        });
        let end = playing.end.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.leave(end.unwrap_or(End::Over))
    }

    fn play_pieces(&self, jobs: &impl Jobs, playing: &Playing) {
        let ended = || playing.halt.load(Ordering::Relaxed) || self.worker.is_stopped();
        let take = Ask::Take { worker: self.id.into() };
        while !ended() {
            match self.ask_again(&take, &Packed::default(), playing) {
                Some(Reply::Play { from, to }) if from < to => {
                    locked(&playing.has).insert(from);
                    self.play_piece(jobs, playing, Piece { from, to }, &ended);
                    locked(&playing.has).remove(&from);
                }
                Some(Reply::Wait) => thread::sleep(AGAIN),
                Some(Reply::Away { why }) => return playing.finish(End::Away(why)),
                Some(_) => return playing.finish(End::Over),
                None => return,
            }
        }
    }

    fn play_piece(&self, jobs: &impl Jobs, playing: &Playing, piece: Piece, ended: &dyn Fn() -> bool) {
        let (began, mut part, mut done) = (Instant::now(), jobs.empty(), piece.from);
        while done < piece.to && !ended() {
            // The lie of a test: another game.
            let job = if pretends("lie") { done + 1_000 } else { done };
            jobs.play(job, &mut part, &|| {
                self.played.fetch_add(1, Ordering::Relaxed);
            });
            super::slowed();
            done += 1;
        }
        let micros = began.elapsed().as_micros() as u64;
        let give = Ask::Give { worker: self.id.into(), from: piece.from, to: piece.to, done, micros };
        match self.ask_again(&give, &jobs.put(&part), playing) {
            Some(Reply::Away { why }) => playing.finish(End::Away(why)),
            Some(Reply::Over) => playing.finish(End::Over),
            _ => {}
        }
    }

    /// Asks until there is an answer. `None` once the host is gone, or this worker stopped and nobody has answered
    /// for a while.
    fn ask_again(&self, ask: &Ask, packed: &Packed, playing: &Playing) -> Option<Reply> {
        let began = Instant::now();
        loop {
            let why = match self.ask(ask, packed) {
                Ok(reply) => {
                    *locked(&playing.heard) = Instant::now();
                    return Some(reply);
                }
                Err(why) => why,
            };
            let silent = locked(&playing.heard).elapsed().min(began.elapsed());
            let patience = match why {
                _ if self.worker.is_stopped() => FAREWELL,
                Unanswered::NobodyListens => NOBODY,
                Unanswered::Silence => GONE,
                Unanswered::TooLarge => {
                    let why = "its results are larger than the NATS server takes: raise its max_payload";
                    playing.finish(End::Away(why.into()));
                    return None;
                }
            };
            if silent > patience {
                playing.finish(End::Lost);
                return None;
            }
            thread::sleep(AGAIN);
        }
    }

    fn ask(&self, ask: &Ask, packed: &Packed) -> Result<Reply, Unanswered> {
        let heard = self.worker.line.request(&self.subject, pack(ask, packed), ANSWER)?;
        unpack(&heard).map(|(reply, _)| reply).ok_or(Unanswered::Silence)
    }

    fn leave(&self, end: End) -> End {
        let why = match &end {
            End::Away(why) => Some(why.clone()),
            End::Over | End::Lost => None,
        };
        let leave = Ask::Leave { worker: self.id.into(), why };
        let _ = self.worker.line.request(&self.subject, plain(&leave), ANSWER);
        end
    }
}

impl Playing {
    /// The first reason counts; the other threads stop after their game.
    fn finish(&self, end: End) {
        locked(&self.end).get_or_insert(end);
        self.halt.store(true, Ordering::Relaxed);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
