//! Laboratories and arenas on many machines, with a real NATS server: the same bytes as on one machine, whatever dies
//! meanwhile.
#![cfg(unix)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::nats::{Nats, Process, until};
use common::{files_in, lair, scratch};
use serde_json::Value;

/// Silence is noticed soon, and games take a while although they cost little.
const SLOW: [(&str, &str); 2] = [("LAIR_TEST_SILENCE", "1200"), ("LAIR_TEST_SLOW", "12")];

fn worker(nats: &Nats, name: &str, settings: &[(&str, &str)]) -> Process {
    let mut worker = Process::start(
        &["work", "--nats", &nats.url(), "--threads", "1", "--name", name],
        &[&SLOW[..], settings].concat(),
    );
    worker.until_says("waiting for work");
    worker
}

/// A laboratory: its arguments, and the bytes that one machine finds.
struct Lab {
    args: Vec<String>,
    alone: Vec<(String, Vec<u8>)>,
}

impl Lab {
    fn new(name: &str, args: &[&str]) -> Lab {
        let folder = scratch(&format!("{name}-alone"));
        lair(&[&["lab", "--out", folder.to_str().unwrap(), "--threads", "1"], args].concat()).ok();
        Lab { args: args.iter().map(|arg| arg.to_string()).collect(), alone: files_in(&folder) }
    }

    fn host(&self, nats: &Nats, name: &str, more: &[&str]) -> (Process, PathBuf) {
        let folder = scratch(name);
        let url = nats.url();
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        let shared = ["lab", "--nats", &url, "--threads", "1", "--out", folder.to_str().unwrap()];
        (Process::start(&[&shared[..], &args, more].concat(), &SLOW), folder)
    }

    #[track_caller]
    fn compare(&self, host: &mut Process, folder: &Path) -> String {
        let status = host.ends();
        assert_eq!(status.code(), Some(0), "{}", host.err());
        let found = files_in(folder);
        for ((name, alone), (_, shared)) in self.alone.iter().zip(&found) {
            assert!(alone == shared, "{name} differs; {}", host.err());
        }
        assert_eq!(self.alone.len(), found.len());
        host.err()
    }
}

/// "ann played 12 games": 12.
fn games(said: &str, name: &str) -> u64 {
    let after = said.split(&format!("{name} played ")).nth(1).unwrap_or_default();
    after.split(' ').next().unwrap().parse().unwrap_or(0)
}

#[test]
fn a_laboratory_finds_the_same_bytes_whatever_dies() {
    let Some(mut nats) = Nats::start("dies", None) else { return };
    let cards = scratch("spread.cards");
    std::fs::write(&cards, lair(&["cards", "--new", "room"]).ok().out).unwrap();
    let args =
        ["-n", "500", "--players", "2,3", "--bots", "random,kobold", "--cards", cards.to_str().unwrap()];
    let lab = Lab::new("dies", &args);
    let [mut ann, mut bob, mut kim] = ["ann", "bob", "kim"].map(|name| worker(&nats, name, &[]));
    let (mut host, folder) = lab.host(&nats, "dies-shared", &[]);
    for worker in [&mut ann, &mut bob, &mut kim] {
        worker.until_says("playing a laboratory");
    }
    std::thread::sleep(Duration::from_millis(1500));
    // One dies, one is stopped until it is taken for dead, and then NATS is gone for a while.
    ann.signal("KILL");
    bob.signal("STOP");
    std::thread::sleep(Duration::from_millis(2000));
    bob.signal("CONT");
    std::thread::sleep(Duration::from_millis(500));
    nats.kill();
    host.until_says("NATS is gone: playing on here");
    std::thread::sleep(Duration::from_millis(300));
    nats.start_again();
    host.until_says("NATS is back");
    // Somebody new helps, and somebody leaves in good order.
    let _late = worker(&nats, "late", &[]);
    std::thread::sleep(Duration::from_millis(700));
    kim.signal("TERM");
    assert_eq!(kim.ends().code(), Some(0), "{}", kim.err());
    let said = lab.compare(&mut host, &folder);
    for name in ["this machine", "ann", "bob", "kim", "late"] {
        assert!(games(&said, name) > 0, "{name} in {said}");
    }
    assert!(said.contains("given out again"), "{said}");
    bob.until_says("done: ");
}

