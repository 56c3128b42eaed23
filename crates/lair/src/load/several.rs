//! `lair load --nodes`: what it costs that several servers share a PostgreSQL and a NATS, against one server with a data
//! folder; and how long a table is away when its server goes.
//!
//! All of them run at the same time and are measured in turns while the others rest, since a shared machine's speed
//! varies from minute to minute: the ratios are the figures to watch.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;
use server::wire::NewTableReply;
use tokio::task::JoinSet;

use super::people::{self, LoadCounts, Place};
use super::process::{Process, Serving};
use super::services::{Nats, Postgres};
use super::{REST, Stop, Told, lines, progress, round, seat};
use crate::cli::Load;
use crate::failure::Failure;
use crate::term::{DIM, note, paint};

/// How long each turn takes, in seconds.
const TURN: f64 = 5.0;
/// Tables that are looked for when their server goes.
const ORPHANS: usize = 20;
/// How often they are looked for.
const LOOK: Duration = Duration::from_millis(10);
/// By then, somebody should have them.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, Serialize)]
pub struct Report {
    tables_per_server: u32,
    seconds: f64,
    servers: Vec<Side>,
    takeovers: Vec<Takeover>,
}

/// What was measured of some servers that belong together.
#[derive(Debug, Serialize)]
struct Side {
    what: String,
    moves_per_s: f64,
    p50_ms: f64,
    p99_ms: f64,
    refused: u64,
    broken: u64,
    rows_per_commit: Option<f64>,
    server_cpu_us_per_move: Option<f64>,
    postgres_cpu_us_per_move: Option<f64>,
    nats_cpu_us_per_move: Option<f64>,
    /// Of PostgreSQL's write-ahead log, with all that is written beside moves.
    wal_bytes_per_move: Option<f64>,
    /// Of the servers' processor time for a move, against the first.
    cpu_ratio: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Takeover {
    what: &'static str,
    /// Until a table can be had at another server.
    median_ms: f64,
    max_ms: f64,
}

/// Servers that belong together, and those who play there.
struct Team {
    what: String,
    servers: Vec<Process>,
    metrics: Vec<SocketAddr>,
    services: Option<Services>,
    counts: Arc<LoadCounts>,
    time: Duration,
    spent: [Option<Duration>; 3],
    /// Changes, and the commits that they shared.
    commits: [f64; 2],
    wal: Option<u64>,
}

/// What they share, and how to start one more of them.
struct Services {
    postgres: Postgres,
    nats: Option<Nats>,
    serving: Serving,
}

pub async fn measure(args: &Load, nodes: usize, stop: &Stop) -> Result<Report, Failure> {
    let mut teams = vec![
        Team::single("1 server, data folder", None)?,
        Team::single("1 server, PostgreSQL", Some(Postgres::start()?))?,
        Team::several(format!("{nodes} servers, players at the server of their table"), nodes)?,
        Team::several(format!("{nodes} servers, players at other servers"), nodes)?,
    ];
    for (n, team) in teams.iter().enumerate() {
        note(paint(DIM, format!("{}\n", team.what)))?;
        let places = team.places(args.tables, n == 3);
        seat(&places, args.pace, &team.counts, stop).await?;
        team.counts.resting.store(true, Ordering::Relaxed);
    }
    let turns = (f64::from(args.seconds) / TURN).ceil().max(1.0) as usize;
    let turn = Duration::from_secs_f64(f64::from(args.seconds) / turns as f64);
    for n in 0..turns * teams.len() {
        // Each is the first as often as the others.
        let at = (n + n / teams.len()) % teams.len();
        let what = format!("turn {} of {turns}: {}", n / teams.len() + 1, teams[at].what);
        teams[at].take_turn(&what, turn, args.pace, stop).await?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let seconds = teams[0].time.as_secs_f64();
    let mut servers = teams.iter().map(Team::report).collect::<Result<Vec<Side>, _>>()?;
    let first = servers[0].server_cpu_us_per_move;
    for side in &mut servers {
        side.cpu_ratio = side.server_cpu_us_per_move.zip(first).map(|(mine, first)| round(mine / first));
    }
    for team in &teams {
        team.counts.over.store(true, Ordering::Relaxed);
    }
    let mut takeovers = Vec::new();
    if let Some(mut team) = teams.drain(2..).next() {
        for (what, how) in [("stopped gracefully", "TERM"), ("killed", "KILL"), ("frozen", "STOP")] {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            note(paint(DIM, format!("a server is {what}\n")))?;
            takeovers.push(team.takeover(what, how).await?);
        }
    }
    Ok(Report { tables_per_server: args.tables, seconds: round(seconds), servers, takeovers })
}

impl Team {
    fn single(what: &str, postgres: Option<Postgres>) -> Result<Team, Failure> {
        let metrics = free_port()?;
        let serving = Serving { metrics: Some(metrics), ..Serving::default() };
        let Some(postgres) = postgres else {
            return Ok(Team::of(what.into(), vec![Process::server(&serving)?], vec![metrics], None));
        };
        let serving = Serving { postgres: Some(postgres.database("lair")?), ..serving };
        let server = Process::server(&serving)?;
        let services = Services { postgres, nats: None, serving };
        Ok(Team::of(what.into(), vec![server], vec![metrics], Some(services)))
    }

    fn several(what: String, nodes: usize) -> Result<Team, Failure> {
        let (postgres, nats) = (Postgres::start()?, Nats::start()?);
        let (url, bus) = (postgres.database("lair")?, nats.url.clone());
        let serving = Serving { postgres: Some(url), nats: Some(bus), ..Serving::default() };
        let services = Services { postgres, nats: Some(nats), serving };
        let mut team = Team::of(what, Vec::new(), Vec::new(), Some(services));
        for n in 0..nodes {
            team.start_server(n)?;
        }
        Ok(team)
    }

    fn of(what: String, servers: Vec<Process>, metrics: Vec<SocketAddr>, services: Option<Services>) -> Team {
        let (counts, time, spent, commits, wal) = Default::default();
        Team { what, servers, metrics, services, counts, time, spent, commits, wal }
    }

    /// In the place of an earlier one of this number, if there was one.
    fn start_server(&mut self, n: usize) -> Result<(), Failure> {
        let Some(services) = &self.services else { return Ok(()) };
        let metrics = free_port()?;
        let node = Some(format!("node-{}", n + 1));
        let serving = Serving { node, metrics: Some(metrics), ..services.serving.clone() };
        let server = Process::server(&serving)?;
        if n < self.servers.len() {
            (self.servers[n], self.metrics[n]) = (server, metrics);
        } else {
            self.servers.push(server);
            self.metrics.push(metrics);
        }
        Ok(())
    }

    /// So many tables at each server, their players there or at the other servers.
    fn places(&self, tables: u32, far: bool) -> Vec<Place> {
        let addresses: Vec<SocketAddr> = self.servers.iter().map(|server| server.address).collect();
        let place = |n: usize| {
            let at = |more: usize| addresses[(n + more) % addresses.len()];
            // Of the first server everybody has a session.
            if far { Place { table: at(0), sockets: [at(1), at(2)] } } else { Place::at(at(0)) }
        };
        (0..tables as usize * addresses.len()).map(place).collect()
    }

    /// Plays for a while, and notes what that took.
    async fn take_turn(&mut self, what: &str, turn: Duration, pace: f64, stop: &Stop) -> Result<(), Failure> {
        self.counts.resting.store(false, Ordering::Relaxed);
        // Until everyone is playing again.
        tokio::time::sleep(Duration::from_secs_f64(pace.min(3.0))).await;
        let (start, before, commits, wal) = (Instant::now(), self.cpu(), self.commits().await, self.wal());
        self.counts.measuring.store(true, Ordering::Relaxed);
        progress(what, turn, stop).await?;
        self.counts.measuring.store(false, Ordering::Relaxed);
        self.time += start.elapsed();
        let (after, more) = (self.cpu(), self.commits().await);
        for ((sum, before), after) in self.spent.iter_mut().zip(before).zip(after) {
            if let Some((before, after)) = before.zip(after) {
                *sum.get_or_insert_default() += after - before;
            }
        }
        if let Some((before, after)) = wal.zip(self.wal()) {
            *self.wal.get_or_insert_default() += after - before;
        }
        for ((sum, before), after) in self.commits.iter_mut().zip(commits).zip(more) {
            *sum += after - before;
        }
        self.counts.resting.store(true, Ordering::Relaxed);
        tokio::time::sleep(REST).await;
        note(paint(DIM, format!("{what}: done\n")))?;
        Ok(())
    }

    /// Processor time of the servers, of PostgreSQL and of NATS.
    fn cpu(&self) -> [Option<Duration>; 3] {
        let services = self.services.as_ref();
        [
            self.servers.iter().map(Process::cpu).sum(),
            services.and_then(|services| services.postgres.cpu()),
            services.and_then(|services| services.nats.as_ref()?.cpu()),
        ]
    }

    fn wal(&self) -> Option<u64> {
        self.services.as_ref()?.postgres.written_ahead()
    }

    /// Changes and commits so far, of all servers.
    async fn commits(&self) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for address in &self.metrics {
            let Ok(Some(text)) = people::get(*address, "/metrics").await else { continue };
            let text = String::from_utf8_lossy(&text);
            for (sum, name) in sums.iter_mut().zip(["lair_commit_batch_sum ", "lair_commit_batch_count "]) {
                let line = text.lines().find_map(|line| line.strip_prefix(name));
                *sum += line.and_then(|number| number.trim().parse::<f64>().ok()).unwrap_or(0.0);
            }
        }
        sums
    }

    fn report(&self) -> Result<Side, Failure> {
        let Told { p50_ms, p99_ms, moves, refused, broken, .. } = self.counts.told()?;
        let each = |spent: &Option<Duration>| {
            spent.map(|spent| round(spent.as_secs_f64() * 1e6 / moves.max(1) as f64))
        };
        let [changes, commits] = self.commits;
        Ok(Side {
            what: self.what.clone(),
            moves_per_s: round(moves as f64 / self.time.as_secs_f64()),
            p50_ms,
            p99_ms,
            refused,
            broken,
            rows_per_commit: (commits > 0.0).then(|| round(changes / commits)),
            server_cpu_us_per_move: each(&self.spent[0]),
            postgres_cpu_us_per_move: each(&self.spent[1]),
            nats_cpu_us_per_move: each(&self.spent[2]),
            wal_bytes_per_move: self.wal.map(|bytes| round(bytes as f64 / moves.max(1) as f64)),
            cpu_ratio: None,
        })
    }

    /// The last server goes, and its tables are looked for at the first.
    async fn takeover(&mut self, what: &'static str, how: &str) -> Result<Takeover, Failure> {
        let (last, there) = (self.servers.len() - 1, self.servers[0].address);
        let at = self.servers[last].address;
        let mut paths = Vec::new();
        for _ in 0..ORPHANS {
            let host = people::guest(at, "Ann").await.map_err(Failure::failed)?;
            let new = json!({ "settings": { "players": 2 } });
            let (_, body) = people::post(at, "/api/tables", &host, &new).await.map_err(Failure::failed)?;
            let made: NewTableReply = serde_json::from_slice(&body).map_err(Failure::failed)?;
            paths.push(format!("/api/tables/{}", made.id));
        }
        self.servers[last].signal(how)?;
        let start = Instant::now();
        let mut coming: JoinSet<_> = paths.into_iter().map(|path| come(there, path, start)).collect();
        let mut times = Vec::new();
        while let Some(time) = coming.join_next().await {
            let gone = || Failure::failed(format!("a table of a server that is {what} is gone"));
            times.push(time.ok().flatten().ok_or_else(gone)?.as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        // It ends for good, and another one comes in its place.
        self.start_server(last)?;
        let median_ms = round(times[times.len() / 2]);
        Ok(Takeover { what, median_ms, max_ms: round(times[times.len() - 1]) })
    }
}

/// How long it takes until a table can be had at this server.
async fn come(at: SocketAddr, path: String, since: Instant) -> Option<Duration> {
    while since.elapsed() < PATIENCE {
        if matches!(tokio::time::timeout(PATIENCE, people::get(at, &path)).await, Ok(Ok(Some(_)))) {
            return Some(since.elapsed());
        }
        tokio::time::sleep(LOOK).await;
    }
    None
}

fn free_port() -> Result<SocketAddr, Failure> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

pub fn table(report: &Report) -> String {
    let mut text = String::new();
    for side in &report.servers {
        let time = |time: Option<f64>| time.map(|time| format!("{time} µs"));
        let rows = [
            ("moves per second", Some(side.moves_per_s.to_string())),
            ("latency, median", Some(format!("{} ms", side.p50_ms))),
            ("latency, 99th percentile", Some(format!("{} ms", side.p99_ms))),
            ("answers refused", Some(side.refused.to_string())),
            ("connections broken", Some(side.broken.to_string())),
            ("changes per commit", side.rows_per_commit.map(|rows| rows.to_string())),
            ("CPU time per move", time(side.server_cpu_us_per_move)),
            ("of PostgreSQL, beside it", time(side.postgres_cpu_us_per_move)),
            ("of NATS, beside it", time(side.nats_cpu_us_per_move)),
            ("write-ahead log per move", side.wal_bytes_per_move.map(|bytes| format!("{bytes} bytes"))),
            ("ratio to the first", side.cpu_ratio.map(|ratio| ratio.to_string())),
        ];
        let rows = rows.into_iter().filter_map(|(what, value)| Some((what, value?)));
        text += &format!("{}, {} tables each\n{}\n", side.what, report.tables_per_server, lines(rows));
    }
    if !report.takeovers.is_empty() {
        text += "until a table of a server that is gone can be had at another\n";
    }
    let takeover = |takeover: &Takeover| {
        (takeover.what, format!("{} ms, at most {} ms", takeover.median_ms, takeover.max_ms))
    };
    text + &lines(report.takeovers.iter().map(takeover))
}
