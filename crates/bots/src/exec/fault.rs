//! Why a program cannot play, or no longer.

use std::io;

use thiserror::Error;

use crate::wire::PROTOCOL;

#[derive(Debug, Error)]
pub enum Fault {
    #[error("no program is named: write one, as in exec:./mybot or exec:python3 mybot.py")]
    NoProgram,
    #[error(
        "there is no program `{0}`: look at its path (one of this folder is written ./mybot), or install it"
    )]
    NotFound(String),
    #[error("`{0}` may not be run: make it executable, or name what runs it, as in python3 {0}")]
    NotExecutable(String),
    #[error("it cannot be started: {0}")]
    Start(#[source] io::Error),
    #[error("it said nothing for {0} seconds")]
    Silent(f64),
    #[error("it ended, or closed its output")]
    Ended,
    #[error("it no longer reads its input")]
    Deaf,
    #[error("it wrote a line of more than {0} bytes")]
    LongLine(usize),
    #[error("it began with `{0}` instead of {{\"hello\": \"its name\", \"protocol\": {PROTOCOL}}}")]
    NoHello(String),
    #[error("it speaks protocol {0}, and this program speaks {PROTOCOL}: see docs/bot-protocol.md")]
    Protocol(u32),
    #[error("`{0}` is no answer: write {{\"index\": 0}}, with the number of a legal answer")]
    NoAnswer(String),
    #[error("it answered {index}, and there are the answers 0 to {}", .legal.saturating_sub(1))]
    OutOfRange { index: usize, legal: usize },
    #[error("it answered question {answered} when it was asked question {asked}")]
    OtherQuestion { asked: u32, answered: u32 },
    #[error("it wrote a line without being asked: one question, one answer")]
    OutOfTurn,
    #[error("the question was somebody else's")]
    NotAsked,
}
