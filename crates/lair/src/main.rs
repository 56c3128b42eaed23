//! The command `lair`. Each command has a module; this file only finds the right one and turns its end into
//! an exit code.

mod bot;
mod cards_cmd;
mod check_cmd;
mod cli;
mod failure;
mod files;
mod sim;
mod term;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

fn main() -> ExitCode {
    let command = Cli::parse().command.unwrap_or_else(|| Command::Play(Default::default()));
    let done = match &command {
        Command::Play(_) => Ok(()),
        Command::Sim(args) => sim::run(args),
        Command::Cards(args) => cards_cmd::run(args),
        Command::Check(args) => check_cmd::run(args),
        Command::Replay(_) => Ok(()),
        Command::Verify(_) => Ok(()),
        Command::Scenario(_) => Ok(()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
