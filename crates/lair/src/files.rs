//! Reads the files that the user names: card files, decks and records.

use std::io;
use std::path::Path;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum FileError {
    #[error("{file}: file not found")]
    Missing { file: String },
    #[error("{file}: this is a folder; name the files in it")]
    Folder { file: String },
    #[error("{file}: {megabytes} MB is too large; {what} has at most {most} MB")]
    Huge { file: String, megabytes: u64, what: &'static str, most: u64 },
    #[error("{file}: this is not a text file (byte {at} is not UTF-8)")]
    NotText { file: String, at: usize },
    #[error("{file}: {error}")]
    Other { file: String, error: io::Error },
}

/// What a file is read as, and how large it may be.
#[derive(Clone, Copy)]
pub struct Kind {
    what: &'static str,
    megabytes: u64,
}

pub const CARDS: Kind = Kind { what: "a card file", megabytes: 4 };
pub const DECK: Kind = Kind { what: "a deck file", megabytes: 1 };
pub const PUZZLES: Kind = Kind { what: "a puzzle file", megabytes: 16 };
pub const STUDY: Kind = Kind { what: "a study", megabytes: 1 };
pub const RECORD: Kind = Kind { what: "a record", megabytes: 16 };

pub fn read(path: &Path, kind: Kind) -> Result<String, FileError> {
    let file = path.display().to_string();
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => FileError::Missing { file: file.clone() },
        io::ErrorKind::IsADirectory => FileError::Folder { file: file.clone() },
        _ => FileError::Other { file: file.clone(), error },
    };
    let about = std::fs::metadata(path).map_err(failed)?;
    if about.is_dir() {
        return Err(FileError::Folder { file });
    }
    let megabytes = about.len().div_ceil(1_000_000);
    if megabytes > kind.megabytes {
        return Err(FileError::Huge { file, megabytes, what: kind.what, most: kind.megabytes });
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    String::from_utf8(bytes)
        .map_err(|error| FileError::NotText { file: file.clone(), at: error.utf8_error().valid_up_to() })
}
