//! `lair puzzle`: lists, plays, checks and mines puzzles.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use cards::CardDb;
use lab::run_jobs;
use puzzle::{Broken, Difficulty, File, Games, Looked, Puzzle, mine, shipped};

use crate::cli::{self, Mine, PuzzleCommand};
use crate::failure::Failure;
use crate::files::{self, read};
use crate::homebrew::Library;
use crate::play::puzzle::{End, goal, play};
use crate::serve_cmd::data_folder;
use crate::term::{BAD, DIM, GOOD, HEAD, note, pad, paint, printable, say};
use crate::{decks, progress};

pub fn run(args: &cli::Puzzle, library: &Library) -> Result<(), Failure> {
    match &args.command {
        None => play_named(None, library),
        Some(PuzzleCommand::List { deck, difficulty }) => {
            list(deck.as_deref(), difficulty.as_deref(), library)
        }
        Some(PuzzleCommand::Play { name }) => play_named(name.as_deref(), library),
        Some(PuzzleCommand::Solution { name }) => solution(find(name)?),
        Some(PuzzleCommand::Check { files, drop }) => check(files, *drop, library),
        Some(PuzzleCommand::Mine(args)) => mine_all(args, library),
    }
}

fn find(name: &str) -> Result<&'static Puzzle, Failure> {
    shipped::find(name).ok_or_else(|| {
        let name = printable(&name.chars().take(40).collect::<String>());
        Failure::usage(format!("there is no puzzle `{name}`: `lair puzzle list` shows them"))
    })
}

fn list(deck: Option<&str>, difficulty: Option<&str>, library: &Library) -> Result<(), Failure> {
    if let Some(deck) = deck {
        decks::find(deck, &library.sets)?;
    }
    let solved = Solved::read();
    let wanted = |puzzle: &&Puzzle| {
        deck.is_none_or(|deck| puzzle.deck() == deck)
            && difficulty.is_none_or(|how| puzzle.rating.difficulty().name() == how)
    };
    let puzzles: Vec<&Puzzle> = shipped::ALL.iter().filter(wanted).collect();
    let mut out = String::new();
    let mut last = "";
    for puzzle in &puzzles {
        if puzzle.deck() != last {
            last = puzzle.deck();
            let title = cards::library::deck(last, &library.sets).map(|deck| deck.title).unwrap_or_default();
            out.push_str(&format!("\n{}  {}\n", paint(HEAD, last), paint(DIM, title)));
        }
        let name = puzzle.name();
        let mark = if solved.names.contains(&name) { paint(GOOD, "✓") } else { " ".into() };
        let (players, only) = (puzzle.setup.rules.players, puzzle.only());
        let how = puzzle.rating.difficulty().name();
        let what = puzzle.goal.name();
        let answers = if only == 1 { "1 answer ".into() } else { format!("{only} answers") };
        let name = pad(&name, 24);
        out.push_str(&format!("  {mark} {name} {what:<8} {players} players  {answers}  {how}\n"));
    }
    let done = puzzles.iter().filter(|puzzle| solved.names.contains(&puzzle.name())).count();
    out.push_str(&format!("\n{done} of {} solved\n", puzzles.len()));
    Ok(say(out)?)
}

fn play_named(name: Option<&str>, library: &Library) -> Result<(), Failure> {
    let mut solved = Solved::read();
    let puzzle = match name {
        Some(name) => find(name)?,
        None => solved.next(None).ok_or_else(|| {
            Failure::failed("you have solved them all; `lair puzzle play NAME` plays one again")
        })?,
    };
    let mut next = Some(puzzle);
    while let Some(puzzle) = next {
        let deck = decks::find(puzzle.deck(), &library.sets)?;
        let db = deck.compile(&library.sets).map_err(Failure::failed)?;
        if play(puzzle, &deck, &db)? == End::Left {
            break;
        }
        solved.add(puzzle)?;
        next = if name.is_some() { None } else { solved.next(Some(puzzle)) };
    }
    Ok(())
}

