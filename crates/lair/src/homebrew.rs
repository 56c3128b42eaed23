//! Card files of the user's own: read, checked, and added to the sets that come with the program.

use std::path::{Path, PathBuf};

use cards::homebrew::{Homebrew, add};
use cards::tree::Set;
use cards::{CardDb, library};

use crate::failure::Failure;
use crate::files::{self, read};
use crate::term::note;

/// Everything that can be played with.
pub struct Library {
    /// The sets of the program, then the user's.
    pub sets: Vec<Set>,
    pub own: Vec<Homebrew>,
}

impl Library {
    /// Problems in the files are told here, each with its place.
    pub fn load(files: &[PathBuf]) -> Result<Library, Failure> {
        let read = files.iter().map(|path| read_file(path)).collect::<Result<Vec<_>, _>>();
        let own = read.map_err(|problems| match note(problems + "\n") {
            Ok(()) => Failure::Told,
            Err(error) => error.into(),
        })?;
        Ok(Library { sets: add(library::sets(), &own).map_err(Failure::failed)?, own })
    }

    /// All cards, to look things up in.
    pub fn compile(&self) -> Result<CardDb, Failure> {
        CardDb::build(&self.sets).map_err(Failure::failed)
    }

    /// What to type to have these cards again: ` --cards my.cards`.
    pub fn typed(&self) -> String {
        let plain = |c: char| c.is_alphanumeric() || "._-/\\:+@~".contains(c);
        let word = |file: &str| match file.chars().all(plain) {
            true => file.to_string(),
            false => format!("'{}'", file.replace('\'', "'\\''")),
        };
        self.own.iter().map(|homebrew| format!(" --cards {}", word(&homebrew.file))).collect()
    }
}

/// The file, or what is wrong with it.
pub fn read_file(path: &Path) -> Result<Homebrew, String> {
    let file = path.display().to_string();
    let text = read(path, files::CARDS).map_err(|error| format!("error: {error}"))?;
    match cards::load(&file, &text) {
        Ok((set, _)) => Ok(Homebrew { file, set }),
        Err(errors) => Err(errors.render(true).trim_end().to_string()),
    }
}
