//! A real PostgreSQL for tests: made in a temporary folder, reached through a Unix socket there.
//!
//! It is found on the path or where Debian puts it. Where there is none, tests that need it say so and pass, unless
//! `LAIR_NEED_NODES=1`. It does not run as root, so root runs it as the user `postgres`.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// Nothing here takes this long unless something hangs.
const LONG: Duration = Duration::from_secs(60);
/// Who may come in how. `guarded` needs a password.
const LETS_IN: &str = "
local all guarded scram-sha-256
local all all trust
hostssl all all 127.0.0.1/32 trust
";

pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    /// Where it also listens, with TLS, if it does.
    pub port: Option<u16>,
    settings: Mutex<Vec<String>>,
}

/// The one that the tests of a program share.
pub fn shared() -> Option<&'static Postgres> {
    static SHARED: OnceLock<Option<Postgres>> = OnceLock::new();
    SHARED.get_or_init(|| Postgres::start(&[])).as_ref()
}

/// Whether tests that need it can run; where they must, they fail without it.
pub fn is_installed() -> bool {
    let found = programs().is_some();
    let needed = std::env::var("LAIR_NEED_NODES").is_ok_and(|value| value == "1");
    assert!(found || !needed, "PostgreSQL is not installed, and LAIR_NEED_NODES=1");
    if !found {
        eprintln!("skipped: PostgreSQL is not installed");
    }
    found
}

