//! A player that is a program of somebody's own: it runs beside the game and is asked by standard input and
//! output, one line of JSON each way (docs/bot-protocol.md).
//!
//! Invariants: whatever the program does, the game goes on within the limits with a legal answer, and its process
//! is gone when this value is. A program that breaks the protocol forfeits: `Random` plays on for it.

mod fault;
mod peer;

use std::io::Write;
use std::time::Duration;

use engine::view::View;
use engine::{Action, Actions};
use serde::de::DeserializeOwned;

use crate::wire::{Answer, Ask, Hello, Over, PROTOCOL, Start, ToBot};
use crate::{Bot, Random};

pub use fault::Fault;
use peer::Peer;

/// How long a program may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// To say hello.
    pub handshake: Duration,
    /// For each answer.
    pub answer: Duration,
    /// To end by itself after `bye`.
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
    /// Gone when it has forfeited.
    peer: Option<Peer>,
    name: String,
    stand_in: Random,
    /// Questions of this game; none yet means that it has not begun.
    asked: u32,
    fault: Option<Fault>,
    /// The game is over; the next question is another's first.
    over: bool,
}

impl Exec {
    /// Runs the command, a program and its arguments between spaces, and waits for its hello.
    pub fn start(command: &str, seed: u64, limits: Limits) -> Result<Exec, Fault> {
        let (peer, name) = meet(command, &limits)?;
        let stand_in = Random::new(seed);
        let command = command.into();
        Ok(Exec { command, limits, peer: Some(peer), name, stand_in, asked: 0, fault: None, over: false })
    }

    /// As the program calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of its process, while there is one.
    pub fn process(&self) -> Option<u32> {
        self.peer.as_ref().map(Peer::process)
    }

    fn ask(&mut self, view: &View, legal: &Actions) -> Result<Action, Fault> {
        let peer = match &mut self.peer {
            Some(peer) => peer,
            // It failed in an earlier game: a new game is a new chance.
            empty => empty.insert(meet(&self.command, &self.limits)?.0),
        };
        if self.asked == 0 {
            peer.say(&ToBot::Start { start: Start::of(view) })?;
        }
        let seq = self.asked + 1;
        let Some(question) = Ask::of(view, seq, legal) else { return Err(Fault::NotAsked) };
        if peer.has_spoken()? {
            return Err(Fault::OutOfTurn);
        }
        peer.say(&ToBot::Ask(question))?;
        self.asked = seq;
        let heard = peer.hear(self.limits.answer)?;
        let answer: Answer = read(&heard.line, Fault::NoAnswer)?;
        if heard.more {
            return Err(Fault::OutOfTurn);
        }
        if let Some(answered) = answer.seq
            && answered != seq
        {
            return Err(Fault::OtherQuestion { asked: seq, answered });
        }
        let Answer { index, .. } = answer;
        legal.get(index).copied().ok_or(Fault::OutOfRange { index, legal: legal.len() })
    }

    fn forfeits(&mut self, fault: Fault) {
        if let Some(peer) = self.peer.take() {
            peer.end(Duration::ZERO);
        }
        tell_forfeit(&self.command, &fault);
        self.fault = Some(fault);
    }
}

impl Bot for Exec {
    fn choose(&mut self, view: &View, legal: &Actions) -> Action {
        if std::mem::take(&mut self.over) {
            (self.asked, self.fault) = (0, None);
        }
        if self.fault.is_none() {
            match self.ask(view, legal) {
                Ok(action) => return action,
                Err(fault) => self.forfeits(fault),
            }
        }
        self.stand_in.choose(view, legal)
    }

    fn over(&mut self, view: &View) {
        if let (Some(peer), Some(over), 1..) = (&mut self.peer, Over::of(view), self.asked) {
            // Whether it still listens no longer matters to this game.
            let _ = peer.say(&ToBot::Over { over });
        }
        self.over = true;
    }

    fn forfeit(&self) -> Option<String> {
        self.fault.as_ref().map(Fault::to_string)
    }
}

impl Drop for Exec {
    fn drop(&mut self) {
        if let Some(mut peer) = self.peer.take() {
            let _ = peer.say(&ToBot::Bye { bye: true });
            peer.end(self.limits.goodbye);
        }
    }
}

/// Says on standard error why somebody forfeits a game.
pub fn tell_forfeit(who: &str, fault: &Fault) {
    let who = peer::label(who);
    // With no standard error left there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "lair: {who} forfeits the game: {fault}. `random` plays on for it.");
}

/// Starts the program, says hello and hears its name.
fn meet(command: &str, limits: &Limits) -> Result<(Peer, String), Fault> {
    let mut peer = Peer::start(command)?;
    let hello = peer.say(&ToBot::Hello(Hello::lair())).and_then(|()| peer.hear(limits.handshake));
    let name = hello.and_then(|heard| read(&heard.line, Fault::NoHello)).and_then(|hello: Hello| {
        let same = hello.protocol == PROTOCOL;
        if same { Ok(hello.hello) } else { Err(Fault::Protocol(hello.protocol)) }
    });
    match name {
        Ok(name) => Ok((peer, peer::label(&name))),
        Err(fault) => {
            peer.end(Duration::ZERO);
            Err(fault)
        }
    }
}

fn read<T: DeserializeOwned>(line: &[u8], wrong: impl Fn(String) -> Fault) -> Result<T, Fault> {
    serde_json::from_slice(line).map_err(|_| wrong(peer::label(&String::from_utf8_lossy(line))))
}
