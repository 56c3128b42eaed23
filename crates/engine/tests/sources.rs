//! What the engine's own text must not say: promises that no run could prove.

use std::path::PathBuf;

/// Every source file of the engine with its name, comments left out.
fn sources() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = std::fs::read_dir(folder).expect("the sources are there");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), code.join("\n"))
    };
    let all: Vec<_> = files.map(|file| read(file.expect("it is listed").path())).collect();
    assert!(all.len() > 15, "only {} files were read", all.len());
    all
}

/// Files, other than those named, whose code holds one of the words.
fn users(words: &[&str], except: &[&str]) -> Vec<String> {
    let others = sources().into_iter().filter(|(name, _)| !except.contains(&name.as_str()));
    let found = others.filter(|(_, code)| words.iter().any(|word| code.contains(word)));
    found.map(|(name, _)| name).collect()
}

#[test]
fn the_engine_asks_nothing_of_the_outside() {
    let words = ["std::fs", "std::io", "std::net", "std::env", "std::time", "std::thread", "std::process"];
    assert_eq!(users(&words, &[]), Vec::<String>::new());
}

/// `codec` reads whole states back; the iterators of `state` only read.
#[test]
fn only_acts_say_where_a_card_is() {
    let words = [".place = ", ".next = ", ".head = ", ".tail = ", ".slots[", "slots.swap"];
    let reads_only = users(&words, &["acts.rs", "codec.rs", "state.rs"]);
    assert_eq!(reads_only, Vec::<String>::new());
}

/// `view` deals the blanks of a sample with a generator of its own.
#[test]
fn only_acts_draw_from_the_generator() {
    let words = ["rng.below(", "rng.shuffle(", "rng.stream(", "rng.advance("];
    assert_eq!(users(&words, &["acts.rs", "rng.rs", "view.rs"]), Vec::<String>::new());
}
