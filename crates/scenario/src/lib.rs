//! Reads and runs scenarios, tests that anyone who knows the game can write (docs/scenarios.md).

mod answers;
pub mod coverage;
mod error;
mod facts;
mod names;
mod parse;
mod parse_fact;
mod parse_setup;
mod parse_words;
mod play;
mod table;
mod twin;

use std::path::{Path, PathBuf};

use cards::CardDb;

pub use error::{Problem, ScenarioError};
pub use parse::{Covered, Scenario, parse};
pub use play::{Mode, Played, played, run};

/// The result of running scenarios.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub files: usize,
    pub scenarios: usize,
    pub failures: Vec<ScenarioError>,
}

impl Report {
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for failure in &self.failures {
            writeln!(f, "{failure}")?;
        }
        let (files, scenarios, failures) = (self.files, self.scenarios, self.failures.len());
        write!(f, "{scenarios} scenarios in {files} files, {failures} failures")
    }
}

/// Runs a file, or every scenario in a folder and its subfolders, with the built-in cards.
pub fn run_path(path: &Path, mode: Mode) -> Report {
    run_path_with(&cards::library::builtin(), path, mode)
}

/// As `run_path`, with the given cards.
pub fn run_path_with(db: &CardDb, path: &Path, mode: Mode) -> Report {
    let mut report = Report::default();
    let (scenarios, errors, files) = read_path(path);
    report.files = files;
    report.scenarios = scenarios.len();
    report.failures = errors;
    let failed = scenarios.iter().filter_map(|scenario| run(db, scenario, mode).err());
    report.failures.extend(failed);
    report
}

/// The scenarios of a file or folder, what could not be read, and the number of files.
pub fn read_path(path: &Path) -> (Vec<Scenario>, Vec<ScenarioError>, usize) {
    let (mut scenarios, mut errors) = (Vec::new(), Vec::new());
    let mut files = Vec::new();
    if let Err(error) = find_files(path, &mut files) {
        errors.push(error);
    } else if files.is_empty() {
        errors.push(Problem::NothingHere.at(&path.display().to_string(), 0));
    }
    files.sort();
    for file in &files {
        let name = file.display().to_string();
        let read = std::fs::read_to_string(file)
            .map_err(|error| Problem::Unreadable(error.to_string()).at(&name, 0));
        match read.and_then(|text| parse(&name, &text)) {
            Ok(found) => scenarios.extend(found),
            Err(error) => errors.push(error),
        }
    }
    (scenarios, errors, files.len())
}

fn find_files(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), ScenarioError> {
    let unreadable =
        |error: std::io::Error| Problem::Unreadable(error.to_string()).at(&path.display().to_string(), 0);
    if !path.is_dir() {
        std::fs::metadata(path).map_err(unreadable)?;
        found.push(path.into());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            find_files(&path, found)?;
        } else if path.extension().is_some_and(|ext| ext == "scn") {
            found.push(path);
        }
    }
    Ok(())
}
