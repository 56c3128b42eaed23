//! `lair scenario`: runs scenario files, and reports what they cover.

use std::path::{Path, PathBuf};

use cards::CardDb;
use scenario::coverage::{self, Coverage, Entry};
use scenario::{Mode, Report};

use crate::cli::Scenario;
use crate::failure::Failure;
use crate::homebrew::Library;
use crate::term::{BAD, DIM, GOOD, HEAD, note, pad, paint, printable, say};

pub fn run(args: &Scenario, library: &Library) -> Result<(), Failure> {
    let db = library.compile()?;
    if args.coverage {
        return cover(&db, args.paths.first().map_or(Path::new("."), PathBuf::as_path));
    }
    let mut failed = false;
    for path in &args.paths {
        let mode = if args.undo { Mode::Undo } else { Mode::Plain };
        let report = scenario::run_path_with(&db, path, mode);
        failed |= !report.passed();
        tell(path, &report)?;
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

fn tell(path: &Path, report: &Report) -> Result<(), Failure> {
    for failure in &report.failures {
        note(printable(&failure.to_string()) + "\n")?;
    }
    let (scenarios, files, failures) = (report.scenarios, report.files, report.failures.len());
    let end = match failures {
        0 => paint(GOOD, "all passed"),
        n => paint(BAD, format!("{n} failed")),
    };
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (scenarios, files) = (counted(scenarios, "scenario"), counted(files, "file"));
    Ok(say(format!("{}: {scenarios} in {files}, {end}\n", path.display()))?)
}

/// Rule by rule and card by card, with the number of scenarios for each.
fn cover(db: &CardDb, root: &Path) -> Result<(), Failure> {
    let coverage = coverage::of_tree(db, root).map_err(|fault| {
        Failure::failed(format!("{fault}\n(coverage needs a source tree: run it there, or give its folder)"))
    })?;
    say(table("Rules", &coverage.rules) + &table("Cards and their rulings", &coverage.cards))?;
    for fault in &coverage.unknown {
        note(printable(&fault.to_string()) + "\n")?;
    }
    for entry in coverage.needless() {
        note(format!("{}: listed in uncovered.txt, but a scenario covers it\n", entry.what))?;
    }
    for entry in coverage.missing() {
        note(format!("{}: no scenario covers it\n", entry.what))?;
    }
    say(summary(&coverage))?;
    if coverage.complete() { Ok(()) } else { Err(Failure::Reported) }
}

fn table(title: &str, entries: &[Entry]) -> String {
    let mut out = format!("{}\n", paint(HEAD, title));
    for entry in entries {
        let shown = match (entry.scenarios.len(), &entry.excuse) {
            (0, Some(excuse)) => paint(DIM, format!("none: {excuse}")),
            (0, None) => paint(BAD, "MISSING"),
            (1, _) => paint(GOOD, "1 scenario"),
            (n, _) => paint(GOOD, format!("{n} scenarios")),
        };
        out.push_str(&format!("  {} {shown}\n", pad(&entry.what, 44)));
    }
    out
}

fn summary(coverage: &Coverage) -> String {
    let (all, missing) = (coverage.entries().count(), coverage.missing().count());
    format!("{} of {all} rules, cards and rulings are covered or excused\n", all - missing)
}
