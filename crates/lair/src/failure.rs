//! Why a command ends early, and with which exit code: 1 when what was asked about failed, 2 when it was
//! asked wrongly. A reader that went away is no failure.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use thiserror::Error;

use crate::term::{harmless, shown};

#[derive(Debug, Error)]
pub enum Failure {
    /// Asked wrongly: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// What was asked about failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Failed, and everything about it has been said already.
    #[error("failed")]
    Told,
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
            Failure::Told => return ExitCode::from(1),
            _ => {}
        }
        let red = anstyle::AnsiColor::Red.on_default().bold();
        // With no standard error left there is nobody to tell.
        let _ = io::Write::write_fmt(
            &mut anstream::stderr(),
            format_args!("{red}lair:{red:#} {}\n", shown(&harmless(&self.to_string()))),
        );
        ExitCode::from(if matches!(self, Failure::Usage(_)) { 2 } else { 1 })
    }
}
