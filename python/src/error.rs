//! What can go wrong, as Python sees it: every message says what, and how to mend it.

use engine::codec::DecodeError;
use engine::record::{NotAnAction, RecordError};
use engine::{SetupError, SetupLineError};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use thiserror::Error;

create_exception!(lair_env, LairError, PyValueError, "Lair cannot do that; the message says why.");
create_exception!(lair_env, IllegalAction, LairError, "The action is not among the legal ones.");
create_exception!(lair_env, GameOver, LairError, "The game is over: reset it.");

#[derive(Debug, Error)]
pub enum Failure {
    #[error(transparent)]
    Line(#[from] SetupLineError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("{0}")]
    Deck(String),
    #[error(transparent)]
    Bot(#[from] bots::UnknownBot),
    #[error(transparent)]
    Seat(#[from] bots::SeatError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Answer(#[from] NotAnAction),
    #[error("the game cannot be restored: {0}")]
    State(#[from] DecodeError),
    #[error("{0}")]
    Wrong(String),
    #[error("{0}")]
    Illegal(String),
    #[error("the game is over: reset it to play another one")]
    Over,
    #[error("threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        let text = failure.to_string();
        match failure {
            Failure::Illegal(_) => IllegalAction::new_err(text),
            Failure::Over => GameOver::new_err(text),
            Failure::Threads(_) => PyRuntimeError::new_err(text),
            _ => LairError::new_err(text),
        }
    }
}