impl Postgres {
    /// A new one, with these settings (`fsync=off`); `None` if PostgreSQL is not installed.
    pub fn start(settings: &[&str]) -> Option<Postgres> {
        if !is_installed() {
            return None;
        }
        let programs = programs()?;
        static NEXT: AtomicU32 = AtomicU32::new(0);
        forget_old_ones();
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = PathBuf::from(format!("/tmp/lair-pg-{}-{n}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        own(&folder);
        let settings = settings.iter().map(ToString::to_string).collect();
        let postgres = Postgres { programs, folder, port: None, settings: Mutex::new(settings) };
        let data = postgres.data();
        let made = postgres
            .run("initdb", ["-D", &data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        fs::write(format!("{data}/pg_hba.conf"), LETS_IN).unwrap();
        postgres.go();
        postgres.sql("postgres", "CREATE ROLE lair LOGIN; CREATE ROLE guarded LOGIN PASSWORD 'open sesame'");
        Some(postgres)
    }

    /// The same, which also listens on a port, with TLS and a certificate for `localhost`.
    pub fn start_encrypted() -> Option<Postgres> {
        let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let mut postgres = Postgres::start(&[])?;
        postgres.stop("fast");
        let here = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../server/tests/postgres"));
        for name in ["server.pem", "server.key"] {
            let copy = postgres.folder.join(name);
            fs::copy(here.join(name), &copy).unwrap();
            fs::set_permissions(&copy, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
            own(&copy);
        }
        let file = |name: &str| postgres.folder.join(name).display().to_string();
        let more = [
            "listen_addresses=127.0.0.1".to_string(),
            format!("port={port}"),
            "ssl=on".into(),
            format!("ssl_cert_file={}", file("server.pem")),
            format!("ssl_key_file={}", file("server.key")),
        ];
        postgres.settings().extend(more);
        postgres.port = Some(port);
        postgres.go();
        Some(postgres)
    }

    fn settings(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn data(&self) -> String {
        self.folder.join("data").display().to_string()
    }

    /// A new, empty database that belongs to the role `lair`.
    pub fn database(&self) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("lair{}", NEXT.fetch_add(1, Ordering::Relaxed));
        self.sql("postgres", &format!("CREATE DATABASE {name} OWNER lair"));
        name
    }

    /// The address of a new database.
    pub fn url(&self) -> String {
        let database = self.database();
        self.url_of("lair", &database)
    }

    pub fn url_of(&self, who: &str, database: &str) -> String {
        let port = self.port.unwrap_or(5432);
        format!("postgres://{who}@/{database}?host={}&port={port}", self.folder.display())
    }

    /// The socket through which it is reached.
    pub fn socket(&self) -> PathBuf {
        self.folder.join(format!(".s.PGSQL.{}", self.port.unwrap_or(5432)))
    }

    /// What PostgreSQL answers, a row a line.
    pub fn sql(&self, database: &str, text: &str) -> String {
        let (host, port) = (self.folder.display().to_string(), self.port.unwrap_or(5432).to_string());
        let args =
            ["-h", &host, "-p", &port, "-U", "postgres", "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1"];
        let told = self.run("psql", args.into_iter().chain(["-c", text]));
        assert!(told.status.success(), "{text}: {}", String::from_utf8_lossy(&told.stderr));
        String::from_utf8(told.stdout).unwrap().trim_end().to_string()
    }

    /// Starts it, and waits until it answers. It ends with this process.
    pub fn go(&self) {
        let mut run = self.command("postgres");
        run.args(["-D", &self.data(), "-k"]).arg(&self.folder);
        let usual = ["listen_addresses=", "shared_buffers=32MB", "max_connections=60", "timezone=UTC"];
        for setting in usual.iter().map(ToString::to_string).chain(self.settings().clone()) {
            run.args(["-c", &setting]);
        }
        let log = fs::File::options().create(true).append(true).open(self.folder.join("log")).unwrap();
        run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        // It is told to stop when the thread ends that started it, so that is one that does not.
        let (started, wait) = mpsc::channel();
        std::thread::spawn(move || {
            let mut child = run.spawn().unwrap();
            let _ = started.send(());
            let _ = child.wait();
        });
        wait.recv().unwrap();
        let (host, port) = (self.folder.display().to_string(), self.port.unwrap_or(5432).to_string());
        let start = Instant::now();
        while !self.run("pg_isready", ["-q", "-h", &host, "-p", &port]).status.success() {
            let log = || fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(start.elapsed() < LONG, "PostgreSQL does not start: {}", log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops it: `fast`, or `immediate`, which is like a crash.
    pub fn stop(&self, how: &str) {
        let stopped = self.run("pg_ctl", ["stop", "-D", &self.data(), "-m", how, "-w", "-t", "60"]);
        assert!(stopped.status.success(), "{}", String::from_utf8_lossy(&stopped.stderr));
    }

    /// Sends a signal to all of it.
    pub fn signal(&self, signal: &str) {
        let pid = fs::read_to_string(format!("{}/postmaster.pid", self.data())).unwrap();
        let pid = pid.lines().next().unwrap().to_string();
        let kill = |all: &[&str]| Command::new("kill").arg(format!("-{signal}")).args(all).output().unwrap();
        assert!(kill(&[&pid]).status.success());
        // The children have it as their parent; one may just have ended.
        let children = Command::new("pgrep").args(["-P", &pid]).output().unwrap();
        for child in String::from_utf8(children.stdout).unwrap().lines() {
            kill(&[child]);
        }
    }

    fn run<S: AsRef<OsStr>>(&self, program: &str, args: impl IntoIterator<Item = S>) -> Output {
        self.command(program).args(args).stdin(Stdio::null()).output().unwrap()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("setpriv");
        if is_root() {
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        }
        command.args(["--pdeathsig", "INT", "--"]).arg(self.programs.join(program)).current_dir("/tmp");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PG")) {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C");
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.run("pg_ctl", ["stop", "-D", &self.data(), "-m", "immediate", "-w"]);
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder of PostgreSQL's programs.
fn programs() -> Option<PathBuf> {
    let whole = |folder: &PathBuf| {
        ["initdb", "postgres", "pg_ctl", "psql"].iter().all(|name| folder.join(name).is_file())
    };
    let on_path: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let mut debian: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .map(|found| found.filter_map(|entry| Some(entry.ok()?.path().join("bin"))).collect())
        .unwrap_or_default();
    debian.sort();
    debian.into_iter().rev().chain(on_path).find(whole)
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|about| std::os::unix::fs::MetadataExt::uid(&about) == 0)
}

/// Gives a file to the user that PostgreSQL runs as.
fn own(path: &Path) {
    if is_root() {
        assert!(Command::new("chown").arg("postgres:").arg(path).status().unwrap().success());
    }
}

/// Those of processes that are gone.
fn forget_old_ones() {
    for entry in fs::read_dir("/tmp").into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let pid = name.strip_prefix("lair-pg-").and_then(|rest| rest.split('-').next());
        if let Some(pid) = pid
            && !Path::new("/proc").join(pid).exists()
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
