//! An external bot: a program that runs as its own process and answers over standard input and output,
//! one line of JSON each way (docs/bot-protocol.md).
//!
//! Invariants: whatever the program does, the game gets a legal answer within the limits, and the process
//! ends when this value is dropped. A program that breaks the protocol forfeits; `Random` takes over.

mod error;
mod peer;

use std::io::Write;
use std::time::Duration;

use engine::view::View;
use engine::{Action, Actions};
use serde::de::DeserializeOwned;

use crate::{Bot, Random};
use wire::{Answer, Ask, Hello, Over, PROTOCOL, Start, ToBot};

pub use error::ExecError;
use peer::Peer;

/// How long a program may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For its hello.
    pub handshake: Duration,
    /// For each answer.
    pub answer: Duration,
    /// To exit after `bye`.
    pub goodbye: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let seconds = Duration::from_secs;
        Limits { handshake: seconds(10), answer: seconds(5), goodbye: seconds(1) }
    }
}

pub struct Exec {
    command: String,
    limits: Limits,
    /// `None` once it has forfeited.
    peer: Option<Peer>,
    name: String,
    stand_in: Random,
    /// Questions asked in this game; 0 before its first.
    asked: u32,
    failure: Option<ExecError>,
    /// The game is over; the next question starts a new one.
    over: bool,
}

impl Exec {
    /// Runs the command (a program and its arguments, separated by spaces) and waits for its hello.
    pub fn start(command: &str, seed: u64, limits: Limits) -> Result<Exec, ExecError> {
        let (peer, name) = start_process(command, &limits)?;
        let stand_in = Random::new(seed);
        let command = command.into();
        Ok(Exec { command, limits, peer: Some(peer), name, stand_in, asked: 0, failure: None, over: false })
    }

    /// The name the program gave itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its process ID, while it runs.
    pub fn process(&self) -> Option<u32> {
        self.peer.as_ref().map(Peer::process)
    }

    fn ask(&mut self, view: &View, legal: &Actions) -> Result<Action, ExecError> {
        let peer = match &mut self.peer {
            Some(peer) => peer,
            // It failed in an earlier game: start it again for this one.
            empty => empty.insert(start_process(&self.command, &self.limits)?.0),
        };
        if self.asked == 0 {
            peer.send(&ToBot::Start { start: Start::of(view) })?;
        }
        let seq = self.asked + 1;
        let Some(question) = Ask::of(view, seq, legal) else { return Err(ExecError::NotAsked) };
        if peer.has_unasked_line()? {
            return Err(ExecError::OutOfTurn);
        }
        peer.send(&ToBot::Ask(question))?;
        self.asked = seq;
        let heard = peer.receive(self.limits.answer)?;
        let answer: Answer = read(&heard.line, ExecError::NoAnswer)?;
        if heard.more {
            return Err(ExecError::OutOfTurn);
        }
        if let Some(answered) = answer.seq
            && answered != seq
        {
            return Err(ExecError::OtherQuestion { asked: seq, answered });
        }
        let Answer { index, .. } = answer;
        legal.get(index).copied().ok_or(ExecError::OutOfRange { index, legal: legal.len() })
    }

    fn forfeit_with(&mut self, error: ExecError) {
        if let Some(peer) = self.peer.take() {
            peer.end(Duration::ZERO);
        }
        report_forfeit(&self.command, &error);
        self.failure = Some(error);
    }
}

impl Bot for Exec {
    fn choose(&mut self, view: &View, legal: &Actions) -> Action {
        if std::mem::take(&mut self.over) {
            (self.asked, self.failure) = (0, None);
        }
        if self.failure.is_none() {
            match self.ask(view, legal) {
                Ok(action) => return action,
                Err(error) => self.forfeit_with(error),
            }
        }
        self.stand_in.choose(view, legal)
    }

    fn game_over(&mut self, view: &View) {
        if let (Some(peer), Some(over), 1..) = (&mut self.peer, Over::of(view), self.asked) {
            // If it no longer listens, this game is over anyway.
            let _ = peer.send(&ToBot::Over { over });
        }
        self.over = true;
    }

    fn forfeit(&self) -> Option<String> {
        self.failure.as_ref().map(ExecError::to_string)
    }
}

impl Drop for Exec {
    fn drop(&mut self) {
        if let Some(mut peer) = self.peer.take() {
            let _ = peer.send(&ToBot::Bye { bye: true });
            peer.end(self.limits.goodbye);
        }
    }
}

/// Prints to standard error why a bot forfeits a game.
pub fn report_forfeit(who: &str, error: &ExecError) {
    let who = peer::label(who);
    // If standard error is closed, there is nowhere to report it.
    let _ = writeln!(std::io::stderr(), "lair: {who} forfeits the game: {error}. `random` takes over.");
}

/// Starts the program and exchanges hellos; returns its name.
fn start_process(command: &str, limits: &Limits) -> Result<(Peer, String), ExecError> {
    let mut peer = Peer::start(command)?;
    let hello = peer.send(&ToBot::Hello(Hello::lair())).and_then(|()| peer.receive(limits.handshake));
    let name = hello.and_then(|heard| read(&heard.line, ExecError::NoHello)).and_then(|hello: Hello| {
        let same = hello.protocol == PROTOCOL;
        if same { Ok(hello.hello) } else { Err(ExecError::Protocol(hello.protocol)) }
    });
    match name {
        Ok(name) => Ok((peer, peer::label(&name))),
        Err(error) => {
            peer.end(Duration::ZERO);
            Err(error)
        }
    }
}

fn read<T: DeserializeOwned>(line: &[u8], wrong: impl Fn(String) -> ExecError) -> Result<T, ExecError> {
    serde_json::from_slice(line).map_err(|_| wrong(peer::label(&String::from_utf8_lossy(line))))
}
