//! Drills: three servers on one PostgreSQL and one NATS, people at tables through any of them, and one fault after the
//! other. In the end everything that anybody was shown is in the records and the logs, each log had one writer at a time,
//! and every game is over. The same drill without the fence is found out.
//!
//! `cargo test` runs a short form. The long one says what it does:
//!
//!     LAIR_DRILL=long cargo test -p lair --test drills -- --nocapture
#![cfg(unix)]

#[path = "../client/mod.rs"]
mod client;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../../server/tests/postgres/mod.rs"]
mod database;
#[path = "../hall/mod.rs"]
mod hall;
mod play;
mod witness;

use std::time::{Duration, Instant};

use client::mix;
use common::signal;
use hall::{Hall, Node};
use play::Play;
use witness::Witness;

const NAMES: [&str; 3] = ["a", "b", "c"];
/// Longer than a lease, with what it takes to notice.
const BEYOND: Duration = Duration::from_millis(3500);
/// As long as PostgreSQL is stopped.
const PAUSE: Duration = Duration::from_secs(15);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Killed, and started again after a while.
    Kill,
    /// Stopped for longer than its lease: it wakes up among the dead, says nothing more, and ends.
    Stop,
    /// Stopped for a moment: nothing happens.
    Hesitate,
    Drain,
    NatsRestarts,
    /// As after a crash.
    PostgresRestarts,
    /// Stopped in the middle of whatever it does.
    PostgresPauses,
    /// Like a stopped one, but it runs: whatever it does, it can keep nothing and so may show nothing.
    CutFromPostgres,
    CutFromNats,
}

use Fault::{
    CutFromNats, CutFromPostgres, Drain, Hesitate, Kill, NatsRestarts, PostgresPauses, PostgresRestarts, Stop,
};

const EVERY: [Fault; 9] = [
    Kill,
    Stop,
    Hesitate,
    NatsRestarts,
    CutFromPostgres,
    Drain,
    CutFromNats,
    PostgresRestarts,
    PostgresPauses,
];

/// What is to be done.
struct Plan {
    faults: Vec<Fault>,
    tables: usize,
    /// It says what it does.
    told: bool,
}