fn solution(puzzle: &Puzzle) -> Result<(), Failure> {
    let mut out = format!("{}  {}\n", paint(HEAD, puzzle.name()), goal(puzzle));
    for note in &puzzle.notes {
        out.push_str(&crate::term::paragraph("  ", note, anstyle::Style::new()));
    }
    out.push_str(&paint(
        DIM,
        "  ! marks the answers to be found; the others' are those that resist longest.\n",
    ));
    Ok(say(out)?)
}

/// The names of the puzzles that were solved here, one in a line.
struct Solved {
    names: BTreeSet<String>,
}

impl Solved {
    fn file() -> Result<PathBuf, Failure> {
        Ok(data_folder()?.join("puzzles-solved"))
    }

    /// Without a file nothing has been solved.
    fn read() -> Solved {
        let text = Solved::file().ok().and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
        Solved { names: text.lines().map(String::from).collect() }
    }

    /// The first one after this that is not solved, and then from the beginning.
    fn next(&self, after: Option<&Puzzle>) -> Option<&'static Puzzle> {
        let all = &*shipped::ALL;
        let from = after.and_then(|last| all.iter().position(|puzzle| puzzle == last)).map_or(0, |at| at + 1);
        all[from..].iter().chain(&all[..from]).find(|puzzle| !self.names.contains(&puzzle.name()))
    }

    fn add(&mut self, puzzle: &Puzzle) -> Result<(), Failure> {
        let name = puzzle.name();
        if !self.names.insert(name.clone()) {
            return Ok(());
        }
        let file = Solved::file()?;
        let append = || {
            fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
            let mut open = fs::File::options().append(true).create(true).open(&file)?;
            open.write_all(format!("{name}\n").as_bytes())
        };
        append().map_err(|error| {
            Failure::failed(format!("{}: it cannot be kept that you solved this: {error}", file.display()))
        })
    }
}

fn read_file(path: &Path) -> Result<File, Failure> {
    let text = read(path, files::PUZZLES).map_err(Failure::failed)?;
    text.parse().map_err(|error| Failure::failed(format!("{}, {error}", path.display())))
}

/// Replaces the file at once, so that a failed write leaves the old one.
fn write_file(path: &Path, file: &File) -> Result<(), Failure> {
    let failed = |error| Failure::failed(format!("cannot write {}: {error}", path.display()));
    let mut beside = path.to_path_buf().into_os_string();
    beside.push(".part");
    fs::write(&beside, file.to_string()).map_err(failed)?;
    fs::rename(Path::new(&beside), path).map_err(failed)
}

/// The cards of the deck that was asked for last.
#[derive(Default)]
struct Decks(Option<(String, Result<CardDb, Broken>)>);

impl Decks {
    fn check(&mut self, puzzle: &Puzzle, library: &Library) -> Result<(), Broken> {
        if self.0.as_ref().is_none_or(|(deck, _)| deck != puzzle.deck()) {
            self.0 = Some((puzzle.deck().into(), puzzle.db(&library.sets)));
        }
        match &self.0 {
            Some((_, Ok(db))) => puzzle.check(db).map(drop),
            Some((_, Err(error))) => Err(error.clone()),
            None => Ok(()),
        }
    }
}

fn check(paths: &[PathBuf], dropping: bool, library: &Library) -> Result<(), Failure> {
    let mut decks = Decks::default();
    let (mut all, mut broken) = (0, 0);
    let mut holds = |puzzle: &Puzzle| -> Result<bool, Failure> {
        all += 1;
        let Err(why) = decks.check(puzzle, library) else { return Ok(true) };
        broken += 1;
        note(format!("{} {}: {why}\n", paint(BAD, "broken"), puzzle.name()))?;
        Ok(false)
    };
    if paths.is_empty() {
        for puzzle in shipped::ALL.iter() {
            holds(puzzle)?;
        }
    }
    for path in paths {
        let mut file = read_file(path)?;
        let (before, mut held) = (file.puzzles.len(), Vec::new());
        for puzzle in std::mem::take(&mut file.puzzles) {
            if holds(&puzzle)? {
                held.push(puzzle);
            }
        }
        file.puzzles = held;
        if dropping && file.puzzles.len() < before {
            write_file(path, &file)?;
        }
    }
    match broken {
        0 => Ok(say(format!("{} {all} puzzles hold\n", paint(GOOD, "proved:")))?),
        n if dropping => Ok(say(format!("{n} of {all} puzzles were dropped\n"))?),
        n => {
            note(format!(
                "{n} of {all} puzzles do not hold with these cards: `lair puzzle check --drop FILE` takes them \
                 out, and `lair puzzle mine` looks for others\n"
            ))?;
            Err(Failure::Reported)
        }
    }
}

