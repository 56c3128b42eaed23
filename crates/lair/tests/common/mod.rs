//! Runs the command as a user would, and captures its output.
#![allow(dead_code)]

#[cfg(unix)]
pub mod nats;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Nothing here takes this long unless something hangs.
const LONG: Duration = Duration::from_secs(120);
/// More than starting takes, and enough for many games of random players.
const PLAYING: Duration = Duration::from_millis(1500);

pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lair"));
    command.args(args).env_remove("NO_COLOR").env("LANG", "C.UTF-8").env_remove("LC_ALL");
    command.env_remove("LAIR_NATS").env_remove("LAIR_NATS_FILE").env_remove("LAIR_NATS_CA");
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command
}

fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

pub fn lair(args: &[&str]) -> Ran {
    ran(command(args).stdin(Stdio::null()).output().unwrap())
}

/// With these lines typed.
pub fn typed(args: &[&str], lines: &str) -> Ran {
    let mut child =
        command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = lines.to_owned();
    // The game may be over before everything is read.
    let writer = std::thread::spawn(move || drop(stdin.write_all(lines.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    ran(output)
}

/// Stopped with Ctrl-C during its games: exits with 0 and says how many it has played.
#[cfg(unix)]
#[track_caller]
pub fn interrupted(args: &[&str], games: &str) -> Ran {
    let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until_playing(&mut child);
    signal(&child, "INT");
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let of = format!(" of {games} games\n");
    assert!(ran.err.starts_with("stopped after ") && ran.err.ends_with(&of), "{}", ran.err);
    ran
}

/// Waits until an endless run is playing its games: starting takes little processor time.
#[cfg(unix)]
#[track_caller]
pub fn until_playing(child: &mut Child) {
    let start = Instant::now();
    while cpu_time(child) < PLAYING {
        assert!(child.try_wait().unwrap().is_none() && start.elapsed() < LONG, "it is not playing");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Processor time so far.
#[cfg(unix)]
fn cpu_time(child: &Child) -> Duration {
    let id = child.id().to_string();
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{id}/stat")) else {
        // Other systems: hours, minutes and seconds, perhaps with hundredths.
        let time = Command::new("ps").args(["-o", "time=", "-p", &id]).output().unwrap().stdout;
        let parts = String::from_utf8(time).unwrap();
        let seconds = parts.trim().split(':').map(|part| part.parse().unwrap_or(0.0));
        return Duration::from_secs_f64(seconds.fold(0.0, |sum, part| 60.0 * sum + part));
    };
    // After the name in brackets; Linux counts in hundredths of a second.
    let fields = stat.rsplit(')').next().unwrap().split_whitespace();
    Duration::from_millis(fields.skip(11).take(2).map(|ticks| 10 * ticks.parse::<u64>().unwrap()).sum())
}

/// Waits until the signals sent so far have been delivered: two pending ones would merge into one.
#[cfg(unix)]
pub fn until_delivered(child: &Child) {
    let pending = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("ShdPnd:")).map(str::trim);
        mask.is_some_and(|mask| mask.bytes().any(|digit| digit != b'0'))
    };
    while pending() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(unix)]
#[track_caller]
pub fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
}

/// A path for this test alone, where nothing exists yet.
pub fn scratch(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join(format!("{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

impl Ran {
    #[track_caller]
    pub fn ok(self) -> Ran {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self
    }

    /// Exit code 1, and the reason on standard error.
    #[track_caller]
    pub fn fails_with(self, reason: &str) -> Ran {
        assert_eq!(self.code, 1, "{} {}", self.out, self.err);
        assert!(self.err.contains(reason), "expected `{reason}` in: {}", self.err);
        self
    }

    /// Exit code 2, and the reason on standard error.
    #[track_caller]
    pub fn refused_with(self, reason: &str) -> Ran {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{}", self.err);
        assert!(self.err.contains(reason), "expected `{reason}` in: {}", self.err);
        self
    }
}

/// What is in a folder, by name.
pub fn files_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| {
            let file = file.unwrap();
            (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}