impl Plan {
    fn of_this_run() -> Plan {
        let long = std::env::var("LAIR_DRILL").is_ok_and(|form| form == "long");
        let kills = [Kill; 20];
        match long {
            false => Plan { faults: EVERY.into_iter().chain([Kill]).collect(), tables: 3, told: false },
            true => {
                let rounds = kills.into_iter().chain(EVERY.into_iter().cycle().take(6 * EVERY.len()));
                Plan { faults: rounds.collect(), tables: 12, told: true }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_shown_is_lost_and_every_game_goes_on() {
    let Some(mut hall) = Hall::open("drill") else { return };
    let plan = Plan::of_this_run();
    let mut nodes = hall.nodes(&NAMES, &[]);
    let database = hall.database.clone();
    Witness::note(&hall.postgres, &database);
    let mut play = Play::at(&nodes, plan.tables).await;
    let start = Instant::now();
    for (round, fault) in (0..).zip(plan.faults.iter().copied()) {
        play.go_on(10 + mix(round) % 60).await;
        // A server that has a table, so that the fault hits somebody.
        let holder = Witness { postgres: &hall.postgres, database: &database }.holder();
        let victim = NAMES.iter().position(|name| *name == holder).unwrap_or((mix(round + 50) % 3) as usize);
        if plan.told {
            let (done, of, s) = (round + 1, plan.faults.len(), start.elapsed().as_secs());
            eprintln!("{done:>3} of {of}, {s:>4} s: {fault:?}, server {}; {}", NAMES[victim], play.so_far());
        }
        happens(fault, &mut hall, &mut nodes, victim, round).await;
    }
    let stories = play.end().await;
    // The first welcome is everybody's.
    assert!(stories.iter().map(|story| story.greeted - 1).sum::<u32>() >= 5, "no game was interrupted");
    let acknowledged =
        stories.iter().flat_map(|story| &story.shown).filter(|shown| shown.is_acknowledged()).count();
    assert!(acknowledged > 100, "{acknowledged}");
    let witness = Witness { postgres: &hall.postgres, database: &database };
    assert_eq!(witness.faults(), [""; 0]);
    assert!(witness.takeovers() > 3, "{}", witness.takeovers());
    assert_eq!(witness.lost(&stories), [""; 0]);
    // The logs were compared with everything; a record is made from its log, and slow to verify.
    play.is_recorded(stories.iter().step_by(if plan.told { 10 } else { 1 })).await;
    if plan.told {
        let (tables, rows, taken) = (stories.len() / 2, witness.written(), witness.takeovers());
        let s = start.elapsed().as_secs();
        eprintln!(
            "{} faults in {s} s: {tables} games, {acknowledged} answers acknowledged, {rows} rows, {taken} takeovers; nothing lost",
            plan.faults.len()
        );
    }
}

async fn happens(fault: Fault, hall: &mut Hall, nodes: &mut [Node], victim: usize, round: u64) {
    let before = hall.living();
    let node = &mut nodes[victim];
    match fault {
        Kill => {
            node.server.kill();
            pause(Duration::from_millis(mix(round) % 3000)).await;
            node.start_again(hall);
        }
        Stop => {
            signal(&node.server.child, "STOP");
            pause(BEYOND).await;
            signal(&node.server.child, "CONT");
            assert_eq!(node.server.child.wait().unwrap().code(), Some(3));
            node.start_again(hall);
        }
        Hesitate => {
            signal(&node.server.child, "STOP");
            pause(Duration::from_millis(400)).await;
            signal(&node.server.child, "CONT");
        }
        Drain => {
            signal(&node.server.child, "TERM");
            assert_eq!(node.server.child.wait().unwrap().code(), Some(0));
            node.start_again(hall);
        }
        NatsRestarts => {
            hall.nats.kill();
            pause(Duration::from_secs(2)).await;
            hall.nats.start_again();
        }
        PostgresRestarts => {
            hall.postgres.stop("immediate");
            hall.postgres.go();
        }
        PostgresPauses => {
            hall.postgres.signal("STOP");
            pause(PAUSE).await;
            hall.postgres.signal("CONT");
        }
        CutFromPostgres => {
            node.to_postgres.cut();
            pause(BEYOND).await;
            node.to_postgres.mend();
            assert_eq!(node.server.child.wait().unwrap().code(), Some(3));
            node.start_again(hall);
        }
        CutFromNats => {
            node.to_nats.cut();
            // Longer than it takes to give up those at its tables.
            pause(Duration::from_secs(5)).await;
            node.to_nats.mend();
        }
    }
    if matches!(fault, Hesitate | NatsRestarts | PostgresRestarts | PostgresPauses | CutFromNats) {
        // Long enough to be suspected.
        pause(Duration::from_millis(1500)).await;
        assert_eq!(hall.living(), before, "{fault:?}: somebody was declared dead");
        for node in nodes {
            assert_eq!(node.server.child.try_wait().unwrap(), None, "{fault:?}: a server has ended");
        }
    }
}

async fn pause(time: Duration) {
    tokio::time::sleep(time).await;
}

/// The same without the fence: servers that were stopped go on writing when they wake up, and the last writer wins.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_fence_the_same_checks_fail() {
    let Some(hall) = Hall::open("unfenced") else { return };
    let mut nodes = hall.nodes(&NAMES[..2], &[("LAIR_TEST_UNFENCED", "1")]);
    let database = hall.database.clone();
    Witness::note(&hall.postgres, &database);
    let mut play = Play::at(&nodes, 6).await;
    play.go_on(60).await;
    signal(&nodes[0].server.child, "STOP");
    pause(BEYOND).await;
    signal(&nodes[0].server.child, "CONT");
    pause(Duration::from_secs(3)).await;
    assert_eq!(nodes[0].server.child.try_wait().unwrap(), None, "there is a fence");
    nodes[0].server.kill();
    let stories = play.end_within(Duration::from_secs(5)).await;
    let witness = Witness { postgres: &hall.postgres, database: &database };
    let (logs, lost) = (witness.faults(), witness.lost(&stories));
    for sign in ["was changed", "epoch"] {
        assert!(logs.iter().any(|fault| fault.contains(sign)), "no log says `{sign}`: {logs:?}");
    }
    assert!(lost.iter().any(|fault| fault.contains("not in the record")), "{lost:?}");
}
