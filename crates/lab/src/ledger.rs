//! The rounds of an arena in a file that only ever grows: the first line says what is played, every other line is a
//! round, written when it was over. What was cut off while writing is left out and played again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::arena::{Arena, Round};

const FORMAT: &str = "lair arena 2";

#[derive(Debug, Error)]
pub enum LedgerError {
    #[error("{file}: {error}")]
    Io {
        file: String,
        #[source]
        error: io::Error,
    },
    #[error("{file}: another arena is writing into it: wait until it is over, or take another file")]
    Busy { file: String },
    #[error("{file}: this holds no arena that could be gone on with: {why}")]
    Foreign { file: String, why: String },
    #[error(
        "{file}: it was begun with the {what} {theirs}; now it is {ours}: take another file, or the same {what}"
    )]
    Other { file: String, what: &'static str, theirs: String, ours: String },
    #[error("{file}, line {line}: this is no round of it")]
    Line { file: String, line: usize },
}

/// What makes rounds comparable.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    format: String,
    program: String,
    setup: String,
    cards: String,
    entrants: Vec<String>,
}

pub struct Ledger {
    path: PathBuf,
    file: File,
    rounds: BTreeMap<u64, Round>,
}

impl Ledger {
    /// Opens the file to go on with, or begins it. `cards` names the cards that are played with.
    pub fn open(path: &Path, arena: &Arena, cards: &[u8]) -> Result<Ledger, LedgerError> {
        let name = || path.display().to_string();
        let failed = |error| LedgerError::Io { file: name(), error };
        let header = Header {
            format: FORMAT.into(),
            program: env!("CARGO_PKG_VERSION").into(),
            setup: arena.setup.to_string(),
            cards: cards.iter().map(|byte| format!("{byte:02x}")).collect(),
            entrants: arena.entrants.iter().map(ToString::to_string).collect(),
        };
        let mut open = OpenOptions::new();
        let mut file = open.read(true).append(true).create(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LedgerError::Busy { file: name() }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(LedgerError::Foreign { file: name(), why: "it is no ordinary file".into() });
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut lines = text[..whole].lines().enumerate();
        let mut rounds = BTreeMap::new();
        match lines.next() {
            None if !text.is_empty() && !begins_alike(&text) => {
                return Err(LedgerError::Foreign {
                    file: name(),
                    why: "its first line is something else".into(),
                });
            }
            None => {}
            Some((_, line)) => header.compare(line, &name())?,
        }
        for (number, line) in lines {
            let wrong = || LedgerError::Line { file: name(), line: number + 1 };
            let (deal, round): (u64, Round) = serde_json::from_str(line).map_err(|_| wrong())?;
            let mut games = round.iter().zip(&arena.seatings);
            if round.len() != arena.seatings.len() || !games.all(|(played, seating)| played.is_of(seating)) {
                return Err(wrong());
            }
            rounds.insert(deal, round);
        }
        file.set_len(whole as u64).map_err(failed)?;
        let mut ledger = Ledger { path: path.into(), file, rounds };
        if whole == 0 {
            ledger.write(&header)?;
        }
        Ok(ledger)
    }

    /// The rounds that were there when it was opened, by the number of their deal; they are given once.
    pub fn take_rounds(&mut self) -> BTreeMap<u64, Round> {
        std::mem::take(&mut self.rounds)
    }

    pub fn add(&mut self, deal: u64, round: &Round) -> Result<(), LedgerError> {
        self.write(&(deal, round))
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), LedgerError> {
        let text = serde_json::to_string(line).map_err(io::Error::from);
        let written = text.and_then(|text| self.file.write_all((text + "\n").as_bytes()));
        written.map_err(|error| LedgerError::Io { file: self.path.display().to_string(), error })
    }
}

/// Is this the beginning of a first line, cut off?
fn begins_alike(text: &str) -> bool {
    let begin = format!("{{\"format\":\"{FORMAT}\"");
    begin.starts_with(text) || text.starts_with(&begin)
}

impl Header {
    fn compare(&self, line: &str, file: &str) -> Result<(), LedgerError> {
        let theirs: Header = serde_json::from_str(line).map_err(|_| LedgerError::Foreign {
            file: file.into(),
            why: "its first line is something else".into(),
        })?;
        let fields = [
            ("format", &theirs.format, &self.format),
            ("program", &theirs.program, &self.program),
            ("setup", &theirs.setup, &self.setup),
            ("cards", &theirs.cards, &self.cards),
            ("entrants", &theirs.entrants.join(" "), &self.entrants.join(" ")),
        ];
        for (what, theirs, ours) in fields {
            if theirs != ours {
                let (file, theirs, ours) = (file.into(), theirs.clone(), ours.clone());
                return Err(LedgerError::Other { file, what, theirs, ours });
            }
        }
        Ok(())
    }
}
