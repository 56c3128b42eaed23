//! Benchmarks random games, with random chess as a baseline. Both alternate within one process and are
//! measured in CPU time, so that a busy machine slows them alike; the figures are medians. It also trains
//! the bots' network.

mod chess;
mod lair;

use cards::homebrew::{self, Homebrew};
use cards::library;
use engine::{Rules, Ruleset};
use serde::Serialize;

/// Rounds of each workload; odd, so that the median is one of them.
const ROUNDS: usize = 15;

#[derive(Serialize)]
struct Figures {
    /// Answers with at least two choices; two-player base game, uniformly random players.
    decisions_per_s: f64,
    games_per_s: f64,
    decisions_per_game: f64,
    /// One copy of the whole state, cycling through a megabyte of them.
    clone_ns: f64,
    state_bytes: usize,
    reference_decisions_per_s: f64,
    /// Lair to chess, round by round.
    ratio: f64,
    /// Simulations from the first build to the end of the game.
    search_sims_per_s: f64,
    /// The same to the end of the turn, as the search bot runs them.
    search_turn_sims_per_s: f64,
    tables: Vec<TableSpeed>,
}

/// Another deck, or more players.
#[derive(Serialize)]
struct TableSpeed {
    deck: &'static str,
    players: u8,
    decisions_per_s: f64,
    decisions_per_game: f64,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let db = library::base();
    match args[..] {
        ["--json"] => println!("{}", serde_json::to_string_pretty(&measure(&db)).unwrap_or_default()),
        [] => print_table(&measure(&db)),
        // A single workload, for a profiler that counts instructions (docs/performance.md).
        ["count", games] => count(&db, Rules::classic(2), games),
        ["count", games, deck, ruleset, players] => {
            let rules = ruleset.parse::<Ruleset>().ok().zip(players.parse().ok());
            let deck =
                library::deck(deck, &library::sets()).and_then(|deck| deck.compile(&library::sets()).ok());
            match deck.zip(rules) {
                Some((db, (ruleset, players))) => {
                    count(&db, Rules::classic(players).with_ruleset(ruleset), games);
                }
                None => usage(),
            }
        }
        // The effect of branch prediction: the same few games over and over, and as many different ones.
        ["same", times] if times.parse::<u64>().is_ok() => {
            let times = times.parse().unwrap_or(1);
            let [same, different] = lair::same_and_different(&db, times).map(|run| 1e9 / run.per_second());
            println!("same games: {same:.0} ns per decision; different games: {different:.0} ns");
        }
        _ => usage(),
    }
}

fn count(db: &cards::CardDb, rules: Rules, games: &str) {
    let Ok(games) = games.parse() else { usage() };
    let run = lair::play(db, rules, 0, games);
    println!("{} games, {} decisions", run.games, run.decisions);
}

fn usage() -> ! {
    eprintln!(
        "usage: bench [--json]
       bench count GAMES [DECK RULESET PLAYERS]
       bench same TIMES"
    );
    std::process::exit(2);
}

fn compiled(name: &str, sets: &[cards::tree::Set]) -> cards::CardDb {
    match library::deck(name, sets).map(|deck| deck.compile(sets)) {
        Some(Ok(db)) => db,
        _ => unreachable!("{name} comes with the program"),
    }
}

