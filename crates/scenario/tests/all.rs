//! Every scenario, plainly, in undo mode and with its twin; and what they cover.

use std::path::Path;

use scenario::{Mode, run_path};

fn all(mode: Mode) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let report = run_path(&path, mode);
    assert!(report.passed(), "\n{report}");
}

#[test]
fn every_scenario_holds() {
    all(Mode::Plain);
}

#[test]
fn every_scenario_holds_when_each_move_is_taken_back_and_played_again() {
    all(Mode::Undo);
}

#[test]
fn every_scenario_goes_the_same_way_when_forced_answers_are_not_asked_for() {
    all(Mode::Twin);
}

#[test]
fn every_rule_card_and_ruling_has_a_scenario() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let coverage = scenario::coverage::of_tree(&cards::library::builtin(), &root).unwrap();
    let missing: Vec<&str> = coverage.missing().map(|entry| entry.what.as_str()).collect();
    let needless: Vec<&str> = coverage.needless().map(|entry| entry.what.as_str()).collect();
    assert!(missing.is_empty(), "no scenario shows {missing:#?}");
    assert!(needless.is_empty(), "excused in uncovered.txt though a scenario shows it: {needless:#?}");
    assert!(coverage.unknown.is_empty(), "{:#?}", coverage.unknown);
}
