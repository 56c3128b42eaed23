//! This program run again as a separate process, so that its cost can be measured separately.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::failure::Failure;

/// Linux reports processor time in hundredths of a second, on every machine.
const TICKS_PER_S: f64 = 100.0;

/// Killed when dropped.
pub struct Process {
    child: Child,
    pub address: SocketAddr,
    data: Option<PathBuf>,
}

/// What a server is started with. Without a database it has an empty data folder.
#[derive(Clone, Default)]
pub struct Serving {
    pub postgres: Option<String>,
    pub nats: Option<String>,
    pub node: Option<String>,
    pub metrics: Option<SocketAddr>,
}

impl Process {
    /// `lair serve`.
    pub fn server(serving: &Serving) -> Result<Process, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["serve", "--listen", "127.0.0.1:0", "--unlimited"]);
        command.env("RUST_LOG", std::env::var("RUST_LOG").unwrap_or("warn".into()));
        command.env_remove("LAIR_NATS").env_remove("LAIR_NATS_FILE");
        if let Some(address) = serving.metrics {
            command.arg("--metrics").arg(address.to_string());
        }
        if let Some(node) = &serving.node {
            command.args(["--node", node]);
        }
        // Not where others could read it.
        if let Some(url) = &serving.nats {
            command.env("LAIR_NATS", url);
        }
        let Some(url) = &serving.postgres else {
            let data = std::env::temp_dir().join(format!("lair-load-{}", std::process::id()));
            command.arg("--data").arg(&data);
            return Process::start(command, Some(data));
        };
        command.env("LAIR_POSTGRES", url);
        Process::start(command, None)
    }

    /// `lair load-echo`, the baseline.
    pub fn echo() -> Result<Process, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("load-echo");
        Process::start(command, None)
    }

    fn start(mut command: Command, data: Option<PathBuf>) -> Result<Process, Failure> {
        // Ctrl-C must reach only the parent.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line)?;
        }
        match line.trim_end().trim_start_matches("http://").parse() {
            Ok(address) => Ok(Process { child, address, data }),
            Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(Failure::failed("the server did not start"))
            }
        }
    }

    /// User and system time so far.
    pub fn cpu(&self) -> Option<Duration> {
        Some(stat(self.child.id())?.1)
    }

    /// Sends it a signal, by its name.
    pub fn signal(&self, name: &str) -> Result<(), Failure> {
        signal(self.child.id(), name)
    }

    /// Resident memory now.
    pub fn memory_kib(&self) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse().ok()
    }
}

/// Sends a signal, by its name.
pub fn signal(process: u32, name: &str) -> Result<(), Failure> {
    let sent = Command::new("kill").args(["-s", name, &process.to_string()]).status()?;
    if sent.success() { Ok(()) } else { Err(Failure::failed(format!("no signal reaches process {process}"))) }
}

/// A process's parent, and its user and system time so far.
pub fn stat(process: u32) -> Option<(u32, Duration)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets may contain anything; only numbers follow it, after a letter.
    let (_, fields) = text.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<f64>().ok();
    let ticks = number(11)? + number(12)?;
    Some((number(1)? as u32, Duration::from_secs_f64(ticks / TICKS_PER_S)))
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(data) = &self.data {
            let _ = std::fs::remove_dir_all(data);
        }
    }
}