/// Games that are looked through before the file is written again.
const BATCH: u64 = 16;

fn mine_all(args: &Mine, library: &Library) -> Result<(), Failure> {
    let mut file = if args.out.exists() { read_file(&args.out)? } else { File::default() };
    let decks = args.decks.iter().map(|name| {
        let deck = decks::find(name, &library.sets)?;
        if !deck.id.is_preset() {
            let why = "puzzles are looked for in built-in decks, which everybody has";
            return Err(Failure::usage(format!("{}: {why}", printable(name))));
        }
        let db = deck.compile(&library.sets).map_err(Failure::failed)?;
        Ok((deck, db))
    });
    let decks = decks.collect::<Result<Vec<_>, Failure>>()?;
    let left = |file: &mut File, deck: &str| args.games.saturating_sub(file.mined(deck, args.seed).games);
    let games: u64 = decks.iter().map(|(deck, _)| left(&mut file, deck.id.name())).sum();
    // Nothing may be lost for want of a place to write to.
    write_file(&args.out, &file)?;
    let (before, mut looked, mut played) = (file.puzzles.len(), Looked::default(), 0);
    let written = progress::run_shown(games, args.threads, |workers, bar| -> Result<(), Failure> {
        for (deck, db) in &decks {
            let (name, games) = (deck.id.name(), Games::new(db, deck, args.seed));
            while left(&mut file, name) > 0 && !workers.stop.load(Ordering::Relaxed) {
                let first = file.mined(name, args.seed).games;
                let batch = left(&mut file, name).min(BATCH);
                let each = |found: &mut Vec<(u64, (Vec<Puzzle>, Looked))>, number| {
                    let setup = games.nth(first + number);
                    found.push((number, setup.map(|setup| mine(db, &setup)).unwrap_or_default()));
                    (workers.done)();
                };
                let mut found = run_jobs(batch, workers, Vec::new, each).concat();
                found.sort_by_key(|(number, _)| *number);
                played += found.len() as u64;
                file.mined(name, args.seed).games += found.len() as u64;
                for (_, (puzzles, more)) in found {
                    let new = puzzles.into_iter().filter(|puzzle| !file.puzzles.contains(puzzle));
                    let new: Vec<Puzzle> = new.collect();
                    file.puzzles.extend(new);
                    looked.add(more);
                }
                write_file(&args.out, &file)?;
                bar.set_message(format!(", {} puzzles", file.puzzles.len() - before));
            }
        }
        Ok(())
    })?;
    written?;
    let Looked { positions, unsettled, .. } = looked;
    let new = file.puzzles.len() - before;
    let stopped =
        if played < games { format!("stopped after {played} of {games} games: ") } else { String::new() };
    let by = |how| file.puzzles[before..].iter().filter(|puzzle| puzzle.rating.difficulty() == how).count();
    let kinds = Difficulty::ALL.map(|how| format!("{} {}", by(how), how.name())).join(", ");
    say(format!(
        "{stopped}{new} puzzles in {played} games ({kinds})\n{positions} positions were looked at; {unsettled} \
         could not be settled and were left out\n{}: {} puzzles\n",
        args.out.display(),
        file.puzzles.len()
    ))?;
    if played < games {
        say("The same command goes on from here.\n")?;
    }
    Ok(())
}
