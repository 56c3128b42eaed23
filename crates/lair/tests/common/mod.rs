//! Runs the command as a user would, and keeps what it said.
#![allow(dead_code)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lair"));
    command.args(args).env_remove("NO_COLOR").env("LANG", "C.UTF-8").env_remove("LC_ALL");
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

/// Stopped with Ctrl-C after a moment: ends well and says how far it came, of so many games.
#[cfg(unix)]
#[track_caller]
pub fn interrupted(args: &[&str], games: &str) -> Ran {
    let child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    signal(&child, "INT");
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let of = format!(" of {games} games\n");
    assert!(ran.err.starts_with("stopped after ") && ran.err.ends_with(&of), "{}", ran.err);
    ran
}

#[cfg(unix)]
#[track_caller]
pub fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
}

/// A path of its own for this test; nothing is there yet.
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

    /// Exit code 1, nothing but the reason, and that on standard error.
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
