//! The process of a program, and the lines to and from it.
//!
//! Invariants: no call takes longer than it was given, and nothing the program writes is kept beyond a few short
//! lines: threads of their own read and write, and they end with those who hold the other ends.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Fault;
use crate::wire::ToBot;

/// An answer takes a few bytes.
const LONGEST_LINE: usize = 64 * 1024;
/// Lines that wait for being read; then the program has to wait.
const WAITING: usize = 4;
/// What a program may say to people, in bytes; the rest is dropped.
const MOST_REMARKS: usize = 16 * 1024;
const LONGEST_REMARK: u64 = 400;
/// How often is looked whether a process has ended.
const GLANCE: Duration = Duration::from_millis(5);

/// A line from the program.
pub struct Heard {
    pub line: Vec<u8>,
    /// It came together with more, which nobody can have asked for.
    pub more: bool,
}

pub struct Peer {
    child: Child,
    to: Sender<Vec<u8>>,
    from: Receiver<Result<Heard, Fault>>,
}

impl Peer {
    pub fn start(command: &str) -> Result<Peer, Fault> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or(Fault::NoProgram)?;
        let mut process = Command::new(program);
        process.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        let mut child = process.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Fault::NotFound(label(program)),
            io::ErrorKind::PermissionDenied => Fault::NotExecutable(label(program)),
            #[cfg(unix)]
            _ if rustix::io::Errno::from_io_error(&error) == Some(rustix::io::Errno::NOEXEC) => {
                Fault::NotExecutable(label(program))
            }
            _ => Fault::Start(error),
        })?;
        let (to, lines) = channel();
        let (heard, from) = sync_channel(WAITING);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let peer = Peer { child, to, from };
        let who = label(command);
        let listening = match pipes {
            (Some(stdin), Some(stdout), Some(stderr)) => {
                let deaf = heard.clone();
                spawn(move || speak(stdin, &lines, &deaf))
                    .and_then(|()| spawn(move || listen(stdout, &heard)))
                    .and_then(|()| spawn(move || pass_on(stderr, &who)))
            }
            _ => Err(io::Error::other("its input or output cannot be reached")),
        };
        match listening {
            Ok(()) => Ok(peer),
            Err(error) => {
                peer.end(Duration::ZERO);
                Err(Fault::Start(error))
            }
        }
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Does not wait until it is read.
    pub fn say(&mut self, message: &ToBot) -> Result<(), Fault> {
        let mut line = serde_json::to_vec(message).map_err(|error| Fault::Start(error.into()))?;
        line.push(b'\n');
        self.to.send(line).map_err(|_| Fault::Deaf)
    }

    /// The next line.
    pub fn hear(&mut self, within: Duration) -> Result<Heard, Fault> {
        match self.from.recv_timeout(within) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Err(Fault::Silent(within.as_secs_f64())),
            Err(RecvTimeoutError::Disconnected) => Err(Fault::Ended),
        }
    }

    /// Is there a line that nobody asked for?
    pub fn has_spoken(&mut self) -> Result<bool, Fault> {
        match self.from.try_recv() {
            Ok(heard) => heard.map(|_| true),
            Err(TryRecvError::Empty) => Ok(false),
            Err(TryRecvError::Disconnected) => Err(Fault::Ended),
        }
    }

    /// Closes its input and gives it this long to end; then it is ended, with everything it has started.
    pub fn end(self, grace: Duration) {
        let Peer { mut child, to, from } = self;
        drop(to);
        let until = Instant::now() + grace;
        while Instant::now() < until && matches!(child.try_wait(), Ok(None)) {
            // What it still writes is of no interest, but it may have to be rid of it before it can end.
            while from.try_recv().is_ok() {}
            thread::sleep(GLANCE);
        }
        #[cfg(unix)]
        if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // Fails when nobody is left of the group, which is as well.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name("bot".into()).spawn(work).map(drop)
}

fn speak(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>, deaf: &SyncSender<Result<Heard, Fault>>) {
    for line in lines {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            let _ = deaf.send(Err(Fault::Deaf));
            return;
        }
    }
}

fn listen(stdout: ChildStdout, heard: &SyncSender<Result<Heard, Fault>>) {
    let mut from = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = from.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line);
        let now = match read {
            Ok(0) | Err(_) => Err(Fault::Ended),
            Ok(bytes) if bytes > LONGEST_LINE => Err(Fault::LongLine(LONGEST_LINE)),
            Ok(_) => Ok(Heard { line, more: !from.buffer().is_empty() }),
        };
        let last = now.is_err();
        if heard.send(now).is_err() || last {
            return;
        }
    }
}

/// What the program says to people, with its name before it.
fn pass_on(stderr: ChildStderr, who: &str) {
    let mut from = BufReader::new(stderr);
    let mut said = 0;
    let mut line = Vec::new();
    while from.by_ref().take(LONGEST_REMARK).read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        said += line.len();
        let text = String::from_utf8_lossy(&line);
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        if said <= MOST_REMARKS {
            let _ = if text.is_empty() { Ok(()) } else { writeln!(io::stderr(), "{who}: {text}") };
        } else if said - line.len() <= MOST_REMARKS {
            let _ = writeln!(io::stderr(), "{who}: (and more, which is not shown)");
        }
        line.clear();
    }
}

/// A short text that is safe to print.
pub fn label(text: &str) -> String {
    text.trim().chars().filter(|c| !c.is_control()).take(60).collect()
}
