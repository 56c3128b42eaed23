//! The process of an external bot, and the lines to and from it.
//!
//! Invariants: no call takes longer than its time limit, and at most a few short lines of output are
//! buffered. Separate threads read and write; each ends when the other end of its pipe or channel closes.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::ExecError;
use wire::ToBot;

/// Generous: an answer takes a few bytes.
const LONGEST_LINE: usize = 64 * 1024;
/// Lines buffered before the program blocks on writing more.
const BUFFERED_LINES: usize = 4;
/// How much of a program's standard error is passed on, in bytes; the rest is dropped.
const MOST_STDERR: usize = 16 * 1024;
const LONGEST_STDERR_LINE: u64 = 400;
/// How often to check whether a process has exited.
const POLL: Duration = Duration::from_millis(5);

/// A line from the program.
pub struct Received {
    pub line: Vec<u8>,
    /// More arrived with it, which was not asked for.
    pub more: bool,
}

pub struct Peer {
    child: Child,
    to: Sender<Vec<u8>>,
    from: Receiver<Result<Received, ExecError>>,
}

impl Peer {
    pub fn start(command: &str) -> Result<Peer, ExecError> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or(ExecError::NoProgram)?;
        let mut process = Command::new(program);
        process.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        let mut child = process.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ExecError::NotFound(label(program)),
            io::ErrorKind::PermissionDenied => ExecError::NotExecutable(label(program)),
            #[cfg(unix)]
            _ if rustix::io::Errno::from_io_error(&error) == Some(rustix::io::Errno::NOEXEC) => {
                ExecError::NotExecutable(label(program))
            }
            _ => ExecError::Start(error),
        })?;
        let (to, lines) = channel();
        let (heard, from) = sync_channel(BUFFERED_LINES);
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
            _ => Err(io::Error::other("its input or output is not available")),
        };
        match listening {
            Ok(()) => Ok(peer),
            Err(error) => {
                peer.end(Duration::ZERO);
                Err(ExecError::Start(error))
            }
        }
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Does not wait until the program has read it.
    pub fn send(&mut self, message: &ToBot) -> Result<(), ExecError> {
        let mut line = serde_json::to_vec(message).map_err(|error| ExecError::Start(error.into()))?;
        line.push(b'\n');
        self.to.send(line).map_err(|_| ExecError::InputClosed)
    }

    /// The next line.
    pub fn receive(&mut self, within: Duration) -> Result<Received, ExecError> {
        match self.from.recv_timeout(within) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Err(ExecError::TimedOut(within.as_secs_f64())),
            Err(RecvTimeoutError::Disconnected) => Err(ExecError::Ended),
        }
    }

    /// Has the program written a line without being asked?
    pub fn has_unasked_line(&mut self) -> Result<bool, ExecError> {
        match self.from.try_recv() {
            Ok(heard) => heard.map(|_| true),
            Err(TryRecvError::Empty) => Ok(false),
            Err(TryRecvError::Disconnected) => Err(ExecError::Ended),
        }
    }

    /// Closes its input and gives it this long to exit; then kills it and every process it started.
    pub fn end(self, grace: Duration) {
        let Peer { mut child, to, from } = self;
        drop(to);
        let until = Instant::now() + grace;
        while Instant::now() < until && matches!(child.try_wait(), Ok(None)) {
            // It may be blocked on writing, so drain its output.
            while from.try_recv().is_ok() {}
            thread::sleep(POLL);
        }
        #[cfg(unix)]
        if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // Fails if the whole group has exited already.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name("bot".into()).spawn(work).map(drop)
}

fn speak(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>, deaf: &SyncSender<Result<Received, ExecError>>) {
    for line in lines {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            let _ = deaf.send(Err(ExecError::InputClosed));
            return;
        }
    }
}

fn listen(stdout: ChildStdout, heard: &SyncSender<Result<Received, ExecError>>) {
    let mut from = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = from.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line);
        let now = match read {
            Ok(0) | Err(_) => Err(ExecError::Ended),
            Ok(bytes) if bytes > LONGEST_LINE => Err(ExecError::LongLine(LONGEST_LINE)),
            Ok(_) => Ok(Received { line, more: !from.buffer().is_empty() }),
        };
        let last = now.is_err();
        if heard.send(now).is_err() || last {
            return;
        }
    }
}

/// Passes on the program's standard error, prefixed with its name.
fn pass_on(stderr: ChildStderr, who: &str) {
    let mut from = BufReader::new(stderr);
    let mut said = 0;
    let mut line = Vec::new();
    while from.by_ref().take(LONGEST_STDERR_LINE).read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        said += line.len();
        let text = String::from_utf8_lossy(&line);
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        if said <= MOST_STDERR {
            let _ = if text.is_empty() { Ok(()) } else { writeln!(io::stderr(), "{who}: {text}") };
        } else if said - line.len() <= MOST_STDERR {
            let _ = writeln!(io::stderr(), "{who}: (further output is not shown)");
        }
        line.clear();
    }
}

/// A short text that is safe to print.
pub fn label(text: &str) -> String {
    text.trim().chars().filter(|c| !c.is_control()).take(60).collect()
}
