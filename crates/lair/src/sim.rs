//! `lair sim`: bots play many games. Every game has its own seed made from the run's seed and its number, and
//! the counts are sums, so the result does not depend on how the games are shared out to threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use engine::setup::PLAYERS;
use engine::{Actions, Dealer, Seat, Setup};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::bot::{Bot, BotKind};
use crate::cli::Sim;
use crate::decks;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::term::{DIM, GOOD, HEAD, note, pad, paint, say};

/// No game comes near; one that does is counted as unfinished.
const MAX_DECISIONS: u32 = 50_000;
const MAX_THREADS: usize = 256;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Count {
    games: u64,
    decisions: u64,
    turns: u64,
    endings: BTreeMap<&'static str, u64>,
    /// Played and won.
    bosses: BTreeMap<String, (u64, u64)>,
    seats: Vec<u64>,
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
        self.seats.resize(self.seats.len().max(other.seats.len()), 0);
        self.seats.iter_mut().zip(other.seats).for_each(|(sum, n)| *sum += n);
    }

    fn mean_turns(&self) -> f64 {
        self.turns as f64 / self.games.max(1) as f64
    }
}

pub fn run(args: &Sim, library: &Library) -> Result<(), Failure> {
    let sets = &library.sets;
    let deck = decks::named(&args.deal, sets)?;
    let db = deck.compile(sets).map_err(Failure::failed)?;
    let rules = args.deal.rules(args.deal.players.unwrap_or(*PLAYERS.start()));
    let setup = Setup { rules, deck: deck.id, seed: args.deal.seed.unwrap_or(1.into()) };
    // Refused setups are told before anything starts.
    let dealer = Dealer::new(&db, rules).map_err(Failure::usage)?;
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed)).map_err(Failure::failed)?;

    let count = play_all(&dealer, args, &setup, &stop)?;
    if count.games < args.games {
        note(format!("stopped after {} of {} games\n", count.games, args.games))?;
    }
    if args.json {
        let text = serde_json::to_string(&json(&count, args, &setup, library)).map_err(Failure::failed)?;
        return Ok(say(text + "\n")?);
    }
    Ok(say(tables(&count, args, &setup, library))?)
}

fn play_all(dealer: &Dealer, args: &Sim, setup: &Setup, stop: &AtomicBool) -> Result<Count, Failure> {
    let threads = match args.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        n => n.min(MAX_THREADS),
    };
    // Draws on standard error, and only if that is a terminal.
    let bar = ProgressBar::new(args.games);
    let style = ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} games, {eta} left");
    bar.set_style(style.map_err(Failure::failed)?);
    let next = AtomicU64::new(0);
    let total = Mutex::new(Count::default());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut mine = Count { seats: vec![0; usize::from(setup.rules.players)], ..Count::default() };
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= args.games {
                        break;
                    }
                    play_one(dealer, setup, args.bots, number, &mut mine);
                    bar.inc(1);
                }
                total.lock().unwrap_or_else(|broken| broken.into_inner()).add(mine);
            });
        }
    });
    bar.finish_and_clear();
    Ok(total.into_inner().unwrap_or_else(|broken| broken.into_inner()))
}

fn play_one(dealer: &Dealer, setup: &Setup, bots: BotKind, number: u64, count: &mut Count) {
    let Setup { rules, seed, .. } = setup;
    let mut game = dealer.deal(seed.nth(number).0, &mut ());
    let whim = seed.number().wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number.rotate_left(20);
    let mut sitters: Vec<Bot> =
        (0..rules.players).map(|seat| Bot::new(bots, whim.wrapping_add(u64::from(seat)))).collect();
    let mut legal = Actions::new();
    let mut decisions = 0;
    while let Some(decision) = game.decision() {
        if decisions == MAX_DECISIONS {
            break;
        }
        game.legal(&mut legal);
        let answer = sitters[decision.seat.index()].answer(&game, decision.seat, &legal);
        if game.apply(answer, &mut ()).is_err() {
            break;
        }
        decisions += 1;
    }
    count.games += 1;
    count.decisions += u64::from(decisions);
    count.turns += u64::from(game.state.turn());
    let winner = game.outcome().map(|outcome| outcome.winner).filter(|seat| seat.exists());
    let ending = game.outcome().map_or("unfinished", |outcome| outcome.reason.name());
    *count.endings.entry(ending).or_default() += 1;
    for seat in (0..rules.players).map(Seat) {
        let won = u64::from(winner == Some(seat));
        count.seats[seat.index()] += won;
        if let Some(boss) = game.boss(seat) {
            let sum = count.bosses.entry(game.name(boss).to_string()).or_default();
            *sum = (sum.0 + 1, sum.1 + won);
        }
    }
}

fn tables(count: &Count, args: &Sim, setup: &Setup, library: &Library) -> String {
    let games = count.games.max(1);
    let mut out = format!(
        "{} games of {} {} bots: {setup}{}\n{:.1} turns and {:.0} decisions a game\n",
        count.games,
        setup.rules.players,
        args.bots.word(),
        library.typed(),
        count.mean_turns(),
        count.decisions as f64 / games as f64
    );
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
    table("How it ended", endings);
    let seats =
        count.seats.iter().enumerate().map(|(i, n)| (format!("p{}", i + 1), *n, count.games)).collect();
    table("Won by seat", seats);
    let mut bosses: Vec<_> =
        count.bosses.iter().map(|(name, (played, won))| (name.clone(), *won, *played)).collect();
    bosses.sort_by(|a, b| (b.1 * a.2).cmp(&(a.1 * b.2)).then_with(|| a.0.cmp(&b.0)));
    table("Won by boss, when in play", bosses);
    out
}

#[derive(Serialize)]
struct Report<'a> {
    games: u64,
    setup: String,
    players: u8,
    deck: String,
    variants: Vec<&'static str>,
    bots: &'static str,
    decisions: u64,
    mean_turns: f64,
    endings: &'a BTreeMap<&'static str, u64>,
    wins_by_seat: &'a [u64],
    wins_by_boss: BTreeMap<&'a str, Boss>,
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
        setup: format!("{setup}{}", library.typed()),
        players: rules.players,
        deck: setup.deck.to_string(),
        variants: rules.variants().map(|variant| variant.name()).collect(),
        bots: args.bots.word(),
        decisions: count.decisions,
        mean_turns: (count.mean_turns() * 1000.0).round() / 1000.0,
        endings: &count.endings,
        wins_by_seat: &count.seats,
        wins_by_boss: count
            .bosses
            .iter()
            .map(|(name, (played, won))| (name.as_str(), Boss { played: *played, won: *won }))
            .collect(),
    }
}
