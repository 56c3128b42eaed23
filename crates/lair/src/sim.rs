//! `lair sim`: simulates many games between bots. Every game's seed is derived from the run's seed and its
//! number, and the counts are sums, so the result does not depend on the number of threads.

use std::collections::BTreeMap;

use bots::BotSpec;
use engine::{Dealer, Seat, Setup, SoloScore};
use lab::stops::{Asked, Kinds, PerTurn, play_with_stops};
use lab::tally::UNFINISHED;
use lab::{SeatedBot, Workers, derive_seed, rounded, run_jobs};
use serde::Serialize;

use crate::cli::Sim;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::term::{DIM, GOOD, HEAD, note, pad, paint, say};
use crate::{decks, progress};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Count {
    games: u64,
    decisions: u64,
    turns: u64,
    endings: BTreeMap<&'static str, u64>,
    /// Games played and won.
    bosses: BTreeMap<String, (u64, u64)>,
    seats: Vec<u64>,
    /// By seat.
    forfeits: Vec<u64>,
    /// Of games for one: how often each score.
    scores: BTreeMap<i32, u64>,
    /// With `--stops`.
    asked: Asked,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.turns += other.turns;
        for (ending, n) in other.endings {
            *self.endings.entry(ending).or_default() += n;
        }
        for (boss, (played, won)) in other.bosses {
            let sum = self.bosses.entry(boss).or_default();
            *sum = (sum.0 + played, sum.1 + won);
        }
        self.seats.iter_mut().zip(other.seats).for_each(|(sum, n)| *sum += n);
        self.forfeits.iter_mut().zip(other.forfeits).for_each(|(sum, n)| *sum += n);
        for (score, n) in other.scores {
            *self.scores.entry(score).or_default() += n;
        }
        self.asked.add(other.asked);
    }

    fn mean_score(&self) -> f64 {
        let sum: f64 = self.scores.iter().map(|(score, n)| f64::from(*score) * *n as f64).sum();
        sum / self.games.max(1) as f64
    }

    fn median_score(&self) -> i32 {
        let mut left = self.games.div_ceil(2);
        for (score, n) in &self.scores {
            if left <= *n {
                return *score;
            }
            left -= n;
        }
        0
    }

    /// How often each title was earned, the best one first.
    fn titles(&self, challenge: bool) -> Vec<(String, u64)> {
        let mut titles: Vec<(String, u64)> = Vec::new();
        for (score, n) in self.scores.iter().rev() {
            let title = SoloScore::of(*score, challenge).title;
            match titles.last_mut().filter(|(last, _)| *last == title) {
                Some((_, sum)) => *sum += n,
                None => titles.push((title, *n)),
            }
        }
        titles
    }

    fn mean_turns(&self) -> f64 {
        self.turns as f64 / self.games.max(1) as f64
    }
}

pub fn run(args: &Sim, library: &Library) -> Result<(), Failure> {
    let sets = &library.sets;
    let deck = decks::named(&args.deal, sets)?;
    let db = deck.compile(sets).map_err(Failure::failed)?;
    let mut rules = args.deal.rules(args.deal.seats());
    // At a table of people, everyone is asked who could have an answer for all that the others can see.
    rules.cover |= args.stops;
    let setup = Setup { rules, deck: deck.id, seed: args.deal.seed.unwrap_or(1.into()) };
    // Refuse a bad setup before anything starts.
    let dealer = Dealer::new(&db, rules).map_err(Failure::usage)?;
    let seats = seats(&args.bots, rules.players)?;
    seats.iter().try_for_each(|player| SeatedBot::check(player)).map_err(Failure::failed)?;
    let count =
        progress::run(args.games, args.threads, |workers| play_all(&dealer, args, &setup, &seats, workers))?;
    if count.games < args.games {
        note(format!("stopped after {} of {} games\n", count.games, args.games))?;
    }
    if args.json {
        let text = serde_json::to_string(&json(&count, args, &setup, library)).map_err(Failure::failed)?;
        return Ok(say(text + "\n")?);
    }
    Ok(say(tables(&count, args, &setup, library))?)
}

/// One bot for all seats, or one for each.
fn seats(bots: &[BotSpec], players: u8) -> Result<Vec<&BotSpec>, Failure> {
    match bots {
        [all] => Ok(vec![all; usize::from(players)]),
        each if each.len() == usize::from(players) => Ok(each.iter().collect()),
        _ => {
            let n = bots.len();
            Err(Failure::usage(format!(
                "--bots names {n} bots for {players} players: name one, or one per player"
            )))
        }
    }
}

