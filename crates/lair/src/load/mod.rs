//! `lair load`: starts a server, plays at many tables, and measures what that costs the server.
//!
//! A move is one answer, `act`. A message is one `update` that follows from it; everyone at the table gets one.
//! The baseline is the processor time a bare axum echo takes to receive one message of that size and send
//! it back.

mod echo;
mod people;
mod process;
mod services;
mod several;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::Load;
use crate::failure::Failure;
use crate::term::{DIM, note, paint, say};
use echo::Echo;
use people::{LoadCounts, Place};
use process::{Process, Serving};

pub use echo::serve as serve_echo;

/// How long each turn takes, in seconds. Server and baseline alternate, since a shared machine's speed
/// varies from minute to minute.
const TURN: f64 = 10.0;
const ECHO_TURN: f64 = 5.0;
/// After pausing this long, everyone has received their last update.
const REST: Duration = Duration::from_secs(1);
/// How many tables sit down each second.
const ARRIVALS: f64 = 200.0;
/// Open files that are no player's socket: requests, the database, the standard ones.
const OTHER_FILES: u64 = 200;
/// How long to wait for everyone to sit down.
const SEATING_TIMEOUT: Duration = Duration::from_secs(120);

/// Set by Ctrl-C.
type Stop = AtomicBool;

/// What those who play have counted.
struct Told {
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
    moves: u64,
    games: u64,
    updates: u64,
    bytes: u64,
    refused: u64,
    broken: u64,
}

impl LoadCounts {
    fn told(&self) -> Result<Told, Failure> {
        let mut latencies = self.latencies();
        if latencies.is_empty() {
            return Err(Failure::failed(format!("nobody could play: {}", self.last_error())));
        }
        latencies.sort_unstable();
        let at = |share: f64| f64::from(latencies[((latencies.len() - 1) as f64 * share) as usize]) / 1000.0;
        let [moves, games, updates, bytes, refused, broken] = self.counts();
        let [p50_ms, p99_ms, max_ms] = [0.5, 0.99, 1.0].map(at);
        Ok(Told { p50_ms, p99_ms, max_ms, moves, games, updates, bytes, refused, broken })
    }
}

/// The measurements; those that were not possible are left out.
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
    baseline: Option<Baseline>,
}

#[derive(Debug, Serialize)]
struct Cost {
    /// The memory the server has gained since before the first table, per table in play.
    kib_per_table: f64,
    server_cpu_us_per_move: f64,
    server_cpu_us_per_message: f64,
}

#[derive(Debug, Serialize)]
struct Baseline {
    echo_cpu_us: f64,
    /// Server and echo, message by message.
    cpu_ratio: f64,
}

pub fn run(args: &Load) -> Result<(), Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed)).map_err(Failure::failed)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let told = match args.nodes {
        None => runtime.block_on(measure(args, &stop)).and_then(|report| told(args, &report, table)),
        Some(nodes) => runtime
            .block_on(several::measure(args, nodes.into(), &stop))
            .and_then(|report| told(args, &report, several::table)),
    };
    runtime.shutdown_background();
    Ok(say(told?)?)
}

fn told<T: Serialize>(args: &Load, report: &T, table: fn(&T) -> String) -> Result<String, Failure> {
    match args.json {
        true => Ok(serde_json::to_string(report).map_err(Failure::failed)? + "\n"),
        false => Ok(table(report)),
    }
}

async fn measure(args: &Load, stop: &Stop) -> Result<Report, Failure> {
    let (files, sockets) = (open_files(), 2 * u64::from(args.tables));
    if files < sockets + OTHER_FILES {
        return Err(Failure::failed(format!(
            "{} tables need {} open files, and there may be {files}: raise the limit with `ulimit -n`",
            args.tables,
            sockets + OTHER_FILES
        )));
    }
    let (server, address) = match args.against {
        Some(address) => (None, address),
        None => {
            let postgres = args.postgres.clone();
            let server = Process::server(&Serving { postgres, ..Serving::default() })?;
            let address = server.address;
            (Some(server), address)
        }
    };
    let before = server.as_ref().and_then(Process::memory_kib);
    let counts = Arc::new(LoadCounts::default());
    seat(&vec![Place::at(address); args.tables as usize], args.pace, &counts, stop).await?;

    let Turns { time, spent, echoed } = take_turns(args, server.as_ref(), &counts, stop).await?;
    let after = server.as_ref().and_then(Process::memory_kib);
    counts.over.store(true, Ordering::Relaxed);
    drop(server);

    let Told { p50_ms, p99_ms, max_ms, moves, games, updates, bytes, refused, broken } = counts.told()?;
    let seconds = time.as_secs_f64();
    let spent = spent.filter(|spent| !spent.is_zero()).map(|spent| spent.as_secs_f64() * 1e6);
    let per_message = spent.map(|spent| spent / updates.max(1) as f64);
    // Below the resolution of the system there is nothing to compare.
    let echoed = echoed.filter(|(spent, messages)| !spent.is_zero() && *messages > 0);
    let per_echo = echoed.map(|(spent, messages)| spent.as_secs_f64() * 1e6 / messages as f64);
    let baseline = per_message
        .zip(per_echo)
        .map(|(server, echo)| Baseline { echo_cpu_us: round(echo), cpu_ratio: round(server / echo) });
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
        p50_ms,
        p99_ms,
        max_ms,
        refused,
        broken,
        updates_per_move: round(updates as f64 / moves.max(1) as f64),
        update_bytes,
        cost,
        baseline,
    })
}

