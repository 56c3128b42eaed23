//! A real NATS server for a test, `lair` processes around it, and somebody who listens to everything.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bus::{Address, Bus, Incoming};
use tokio::task::JoinHandle;

use super::{command, scratch, signal};

/// Nothing here takes this long unless something hangs.
const LONG: Duration = Duration::from_secs(60);

/// The server's program; without it the test is skipped, unless LAIR_NEED_NODES is 1.
pub fn nats_server() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/bin".into()]);
    let found = folders.map(|folder| folder.join("nats-server")).find(|file| file.is_file());
    if found.is_none() {
        let needed = std::env::var("LAIR_NEED_NODES").is_ok_and(|set| set == "1");
        assert!(!needed, "nats-server is not installed, and LAIR_NEED_NODES=1 wants it");
        eprintln!("skipped: nats-server is not installed");
    }
    found
}

pub struct Nats {
    program: PathBuf,
    child: Child,
    folder: PathBuf,
    config: Option<PathBuf>,
    pub port: u16,
}

impl Nats {
    /// `None` if it is not installed. `config` is the text of its configuration file.
    pub fn start(name: &str, config: Option<&str>) -> Option<Nats> {
        let program = nats_server()?;
        let folder = scratch(&format!("nats-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let config = config.map(|text| {
            let file = folder.join("nats.conf");
            std::fs::write(&file, text).unwrap();
            file
        });
        let child = spawn(&program, &folder, &config, "-1");
        let port = port(&folder, child.id());
        Some(Nats { program, child, folder, config, port })
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// At the same port.
    pub fn start_again(&mut self) {
        self.child = spawn(&self.program, &self.folder, &self.config, &self.port.to_string());
        assert_eq!(port(&self.folder, self.child.id()), self.port);
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn spawn(program: &Path, folder: &Path, config: &Option<PathBuf>, port: &str) -> Child {
    let mut nats = Command::new(program);
    nats.args(["-a", "127.0.0.1", "-p", port, "--ports_file_dir"]).arg(folder);
    if let Some(config) = config {
        nats.arg("-c").arg(config);
    }
    nats.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The port it says it has.
fn port(folder: &Path, process: u32) -> u16 {
    let told = || {
        let text = std::fs::read_to_string(folder.join(format!("nats-server_{process}.ports"))).ok()?;
        let json: serde_json::Value = serde_json::from_str(&text).ok()?;
        json["nats"][0].as_str()?.rsplit(':').next()?.parse().ok()
    };
    let mut found = None;
    until("the port of nats-server", || {
        found = told();
        found.is_some()
    });
    found.unwrap()
}

#[track_caller]
pub fn until(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < LONG, "waited in vain for: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A `lair` process whose output is collected.
pub struct Process {
    pub child: Child,
    out: Arc<Mutex<Vec<u8>>>,
    err: Arc<Mutex<Vec<u8>>>,
}

impl Process {
    pub fn start(args: &[&str], settings: &[(&str, &str)]) -> Process {
        let mut run = command(args);
        run.envs(settings.iter().copied());
        let mut child =
            run.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (out, err) = (collect(child.stdout.take().unwrap()), collect(child.stderr.take().unwrap()));
        Process { child, out, err }
    }

    pub fn out(&self) -> String {
        String::from_utf8(self.out.lock().unwrap().clone()).unwrap()
    }

    pub fn err(&self) -> String {
        String::from_utf8(self.err.lock().unwrap().clone()).unwrap()
    }

    /// Waits until it says this on standard error.
    #[track_caller]
    pub fn until_says(&mut self, words: &str) {
        let start = Instant::now();
        while !self.err().contains(words) {
            let ended = self.child.try_wait().unwrap();
            let late = start.elapsed() > LONG;
            assert!(!late && ended.is_none(), "waited in vain for `{words}` in: {}", self.err());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[track_caller]
    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    #[track_caller]
    pub fn ends(&mut self) -> ExitStatus {
        let mut status = None;
        until("the end of a process", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        // Its pipes are closed; what was in them is read soon.
        std::thread::sleep(Duration::from_millis(50));
        status.unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collect(mut from: impl Read + Send + 'static) -> Arc<Mutex<Vec<u8>>> {
    let all: Arc<Mutex<Vec<u8>>> = Arc::default();
    let to = Arc::clone(&all);
    std::thread::spawn(move || {
        let mut some = [0; 4096];
        while let Ok(n @ 1..) = from.read(&mut some) {
            to.lock().unwrap().extend(&some[..n]);
        }
    });
    all
}

/// Subject and payload.
pub type Heard = (String, Vec<u8>);

/// Everything that is said on the bus, until it is dropped.
pub struct Listener {
    heard: Arc<Mutex<Vec<Heard>>>,
    task: JoinHandle<()>,
}

impl Listener {
    pub async fn start(nats: &Nats) -> Listener {
        let bus = Bus::connect(&Address::parse(&nats.url()).unwrap(), "listener").await.unwrap();
        let mut all: Incoming = bus.subscribe(">").await.unwrap();
        bus.check_rights(&[], &[]).await.unwrap();
        let heard: Arc<Mutex<Vec<_>>> = Arc::default();
        let to = Arc::clone(&heard);
        let task = tokio::spawn(async move {
            while let Some(message) = all.next().await {
                to.lock().unwrap().push((message.subject, message.payload.to_vec()));
            }
            drop(bus);
        });
        Listener { heard, task }
    }

    /// As long as it listens, NATS never says that nobody does.
    pub async fn end(self) -> Vec<Heard> {
        self.task.abort();
        let _ = self.task.await;
        std::mem::take(&mut *self.heard.lock().unwrap())
    }
}
