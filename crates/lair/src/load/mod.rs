//! `lair load`: a server of its own, people at many tables, and what they cost it.
//!
//! A move is one answer, `act`. A message is one `update` that follows from it; everybody at the table gets one.
//! The yardstick is the processor time in which a bare axum echo takes one message of that size and sends it back.

mod echo;
mod people;
mod process;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::Load;
use crate::failure::Failure;
use crate::term::{DIM, note, paint, say};
use echo::Echo;
use people::Tally;
use process::Process;

pub use echo::serve as serve_echo;

/// Server and yardstick are measured in turns, so long each: the machine is not the same from minute to minute.
const TURN: f64 = 10.0;
const ECHO_TURN: f64 = 5.0;
/// Until nobody who rests is still being answered.
const REST: Duration = Duration::from_secs(1);
/// Tables that sit down in a second.
const ARRIVALS: f64 = 200.0;
/// Nobody waits longer for people to sit down.
const PATIENCE: Duration = Duration::from_secs(120);

/// What was measured; what could not be is left out.
#[derive(Debug, Serialize)]
struct Report {
    tables: u32,
    seconds: f64,
    games: u64,
    moves: u64,
    moves_per_s: f64,
    /// From sending an answer to having read the update that shows it.
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
    /// Answers that were refused, and connections that broke.
    refused: u64,
    broken: u64,
    updates_per_move: f64,
    update_bytes: u64,
    #[serde(flatten)]
    cost: Option<Cost>,
    #[serde(flatten)]
    yardstick: Option<Yardstick>,
}

#[derive(Debug, Serialize)]
struct Cost {
    /// How much more memory the server has than before the first table, by tables in play.
    kib_per_table: f64,
    server_cpu_us_per_move: f64,
    server_cpu_us_per_message: f64,
}

#[derive(Debug, Serialize)]
struct Yardstick {
    echo_cpu_us: f64,
    /// Server and echo, message by message.
    cpu_ratio: f64,
}

pub fn run(args: &Load) -> Result<(), Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed)).map_err(Failure::failed)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let report = runtime.block_on(measure(args, &stop));
    runtime.shutdown_background();
    let report = report?;
    if args.json {
        let text = serde_json::to_string(&report).map_err(Failure::failed)?;
        return Ok(say(text + "\n")?);
    }
    Ok(say(table(&report))?)
}

async fn measure(args: &Load, stop: &AtomicBool) -> Result<Report, Failure> {
    let (server, address) = match args.against {
        Some(address) => (None, address),
        None => {
            let server = Process::server()?;
            let address = server.address;
            (Some(server), address)
        }
    };
    let before = server.as_ref().and_then(Process::memory_kib);
    let tally = Arc::new(Tally::default());
    seat(args, address, &tally, stop).await?;

    let Turns { time, spent, echoed } = take_turns(args, server.as_ref(), &tally, stop).await?;
    let after = server.as_ref().and_then(Process::memory_kib);
    tally.over.store(true, Ordering::Relaxed);
    drop(server);

    let mut taken = tally.taken();
    if taken.is_empty() {
        return Err(Failure::failed(format!("nobody could play: {}", tally.last_fault())));
    }
    taken.sort_unstable();
    let at = |share: f64| f64::from(taken[((taken.len() - 1) as f64 * share) as usize]) / 1000.0;
    let [moves, games, updates, bytes, refused, broken] = tally.counts();
    let seconds = time.as_secs_f64();
    let spent = spent.filter(|spent| !spent.is_zero()).map(|spent| spent.as_secs_f64() * 1e6);
    let per_message = spent.map(|spent| spent / updates.max(1) as f64);
    // Less than the system counts in is nothing to compare with.
    let echoed = echoed.filter(|(spent, messages)| !spent.is_zero() && *messages > 0);
    let per_echo = echoed.map(|(spent, messages)| spent.as_secs_f64() * 1e6 / messages as f64);
    let yardstick = per_message
        .zip(per_echo)
        .map(|(server, echo)| Yardstick { echo_cpu_us: round(echo), cpu_ratio: round(server / echo) });
    let update_bytes = bytes / updates.max(1);
    let cost = spent.zip(before.zip(after)).map(|(spent, (before, after))| Cost {
        kib_per_table: round((after as f64 - before as f64) / f64::from(args.tables)),
        server_cpu_us_per_move: round(spent / moves.max(1) as f64),
        server_cpu_us_per_message: round(spent / updates.max(1) as f64),
    });
    Ok(Report {
        tables: args.tables,
        seconds: round(seconds),
        games,
        moves,
        moves_per_s: round(moves as f64 / seconds),
        p50_ms: at(0.5),
        p99_ms: at(0.99),
        max_ms: at(1.0),
        refused,
        broken,
        updates_per_move: round(updates as f64 / moves.max(1) as f64),
        update_bytes,
        cost,
        yardstick,
    })
}

/// What was measured in all turns together.
#[derive(Default)]
struct Turns {
    time: Duration,
    /// Processor time of the server; and of the echo, with its messages.
    spent: Option<Duration>,
    echoed: Option<(Duration, u64)>,
}

