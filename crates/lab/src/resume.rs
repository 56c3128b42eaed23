//! The file that an arena resumes from. It is append-only: the first line says what is played, every other
//! line is a finished round. A line cut off while writing is dropped, and its round played again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::arena::{Arena, Round};

const FORMAT: &str = "lair arena 2";

#[derive(Debug, Error)]
pub enum ResumeError {
    #[error("{file}: {error}")]
    Io {
        file: String,
        #[source]
        error: io::Error,
    },
    #[error("{file}: another arena is writing to it: wait until it has finished, or use another file")]
    Busy { file: String },
    #[error("{file}: this is not an arena file that can be resumed: {why}")]
    Foreign { file: String, why: String },
    #[error(
        "{file}: it was started with {what} {theirs}, but now it is {ours}: use another file, or the same {what}"
    )]
    Other { file: String, what: &'static str, theirs: String, ours: String },
    #[error("{file}, line {line}: this is not a valid round")]
    Line { file: String, line: usize },
}

/// What must be the same to add more rounds.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    format: String,
    program: String,
    setup: String,
    cards: String,
    entrants: Vec<String>,
}

pub struct ResumeFile {
    path: PathBuf,
    file: File,
    rounds: BTreeMap<u64, Round>,
}

impl ResumeFile {
    /// Opens a file to resume from, or creates it. `cards` is the fingerprint of the cards in play.
    pub fn open(path: &Path, arena: &Arena, cards: &[u8]) -> Result<ResumeFile, ResumeError> {
        let name = || path.display().to_string();
        let failed = |error| ResumeError::Io { file: name(), error };
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
            Err(TryLockError::WouldBlock) => return Err(ResumeError::Busy { file: name() }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(ResumeError::Foreign { file: name(), why: "it is not a regular file".into() });
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut lines = text[..whole].lines().enumerate();
        let mut rounds = BTreeMap::new();
        match lines.next() {
            None if !text.is_empty() && !is_cut_header(&text) => {
                return Err(ResumeError::Foreign {
                    file: name(),
                    why: "its first line is not an arena's".into(),
                });
            }
            None => {}
            Some((_, line)) => header.compare(line, &name())?,
        }
        for (number, line) in lines {
            let wrong = || ResumeError::Line { file: name(), line: number + 1 };
            let (deal, round): (u64, Round) = serde_json::from_str(line).map_err(|_| wrong())?;
            let mut games = round.iter().zip(&arena.seatings);
            if round.len() != arena.seatings.len()
                || !games.all(|(played, seating)| played.is_possible(seating))
            {
                return Err(wrong());
            }
            rounds.insert(deal, round);
        }
        file.set_len(whole as u64).map_err(failed)?;
        let mut resume = ResumeFile { path: path.into(), file, rounds };
        if whole == 0 {
            resume.write(&header)?;
        }
        Ok(resume)
    }

    /// The rounds that were in the file when it was opened, by deal number. Empty when called again.
    pub fn take_rounds(&mut self) -> BTreeMap<u64, Round> {
        std::mem::take(&mut self.rounds)
    }

    pub fn add(&mut self, deal: u64, round: &Round) -> Result<(), ResumeError> {
        self.write(&(deal, round))
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), ResumeError> {
        let text = serde_json::to_string(line).map_err(io::Error::from);
        let written = text.and_then(|text| self.file.write_all((text + "\n").as_bytes()));
        written.map_err(|error| ResumeError::Io { file: self.path.display().to_string(), error })
    }
}

/// Is this a first line that was cut off?
fn is_cut_header(text: &str) -> bool {
    let begin = format!("{{\"format\":\"{FORMAT}\"");
    begin.starts_with(text) || text.starts_with(&begin)
}

impl Header {
    fn compare(&self, line: &str, file: &str) -> Result<(), ResumeError> {
        let theirs: Header = serde_json::from_str(line).map_err(|_| ResumeError::Foreign {
            file: file.into(),
            why: "its first line is not an arena's".into(),
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
                return Err(ResumeError::Other { file, what, theirs, ours });
            }
        }
        Ok(())
    }
}
