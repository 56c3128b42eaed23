//! A training that is stopped and resumed finds the same as one that is not.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lab::Workers;
use lab::train::{Folder, TrainError, Training};

fn training(seed: u64) -> Training {
    Training {
        seed,
        tables: vec!["bmr".into(), "sbm-solo".into()],
        games: 30,
        epochs: 2,
        gate_games: 10,
        beginners: "greedy".into(),
        learners: "planner:1".into(),
        rivals: "planner:1".into(),
        from: None,
    }
}

fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may not exist.
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Trains until it is done or so many games were played; says whether it was done.
fn train(folder: &Path, training: Training, most: u64) -> Result<bool, TrainError> {
    let (stop, played) = (AtomicBool::new(false), AtomicU64::new(0));
    let done = || {
        if played.fetch_add(1, Ordering::Relaxed) + 1 >= most {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let workers = Workers { threads: 2, stop: &stop, done: &done };
    let sets = cards::library::sets();
    Ok(Folder::open(folder, training, &sets)?.run(2, workers, |_| {})?.is_some())
}

#[test]
fn resumed_is_the_same_as_uninterrupted() {
    let (whole, parts) = (fresh("train-whole"), fresh("train-parts"));
    assert!(train(&whole, training(1), u64::MAX).unwrap());
    let mut starts = 1;
    // Games that are known already count as well.
    while !train(&parts, training(1), 11 * starts).unwrap() {
        starts += 1;
        assert!(starts < 100, "it never ends");
    }
    assert!(starts > 3, "it was stopped {starts} times");
    for file in
        ["round-1/learned.net", "round-2/learned.net", "round-2/verdict.json", "gates.csv", "learning.svg"]
    {
        let read =
            |folder: &Path| fs::read(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(read(&whole) == read(&parts), "{file} differs");
    }
    let net = fs::read(whole.join("round-1/learned.net")).unwrap();
    assert!(net != fs::read(whole.join("round-2/learned.net")).unwrap(), "nothing was learned in round 2");
    // Another plan is not mixed in.
    let other = train(&whole, training(2), u64::MAX).unwrap_err().to_string();
    assert!(other.contains("started with another plan"), "{other}");
}

#[test]
fn impossible_trainings_say_why() {
    let folder = fresh("train-impossible");
    let error = |training| train(&folder, training, 1).unwrap_err().to_string();
    let unknown = error(Training { tables: vec!["bnr".into()], ..training(1) });
    assert!(unknown.contains("`bnr`") && unknown.contains("bmr"), "{unknown}");
    let greedy = error(Training { rivals: "greedy".into(), ..training(1) });
    assert!(greedy.contains("`greedy` cannot learn"), "{greedy}");
    assert!(!folder.exists(), "nothing was left behind");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("plan.json"), "{}").unwrap();
    let foreign = error(training(1));
    assert!(foreign.contains("plan.json") && foreign.contains("another one"), "{foreign}");
}
