//! A PostgreSQL and a NATS server of our own, on this machine alone: what several servers share while they are measured.
//!
//! Invariant: both end with this program, and leave nothing behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::process::{signal, stat};
use crate::failure::Failure;

/// Nothing here takes this long unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    child: Child,
}

pub struct Nats {
    folder: PathBuf,
    child: Child,
    pub url: String,
}

impl Postgres {
    pub fn start() -> Result<Postgres, Failure> {
        let programs = postgres_programs().ok_or_else(|| {
            Failure::failed(
                "PostgreSQL is not installed, which several servers share: install it (postgresql in Debian)",
            )
        })?;
        let folder = folder("pg")?;
        let data = folder.join("data");
        if is_root() {
            // It refuses to run as root.
            run(Command::new("chown").arg("postgres:").arg(&folder))?;
        }
        let mut make = as_postgres(&programs, "initdb");
        make.arg("-D").arg(&data).args(["-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]);
        run(&mut make)?;
        let mut start = as_postgres(&programs, "postgres");
        start.arg("-D").arg(&data).arg("-k").arg(&folder);
        for setting in ["listen_addresses=", "shared_buffers=128MB", "max_connections=100"] {
            start.args(["-c", setting]);
        }
        let postgres = Postgres { programs, child: spawn(&mut start)?, folder };
        until("PostgreSQL", || postgres.psql("SELECT 1").is_ok())?;
        Ok(postgres)
    }

    /// The address of a new database.
    pub fn database(&self, name: &str) -> Result<String, Failure> {
        self.psql(&format!("CREATE DATABASE {name}"))?;
        Ok(format!("postgres://postgres@/{name}?host={}", self.folder.display()))
    }

    /// Processor time of all its processes so far.
    pub fn cpu(&self) -> Option<Duration> {
        let main = self.child.id();
        let all = fs::read_dir("/proc").ok()?.flatten();
        let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let mine = numbers.filter_map(|process: u32| {
            let (parent, time) = stat(process)?;
            (process == main || parent == main).then_some(time)
        });
        Some(mine.sum())
    }

    /// How many bytes its write-ahead log has had so far.
    pub fn written_ahead(&self) -> Option<u64> {
        self.psql("SELECT pg_current_wal_lsn() - '0/0'").ok()?.trim().parse().ok()
    }

    fn psql(&self, sql: &str) -> Result<String, Failure> {
        let mut psql = as_postgres(&self.programs, "psql");
        psql.arg("-h").arg(&self.folder).args(["-U", "postgres", "-d", "postgres", "-XAtq", "-c", sql]);
        run(&mut psql)
    }
}

impl Nats {
    pub fn start() -> Result<Nats, Failure> {
        let missing =
            "nats-server is not installed, the bus of several servers: install it (nats-server in Debian)";
        let program = on_path(&["/usr/sbin", "/usr/local/bin"], |folder| folder.join("nats-server"))
            .ok_or_else(|| Failure::failed(missing))?;
        let folder = folder("nats")?;
        let mut start = Command::new(program);
        start.args(["-a", "127.0.0.1", "-p", "-1", "--ports_file_dir"]).arg(&folder);
        let child = spawn(&mut start)?;
        let ports = folder.join(format!("nats-server_{}.ports", child.id()));
        let mut nats = Nats { folder, child, url: String::new() };
        until("nats-server", || {
            let told = || {
                let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(&ports).ok()?).ok()?;
                Some(json["nats"][0].as_str()?.to_string())
            };
            nats.url = told().unwrap_or_default();
            !nats.url.is_empty()
        })?;
        Ok(nats)
    }

    pub fn cpu(&self) -> Option<Duration> {
        Some(stat(self.child.id())?.1)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // At once, with all its processes.
        let _ = signal(self.child.id(), "QUIT");
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A new one with a short path: those of sockets have at most 107 letters.
fn folder(name: &str) -> Result<PathBuf, Failure> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let (process, n) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let folder = Path::new("/tmp").join(format!("lair-load-{process}-{name}-{n}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder)?;
    Ok(folder)
}

/// The newest that Debian has installed, or else the one on the path.
fn postgres_programs() -> Option<PathBuf> {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let version = |folder: &PathBuf| folder.file_name()?.to_str()?.parse::<u32>().ok();
    let newest =
        debian.map(|entry| entry.path()).filter(|folder| version(folder) >= Some(15)).max_by_key(version);
    let newest = newest.map(|folder| folder.join("bin")).filter(|folder| folder.join("initdb").is_file());
    newest.or_else(|| Some(on_path(&[], |folder| folder.join("initdb"))?.parent()?.into()))
}

fn on_path(more: &[&str], file: impl Fn(&Path) -> PathBuf) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(more.iter().map(PathBuf::from));
    folders.map(|folder| file(&folder)).find(|file| file.is_file())
}

fn is_root() -> bool {
    #[cfg(unix)]
    return fs::metadata("/proc/self").is_ok_and(|about| std::os::unix::fs::MetadataExt::uid(&about) == 0);
    #[cfg(not(unix))]
    false
}

fn as_postgres(programs: &Path, program: &str) -> Command {
    let program = programs.join(program);
    let mut command = match is_root() {
        true => {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
            command
        }
        false => Command::new(program),
    };
    command.current_dir("/tmp").env("LC_ALL", "C");
    command
}

/// In the background; Ctrl-C must reach only this program.
fn spawn(command: &mut Command) -> Result<Child, Failure> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    Ok(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?)
}

/// What it prints.
fn run(command: &mut Command) -> Result<String, Failure> {
    let ran = command.stdin(Stdio::null()).output()?;
    if ran.status.success() {
        return Ok(String::from_utf8_lossy(&ran.stdout).into_owned());
    }
    let program = command.get_program().to_string_lossy().into_owned();
    Err(Failure::failed(format!("{program} failed: {}", String::from_utf8_lossy(&ran.stderr).trim())))
}

fn until(what: &str, mut so: impl FnMut() -> bool) -> Result<(), Failure> {
    let start = Instant::now();
    while !so() {
        if start.elapsed() > PATIENCE {
            return Err(Failure::failed(format!("{what} does not start")));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}
