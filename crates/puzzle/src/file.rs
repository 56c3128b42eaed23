//! Puzzles as text: one file for each deck, a block for each puzzle.
//!
//! Invariant: what is written reads back equal, and a file that cannot be read says in which line and why.

use std::fmt;
use std::str::FromStr;

use engine::record::ActionText;
use engine::{Action, Seat, Setup};
use thiserror::Error;

use crate::prove::Goal;
use crate::puzzle::Puzzle;
use crate::rate::{Rating, TRIES};
use crate::solve::Step;

const HEADER: &str = "\
# Puzzles, proved and written by `lair puzzle mine` (docs/puzzles.md). Each is a game up to its position,
# the goal, and the only line that reaches it: answers marked ! are those to be found.
";
/// How long a line of answers may get.
const WIDTH: usize = 100;
/// No game is longer than this.
const MOST_MOVES: usize = 10_000;

/// The puzzles of a file, and which games they were looked for in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    pub mined: Vec<Mined>,
    pub puzzles: Vec<Puzzle>,
}

/// So many games with this deck and seed have been looked through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mined {
    pub games: u64,
    pub deck: String,
    pub seed: u64,
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {line}: {why}")]
pub struct FileError {
    pub line: usize,
    pub why: String,
}

impl File {
    pub fn mined(&mut self, deck: &str, seed: u64) -> &mut Mined {
        let same = |mined: &Mined| mined.deck == deck && mined.seed == seed;
        let at = self.mined.iter().position(same).unwrap_or_else(|| {
            self.mined.push(Mined { games: 0, deck: deck.into(), seed });
            self.mined.len() - 1
        });
        &mut self.mined[at]
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEADER)?;
        for Mined { games, deck, seed } in &self.mined {
            writeln!(f, "mined {games} games, deck {deck}, seed {seed}")?;
        }
        for puzzle in &self.puzzles {
            write!(f, "\n{puzzle}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "puzzle {}", self.name())?;
        for note in &self.notes {
            writeln!(f, "  # {note}")?;
        }
        writeln!(f, "  setup {}", self.setup)?;
        list(f, "moves", self.moves.iter().map(|action| ActionText(*action).to_string()))?;
        writeln!(f, "  goal {} {}", self.seat, self.goal.name())?;
        let mark = |only| if only { "!" } else { "" };
        list(
            f,
            "line",
            self.line.iter().map(|step| format!("{}{}", ActionText(step.action), mark(step.only))),
        )?;
        writeln!(f, "  first {}", numbers(&self.rating.first))?;
        writeln!(f, "  found {}", numbers(&self.rating.line))
    }
}

fn numbers(found: &[u8; 6]) -> String {
    found.map(|n| n.to_string()).join(" ")
}

/// Things one after the other, on as many lines as it takes; equal ones in a row are counted.
fn list(f: &mut fmt::Formatter<'_>, word: &str, items: impl Iterator<Item = String>) -> fmt::Result {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for item in items {
        match counted.last_mut().filter(|(last, _)| *last == item) {
            Some((_, n)) => *n += 1,
            None => counted.push((item, 1)),
        }
    }
    let mut line = format!("  {word} ");
    let first = line.len();
    for (i, (item, n)) in counted.iter().enumerate() {
        let times = if *n > 1 { format!(" x{n}") } else { String::new() };
        let end = if i + 1 < counted.len() { ";" } else { "" };
        let text = format!("{item}{times}{end}");
        if line.len() + 1 + text.len() > WIDTH {
            writeln!(f, "{}", line.trim_end())?;
            line = " ".repeat(first);
        }
        line.push_str(&text);
        line.push(' ');
    }
    writeln!(f, "{}", line.trim_end())
}

impl FromStr for File {
    type Err = FileError;

    fn from_str(text: &str) -> Result<File, FileError> {
        let mut file = File::default();
        let mut lines = text.lines().enumerate().peekable();
        while let Some((at, line)) = lines.next() {
            let wrong = |why: String| FileError { line: at + 1, why };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(mined) = line.strip_prefix("mined ") {
                file.mined.push(
                    read_mined(mined)
                        .ok_or_else(|| wrong("write `mined 100 games, deck bmr, seed 1`".into()))?,
                );
                continue;
            }
            let Some(name) = line.strip_prefix("puzzle ") else {
                return Err(wrong(format!("`{}` begins nothing: write puzzle or mined", cut(line))));
            };
            let mut block = Block::default();
            while let Some((at, line)) = lines.next_if(|(_, line)| line.starts_with("  ")) {
                block.line(line.trim()).map_err(|why| FileError { line: at + 1, why })?;
            }
            let puzzle = block.finish().map_err(|missing| wrong(format!("the puzzle has no `{missing}`")))?;
            if puzzle.name() != name {
                let why = format!(
                    "this puzzle is called {}, not {}: it was changed by hand",
                    puzzle.name(),
                    cut(name)
                );
                return Err(wrong(why));
            }
            file.puzzles.push(puzzle);
        }
        Ok(file)
    }
}