/// A study with versions of the cards, begun alone, goes on with a worker.
#[test]
fn a_study_goes_on_with_a_worker() {
    let Some(nats) = Nats::start("study", None) else { return };
    let folder = scratch("spread-study");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let cards = lair(&["cards", "--new", "room"]).ok().out;
    std::fs::write(folder.join("own.cards"), cards).unwrap();
    let study = "games = 150\nplayers = [2, 3]\nbots = [\"random,kobold\"]\ncards = [\"\", \"own.cards\"]\n";
    let (file, url) = (folder.join("study.toml"), nats.url());
    std::fs::write(&file, study).unwrap();
    let out = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let run = ["study", file.to_str().unwrap(), "--threads", "1", "--out"];
    lair(&[&run[..], &[&out("alone")]].concat()).ok();
    lair(&[&run[..], &[&out("shared"), "-n", "20"]].concat()).ok();
    let mut ann = worker(&nats, "ann", &[]);
    let to = out("shared");
    let mut host = Process::start(&[&run[..], &[&to, "--nats", &url]].concat(), &SLOW);
    ann.until_says("playing a study");
    assert_eq!(host.ends().code(), Some(0), "{}", host.err());
    assert!(games(&host.err(), "ann") > 0, "{}", host.err());
    let report = |name: &str| {
        let files = files_in(Path::new(&out(name))).into_iter();
        files.filter(|(name, _)| name != "games.journal").collect::<Vec<_>>()
    };
    assert!(report("alone") == report("shared"));
}

#[test]
fn an_arena_is_interrupted_and_resumed_with_workers() {
    let Some(nats) = Nats::start("resume", None) else { return };
    let (file, url) = (scratch("spread.jsonl"), nats.url());
    let bots =
        ["arena", "minion", "random", "kobold", "--seed", "3", "--threads", "1", "--json", "--no-times"];
    let whole = lair(&[&bots[..], &["-n", "900"]].concat()).ok().out;
    let shared = [&bots[..], &["-n", "900", "--nats", &url, "--resume", file.to_str().unwrap()]].concat();
    let mut ann = worker(&nats, "ann", &[]);
    let mut host = Process::start(&shared, &SLOW);
    ann.until_says("playing an arena");
    until("some deals", || std::fs::read_to_string(&file).unwrap_or_default().lines().count() > 12);
    host.signal("INT");
    assert_eq!(host.ends().code(), Some(0), "{}", host.err());
    // What was played is what an arena of this size finds.
    let mut part: Value = serde_json::from_str(&host.out()).unwrap();
    let played = part["games"].as_u64().unwrap();
    assert!(played > 0 && played < 900, "{played}");
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count() as u64, 1 + played / 6);
    (part["complete"], part["asked"]) = (true.into(), played.into());
    let alone = lair(&[&bots[..], &["-n", &played.to_string()]].concat()).ok().out;
    assert_eq!(part, serde_json::from_str::<Value>(&alone).unwrap());
    // The host is killed; the worker does not mind.
    ann.until_says("done: ");
    let mut killed = Process::start(&shared, &SLOW);
    // On a busy machine it may be done before.
    let lines = || std::fs::read_to_string(&file).unwrap().lines().count() as u64;
    let start = std::time::Instant::now();
    until("more deals", || {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "{} {} of {played}: {}",
            lines(),
            ann.err(),
            killed.err()
        );
        lines() > 4 + played / 6 || killed.child.try_wait().unwrap().is_some()
    });
    let _ = killed.child.kill();
    killed.ends();
    let mut host = Process::start(&shared, &[]);
    assert_eq!(host.ends().code(), Some(0), "{}", host.err());
    assert_eq!(host.out(), whole);
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 1 + 150);
}

