//! The example set: its scenarios hold like all others, and every card of it has one.

use std::path::{Path, PathBuf};

use cards::homebrew::{Homebrew, add};
use cards::{CardDb, load};
use scenario::{Covered, Mode, read_path, run_path_with};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn set() -> Homebrew {
    let file = "examples/leftover-pixels.cards".to_string();
    let text = std::fs::read_to_string(examples().join("leftover-pixels.cards")).unwrap();
    let (set, warnings) = load(&file, &text).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(warnings.is_empty(), "{warnings:#?}");
    Homebrew { file, set }
}

fn db() -> CardDb {
    CardDb::build(&add(cards::library::sets(), &[set()]).unwrap()).unwrap()
}

#[test]
fn scenarios_of_the_examples_hold() {
    for mode in [Mode::Plain, Mode::Undo, Mode::Twin] {
        let report = run_path_with(&db(), &examples(), mode);
        assert!(report.passed(), "{mode:?}\n{report}");
    }
}

#[test]
fn every_example_card_has_a_scenario() {
    let (scenarios, errors, _) = read_path(&examples());
    assert!(errors.is_empty(), "{errors:#?}");
    let covered: Vec<&Covered> = scenarios.iter().flat_map(|s| s.covers.iter().map(|(_, c)| c)).collect();
    for card in set().set.cards {
        let short = card.name.split(',').next().unwrap();
        let shown = |covered: &&&Covered| matches!(covered, Covered::Card(name) if name == short);
        assert!(covered.iter().any(|c| shown(&c)), "no scenario covers {}", card.name);
    }
}
