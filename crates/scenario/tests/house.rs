//! Homebrew cards that say what no published card says yet: their scenarios hold like all others.

use std::path::{Path, PathBuf};

use cards::homebrew::{Homebrew, add};
use cards::{CardDb, load};
use scenario::{Mode, run_path_with};

fn house() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/house")
}

fn db() -> CardDb {
    let file = "words.cards".to_string();
    let text = std::fs::read_to_string(house().join(&file)).unwrap();
    let (set, warnings) = load(&file, &text).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(warnings.is_empty(), "{warnings:#?}");
    CardDb::build(&add(cards::library::sets(), &[Homebrew { file, set }]).unwrap()).unwrap()
}

#[test]
fn scenarios_of_house_cards_hold() {
    for mode in [Mode::Plain, Mode::Undo, Mode::Twin] {
        let report = run_path_with(&db(), &house(), mode);
        assert!(report.passed(), "{mode:?}\n{report}");
    }
}