#[test]
fn a_worker_that_plays_other_games_is_found_out() {
    let Some(nats) = Nats::start("lie", None) else { return };
    let lab = Lab::new("lie", &["-n", "600", "--bots", "random"]);
    let _liar = worker(&nats, "liar", &[("LAIR_TEST_WORKER", "lie")]);
    // The host plays a sample again.
    let (mut host, folder) = lab.host(&nats, "lie-shared", &[]);
    assert_eq!(host.ends().code(), Some(1), "{}", host.err());
    let said = host.err();
    assert!(said.contains("liar and this machine") && said.contains("different results"), "{said}");
    assert!(!folder.join("report.json").exists(), "there is no report");
}

#[test]
fn two_workers_who_disagree_are_both_named() {
    let Some(nats) = Nats::start("differ", None) else { return };
    let lab = Lab::new("differ", &["-n", "600", "--bots", "random"]);
    let mut liar = worker(&nats, "liar", &[("LAIR_TEST_WORKER", "lie")]);
    let mut ann = worker(&nats, "ann", &[]);
    let (mut host, folder) = lab.host(&nats, "differ-shared", &["--workers-only"]);
    liar.until_says("playing a laboratory");
    ann.until_says("playing a laboratory");
    // It is stopped during a piece, which the other one plays meanwhile; then its answer comes, too.
    std::thread::sleep(Duration::from_millis(900));
    liar.signal("STOP");
    std::thread::sleep(Duration::from_millis(2500));
    liar.signal("CONT");
    assert_eq!(host.ends().code(), Some(1), "{}", host.err());
    let said = host.err();
    assert!(said.contains("ann and liar") && said.contains("different results"), "{said}");
    assert!(!folder.join("report.json").exists(), "there is no report");
}

#[test]
fn workers_that_would_play_otherwise_are_turned_away() {
    let Some(nats) = Nats::start("away", None) else { return };
    let lab = Lab::new("away", &["-n", "150", "--bots", "random"]);
    let pretend = |what| worker(&nats, what, &[("LAIR_TEST_WORKER", what)]);
    let mut others = [
        (pretend("program"), "it is lair 0.0.0, but this run is played by lair"),
        (pretend("cards"), "the cards of its deck `bmr` are others here"),
        (pretend("numbers"), "its games go another way"),
    ];
    let (mut host, folder) = lab.host(&nats, "away-shared", &[]);
    for (worker, why) in &mut others {
        worker.until_says("turned away: ");
        assert!(
            worker.err().contains(*why) && worker.err().to_lowercase().contains("install"),
            "{}",
            worker.err()
        );
    }
    let said = lab.compare(&mut host, &folder);
    for (name, (_, why)) in ["program", "cards", "numbers"].iter().zip(&others) {
        assert!(said.contains(&format!("{name} was turned away: ")) && said.contains(why), "{said}");
    }
    assert!(said.ends_with("this machine played 150 games\n"), "{said}");
}

#[test]
fn only_the_host_plays_external_programs() {
    let Some(nats) = Nats::start("exec", None) else { return };
    let program = "exec:sh crates/bots/tests/peers/first.sh";
    let lab = Lab::new("exec", &["-n", "30", "--bots", &format!("{program},random")]);
    let mut ann = worker(&nats, "ann", &[]);
    let (mut host, folder) = lab.host(&nats, "exec-shared", &["--workers-only"]);
    let said = lab.compare(&mut host, &folder);
    assert_eq!((games(&said, "this machine"), games(&said, "ann")), (30, 30), "{said}");
    assert!(!said.contains("left"), "nobody left before the end: {said}");
    ann.until_says("done: 30 games");
}

