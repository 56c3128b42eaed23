//! What a run has played so far, and what it found. Kept in a file, it can be continued.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use crate::play::{Plan, Played, RATES};
use serde::{Deserialize, Serialize};

/// The first games of a run, without gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub seed: u64,
    pub games: u64,
    pub decisions: u64,
    pub turns: u64,
    /// Setups that were refused, each with a reason.
    pub refused: u64,
    /// One for each block of games: how far the run has come.
    pub decks: u64,
    /// Games by ruleset and number of players, by ending, by box, and by check.
    pub tables: BTreeMap<String, u64>,
    pub endings: BTreeMap<String, u64>,
    pub boxes: BTreeMap<String, u64>,
    pub checks: BTreeMap<String, u64>,
    pub faults: Vec<Fault>,
}

/// A game that broke a promise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub game: u64,
    pub decision: usize,
    /// The line that names the game.
    pub setup: String,
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { game, decision, setup, what } = self;
        write!(f, "game {game}, decision {decision}: {setup}\n    {what}\n    again: --only {game}")
    }
}

fn count(counts: &mut BTreeMap<String, u64>, key: &str, n: u64) {
    match counts.get_mut(key) {
        Some(sum) => *sum += n,
        None => {
            counts.insert(key.to_owned(), n);
        }
    }
}

impl Tally {
    pub fn played(&mut self, played: Played, table: &str, boxes: &[&str], plan: Plan) {
        self.games += 1;
        self.decisions += played.decisions as u64;
        self.turns += u64::from(played.turns);
        count(&mut self.tables, table, 1);
        count(&mut self.endings, played.outcome.reason.name(), 1);
        boxes.iter().for_each(|code| count(&mut self.boxes, code, 1));
        for (_, (name, _)) in RATES.iter().enumerate().filter(|(i, _)| plan.has(*i)) {
            count(&mut self.checks, name, 1);
        }
    }

    pub fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.turns += other.turns;
        self.refused += other.refused;
        self.decks += other.decks;
        for (mine, theirs) in [
            (&mut self.tables, other.tables),
            (&mut self.endings, other.endings),
            (&mut self.boxes, other.boxes),
            (&mut self.checks, other.checks),
        ] {
            theirs.iter().for_each(|(key, n)| count(mine, key, *n));
        }
        self.faults.extend(other.faults);
    }

    /// From the file, or a new one if there is none.
    pub fn read(path: &Path, seed: u64) -> io::Result<Tally> {
        let tally: Tally = match fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Tally { seed, ..Tally::default() },
            Err(error) => return Err(error),
        };
        if tally.seed != seed {
            let why = format!("it was begun with --seed {}: use that, or another file", tally.seed);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        Ok(tally)
    }

    /// Written beside the file and put in its place, so that it is always whole.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let beside = path.with_extension("part");
        fs::write(&beside, serde_json::to_string_pretty(self)? + "\n")?;
        fs::rename(beside, path)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = self.games.max(1) as f64;
        writeln!(
            f,
            "{} games with {} decks: {:.0} decisions and {:.1} turns each; {} setups refused with a reason",
            self.games,
            self.decks,
            self.decisions as f64 / each,
            self.turns as f64 / each,
            self.refused
        )?;
        for (title, counts) in [
            ("by rules and players", &self.tables),
            ("by ending", &self.endings),
            ("by box", &self.boxes),
            ("checked in", &self.checks),
        ] {
            let listed: Vec<String> = counts.iter().map(|(key, n)| format!("{key} {n}")).collect();
            writeln!(f, "  {title}: {}", listed.join(", "))?;
        }
        match self.faults.len() {
            0 => write!(f, "no fault was found"),
            n => {
                writeln!(f, "{n} faults:")?;
                self.faults.iter().try_for_each(|fault| writeln!(f, "  {fault}"))
            }
        }
    }
}
