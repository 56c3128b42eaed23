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

impl Process {
    /// `lair serve`, with an empty data folder, or with this database.
    pub fn server(postgres: Option<&str>) -> Result<Process, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["serve", "--listen", "127.0.0.1:0", "--unlimited"]);
        command.env("RUST_LOG", std::env::var("RUST_LOG").unwrap_or("warn".into()));
        let Some(url) = postgres else {
            let data = std::env::temp_dir().join(format!("lair-load-{}", std::process::id()));
            command.arg("--data").arg(&data);
            return Process::start(command, Some(data));
        };
        // Not where others could read it.
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
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The name in brackets may contain anything; only numbers follow it.
        let (_, fields) = text.rsplit_once(')')?;
        let mut times = fields.split_whitespace().skip(11).map(|field| field.parse::<f64>().ok());
        let ticks = times.next()?? + times.next()??;
        Some(Duration::from_secs_f64(ticks / TICKS_PER_S))
    }

    /// Resident memory now.
    pub fn memory_kib(&self) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse().ok()
    }
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