fn measure(db: &cards::CardDb) -> Figures {
    let (mut ours, mut reference, mut ratios, mut games) = (vec![], vec![], vec![], vec![]);
    let mut per_game = 0.0;
    lair::play(db, Rules::classic(2), 0, 500);
    chess::play(0, 50);
    for round in 0..ROUNDS as u64 {
        let chess = chess::play(round, 300);
        let lair = lair::play(db, Rules::classic(2), round << 32, 3_000);
        ours.push(lair.per_second());
        reference.push(chess.per_second());
        ratios.push(lair.per_second() / chess.per_second());
        games.push(lair.games as f64 / lair.seconds);
        per_game = lair.decisions as f64 / lair.games as f64;
    }
    let tables = tables().into_iter().map(|(deck, db, rules)| {
        let runs: Vec<_> = (0..5).map(|round| lair::play(&db, rules, round << 32, 600)).collect();
        TableSpeed {
            deck,
            players: rules.players,
            decisions_per_s: median(runs.iter().map(|run| run.per_second()).collect()),
            decisions_per_game: runs[0].decisions as f64 / runs[0].games as f64,
        }
    });
    Figures {
        decisions_per_s: median(ours),
        games_per_s: median(games),
        decisions_per_game: per_game,
        clone_ns: median((0..ROUNDS).map(|_| lair::clone_ns(db)).collect()),
        state_bytes: size_of::<engine::State>(),
        reference_decisions_per_s: median(reference),
        ratio: median(ratios),
        search_sims_per_s: median((0..5).map(|seed| lair::sims_per_s(db, seed)).collect()),
        search_turn_sims_per_s: median((0..5).map(|seed| lair::turn_sims_per_s(db, seed)).collect()),
        tables: tables.collect(),
    }
}

/// Other boxes, mixed decks, homebrew cards, the other rulesets, and up to six players.
fn tables() -> Vec<(&'static str, cards::CardDb, Rules)> {
    let sets = library::sets();
    let own = include_str!("../../../examples/leftover-pixels.cards");
    let homebrew = cards::load("leftover-pixels.cards", own)
        .map(|(set, _)| vec![Homebrew { file: "leftover-pixels.cards".into(), set }])
        .unwrap_or_default();
    let with_own = homebrew::add(sets.clone(), &homebrew).unwrap_or_else(|_| sets.clone());
    let by = |ruleset: &str, players| match ruleset.parse() {
        Ok(ruleset) => Rules::classic(players).with_ruleset(ruleset),
        Err(error) => unreachable!("{error}"),
    };
    let rules = [
        ("bmr", by("classic", 3)),
        ("bmr", by("classic", 4)),
        ("tnl", by("classic", 2)),
        ("mash-up", by("classic", 2)),
        ("mash-up", by("classic", 4)),
        ("rmb", by("classic", 4)),
        ("bmr-crl-thk", by("classic", 4)),
        ("rmb-crl-thk", by("classic", 4)),
        ("rmb-crl-thk", by("crash", 6)),
        ("sbm", by("super", 2)),
        ("sbm", by("super", 4)),
    ];
    let mut tables: Vec<_> =
        rules.into_iter().map(|(deck, rules)| (deck, compiled(deck, &sets), rules)).collect();
    tables.push(("bmr, homebrew", compiled("bmr", &with_own), Rules::classic(2)));
    tables
}

fn print_table(figures: &Figures) {
    println!("two players, uniformly random, one core");
    println!("  decisions/s          {:>12.0}", figures.decisions_per_s);
    println!("  games/s              {:>12.0}", figures.games_per_s);
    println!("  decisions/game       {:>12.1}", figures.decisions_per_game);
    println!("  chess decisions/s    {:>12.0}", figures.reference_decisions_per_s);
    println!("  ratio                {:>12.3}", figures.ratio);
    println!("  copy of a state      {:>9.1} ns", figures.clone_ns);
    println!("  size of a state      {:>7} bytes", figures.state_bytes);
    println!("  simulations/s        {:>12.0}  to the end of the game", figures.search_sims_per_s);
    println!("                       {:>12.0}  to the end of the turn", figures.search_turn_sims_per_s);
    for row in &figures.tables {
        println!("  decisions/s, {} players, {:<14} {:>9.0}", row.players, row.deck, row.decisions_per_s);
    }
}

/// What a workload did, and the CPU time it took.
struct Run {
    games: u64,
    decisions: u64,
    seconds: f64,
}

impl Run {
    fn per_second(&self) -> f64 {
        self.decisions as f64 / self.seconds
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
