//! Every scenario, plainly and in undo mode.

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
