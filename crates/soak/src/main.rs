//! `soak`: random games over every mix of boxes, every ruleset, variant and number of players, with
//! the whole contract of the engine checked (docs/soak.md).
//!
//! Games are numbered. A block of games shares a deck, and its tally is added in order, so the result
//! does not depend on the number of threads, and a run that was stopped goes on where it was.

mod draw;
mod play;
mod tally;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use cards::homebrew::{self, Homebrew};
use cards::library;
use cards::tree::Set;
use clap::Parser;
use contract::{Broken, Dice};
use draw::{BLOCK, Table};
use play::Plan;
use tally::{Fault, Tally};

/// Play random games over every mix, ruleset and number of players, and check everything that must hold
#[derive(Debug, Parser)]
#[command(after_help = "\
Examples:
  cargo run --release -p soak                                  a million games
  cargo run --release -p soak -- -n 10000 --seed 7 --thorough
  cargo run --release -p soak -- --resume night.json           run the same line again to continue
  cargo run --release -p soak -- --seed 7 --only 1234          one game again, everything checked

The same seed gives the same games on any number of threads. Exit code 1: a promise was broken.
Ctrl-C stops and prints what was found so far; docs/soak.md lists what is checked.")]
struct Args {
    /// Number of games
    #[arg(short = 'n', long = "games", default_value_t = 1_000_000)]
    games: u64,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Every check in every game: slow
    #[arg(long)]
    thorough: bool,
    /// Keep what was played in this file, and continue from it
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Play this game alone, with every check
    #[arg(long, value_name = "NUMBER")]
    only: Option<u64>,
    /// A card file of your own; every fourth deck has its cards. Can be repeated
    #[arg(long, value_name = "FILE")]
    cards: Vec<PathBuf>,
}

/// The cards to draw from, without and with those of card files.
struct Shelf {
    plain: Vec<Set>,
    own: Option<Vec<Set>>,
}

impl Shelf {
    fn load(files: &[PathBuf]) -> Result<Shelf, String> {
        let plain = library::sets();
        if files.is_empty() {
            return Ok(Shelf { plain, own: None });
        }
        let read = |path: &PathBuf| {
            let file = path.display().to_string();
            let text = std::fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
            let (set, _) = cards::load(&file, &text).map_err(|errors| errors.render(false))?;
            Ok(Homebrew { file, set })
        };
        let files = files.iter().map(read).collect::<Result<Vec<_>, String>>()?;
        let own = homebrew::add(plain.clone(), &files).map_err(|error| error.to_string())?;
        Ok(Shelf { plain, own: Some(own) })
    }
}

thread_local! {
    /// Where and why this thread panicked last.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("soak: {error}");
            ExitCode::from(2)
        }
    }
}

/// The number of faults.
fn run(args: &Args) -> Result<usize, String> {
    panic::set_hook(Box::new(|info| PANIC.set(info.to_string().replace('\n', " "))));
    let shelf = Shelf::load(&args.cards)?;
    if let Some(number) = args.only {
        let found = block(&shelf, args, number / BLOCK, Some(number));
        println!("{found}");
        return Ok(found.faults.len());
    }
    let mut total = match &args.resume {
        Some(path) => Tally::read(path, args.seed).map_err(|error| format!("{}: {error}", path.display()))?,
        None => Tally { seed: args.seed, ..Tally::default() },
    };
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed)).map_err(|error| error.to_string())?;
    let (first, last) = (total.decks, args.games.div_ceil(BLOCK));
    let next = AtomicU64::new(first);
    let (sender, finished) = mpsc::channel();
    let began = Instant::now();
    thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            let (sender, stop, next, shelf) = (sender.clone(), &stop, &next, &shelf);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= last || sender.send((number, block(shelf, args, number, None))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        collect(args, &mut total, first, last, &finished, began)
    })?;
    println!("{total}");
    Ok(total.faults.len())
}

/// Adds what the threads have finished, in order, and says how it goes.
fn collect(
    args: &Args,
    total: &mut Tally,
    mut next: u64,
    last: u64,
    finished: &mpsc::Receiver<(u64, Tally)>,
    began: Instant,
) -> Result<(), String> {
    const EVERY: Duration = Duration::from_secs(10);
    let first = next;
    let mut early = BTreeMap::new();
    let mut said = Instant::now();
    let write = |total: &Tally| match &args.resume {
        Some(path) => total.write(path).map_err(|error| format!("{}: {error}", path.display())),
        None => Ok(()),
    };
    for (number, tally) in finished {
        early.insert(number, tally);
        while let Some(tally) = early.remove(&next) {
            tally.faults.iter().for_each(|fault| println!("{fault}"));
            total.add(tally);
            next += 1;
        }
        if said.elapsed() > EVERY {
            said = Instant::now();
            write(total)?;
            let a_second = ((next - first) * BLOCK) as f64 / began.elapsed().as_secs_f64();
            let left = ((last - next) * BLOCK) as f64 / a_second.max(1e-9);
            let faults = total.faults.len();
            eprintln!(
                "{} of {} games, {a_second:.0} a second, {:.0} minutes left, {faults} faults",
                next * BLOCK,
                last * BLOCK,
                left / 60.0
            );
        }
    }
    write(total)
}

/// Plays the games of a block, or one of them with every check.
fn block(shelf: &Shelf, args: &Args, number: u64, only: Option<u64>) -> Tally {
    let mut tally = Tally { seed: args.seed, decks: 1, ..Tally::default() };
    let mut dice = Dice::nth(args.seed, number);
    let own = shelf.own.as_ref().filter(|_| dice.one_in(4));
    let sets = own.unwrap_or(&shelf.plain);
    let at = Cell::new(0);
    let fault = |game, decision, setup, what| Fault { game, decision, setup, what };
    let table = match caught(|| Table::draw(&mut dice, sets).map_err(|error| Broken(error.to_string()))) {
        Ok(table) => table,
        Err(Broken(what)) => {
            tally.faults.push(fault(number * BLOCK, 0, "a deck".into(), what));
            return tally;
        }
    };
    let mut boxes: Vec<&str> = table.deck.cards(sets).map(|(set, ..)| set.code.as_str()).collect();
    boxes.dedup();
    for game in number * BLOCK..(number + 1) * BLOCK {
        let plan = if args.thorough || only.is_some() { Plan::THOROUGH } else { Plan::of(game) };
        let mut dice = Dice::nth(args.seed ^ 0x5eed, game);
        let (dealer, setup, refused) = match caught(|| Ok(draw::rules(&mut dice, &table))) {
            Ok(drawn) => drawn,
            Err(Broken(what)) => {
                tally.faults.push(fault(game, 0, format!("--deck {}", table.deck.id), what));
                continue;
            }
        };
        if only.is_some_and(|only| only != game) {
            continue;
        }
        tally.refused += refused.len() as u64;
        at.set(0);
        match caught(|| play::play(&dealer, &setup, &table.deck, game, plan, &at)) {
            Ok(played) => {
                let table = format!("{} {}", setup.rules.ruleset().name(), setup.rules.players);
                tally.played(played, &table, &boxes, plan);
            }
            Err(Broken(what)) => tally.faults.push(fault(game, at.get(), setup.to_string(), what)),
        }
    }
    tally
}

/// A panic is a broken promise like any other.
fn caught<T>(work: impl FnOnce() -> Result<T, Broken>) -> Result<T, Broken> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Broken(PANIC.take())))
}
