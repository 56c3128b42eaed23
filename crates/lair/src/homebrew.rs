//! The user's own card files: read, checked, and added to the built-in sets.

use std::path::{Path, PathBuf};

use cards::homebrew::{Homebrew, add};
use cards::tree::Set;
use cards::{CardDb, library};

use crate::failure::Failure;
use crate::files::{self, read};
use crate::term::note;

/// All sets of cards there are.
pub struct Library {
    /// The built-in sets, then the user's.
    pub sets: Vec<Set>,
    pub homebrew: Vec<Homebrew>,
}

impl Library {
    /// Reports problems in the files, each with its place.
    pub fn load(files: &[PathBuf]) -> Result<Library, Failure> {
        let read = files.iter().map(|path| read_file(path)).collect::<Result<Vec<_>, _>>();
        let own = read.map_err(|problems| match note(problems + "\n") {
            Ok(()) => Failure::Reported,
            Err(error) => error.into(),
        })?;
        Ok(Library { sets: add(library::sets(), &own).map_err(Failure::failed)?, homebrew: own })
    }

    /// All cards, for looking things up.
    pub fn compile(&self) -> Result<CardDb, Failure> {
        CardDb::build(&self.sets).map_err(Failure::failed)
    }

    /// The arguments that load the same cards again: ` --cards my.cards`.
    pub fn as_arguments(&self) -> String {
        let plain = |c: char| c.is_alphanumeric() || "._-/\\:+@~".contains(c);
        let word = |file: &str| match file.chars().all(plain) {
            true => file.to_string(),
            false => format!("'{}'", file.replace('\'', "'\\''")),
        };
        self.homebrew.iter().map(|homebrew| format!(" --cards {}", word(&homebrew.file))).collect()
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
