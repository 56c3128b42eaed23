//! Why a command failed, and its exit code: 1 for failure, 2 for wrong usage, 3 for a server that others
//! have replaced. A closed pipe is not a failure.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use thiserror::Error;

use crate::term::{printable, shown};

#[derive(Debug, Error)]
pub enum Failure {
    /// Wrong usage: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// Exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Others have taken what this server held: exit code 3.
    #[error("{0}")]
    Deposed(String),
    /// Exit code 1, with everything already printed.
    #[error("failed")]
    Reported,
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl Failure {
    pub fn failed(reason: impl Display) -> Failure {
        Failure::Failed(reason.to_string())
    }

    pub fn usage(reason: impl Display) -> Failure {
        Failure::Usage(reason.to_string())
    }

    pub fn report(&self) -> ExitCode {
        match self {
            Failure::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Reported => return ExitCode::from(1),
            _ => {}
        }
        let red = anstyle::AnsiColor::Red.on_default().bold();
        // If standard error is closed, there is nowhere to report it.
        let _ = io::Write::write_fmt(
            &mut anstream::stderr(),
            format_args!("{red}lair:{red:#} {}\n", shown(&printable(&self.to_string()))),
        );
        ExitCode::from(match self {
            Failure::Usage(_) => 2,
            Failure::Deposed(_) => 3,
            _ => 1,
        })
    }
}
