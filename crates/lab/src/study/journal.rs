//! The file that a study is continued from. It only grows: the first line says what is played, every other line is
//! some jobs that follow those before them. A line cut off while writing is dropped, and its games are played again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Part, Study};
use crate::numbers::hex;
use crate::spread::Piece;

const FORMAT: &str = "lair study 1";

#[derive(Debug, Error)]
pub enum JournalError {
    #[error("{file}: {error}")]
    Io {
        file: String,
        #[source]
        error: io::Error,
    },
    #[error(
        "{file}: another run of this study is writing to it: wait until it has finished, or use another --out"
    )]
    Busy { file: String },
    #[error("{file}: these are not the games of a study: use another --out, or delete the file")]
    Foreign { file: String },
    #[error(
        "{file}: it has games of another study ({what}: {theirs}; now {ours}): use another --out, or delete the file \
         to start over"
    )]
    Other { file: String, what: &'static str, theirs: String, ours: String },
    #[error("{file}, line {line}: these are not games of this study: delete the file to start over")]
    Line { file: String, line: usize },
}

/// What must be the same to add more games. Their number may differ.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    format: String,
    program: String,
    tables: Vec<String>,
}

/// Some jobs: where they end, and what is kept of them in hexadecimal digits.
type Line = (u64, String);

pub struct Journal {
    path: PathBuf,
    file: File,
    /// Where the lines with games begin.
    begins: u64,
    /// Jobs that it has.
    jobs: u64,
}

impl Journal {
    /// Opens a journal to continue, or creates it.
    pub fn open(path: &Path, study: &Study) -> Result<Journal, JournalError> {
        let name = || path.display().to_string();
        let failed = |error| JournalError::Io { file: name(), error };
        let header = Header::of(study);
        let mut open = OpenOptions::new();
        let mut file = open.read(true).append(true).create(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy { file: name() }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let line = serde_json::to_string(&header).map_err(io::Error::from).map_err(failed)? + "\n";
        let mut first = String::new();
        // A header is never longer than ours if it is the same; a foreign file may have no end of line at all.
        let most = 2 * line.len() as u64 + 4096;
        let read = BufReader::new((&mut file).take(most)).read_line(&mut first);
        read.map_err(|_| JournalError::Foreign { file: name() })?;
        if !first.ends_with('\n') {
            // Nothing was written yet, or not all of the first line.
            if !line.starts_with(&first) {
                return Err(JournalError::Foreign { file: name() });
            }
            file.set_len(0).and_then(|()| file.write_all(line.as_bytes())).map_err(failed)?;
        } else if first != line {
            return Err(header.compare(&first, &name()));
        }
        let mut journal = Journal { path: path.into(), file, begins: line.len() as u64, jobs: 0 };
        let end = journal.read(study, |_| Ok(()))?;
        journal.file.set_len(end).map_err(|error| journal.failed(error))?;
        Ok(journal)
    }

    /// How many jobs it has: the first of the study.
    pub fn jobs(&self) -> u64 {
        self.jobs
    }

    pub fn add(&mut self, study: &Study, part: &Part) -> Result<(), JournalError> {
        let to = self.jobs + part.jobs;
        let line: Line = (to, hex(&study.put(part)));
        let text = serde_json::to_string(&line).map_err(io::Error::from);
        let written = text.and_then(|text| self.file.write_all((text + "\n").as_bytes()));
        written.map_err(|error| self.failed(error))?;
        self.jobs = to;
        Ok(())
    }

    /// Reads all games, in order. Returns where the last whole line ends.
    pub fn read<E: From<JournalError>>(
        &mut self,
        study: &Study,
        mut each: impl FnMut(Part) -> Result<(), E>,
    ) -> Result<u64, E> {
        let file = self.path.display().to_string();
        self.file.seek(SeekFrom::Start(self.begins)).map_err(|error| self.failed(error))?;
        let (mut end, mut jobs) = (self.begins, 0);
        let mut lines = BufReader::new(&self.file);
        for number in 2.. {
            let mut line = Vec::new();
            let read = lines.read_until(b'\n', &mut line);
            read.map_err(|error| JournalError::Io { file: file.clone(), error })?;
            if line.last() != Some(&b'\n') {
                break;
            }
            let part = || {
                let (to, digits): Line = serde_json::from_slice(&line).ok()?;
                study.get(Piece { from: jobs, to }, &bytes(&digits)?)
            };
            let part = part().ok_or_else(|| JournalError::Line { file: file.clone(), line: number })?;
            jobs += part.jobs;
            end += line.len() as u64;
            each(part)?;
        }
        drop(lines);
        self.jobs = jobs;
        Ok(end)
    }

    fn failed(&self, error: io::Error) -> JournalError {
        JournalError::Io { file: self.path.display().to_string(), error }
    }
}

impl Header {
    fn of(study: &Study) -> Header {
        let hash = |bytes: &[u8]| hex(&bytes[..8]);
        let table = |cell: &crate::grid::Cell| {
            format!("{} by {}, cards {}", cell.setup, cell.bot_names(), hash(&cell.db.hash))
        };
        Header {
            format: FORMAT.into(),
            program: env!("CARGO_PKG_VERSION").into(),
            tables: study.cells.iter().map(table).collect(),
        }
    }

    /// What is different about the header of another study.
    fn compare(&self, line: &str, file: &str) -> JournalError {
        let file = file.to_string();
        let Ok(theirs) = serde_json::from_str::<Header>(line) else { return JournalError::Foreign { file } };
        let (what, theirs, ours) = if theirs.format != self.format {
            ("format", theirs.format, self.format.clone())
        } else if theirs.program != self.program {
            ("version of the program", theirs.program, self.program.clone())
        } else {
            let differ = (0..).find(|at| theirs.tables.get(*at) != self.tables.get(*at)).unwrap_or(0);
            let table = |all: &[String]| all.get(differ).cloned().unwrap_or_else(|| "none".into());
            ("table", table(&theirs.tables), table(&self.tables))
        };
        JournalError::Other { file, what, theirs, ours }
    }
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
