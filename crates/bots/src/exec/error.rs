//! Why an external bot cannot play, or cannot go on.

use std::io;

use thiserror::Error;

use wire::PROTOCOL;

#[derive(Debug, Error)]
pub enum ExecError {
    #[error("no program given: write one, as in exec:./mybot or exec:python3 mybot.py")]
    NoProgram,
    #[error("program `{0}` not found: check its path (write ./mybot for one in this folder), or install it")]
    NotFound(String),
    #[error("`{0}` is not executable: make it so, or name its interpreter, as in python3 {0}")]
    NotExecutable(String),
    #[error("it could not be started: {0}")]
    Start(#[source] io::Error),
    #[error("it did not answer within {0} seconds")]
    TimedOut(f64),
    #[error("it exited, or closed its output")]
    Ended,
    #[error("it no longer reads its input")]
    InputClosed,
    #[error("it wrote a line longer than {0} bytes")]
    LongLine(usize),
    #[error("it began with `{0}` instead of {{\"hello\": \"its name\", \"protocol\": {PROTOCOL}}}")]
    NoHello(String),
    #[error("it speaks protocol {0}, but Lair speaks {PROTOCOL}: see docs/bot-protocol.md")]
    Protocol(u32),
    #[error("`{0}` is not a valid answer: write {{\"index\": 0}}, with the index of a legal answer")]
    NoAnswer(String),
    #[error("it answered {index}, but the legal answers are 0 to {}", .legal.saturating_sub(1))]
    OutOfRange { index: usize, legal: usize },
    #[error("it answered question {answered} when it was asked question {asked}")]
    OtherQuestion { asked: u32, answered: u32 },
    #[error("it wrote a line without being asked: one question, one answer")]
    OutOfTurn,
    #[error("the question was for another player")]
    NotAsked,
}