fn play_all(dealer: &Dealer, args: &Sim, setup: &Setup, seats: &[&BotSpec], workers: Workers) -> Count {
    let none = || vec![0; seats.len()];
    let worker = || Count { seats: none(), forfeits: none(), ..Count::default() };
    let counts = run_jobs(args.games, workers, worker, |count, number| {
        play_one(dealer, args, setup, seats, number, count);
        (workers.done)();
    });
    let mut total = worker();
    counts.into_iter().for_each(|count| total.add(count));
    total
}

fn play_one(dealer: &Dealer, args: &Sim, setup: &Setup, seats: &[&BotSpec], number: u64, count: &mut Count) {
    let Setup { rules, seed, .. } = setup;
    let mut game = dealer.deal(seed.nth(number).0, &mut ());
    let seated = |(i, player): (usize, &&BotSpec)| {
        SeatedBot::new(player, derive_seed(seed.number(), number, 0, i as u64))
    };
    let mut bots: Vec<SeatedBot> = seats.iter().enumerate().map(seated).collect();
    let end = if args.stops {
        play_with_stops(&mut game, &mut bots, &mut count.asked)
    } else {
        lab::play(&mut game, &mut bots, &mut (), |_, _, _, _| {})
    };
    count.games += 1;
    count.decisions += u64::from(end.decisions);
    count.turns += u64::from(game.state.turn());
    let winner = end.winner();
    let ending = end.outcome.map_or(UNFINISHED, |outcome| outcome.reason.name());
    *count.endings.entry(ending).or_default() += 1;
    if let Some(alone) = game.solo_score() {
        *count.scores.entry(alone.score).or_default() += 1;
    }
    for seat in (0..rules.players).map(Seat) {
        let won = u64::from(winner == Some(seat));
        count.seats[seat.index()] += won;
        count.forfeits[seat.index()] += u64::from(end.forfeits.has(seat));
        if let Some(boss) = game.boss(seat) {
            let sum = count.bosses.entry(game.name(boss).to_string()).or_default();
            *sum = (sum.0 + 1, sum.1 + won);
        }
    }
}

fn names(bots: &[BotSpec]) -> String {
    bots.iter().map(BotSpec::to_string).collect::<Vec<_>>().join(",")
}

fn tables(count: &Count, args: &Sim, setup: &Setup, library: &Library) -> String {
    let games = count.games.max(1);
    let mut out = format!(
        "{} games with {} players ({}): {setup}{}\n{:.1} turns and {:.0} decisions per game\n",
        count.games,
        setup.rules.players,
        names(&args.bots),
        library.as_arguments(),
        count.mean_turns(),
        count.decisions as f64 / games as f64
    );
    if args.stops {
        let Asked { questions, passes, covers, kinds, worst } = &count.asked;
        out.push_str(&format!("\n{}\n", paint(HEAD, "What one player is asked in one turn")));
        for (name, turns) in [("questions", questions), ("passes", passes), ("covers", covers)] {
            let Summary { median, mean, p95, worst } = Summary::of(turns);
            let row = format!("median {median}, mean {mean}, 95 % of turns at most {p95}, worst {worst}");
            out.push_str(&format!("  {} {row}\n", pad(name, 12)));
        }
        for (title, kinds) in
            [("What the questions are about", kinds), ("The turn with most questions for one player", worst)]
        {
            out.push_str(&format!("\n{}\n", paint(HEAD, title)));
            for (name, asked, passed) in most_first(kinds) {
                let passed = if passed > 0 { format!(", {passed} passed") } else { String::new() };
                out.push_str(&format!("  {} {asked:>6}{passed}\n", pad(name, 34)));
            }
        }
    }
    let mut table = |title: &str, rows: Vec<(String, u64, u64)>| {
        out.push_str(&format!("\n{}\n", paint(HEAD, title)));
        for (name, n, of) in rows {
            let share = n as f64 / of.max(1) as f64;
            let bar = "█".repeat((share * 30.0).round() as usize);
            let tail = paint(DIM, format!("{n} of {of}"));
            out.push_str(&format!(
                "  {} {:>5.1}%  {} {tail}\n",
                pad(&name, 34),
                share * 100.0,
                paint(GOOD, bar)
            ));
        }
    };
    let endings = count.endings.iter().map(|(name, n)| (name.to_string(), *n, count.games)).collect();
    table("Endings", endings);
    if !count.scores.is_empty() {
        let challenge = setup.rules.edition().treasure_needed(0) > Some(1);
        let titles = count.titles(challenge).into_iter().map(|(title, n)| (title, n, count.games)).collect();
        let title =
            format!("Titles: score {:.1} on average, median {}", count.mean_score(), count.median_score());
        table(&title, titles);
        return out;
    }
    let seats =
        count.seats.iter().enumerate().map(|(i, n)| (format!("p{}", i + 1), *n, count.games)).collect();
    table("Wins by seat", seats);
    if count.forfeits.iter().any(|n| *n > 0) {
        let by_seat = count.forfeits.iter().enumerate();
        table("Forfeits by seat", by_seat.map(|(i, n)| (format!("p{}", i + 1), *n, count.games)).collect());
    }
    let mut bosses: Vec<_> =
        count.bosses.iter().map(|(name, (played, won))| (name.clone(), *won, *played)).collect();
    bosses.sort_by(|a, b| (b.1 * a.2).cmp(&(a.1 * b.2)).then_with(|| a.0.cmp(&b.0)));
    table("Wins by boss, when in play", bosses);
    out
}

