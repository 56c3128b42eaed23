//! `lair lab` as a user runs it.

mod common;

#[cfg(unix)]
use std::process::Stdio;

#[cfg(unix)]
use common::{command, interrupted, signal, until_playing};
use common::{files_in, lair, scratch};

#[test]
fn a_report_is_written_and_the_same_bytes_every_time() {
    let run = |name: &str, threads: &str, seed: &str| {
        let folder = scratch(name);
        let out = folder.to_str().unwrap();
        let args =
            ["lab", "--games", "12", "--players", "2,3", "--bots", "random,minion", "--decks", "bmr,tnl"];
        let said =
            lair(&[&args[..], &["--seed", seed, "--threads", threads, "--out", out]].concat()).ok().out;
        assert_eq!(said, format!("96 games; the report is in {out}/report.html\n"));
        files_in(&folder)
    };
    let one = run("lab-one", "1", "5");
    let names: Vec<&str> = one.iter().map(|(name, _)| name.as_str()).collect();
    let sheets = ["bosses", "cards", "tables", "turns"]
        .map(|name| [".csv", ".parquet"].map(|end| format!("{name}{end}")));
    let mut expected = sheets.concat();
    expected.extend(["report.html".into(), "report.json".into()]);
    expected.sort();
    assert_eq!(names, expected);
    assert!(one == run("lab-two", "3", "5"));
    assert!(one != run("lab-six", "2", "6"));
}

#[test]
fn wrong_usage_is_refused() {
    let nowhere = scratch("lab-nowhere");
    let lab = |args: &[&str]| lair(&[&["lab", "--out", nowhere.to_str().unwrap()], args].concat());
    lab(&["--bots", "cat"]).refused_with("there is no bot `cat`");
    lab(&["--players", "7"]).refused_with("7");
    lab(&["--decks", "bmx"]).refused_with("did you mean bmr?");
    lab(&["--players", "2,5"]).refused_with("bmr with 5 players: 5 players need the variant");
    lab(&["--bots", "minion,random,minion"]).refused_with("--bots names minion twice");
    assert!(!nowhere.exists());
    lair(&["lab", "--out", "Cargo.toml/x", "-n", "1"]).fails_with("cannot write");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_a_report() {
    const MANY: &str = "1000000000";
    let folder = scratch("lab-stopped");
    interrupted(&["lab", "--games", MANY, "--bots", "random", "--out", folder.to_str().unwrap()], MANY);
    let files = files_in(&folder);
    let file = |wanted: &str| files.iter().find(|(name, _)| name == wanted).unwrap().1.clone();
    let page = String::from_utf8(file("report.html")).unwrap();
    assert!(page.contains("Stopped early") && page.ends_with("</html>\n"));
    let json: serde_json::Value = serde_json::from_slice(&file("report.json")).unwrap();
    assert!(json["tables"][0]["games"].as_u64().unwrap() > 0);
}

/// A run that is killed leaves the old report; one that is stopped gracefully writes its own.
#[cfg(unix)]
#[test]
fn only_a_new_report_replaces_an_old_one() {
    let folder = scratch("lab-kept");
    let out = folder.to_str().unwrap();
    lair(&["lab", "--games", "4", "--bots", "random", "--out", out]).ok();
    let before = files_in(&folder);
    let ended_by = |name: &str| {
        let mut run = command(&["lab", "--games", "1000000000", "--bots", "random", "--out", out]);
        let mut child = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        until_playing(&mut child);
        signal(&child, name);
        child.wait().unwrap();
        files_in(&folder)
    };
    assert!(ended_by("KILL") == before);
    let after = ended_by("TERM");
    assert!(after.len() == before.len() && after != before);
    let json: serde_json::Value =
        serde_json::from_slice(&after.iter().find(|(name, _)| name == "report.json").unwrap().1).unwrap();
    assert_eq!(json["complete"], false);
}