fn read_mined(text: &str) -> Option<Mined> {
    let (games, rest) = text.split_once(" games, deck ")?;
    let (deck, seed) = rest.split_once(", seed ")?;
    Some(Mined { games: games.parse().ok()?, deck: deck.into(), seed: seed.parse().ok()? })
}

/// What has been read of a puzzle.
#[derive(Default)]
struct Block {
    setup: Option<Setup>,
    moves: Option<Vec<Action>>,
    goal: Option<(Seat, Goal)>,
    line: Option<Vec<Step>>,
    first: Option<[u8; 6]>,
    found: Option<[u8; 6]>,
    notes: Vec<String>,
    /// A list goes on in the next line.
    open: Option<(&'static str, String)>,
}

impl Block {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some((word, text)) = self.open.take() {
            return self.list(word, format!("{text} {line}"));
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "#" => self.notes.push(rest.into()),
            "setup" => {
                self.setup = Some(rest.parse().map_err(|error: engine::SetupLineError| error.to_string())?)
            }
            "moves" => self.list("moves", rest.into())?,
            "line" => self.list("line", rest.into())?,
            "goal" => {
                let read = || {
                    let (seat, goal) = rest.split_once(' ')?;
                    let seat: u8 = seat.strip_prefix('p')?.parse().ok()?;
                    Some((Seat(seat.checked_sub(1).filter(|seat| *seat < 6)?), Goal::from_name(goal)?))
                };
                self.goal = Some(read().ok_or("write `goal p1 win` or `goal p1 survive`")?);
            }
            "first" => self.first = Some(read_numbers(rest)?),
            "found" => self.found = Some(read_numbers(rest)?),
            _ => {
                return Err(format!(
                    "a puzzle has no `{}`: it has setup, moves, goal, line, first, found",
                    cut(word)
                ));
            }
        }
        Ok(())
    }

    fn list(&mut self, word: &'static str, text: String) -> Result<(), String> {
        if text.ends_with(';') {
            self.open = Some((word, text));
            return Ok(());
        }
        let mut steps = Vec::new();
        for item in text.split(';').map(str::trim).filter(|item| !item.is_empty()) {
            let (item, times) = match item.rsplit_once(" x") {
                Some((item, times)) => {
                    (item, times.parse().map_err(|_| format!("`{}` is no number", cut(times)))?)
                }
                None => (item, 1usize),
            };
            let (item, only) = item.strip_suffix('!').map_or((item, false), |item| (item, true));
            let action: ActionText =
                item.parse().map_err(|error: engine::record::NotAnAction| error.to_string())?;
            if steps.len() + times > MOST_MOVES {
                return Err(format!("no game has more than {MOST_MOVES} answers"));
            }
            steps.extend(std::iter::repeat_n(Step { action: action.0, only }, times));
        }
        match word {
            "moves" => self.moves = Some(steps.into_iter().map(|step| step.action).collect()),
            _ => self.line = Some(steps),
        }
        Ok(())
    }

    fn finish(self) -> Result<Puzzle, &'static str> {
        let (seat, goal) = self.goal.ok_or("goal")?;
        Ok(Puzzle {
            setup: self.setup.ok_or("setup")?,
            moves: self.moves.ok_or("moves")?,
            seat,
            goal,
            line: self.line.filter(|line| !line.is_empty()).ok_or("line")?,
            rating: Rating { first: self.first.ok_or("first")?, line: self.found.ok_or("found")? },
            notes: self.notes,
        })
    }
}

fn read_numbers(text: &str) -> Result<[u8; 6], String> {
    let numbers: Option<Vec<u8>> = text.split_whitespace().map(|n| n.parse().ok()).collect();
    let numbers: Option<[u8; 6]> = numbers.and_then(|numbers| numbers.try_into().ok());
    let wrong = || format!("write six numbers, one for each level of bots, none above its tries: {TRIES:?}");
    numbers.filter(|found| found.iter().zip(TRIES).all(|(found, tries)| *found <= tries)).ok_or_else(wrong)
}

fn cut(text: &str) -> String {
    text.chars().take(40).collect()
}