/// The sums over all turns.
#[derive(Default)]
struct Turns {
    time: Duration,
    /// Processor time of the server; and of the echo, with its messages.
    spent: Option<Duration>,
    echoed: Option<(Duration, u64)>,
}

/// The players and the echo take turns; while one is measured, the other rests.
async fn take_turns(
    args: &Load,
    server: Option<&Process>,
    counts: &LoadCounts,
    stop: &Stop,
) -> Result<Turns, Failure> {
    let turns = (f64::from(args.seconds) / TURN).ceil().max(1.0);
    let turn = Duration::from_secs_f64(f64::from(args.seconds) / turns);
    let echo_turn = turn.min(Duration::from_secs_f64(ECHO_TURN));
    let cpu = || server.and_then(Process::cpu);
    let mut all = Turns::default();
    let mut echo = None;
    let mut compared = server.is_some();
    if compared && open_files() < 4 * u64::from(args.tables) + OTHER_FILES {
        note("there is no ratio to an echo, for which too few files may be open (`ulimit -n`)\n")?;
        compared = false;
    }
    for n in 1..=turns as u32 {
        let (start, from) = (Instant::now(), cpu());
        counts.measuring.store(true, Ordering::Relaxed);
        progress(&format!("turn {n} of {turns}"), turn, stop).await?;
        counts.measuring.store(false, Ordering::Relaxed);
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
        counts.resting.store(true, Ordering::Relaxed);
        tokio::time::sleep(REST).await;
        if echo.is_none() {
            let [_, _, updates, bytes, ..] = counts.counts();
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
                    "the echo server could not open all its connections, so there is no ratio: `ulimit -n` may be too low\n",
                )?;
            }
        }
        counts.resting.store(false, Ordering::Relaxed);
        // Until everyone is playing again.
        tokio::time::sleep(Duration::from_secs_f64(args.pace.min(3.0))).await;
    }
    Ok(all)
}

/// As many as the system allows this process and its children.
fn open_files() -> u64 {
    rlimit::increase_nofile_limit(u64::MAX).unwrap_or(u64::MAX)
}

/// Everyone arrives and starts to play, one table after another.
async fn seat(places: &[Place], pace: f64, counts: &Arc<LoadCounts>, stop: &Stop) -> Result<(), Failure> {
    let arrivals = Duration::from_secs_f64(places.len() as f64 / ARRIVALS);
    for (table, place) in (0_u64..).zip(places) {
        let delay = arrivals.mul_f64(table as f64 / places.len() as f64);
        tokio::spawn(people::play(*place, table, pace, delay, Arc::clone(counts)));
    }
    let start = Instant::now();
    while (counts.seated() as usize) < places.len() && !stop.load(Ordering::Relaxed) {
        if start.elapsed() > arrivals + SEATING_TIMEOUT {
            let (error, seated) = (counts.last_error(), counts.seated());
            return Err(Failure::failed(format!(
                "only {seated} of {} tables started: {error}",
                places.len()
            )));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    note(paint(DIM, format!("{} tables are playing\n", counts.seated())))?;
    Ok(())
}

/// Waits, and reports its progress every ten seconds.
async fn progress(what: &str, time: Duration, stop: &Stop) -> Result<(), Failure> {
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
        ("moves per second", report.moves_per_s.to_string()),
        ("latency, median", format!("{} ms", report.p50_ms)),
        ("latency, 99th percentile", format!("{} ms", report.p99_ms)),
        ("latency, maximum", format!("{} ms", report.max_ms)),
        ("answers refused", report.refused.to_string()),
        ("connections broken", report.broken.to_string()),
        ("updates per move", report.updates_per_move.to_string()),
        ("bytes per update", report.update_bytes.to_string()),
    ];
    if let Some(cost) = &report.cost {
        lines.push(("memory per table", format!("{} KiB", cost.kib_per_table)));
        lines.push(("CPU time per move", format!("{} µs", cost.server_cpu_us_per_move)));
        lines.push(("CPU time per update", format!("{} µs", cost.server_cpu_us_per_message)));
    }
    if let Some(echo) = &report.baseline {
        lines.push(("CPU time per echoed message", format!("{} µs", echo.echo_cpu_us)));
        lines.push(("ratio of update to echo", echo.cpu_ratio.to_string()));
    }
    self::lines(lines)
}

fn lines<'a>(rows: impl IntoIterator<Item = (&'a str, String)>) -> String {
    rows.into_iter().map(|(what, value)| format!("{what:<30} {value}\n")).collect()
}
