//! What the engine's source must not contain: promises that no run could prove.

use std::path::{Path, PathBuf};

/// Every source file of the engine by its path below `src`, comments left out.
fn sources() -> Vec<(String, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    collect(&root, &root, &mut all);
    assert!(all.len() > 15, "only {} files were read", all.len());
    all
}

fn collect(root: &Path, folder: &Path, all: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("it is listed").path();
        if path.is_dir() {
            collect(root, &path, all);
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let name = path.strip_prefix(root).expect("it is below the root");
        all.push((name.to_string_lossy().into_owned(), code.join("\n")));
    }
}

/// Files, other than those named, whose code holds one of the words.
fn users(words: &[&str], except: &[&str]) -> Vec<String> {
    let others = sources().into_iter().filter(|(name, _)| !except.contains(&name.as_str()));
    let found = others.filter(|(_, code)| words.iter().any(|word| code.contains(word)));
    found.map(|(name, _)| name).collect()
}

#[test]
fn the_engine_has_no_io_clock_or_threads() {
    let words = ["std::fs", "std::io", "std::net", "std::env", "std::time", "std::thread", "std::process"];
    assert_eq!(users(&words, &[]), Vec::<String>::new());
}

/// `codec` reads whole states back; the iterators of `state` only read.
#[test]
fn only_acts_say_where_a_card_is() {
    let words = [".place = ", ".next = ", ".head = ", ".tail = ", ".slots[", "slots.swap"];
    let reads_only =
        users(&words, &["acts/chance.rs", "acts/mod.rs", "acts/moving.rs", "api/codec.rs", "model/state.rs"]);
    assert_eq!(reads_only, Vec::<String>::new());
}

/// `view` deals the blanks of a sample, and `offer` draws a mix of boxes, with generators of their own.
#[test]
fn only_acts_draw_from_the_generator() {
    let words = ["rng.below(", "rng.shuffle(", "rng.stream(", "rng.advance("];
    assert_eq!(
        users(&words, &["acts/chance.rs", "acts/secret.rs", "model/rng.rs", "api/view.rs", "setup/offer.rs"]),
        Vec::<String>::new()
    );
}

/// Which ruleset it is, or which variant, shows in the values of `Edition`; nothing else asks. Only the rows of
/// `flow::rules` name them, and `fits_players`, whose message names a variant that would help.
#[test]
fn only_flow_asks_which_ruleset_it_is() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(&crates).expect("the crates").flatten() {
        let source = entry.path().join("src");
        if source.is_dir() {
            collect(&crates, &source, &mut all);
        }
    }
    let asks = |code: &str| {
        let ruleset = code.split("Ruleset::").skip(1);
        // `Ruleset::ALL` lists them; `Ruleset::Classic` asks for one.
        let named = |rest: &str| {
            rest.starts_with(|first: char| first.is_ascii_uppercase()) && !rest.starts_with("ALL")
        };
        ruleset.into_iter().any(named) || code.contains(".has(Variant::")
    };
    let tests = |code: &str| code.find("#[cfg(test)]\nmod tests {").unwrap_or(code.len());
    let outside = all.iter().filter(|(name, _)| !name.contains("engine/src/flow/"));
    let found: Vec<&str> =
        outside.filter(|(_, code)| asks(&code[..tests(code)])).map(|(name, _)| name.as_str()).collect();
    assert!(all.iter().any(|(name, code)| name.ends_with("flow/rules.rs") && asks(code)), "it finds some");
    assert_eq!(found, Vec::<&str>::new());
}