/// Most often asked first.
fn most_first(kinds: &Kinds) -> Vec<(&'static str, u64, u64)> {
    let mut rows: Vec<_> = kinds.iter().map(|(name, (asked, passed))| (*name, *asked, *passed)).collect();
    rows.sort_by_key(|(_, asked, _)| std::cmp::Reverse(*asked));
    rows
}

#[derive(Serialize)]
struct Report<'a> {
    games: u64,
    setup: String,
    players: u8,
    deck: String,
    ruleset: &'static str,
    variants: Vec<&'static str>,
    bots: String,
    decisions: u64,
    mean_turns: f64,
    endings: &'a BTreeMap<&'static str, u64>,
    wins_by_seat: &'a [u64],
    forfeits_by_seat: &'a [u64],
    wins_by_boss: BTreeMap<&'a str, Boss>,
    /// Of games for one: how often each score.
    #[serde(skip_serializing_if = "no_scores")]
    scores: &'a BTreeMap<i32, u64>,
    /// Of one player in one turn, with `--stops`.
    #[serde(skip_serializing_if = "Option::is_none")]
    questions_per_turn: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passes_per_turn: Option<Summary>,
    /// Windows with nothing to choose, which need no click.
    #[serde(skip_serializing_if = "Option::is_none")]
    covers_per_turn: Option<Summary>,
    /// By what it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    questions_by_kind: Option<BTreeMap<&'static str, AskedAbout>>,
    /// The same for the turn in which one player was asked most.
    #[serde(skip_serializing_if = "Option::is_none")]
    worst_turn: Option<BTreeMap<&'static str, AskedAbout>>,
}

fn no_scores(scores: &&BTreeMap<i32, u64>) -> bool {
    scores.is_empty()
}

#[derive(Serialize)]
struct AskedAbout {
    questions: u64,
    passes: u64,
}

fn by_kind(kinds: &Kinds) -> BTreeMap<&'static str, AskedAbout> {
    kinds
        .iter()
        .map(|(name, (questions, passes))| (*name, AskedAbout { questions: *questions, passes: *passes }))
        .collect()
}

#[derive(Serialize)]
struct Summary {
    median: u32,
    mean: f64,
    p95: u32,
    worst: u32,
}

impl Summary {
    fn of(turns: &PerTurn) -> Summary {
        Summary {
            median: turns.quantile(0.5),
            mean: rounded(turns.mean(), 2),
            p95: turns.quantile(0.95),
            worst: turns.worst(),
        }
    }
}

#[derive(Serialize)]
struct Boss {
    played: u64,
    won: u64,
}

fn json<'a>(count: &'a Count, args: &Sim, setup: &Setup, library: &Library) -> Report<'a> {
    let rules = &setup.rules;
    Report {
        games: count.games,
        setup: format!("{setup}{}", library.as_arguments()),
        players: rules.players,
        deck: setup.deck.to_string(),
        ruleset: rules.ruleset().name(),
        variants: rules.variants().map(|variant| variant.name()).collect(),
        bots: names(&args.bots),
        decisions: count.decisions,
        mean_turns: rounded(count.mean_turns(), 3),
        endings: &count.endings,
        wins_by_seat: &count.seats,
        forfeits_by_seat: &count.forfeits,
        scores: &count.scores,
        questions_per_turn: args.stops.then(|| Summary::of(&count.asked.questions)),
        passes_per_turn: args.stops.then(|| Summary::of(&count.asked.passes)),
        covers_per_turn: args.stops.then(|| Summary::of(&count.asked.covers)),
        questions_by_kind: args.stops.then(|| by_kind(&count.asked.kinds)),
        worst_turn: args.stops.then(|| by_kind(&count.asked.worst)),
        wins_by_boss: count
            .bosses
            .iter()
            .map(|(name, (played, won))| (name.as_str(), Boss { played: *played, won: *won }))
            .collect(),
    }
}