/// People play for a while and rest while the echo is talked to, in turns.
async fn take_turns(
    args: &Load,
    server: Option<&Process>,
    tally: &Tally,
    stop: &AtomicBool,
) -> Result<Turns, Failure> {
    let turns = (f64::from(args.seconds) / TURN).ceil().max(1.0);
    let turn = Duration::from_secs_f64(f64::from(args.seconds) / turns);
    let echo_turn = turn.min(Duration::from_secs_f64(ECHO_TURN));
    let cpu = || server.and_then(Process::cpu);
    let mut all = Turns::default();
    let (mut echo, mut compared) = (None, server.is_some());
    for n in 1..=turns as u32 {
        let (start, from) = (Instant::now(), cpu());
        tally.measuring.store(true, Ordering::Relaxed);
        progress(&format!("turn {n} of {turns}"), turn, stop).await?;
        tally.measuring.store(false, Ordering::Relaxed);
        all.time += start.elapsed();
        if let Some((from, to)) = from.zip(cpu()) {
            *all.spent.get_or_insert_default() += to - from;
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if !compared {
            continue;
        }
        tally.resting.store(true, Ordering::Relaxed);
        tokio::time::sleep(REST).await;
        if echo.is_none() {
            let [_, _, updates, bytes, ..] = tally.counts();
            let (size, rate) = (bytes / updates.max(1), updates as f64 / all.time.as_secs_f64());
            echo = Echo::open(2 * args.tables, size as usize, rate, stop).await?;
        }
        match &echo {
            Some(echo) => {
                if let Some((spent, messages)) = echo.talk(echo_turn, stop).await? {
                    let echoed = all.echoed.get_or_insert_default();
                    *echoed = (echoed.0 + spent, echoed.1 + messages);
                }
            }
            None => {
                compared = false;
                note(
                    "the echo did not get all its connections, so there is no ratio: `ulimit -n` may be too low\n",
                )?;
            }
        }
        tally.resting.store(false, Ordering::Relaxed);
        // Until everybody is at it again.
        tokio::time::sleep(Duration::from_secs_f64(args.pace.min(3.0))).await;
    }
    Ok(all)
}

/// Everybody comes and begins to play, one table after the other.
async fn seat(
    args: &Load,
    address: SocketAddr,
    tally: &Arc<Tally>,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let arrivals = Duration::from_secs_f64(f64::from(args.tables) / ARRIVALS);
    for table in 0..args.tables {
        let late = arrivals.mul_f64(f64::from(table) / f64::from(args.tables));
        tokio::spawn(people::play(address, u64::from(table), args.pace, late, Arc::clone(tally)));
    }
    let start = Instant::now();
    while tally.seated() < args.tables && !stop.load(Ordering::Relaxed) {
        if start.elapsed() > arrivals + PATIENCE {
            let fault = tally.last_fault();
            let seated = tally.seated();
            return Err(Failure::failed(format!("only {seated} of {} tables began: {fault}", args.tables)));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    note(paint(DIM, format!("{} tables play\n", tally.seated())))?;
    Ok(())
}

/// Waits, and tells now and then how long still.
async fn progress(what: &str, time: Duration, stop: &AtomicBool) -> Result<(), Failure> {
    let start = Instant::now();
    let mut told = 0;
    while start.elapsed() < time && !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(100).min(time - start.elapsed().min(time))).await;
        let now = start.elapsed().as_secs();
        if now >= told + 10 {
            told = now;
            note(paint(DIM, format!("{what}: {now} of {} s\n", time.as_secs())))?;
        }
    }
    Ok(())
}

fn round(n: f64) -> f64 {
    (n * 100.0).round() / 100.0
}

fn table(report: &Report) -> String {
    let mut lines = vec![
        ("tables", report.tables.to_string()),
        ("seconds", report.seconds.to_string()),
        ("games ended", report.games.to_string()),
        ("moves a second", report.moves_per_s.to_string()),
        ("from act to update, median", format!("{} ms", report.p50_ms)),
        ("99 of 100 within", format!("{} ms", report.p99_ms)),
        ("the slowest", format!("{} ms", report.max_ms)),
        ("refused, broken", format!("{}, {}", report.refused, report.broken)),
        ("updates for a move", report.updates_per_move.to_string()),
        ("bytes of an update", report.update_bytes.to_string()),
    ];
    if let Some(cost) = &report.cost {
        lines.push(("memory for a table", format!("{} KiB", cost.kib_per_table)));
        lines.push(("processor time for a move", format!("{} µs", cost.server_cpu_us_per_move)));
        lines.push(("processor time for an update", format!("{} µs", cost.server_cpu_us_per_message)));
    }
    if let Some(echo) = &report.yardstick {
        lines.push(("of a bare echo", format!("{} µs", echo.echo_cpu_us)));
        lines.push(("ratio", echo.cpu_ratio.to_string()));
    }
    lines.iter().map(|(what, value)| format!("{what:<30} {value}\n")).collect()
}