#[test]
fn what_is_wrong_with_the_bus_is_told_at_the_start() {
    let config = "authorization { users = [ { user: all, password: \"pass:word\" }
        { user: few, password: few, permissions: { publish: \"x\", subscribe: \"_INBOX.>\" } } ] }";
    let Some(nats) = Nats::start("login", Some(config)) else { return };
    let port = nats.port;
    let work = |login: &str| lair(&["work", "--nats", &format!("nats://{login}127.0.0.1:{port}")]);
    for wrong in ["", "all:guess@", "nobody:x@", "token@"] {
        let said = work(wrong).fails_with("does not let this login in").err;
        assert!(!said.contains("guess") && !said.contains("token@"), "{said}");
    }
    let said = work("few:few@").fails_with("lacks rights").err;
    assert!(said.contains("lair.1.lab") && !said.contains("few:few"), "{said}");
    lair(&["lab", "-n", "1", "--nats", &format!("nats://few:few@127.0.0.1:{port}")])
        .fails_with("lacks rights");
    lair(&["lab", "-n", "1", "--nats", "nats://127.0.0.1:1"]).fails_with("no NATS server answers at");
    lair(&["lab", "-n", "1", "--nats", "http://bus"])
        .refused_with("this is not the address of a NATS server");
    lair(&["lab", "-n", "1", "--workers-only"]).refused_with("--workers-only needs --nats");
    lair(&["work"]).refused_with("where is the work?");
    lair(&["work", "--nats", &format!("tls://all:x@127.0.0.1:{port}")]).fails_with("no secure connection to");
    // The address in a file, with its password.
    let file = scratch("nats-address");
    std::fs::write(&file, format!("nats://all:pass%3Aword@127.0.0.1:{port}\n")).unwrap();
    let mut worker = Process::start(&["work"], &[("LAIR_NATS_FILE", file.to_str().unwrap())]);
    worker.until_says("waiting for work");
    assert!(!worker.err().contains("word"), "{}", worker.err());
    worker.signal("INT");
    assert_eq!(worker.ends().code(), Some(0));
    let named = file.to_str().unwrap();
    lair(&["lab", "-n", "1", "--nats", "nats://x", "--nats-file", named]).refused_with("cannot be used with");
    lair(&["lab", "-n", "1", "--nats-file", "/no/such/file"]).refused_with("/no/such/file: No such file");
    let report = scratch("spread-file");
    let args = ["lab", "-n", "1", "--out", report.to_str().unwrap(), "--nats-file", named];
    assert_eq!(lair(&args).err, "this machine played 1 game\n");
    let mut nowhere = Process::start(&["work"], &[("LAIR_NATS_FILE", "/no/such/file")]);
    assert_eq!(nowhere.ends().code(), Some(2), "{}", nowhere.err());
}

/// With a certificate of an authority of our own, made by openssl if that is installed.
#[test]
fn the_connection_can_be_encrypted() {
    let folder = scratch("spread-tls");
    std::fs::create_dir_all(&folder).unwrap();
    let openssl = |args: &str| {
        let run = Command::new("openssl").args(args.split(' ')).current_dir(&folder).output();
        run.is_ok_and(|run| run.status.success())
    };
    std::fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n").unwrap();
    // cspell:disable
    let made = openssl("req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=lair")
        && openssl("req -newkey rsa:2048 -nodes -keyout key.pem -out bus.csr -subj /CN=bus")
        && openssl(
            "x509 -req -in bus.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out cert.pem",
        );
    // cspell:enable
    if !made {
        return eprintln!("skipped: openssl is not installed");
    }
    let file = |name: &str| folder.join(name).display().to_string();
    let config = format!("tls {{ cert_file: \"{}\", key_file: \"{}\" }}", file("cert.pem"), file("key.pem"));
    let Some(nats) = Nats::start("tls", Some(&config)) else { return };
    let url = nats.url().replace("nats://", "tls://");
    let mut stranger = Process::start(&["work", "--nats", &url], &[]);
    assert_eq!(stranger.ends().code(), Some(1), "{}", stranger.err());
    assert!(stranger.err().contains("no secure connection to"), "{}", stranger.err());
    let authority = file("ca.pem");
    let mut worker = Process::start(&["work", "--nats", &url], &[("LAIR_NATS_CA", &authority)]);
    worker.until_says("waiting for work");
    let out = folder.join("report");
    let lab = ["lab", "-n", "20", "--bots", "random", "--workers-only", "--nats", &url, "--out"];
    let mut host =
        Process::start(&[&lab[..], &[out.to_str().unwrap()]].concat(), &[("LAIR_NATS_CA", &authority)]);
    assert_eq!(host.ends().code(), Some(0), "{}", host.err());
    worker.until_says("done: 20 games");
}
