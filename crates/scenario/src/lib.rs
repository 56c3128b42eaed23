//! Reads and runs scenarios, the golden tests that anybody who knows the game can write (docs/scenarios.md):
//! the one door through which tests touch the engine.

pub mod coverage;
mod facts;
mod fault;
mod names;
mod parse;
mod parse_fact;
mod parse_setup;
mod play;
mod table;
mod twin;

use std::path::{Path, PathBuf};

use cards::CardDb;

pub use fault::{Fault, Why};
pub use parse::{Covered, Scenario, parse};
pub use play::{Mode, run};

/// What came of running scenarios.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub files: usize,
    pub scenarios: usize,
    pub failures: Vec<Fault>,
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

/// Runs a file, or every scenario in a folder and the folders in it, with the cards that come with the program.
pub fn run_path(path: &Path, mode: Mode) -> Report {
    run_path_with(&cards::library::builtin(), path, mode)
}

/// As `run_path`, with the given cards.
pub fn run_path_with(db: &CardDb, path: &Path, mode: Mode) -> Report {
    let mut report = Report::default();
    let (scenarios, faults, files) = read_path(path);
    report.files = files;
    report.scenarios = scenarios.len();
    report.failures = faults;
    let failed = scenarios.iter().filter_map(|scenario| run(db, scenario, mode).err());
    report.failures.extend(failed);
    report
}

/// The scenarios of a file or folder, what could not be read, and the number of files.
pub fn read_path(path: &Path) -> (Vec<Scenario>, Vec<Fault>, usize) {
    let (mut scenarios, mut faults) = (Vec::new(), Vec::new());
    let mut files = Vec::new();
    if let Err(fault) = find_files(path, &mut files) {
        faults.push(fault);
    } else if files.is_empty() {
        faults.push(Why::NothingHere.at(&path.display().to_string(), 0));
    }
    files.sort();
    for file in &files {
        let name = file.display().to_string();
        let read =
            std::fs::read_to_string(file).map_err(|error| Why::Unreadable(error.to_string()).at(&name, 0));
        match read.and_then(|text| parse(&name, &text)) {
            Ok(found) => scenarios.extend(found),
            Err(fault) => faults.push(fault),
        }
    }
    (scenarios, faults, files.len())
}

fn find_files(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), Fault> {
    let unreadable =
        |error: std::io::Error| Why::Unreadable(error.to_string()).at(&path.display().to_string(), 0);
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
